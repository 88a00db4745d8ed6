"""Computes with Debian's dealer the reference values in fixtures/dealer: see scripts/dealer.sh."""

import itertools
import random
import subprocess

RANKS = "AKQJT98765432"
SUITS = ["spades", "hearts", "diamonds", "clubs"]
chance = random.Random(1982)


def ask(expressions, statement=""):
    """What these expressions are in dealer, of one deal."""
    asked = "".join(rf",{expression},\n" for expression in expressions)[1:]
    text = f"produce 1\n{statement}\naction printes({asked})\n"
    run = subprocess.run(
        ["dealer", "-s", "1"], input=text, capture_output=True, text=True, check=True
    )
    return [int(line) for line in run.stdout.splitlines()[: len(expressions)]]


def write(name, head, rows):
    with open(f"fixtures/dealer/{name}.csv", "w") as file:
        for row in [head, *rows]:
            print(*row, sep=",", file=file)


def hands():
    """As lists of cards `SA`."""
    deck = [suit + rank for suit in "SHDC" for rank in RANKS]
    suits = itertools.cycle("SHDC")
    for size in range(8):
        for high in itertools.combinations(RANKS[:7], size):
            for low in range(7):
                suit = next(suits)
                holding = [suit + rank for rank in [*high, *chance.sample(RANKS[7:], low)]]
                others = [card for card in deck if card[0] != suit]
                yield holding + chance.sample(others, 13 - len(holding))
    for shape in itertools.product(range(14), repeat=4):
        if sum(shape) == 13:
            parts = (chance.sample(deck[13 * i :][:13], length) for i, length in enumerate(shape))
            yield [card for part in parts for card in part]
    while True:
        yield chance.sample(deck, 13)


def evaluation(cards):
    suits = ["".join(r for r in RANKS if suit + r in cards) for suit in "SHDC"]
    given = ",".join(suit + ranks for suit, ranks in zip("SHDC", suits) if ranks)
    asked = ["cccc(north)", *(f"quality(north,{suit})" for suit in SUITS)]
    return [".".join(suits), *ask(asked, f"predeal north {given}")]


write("cccc", ["hand", "cccc", *SUITS], map(evaluation, itertools.islice(hands(), 2000)))

contracts = [f"x{level}{strain}" for level in range(1, 8) for strain in "CDHSN"]
rows = [
    [vulnerable, contract, *ask([f"score({vulnerable},{contract},{n})" for n in range(14)])]
    for vulnerable, contract in itertools.product(["nv", "vul"], contracts)
]
write("score", ["vulnerable", "contract", *range(14)], rows)

imps = ask([f"imps({difference})" for difference in range(10_001)])
steps = [i for i in range(1, 10_001) if imps[i] != imps[i - 1]]
write("imps", ["from", "imps"], [[i, imps[i]] for i in steps])
