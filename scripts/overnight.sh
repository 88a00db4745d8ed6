#!/usr/bin/env bash
# Deals the six big scenarios, a night long, each into a folder of its own below one for
# the night, from a fresh random seed. Prints every verdict beside that of the last night that was finished,
# and marks what is not as it was; keeps the same in the night's summary.csv. Then compares the
# counts of each scenario with the last night's, and keeps what that says in SCENARIO.compare.
# Started again, it goes on with a night that was interrupted, where that stood.
#
# Ends with the worst verdict's exit code, those of the comparisons (SUSPICIOUS, DIFFERENT) with it: 0 PASS, 4 INCONCLUSIVE, 1 SUSPICIOUS, 2 FAIL, 3
# INVALID; above all of them that of a run which failed (64, 65, 74), and 130 when SIGINT or SIGTERM
# ended the night.
#
#   scripts/overnight.sh [FOLDER]        default reports/nights
#
# In the environment: DEALS of each scenario (100G), BATTERY (full), TARGET (deals that a PASS
# takes: 1G, or DEALS if that is less), TIME for each scenario at most (such as 75m; none),
# THREADS (all), FAIRDEAL (the program; else it is built). A night that goes on keeps its
# deals, battery and target.
set -euo pipefail
export LC_ALL=C
root=$(cd "$(dirname "$0")/.." && pwd)
nights=${1:-$root/reports/nights}
deals=${DEALS:-100G}
battery=${BATTERY:-full}
target=${TARGET:-}
scenarios="unconstrained club-length nine-spades balanced-28-30 flannery-misfit flat-three-suiter"
header=scenario,deals,verdict,s,million_deals_a_second,resumed,exit_code

mkdir -p "$nights"
nights=$(cd "$nights" && pwd)
exec 9>"$nights/.lock"
if ! flock -n 9; then
    echo "error: another night is being dealt into $nights" >&2
    exit 64
fi

# SIGINT and SIGTERM are handed on, once, and counted. The run is in a session of its own,
# because a terminal would tell it too, and the second signal ends a run before it has saved.
asked=0
child=
# shellcheck disable=SC2317  # It is called by the trap.
pass_on() {
    asked=$((asked + 1))
    [ -z "$child" ] || [ "$asked" -gt 1 ] || kill -TERM "$child" 2>/dev/null || true
}
trap pass_on INT TERM

if [ -z "${FAIRDEAL:-}" ]; then
    (cd "$root" && cargo build --release --locked --quiet) 9>&-
    FAIRDEAL=${CARGO_TARGET_DIR:-$root/target}/release/fairdeal
fi

# whole FILE: what comes on standard input, whole or not there.
whole() {
    cat >"$1.part"
    mv "$1.part" "$1"
}

# How many a count such as 100G or 1Mi is.
count() {
    awk -v text="$1" 'BEGIN {
        unit = text; gsub(/[0-9_]/, "", unit); gsub(/[^0-9]/, "", text)
        power = index("KMGT", substr(unit, 1, 1)); if (unit == "") power = 0
        printf "%d\n", text * (unit ~ /i$/ ? 1024 : 1000) ^ power
    }'
}

# The night that is not finished: it has options and no summary. Else one that begins today.
night=
for folder in "$nights"/????-??-??*; do
    if [ -e "$folder/options" ] && [ ! -e "$folder/summary.csv" ]; then night=$folder; fi
done
if [ -n "$night" ]; then
    IFS=' ' read -r deals battery target <"$night/options"
    echo "going on with $night"
else
    today=$nights/$(date +%F)
    night=$today
    for ((number = 2; ; number++)); do
        [ -e "$night" ] || break
        night=$today$(printf -- '-%02d' "$number")
    done
    if [ -z "$target" ]; then
        target=$(count "$deals")
        [ "$target" -lt 1000000000 ] || target=1000000000
    fi
    mkdir "$night"
    echo "$deals $battery $target" | whole "$night/options"
fi
# The latest night before it that was finished.
last=
for folder in "$nights"/????-??-??*; do
    if [ -e "$folder/summary.csv" ] && [[ $folder < $night ]]; then last=$folder; fi
done

# How bad an exit code is: more is worse.
rank() {
    case $1 in
        0) echo 0 ;; 4) echo 1 ;; 1) echo 2 ;; 2) echo 3 ;; 3) echo 4 ;; 130) echo 9 ;; *) echo 8 ;;
    esac
}

# field FILE NAME: the first value of this name in a run.json.
field() {
    sed -n "s/^ *\"$2\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p" "$1" | head -n 1
}

# run SCENARIO: begins it or goes on with it; its exit code in `code`.
run() {
    local options=(--deals "$deals" --battery "$battery" --target "$target" --resume --quiet) before
    [ -z "${TIME:-}" ] || options+=(--for "$TIME")
    [ -z "${THREADS:-}" ] || options+=(--threads "$THREADS")
    setsid "$FAIRDEAL" run "$1" "${options[@]}" --out "$night/$1" >>"$night/$1.log" 2>&1 9>&- &
    child=$!
    # Asked before there was a child to tell.
    [ "$asked" -eq 0 ] || kill -TERM "$child" 2>/dev/null || true
    while :; do
        before=$asked
        code=0
        wait "$child" || code=$?
        # A signal ends the waiting, not the run.
        [ "$asked" -ne "$before" ] || break
    done
    child=
}

