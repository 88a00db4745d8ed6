#!/usr/bin/env bash
# Times the theory of flat-three-suiter against one warm pass over its mapped
# file with as many threads, in one run. Keeps the output in reports/theory-cost.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
{
    echo "# scripts/theory-cost.sh on $(nproc) x $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1)"
    cargo bench --quiet --bench stages -- '^theory/' 2>/dev/null |
        awk '
            # The median stands between the bounds: time: [low unit MEDIAN unit high unit]
            function ms(value, unit) { return unit == "s" ? value * 1000 : unit == "ms" ? value : value / 1000 }
            /^theory\// { name = $0; sub(/ +time:.*/, "", name) }
            # A comparison with an earlier run has per cent in the place of units.
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
