#!/usr/bin/env bash
# Opens pages in headless Chromium and checks them. Each part prints a line per check and fails if a
# check fails; SAVE=1 keeps the lines in reports/, --keep saves small pictures. Installs Debian's
# chromium, poppler-utils and other missing packages, and the npm packages of page/package.json in a
# temporary folder.
#
#   scripts/browser.sh pages [--keep FOLDER] [PAGE ..]
#       Reports: no requests except the file and no console messages, with and without scripts;
#       alternative texts of images, headers of tables, order of headings, links and size; axe-core in
#       light and dark, wide and narrow; no horizontal scrolling on a phone; the Nu HTML checker; and
#       A4 paper in light colours, with the summary of an audit on the first sheet. Without pages, it
#       makes twelve: runs, audits, leads, contracts, a comparison and nights.
#   scripts/browser.sh faults
#       A page with a fault for every check of `pages` must fail every check.
#   scripts/browser.sh hands [--keep FOLDER] [--no-page-checks]
#       Sheets of hands (deal --format html) on A4: their number and size, the boards and the cards,
#       complete and in the order of the deals, and no text outside its board; then `pages` on them.
#   scripts/browser.sh serve [--keep FOLDER]
#       The pages of `fairdeal serve`, used as a person would, by Playwright: by mouse, by keyboard
#       alone, at a phone's width and without scripts; files chosen, dropped and pasted; a run
#       started, stopped, resumed and compared; wrong values in every form; a page of another site
#       that links here. Every state of a page is checked by axe-core and the Nu HTML checker.
#   scripts/browser.sh app FOLDER
#       No check: builds the pages as WebAssembly (crates/web) into FOLDER, which any web server can
#       serve, and prints the sizes. Fails above 4 MB, compressed by gzip. Installs clang and the target
#       with rustup if they are missing.
#   scripts/browser.sh in-browser [BOARDS]
#       Builds that folder and uses it as a person would: boards, fractions, tests, conversions and leads
#       equal to those of the commands, on a phone too, and after the server was stopped; the progress of a
#       job, and Stop; axe-core and
#       the Nu HTML checker; time and memory of an audit of BOARDS (1,000) boards. Prints NOT RUN if it
#       cannot be built.
#   scripts/browser.sh load [AUDITS [CLIENTS [SEED]]]
#       No browser: sends AUDITS (200) uploads by CLIENTS (32) at once to `fairdeal serve`, with bodies
#       of up to 100 MB of deals, half of which break off on the way. Fails if an answer takes more
#       than 2 s, if the memory exceeds 1 GB, if a completed upload has no verdict, or if a temporary
#       file is left. Needs a machine that does nothing else.
#   scripts/browser.sh tools
#       Installs what the parts need; fails where it cannot be had.
set -euo pipefail
start=$PWD
cd "$(dirname "$0")/.."
source scripts/tools/common.sh

# needs PROGRAM PACKAGE: installs the package if the program is missing.
needs() {
    command -v "$1" >/dev/null && return
    apt-get update -qq >/dev/null &&
        DEBIAN_FRONTEND=noninteractive timeout 900 apt-get install -y -qq --no-install-recommends "$2" >/dev/null
}

# Installs a browser and what the checks run.
tools() {
    needs chromium chromium && needs pdftoppm poppler-utils && needs pngquant pngquant && needs unzip unzip &&
        needs node nodejs && needs npm npm && needs java default-jre-headless &&
        timeout 60 npm view axe-core version >/dev/null
}

