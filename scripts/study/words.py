"""Effects and numbers in words."""

TITLES = {
    "swap-any": "swaps with any card",
    "swap-any-kept": "each deal resembles the one before",
    "sattolo": "no card keeps its place in the deck",
    "sort-coin": "sorts by tossing coins",
    "sort-coin-kept": "sorts by tossing coins",
    "modulo-8": "some cards are drawn too often",
    "seeds-32": "knows only 4 thousand million deals",
    "seeds-31": "knows only 2 thousand million deals",
    "lcg-swap-any": "knows only 233,280 deals",
    "lcg-few-deals": "knows only 233,280 deals",
    "sine-overlap": "a deal almost gives the next one",
    "sine-few-deals": "repeats its deals",
    "java-seeds": "resembles earlier deals",
    "glibc-seeds": "resembles earlier deals",
    "glibc-stream": "suits split too evenly",
}


def number(value):
    """Returns a number with commas."""
    return f"{value:,.0f}"


def amount(value):
    """Returns a large number in words."""
    for size, word in ((1e9, "thousand million"), (1e6, "million")):
        if value >= size:
            return f"{value / size:.3g} {word}"
    return number(value)


def effect_words(effect, audit):
    """Says the effect of an audit in words."""
    value = audit["effects"][effect][0]
    if effect == "home":
        return f"a hand gets {value / 4:.2f} cards of its own quarter of the sorted deck (3.25 expected)"
    if effect == "repeats":
        deals = audit["deals"]
        among = f", as if only {number(float(f'{deals * deals / 2 / value:.3g}'))} deals existed" if value else ""
        return f"{number(value)} pairs of equal deals (0 expected){among}"
    if effect == "fit-spread":
        direction = "evenly" if value < 2.4853 else "unevenly"
        return f"north and south together hold spades too {direction}: mean square {value:.3f} (2.485 expected)"
    lag = int(effect.split("-")[1])
    before = "as in the deal before" if lag == 1 else f"as {lag} deals before"
    return f"{value:.2f} cards are in the same hand {before} (13 expected)"


def player_words(subject, effect):
    """Says when a player could have seen it."""
    deals = subject["player_from"]
    if not deals:
        return ""
    what = "One deal repeats another" if effect == "repeats" else "A player who counts them sees it"
    evenings = max(1, round(float(f"{deals / 24:.2g}")))
    return f"{what} after some {number(deals)} deals ({number(evenings)} evening{'s' if evenings > 1 else ''})."
