#!/usr/bin/env bash
# Forges a case file in every way of tests/populations/forgeries.rs, with matching checksums, and
# prints the response of each command: refused (exit code 65, one line) or, in the cache, listed
# again. Then measures the processor time of the check on a file of 61,700,584 cases: a run of
# 10,000,000 deals by an earlier program, if BEFORE names one, and by this one, medians of ROUNDS.
# Writes the output to reports/forgeries.txt. The measurement takes minutes and 1 GB of disk.
#
#   scripts/forgeries.sh [table | cost]
#   BEFORE=path/to/earlier/fairdeal [FAIRDEAL=path/to/this/fairdeal] ROUNDS=9 scripts/forgeries.sh cost
set -euo pipefail
cd "$(dirname "$0")/.."
what=${1:-all}
rounds=${ROUNDS:-9}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

table() {
    local version
    version=$(cargo pkgid | sed 's/.*[#@]//')
    echo "# scripts/forgeries.sh table, fairdeal $version: the response to each forgery"
    cargo test --quiet --locked --test populations forgeries:: -- --include-ignored --nocapture --test-threads 1 >"$work/printed"
    awk -F ' [|] ' '
        / [|] / && sub(/^.*forgery/, "forgery") {
            if (!($2 in known)) { known[$2]; kinds[++count] = $2 }
            if ($3 == "says") { says[$2] = $4; next }
            if (!($3 in command)) { command[$3]; commands[++all] = $3 }
            does[$2, $3] = $4
        }
        END {
            for (i = 1; i <= count; i++) {
                by = ""
                for (j = 1; j <= all; j++)
                    if (does[kinds[i], commands[j]] == "refused") by = by " " commands[j]
                printf "%-48s refused by%s; in the cache: %s\n", kinds[i], by, does[kinds[i], "cache"]
                printf "    %s\n", says[kinds[i]]
            }
        }' "$work/printed"
}

# Processor seconds, user and system.
seconds() {
    /usr/bin/time -f '%U %S' -o "$work/time" "$@" >/dev/null 2>&1 || true
    tail -1 "$work/time" | awk '{ print $1 + $2 }'
}

median() {
    sort -n | awk '{ all[NR] = $1 } END { print (all[int((NR + 1) / 2)] + all[int((NR + 2) / 2)]) / 2 }'
}

cost() {
    [ -n "${FAIRDEAL:-}" ] || cargo build --release --locked --quiet
    local now=${FAIRDEAL:-${CARGO_TARGET_DIR:-target}/release/fairdeal} programs round which
    programs=("$now")
    if [ -n "${BEFORE:-}" ]; then
        programs=("$BEFORE" "$now")
    fi
    echo "# scripts/forgeries.sh cost, $("$now" --version): processor seconds of 10,000,000 deals from 61,700,584 cases, medians of $rounds"
    "$now" cases build flat-three-suiter -o "$work/x.cases" --quiet
    for ((round = 0; round < rounds; round++)); do
        for which in "${!programs[@]}"; do
            seconds "${programs[$which]}" run "$work/x.cases" --deals 10M --seed 1 --quiet --force \
                --target 1 --out "$work/out" >>"$work/seconds.$which"
        done
    done
    local after
    after=$(median <"$work/seconds.$((${#programs[@]} - 1))")
    if [ -n "${BEFORE:-}" ]; then
        local before
        before=$(median <"$work/seconds.0")
        awk -v before="$before" -v after="$after" 'BEGIN {
            printf "without the check %.3f s\nwith the check    %.3f s\ndifference        %+.2f %%\n",
                before, after, 100 * (after / before - 1)
        }'
    else
        echo "with the check    $after s"
    fi
}

{
    if [ "$what" != cost ]; then table; fi
    if [ "$what" != table ]; then cost; fi
} | tee "$work/report"
case $what in
all) cp "$work/report" reports/forgeries.txt ;;
# Keep the other half of the report.
table) { cat "$work/report"; sed -n '/^# .* cost,/,$p' reports/forgeries.txt 2>/dev/null || true; } >"$work/both" && cp "$work/both" reports/forgeries.txt ;;
cost) { sed '/^# .* cost,/,$d' reports/forgeries.txt 2>/dev/null || true; cat "$work/report"; } >"$work/both" && cp "$work/both" reports/forgeries.txt ;;
esac
