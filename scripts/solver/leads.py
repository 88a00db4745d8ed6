"""Fills one table of leads with fairdeal and with endplay, on the same deals, and prints the seconds.

`scripts/solver.sh leads [DEALS]` runs it. The mean tricks of every card must be equal. endplay has no
deals of a condition without rejection, and no table: it solves the deals that fairdeal dealt.
"""

import sys
import time

import endplay.config
import endplay.dds
from endplay.types import Denom, Player

import fairdeal as fd

HAND = "KQ4.J9652.T8.643"
CONDITION = f"""
predeal west SKQ4,HJ9652,DT8,C643
balanced = shape(south, any 4333 + any 4432 + any 5332)
opening = balanced && hcp(south) >= 15 && hcp(south) <= 17
raise = hcp(north) >= 10 && hcp(north) <= 14 && spades(north) < 4 && hearts(north) < 4
condition opening && raise
"""


def by_endplay(deals: list[fd.Deal]) -> dict[str, float]:
    """The mean tricks of each card of west."""
    endplay.config.use_unicode = False
    sums: dict[str, float] = {}
    for start in range(0, len(deals), 200):
        boards = [fd.to_endplay(deal) for deal in deals[start : start + 200]]
        for board in boards:
            board.trump, board.first = Denom.nt, Player.west
        for solved in endplay.dds.solve_all_boards(boards):
            for card, tricks in solved:
                name = f"{card.suit.abbr}{card.rank.abbr}"
                sums[name] = sums.get(name, 0.0) + tricks / len(deals)
    return sums


def main() -> None:
    n = int(sys.argv[1])
    condition = fd.Condition(CONDITION)
    begun = time.perf_counter()
    table = condition.leads("3NT", "south", n=n, seed=1)
    ours = time.perf_counter() - begun
    deals = list(condition.stream(n, seed=1))
    begun = time.perf_counter()
    means = by_endplay(deals)
    theirs = time.perf_counter() - begun
    for row in table["leads"]:
        for rank in row["lead"][1:]:
            mean = means[row["lead"][0] + rank]
            assert abs(mean - row["tricks"]) < 1e-9, (row, rank, mean)
    print(f"{n} deals, all leads of {HAND} against 3NT: equal means of every card")
    print(f"fairdeal {fd.__version__}, with dealing and the table   {ours:8.1f} s")
    print(f"endplay, the same deals                    {theirs:8.1f} s")


if __name__ == "__main__":
    main()
