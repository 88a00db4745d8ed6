"""Deals per second in Python: see scripts/python.sh."""

import importlib.metadata
import importlib.util
import platform
import time
import warnings

import numpy as np

import fairdeal as fd

# Every measurement takes about this many seconds.
SECONDS = 5.0
# A condition is rare if fewer deals satisfy it: others count their tries then.
RARE_PROBABILITY = 1e-4

BALANCED = "shape({0}, any 4333 + any 4432 + any 5332)"
ONE_NOTRUMP = " && ".join(
    [
        BALANCED.format("north"),
        "hcp(north) >= 15",
        "hcp(north) <= 17",
        BALANCED.format("south"),
        "hcp(south) >= 8",
        "hcp(south) <= 9",
    ]
)
RARE = "hcp(north) >= 25 && spades(north) >= 7"
CONDITIONS = {"unconstrained": "", "1NT opposite invitational": ONE_NOTRUMP, "one in a million": RARE}


def measure(deal, least=1):
    """The time per deal of a function that deals a number of deals, and the number."""
    deal(least)
    count = least
    while True:
        begun = time.process_time()
        deal(count)
        seconds = time.process_time() - begun
        if seconds > SECONDS / 3 or count >= 300_000_000:
            return seconds / count, count
        count = int(count * min(10, max(2, SECONDS / 2 / seconds)))


def row(name, form, measured, note=""):
    unit = "tries" if note else "deals"
    per_deal, count = measured
    rate = 1 / per_deal
    shown = f"{rate:,.0f}" if rate >= 10 else f"{rate:.2g}"
    print(f"  {name:9} {form:25} {count:>11,} {unit} {shown:>14} per s{note}", flush=True)


