#!/usr/bin/env bash
# Times every numbering in both directions, and the plain loop of Pavlicek's essay, in one run on
# one core. Writes the output to reports/numbers.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
{
    echo "# scripts/numbers.sh on $(nproc) x $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1)"
    cargo bench --quiet --bench numbers 2>/dev/null |
        awk '
            # The median of 1,000 is between the bounds: time: [low unit MEDIAN unit high unit]
            function ns(value, unit) { return unit == "ms" ? value * 1000 : value }
            /^numbers\// { name = $0; sub(/^numbers\//, "", name); sub(/ +time:.*/, "", name) }
            # Lines that compare with an earlier run have per cent instead of units.
            /time: +\[[0-9.]+ [^ ]*s / {
                line = $0; sub(/.*\[/, "", line); split(line, part, " ")
                took[name] = ns(part[3], part[4]); printf "%-42s %8.0f ns\n", name, took[name]
            }
            END {
                slowest = took["pavlicek, decode"] > took["andrews, decode"] ? \
                    took["pavlicek, decode"] : took["andrews, decode"]
                printf "the slower of pavlicek and andrews decodes in %.0f ns (at most 150 are allowed), ", slowest
                printf "%.1f times as fast as the plain loop\n", took["the plain loop of pavlicek, decode"] / slowest
                exit slowest > 150
            }'
} | tee reports/numbers.txt
