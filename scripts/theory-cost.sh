#!/usr/bin/env bash
# Compares the time of the exact theory of flat-three-suiter with one warm pass over its mapped
# file, with the same number of threads, in one run. Writes the output to reports/theory-cost.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
{
    echo "# scripts/theory-cost.sh on $(nproc) x $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1)"
    cargo bench --quiet --bench stages -- '^theory/' 2>/dev/null |
        awk '
            # The median is between the bounds: time: [low unit MEDIAN unit high unit]
            function ms(value, unit) { return unit == "s" ? value * 1000 : unit == "ms" ? value : value / 1000 }
            /^theory\// { name = $0; sub(/ +time:.*/, "", name) }
            # Lines that compare with an earlier run have per cent instead of units.
            /time: +\[[0-9.]+ [^ ]*s / {
                line = $0; sub(/.*\[/, "", line); split(line, part, " ")
                took[name] = ms(part[3], part[4]); printf "%-42s %10.2f ms\n", name, took[name]
            }
            END {
                ratio = took["theory/theory of flat-three-suiter"] / took["theory/one pass over flat-three-suiter"]
                printf "theory takes %.1f times one pass (at most 10 are allowed)\n", ratio
                exit ratio > 10
            }'
} | tee reports/theory-cost.txt
