#!/usr/bin/env bash
# Compares runs by several MPI processes with the same run by one process. The reports of 1, 2, 3
# and 5 processes, and of merged parts, must be equal: every CSV except latency.csv byte for byte,
# and run.json except times, the machine and the division of work. Then kills runs at random moments
# (50 times by default): a random process or mpirun. All processes must end without a verdict and
# lose no saved work; another number of processes resumes, and the final report must equal that of
# an uninterrupted run. Then measures the speed of two processes compared with one, the cost of a
# round's reduction, with a model for 1,000 processes, and the disk space and merge time of parts.
# Prints tables, and fails if anything differs; SAVE=1 keeps them in reports/. Takes 15
# minutes; with fewer than 20 kills runs are shorter, and it takes three.
#
#   scripts/mpi.sh [KILLS [SEED]]
#
# FAIRDEAL and PLAIN are the programs with and without the feature mpi; by default they are built.
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
source scripts/tools/common.sh
in_work

# Settings of Open MPI (MPICH ignores them): allow more processes than cores, without binding, and
# as root; put temporary files in the work folder, which is removed at the end.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe PRTE_MCA_hwloc_default_binding_policy=none
export OMPI_MCA_btl_vader_backing_directory="$work" TMPDIR="$work"

python3 scripts/runs/mpi.py "$fairdeal" "$plain" "$work" "$KILLS" "$SEED" |
    reported mpi "scripts/mpi.sh $KILLS $SEED, $(mpirun --version | head -1)"
