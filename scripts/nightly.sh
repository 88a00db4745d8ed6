#!/usr/bin/env bash
# The checks that measure or compare samples, which take too long for every change: for each night,
# and before a release. All steps run, even if one fails; the exit code is then 1. Needs the packages
# that `.ci/run` installs, and bc.
#
#   scripts/nightly.sh
#   scripts/nightly.sh names
#
# names prints the tests that run each night: those marked `#[ignore = "nightly"]`.
set -uo pipefail
cd "$(dirname "$0")/.."

names() { grep -rh -A2 'ignore = "nightly"' tests | sed -n 's/^ *fn \([a-z0-9_]*\)(.*/\1/p'; }
if [ "${1-}" = names ]; then
    names
    exit
fi

failed=()
step() { # step NAME SECONDS COMMAND ..
    printf '\n== %s (after %d s)\n' "$1" "$SECONDS"
    timeout "$2" "${@:3}" || failed+=("$1")
}

cargo build --locked --release --package fairdeal --package lab || exit 1
built=$(realpath "${CARGO_TARGET_DIR:-target}")/release
export FAIRDEAL=$built/fairdeal
lab=$built/lab

mapfile -t nightly < <(names)
step "tests that compare large samples" 3600 cargo test --locked --profile checked --test suite -- \
    --ignored "${nightly[@]}"
step "properties with many random cases" 3600 env PROPTEST_CASES=2000 cargo test --locked \
    --profile checked --test suite -- language files populations
oldest=$(sed -n 's/^rust-version = "\(.*\)"/\1.0/p' Cargo.toml)
if timeout 300 rustup toolchain install "$oldest" --profile minimal >/dev/null 2>&1; then
    step "the oldest Rust that users need" 3600 env CARGO_TARGET_DIR=target/oldest \
        cargo "+$oldest" check --locked --workspace --all-targets
else
    echo "no Rust $oldest here: NOT RUN"
fi
if timeout 60 cargo +nightly miri --version >/dev/null 2>&1 ||
    timeout 300 rustup component add --toolchain nightly miri rust-src; then
    step "the portable path and the casts of records under Miri" 1800 scripts/platforms.sh miri
else
    echo "no Miri here: NOT RUN"
fi
step "the kernels for AArch64 under emulation" 1800 scripts/platforms.sh aarch64
step "runs that are killed come to the same reports" 1200 scripts/interrupt.sh kills
step "levelling by a mix and by chance gives the same tables" 600 "$lab" levelling --deals 1M
step "planning a few boards costs little more than dealing them" 1800 "$lab" practice --every 8
step "every planted defect is caught in time" 1800 "$lab" defects
step "perfect deals keep the promise of the verdict" 3600 \
    "$lab" validity --runs 2000 --audits 500 --repeats 5 --repeat-runs 100 --every 5
step "tests with limit laws in small spaces" 3600 cargo test --locked --profile checked \
    --package fairdeal-report --lib tests_with_limit_laws -- --ignored
step "tables of large runs, by every instruction set" 1800 "$lab" agreement --deals 64Mi
step "effects that reports print" 3600 "$lab" effects
step "cells against rejection" 1800 "$lab" cells --deals 1M --generated 10M
if scripts/browser.sh tools >/dev/null 2>&1; then
    step "the pages as WebAssembly in a browser" 3600 scripts/browser.sh in-browser 100000
else
    echo "no Chromium, or no registry of npm, here: NOT RUN"
fi
if { python3 -m venv target/pypi && timeout 120 target/pypi/bin/pip download --no-deps --dest target/pypi twine; } \
    >/dev/null 2>&1; then
    step "the wheel in other versions of Python" 3600 scripts/python.sh wheel
else
    echo "no PyPI here: the wheel NOT RUN"
fi
step "the study of dealing programs, in small" 1800 scripts/study.sh --quick --work target/study-nightly \
    --out target/study-nightly/page
if command -v mpirun && command -v mpicc; then
    step "many processes, killed and measured" 3600 env -u FAIRDEAL scripts/cluster.sh mpi
else
    echo "no MPI here: NOT RUN"
fi
if command -v g++ && compgen -G '/usr/lib/llvm-*/lib/libclang*.so*'; then
    step "the double-dummy solver beside others" 1800 scripts/solver.sh peers 60
else
    echo "no compiler of C++ or libclang here: other solvers NOT RUN"
fi
step "tricks of dealt boards beside published results" 900 scripts/solver.sh published 200 20

if [ "${#failed[@]}" != 0 ]; then
    printf 'failed: %s\n' "${failed[@]}"
    exit 1
fi
