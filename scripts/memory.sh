#!/usr/bin/env bash
# Checks that memory stays constant while 100,000,000,000 deals are dealt and counted, or DEALS (at
# least 10G). Prints resident memory at every tenth of the run, the peak and the current value;
# fails if the peak at the end is more than 5 % above that at one tenth. The progress is read from
# checkpoints. Writes the output to reports/memory.txt. Takes five to ten minutes.
#
#   scripts/memory.sh [DEALS]
set -euo pipefail
cd "$(dirname "$0")/.."

DEALS=${1:-100G}
[ "${FAIRDEAL-}" ] || cargo build --release --locked --quiet
work=$(mktemp -d)
trap '[ ! -e "$work/pid" ] || kill "$(cat "$work/pid")" 2>/dev/null; rm -rf "$work"' EXIT
fairdeal=${FAIRDEAL:-${CARGO_TARGET_DIR:-target}/release/fairdeal}

# saved NAME: prints this number from the record in the newest checkpoint, which begins at byte 96.
saved() {
    head -c 4096 "$work/run/checkpoint" | tail -c +97 | tr -d '\0' |
        LC_ALL=C sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p;q"
}
# memory: prints the peak and the current memory, in KiB.
memory() { awk '/^VmHWM/ { most = $2 } /^VmRSS/ { print most, $2 }' "/proc/$run/status" 2>/dev/null; }

status=0
{
    echo "# scripts/memory.sh $DEALS, $(date -u +%F), $("$fairdeal" --version), $(nproc) cores, battery tables"
    begun=$SECONDS
    "$fairdeal" run unconstrained --deals "$DEALS" --battery tables --checkpoint 1s --seed 1 --quiet \
        --out "$work/run" >/dev/null &
    run=$!
    echo "$run" >"$work/pid"
    while ! [ -e "$work/run/checkpoint" ]; do sleep 0.05; done
    wanted=$(saved deals)
    printf '%6s %17s %14s %14s %9s\n' part deals 'peak, KiB' 'now, KiB' seconds
    tenth=1 first='' last=''
    while read -r most now < <(memory) && [ -n "$most" ]; do
        last="$most $now"
        far=$(saved dealt 2>/dev/null || true)
        if [ "$tenth" -lt 10 ] && [ "${far:-0}" -ge $((wanted * tenth / 10)) ]; then
            printf '%5d%% %17d %14d %14d %9d\n' $((tenth * 10)) "$far" "$most" "$now" $((SECONDS - begun))
            [ "$tenth" -ne 1 ] || first=$most
            tenth=$((tenth + 1))
        fi
        sleep 0.2
    done
    wait "$run" || status=$?
    rm "$work/pid"
    read -r most now <<<"$last"
    printf '%5d%% %17d %14d %14d %9d\n' 100 "$wanted" "$most" "$now" $((SECONDS - begun))
    grep -q "\"dealt\": $wanted," "$work/run/run.json" || status=1
    awk -v first="${first:-0}" -v last="$most" -v status="$status" 'BEGIN {
        flat = first > 0 && last <= 1.05 * first
        printf "from one tenth of the deals to the end: %+.2f %%, %s\n", first ? 100 * (last / first - 1) : 0,
            flat ? "flat" : "NOT FLAT"
        exit !flat || status
    }' || status=1
    echo "$status" >"$work/status"
} | tee "$work/table"
cp "$work/table" reports/memory.txt
exit "$(cat "$work/status")"
