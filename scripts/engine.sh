#!/usr/bin/env bash
# How fast the engine is on this machine: every set of instructions, every
# generator, the scenarios, one thread and all; as ratios to the naive program
# that is measured in turn with it. Keeps the output in reports/engine.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --release --locked --quiet
fairdeal=target/release/fairdeal
# The naive program, and the ratio of two threads to one, are printed anew each time.
bench() { "$fairdeal" bench "$@" | tail -n +2; }
{
    echo "# scripts/engine.sh, fairdeal $(cargo pkgid | sed 's/.*[#@]//'), on $(nproc) x $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1)"
    for tables in fits all points; do
        for path in portable avx2 avx512; do
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
        bench "$scenario" --rounds 3 | grep -v '^naive'
    done
} | tee reports/engine.txt
