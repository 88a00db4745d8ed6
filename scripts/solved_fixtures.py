#!/usr/bin/env python3
"""Writes fixtures/solved: deals with tables of tricks, as .zrd and as PBN, and what they answer.

The deals are drawn with a fixed seed. Their tricks follow a rule of thumb (points, and trumps of
declarer's side), because fairdeal has no double-dummy solver: the tables are made up. expected.csv
has counts and sums over the deals, computed here. Uses only the standard library. Run it in the
project's folder.
"""
import random
from pathlib import Path

OUT = Path("fixtures/solved")
RANKS = "AKQJT98765432"
SEATS = "WNES"
STRAINS = ["NT", "S", "H", "D", "C"]
POINTS = {"A": 4, "K": 3, "Q": 2, "J": 1}
rng = random.Random(20261126)


def deal():
    """The owner of each card from SA to C2: 0 for west, 1 north, 2 east, 3 south."""
    owners = [seat for seat in range(4) for _ in range(13)]
    rng.shuffle(owners)
    return owners


def hcp(owners, seat):
    return sum(POINTS.get(RANKS[i % 13], 0) for i in range(52) if owners[i] == seat)


def length(owners, seat, suit):
    return sum(owners[13 * suit + i] == seat for i in range(13))


def tricks(owners):
    """By strain and declarer from west."""
    table = []
    for strain in range(5):
        row = []
        for seat in range(4):
            partner = (seat + 2) % 4
            points = hcp(owners, seat) + hcp(owners, partner)
            made = 6 + (points - 18) // 3
            if strain > 0:
                made += length(owners, seat, strain - 1) + length(owners, partner, strain - 1) - 7
            # The lead costs one trick here and there.
            made -= (points + seat) % 5 == 0
            row.append(max(0, min(13, made)))
        table.append(row)
    return table


def record(owners, table):
    cards = sum(owner << (2 * index) for index, owner in enumerate(owners))
    numbers = [number for row in table for number in row]
    pairs = zip(numbers[::2], numbers[1::2])
    return cards.to_bytes(13, "little") + bytes(low | high << 4 for low, high in pairs)


def hand(owners, seat):
    return ".".join(
        "".join(RANKS[i] for i in range(13) if owners[13 * suit + i] == seat) for suit in range(4)
    )


def pbn(number, owners, table):
    hands = " ".join(hand(owners, SEATS.index(seat)) for seat in "NESW")
    lines = [f'[Board "{number}"]', f'[Deal "N:{hands}"]']
    lines.append('[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]')
    for seat in "NESW":
        for name, row in zip(STRAINS, table):
            lines.append(f"{seat} {name:>2} {row[SEATS.index(seat)]:>2}")
    return "\n".join(lines) + "\n\n"


OUT.mkdir(exist_ok=True)
library = [(owners, tricks(owners)) for owners in (deal() for _ in range(500))]
(OUT / "library.zrd").write_bytes(b"".join(record(*solved) for solved in library))
(OUT / "first.pbn").write_text(
    "".join(pbn(number, *solved) for number, solved in enumerate(library[:16], 1))
)
north, south = SEATS.index("N"), SEATS.index("S")
strong = [(o, t) for o, t in library if hcp(o, north) >= 12]
rows = [
    ("deals", len(library)),
    ("north has 12 points", len(strong)),
    ("sum of south's tricks in notrumps", sum(t[0][south] for _, t in library)),
    ("the same with north's 12 points", sum(t[0][south] for _, t in strong)),
    ("north makes 4 spades", sum(t[1][north] >= 10 for _, t in library)),
    ("west's tricks in clubs are 6", sum(t[4][0] == 6 for _, t in library)),
]
(OUT / "expected.csv").write_text("quantity,value\n" + "".join(f"{n},{v}\n" for n, v in rows))
