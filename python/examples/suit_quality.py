# %% [markdown]
# A suit quality of one's own: how good is the suit of a weak two? DEALS is the number of deals.

# %%
import os
import time

import matplotlib.pyplot as plt
import numpy as np

import fairdeal as fd

DEALS = int(os.environ.get("DEALS", "10000000"))

# %% Weighted honours, and one more for each pair of neighbours.
HELD = {rank: f"hascard(north, {rank}S)" for rank in "AKQJ"}
QUALITY = (
    f"5*{HELD['A']} + 4*{HELD['K']} + 3*{HELD['Q']} + 2*{HELD['J']}"
    f" + ({HELD['A']} && {HELD['K']}) + ({HELD['K']} && {HELD['Q']}) + ({HELD['Q']} && {HELD['J']})"
)
weak_two = fd.Condition("spades(north) == 6 && hcp(north) >= 5 && hcp(north) <= 10 && hearts(north) < 4")
print("one hand in", round(float(1 / weak_two.probability)))

# %%
begun = time.perf_counter()
counts = np.zeros((38, 32), dtype=np.int64)
for hands in weak_two.stream(seed=1, n=DEALS):
    points = fd.Condition.column("hcp(north)", hands)
    quality = fd.Condition.column(QUALITY, hands)
    np.add.at(counts, (points, quality), 1)
print(f"{DEALS:,} deals in {time.perf_counter() - begun:.1f} s")

# %% The exact mean, beside that of the deals.
mean = (counts.sum(0) * np.arange(32)).sum() / DEALS
law = weak_two.theory().joint(QUALITY, exact=True)
exact = sum(row[QUALITY] * row["probability"] for row in law)
print(f"mean quality: {mean:.4f} dealt, {float(exact):.4f} exact")
assert abs(mean - float(exact)) < 25 / DEALS**0.5

# %%
figure, axes = plt.subplots()
for hcp in (5, 7, 10):
    shares = counts[hcp] / max(1, counts[hcp].sum())
    axes.plot(shares[:20], label=f"{hcp} points")
axes.set(xlabel="suit quality", ylabel="share", title="spades of a weak two")
axes.legend()
figure.savefig("suit_quality.png")
