#!/usr/bin/env bash
# Opens report pages in headless Chromium and checks them: no requests except the file and no
# console messages, with and without scripts; alternative texts of images, headers of tables, order
# of headings, links and size; axe-core in light and dark, wide and narrow; no horizontal scrolling
# on a phone; the Nu HTML checker; and A4 paper in light colours. Prints a line per check and page,
# and fails if a check fails. Installs Debian's chromium, poppler-utils and other missing packages,
# and the npm packages of page/package.json in a temporary folder. Without pages, it makes eight: a
# constrained run, an unconstrained one, a script with averages and frequencies, a defect that
# fails, the audit of a session, an audit that fails, one with every problem, and a comparison.
# --keep saves small pictures of them. --self-test checks that a page with a fault for every check
# fails every check.
#
#   scripts/page.sh [--keep FOLDER] [PAGE...]
#   scripts/page.sh --self-test
set -euo pipefail

keep=
if [ "${1-}" = --keep ]; then
    keep=$(realpath -m "${2:?--keep needs a folder}")
    shift 2
fi
is_test=
if [ "${1-}" = --self-test ]; then
    is_test=yes
    shift
fi
pages=()
for page in "$@"; do pages+=("$(realpath "$page")"); done
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME="$work/cache"

source scripts/page/tools.sh
mkdir "$work/pages"
browser_checks "$work/checks"

if [ "$is_test" ]; then
    faulty="$work/pages/faulty.html"
    { cat scripts/page/faulty.html && head -c 1500000 /dev/zero | tr '\0' ' '; } >"$faulty"
    node "$work/checks/check.mjs" "$work/pages" '' "$faulty" >"$work/out" || true
    cat "$work/out"
    missed=0
    for check in requests console text images tables headings basics size links axe width paper markup; do
        if ! grep -q "^FAIL *faulty *$check " "$work/out"; then
            echo "this check found no fault: $check"
            missed=1
        fi
    done
    exit "$missed"
fi

# made NAME CODE COMMAND..: makes the report of a command that must end with this code.
made() {
    local name=$1 code=$2 status=0
    shift 2
    "$fairdeal" "$@" --out "$work/pages/$name" >"$work/out" 2>&1 || status=$?
    if [ "$status" -ne "$code" ] || ! [ -e "$work/pages/$name/report.html" ]; then
        cat "$work/out"
        echo "fairdeal $*: exit code $status, expected $code, or no report.html"
        exit 1
    fi
    pages+=("$work/pages/$name/report.html")
}
if [ "${#pages[@]}" -eq 0 ]; then
    [ "${FAIRDEAL-}" ] || cargo build --release --locked --quiet
    fairdeal=${FAIRDEAL:-${CARGO_TARGET_DIR:-target}/release/fairdeal}
    made flannery-misfit 0 run flannery-misfit --deals 4M --seed 1
    made unconstrained 0 run unconstrained --deals 16M --seed 1
    made naive-shuffle 2 run unconstrained --deals 4M --seed 2 --defect naive-shuffle-round-robin
    cat >"$work/notrump.dl" <<'SCRIPT'
points = hcp(north) + hcp(south)
action average "North's controls" controls(north), average "points of both" points,
       frequency "North's spades" (spades(north), 2, 5), frequency "points of both" (points, 15, 37)
hcp(north) >= 15 && hcp(north) <= 17 && shape(north, any 4333 + any 4432 + any 5332)
SCRIPT
    made notrump 0 run "$work/notrump.dl" --deals 1M --seed 1
    made audit 4 audit fixtures/records/sm0807.pbn
    "$fairdeal" deal unconstrained -n 20000 --seed 5 --defect naive-shuffle-blocks --format line >"$work/blocks.txt"
    made audit-fail 2 audit "$work/blocks.txt"
    # Files that cannot be read, illegal deals, repeated boards.
    made audit-problems 3 audit fixtures/records fixtures/broken
    # A page of a comparison.
    "$fairdeal" compare "$work/pages/unconstrained" "$work/pages/naive-shuffle" --quiet \
        --out "$work/pages/compare" || [ $? -eq 2 ]
    pages+=("$work/pages/compare/compare.html")
fi
status=0
node "$work/checks/check.mjs" "$work/pages" "$keep" "${pages[@]}" || status=$?
exit "$status"