# browser_checks FOLDER: puts the checks and their npm packages in a folder.
browser_checks() {
    tools
    mkdir "$1"
    cp scripts/page/*.{mjs,json} "$1/"
    (cd "$1" && npm ci --silent --ignore-scripts --no-audit --no-fund)
}

keep=
# asked ARGUMENT ..: sets `keep`, and `rest` to the other arguments.
asked() {
    rest=("$@")
    [ "${1-}" = --keep ] || return 0
    keep=$(cd "$start" && realpath -m "${2:?--keep needs a folder}")
    rest=("${@:3}")
}

faults() {
    browser_checks "$work/checks"
    mkdir "$work/pages"
    local faulty check missed=0
    faulty="$work/pages/faulty.html"
    { cat scripts/page/faulty.html && head -c 1500000 /dev/zero | tr '\0' ' '; } >"$faulty"
    node "$work/checks/check.mjs" "$work/pages" '' "$faulty" >"$work/out" || true
    cat "$work/out"
    for check in requests console text images tables headings basics size links axe width paper summary markup; do
        if ! grep -q "^FAIL *faulty *$check " "$work/out"; then
            echo "this check found no fault: $check"
            missed=1
        fi
    done
    return "$missed"
}

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

pages() {
    asked "$@"
    local status=0 page pages=()
    for page in ${rest[@]+"${rest[@]}"}; do pages+=("$(cd "$start" && realpath "$page")"); done
    browser_checks "$work/checks"
    mkdir "$work/pages"
    [ "${#pages[@]}" -gt 0 ] || make_pages
    node "$work/checks/check.mjs" "$work/pages" "$keep" "${pages[@]}" || status=$?
    return "$status"
}

make_pages() {
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
    # A tournament with its proof.
    (cd "$work" &&
        "$fairdeal" squaredeal new spring --name 'Spring Pairs' --value-name 'a value' --phase '2:1-16,17-32:S#:Session #/2' &&
        "$fairdeal" squaredeal value spring.sqd 44882.13 && "$fairdeal" squaredeal deal spring.sqd spring.sqk) >"$work/out"
    made tournament 4 audit "$work"/spring.sq? "$work"/S?.pbn --organiser 'Bridge Club Oberwald' --date 'Saturday, 20 March 2027'
    # Files that cannot be read, illegal deals, repeated boards.
    made audit-problems 3 audit fixtures/records fixtures/broken
    made lead 0 lead --where 'hcp(south) >= 15 && hcp(north) >= 8' --hand west=KQ4.J9652.T8.643 --contract 3NT \
        --by south --seed 1 -n 64
    made contracts 0 contracts --where 'spades(north) >= 5' --side ns --against 4S --seed 1 -n 64
    # A page of a comparison.
    "$fairdeal" compare "$work/pages/unconstrained" "$work/pages/naive-shuffle" --quiet \
        --out "$work/pages/compare" || [ $? -eq 2 ]
    pages+=("$work/pages/compare/compare.html")
    # The page of two nights.
    cat >"$work/nights.toml" <<TOML
folder = "$work/pages/nights"
[[task]]
name = "nine-spades"
run = ["nine-spades", "--deals", "1M"]
[[task]]
name = "blocks"
audit = ["$work/blocks.txt"]
TOML
    for _ in 1 2; do "$fairdeal" night "$work/nights.toml" --quiet || [ $? -eq 2 ]; done
    pages+=("$work/pages/nights/index.html")
}

# printed NAME SHEETS ARGUMENT..: a page of hands that must take this number of sheets.
printed() {
    local name=$1 sheets=$2
    shift 2
    "$fairdeal" deal "$@" --quiet --format html >"$work/$name.html"
    "$fairdeal" deal "$@" --quiet --json >"$work/$name.jsonl" 2>/dev/null || cp /dev/null "$work/$name.jsonl"
    pages+=("$work/$name.html")
    (cd "$work" && chromium --headless --no-sandbox --disable-gpu --no-pdf-header-footer \
        --print-to-pdf="$work/$name.pdf" "$work/$name.html" >/dev/null 2>&1)
    pdftotext -bbox-layout "$work/$name.pdf" "$work/$name.xml"
    python3 scripts/page/hands.py "$name" "$sheets" "$work/$name.html" "$work/$name.xml" "${paper-a4}" || status=1
    if [ "$keep" ]; then
        mkdir -p "$keep"
        pdftoppm -r 60 -png -l 2 "$work/$name.pdf" "$keep/$name"
    fi
}

hands() {
    asked "$@"
    local status=0 pages=()
    tools >/dev/null
    cat >"$work/notrump.dl" <<'SCRIPT'
hcp(north) >= 15 && hcp(north) <= 17 && shape(north, any 4333 + any 4432 + any 5332)
action printes("North opens 1NT; south has ", hcp(south), " points", \n)
SCRIPT
    # Whole suits, and the longest names and numbers.
    cat >"$work/long.dl" <<'SCRIPT'
spades(north) == 13 && hearts(east) == 13
action printes("A comment that is long enough for a second line on the sheet, and then for a third one: the whole suit is north's")
SCRIPT
    printed four 9 unconstrained -n 36 --seed 1 --event 'Club night'
    printed two 18 unconstrained -n 36 --seed 1 --per-page 2
    printed one 5 unconstrained -n 5 --seed 1 --per-page 1
    printed three 3 unconstrained -n 9 --seed 1 --per-page 3
    printed south 6 "$work/notrump.dl" -n 12 --seed 1 --show south --comment --names 'Ann,Bo,Cy,Dee'
    printed north-two 6 "$work/notrump.dl" -n 6 --seed 1 --show north --per-page 2 --rotate board
    # A lesson: a sheet for each player, hand records, answers.
    printf 'weak = hcp(north) <= 7\nother = 1\n#mix: weak 50%%, other 50%%\n' >"$work/mix.dl"
    printed lesson 6 "$work/mix.dl" -n 16 --seed 1 --per-page 16 --show n,e,s,w --answers --names 'Ann,Bo,Cy,Dee' --event Lesson
    printed twelve 2 unconstrained -n 24 --seed 1 --per-page 12
    paper=letter printed letter 2 unconstrained -n 36 --seed 1 --per-page 18 --paper letter
    printed records 2 unconstrained -n 18 --from fixtures/solved/library.zrd --per-page 18 --answers
    printed long 1 "$work/long.dl" -n 4 --seed 1 --comment --event "A tournament with a name so long that the line on each sheet has no room for the whole of it, however small the type is" \
        --names 'Wolfeschlegelsteinhausenbergerdorff,Bo,Cy,Dee' --board 1234567
    printed solved 2 unconstrained -n 8 --from fixtures/solved/library.zrd
    [ "${rest[0]-}" = --no-page-checks ] || pages ${keep:+--keep "$keep"} "${pages[@]}" || status=1
    return "$status"
}

serve() {
    asked "$@"
    local status=0 server address
    browser_checks "$work/checks"
    mkdir "$work/pages"
    "$fairdeal" serve --port 0 --folder "$work/reports" --quiet >"$work/address" 2>"$work/log" &
    server=$!
    trap 'kill "$server" 2>/dev/null || true; wait; rm -rf "$work"' EXIT
    for _ in {1..100}; do
        [ -s "$work/address" ] && break
        sleep 0.1
    done
    address=$(grep -o 'http://[^ ]*' "$work/address" | head -n 1 | sed 's|/$||')
    node "$work/checks/serve.mjs" "$work/pages" "$keep" "$address" "$PWD/fixtures" "$fairdeal" || status=$?
    kill -INT "$server"
    wait "$server" || true
    trap 'rm -rf "$work"' EXIT
    return "$status"
}

# Whether the pages can be built as WebAssembly.
wasm_tools() {
    needs clang clang && needs llvm-ar llvm &&
        { compgen -G "$(rustc --print sysroot)/lib/rustlib/$wasm/lib/libstd-*.rlib" || timeout 300 rustup target add $wasm; } >/dev/null 2>&1
}
wasm=wasm32-wasip1

app() {
    local folder module target version bytes
    folder=$(cd "$start" && realpath -m "${1:?a folder}")
    target=${CARGO_TARGET_DIR:-target}
    wasm_tools
    # The solver searches deep. All browsers with service workers and modules have these vectors.
    CC_wasm32_wasip1=clang AR_wasm32_wasip1=llvm-ar \
        RUSTFLAGS="-C link-arg=-zstack-size=$((16 << 20)) -C target-feature=+simd128" \
        cargo build --locked --quiet --package fairdeal-web --profile web --target $wasm
    module=$target/$wasm/web/fairdeal_web.wasm
    mkdir -p "$folder"
    cp crates/web/site/* "$folder/"
    gzip -9 -n -c "$module" >"$folder/fairdeal.wasm.gzip"
    version=$(cat "$folder"/* | sha256sum | cut -c 1-16)
    sed -i "s/\"VERSION\"/\"fairdeal-$version\"/" "$folder/service.js"
    bytes=$(du -cb "$folder"/* | tail -1 | cut -f1)
    echo "$(stat -c %s "$module") bytes of WebAssembly; $bytes bytes of files, compressed by gzip"
    [ "$bytes" -le 4000000 ]
}

in-browser() {
    if ! wasm_tools >/dev/null; then
        echo "no clang or library for WebAssembly here: NOT RUN"
        return 0
    fi
    app "$work/site/app"
    browser_checks "$work/checks"
    node "$work/checks/app.mjs" "$work" "$work/site/app" "$PWD/fixtures" "$fairdeal" "${1:-1000}"
}

load() {
    python3 scripts/page/serve_load.py "$fairdeal" "$work" "${1:-200}" "${2:-32}" "${3:-20261126}"
}

case ${1-} in
tools) tools; exit ;;
app) app "${2-}"; exit ;;
pages | faults | hands | serve | in-browser | load) ;;
*) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2 && exit 64 ;;
esac
in_work
built
"$@" | reported "browser-$1" "scripts/browser.sh $*"
