#!/usr/bin/env bash
# Checks that two programs write the same reports, byte for byte: before and after a change that
# should not affect any output.
#
#   scripts/golden.sh BEFORE AFTER
#
# Each program makes ten scenarios, three scripts, two audits, two comparisons, one merge of three
# parts, one resumed run and the exact tables of a scenario. The script compares all tables in CSV,
# the output of the commands, and each run.json and audit.json except times, the host and the
# version. Timings, pages and checkpoints are left out. DEALS is the size of a run (300K).
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# = 2 ] || { sed -n '5p' "$0" | cut -c3- >&2; exit 64; }
before=$(realpath "$1") after=$(realpath "$2")
deals=${DEALS:-300K}
fixtures=$PWD/fixtures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

make_all() ( # make_all PROGRAM FOLDER
    ln -s "$1" "$2/fairdeal"
    cd "$2"
    export XDG_CACHE_HOME=$2/cache
    told() { # told NAME ARGUMENT..: keeps what is printed and the exit code
        local name=$1 code=0
        shift
        ./fairdeal "$@" >"$name.txt" 2>"$name.err" || code=$?
        echo "exit code $code" >>"$name.txt"
    }
    run() { told "$1" run "${@:2}" --deals "$deals" --seed 1 --out "$1"; }
    for scenario in $(./fairdeal scenarios --names); do
        run "$scenario" "$scenario"
        [ "$scenario" = unconstrained ] || run "listed-$scenario" "$scenario" --sampler listing
    done
    run double "$fixtures/practice/compete-takeout-double.dlr"
    run slam "$fixtures/practice/slam-gerber.dlr"
    run averages "$fixtures/dealer/language.dl"
    for format in pbn lin; do
        told "deal-$format" deal unconstrained -n 2000 --seed 1 --format "$format"
        head -n -1 "deal-$format.txt" >"deals.$format"
        told "audit-$format" audit "deals.$format" --target 2000 --out "audit-$format"
    done
    run again nine-spades --rng chacha8
    told compare-runs compare nine-spades again --out compared
    told compare-audits compare audit-pbn audit-lin
    for part in 1 2 3; do
        told "part-$part" run nine-spades --deals "$deals" --batch 32Ki --seed 1 --part "$part/3" --out "part-$part"
    done
    told merged merge part-1 part-2 part-3 --out merged
    told paused run nine-spades --deals 60M --seed 1 --for 200ms --out resumed
    told resumed run nine-spades --resume --out resumed
    told theory theory flannery-misfit --out theory
    rm -rf cache
)

# Removes the values that differ between two runs of one program.
plain() (
    cd "$1"
    find . \( -name '*.html' -o -name latency.csv -o -name parts.csv -o -name '*.err' -o -name checkpoint \
        -o -name paused.txt -o -type l -o -name '.*' -type f \) -delete
    find . -name '*.txt' -exec sed -i -E "s#$1##g; s/[0-9.]+ million a second//; s/\b(read|deals|drawn) in [0-9.]+ s//; /^Speed +A /d
        /^ *a deal /d; /^speed /d; /noise/d; /seconds|wrote /d" {} +
    find . -name '*.json' -exec python3 -c '
import json, sys
TIMES = {"start", "end", "seconds", "host", "version", "pace", "path", "threads", "planning", "folder",
         "speed", "resumed", "median_ns"}
def plain(value):
    if isinstance(value, dict):
        return {key: plain(of) for key, of in value.items() if key not in TIMES}
    return [plain(one) for one in value] if isinstance(value, list) else value
for name in sys.argv[1:]:
    with open(name) as file:
        told = plain(json.load(file))
    with open(name, "w") as file:
        json.dump(told, file, indent=1)
' {} +
)

for program in before after; do
    mkdir "$work/$program"
    make_all "${!program}" "$work/$program"
    plain "$work/$program"
done
diff -r "$work/before" "$work/after"
files=$(find "$work/before" -type f | wc -l)
echo "$files files are the same: $(find "$work/before" -name '*.csv' | wc -l) tables, $(find "$work/before" -name '*.json' | wc -l) records"
