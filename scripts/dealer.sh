#!/usr/bin/env bash
# Compares fairdeal with Debian's `dealer` (Hans van Staveren, Henk Uijterwaal), which is installed if
# it is missing, and counts the scripts of others that run. SAVE=1 keeps the output in reports/.
#
#   scripts/dealer.sh examples [DEALS [SEED]]
#       The example scripts of Debian's package: every average and frequency compared with dealer, with
#       the package's reference outputs, and with exact theory if it is known. Prints the largest z of
#       each script; fails if one is 5 or more.
#   scripts/dealer.sh dialects [DEALS [SEED]]
#       The same for fixtures/dialects/agreement/, and the share of accepted deals. dealer runs the
#       translation of a script (.dealer, by hand) or, for suit lengths in braces, the output of
#       dealer.dpp.
#   scripts/dealer.sh evaluation
#       Writes the reference values for the tests of crates/language/src/{kaplan_rubens,score}.rs to
#       fixtures/dealer/: cccc.csv, 2,000 hands with cccc and quality (each set of A K Q J T 9 8 in a
#       suit of each length, each shape, any hands); score.csv, each contract, vulnerable (vul) and not
#       (nv), with 0 to 13 tricks; imps.csv, the smallest differences worth 1, 2 .. IMPs.
#   scripts/dealer.sh collections FOLDER ..
#       Deals one board for every different script below the folders (.dli, .dls, .dlr, .dl, .dlt,
#       Descr.*), runs its actions, counts those that run by dialect, and groups the others by what
#       they lack. Parameters ($0 to $9) are those that a script's own comments show after `-0` to
#       `-9`. Fails if fewer than 95 % run of the scripts that do not
#       need another program. TIMEOUT is the time limit of one script in seconds (60). VERBOSE=1 prints
#       the error of every script that does not run.
#   scripts/dealer.sh types FOLDER ..
#       Deals 36 boards for every script below the folders that has types (HandType_NAME), and prints for
#       each type the share that the script asks for, the boards dealt, and its exact natural share from
#       theory, with the share that the script's own comments give as measured. Counts scripts that are
#       read, and sets within 0.5 s of processor time. Fails if shares differ from those asked for, or
#       measured ones from theory with a z of 5 or more.
#   scripts/dealer.sh levelled [BOARDS [SEED]]
#       Deals fixtures/dealer/levelled.dl by dealer until BOARDS (1,000,000) are kept: as `deal
#       --write-levelled` levels it, with the same keeps in thousandths, and by spot cards that must be
#       with east or west. Prints the share of each type; fails if one of the first is 4 or more
#       standard errors from the share that is asked for.
#   scripts/dealer.sh night [SECONDS]
#       Two nights of `fairdeal night` with SECONDS (15) for each of dealer, Debian's `deal`, and deal
#       with a new seed for every 36 boards. Prints the verdicts, the comparison with the night before
#       and the strongest evidence; fails unless dealer FAILs by T6, deal of one seed does not, and
#       the nights of both are ALIKE.
set -euo pipefail
start=$PWD
cd "$(dirname "$0")/.."
source scripts/tools/common.sh
export PATH=$PATH:/usr/games

# needs PROGRAM: installs the package of Debian that has its name.
needs() { command -v "$1" >/dev/null || { apt-get update -qq && apt-get install -y -qq "$1"; } >&2; }

# run NAME SCRIPT DEALS SEED: the tables of a script; a verdict is not a failure.
run() {
    "$fairdeal" run "$2" --deals "$3" --seed "$4" --battery tables --out "$work/$1" \
        --json >"$work/$1.json" 2>"$work/$1.err" || [ $? -lt 64 ] || {
        cat "$work/$1.err"
        exit 1
    }
}

