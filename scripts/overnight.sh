#!/usr/bin/env bash
# Runs the six big scenarios overnight, each from a fresh random seed into its own folder below the
# night's folder. Prints every verdict next to that of the last finished night, marks differences,
# and writes the verdicts to summary.csv in the night's folder. Then compares the counts of each
# scenario with the last night's, and writes the result to SCENARIO.compare. If a night was
# interrupted, the next start resumes it.
#
# The exit code is that of the worst verdict, including the comparisons (SUSPICIOUS, DIFFERENT): in
# order 0 PASS, 4 INCONCLUSIVE, 1 SUSPICIOUS, 2 FAIL, 3 INVALID. A run with an error (64, 65, 74)
# takes precedence, and 130 means that SIGINT or SIGTERM ended the night.
#
#   scripts/overnight.sh [FOLDER]        default reports/nights
#
# Environment variables, with defaults: DEALS of each scenario (100G), BATTERY (full), TARGET (deals
# that a PASS requires: 1G, or DEALS if that is less), TIME limit of each scenario, such as 75m
# (none), THREADS (all), FAIRDEAL (the program; by default it is built). A resumed night keeps its
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
    echo "error: another process is writing to $nights: wait until it ends, or choose another folder" >&2
    exit 64
fi

# Pass SIGINT and SIGTERM on once, and count them. The run has its own session, because a terminal
# would signal it too, and a second signal ends a run before it has saved.
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

# whole FILE: writes standard input to a file atomically.
whole() {
    cat >"$1.part"
    mv "$1.part" "$1"
}

# count TEXT: prints a count such as 100G or 1Mi as a number.
count() {
    awk -v text="$1" 'BEGIN {
        unit = text; gsub(/[0-9_]/, "", unit); gsub(/[^0-9]/, "", text)
        power = index("KMGT", substr(unit, 1, 1)); if (unit == "") power = 0
        printf "%d\n", text * (unit ~ /i$/ ? 1024 : 1000) ^ power
    }'
}

# An unfinished night has options but no summary. If there is one, resume it, else begin a night
# with today's date.
night=
for folder in "$nights"/????-??-??*; do
    if [ -e "$folder/options" ] && [ ! -e "$folder/summary.csv" ]; then night=$folder; fi
done
if [ -n "$night" ]; then
    IFS=' ' read -r deals battery target <"$night/options"
    echo "resuming $night"
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
# The last finished night before this one.
last=
for folder in "$nights"/????-??-??*; do
    if [ -e "$folder/summary.csv" ] && [[ $folder < $night ]]; then last=$folder; fi
done

# rank CODE: prints the severity of an exit code.
rank() {
    case $1 in
        0) echo 0 ;; 4) echo 1 ;; 1) echo 2 ;; 2) echo 3 ;; 3) echo 4 ;; 130) echo 9 ;; *) echo 8 ;;
    esac
}

# field FILE NAME: prints the first value with this name in a run.json.
field() {
    sed -n "s/^ *\"$2\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p" "$1" | head -n 1
}

# run SCENARIO: starts or resumes it; sets `code` to its exit code.
run() {
    local options=(--deals "$deals" --battery "$battery" --target "$target" --resume --quiet) before
    [ -z "${TIME:-}" ] || options+=(--for "$TIME")
    [ -z "${THREADS:-}" ] || options+=(--threads "$THREADS")
    setsid "$FAIRDEAL" run "$1" "${options[@]}" --out "$night/$1" >>"$night/$1.log" 2>&1 9>&- &
    child=$!
    # The signal came before the child existed.
    [ "$asked" -eq 0 ] || kill -TERM "$child" 2>/dev/null || true
    while :; do
        before=$asked
        code=0
        wait "$child" || code=$?
        # A signal ends the wait, not the run.
        [ "$asked" -ne "$before" ] || break
    done
    child=
}

# row SCENARIO: prints its line of the summary.
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
            # A scenario whose time limit has passed is not resumed.
            rm -f "$night/$scenario/checkpoint.previous" "$night/$scenario/checkpoint"
            ;;
        130) failed=130; break ;;
        *)
            [ "$(rank "$code")" -le "$(rank "$failed")" ] || failed=$code
            echo "$scenario ended with exit code $code: $(tail -n 1 "$night/$scenario.log")" >&2
            ;;
    esac
done

# The table: the rows of this night and of the last one.
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
                if ($3 != verdict[$1]) printf "  <- different verdict"
                # Speeds are comparable only for similar numbers of deals, because every run begins
                # slowly.
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

# with_last SCENARIO: prints the comparison of its counts with the last night's; sets `code` to the
# exit code.
with_last() {
    local kept=$night/$1.compare line
    code=0
    "$FAIRDEAL" compare "$last/$1" "$night/$1" >"$kept" 2>&1 9>&- || code=$?
    case $code in
        0 | 1 | 2 | 4) line=$(grep -m 1 ' S = ' "$kept" || head -n 1 "$kept") ;;
        # A failed comparison does not affect the result of the night.
        *) line=$(tail -n 1 "$kept") code=0 ;;
    esac
    printf '%-18s %s\n' "$1" "$line"
    [ "$code" -ne 4 ] || code=0
}
if [ -n "$last" ] && [ "${#rows[@]}" -gt 0 ]; then
    echo "counts compared with ${last##*/}:"
    for scenario in $scenarios; do
        if [ ! -e "$night/$scenario.row" ] || [ ! -d "$last/$scenario" ]; then continue; fi
        with_last "$scenario"
        [ "$(rank "$code")" -le "$(rank "$worst")" ] || worst=$code
    done
fi
if [ "$failed" -ne 0 ]; then
    echo "$night is not finished: start the script again to resume it"
    exit "$failed"
fi
{ echo "$header"; cat "${rows[@]}"; } | whole "$night/summary.csv"
rm -f "${rows[@]}"
exit "$worst"
