#!/usr/bin/env bash
# Runs on clusters, on this machine. Each part prints tables and fails if anything is wrong; SAVE=1
# keeps them in reports/.
#
#   scripts/cluster.sh mpi [KILLS [SEED]]
#       Compares runs by several MPI processes with the same run by one process. The reports of 1, 2,
#       3 and 5 processes, and of merged parts, must be equal: every CSV except latency.csv byte for
#       byte, and run.json except times, the machine and the division of work. Then kills runs at
#       random moments (50 times by default): a random process or mpirun. All processes must end
#       without a verdict and lose no saved work; another number of processes resumes, and the final
#       report must equal that of an uninterrupted run. Then measures the speed of two processes
#       compared with one, the cost of a round's reduction, with a model for 1,000 processes, and the
#       disk space and merge time of parts. Takes 15 minutes; with fewer than 20 kills runs are
#       shorter, nothing is measured, and it takes two. FAIRDEAL and PLAIN are the programs with and
#       without the feature mpi; by default they are built.
#   scripts/cluster.sh schedulers [DEALS [SEED]]
#       Tests the files of scripts/cluster. Starts a Slurm cluster of three nodes from Debian's
#       packages, in a temporary folder, and submits an array of seven parts. While they deal, parts
#       are requeued, programs are killed, a node is lost with its jobs, another without, time limits
#       end, and everything is cancelled and submitted again: the merged report must equal that of one
#       process. So must the report of a run with MPI, if FAIRDEAL_MPI names a program built with it.
#       The Kubernetes manifests are checked without a cluster, against their schemas and against
#       rules that schemas do not contain; planted faults must be found. The commands of their
#       containers run as in a cluster: they are stopped, killed, and restarted by the manifest's
#       policy. Checks that are not possible here are NOT RUN. The default of DEALS is the number that
#       this machine deals in 50 seconds. Takes five to nine minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/tools/common.sh

mpi() {
    local kills=${1:-50} seed=${2:-20261123} target=${CARGO_TARGET_DIR:-target} fairdeal plain
    if [ -z "${FAIRDEAL:-}" ]; then
        cargo build --release --locked --quiet --features mpi --target-dir "$target/mpi"
    fi
    if [ -z "${PLAIN:-}" ]; then
        cargo build --release --locked --quiet
    fi
    fairdeal=${FAIRDEAL:-$target/mpi/release/fairdeal}
    plain=${PLAIN:-$target/release/fairdeal}

    # Settings of Open MPI (MPICH ignores them): allow more processes than cores, without binding, and
    # as root; put temporary files in the work folder, which is removed at the end.
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
    export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe PRTE_MCA_hwloc_default_binding_policy=none
    export OMPI_MCA_btl_vader_backing_directory="$work" TMPDIR="$work"
    python3 scripts/runs/mpi.py "$fairdeal" "$plain" "$work" "$kills" "$seed" |
        reported mpi "scripts/cluster.sh mpi $kills $seed, $(mpirun --version | head -1)"
}

schedulers() {
    local deals=${1:-} seed=${2:-20261123} python=python3 mpi=${FAIRDEAL_MPI:+$(realpath "$FAIRDEAL_MPI")}
    built
    # End all daemons and jobs, found by the folder they were started in, however the script ends.
    trap 'python3 scripts/runs/cluster.py stop "$work"; rm -rf "$work"' EXIT

    if ! { command -v slurmctld && command -v slurmd && command -v munged && command -v sbatch; } >/dev/null; then
        { apt-get update -qq && DEBIAN_FRONTEND=noninteractive timeout 900 apt-get install -y -qq \
            --no-install-recommends slurmctld slurmd slurm-client munge; } >"$work/apt" 2>&1 ||
            echo "no packages of Slurm here" >&2
    fi
    if timeout 120 python3 -m venv "$work/venv" >"$work/pip" 2>&1 &&
        timeout 120 "$work/venv/bin/pip" install --quiet kubernetes-validate==1.37.0 >>"$work/pip" 2>&1; then
        python=$work/venv/bin/python
    fi
    "$python" scripts/runs/cluster.py run "$work" "$fairdeal" "$deals" "$seed" "$mpi" |
        reported cluster "scripts/cluster.sh schedulers${*:+ $*}, $(slurmctld -V 2>/dev/null || echo "no Slurm")"
}

case ${1-} in
mpi | schedulers) ;;
*) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2 && exit 64 ;;
esac
in_work
"$@"
