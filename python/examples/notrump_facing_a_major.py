# %% [markdown]
# A 1NT opening faces 8 or 9 points with a five-card major: is game in the major or in notrumps the
# better goal, and how much does opener's support matter? Exact probabilities answer the first part,
# double-dummy tricks the second. DEALS is the number of deals that are solved, some 0.1 s each.

# %%
import os

import matplotlib.pyplot as plt
import numpy as np

import fairdeal as fd

DEALS = int(os.environ.get("DEALS", "200"))

# %%
opening = fd.Condition(
    "hcp(north) >= 15 && hcp(north) <= 17 && shape(north, any 4333 + any 4432 + any 5332)",
    "1NT",
)
answer = fd.Condition("hcp(south) >= 8 && hcp(south) <= 9 && spades(south) == 5 && hearts(south) < 5")
both = opening & answer
print(f"one deal in {float(1 / both.probability):.0f}")
print(f"given 1NT, one hand in {float(1 / answer.given(opening).probability):.1f} is such an answer")

# %% Opener's support, exactly.
theory = both.theory()
support = theory["suit_lengths"]["north", "spades"]
for cards in (2, 3, 4, 5):
    print(f"{cards} spades: {support[cards]:.4f}")
print(f"three or more: {float(sum(theory.exact('suit_lengths', ('north', 'spades'))[3:])):.4f}")

# %% Tricks of north in notrumps (0) and of south in spades (1), on the same deals.
hands = both.deals(DEALS, seed=1)
tricks = fd.tricks(hands)
notrumps, spades = tricks[:, 0, 0], tricks[:, 2, 1]
length = fd.Condition.column("spades(north)", hands)

# %%
figure, axes = plt.subplots()
lengths = np.unique(length)
for offset, name, makes in ((-0.2, "3NT", notrumps >= 9), (0.2, "4 spades", spades >= 10)):
    shares = [makes[length == of].mean() for of in lengths]
    axes.bar(lengths + offset, shares, 0.4, label=name)
axes.set(xlabel="opener's spades", ylabel="share that makes", xticks=lengths, title=f"{DEALS} deals")
axes.legend()
figure.savefig("notrump_facing_a_major.png")
