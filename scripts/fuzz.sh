#!/usr/bin/env bash
# Fuzzes all code that reads untrusted input, two targets at a time or one in two processes, and
# prints the number of executions of each target and of all. Each target runs for SECONDS, or rounds
# repeat until all targets together have N executions. Needs a nightly compiler; installs cargo-fuzz
# if it is missing. Inputs with new coverage are kept for the next time in fuzz/corpus, which is not
# under version control; the initial ones are the scripts and records of fixtures/, small case files and
# reports. SAVE=1 keeps the output in reports/.
#
#   scripts/fuzz.sh [SECONDS] [TARGET ..]
#   scripts/fuzz.sh --executions N [TARGET ..]
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/tools/common.sh

# Seconds of each target in a round.
ROUND=15

wanted=0
seconds=$ROUND
if [ "${1:-}" = --executions ]; then
    wanted=${2:?how many executions}
    shift 2
elif [ $# -gt 0 ]; then
    seconds=$1
    shift
else
    seconds=60
fi
asked="scripts/fuzz.sh"
if [ "$wanted" -gt 0 ]; then asked+=" --executions $wanted"; else asked+=" $seconds"; fi

if ! cargo fuzz --version >/dev/null 2>&1; then
    cargo install --quiet --locked cargo-fuzz
fi
kept=fuzz
if [ $# -gt 0 ]; then
    targets=("$@")
    asked+=" $*"
    kept=fuzz-$(IFS=-; echo "$*")
    for target in "${targets[@]}"; do
        cargo +nightly fuzz build "$target"
    done
else
    mapfile -t targets < <(cargo +nightly fuzz list)
    cargo +nightly fuzz build
fi
host=$(rustc +nightly -vV | sed -n 's/^host: //p')
BINARIES=${CARGO_TARGET_DIR:-fuzz/target}/$host/release
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Thousands of case files are written and read: use a folder in memory if there is one.
if [ -w /dev/shm ]; then
    export TMPDIR=/dev/shm
fi
# Two targets run at a time, so none needs threads. These options switch off traces of allocations
# and other slow checks that find nothing in safe code; run a crashing input again without them.
export RAYON_NUM_THREADS=1 BINARIES work
export ASAN_OPTIONS=malloc_context_size=0:detect_stack_use_after_return=0:quarantine_size_mb=8:detect_leaks=0

fairdeal() {
    cargo run --release --quiet --locked --bin fairdeal -- "$@"
}

# A case file as a whole, and as header, condition and records alone, to be repaired.
case_file_inputs() {
    local file=$1 to=$2 header condition
    header=$(od -An -tu4 -j12 -N4 "$file" | tr -d ' ')
    condition=$(od -An -tu4 -j56 -N4 "$file" | tr -d ' ')
    { printf '\0'; cat "$file"; } >"$to-whole"
    for how in 3 7 19 39; do
        {
            printf "\\x$(printf %02x "$how")"
            head -c $((160 + condition)) "$file"
            tail -c +$((header + 1)) "$file"
        } >"$to-$how"
    done
}

# The initial inputs of a target. Inputs of the reader begin with a byte for the format and two for
# the place of a cut: every file is read as every format.
first_inputs() {
    local target=$1 corpus=fuzz/corpus/$1 file name scheme text number
    mkdir -p "$corpus" "fuzz/artifacts/$target"
    case $target in
    script)
        cp crates/language/scenarios/*.dl fixtures/dealer/*.dl fixtures/dialects/*.dl "$corpus"
        ;;
    condition_run)
        cp crates/language/scenarios/*.dl "$corpus"
        number=0
        while IFS= read -r text; do
            number=$((number + 1))
            printf '%s' "$text" >"$corpus/condition-$number"
        done <<'CONDITIONS'
hcp(north) >= 20 and spades(south) > 4 and clubs(east) == 0
shape(north, any 4333 + 5xxx - any 7xxx) || losers(south) < 5
predeal north SAKQ, HJ2 predeal south CA condition hearts(north) == 3
top3(west, spades) + quality(west, spades) > 100 && hearts(east) % 3 == 1
hascard(north, 2C) && cccc(south) / 100 > 8 ? aces(east) : !kings(west)
control(north) * 3 - pt0(south) != 7 && imps(score(vul, x3NX, 9)) < 0
spades(west) == 9 && diamonds(east) == 6
CONDITIONS
        ;;
    case_file)
        for name in nine-spades west-nine-spades north-3-hcp east-5332-34 \
            north-2-south-0-1; do
            fairdeal cases build "$name" -o "$work/$name.cases" >"$work/log" 2>&1
            case_file_inputs "$work/$name.cases" "$corpus/$name"
        done
        ;;
    checkpoint)
        # The bytes after the first one are changes to a checkpoint that the target makes.
        printf '\1' >"$corpus/sound"
        printf '\1\20\0\0\1\0\1\0\2' >"$corpus/changed"
        ;;
    number)
        for scheme in 0 1 2 3 4 5 6 7 8; do
            for text in 0 1 53644737765488792839237439999 0xAD55E315634DDA658BF491FF \
                'N:8.AKQT4.AJ6.T742 9.J53.KQ92.QJ985 KQJT72.62.T84.K6 A6543.987.753.A3' \
                'N:AKQ.AKQ.AKQ.AKQJ J.JT98.JT98.T987 T9.765.7654.6543 8765432.432.32.2' \
                'N:A.2.. .K..3 Q...4 ..J5.' 'N:AK.2.. - 3..QJ. -' 'N:- - - -'; do
                number=$(printf %s "$text" | cksum | cut -d' ' -f1)
                printf "\\x0$scheme%s" "$text" >"$corpus/$scheme-$number"
            done
            printf "\\x8$scheme\\1\\2\\3\\4\\5\\6\\7\\10\\11\\12\\13" >"$corpus/$scheme-bytes"
        done
        ;;
    record)
        # Their verdicts are exit codes.
        fairdeal run nine-spades --sampler listing --deals 20000 --quiet --out "$work/run" >"$work/log" 2>&1 || true
        fairdeal run --where 'hcp(north) + hcp(east) > 20 && clubs(west) > 3' --deals 20000 \
            --battery tables --quiet --out "$work/filtered" >"$work/log" 2>&1 || true
        fairdeal theory nine-spades --out "$work/theory" >"$work/log" 2>&1
        fairdeal audit fixtures/records/sm0807.pbn --out "$work/audit" >"$work/log" 2>&1 || true
        for file in "$work"/{run,filtered,theory,audit}/{run,theory,audit}.json; do
            if [ -f "$file" ]; then
                cp "$file" "$corpus/$(basename "$(dirname "$file")").json"
            fi
        done
        ;;
    read)
        number=0
        while IFS= read -r file; do
            for format in {0..23}; do
                number=$((number + 1))
                { printf "\\x$(printf %02x "$format")%%0"; head -c 4000 "$file"; } >"$corpus/$number"
            done
        done < <(find fixtures/records fixtures/broken -type f -size -64k)
        ;;
    serve)
        # The bytes choose the parts of a request.
        for number in {0..99}; do
            printf "\\x$(printf %02x $((16 + number)))\\x$(printf %02x "$number")\\x$(printf %02x $((number * 7 % 256)))abcdef" >"$corpus/$number"
        done
        ;;
    archive)
        # The first byte means that the file is read unchanged.
        for file in fixtures/records-real/*.{zip,tar,gz}; do
            { printf '\0'; cat "$file"; } >"$corpus/$(basename "$file")"
        done
        ;;
    esac
}

# Maximum length of inputs. Long ones exercise interactions of many records, but are slow.
longest() {
    local target=$1 round=$2
    case $target in
    case_file) echo 6000 ;;
    checkpoint) echo 65 ;;
    record) echo 4096 ;;
    archive) echo 16384 ;;
    condition_run) echo 400 ;;
    number | serve) echo 128 ;;
    *) if [ "$round" = 1 ]; then echo 4096; else echo 512; fi ;;
    esac
}

# Runs a target for a number of seconds; adds its executions to its file in $work.
fuzz() {
    local round=$1 seconds=$2 target=$3 log options=()
    log=$work/$target-$$.log
    case $target in
    script | condition_run) options+=(-dict=fuzz/dealer.dict) ;;
    esac
    "$BINARIES/$target" -max_total_time="$seconds" -max_len="$(longest "$target" "$round")" \
        -timeout=20 -malloc_limit_mb=512 -print_final_stats=1 \
        -artifact_prefix="fuzz/artifacts/$target/" "${options[@]}" "fuzz/corpus/$target" \
        >"$log" 2>&1 || {
        tail -40 "$log"
        echo "$target: found a crashing input (see fuzz/artifacts)"
        return 255
    }
    sed -n 's/^stat::number_of_executed_units: *//p' "$log" >>"$work/$target.executions"
}
export -f fuzz longest

total() {
    cat "$work"/*.executions | awk '{ sum += $1 } END { print sum + 0 }'
}

grouped() {
    sed -E ':a; s/([0-9])([0-9]{3})($|,)/\1,\2\3/; ta'
}

report() {
    local target
    for target in "${targets[@]}"; do
        printf '%-20s %15s\n' "$target" \
            "$(awk '{ sum += $1 } END { print sum + 0 }' "$work/$target.executions" | grouped)"
    done
    echo "in all $(total | grouped) executions of ${#targets[@]} targets, no crash"
}

for target in "${targets[@]}"; do
    first_inputs "$target"
done
round=0
while
    round=$((round + 1))
    processes=("${targets[@]}")
    [ ${#targets[@]} -gt 1 ] || processes+=("${targets[@]}")
    printf '%s\n' "${processes[@]}" | xargs -P 2 -I {} bash -c "fuzz $round $seconds {}" ||
        exit 1
    echo "round $round: $(total | grouped) executions in all" >&2
    [ "$(total)" -lt "$wanted" ]
do :; done
report | reported "$kept" "$asked"
