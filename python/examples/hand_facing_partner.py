# %% [markdown]
# Partner's hand is known: what has the other one? The joint distribution of points and shape, exactly.

# %%
import matplotlib.pyplot as plt

import fairdeal as fd

# %%
partner = "predeal south SAQJ94, HK7, DA953, C82"
theory = fd.Condition(partner).theory()
joint = theory.joint("hcp north", "shape north")
print(joint)
likely = sorted(joint, key=lambda row: -float(row["probability"]))[:5]
for row in likely:
    print(f"{row['hcp north']} points, {row['shape north']}: {row['probability']:.4f}")

# %% The marginal distribution is that of the tables.
points = theory["hcp"]["north"]
assert abs(sum(row["probability"] for row in joint if row["hcp north"] == 10) - points[10]) < 1e-12

# %%
shapes = [shape for shape in fd.SHAPES if max(map(int, shape.split("-"))) <= 6]
table = joint.to_pandas().pivot(index="shape north", columns="hcp north", values="probability")
table = table.reindex(shapes).fillna(0)
figure, axes = plt.subplots(figsize=(8, 5))
image = axes.imshow(table.to_numpy(), aspect="auto")
axes.set(xlabel="points", yticks=range(len(shapes)), yticklabels=shapes, title=partner)
figure.colorbar(image, label="probability")
figure.savefig("hand_facing_partner.png")
