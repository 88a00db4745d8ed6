#!/usr/bin/env bash
# Measures builds and tests from nothing, in a clean copy of the last commit: wall and processor
# seconds, crates, and the size of the program. Writes the output to reports/build-time.txt.
#
#   scripts/build-time.sh
#
# Takes about ten minutes on two idle cores. The crates must be downloaded already.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git archive HEAD | tar -x -C "$work"
export CARGO_TARGET_DIR=$work/target
timed() { # timed NAME COMMAND..
    local TIMEFORMAT="%R %U %S" times
    times=$({ time "${@:2}" >/dev/null 2>&1; } 2>&1)
    awk -v name="$1" '{ printf "%-44s %6.0f s of wall time %6.0f s of processor time\n", name, $1, $2 + $3 }' <<<"$times"
}
crates() { cargo tree --locked --edges normal,build --prefix none "$@" | sort -u | wc -l; }
{
    echo "# scripts/build-time.sh, on $(nproc) x $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1)"
    cd "$work"
    echo "crates of the program and the library: $(crates), $(crates --no-default-features)"
    timed "cargo build --release, from nothing" cargo build --release --locked --offline
    echo "size of the program: $(($(stat -c %s target/release/fairdeal) / 1000000)) MB"
    timed "cargo test --no-run, from nothing" cargo test --no-run --locked --offline
    timed "cargo test, built" cargo test --locked --offline
} | tee reports/build-time.txt
