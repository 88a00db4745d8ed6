#!/usr/bin/env bash
# Measures the cost of the standard battery, compared with tables alone: processor time of whole
# commands on 134,217,728 unconstrained deals, one thread, medians of five alternating rounds, for
# every instruction set. Then times the kernels alone. Writes the output to
# reports/battery-cost.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cargo build --release --locked --quiet
fairdeal=${FAIRDEAL:-${CARGO_TARGET_DIR:-target}/release/fairdeal}
deals=134217728
rounds=5

# Seconds of processor time.
seconds() { # seconds PATH BATTERY
    local TIMEFORMAT='%U %S'
    { time FAIRDEAL_PATH=$1 "$fairdeal" run unconstrained --deals "$deals" --battery "$2" --seed 1 \
        --threads 1 --out "$work/report" --force --quiet 2>/dev/null; } 2>&1 | awk '{ print $1 + $2 }'
}
median() { sort -n "$1" | sed -n "$(((rounds + 1) / 2))p"; }

{
    echo "# scripts/battery-cost.sh, $("$fairdeal" --version), $(grep -m1 'model name' /proc/cpuinfo | cut -d: -f2 | xargs)"
    printf '%-10s %12s %14s %7s\n' path 'tables, ns' 'standard, ns' ratio
    for path in portable avx2 avx512 neon; do
        FAIRDEAL_PATH=$path "$fairdeal" scenarios --names >/dev/null 2>&1 || continue
        rm -f "$work"/tables "$work"/standard
        for _ in $(seq "$rounds"); do
            for battery in tables standard; do
                seconds "$path" "$battery" >>"$work/$battery"
            done
        done
        awk -v n="$deals" -v path="$path" -v t="$(median "$work/tables")" -v s="$(median "$work/standard")" \
            'BEGIN { printf "%-10s %12.2f %14.2f %7.2f\n", path, t / n * 1e9, s / n * 1e9, s / t }'
    done
    echo "# nanoseconds per deal, from blocks of 65,536: cargo bench -- correlating"
    cargo bench --quiet --bench stages -- correlating 2>/dev/null | awk '
        /^correlating/ { name = $0; sub("correlating/", "", name) }
        /time:/ && !/%/ {
            unit = $5 == "ms" ? 1e6 : ($5 == "ns" ? 1 : 1e3)
            printf "%-52s %8.2f\n", name, $4 * unit / 65536
        }'
} | tee reports/battery-cost.txt
