#!/usr/bin/env bash
# Deals one run as an array of a Slurm cluster, a part a task, and merges the parts when all
# of them are dealt. Started again with the same FOLDER it goes on: parts that are dealt are left
# as they are, others go on from their checkpoints, and what is still in the queue stays there.
#
#   scripts/cluster/slurm/submit.sh INPUT FOLDER
#
# INPUT is that of `fairdeal run`; FOLDER is one that every node sees. In it are plan, what the
# run is; parts/1 and so on, a report each; report, of all; log; and cache, of case files.
#
# In the environment, what the run is: DEALS (100G), PARTS (16), BATCH (67108864), SEED (drawn
# once, and printed), OPTIONS of `fairdeal run`, such as "--battery full --target 10G". A run that
# goes on keeps them. And how it is dealt, which may be another each time: FAIRDEAL (the program,
# fairdeal), CPUS of a part (4), TIME at most before a part saves and queues anew (04:00:00), CACHE
# (FOLDER/cache). sbatch's own variables hold too: SBATCH_PARTITION, SBATCH_ACCOUNT, SBATCH_QOS ..
set -euo pipefail

if [ $# -ne 2 ]; then
    echo "usage: $0 INPUT FOLDER" >&2
    exit 64
fi
here=$(cd "$(dirname "$0")" && pwd)
input=$1
[ ! -f "$input" ] || input=$(realpath "$input")
mkdir -p "$2/log"
folder=$(cd "$2" && pwd)
if ! fairdeal=$(type -P "${FAIRDEAL:-fairdeal}"); then
    echo "error: ${FAIRDEAL:-fairdeal} is no program here: name it in FAIRDEAL" >&2
    exit 64
fi
fairdeal=$(realpath "$fairdeal")

exec 9>"$folder/.lock"
if ! flock -n 9; then
    echo "error: $folder is being submitted by somebody else" >&2
    exit 64
fi

# What the run is. Where there is a plan, it holds, and nothing else may be asked for.
declare -A asked=([input]=$input [deals]=${DEALS:-} [parts]=${PARTS:-} [batch]=${BATCH:-}
    [seed]=${SEED:-} [options]=${OPTIONS:-})
if [ -e "$folder/plan" ]; then
    # shellcheck source=/dev/null
    . "$folder/plan"
    for name in "${!asked[@]}"; do
        if [ -n "${asked[$name]}" ] && [ "${asked[$name]}" != "${!name}" ]; then
            echo "error: $folder was begun with $name=${!name}, not ${asked[$name]}: take another folder" >&2
            exit 64
        fi
    done
else
    # shellcheck disable=SC2034  # They are printed by their names.
    deals=${DEALS:-100G} parts=${PARTS:-16} batch=${BATCH:-67108864} options=${OPTIONS:-}
    seed=${SEED:-0x$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')}
fi

if [ -e "$folder/report/run.json" ]; then
    echo "merged already: $folder/report"
    exit 0
fi
# Two jobs cannot deal one part: those of an earlier submission are waited for.
if [ -e "$folder/jobs" ]; then
    queued=$(squeue --noheader --jobs="$(cat "$folder/jobs")" --format='%i %T' 2>/dev/null || true)
    if [ -n "$queued" ]; then
        printf 'in the queue still:\n%s\n' "$queued"
        exit 0
    fi
fi

# shellcheck disable=SC2034  # As above.
cache=${CACHE:-$folder/cache}
for name in input deals parts batch seed options fairdeal cache; do
    printf '%s=%q\n' "$name" "${!name}"
done >"$folder/plan.part"
mv "$folder/plan.part" "$folder/plan"
rm -f "$folder"/log/*.faults

array=$(sbatch --parsable --array="1-$parts" --cpus-per-task="${CPUS:-4}" --time="${TIME:-04:00:00}" \
    --output="$folder/log/part-%a.txt" "$here/part.sbatch" "$folder")
array=${array%%;*}
echo "$array" >"$folder/jobs"
# A part that fails for good takes the merge with it.
merge=$(sbatch --parsable --dependency="afterok:$array" --kill-on-invalid-dep=yes \
    --output="$folder/log/merge.txt" "$here/merge.sbatch" "$folder")
merge=${merge%%;*}
echo "$array,$merge" >"$folder/jobs"
echo "seed      $seed"
echo "parts     $parts, as job $array"
echo "merge     job $merge, into $folder/report"
