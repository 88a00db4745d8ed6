#!/usr/bin/env bash
# Deals one run as an array of a Slurm cluster, one part per task, and merges the parts when all are
# dealt. The same command continues the run in FOLDER: complete parts are kept, others resume from
# their checkpoints, and jobs in the queue stay there.
#
#   scripts/cluster/slurm/submit.sh INPUT FOLDER
#   scripts/cluster/slurm/submit.sh --command COMMAND FOLDER
#
# The second form audits a program that deals. INPUT is that of `fairdeal run`, and COMMAND that of
# `fairdeal audit`; FOLDER must be accessible from every node. It contains plan (the
# settings of the run), parts/1 and so on (the report of each part), report (the merged report),
# log, and cache (the case files).
#
# Environment variables of the run, with defaults: DEALS (100G; of an audit 100M), PARTS (16), BATCH
# of a run (67108864), SEED (drawn once, and printed), OPTIONS of the command, such as "--battery full --target 10G". A
# continued run keeps them. Variables that may change each time: FAIRDEAL (the program, fairdeal),
# CPUS of a part (4), TIME limit after which a part saves and is requeued (04:00:00), CACHE
# (FOLDER/cache). sbatch's own variables also apply: SBATCH_PARTITION, SBATCH_ACCOUNT, SBATCH_QOS ..
set -euo pipefail

command=''
if [ "${1-}" = --command ] && [ $# -eq 3 ]; then
    command=$2
    set -- '' "$3"
fi
if [ $# -ne 2 ]; then
    echo "usage: $0 INPUT FOLDER, or $0 --command COMMAND FOLDER" >&2
    exit 64
fi
here=$(cd "$(dirname "$0")" && pwd)
input=$1
[ ! -f "$input" ] || input=$(realpath "$input")
mkdir -p "$2/log"
folder=$(cd "$2" && pwd)
if ! fairdeal=$(type -P "${FAIRDEAL:-fairdeal}"); then
    echo "error: program ${FAIRDEAL:-fairdeal} not found: set FAIRDEAL to its path" >&2
    exit 64
fi
fairdeal=$(realpath "$fairdeal")

exec 9>"$folder/.lock"
if ! flock -n 9; then
    echo "error: another process is submitting $folder: wait until it ends" >&2
    exit 64
fi

# The settings of the run. If there is a plan, it applies, and other settings are an error.
declare -A asked=([input]=$input [command]=$command [deals]=${DEALS:-} [parts]=${PARTS:-} [batch]=${BATCH:-}
    [seed]=${SEED:-} [options]=${OPTIONS:-})
if [ -e "$folder/plan" ]; then
    # shellcheck source=/dev/null
    . "$folder/plan"
    for name in "${!asked[@]}"; do
        if [ -n "${asked[$name]}" ] && [ "${asked[$name]}" != "${!name}" ]; then
            echo "error: $folder has a run with $name=${!name}, not ${asked[$name]}: use another folder" >&2
            exit 64
        fi
    done
else
    # shellcheck disable=SC2034  # They are printed by their names.
    parts=${PARTS:-16} batch=${BATCH:-67108864} options=${OPTIONS:-}
    if [ -n "$command" ]; then
        deals=${DEALS:-100M} seed=${SEED:-$(($(od -An -N4 -tu4 /dev/urandom) % 1073741824))}
    else
        deals=${DEALS:-100G} seed=${SEED:-0x$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')}
    fi
fi

if [ -e "$folder/report/run.json" ] || [ -e "$folder/report/audit.json" ]; then
    echo "merged already: $folder/report"
    exit 0
fi
# Two jobs must not deal the same part: while jobs of an earlier submission are queued, submit
# nothing.
if [ -e "$folder/jobs" ]; then
    queued=$(squeue --noheader --jobs="$(cat "$folder/jobs")" --format='%i %T' 2>/dev/null || true)
    if [ -n "$queued" ]; then
        printf 'still in the queue:\n%s\n' "$queued"
        exit 0
    fi
fi

# shellcheck disable=SC2034  # As above.
cache=${CACHE:-$folder/cache}
for name in input command deals parts batch seed options fairdeal cache; do
    printf '%s=%q\n' "$name" "${!name}"
done >"$folder/plan.part"
mv "$folder/plan.part" "$folder/plan"
rm -f "$folder"/log/*.faults

array=$(sbatch --parsable --array="1-$parts" --cpus-per-task="${CPUS:-4}" --time="${TIME:-04:00:00}" \
    --output="$folder/log/part-%a.txt" "$here/part.sbatch" "$folder")
array=${array%%;*}
echo "$array" >"$folder/jobs"
# A part that fails finally cancels the merge.
merge=$(sbatch --parsable --dependency="afterok:$array" --kill-on-invalid-dep=yes \
    --output="$folder/log/merge.txt" "$here/merge.sbatch" "$folder")
merge=${merge%%;*}
echo "$array,$merge" >"$folder/jobs"
echo "seed      $seed"
echo "parts     $parts, as job $array"
echo "merge     job $merge, into $folder/report"
