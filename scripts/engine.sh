#!/usr/bin/env bash
# Measures the dealing speed on this machine: every instruction set, every generator, the scenarios,
# deals around predealt cards, on one thread and on all, as ratios to a naive program in alternating
# runs. Writes the output to reports/engine.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
[ "${FAIRDEAL-}" ] || cargo build --release --locked --quiet
fairdeal=${FAIRDEAL:-${CARGO_TARGET_DIR:-target}/release/fairdeal}
# Each part prints the naive program and the ratio of two threads to one again.
bench() { "$fairdeal" bench "$@" | tail -n +2; }
predealt='predeal north SAKQ, HJ2 condition hcp(south) >= 12'
{
    echo "# scripts/engine.sh, fairdeal $(cargo pkgid | sed 's/.*[#@]//'), on $(nproc) x $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1)"
    for tables in fits all points; do
        for path in portable avx2 avx512 neon; do
            FAIRDEAL_PATH=$path "$fairdeal" scenarios --names >/dev/null 2>&1 || continue
            echo
            FAIRDEAL_PATH=$path bench unconstrained --tables "$tables" --rounds 7 |
                if [ $path = portable ]; then cat; else grep -v '^naive'; fi
        done
    done
    echo
    echo "# the other generators"
    for rng in chacha8 philox4x32 xoshiro256++; do
        bench unconstrained --tables fits --rng $rng --threads 1 | tail -1
    done
    echo
    echo "# the scenarios from their mapped files, 64 Mi draws, all tables"
    for scenario in nine-spades balanced-28-30 flannery-misfit flat-three-suiter club-length; do
        bench "$scenario" --sampler cases --rounds 3 | grep -v '^naive'
    done
    echo
    echo "# around predealt cards: $predealt"
    bench <(echo "$predealt") --rounds 3 | grep '^[fp]'
} | tee reports/engine.txt
