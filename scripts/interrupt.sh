#!/usr/bin/env bash
# Interrupts `fairdeal` in every way and checks what it leaves. Each part prints a table, and fails
# if anything is wrong; SAVE=1 keeps the table in reports/. Each takes five minutes.
#
#   scripts/interrupt.sh kills [KILLS [SEED]]
#       Kills `run` at random moments (200 by default, shared by four kinds of run), resumes it each
#       time with another number of threads, and compares the reports with those of uninterrupted
#       runs: every CSV except latency.csv byte for byte, and run.json except times and the machine.
#       Moments are from a seeded generator: at any time, while a checkpoint is written, and while
#       the report is written. No saved work may be lost, no file left over.
#   scripts/interrupt.sh disk
#       Every call that changes a file fails once, and then all calls from each one on; the disk is
#       full at every size at which another file does not fit, also for audits and nights; folders are removed or read-only; case
#       files are removed, modified and truncated. Each time `run` must end with exit code 74 (65 for
#       a changed case file) and one line on standard error, leave no partial file, and resume to the
#       same counts. Small file systems need root, or a system where `unshare -rm` works; otherwise
#       those lines say NOT RUN.
#   scripts/interrupt.sh signals [TRIES [SEED]]
#       Measures the time that commands take to end after Ctrl-C or SIGTERM, TRIES (50) of each:
#       at most 0.2 s. Audits wait for silent input, a run and a listing compute, and deals are
#       written to a file or to an unread pipe. Commands that solve hard deals have 0.3 s.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/tools/common.sh

kills() {
    local kills=${1:-200} seed=${2:-20261122}
    python3 scripts/runs/crash.py "$fairdeal" "$work" "$kills" "$seed" |
        reported interrupt-kills "scripts/interrupt.sh kills $kills $seed"
}

disk() {
    # Mounts are in a separate namespace and disappear with it.
    local within=(unshare -m)
    "${within[@]}" true 2>/dev/null || within=(unshare -rm)
    "${within[@]}" true 2>/dev/null || within=()
    "${within[@]}" python3 scripts/runs/full_disk.py "$fairdeal" "$work" |
        reported interrupt-disk "scripts/interrupt.sh disk"
}

signals() {
    local tries=${1:-50} seed=${2:-20261125}
    python3 scripts/runs/signals.py "$fairdeal" "$work" "$tries" "$seed" |
        reported interrupt-signals "scripts/interrupt.sh signals $tries $seed"
}

case ${1-} in
kills | disk | signals) ;;
*) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2 && exit 64 ;;
esac
in_work
built
"$@"
