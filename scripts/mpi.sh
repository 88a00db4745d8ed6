#!/usr/bin/env bash
# One run dealt by several processes of MPI, beside the same run by one process. Its reports
# must be the same by 1, 2, 3 and 5 processes, and by parts that are merged: every CSV
# but latency.csv byte for byte, and run.json but for times, the machine and how it was
# dealt. Runs are killed at random moments, 50 times in all unless told otherwise: one of the processes,
# whichever, or mpirun; all must end without a verdict, leave nothing running and lose nothing that
# was saved; another number of processes goes on, and in the end the report is that of a run that nobody
# killed. Then measures what two processes deal in the time of one, what a round's reduction
# costs, and models it for 1,000 processes; and what parts take on disk and to merge.
# Prints tables, and fails if anything differs. Keeps the output in reports/mpi.txt. Takes
# fifteen minutes; with fewer than 20 kills runs are shorter, and it takes three.
#
#   scripts/mpi.sh [KILLS [SEED]]
#
# FAIRDEAL and PLAIN are programs with the feature mpi and without, built here unless they are given.
set -euo pipefail
cd "$(dirname "$0")/.."

KILLS=${1:-50}
SEED=${2:-20261123}
target=${CARGO_TARGET_DIR:-target}
if [ -z "${FAIRDEAL:-}" ]; then
    cargo build --release --locked --quiet --features mpi --target-dir "$target/mpi"
fi
if [ -z "${PLAIN:-}" ]; then
    cargo build --release --locked --quiet
fi
fairdeal=${FAIRDEAL:-$target/mpi/release/fairdeal}
plain=${PLAIN:-$target/release/fairdeal}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME="$work/cache"

# More processes than cores, on any of them, and as root too; what Open MPI leaves behind when it is
# killed goes with the rest. MPICH knows nothing of these.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe PRTE_MCA_hwloc_default_binding_policy=none
export OMPI_MCA_btl_vader_backing_directory="$work" TMPDIR="$work"

status=0
python3 scripts/mpi.py "$fairdeal" "$plain" "$work" "$KILLS" "$SEED" | tee "$work/table" || status=$?
{
    echo "# scripts/mpi.sh $KILLS $SEED, $(date -u +%F), $("$fairdeal" --version), $(nproc) cores"
    echo "# $(mpirun --version | head -1)"
    cat "$work/table"
} >reports/mpi.txt
exit "$status"