examples() {
    local deals=${1:-2000000} seed=${2:-20261122} description name
    needs dealer
    for description in /usr/share/doc/dealer/examples/Descr.*; do
        name=${description##*.}
        timeout 600 dealer -s 11 "$description" >"$work/$name.dealer" 2>&1 || true
        run "$name" "$description" "$deals" "$seed"
        "$fairdeal" deal "$description" --dealer-output --seed "$seed" >"$work/$name.output" 2>/dev/null
    done
    python3 scripts/dealer/compare.py "$work" | reported dealer-examples "scripts/dealer.sh examples $deals $seed"
}

dialects() {
    local deals=${1:-4000000} seed=${2:-20261126} script name translation
    needs dealer
    for script in fixtures/dialects/agreement/*.dl; do
        name=$(basename "$script" .dl)
        translation=${script%.dl}.dealer
        if [ -e "$translation" ]; then
            dealer -s 11 "$translation" >"$work/$name.dealer" 2>&1
        else
            # dealer.dpp cuts its own comments, but not those at the end of a line.
            sed 's/#.*//' "$script" | dealer.dpp | dealer -s 11 >"$work/$name.dealer" 2>&1
        fi
        run "$name" "$script" "$deals" "$seed"
    done
    python3 scripts/dealer/compare.py "$work" --acceptance |
        reported dealer-dialects "scripts/dealer.sh dialects $deals $seed"
}

evaluation() {
    needs dealer
    python3 scripts/dealer/evaluation.py
}

# below PROGRAM REPORT FOLDER ..: the scripts below the folders by this program of scripts/dealer/.
below() {
    local folder folders=()
    for folder in "${@:3}"; do folders+=("$(cd "$start" && realpath "$folder")"); done
    FAIRDEAL=$fairdeal python3 "scripts/dealer/$1.py" "${folders[@]:?FOLDER ..}" |
        reported "dealer-$2" "scripts/dealer.sh $2"
}

collections() { below public collections "$@"; }

types() { below typed types "$@"; }

# level_by NAME TEXT: the script with this text in place of its level.
level_by() { sed "s/^levelTheDeal = .*/$2/" fixtures/dealer/levelled.dl >"$work/$1.dl"; }

levelled() {
    local boards=${1:-1000000} seed=${2:-11} way
    needs dealer
    "$fairdeal" deal fixtures/dealer/levelled.dl --write-levelled "$work/fairdeal.dl" --quiet
    # Type, natural share, asked share, keep of 1,000,000: from the comments of the script.
    sed -n 's|^# \([0-9_]*\): natural \(.*\)/\(.*\), asked \(.*\)/\(.*\), kept \([0-9]*\),.*|\1 \2 \3 \4 \5 \6|p' \
        "$work/fairdeal.dl" | awk '{ print $1, $2 / $3, $4 / $5, $6 }' >"$work/types"
    level_by thousandths "$(awk '{ keeps = keeps " || HandType_" $1 " \\&\\& roll < " int($4 / 1000 + 0.5) }
        END { print "roll = (rnd(1000) % 1000 + 1000) % 1000\\nlevelTheDeal = " substr(keeps, 5) }' "$work/types")"
    level_by spots 'levelTheDeal = HandType_22_24 || hascard(west, 2C) \&\& (HandType_20_21 || hascard(east, 2D) \&\& (HandType_18_19 || hascard(west, 3C) \&\& (HandType_15_17 || hascard(east, 3D))))'
    for way in fairdeal thousandths spots; do
        sed -i "s/^produce .*/produce $boards/" "$work/$way.dl"
        dealer -s "$seed" "$work/$way.dl" >"$work/$way" &
    done
    wait
    (cd "$work" && awk -v boards="$boards" '
        FILENAME == "types" { types[++n] = $1; natural[$1] = $2; asked[$1] = $3 }
        FILENAME != "types" && match($0, /^[0-9_]+: /) { split($0, part, ": "); dealt[FILENAME, part[1]] = $NF }
        END {
            printf "%-8s %11s %11s %22s %22s %22s\n", "type", "natural %", "asked %", "by fairdeal %", "in thousandths %", "by spot cards %"
            for (i = 1; i <= n; i++) {
                type = types[i]
                printf "%-8s %11.4f %11.4f", type, 100 * natural[type], 100 * asked[type]
                split("fairdeal thousandths spots", ways, " ")
                for (way = 1; way <= 3; way++) {
                    share = dealt[ways[way], type]
                    z = (share - asked[type]) / sqrt(asked[type] * (1 - asked[type]) / boards)
                    printf " %11.4f (z %6.1f)", 100 * share, z
                    if (way == 1 && z * z >= 16) failed = 1
                }
                print ""
            }
            exit failed
        }' types fairdeal thousandths spots) | reported levelled "scripts/dealer.sh levelled $boards $seed"
}

night() {
    local seconds=${1:-15}
    needs dealer
    needs deal
    printf 'generate 2000000000\ncondition 1\naction printoneline\n' >"$work/all.dl"
    cat >"$work/night.toml" <<TOML
folder = "nights"
options = ["--for", "${seconds}s"]

[[task]]
name = "dealer"
audit = ["--command", "dealer -s {seed} -p {n} $work/all.dl", "--boards", "1G"]

[[task]]
name = "deal"
audit = ["--command", "deal -s {seed} -l {n}", "--boards", "1G"]

[[task]]
name = "deal-by-seeds"
audit = ["--command", "deal -s {seed} -l {n}", "--boards", "36"]
TOML
    for _ in 1 2; do "$fairdeal" night "$work/night.toml" --quiet || [ $? -le 2 ]; done
    python3 scripts/dealer/night.py "$work/nights" | reported night "scripts/dealer.sh night $seconds"
}

case ${1-} in
examples | dialects | evaluation | collections | types | levelled | night) ;;
*) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2 && exit 64 ;;
esac
in_work
built
"$@"
