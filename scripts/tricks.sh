#!/usr/bin/env bash
# Compares mean double-dummy tricks of dealt boards with published results.
#
#   scripts/tricks.sh [DEALS] [AGAIN]
#
# The published results are GIB's 100,000 solved deals, which the source of DDS 2.9 contains; it is
# downloaded from Debian, or read from GIB_LIST (sol100000.txt). Audits those deals, compares their
# means as counted by fairdeal and by Python, solves the first AGAIN (1,000) once more, and solves
# DEALS (10,000) unconstrained deals. Fails if any trick of a deal solved again differs, or if one of
# the 20 means differs by more than 5 standard errors. Takes about 20 minutes on two cores; needs
# the feature dds. Writes the output to reports/tricks.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
deals=${1:-10000}
again=${2:-1000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ "${FAIRDEAL-}" ] || cargo build --release --locked --quiet --features dds
fairdeal=${FAIRDEAL:-${CARGO_TARGET_DIR:-target}/release/fairdeal}
list=${GIB_LIST-}
if [ -z "$list" ]; then
    # APT gets the source by its name, from the hosts that this system has packages of.
    mkdir -p "$work/sources" "$work/lists/partial" "$work/cache"
    for file in /etc/apt/sources.list.d/*.sources; do
        sed 's/^Types:.*/Types: deb-src/' "$file" >"$work/sources/${file##*/}"
    done
    [ ! -s /etc/apt/sources.list ] || sed 's/^deb /deb-src /' /etc/apt/sources.list >"$work/sources/system.list"
    apt=(timeout 300 apt-get -qq -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$work/sources"
        -o Dir::State::lists="$work/lists" -o Dir::Cache="$work/cache")
    if ! (cd "$work" && "${apt[@]}" update && "${apt[@]}" source --download-only --tar-only dds) >/dev/null 2>&1; then
        echo "no source of DDS in Debian: NOT RUN"
        exit 0
    fi
    source=dds_2.9.0.orig.tar.gz
    echo "9ef36d8c36bf697ba3b499fcb9dca51a4b423278ac72e947235ac86f0b5fc38a  $work/$source" | sha256sum --quiet -c
    tar xzf "$work/$source" -C "$work" --strip-components 2 dds-2.9.0/hands/sol100000.txt
    list=$work/sol100000.txt
fi
strains=(notrumps spades hearts diamonds clubs)
averages=$(for strain in "${strains[@]}"; do
    for seat in north east south west; do
        printf 'average tricks(%s, %s), ' $seat "$strain"
    done
done)
question="action ${averages%, } condition 1"

{
    echo "# scripts/tricks.sh $deals $again, $("$fairdeal" --version), $(nproc) x $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1)"
    "$fairdeal" audit "$list" --target 100000 --out "$work/audit" --quiet --json >"$work/audit.json" || true
    "$fairdeal" run --where "$question" --from "$list" --json --quiet >"$work/published.json"

    head -n "$again" "$list" >"$work/again.txt"
    "$fairdeal" deal unconstrained --from "$work/again.txt" --format zrd --quiet >"$work/published.zrd"
    "$fairdeal" deal unconstrained --from "$work/again.txt" --format line --quiet >"$work/cards.txt"
    "$fairdeal" deal unconstrained --from "$work/cards.txt" --solve --format zrd --quiet >"$work/again.zrd"
    "$fairdeal" run --where "$question" -n "$deals" --seed 1 --out "$work/run" --json --quiet \
        >"$work/solved.json"
    python3 scripts/tricks.py "$work" "$list"
} | tee reports/tricks.txt
