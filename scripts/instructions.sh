#!/usr/bin/env bash
# Shows what limits the speed of dealing and of the tests: counts the instructions of a deal by
# single steps, the cycles for which they occupy the units of the processor by LLVM's model of it, and
# the misses of the nearest cache by a simulation.
#
#   scripts/instructions.sh [NAME..]
#
# NAME is a row of the table (all rows). Builds the program with the names of its functions. Needs
# gcc, binutils, llvm-mca of LLVM 17 or later and valgrind; takes about fifteen minutes on two cores.
# SAVE=1 keeps the output in reports/.
set -euo pipefail
cd "$(dirname "$0")/.."
mca=$(compgen -c llvm-mca- | grep -E '^llvm-mca-[0-9]+$' | sort -t- -k3 -n | tail -1 || true)
if [ "${mca##*-}" -lt 17 ] 2>/dev/null || [ -z "$mca" ] || ! command -v valgrind >/dev/null; then
    apt-get update -qq && apt-get install -y -qq --no-install-recommends llvm-19 valgrind gcc binutils
    mca=llvm-mca-19
fi
target=${CARGO_TARGET_DIR:-target}/with-names
CARGO_TARGET_DIR=$target CARGO_PROFILE_RELEASE_DEBUG=line-tables-only CARGO_PROFILE_RELEASE_STRIP=none \
    cargo build --release --locked --quiet
source scripts/tools/common.sh
in_work
gcc -O2 -Wall -o "$work/single_step" scripts/instructions/single_step.c
export MCA=$mca
python3 scripts/instructions/count.py "$target/release/fairdeal" "$work" "$@" |
    reported instructions "scripts/instructions.sh${*:+ $*}"