# row SCENARIO: its line of the summary.
row() {
    local json=$night/$1/run.json
    awk -v scenario="$1" -v dealt="$(field "$json" dealt)" -v seconds="$(field "$json" seconds)" \
        -v verdict="$(field "$json" verdict)" -v s="$(field "$json" largest_s)" \
        -v resumed="$(field "$json" resumed)" -v code="$code" 'BEGIN {
            printf "%s,%d,%s,%s,%.2f,%d,%d\n", scenario, dealt, verdict,
                s == "null" || s == "" ? "" : sprintf("%.2f", s), dealt / (seconds > 0 ? seconds : 1e-9) / 1e6,
                resumed, code
        }'
}

failed=0
for scenario in $scenarios; do
    [ ! -e "$night/$scenario.row" ] || continue
    if [ "$asked" -gt 0 ]; then failed=130; break; fi
    run "$scenario"
    case $code in
        0 | 1 | 2 | 3 | 4)
            row "$scenario" | whole "$night/$scenario.row"
            # A scenario whose time was over is not gone on with.
            rm -f "$night/$scenario/checkpoint.previous" "$night/$scenario/checkpoint"
            ;;
        130) failed=130; break ;;
        *)
            [ "$(rank "$code")" -le "$(rank "$failed")" ] || failed=$code
            echo "$scenario ended with exit code $code: $(tail -n 1 "$night/$scenario.log")" >&2
            ;;
    esac
done

# The table: this night's rows, and the last night's beside them.
rows=()
for scenario in $scenarios; do
    [ ! -e "$night/$scenario.row" ] || rows+=("$night/$scenario.row")
done
worst=0
if [ "${#rows[@]}" -gt 0 ]; then
    cat "${rows[@]}" | awk -F, -v night="${night##*/}" -v last="${last##*/}" -v before="$last/summary.csv" '
        function grouped(n, text) {
            for (; length(n) > 3; n = substr(n, 1, length(n) - 3)) text = "," substr(n, length(n) - 2) text
            return n text
        }
        BEGIN {
            while (last != "" && (getline line <before) > 0) {
                split(line, then, ",")
                deals[then[1]] = then[2]; verdict[then[1]] = then[3]; s[then[1]] = then[4]; rate[then[1]] = then[5]
            }
            printf "%-18s %19s %-15s %6s %9s", night, "deals", "verdict", "S", "M/s"
            if (last != "") printf "   | %s: verdict, S, M/s", last
            print ""
        }
        {
            printf "%-18s %19s %-15s %6s %9s", $1, grouped($2), $3, $4, $5
            if ($1 in deals) {
                printf "   | %-15s %6s %9s", verdict[$1], s[$1], rate[$1]
                if ($3 != verdict[$1]) printf "  <- another verdict"
                # Speeds only compare where about as many were dealt: every run begins slowly.
                if ($2 < deals[$1] / 2 || $2 > 2 * deals[$1]) printf "  <- %s deals then", grouped(deals[$1])
                else if ($5 < 0.8 * rate[$1]) printf "  <- slower"
                else if ($5 > 1.25 * rate[$1]) printf "  <- faster"
            }
            print ""
        }'
    for file in "${rows[@]}"; do
        code=$(cut -d, -f 7 "$file")
        [ "$(rank "$code")" -le "$(rank "$worst")" ] || worst=$code
    done
fi

# with_last SCENARIO: prints whether its counts are like the last night's; the exit code in `code`.
with_last() {
    local kept=$night/$1.compare line
    code=0
    "$FAIRDEAL" compare "$last/$1" "$night/$1" >"$kept" 2>&1 9>&- || code=$?
    case $code in
        0 | 1 | 2 | 4) line=$(grep -m 1 ' S = ' "$kept" || head -n 1 "$kept") ;;
        # What cannot be compared is no verdict on the night.
        *) line=$(tail -n 1 "$kept") code=0 ;;
    esac
    printf '%-18s %s\n' "$1" "$line"
    [ "$code" -ne 4 ] || code=0
}
if [ -n "$last" ] && [ "${#rows[@]}" -gt 0 ]; then
    echo "counts beside ${last##*/}'s:"
    for scenario in $scenarios; do
        if [ ! -e "$night/$scenario.row" ] || [ ! -d "$last/$scenario" ]; then continue; fi
        with_last "$scenario"
        [ "$(rank "$code")" -le "$(rank "$worst")" ] || worst=$code
    done
fi
if [ "$failed" -ne 0 ]; then
    echo "not finished: start again to go on with $night"
    exit "$failed"
fi
{ echo "$header"; cat "${rows[@]}"; } | whole "$night/summary.csv"
rm -f "${rows[@]}"
exit "$worst"
