#!/usr/bin/env bash
# Runs what scripts/cluster holds. A Slurm cluster of three nodes is started on this machine, from
# Debian's packages, all of it in a temporary folder; an array of seven parts is submitted, and
# while it deals, parts are requeued, programs are killed, a node is lost with all that runs on it, another
# alone, times run out, and everything is cancelled and submitted again: the merged report has
# to be that of one process. So has that of a run with MPI, if FAIRDEAL_MPI names a program built
# with it. The Kubernetes manifests are held against their schemas, without a cluster, and against
# rules that no schema tells; faults are planted that have to be found; and the commands of
# their containers are run as a cluster would run them, stopped, killed, and begun again by the
# manifest's policy. Prints a table, and fails if anything is wrong. What cannot be had here is
# NOT RUN. Keeps the output in reports/cluster.txt. Takes five to nine minutes, by the machine.
#
# DEALS, if none are given, are as many as this machine deals in 50 seconds.
#
#   scripts/cluster.sh [DEALS [SEED]]
set -euo pipefail
cd "$(dirname "$0")/.."

DEALS=${1:-}
SEED=${2:-20261123}
[ "${FAIRDEAL-}" ] || cargo build --release --locked --quiet
fairdeal=$(realpath "${FAIRDEAL:-${CARGO_TARGET_DIR:-target}/release/fairdeal}")
mpi=${FAIRDEAL_MPI:+$(realpath "$FAIRDEAL_MPI")}
work=$(mktemp -d)
# Daemons and jobs are found by the folder that they were started in, however this ends.
trap 'python3 scripts/cluster.py stop "$work"; rm -rf "$work"' EXIT
export XDG_CACHE_HOME="$work/cache"

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

status=0
"$python" scripts/cluster.py run "$work" "$fairdeal" "$DEALS" "$SEED" "$mpi" | tee "$work/table" || status=$?
{
    slurm=$(slurmctld -V 2>/dev/null || echo "no Slurm")
    echo "# scripts/cluster.sh${*:+ $*}, $(date -u +%F), $("$fairdeal" --version), $(nproc) cores, $slurm"
    cat "$work/table"
} >reports/cluster.txt
exit "$status"
