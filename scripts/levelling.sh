#!/usr/bin/env bash
# Compares three ways to level a set of deals, so that rare types of hands come as often as common
# ones: a mix (`#mix:`), `rnd` and spot cards, the usual way in collections of practice scripts.
#
#   scripts/levelling.sh [DEALS]
#
# South opens 1NT and north has one of five answers. `rnd` and the spot cards keep about the same
# share of each answer, and the mix has exactly the shares of `rnd`: the natural shares of
# `theory` times the shares that are kept. Deals DEALS boards of each (1,000,000), tallies them with
# `audit` and compares the tables with `compare`. Fails unless the mix and `rnd` are ALIKE and spot
# cards are DIFFERENT. Writes the output to reports/levelling.txt, or with DEALS only prints it.
set -euo pipefail
cd "$(dirname "$0")/.."
[ "${FAIRDEAL-}" ] || cargo build --release --locked --quiet
fairdeal=${FAIRDEAL:-${CARGO_TARGET_DIR:-target}/release/fairdeal}
deals=${1:-1000000}
kept=/dev/null
[ $# -gt 0 ] || kept=reports/levelling.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/types" <<'TYPES'
oneNT = shape(south, any 4333 + any 4432 + any 5332) && hcp(south) >= 15 && hcp(south) <= 17
transfer = spades(north) >= 5 || hearts(north) >= 5
stayman = (spades(north) == 4 || hearts(north) == 4) && hcp(north) >= 8
passes = hcp(north) <= 7
raise = hcp(north) <= 9
game = 1
TYPES
{ cat "$work/types"; echo '#mix: transfer, stayman, passes, raise, game'; echo 'condition oneNT'; } >"$work/natural.dl"
"$fairdeal" theory "$work/natural.dl" --json >"$work/natural.json"

# The share of each type that is kept, by `rnd` of 10,000 and by spot cards.
python3 - "$work" >"$work/shares" <<'PYTHON'
import json, sys
from fractions import Fraction

work = sys.argv[1]
KEPT = {
    "transfer": (1126, "c1 && (c3 || c4)"),
    "stayman": (2500, "c1"),
    "passes": (637, "c1 && c2"),
    "raise": (10000, "1"),
    "game": (4412, "c3 || c4"),
}
types = open(f"{work}/types").read()
shares = {of["name"]: Fraction(of["natural_share"]) for of in json.load(open(f"{work}/natural.json"))["types"]}
kept = {name: shares[name] * KEPT[name][0] for name in shares}
parts = ", ".join(f"{name} {round(kept[name] / sum(kept.values()) * 10**9)}" for name in kept)
cards = "".join(f"c{n} = hascard({seat}, {card})\n" for n, (seat, card) in
                enumerate((("west", "2C"), ("east", "2D"), ("west", "3C"), ("east", "3D")), 1))


def by_chance(name):
    of = KEPT[name][0]
    return f"chance < {of}" if of < 10000 else "1"


def levelled(keep):
    """One line of nested choices: a deal is kept or not by the first type that holds."""
    terms = [f"{name} ? ({keep(name)}) : (" for name in KEPT]
    return "".join(terms) + "0" + ")" * len(terms)


with open(f"{work}/mix.dl", "w") as file:
    file.write(f"{types}#mix: {parts}\ncondition oneNT\n")
with open(f"{work}/rnd.dl", "w") as file:
    file.write(f"{types}chance = rnd(10000)\ncondition oneNT && ({levelled(by_chance)})\n")
with open(f"{work}/spots.dl", "w") as file:
    file.write(f"{types}{cards}condition oneNT && ({levelled(lambda name: KEPT[name][1])})\n")
print("type       natural      kept  in the mix")
for name in kept:
    in_mix = float(kept[name] / sum(kept.values()))
    print(f"{name:9}  {100 * float(shares[name]):5.2f} %  {KEPT[name][0] / 100:6.2f} %     {100 * in_mix:5.2f} %")
PYTHON
run() {
    echo "# scripts/levelling.sh, $("$fairdeal" --version), $deals boards each"
    cat "$work/shares"
    local seed=0 by status
    for by in mix rnd spots; do
        seed=$((seed + 1))
        "$fairdeal" deal "$work/$by.dl" -n "$deals" --seed "$seed" --quiet >"$work/$by"
        # Levelled deals are not uniform among all deals of a condition: only their tables count.
        "$fairdeal" audit "$work/$by" --any-condition --quiet --out "$work/$by-tables" || true
    done
    for by in rnd spots; do
        status=0
        "$fairdeal" compare "$work/mix-tables" "$work/$by-tables" --json >"$work/$by.json" || status=$?
        python3 - "$work" "$by" <<'PYTHON'
import json, sys

work, by = sys.argv[1:]
compared = json.load(open(f"{work}/{by}.json"))
print(f"\nmix (A) and {by} (B): {compared['verdict']}, S = {compared['s']:.2f}")
for test in sorted(compared["tests"], key=lambda test: test["log10_p"])[:5]:
    print(f"  {test['test']} {test['subject']}: log10 p = {test['log10_p']:.1f}; {test['effect']}")
wanted = {"rnd": "ALIKE", "spots": "DIFFERENT"}[by]
if compared["verdict"] != wanted:
    sys.exit(f"{wanted} expected")
PYTHON
    done
}
run | tee "$kept"
