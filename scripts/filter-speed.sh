#!/usr/bin/env bash
# Compares fairdeal and Debian's `dealer` on scripts in dealer's language, one thread each: a
# condition on three hands with 20 frequencies, by deals generated per second, and a condition on
# two hands that one deal in a million satisfies, by deals produced per second. Measures the
# processor time of whole commands: fairdeal also lists the cases, tests every deal drawn and writes
# the report. Fails below ratios of 20 and 100,000. Writes the output to reports/filter-speed.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$PATH:/usr/games
if ! command -v dealer >/dev/null; then
    apt-get update -qq && apt-get install -y -qq dealer
fi
cargo build --release --locked --quiet
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# cpu COMMAND..: prints its processor seconds, user and system. The exit code of a verdict is not a
# failure.
cpu() {
    local TIMEFORMAT='%U %S'
    { time "$@" >"$work/out" 2>"$work/err" || [ $? -lt 64 ]; } 2>"$work/time"
    awk '{ print $1 + $2 }' "$work/time"
}

# ours NAME DEALS OPTION..: prints processor seconds, deals drawn and deals kept.
ours() {
    local name=$1 deals=$2
    shift 2
    # Use an empty cache: the time of the listing is included.
    export XDG_CACHE_HOME="$work/cache-$RANDOM"
    local seconds
    seconds=$(cpu "${FAIRDEAL:-${CARGO_TARGET_DIR:-target}/release/fairdeal}" run "$work/$name" --deals "$deals" --threads 1 \
        --battery tables --seed 1 --out "$work/report" --force --json "$@")
    python3 - "$work/report/run.json" "$seconds" <<'PY'
import json, sys
record = json.load(open(sys.argv[1]))
kept = record["filter"]["kept"] if "filter" in record else record["deals"]
print(sys.argv[2], record["deals"], kept)
PY
    rm -rf "$XDG_CACHE_HOME"
}

# theirs NAME: prints processor seconds, deals generated and deals produced.
theirs() {
    local seconds
    seconds=$(cpu dealer -s 1 "$work/$1")
    awk -v seconds="$seconds" '/^Generated/ { drawn = $2 } /^Produced/ { kept = $2 }
        END { print seconds, drawn, kept }' "$work/out"
}

{
    echo "generate 3000000 produce 3000000"
    cat <<'DL'
strong = shape(west, any 4333 + any 4432 + any 5332) && hcp(west) >= 15 && hcp(west) <= 17
quiet = hcp(north) < 12 && spades(north) < 6 && hearts(north) < 6
invites = hcp(east) >= 7 && hcp(east) <= 10 && spades(east) < 5 && hearts(east) < 5
condition strong && invites && quiet
action
DL
    separator=""
    for seat in north east south west; do
        echo "$separator frequency \"$seat hcp\" (hcp($seat), 0, 37)"
        separator=","
        for suit in spades hearts diamonds clubs; do
            echo ", frequency \"$seat $suit\" ($suit($seat), 0, 13)"
        done
    done
} >"$work/three-hands.dl"

cat >"$work/one-in-a-million.dl" <<'DL'
generate 100000000 produce 100000000
condition hcp(west) >= 19 && hcp(west) <= 22 && shape(west, any 4333 + any 4432 + any 5332)
    && hearts(east) >= 7 && spades(east) >= 5
action average "hearts" hearts(east)
DL

row() { printf '%-34s %9s s %12s drawn %12s kept %14.0f drawn/s %14.2f kept/s\n' "$@"; }
measure() {
    local title=$1
    shift
    read -r seconds drawn kept <<<"$("$@")"
    row "$title" "$seconds" "$drawn" "$kept" \
        "$(awk "BEGIN { print $drawn / $seconds }")" "$(awk "BEGIN { print $kept / $seconds }")"
}

{
    echo "a condition on three hands, twenty frequencies"
    for round in 1 2 3; do
        measure "dealer" theirs three-hands.dl
        measure "fairdeal, every deal asked" ours three-hands.dl 300000000 --sampler reject
        measure "fairdeal, as it plans" ours three-hands.dl 300000000
    done
    echo "one deal in a million, two hands"
    measure "dealer" theirs one-in-a-million.dl
    measure "fairdeal" ours one-in-a-million.dl 300000000
} | tee "$work/table"

python3 - "$work/table" <<'PY' | tee "$work/ratios"
import re, statistics, sys
rates = {}
for line in open(sys.argv[1]):
    if match := re.match(r"(.*?)\s+[\d.]+ s .* kept\s+(\d+) drawn/s\s+([\d.]+) kept/s", line):
        rates.setdefault((title, match[1]), []).append((float(match[2]), float(match[3])))
    else:
        title = line.strip()
median = {key: [statistics.median(side) for side in zip(*values)] for key, values in rates.items()}
three, million = "a condition on three hands, twenty frequencies", "one deal in a million, two hands"
failed = False
for what, ratio, least in (
    ("generated a second, every deal asked",
     median[three, "fairdeal, every deal asked"][0] / median[three, "dealer"][0], 20),
    ("produced a second, as it plans",
     median[three, "fairdeal, as it plans"][1] / median[three, "dealer"][1], 20),
    ("produced a second, one in a million",
     median[million, "fairdeal"][1] / median[million, "dealer"][1], 100_000),
):
    print(f"{what}: {ratio:,.1f} times dealer's (at least {least:,})")
    failed |= ratio < least
sys.exit(failed)
PY
{
    echo "scripts/filter-speed.sh, $(date -u +%F), $(grep -m1 'model name' /proc/cpuinfo | cut -d: -f2-)"
    cat "$work/table" "$work/ratios"
} >reports/filter-speed.txt
