#!/usr/bin/env bash
# Prints pages of hands (deal --format html) on A4 paper with headless Chromium, and checks the
# sheets: their number and size; that every sheet has the boards and the cards that it should have,
# complete and in the order of the deals; and that no text is outside its board. Then runs page.sh
# on the pages. Prints a line per page. --keep saves a small picture of the first two sheets of each
# page. Needs chromium and poppler-utils, which page.sh installs.
#
#   scripts/hands.sh [--keep FOLDER] [--no-page-checks]
set -euo pipefail

keep=
checks=yes
while [ "$#" -gt 0 ]; do
    case $1 in
        --keep) keep=$(realpath -m "${2:?--keep needs a folder}"); shift 2 ;;
        --no-page-checks) checks=; shift ;;
        *) echo "unknown argument: $1" >&2; exit 64 ;;
    esac
done
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ "${FAIRDEAL-}" ] || cargo build --release --locked --quiet
fairdeal=${FAIRDEAL:-${CARGO_TARGET_DIR:-target}/release/fairdeal}

cat >"$work/notrump.dl" <<'SCRIPT'
hcp(north) >= 15 && hcp(north) <= 17 && shape(north, any 4333 + any 4432 + any 5332)
action printes("North opens 1NT; south has ", hcp(south), " points", \n)
SCRIPT
# Whole suits, and the longest names and numbers.
cat >"$work/long.dl" <<'SCRIPT'
spades(north) == 13 && hearts(east) == 13
action printes("A comment that is long enough for a second line on the sheet, and then for a third one: the whole suit is north's")
SCRIPT

# made NAME SHEETS ARGUMENT..: a page of hands that must take this number of sheets.
pages=()
status=0
made() {
    local name=$1 sheets=$2
    shift 2
    "$fairdeal" deal "$@" --quiet --format html >"$work/$name.html"
    "$fairdeal" deal "$@" --quiet --json >"$work/$name.jsonl" 2>/dev/null || cp /dev/null "$work/$name.jsonl"
    pages+=("$work/$name.html")
    (cd "$work" && chromium --headless --no-sandbox --disable-gpu --no-pdf-header-footer \
        --print-to-pdf="$work/$name.pdf" "$work/$name.html" >/dev/null 2>&1)
    pdftotext -bbox-layout "$work/$name.pdf" "$work/$name.xml"
    python3 scripts/hands.py "$name" "$sheets" "$work/$name.html" "$work/$name.xml" || status=1
    if [ "$keep" ]; then
        mkdir -p "$keep"
        pdftoppm -r 60 -png -l 2 "$work/$name.pdf" "$keep/$name"
    fi
}
made four 9 unconstrained -n 36 --seed 1 --event 'Club night'
made two 18 unconstrained -n 36 --seed 1 --per-page 2
made one 5 unconstrained -n 5 --seed 1 --per-page 1
made three 3 unconstrained -n 9 --seed 1 --per-page 3
made south 6 "$work/notrump.dl" -n 12 --seed 1 --show south --comment --names 'Ann,Bo,Cy,Dee'
made north-two 6 "$work/notrump.dl" -n 6 --seed 1 --show north --per-page 2 --rotate board
made long 1 "$work/long.dl" -n 4 --seed 1 --comment --event "A tournament with a name so long that the line on each sheet has no room for the whole of it, however small the type is" \
    --names 'Wolfeschlegelsteinhausenbergerdorff,Bo,Cy,Dee' --board 1234567
made solved 2 unconstrained -n 8 --from fixtures/solved/library.zrd
if [ "$checks" ]; then
    scripts/page.sh ${keep:+--keep "$keep"} "${pages[@]}" || status=1
fi
exit "$status"
