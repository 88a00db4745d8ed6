"""Checks two nights of dealer and deal: see scripts/dealer.sh."""

import json
import pathlib
import sys

nights = pathlib.Path(sys.argv[1])
results = json.loads((nights / "nights.json").read_text())["results"]
print(f"{'night':14} {'task':14} {'deals':>12} {'verdict':13} {'S':>10} {'before':10} strongest evidence")
failed = len(results) != 6
for result in results:
    audit = json.loads((nights / result["night"] / result["task"] / "audit.json").read_text())
    strongest = audit["evidence"]["strongest"][0]
    compared = (result["compared"] or ["none"])[0]
    print(
        f"{result['night']:14} {result['task']:14} {result['deals']:12,} {result['verdict']:13} "
        f"{result['s']:10.2f} {compared:10} {strongest}"
    )
    if result["task"] != "deal-by-seeds":
        is_caught = result["verdict"] == "FAIL" and strongest.startswith("T6 ")
        is_right = is_caught if result["task"] == "dealer" else result["verdict"] in ("PASS", "INCONCLUSIVE")
        failed |= not is_right or compared not in ("none", "ALIKE")
sys.exit(failed)
