#!/usr/bin/env bash
# Deals unconstrained boards as text with fairdeal and with five other dealing programs, one process
# each, and prints the processor time per board. Writes the output to reports/peers.txt.
#
# `dealer` and `deal` come from Debian, endplay from PyPI. BigDeal (the extended program `bigdealx`)
# and redeal have no package: they are measured if they are installed, BigDeal on PATH and redeal in
# the Python that PYTHON names (default: a new virtual environment with endplay). A missing program
# gets a line `not installed`. FAIRDEAL names the program to measure; by default it is built.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$PATH:/usr/games
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fairdeal=${FAIRDEAL:-}
if [ -z "$fairdeal" ]; then
    cargo build --release --locked --quiet
    fairdeal=${FAIRDEAL:-${CARGO_TARGET_DIR:-target}/release/fairdeal}
fi
if [ -z "${PYTHON:-}" ]; then
    python3 -m venv "$work/python"
    PYTHON=$work/python/bin/python
    "$PYTHON" -m pip install --quiet --disable-pip-version-check 'endplay==0.5.12'
fi

# row NAME VERSION BOARDS COMMAND..: prints the processor time of a command that prints this number
# of boards.
row() {
    local name=$1 version=$2 boards=$3 seconds
    shift 3
    local TIMEFORMAT='%U %S'
    { time timeout 600 "$@" >"$work/out" 2>"$work/err" </dev/null; } 2>"$work/time" ||
        { cat "$work/err" >&2; exit 1; }
    seconds=$(awk '{ print $1 + $2 }' "$work/time")
    awk -v n="$name" -v v="$version" -v b="$boards" -v s="$seconds" \
        'BEGIN { printf "%-10s %-16s %9d boards %7.2f s %10.0f ns per board\n", n, v, b, s, s * 1e9 / b }'
}
missing() { printf '%-10s not installed\n' "$1"; }
package() { dpkg-query -W -f '${Version}' "$1" 2>/dev/null || echo unknown; }

cat >"$work/boards_endplay.py" <<'PY'
import sys
from endplay.dealer import generate_deals
boards = int(sys.argv[1])
for deal in generate_deals(produce=boards, max_attempts=boards):
    print(deal)
PY
cat >"$work/boards_redeal.py" <<'PY'
import sys
from redeal import Deal
dealer = Deal.prepare()
for _ in range(int(sys.argv[1])):
    print(dealer())
PY

{
    echo "# scripts/peers.sh, $("$fairdeal" --version), on $(nproc) x $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1), load $(cut -d' ' -f1 /proc/loadavg)"
    echo "# unconstrained boards printed as text; processor time of whole commands"
    row fairdeal "$("$fairdeal" --version | cut -d' ' -f2)" 10000000 \
        "$fairdeal" deal unconstrained -n 10000000 --seed 1 --format line
    if command -v dealer >/dev/null; then
        printf 'generate 1000000 produce 1000000\ncondition 1\naction printoneline\n' >"$work/any.dl"
        row dealer "$(package dealer)" 1000000 dealer -s 1 "$work/any.dl"
    else missing dealer; fi
    if command -v deal >/dev/null; then
        row deal "$(package deal)" 1000000 deal -s 1 -l 1000000
    else missing deal; fi
    if command -v bigdealx >/dev/null; then
        # BigDeal prompts for settings that are missing from its file in the current folder.
        mkdir "$work/bigdeal"
        bigdeal=$(command -v bigdealx)
        (cd "$work/bigdeal" && timeout 10 "$bigdeal" -R </dev/null >/dev/null 2>&1) || true
        row bigdealx 2.0 200000 sh -c 'cd "$1" && exec "$2" -W 1 -n 200000 -f csv -p out' sh "$work/bigdeal" "$bigdeal"
        [ "$(wc -l <"$work/bigdeal/out.csv")" -ge 200000 ] || { cat "$work/err" "$work/out" | head -20; exit 1; }
    else missing bigdealx; fi
    if "$PYTHON" -c 'import redeal' 2>/dev/null; then
        row redeal "$("$PYTHON" -c 'import importlib.metadata as m; print(m.version("redeal"))' 2>/dev/null || echo source)" \
            20000 "$PYTHON" "$work/boards_redeal.py" 20000
    else missing redeal; fi
    if "$PYTHON" -c 'import endplay' 2>/dev/null; then
        row endplay "$("$PYTHON" -c 'import endplay; print(endplay.__version__)')" 20000 "$PYTHON" "$work/boards_endplay.py" 20000
    else missing endplay; fi
} | tee reports/peers.txt