def of_fairdeal(condition, text):
    size = 10_000_000 if text == "" else 1_000_000
    for form in ("hands", "seats"):
        out = condition.deals(size, seed=1, form=form)

        def deal(count, out=out):
            for seed in range(max(1, count // len(out))):
                condition.deals(seed=seed, out=out)

        row("fairdeal", f"an array of {form} again", measure(deal, size))

    def arrays(count):
        for seed in range(max(1, count // size)):
            condition.deals(size, seed=seed)

    row("fairdeal", "a new array of hands", measure(arrays, size))

    def objects(count):
        for _ in fd.Deals(condition.deals(count, seed=1)):
            pass

    row("fairdeal", "Deal objects", measure(objects, 1000))


NOTE = " (from its tries and the exact probability)"


def of_endplay(text, probability):
    from endplay.dealer import generate_deals

    def deal(count):
        wanted = [text] if text else []
        for _ in generate_deals(*wanted, produce=count, max_attempts=-1):
            pass

    def tries(count):
        for _ in generate_deals(text, produce=1, max_attempts=count):
            pass

    if probability > RARE_PROBABILITY:
        row("endplay", "Deal objects", measure(deal))
    else:
        per_try, count = measure(tries, 1000)
        row("endplay", "Deal objects", (per_try / probability, count), NOTE)


def of_redeal(text, probability):
    from redeal import Deal, balanced

    accept = {
        "": lambda deal: True,
        ONE_NOTRUMP: lambda deal: balanced(deal.north)
        and 15 <= deal.north.hcp <= 17
        and balanced(deal.south)
        and 8 <= deal.south.hcp <= 9,
        RARE: lambda deal: deal.north.hcp >= 25 and len(deal.north.spades) >= 7,
    }[text]
    dealer = Deal.prepare()

    def deal(count):
        while count > 0:
            count -= bool(accept(dealer()))

    def tries(count):
        for _ in range(count):
            accept(dealer())

    if probability > RARE_PROBABILITY:
        row("redeal", "Deal objects", measure(deal))
    else:
        per_try, count = measure(tries, 1000)
        row("redeal", "Deal objects", (per_try / probability, count), NOTE)


ACES = sum(1 << 16 * suit for suit in range(4))
SUITS = ("spades", "hearts", "diamonds", "clubs")


def hcp(hand):
    """The points of a column of hands, by NumPy."""
    return sum((4 - rank) * np.bitwise_count(hand & (ACES << rank)) for rank in range(4))


def length(hand, suit):
    """The length of a suit in a column of hands, by NumPy."""
    return np.bitwise_count(hand & (0x1FFF << 16 * SUITS.index(suit)))


def squares(hand):
    return sum(length(hand, suit).astype(np.uint16) ** 2 for suit in SUITS)


# Ten conditions, with the masks of the four columns of hands that one would write by hand.
MASKS = {
    "hcp(north) >= 15 && hcp(north) <= 17": lambda n, e, s, w: (hcp(n) >= 15) & (hcp(n) <= 17),
    "spades(south) >= 5": lambda n, e, s, w: length(s, "spades") >= 5,
    "hcp(north) + hcp(south) >= 25": lambda n, e, s, w: hcp(n) + hcp(s) >= 25,
    "hearts(north) + hearts(south) >= 8": lambda n, e, s, w: length(n | s, "hearts") >= 8,
    BALANCED.format("north"): lambda n, e, s, w: squares(n) <= 47,
    "aces(west) == 2": lambda n, e, s, w: np.bitwise_count(w & ACES) == 2,
    "clubs(east) == 0": lambda n, e, s, w: length(e, "clubs") == 0,
    "hascard(north, 2C)": lambda n, e, s, w: n & (1 << 60) != 0,
    "hcp(south) > hcp(north)": lambda n, e, s, w: hcp(s) > hcp(n),
    "spades(north) == hearts(south)": lambda n, e, s, w: length(n, "spades") == length(s, "hearts"),
}


def seconds_of(work):
    """The least elapsed and processor seconds of three times, and the result."""
    elapsed, processor = [], []
    for _ in range(3):
        begun = time.perf_counter(), time.process_time()
        result = work()
        elapsed.append(time.perf_counter() - begun[0])
        processor.append(time.process_time() - begun[1])
    return min(elapsed), min(processor), result


def masks(size=10_000_000):
    hands = fd.Condition().deals(size, seed=1)
    columns = [hands[:, seat] for seat in range(4)]
    print(f"masks of ten conditions on {size:,} deals: elapsed and processor seconds, and elapsed by NumPy")
    sums = np.zeros(2)
    for text, by_hand in MASKS.items():
        elapsed, processor, mask = seconds_of(lambda: fd.Condition(text).mask(hands))
        of_numpy, _, wanted = seconds_of(lambda: by_hand(*columns))
        assert (mask == wanted).all(), text
        sums += elapsed, of_numpy
        print(f"  {elapsed:6.3f} {processor:6.3f} {of_numpy:6.3f}  {of_numpy / elapsed:5.1f} x  {text}", flush=True)
    print(f"  {sums[0]:6.3f}        {sums[1]:6.3f}  {sums[1] / sums[0]:5.1f} x  all")


def version(name):
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "source" if importlib.util.find_spec(name) else None


def main():
    warnings.simplefilter("ignore")
    packages = {name: version(name) for name in ("fairdeal", "endplay", "redeal")}
    shown = ", ".join(f"{name} {of or 'not installed'}" for name, of in packages.items())
    print(f"# Python {platform.python_version()}, NumPy {np.__version__}, {shown}")
    for name, text in CONDITIONS.items():
        condition = fd.Condition(text)
        probability = float(condition.probability)
        print(f"{name}: probability {probability:.3g}, sampler of 1,000,000 deals: {condition.sampler(1_000_000)}")
        if text:
            print(f"  {text}")
        of_fairdeal(condition, text)
        if packages["endplay"]:
            of_endplay(text, probability)
        if packages["redeal"]:
            of_redeal(text, probability)
    masks()


main()
