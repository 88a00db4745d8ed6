#!/usr/bin/env bash
# Asks scripts of a library of 10,485,760 solved deals (run --from): the 500 deals of
# fixtures/solved, repeated. Prints the median of five runs, and the processor time of a deal. Fails
# if the answers differ from those of the 500 deals. Needs 240 MB of disk. Writes the output to
# reports/library-speed.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ "${FAIRDEAL-}" ] || cargo build --release --locked --quiet
fairdeal=${FAIRDEAL:-${CARGO_TARGET_DIR:-target}/release/fairdeal}
deals=10485760
size=$((deals * 23))
cp fixtures/solved/library.zrd "$work/library.zrd"
while [ "$(stat -c %s "$work/library.zrd")" -lt "$size" ]; do
    cat "$work/library.zrd" "$work/library.zrd" >"$work/twice"
    mv "$work/twice" "$work/library.zrd"
done
# A multiple of 500 deals, so that means are those of the 500.
deals=$((deals / 500 * 500))
truncate -s $((deals * 23)) "$work/library.zrd"

# ask NAME CONDITION: asks both libraries, and prints a line.
ask() {
    local all= median question="action average \"t\" tricks(south, spades) - tricks(west, notrumps) $2"
    for _ in 1 2 3 4 5; do
        /usr/bin/time -f '%e %U %S %M' -o "$work/time" "$fairdeal" run --where "$question" \
            --from "$work/library.zrd" --json >"$work/found.json"
        all+=$(cat "$work/time")$'\n'
    done
    median=$(grep . <<<"$all" | sort -n | sed -n 3p)
    "$fairdeal" run --where "$question" --from fixtures/solved/library.zrd --json >"$work/few.json"
    python3 - "$work/found.json" "$work/few.json" "$deals" <<'CHECK'
import json, sys
found, few = (json.load(open(name)) for name in sys.argv[1:3])
times = int(sys.argv[3]) // few["deals"]
assert found["deals"] == int(sys.argv[3]), found["deals"]
assert found["kept"] == times * few["kept"], (found["kept"], few["kept"])
mean, other = (answers["averages"][0]["mean"] for answers in (found, few))
assert abs(mean - other) < 1e-12, (mean, other)
CHECK
    awk -v name="$1" -v deals="$deals" '{
        printf "%-34s %5.2f s  %6.2f million deals a second  %4.0f ns of processor time a deal  %3.0f MB of memory\n",
            name, $1, deals / 1e6 / $1, ($2 + $3) / deals * 1e9, $4 / 1024
    }' <<<"$median"
}
{
    echo "# scripts/library-speed.sh, $("$fairdeal" --version), $(nproc) cores ($(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1)), $deals deals"
    ask "every deal" ""
    ask "a fit of eight spades" "spades(north) + spades(south) == 8"
    ask "four spades make" "tricks(north, spades) >= 10"
    ask "a notrump, with a thin game" "shape(north, any 4333 + any 4432 + any 5332) && hcp(north) >= 15 && hcp(north) <= 17 && tricks(north, notrumps) >= 9"
} | tee reports/library-speed.txt
