#!/usr/bin/env bash
# Audits 36 boards, and files of two and of ten million deals. Fails unless 36 boards take at most
# 0.15 s of processor time once their perfect sets are in the cache, and PBN is read and tested at
# 200 MB/s or more, in memory that does not grow with the file. Writes the output to
# reports/audit-speed.txt.
# Takes minutes, and 5 GB of disk.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ "${FAIRDEAL-}" ] || cargo build --release --locked --quiet
fairdeal=${FAIRDEAL:-${CARGO_TARGET_DIR:-target}/release/fairdeal}
export FAIRDEAL_CACHE="$work/cache"

# few WORDS: prints the processor time of an audit of 36 boards.
few() {
    /usr/bin/time -f '%U %S' -o "$work/time" "$fairdeal" audit "$work/few" --quiet \
        --out "$work/report" --force || test $? -eq 4
    tail -1 "$work/time" | awk -v words="$1" '{ printf "pbn             36 deals, %s: %.2f s of processor time\n", words, $1 + $2 }'
}

# audit FILE FORMAT DEALS: prints seconds (the best of three), megabytes per second and memory.
audit() {
    local bytes best=
    bytes=$(stat -c %s "$1")
    for _ in 1 2 3; do
        /usr/bin/time -f '%e %U %S %M' -o "$work/time" "$fairdeal" audit "$1" --quiet \
            --out "$work/report" --force || test $? -eq 4
        best=$( (echo "$best"; cat "$work/time") | grep . | sort -n | head -1)
    done
    awk -v bytes="$bytes" -v format="$2" -v deals="$3" '{
        printf "%-8s %9d deals %6.0f MB  %6.2f s  %4.0f MB/s  %5.2f million deals a second  %3.0f s of processor time  %4.0f MB of memory\n",
            format, deals, bytes / 1e6, $1, bytes / 1e6 / $1, deals / 1e6 / $1, $2 + $3, $4 / 1024
    }' <<<"$best"
}
{
    echo "# scripts/audit-speed.sh, $("$fairdeal" --version), $(nproc) cores ($(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1)), battery standard"
    "$fairdeal" deal unconstrained -n 36 --seed 1 --format pbn >"$work/few" 2>"$work/errors"
    few "perfect sets made"
    few "perfect sets from the cache"
    for format in pbn line; do
        for deals in 2000000 10000000; do
            "$fairdeal" deal unconstrained -n "$deals" --seed 1 --format "$format" >"$work/deals" 2>"$work/errors"
            cat "$work/deals" >/dev/null
            audit "$work/deals" "$format" "$deals"
        done
    done
} | tee reports/audit-speed.txt
awk '$1 == "pbn" && $2 == 10000000 { fast = $8 >= 200 } END { exit !fast }' reports/audit-speed.txt
awk '$1 == "pbn" { memory[$2] = $(NF - 3) } END { exit !(memory[10000000] < 1.5 * memory[2000000]) }' reports/audit-speed.txt
awk '$2 == 36 && /from the cache/ { quick = $(NF - 4) <= 0.15 } END { exit !quick }' reports/audit-speed.txt
