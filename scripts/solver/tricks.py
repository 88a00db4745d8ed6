#!/usr/bin/env python3
"""The comparisons of scripts/solver.sh published, computed independently of fairdeal.

    tricks.py WORK LIST

WORK has what fairdeal printed: audit.json, published.json and solved.json (averages), and
published.zrd and again.zrd (tables of the same deals: as read, and solved again). LIST is GIB's.
"""
import json
import math
import sys

SEATS = ["north", "east", "south", "west"]
STRAINS = ["notrumps", "spades", "hearts", "diamonds", "clubs"]
# Declarers in GIB's order, which gives tricks of north and south, and in the order of .zrd.
GIB, ZRD = ["east", "north", "west", "south"], ["west", "north", "east", "south"]
LIMIT = 5


def tricks_of(results):
    """The tricks of each declarer in each strain, from GIB's twenty digits."""
    table = {}
    for place, digit in enumerate(results):
        seat, tricks = GIB[place % 4], int(digit, 16)
        table[seat, STRAINS[place // 4]] = 13 - tricks if seat in ("east", "west") else tricks
    return table


def tables_of_zrd(path):
    data = open(path, "rb").read()
    for start in range(0, len(data), 23):
        digits = [digit for byte in data[start + 13 : start + 23] for digit in (byte & 15, byte >> 4)]
        yield {(ZRD[i % 4], STRAINS[i // 4]): digit for i, digit in enumerate(digits)}


def averages(path):
    found = json.load(open(path))["averages"]
    order = [(seat, strain) for strain in STRAINS for seat in SEATS]
    assert [average["label"] for average in found] == [f"tricks({a}, {b})" for a, b in order]
    return dict(zip(order, found))


def main(work, path):
    published = [tricks_of(line.rstrip().split(":")[1]) for line in open(path)]
    audit = json.load(open(f"{work}/audit.json"))
    tests, deals = audit["evidence"]["tests"], audit["deals"]
    print(f"audit of the published deals: {audit['verdict']}, {tests} tests of {deals:,} deals")
    assert deals == len(published)

    failed = False
    read, again = list(tables_of_zrd(f"{work}/published.zrd")), list(tables_of_zrd(f"{work}/again.zrd"))
    assert len(read) == len(again) > 0 and read == published[: len(read)]
    differ = sum(table[key] != other[key] for table, other in zip(read, again) for key in table)
    print(f"solved again: {len(read):,} published deals, {20 * len(read):,} numbers of tricks, {differ} differ")
    failed |= differ > 0

    theirs, ours = averages(f"{work}/published.json"), averages(f"{work}/solved.json")
    solved = ours["north", "notrumps"]["n"]
    print(f"\nmean tricks of {len(published):,} published deals and of {solved:,} dealt and solved here")
    print(f"{'strain':10} {'declarer':9} {'published':>10} {'dealt':>8} {'difference':>11} {'z':>6}")
    worst = 0
    for key in theirs:
        counted = sum(table[key] for table in published) / len(published)
        assert math.isclose(counted, theirs[key]["mean"], rel_tol=1e-12), key
        difference = ours[key]["mean"] - counted
        z = difference / math.hypot(ours[key]["stderr"], theirs[key]["stderr"])
        worst = max(worst, abs(z))
        mean = ours[key]["mean"]
        print(f"{key[1]:10} {key[0]:9} {counted:10.4f} {mean:8.4f} {difference:11.4f} {z:6.2f}")
    print(f"largest |z| of the 20, which depend on each other: {worst:.2f} (limit {LIMIT})")
    failed |= worst >= LIMIT
    sys.exit(1 if failed else 0)


main(*sys.argv[1:])
