#!/usr/bin/env bash
# Counts the scripts of other people that fairdeal runs, by dialect, and groups the others by what
# they lack.
#
#   scripts/dialects.sh FOLDER ..
#
# Deals one board for every different script below the folders (.dli, .dls, .dlr, .dl, .dlt,
# Descr.*), and runs its actions. Parameters of a script ($0 to $9) are those that its own comments
# show after `-0` to `-9`. The program has the feature dds. Fails if fewer than 95 % run of the
# scripts that do not need another program. TIMEOUT is the time limit of one script in seconds (60).
# VERBOSE=1 prints the error of every script that does not run.
set -euo pipefail

[ $# -gt 0 ] || {
    sed -n '2,11s/^# \{0,1\}//p' "$0"
    exit 64
}
here=$(cd "$(dirname "$0")/.." && pwd)
[ "${FAIRDEAL-}" ] || cargo build --release --locked --quiet --features dds --manifest-path "$here/Cargo.toml"
export FAIRDEAL=${FAIRDEAL:-${CARGO_TARGET_DIR:-$here/target}/release/fairdeal}
exec python3 "$here/scripts/dialects.py" "$@"
