#!/usr/bin/env bash
# Tests the files of scripts/cluster. Starts a Slurm cluster of three nodes on this machine, from
# Debian's packages, in a temporary folder, and submits an array of seven parts. While they deal,
# parts are requeued, programs are killed, a node is lost with its jobs, another without, time
# limits end, and everything is cancelled and submitted again: the merged report must equal that of
# one process. So must the report of a run with MPI, if FAIRDEAL_MPI names a program built with it.
# The Kubernetes manifests are checked without a cluster, against their schemas and against rules
# that schemas do not contain; planted faults must be found. The commands of their containers run as
# in a cluster: they are stopped, killed, and restarted by the manifest's policy. Prints a table,
# and fails if anything is wrong. Checks that are not possible here are NOT RUN. SAVE=1 keeps the
# table in reports/. Takes five to nine minutes.
#
# The default of DEALS is the number that this machine deals in 50 seconds.
#
#   scripts/cluster.sh [DEALS [SEED]]
set -euo pipefail
cd "$(dirname "$0")/.."

DEALS=${1:-}
SEED=${2:-20261123}
mpi=${FAIRDEAL_MPI:+$(realpath "$FAIRDEAL_MPI")}
source scripts/tools/common.sh
in_work
built
# End all daemons and jobs, found by the folder they were started in, however the script ends.
trap 'python3 scripts/runs/cluster.py stop "$work"; rm -rf "$work"' EXIT

if ! { command -v slurmctld && command -v slurmd && command -v munged && command -v sbatch; } >/dev/null; then
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive timeout 900 apt-get install -y -qq \
        --no-install-recommends slurmctld slurmd slurm-client munge; } >"$work/apt" 2>&1 ||
        echo "no packages of Slurm here" >&2
fi
python=python3
if timeout 120 python3 -m venv "$work/venv" >"$work/pip" 2>&1 &&
    timeout 120 "$work/venv/bin/pip" install --quiet kubernetes-validate==1.37.0 >>"$work/pip" 2>&1; then
    python=$work/venv/bin/python
fi

"$python" scripts/runs/cluster.py run "$work" "$fairdeal" "$DEALS" "$SEED" "$mpi" |
    reported cluster "scripts/cluster.sh${*:+ $*}, $(slurmctld -V 2>/dev/null || echo "no Slurm")"
