"""Deal, compute and judge."""

import fairdeal as fd

print(fd.Deals(fd.Condition("hcp(west) >= 20 && hearts(east) == 0").deals(1, seed=1))[0])
print(fd.Condition("hcp(west) >= 20 && hearts(east) == 0").probability)
print(fd.run("hcp(west) >= 20 && hearts(east) == 0", deals=1_000_000, seed=1))
