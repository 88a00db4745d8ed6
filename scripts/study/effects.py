"""Effects that a player can understand, computed from the JSON and the tables of an audit."""

import csv
import math

LAGS = (1, 2, 3, 4, 8, 16, 36)
# The variance of the number of cards, of 52, that a fair deal gives to the seats of a given deal.
STAY_VARIANCE = 169 / 17
# The variance of the number of cards of thirteen given ones in a hand.
HAND_VARIANCE = 13 * (1 / 4) * (3 / 4) * (39 / 51)
# The mean and the variance of the square of what a side's cards of a suit differ from 6.5.
FIT_MEAN, FIT_VARIANCE = 2.485294, 11.790975
BLOCK = 65536
SEATS = ("north", "east", "south", "west")
SUITS = "SHDC"


def of_audit(found, report):
    """Returns the verdict, the strongest tests and the effects of an audit."""
    evidence = found["evidence"]
    looks = evidence["looks"]
    failed = [deals for deals, s in looks if s >= 9]
    return {
        "verdict": found["verdict"],
        "s": evidence["largest_s"],
        "looks": looks,
        "fails_from": failed[0] if failed else None,
        "strongest": evidence["strongest"],
        "detectable": evidence["detectable_effects"],
        "bounds": {row["quantity"]: row["relative_bound"] for row in found["bounds"]},
        "tests": sum(row["verdict"] != "not tested" for row in found["tests"]),
        "failed_tests": [f"{row['test']}, {row['subject']}" for row in found["tests"] if row["verdict"] == "FAIL"],
        "effects": measured(found, report),
    }


def measured(found, report):
    """Returns every effect as its value, its standard error and the number of deals."""
    deals = found["deals"]
    tests = {(row["test"], row["subject"]): row["statistic"] for row in found["tests"]}
    effects = {}
    for lag in LAGS:
        z = tests.get(("T6 trace", f"lag {lag}"))
        pairs = deals - lag * math.ceil(deals / BLOCK)
        if z is not None and pairs > 0:
            error = math.sqrt(STAY_VARIANCE / pairs)
            effects[f"stay-{lag}"] = [13 + z * error, error]
    effects["home"] = [home(report, deals), math.sqrt(STAY_VARIANCE / deals)]
    effects["fit-spread"] = fit_spread(report, deals)
    pairs = tests.get(("T8 duplicates", "all"))
    if pairs is not None:
        # Of more than 2^20 deals, only those are kept whose hash begins with k zeros.
        share = 2.0 ** -max(0, math.ceil(math.log2(deals / (1 << 20)))) if deals > 1 << 20 else 1.0
        effects["repeats"] = [pairs / share, math.sqrt(max(pairs, 1)) / share]
    return effects


def home(report, deals):
    """Returns the mean number of cards that come to the seat of their suit: spades to north, .. ."""
    total = 0
    with open(report / "cards.csv", newline="") as file:
        for row in csv.DictReader(file):
            if SUITS.index(row["card"][0]) == SEATS.index(row["seat"]):
                total += int(row["observed"])
    return total / deals


def fit_spread(report, deals):
    """Returns the mean square of what north-south's spades differ from 6.5, and its error."""
    with open(report / "fits.csv", newline="") as file:
        rows = [row for row in csv.DictReader(file) if (row["side"], row["suit"]) == ("north-south", "spades")]
    squares = [(float(row["length"]) - 6.5) ** 2 for row in rows]
    shares = [float(row["probability"]) for row in rows]
    mean = sum(square * share for square, share in zip(squares, shares))
    variance = sum(square * square * share for square, share in zip(squares, shares)) - mean * mean
    observed = sum(square * int(row["observed"]) for square, row in zip(squares, rows)) / deals
    return [observed, math.sqrt(variance / deals)]


def player_deals(effect, value, deals):
    """Returns the number of deals after which one player's count is five standard errors off.

    The player counts the cards of a suit in one hand (home), or the cards of a hand that were in it
    on the earlier deal (stay); for repeats, it is the number of deals among which one repeats an
    earlier one, on average; for fit-spread, of deals whose number of spades at north-south is kept.
    """
    if effect == "repeats":
        return math.sqrt(deals * deals / value) if value else None
    if effect == "fit-spread":
        return 25 * FIT_VARIANCE / (value - FIT_MEAN) ** 2
    shift = abs(value - 13) / 4
    return 25 * HAND_VARIANCE / (shift * shift) if shift else None
