# %% [markdown]
# A club's file: read, audited, written for other programs. CLUB_FILE names a file in any format;
# without it, an evening is dealt here.

# %%
import os

import matplotlib.pyplot as plt
import numpy as np

import fairdeal as fd

# %%
path = os.environ.get("CLUB_FILE", "evening.pbn")
if "CLUB_FILE" not in os.environ:
    dealt = fd.Deals(fd.Condition().deals(32, seed=1), board=np.arange(1, 33))
    dealt.write(path, overwrite=True)
evening = fd.read(path)
print(evening, "of", ", ".join(sorted(set(evening.event))) or "an event without a name")

# %% Is there anything against these deals?
verdict = fd.audit(path)
print(verdict)
print("\n".join(verdict.detectable))
verdict.save("audit")

# %% The points of the seats, beside what all deals have.
exact = fd.Condition().theory()["hcp"]["north"]
figure, axes = plt.subplots()
axes.plot(exact * len(evening), "k", label="expected")
for seat in ("north", "east", "south", "west"):
    points = fd.Condition.column(f"hcp({seat})", evening)
    axes.plot(np.bincount(points, minlength=38), ".", label=f"{seat}: mean {points.mean():.2f}")
axes.set(xlabel="points", ylabel="boards", xlim=(0, 25))
axes.legend()
figure.savefig("club_evening.png")

# %% The slams for the analysis after the game, and all boards for another program.
slams = fd.Condition("hcp(north) + hcp(south) >= 33 || hcp(east) + hcp(west) >= 33")
chosen = evening[slams.mask(evening)]
print(len(chosen), "boards with 33 points or more on a side:", chosen.board.tolist())
print(fd.convert(path, "evening.lin", overwrite=True), "boards read and written")
