#!/usr/bin/env bash
# Measures the cost of the standard battery, compared with tables alone: processor time of whole
# commands on 134,217,728 unconstrained deals, one thread, medians of five alternating rounds, for
# every instruction set. Then times the kernels alone, and whole commands that wait for a verdict on
# 10,485,760 deals with all threads, or for 36 boards: elapsed time, median and least of fifteen
# alternating rounds. Writes the output to reports/battery-cost.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ "${FAIRDEAL-}" ] || cargo build --release --locked --quiet
fairdeal=${FAIRDEAL:-${CARGO_TARGET_DIR:-target}/release/fairdeal}
deals=134217728
rounds=5
paths=()
for path in portable avx2 avx512 neon; do
    if FAIRDEAL_PATH=$path "$fairdeal" scenarios --names >/dev/null 2>&1; then paths+=("$path"); fi
done

# Milliseconds elapsed, and milliseconds of processor time.
whole_command() { # whole_command PATH COMMAND
    local TIMEFORMAT='%R %U %S' out=()
    [[ $2 == deal* ]] || out=(--out "$work/report" --force --quiet)
    # shellcheck disable=SC2086  # A command and its options.
    { time FAIRDEAL_PATH=$1 "$fairdeal" $2 --seed 1 "${out[@]}" >/dev/null 2>&1; } 2>&1 |
        awk '{ print 1000 * $1, 1000 * ($2 + $3) }'
}
median() { # median FILE LINES
    sort -n "$1" | sed -n "$((($2 + 1) / 2))p"
}

{
    echo "# scripts/battery-cost.sh, $("$fairdeal" --version), $(grep -m1 'model name' /proc/cpuinfo | cut -d: -f2 | xargs)"
    printf '%-10s %12s %14s %7s\n' path 'tables, ns' 'standard, ns' ratio
    for path in "${paths[@]}"; do
        rm -f "$work"/tables "$work"/standard
        for _ in $(seq "$rounds"); do
            for battery in tables standard; do
                command="run unconstrained --deals $deals --battery $battery --threads 1"
                whole_command "$path" "$command" | cut -d' ' -f2 >>"$work/$battery"
            done
        done
        awk -v n="$deals" -v path="$path" -v t="$(median "$work/tables" "$rounds")" -v s="$(median "$work/standard" "$rounds")" \
            'BEGIN { printf "%-10s %12.2f %14.2f %7.2f\n", path, t / n * 1e6, s / n * 1e6, s / t }'
    done
    echo "# nanoseconds per deal, from blocks of 65,536: cargo bench -- correlating"
    cargo bench --quiet --bench stages -- correlating 2>/dev/null | awk '
        /^correlating/ { name = $0; sub("correlating/", "", name) }
        /time:/ && !/%/ {
            unit = $5 == "ms" ? 1e6 : ($5 == "ns" ? 1 : 1e3)
            printf "%-52s %8.2f\n", name, $4 * unit / 65536
        }'
    echo "# milliseconds of whole commands, $(nproc) threads"
    printf '%-42s %-10s %8s %8s %10s\n' command path median least processor
    whole=15
    commands=(
        'run unconstrained --deals 10485760'
        'run flannery-misfit --deals 10485760'
        'run flat-three-suiter --deals 10485760'
        'deal flannery-misfit -n 36'
    )
    for _ in $(seq "$whole"); do
        for path in "${paths[@]}"; do
            for i in "${!commands[@]}"; do
                whole_command "$path" "${commands[i]}" >>"$work/whole-$i-$path"
            done
        done
    done
    for i in "${!commands[@]}"; do
        for path in "${paths[@]}"; do
            file=$work/whole-$i-$path
            cut -d' ' -f1 "$file" >"$work/elapsed"
            cut -d' ' -f2 "$file" >"$work/processor"
            printf '%-42s %-10s %8.0f %8.0f %10.0f\n' "${commands[i]}" "$path" \
                "$(median "$work/elapsed" "$whole")" "$(sort -n "$work/elapsed" | head -1)" \
                "$(median "$work/processor" "$whole")"
        done
    done
} | tee reports/battery-cost.txt
