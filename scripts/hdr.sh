#!/usr/bin/env bash
# Reads the latency files of `fairdeal bench --save` with HdrHistogram's own Python port. Compares
# the intervals of latency.hlog, merged by tag, with every line of latency-K.hgrm and the
# percentiles of --json. Installs the port from PyPI into a temporary folder. Prints what was
# compared, and fails on any difference. Writes the output to reports/hdr.txt.
#
#   scripts/hdr.sh
set -euo pipefail
cd "$(dirname "$0")/.."

[ "${FAIRDEAL-}" ] || cargo build --release --locked --quiet
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME="$work/cache"
fairdeal=$(realpath "${FAIRDEAL:-${CARGO_TARGET_DIR:-target}/release/fairdeal}")
python3 -m venv "$work/venv"
# The name of the package on PyPI; its module is hdrh.
"$work/venv/bin/pip" install --quiet --disable-pip-version-check hdrhistogram==0.10.8

status=0
for input in unconstrained nine-spades; do
    (cd "$work" && "$fairdeal" bench "$input" --deals 4M --rounds 3 --save "of-$input" --json) \
        >"$work/$input.json"
    "$work/venv/bin/python" scripts/hdr.py "$work/reports/bench/of-$input" "$work/$input.json" \
        >>"$work/table" || status=$?
done
{
    echo "# scripts/hdr.sh, $(date -u +%F), $("$fairdeal" --version), hdrhistogram 0.10.8 (Python)"
    cat "$work/table"
} | tee reports/hdr.txt
exit "$status"
