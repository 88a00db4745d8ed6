#!/usr/bin/env bash
# Deals in Python with fairdeal, endplay and redeal, one after the other in one process, and prints
# deals per second of processor time: unconstrained, 1NT opposite an invitational hand, and a
# condition that one deal in a million satisfies. Writes the output to reports/python.txt.
#
# endplay comes from PyPI. redeal has no package there: it is measured if REDEAL names a folder with
# its source, which need not be built. fairdeal deals arrays on one thread, with AVX2.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
CARGO_TARGET_DIR=$(realpath -m "${CARGO_TARGET_DIR:-target}")
export CARGO_TARGET_DIR
python3 -m venv "$work/python"
"$work/python/bin/pip" install --quiet --disable-pip-version-check ./python endplay
{
    echo "# scripts/python-speed.sh, on $(nproc) x $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1), load $(cut -d' ' -f1 /proc/loadavg)"
    FAIRDEAL_PATH=avx2 PYTHONPATH=${REDEAL:-} "$work/python/bin/python" scripts/python_speed.py
} | tee reports/python.txt
