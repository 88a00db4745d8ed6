"""Deals bridge hands with a shuffle of Python, NumPy or a PyPI package.

    python deal.py METHOD DEALS SEED

Writes 52 digits a deal: the seats (1 north to 4 west) of the cards from the ace of spades to the
two of clubs. Every deal shuffles a new sorted deck; north gets the first thirteen cards, east the
next thirteen, and so on.
"""

import functools
import random
import sys

METHOD, DEALS, SEED = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
SORTED = list(range(52))
SUITS = "SHDC"
RANKS = "AKQJT98765432"
CARDS = {suit + rank: 13 * s + r for s, suit in enumerate(SUITS) for r, rank in enumerate(RANKS)}


def card(suit, rank):
    """Returns the number of a card from names such as "Spades" and "10"."""
    names = {"1": "A", "10": "T", "11": "J", "12": "Q", "13": "K", "14": "A"}
    rank = str(rank)
    rank = names.get(rank, rank[0].upper())
    return CARDS[suit[0].upper() + rank]


def in_place(shuffle):
    """Makes a dealer from a function that shuffles a list in place."""

    def deal():
        deck = SORTED.copy()
        shuffle(deck)
        return deck

    return deal


def python_sort():
    """Sorts by a comparison that tosses a coin."""
    key = functools.cmp_to_key(lambda a, b: random.random() - 0.5)
    return lambda: sorted(SORTED, key=key)


def numpy_legacy():
    import numpy

    return in_place(numpy.random.RandomState(SEED).shuffle)


def numpy_generator():
    import numpy

    generator = numpy.random.default_rng(SEED)
    return lambda: generator.permutation(52).tolist()


def endplay():
    """Prints endplay's own lines, which the audit reads as they are."""
    from endplay.dealer import generate_deals

    for deal in generate_deals(produce=DEALS, seed=SEED, max_attempts=DEALS):
        print(deal)


def pydealer():
    import pydealer as package

    def deal():
        deck = package.Deck()
        deck.shuffle()
        return [card(c.suit, c.value) for c in deck]

    return deal


def treys():
    from treys import Card, Deck

    numbers = {c: card(Card.int_to_str(c)[1], Card.int_to_str(c)[0]) for c in Deck().cards}
    generator = random.Random(SEED)
    return lambda: [numbers[c] for c in Deck(seed=generator.getrandbits(64)).cards]


def deck_of_cards():
    from deck_of_cards import deck_of_cards as package

    def deal():
        deck = package.DeckOfCards()
        deck.shuffle_deck()
        return [card(SUITS[c.suit], c.rank) for c in deck.deck]

    return deal


def numpy_dealer():
    from numpyDealer.numpyDeck import Deck

    # Making a deck takes longer than shuffling it; a sorted one is put back before each deal.
    deck = Deck()
    fresh = deck.dk.copy()
    numbers = {id(c): number for number, c in enumerate(fresh)}

    def deal():
        deck.dk = fresh.copy()
        deck.shuffle()
        return [numbers[id(c)] for c in deck.dk]

    return deal


def pseudo_card_shuffle():
    from pcs.card_shuffle import CardShuffle

    def deal():
        shuffler = CardShuffle()
        shuffler.shuffle_cards()
        low = min(shuffler.mixed_cards)
        return [c - low for c in shuffler.mixed_cards]

    return deal


METHODS = {
    "random.shuffle": lambda: in_place(random.shuffle),
    "random.sample": lambda: lambda: random.sample(SORTED, 52),
    "SystemRandom": lambda: in_place(random.SystemRandom().shuffle),
    "sort": python_sort,
    "numpy-legacy": numpy_legacy,
    "numpy-generator": numpy_generator,
    "pydealer": pydealer,
    "treys": treys,
    "deck-of-cards": deck_of_cards,
    "numpyDealer": numpy_dealer,
    "pseudo-card-shuffle": pseudo_card_shuffle,
}


def main():
    if METHOD == "endplay":
        return endplay()
    random.seed(SEED)
    deal = METHODS[METHOD]()
    places = bytes(49 + place // 13 for place in range(52))
    seats = bytearray(52)
    out = sys.stdout.buffer
    for _ in range(DEALS):
        for place, number in enumerate(deal()):
            seats[number] = places[place]
        out.write(seats)


main()
