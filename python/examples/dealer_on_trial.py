# %% [markdown]
# A dealer of one's own on trial: a shuffle that swaps every card with any card looks random, and is
# not. A correct shuffle stands beside it. DEALS is the number of deals of each.

# %%
import os
from collections.abc import Callable

import matplotlib.pyplot as plt
import numpy as np
import numpy.typing as npt

import fairdeal as fd

DEALS = int(os.environ.get("DEALS", "200000"))
random = np.random.default_rng(1)

# %%
def fair(seats: npt.NDArray[np.uint8]) -> None:
    """Shuffle each row by NumPy."""
    seats[:] = np.repeat(np.arange(4), 13)
    random.permuted(seats, axis=1, out=seats)


def naive(seats: npt.NDArray[np.uint8]) -> None:
    """Swap each card with any card, not only with one of those that are left."""
    seats[:] = np.repeat(np.arange(4), 13)
    rows = np.arange(len(seats))
    for card in range(52):
        other = random.integers(0, 52, len(seats))
        seats[rows, card], seats[rows, other] = seats[rows, other], seats[rows, card].copy()


# %%
dealers: dict[str, Callable[[npt.NDArray[np.uint8]], None]] = {"fair": fair, "naive": naive}
verdicts = {name: fd.audit(dealer, deals=DEALS) for name, dealer in dealers.items()}
for name, verdict in verdicts.items():
    print(name, verdict)
    print("\n".join(verdict.evidence[:2] if not verdict.is_fair else verdict.detectable[:2]))

# %% Which cards the naive shuffle leaves where they were.
figure, axes = plt.subplots()
for name, verdict in verdicts.items():
    cards = [row for row in verdict.table("cards") if row["seat"] == "north"]
    axes.plot([row["z"] for row in cards], label=f"{name}: {verdict.level}")
axes.set(xlabel="card, from the ace of spades to the two of clubs", ylabel="z of north's cards")
axes.legend()
figure.savefig("dealer_on_trial.png")

# %% The report for the authors of the shuffle.
verdicts["naive"].save("naive")
