#!/usr/bin/env bash
# Measures the cost of a run on many machines: deals per core-hour of every battery on one thread,
# the median of three runs; the core-hours of 10^12 and 10^15 deals at that speed; the size of two
# parts, and the time of their merge. Prints tables, and writes the output to reports/sizing.txt.
# Takes four minutes on an idle machine.
#
#   scripts/sizing.sh [DEALS]
#
# DEALS (1G) is the number of deals of the two parts together.
set -euo pipefail
cd "$(dirname "$0")/.."

DEALS=${1:-1G}
[ "${FAIRDEAL-}" ] || cargo build --release --locked --quiet
fairdeal=${FAIRDEAL:-${CARGO_TARGET_DIR:-target}/release/fairdeal}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME="$work/cache"

# run ARGUMENTS..: prints run.json of a run, whatever its verdict.
run() {
    local code=0
    "$fairdeal" run "$@" --seed 5 --json >"$work/run.json" || code=$?
    [ "$code" -le 4 ] || exit "$code"
}

measure() {
    printf '%-26s %-9s %14s %15s %14s %14s\n' deals battery "million a s" "a core-hour" \
        "10^12, core-h" "10^15, core-h"
    while read -r input battery deals more; do
        # With a listing, the first run writes it.
        # shellcheck disable=SC2086  # Several options, or none.
        run "$input" $more --battery "$battery" --deals 1M --out "$work/out" --force
        for _ in 1 2 3; do
            # shellcheck disable=SC2086
            run "$input" $more --battery "$battery" --deals "$deals" --threads 1 --out "$work/out" --force
            python3 -c 'import json, sys
run = json.load(open(sys.argv[1]))
print(run["dealt"] / run["seconds"])' "$work/run.json"
        done | sort -g | sed -n 2p | python3 -c 'import sys
rate = float(sys.stdin.read())
hour = rate * 3600
name, battery = sys.argv[1:]
print(f"{name:26} {battery:9} {rate / 1e6:14.2f} {hour:15.3g} {1e12 / hour:14,.1f} {1e15 / hour:14,.0f}")' \
            "$input${more:+, listed}" "$battery"
    done <<KINDS
unconstrained tables 600M
unconstrained standard 150M
unconstrained full 15M
flannery-misfit standard 80M
flannery-misfit standard 80M --sampler cases
flat-three-suiter standard 60M
flat-three-suiter standard 60M --sampler cases
KINDS
}

parts() {
    printf '\n%-16s %-9s %6s %12s %14s %14s %10s\n' "$DEALS deals" battery part deals "checkpoint MB" \
        "of it looks" "merged in"
    for battery in tables standard; do
        for part in 1 2; do
            run unconstrained --battery "$battery" --deals "$DEALS" --part "$part/2" --out "$work/$part" --force
        done
        python3 - "$fairdeal" "$work" "$battery" <<'PYTHON'
import json, os, subprocess, sys, time

fairdeal, work, battery = sys.argv[1:]
folders = [os.path.join(work, part) for part in "12"]
begun = time.monotonic()
merged = subprocess.run([fairdeal, "merge", *folders, "-o", f"{work}/merged", "--force", "--quiet"])
seconds = time.monotonic() - begun
assert merged.returncode <= 4, merged.returncode
for part, folder in enumerate(folders, 1):
    run = json.load(open(os.path.join(folder, "run.json")))
    size = os.path.getsize(os.path.join(folder, "checkpoint"))
    first = run["part"]["first_deal"]
    end = first + run["part"]["deals"]
    looks = sum(1 for power in range(14, 60) if first < 1 << power < end)
    shown = f"{seconds:8.2f} s" if part == 2 else ""
    row = f"{part}/2 {run['dealt']:15,} {size / 1e6:14.1f} {looks:14}"
    print(f"{'unconstrained':16} {battery:9}    {row} {shown:>10}")
PYTHON
    done
}

{
    echo "# scripts/sizing.sh $DEALS, $(date -u +%F), $("$fairdeal" --version), $(nproc) cores, load $(cut -d' ' -f1 /proc/loadavg)"
    measure
    parts
} | tee "$work/table"
mv "$work/table" reports/sizing.txt
