#!/usr/bin/env bash
# Audits 1,000 collections of records of one event: two to six files of 10 to 40 boards, in each of
# which up to five boards have another number, two cards exchanged, or another deal. Fails unless
# every verdict is INCONCLUSIVE. Writes the output to reports/same-event.txt. Takes half an hour on
# two cores.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ "${FAIRDEAL-}" ] || cargo build --release --locked --quiet
fairdeal=${FAIRDEAL:-${CARGO_TARGET_DIR:-target}/release/fairdeal}

# Changes up to five boards of the PBN file on standard input.
change() { # change SEED SPARE-DEALS
    awk -v seed="$1" -v spare="$2" '
        BEGIN { srand(seed); while ((getline line < spare) > 0) others[++others_count] = line }
        { lines[NR] = $0 }
        /^\[Board / { at_board[++boards] = NR }
        /^\[Deal / { at_deal[boards] = NR }
        END {
            for (changes = int(rand() * 6); changes > 0; changes--) {
                board = 1 + int(rand() * boards); kind = int(rand() * 3); deal = at_deal[board]
                if (done[board]++) continue
                if (kind == 0) lines[at_board[board]] = "[Board \"" 100 + board "\"]"
                else if (kind == 1) {
                    # The last cards of the first two hands, both clubs in most deals.
                    if (match(lines[deal], /[2-9TJQKA] /)) {
                        first = RSTART; rest = substr(lines[deal], first + 2)
                        if (match(rest, /\.[2-9TJQKA]+ /)) {
                            second = first + 1 + RSTART + RLENGTH - 2
                            a = substr(lines[deal], first, 1); b = substr(lines[deal], second, 1)
                            lines[deal] = substr(lines[deal], 1, first - 1) b substr(lines[deal], first + 1, second - first - 1) a substr(lines[deal], second + 1)
                        }
                    }
                } else lines[deal] = others[board]
            }
            for (i = 1; i <= NR; i++) print lines[i]
        }'
}

# Audits the collection of a seed. Prints the verdict, and the numbers of deals, conflicts and repeats.
one() { # one SEED
    local seed=$1 folder="$work/$1" boards files file
    mkdir "$folder"
    boards=$((10 + seed % 31)) files=$((1 + seed % 5))
    "$fairdeal" deal unconstrained -n "$boards" --seed "$seed" --format pbn >"$folder/0.pbn" 2>/dev/null
    "$fairdeal" deal unconstrained -n 40 --seed "$((seed + 1000000))" --format pbn 2>/dev/null |
        grep '^\[Deal ' >"$folder/spare"
    for file in $(seq 1 "$files"); do
        change "$((seed * 10 + file))" "$folder/spare" <"$folder/0.pbn" >"$folder/$file.pbn"
    done
    "$fairdeal" audit "$folder"/*.pbn --quiet --threads 1 --out "$folder/report" || true
    # The counts of conflicts and of repeats are in that order.
    awk -F '[:,"]+' '
        $2 == "deals" && !deals { deals = $3 + 0 }
        $2 == "verdict" { sub(/^ /, "", $4); verdict = $4 }
        $2 == "conflicts" || $2 == "repeats" { of = $2 }
        $2 == "count" && of { count[of] = $3 + 0; of = "" }
        END { gsub(/ /, "_", verdict); print verdict, deals, count["conflicts"], count["repeats"] }
    ' "$folder/report/audit.json"
    rm -r "$folder"
}
export -f one change
export fairdeal work

{
    echo "# scripts/same-event.sh, $("$fairdeal" --version): 2 to 6 records of 10 to 40 boards, seeds 1, 2, 3 .."
    seq 1 "${1:-1000}" | xargs -P "$(nproc)" -I SEED bash -c "one SEED" | awk -v wanted="${1:-1000}" '
        { verdicts[$1]++; deals += $2; conflicts += $3; repeats += $4 }
        END {
            for (verdict in verdicts) printf "%-14s %5d collections\n", verdict, verdicts[verdict]
            printf "%d deals tested, %d conflicts named, %d equal deals tested\n", deals, conflicts, repeats
            exit verdicts["INCONCLUSIVE"] != wanted || repeats > 0
        }'
} | tee reports/same-event.txt
