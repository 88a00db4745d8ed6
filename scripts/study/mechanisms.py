"""Simulations of the mechanisms that make a shuffle unfair, ten lines each or fewer.

    python3 mechanisms.py NAME DEALS SEED

Writes deals like deal.py. The simulations share no code with the programs that they explain: they
draw from Python's own generator, or compute a program's generator again from its definition.
"""

import collections
import itertools
import math
import random
import sys


def swap_any(deck):
    """Every place changes its card with any place of the deck."""
    for i in range(52):
        j = int(random.random() * 52)
        deck[i], deck[j] = deck[j], deck[i]


def fisher_yates(deck, numbers):
    """The fair shuffle, with these numbers from 0 to 1."""
    for i in range(51, 0, -1):
        j = int(next(numbers) * (i + 1))
        deck[i], deck[j] = deck[j], deck[i]


def sattolo(deck):
    """Every place changes its card with an earlier place, never with itself."""
    for i in range(51, 0, -1):
        j = int(random.random() * i)
        deck[i], deck[j] = deck[j], deck[i]


def sort_coin(deck):
    """The first run goes on while the coin says so; then every card is inserted by binary search."""
    end, descending = 2, random.random() < 0.5
    while end < 52 and (random.random() < 0.5) == descending:
        end += 1
    if descending:
        deck[:end] = deck[:end][::-1]
    for start in range(end, 52):
        left, right = 0, start
        while left < right:
            middle = (left + right) // 2
            left, right = (left, middle) if random.random() < 0.5 else (middle + 1, right)
        deck.insert(left, deck.pop(start))


def modulo_8(deck):
    """The index is a random byte modulo the number of cards left."""
    for i in range(51, 0, -1):
        j = random.getrandbits(8) % (i + 1)
        deck[i], deck[j] = deck[j], deck[i]


def seeded(bits):
    """Each deal is one of 2^bits."""

    def shuffle(deck):
        generator = random.Random(random.getrandbits(bits))
        generator.shuffle(deck)

    return shuffle


def lcg(deck, state):
    """A generator with 233,280 states; every place, from the last on, changes with any place."""
    for i in range(51, 0, -1):
        state = (state * 9301 + 49297) % 233280
        j = state * 52 // 233280
        deck[i], deck[j] = deck[j], deck[i]


def sines(seed):
    """Yields the fifth and later decimals of the sines of consecutive numbers."""
    while True:
        yield math.sin(seed) * 10000 % 1
        seed += 1


def java(seed):
    """Yields the upper 31 of 48 bits of java.util.Random's generator."""
    state = seed ^ 0x5DEECE66D
    while True:
        state = (state * 0x5DEECE66D + 11) % (1 << 48)
        yield state >> 17


def java_shuffle(deck, seed):
    """Takes numbers modulo the cards left, or their upper bits if that is a power of two."""
    numbers = java(seed)
    for i in range(52, 1, -1):
        number = next(numbers)
        j = number * i >> 31 if i & (i - 1) == 0 else number % i
        deck[i - 1], deck[j] = deck[j], deck[i - 1]


def glibc(seed):
    """Yields random() of glibc: each word is the sum of those 3 and 31 places before it."""
    first = [seed]
    while len(first) < 31:
        first.append(first[-1] * 16807 % (2**31 - 1))
    words = collections.deque(first + first[:3], maxlen=31)
    for n in itertools.count(34):
        words.append((words[-3] + words[0]) % 2**32)
        if n >= 344:
            yield (words[-1] >> 1) / 2**31


class Stream:
    """Numbers of one stream, of which every deal takes 52, one place later than the one before."""

    def __init__(self):
        self.window = [random.random() for _ in range(52)]

    def shift(self):
        self.window = self.window[1:] + [random.random()]
        return iter(self.window)


def dealers(name, first):
    """Returns a function that shuffles a deck, and whether the deck is kept between deals."""
    stream = Stream()
    number = iter(range(first, 1 << 62))
    below = random.randrange
    additive = glibc(first + 1)
    return {
        "swap-any": (swap_any, False),
        "swap-any-kept": (swap_any, True),
        "sattolo": (sattolo, False),
        "sort-coin": (sort_coin, False),
        "sort-coin-kept": (sort_coin, True),
        "modulo-8": (modulo_8, False),
        "seeds-32": (seeded(32), False),
        "seeds-31": (seeded(31), False),
        "lcg-swap-any": (lambda deck: lcg(deck, next(number)), False),
        "lcg-few-deals": (lambda deck: lcg(deck, below(1 << 31)), False),
        "sine-overlap": (lambda deck: fisher_yates(deck, stream.shift()), False),
        "sine-few-deals": (lambda deck: fisher_yates(deck, sines(1 + below(1 << 31))), False),
        "java-seeds": (lambda deck: java_shuffle(deck, next(number)), False),
        "glibc-stream": (lambda deck: fisher_yates(deck, additive), False),
        "glibc-seeds": (lambda deck: fisher_yates(deck, glibc(next(number))), False),
    }[name]


def main():
    name, deals, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    random.seed(f"mechanism {name} {seed}")
    shuffle, is_kept = dealers(name, 100_000_000 * seed + 1)
    deck, seats = list(range(52)), bytearray(52)
    for _ in range(deals):
        if not is_kept:
            deck = list(range(52))
        shuffle(deck)
        for place, card in enumerate(deck):
            seats[card] = 49 + place // 13
        sys.stdout.buffer.write(seats)


main()
