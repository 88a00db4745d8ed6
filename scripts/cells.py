"""Measures deals from cells: the work of scripts/cells.sh."""

import csv
import json
import math
import os
import subprocess
import sys
from fractions import Fraction

FAIRDEAL = os.environ["FAIRDEAL"]
BALANCED = "any 4333 + any 4432 + any 5332"

SCENARIOS = [
    "club-length",
    "nine-spades",
    "balanced-28-30",
    "flannery-misfit",
    "flat-three-suiter",
    "west-nine-spades",
    "north-3-hcp",
    "north-2-south-0-1",
    "east-5332-34",
]

# Two hands, with more cases than a file can hold.
WIDE = {
    "balanced 10-12, three-suiter": f"shape(west, {BALANCED}) && hcp(west) >= 10 && hcp(west) <= 12"
    " && shape(east, any 4441 + any 5440) && hcp(east) >= 11 && hcp(east) <= 15",
    "flannery-misfit, north's HCP": "spades(south) == 4 && hearts(south) == 5 && hcp(south) >= 11"
    " && hcp(south) <= 15 && spades(north) <= 3 && hearts(north) <= 2 && hcp(north) <= 40",
    "balanced-28-30, east's HCP": f"shape(west, {BALANCED}) && hcp(west) >= 28 && hcp(west) <= 30"
    " && (spades(east) >= 5 || hearts(east) >= 5) && hcp(east) <= 40",
    "game values, any shape": "hcp(north) + hcp(south) >= 25 && spades(north) >= 0"
    " && spades(south) >= 0",
    "losers 7 and 8": "loser(north) == 7 && loser(south) == 8",
}

balanced = " && ".join(f"shape({seat}, {BALANCED})" for seat in ("north", "east", "south", "west"))

# Three and four hands.
MORE = {
    "strong club auction": "hcp(north) >= 16 && hcp(east) <= 9 && hcp(south) >= 8 && hcp(west) <= 9",
    "strong club, balanced": f"hcp(north) >= 16 && hcp(east) <= 9 && shape(south, {BALANCED})"
    " && hcp(south) >= 8 && hcp(south) <= 10 && hcp(west) <= 9",
    "both sides balanced": balanced,
    "balanced, 15-17 and 8-9": f"{balanced} && hcp(north) >= 15 && hcp(north) <= 17"
    " && hcp(south) >= 8 && hcp(south) <= 9",
    "four shapes": "shape(north, 5332) && shape(east, 3433) && shape(south, 2443)",
    "four shapes, any suits": "shape(north, any 4432) && shape(east, any 5332)"
    " && shape(south, any 4333) && shape(west, any 5422)",
    "HCP 12-13 8-9 10-11 8-9": "hcp(north) >= 12 && hcp(north) <= 13 && hcp(east) >= 8"
    " && hcp(east) <= 9 && hcp(south) >= 10 && hcp(south) <= 11 && hcp(west) >= 8 && hcp(west) <= 9",
    "HCP 10 each": "hcp(north) == 10 && hcp(east) == 10 && hcp(south) == 10 && hcp(west) == 10",
    "an ace each": "aces(north) == 1 && aces(east) == 1 && aces(south) == 1 && aces(west) == 1",
    "five, five, five": "spades(north) == 5 && hearts(east) == 5 && diamonds(south) == 5",
    "weak two, overcall": "spades(north) == 6 && hcp(north) >= 6 && hcp(north) <= 10"
    " && top3(north, spades) >= 2 && hcp(east) >= 12 && hcp(south) >= 10",
    "slam, three hands": "hcp(north) + hcp(south) >= 31 && control(north) >= 5 && hcp(east) >= 4",
    "honours placed": "hascard(north, AS) && hascard(east, AH) && hascard(south, AD)"
    " && hascard(west, AC) && hcp(north) >= 13",
}

# Fewer than one deal in 10^9.
RARE = {
    "one in 10^9": "shape(north, 5422) && shape(east, 3433) && shape(south, 4324)"
    " && hcp(north) == 17 && hcp(east) == 9 && hcp(south) == 10 && hcp(west) == 4",
}


def call(*arguments, codes=(0, 1, 2, 4)):
    done = subprocess.run([FAIRDEAL, *arguments], capture_output=True, text=True)
    if done.returncode not in codes:
        sys.exit(f"{' '.join(arguments)}: {done.returncode}\n{done.stderr}")
    return done


def heading(text):
    print(f"\n{text}\n{'=' * len(text)}", flush=True)


def speed(work):
    heading("Cells of each condition; one thread, deals with all tables; naive: ns per deal of a shuffle")
    print(
        f"{'condition':<30} {'T':>32} {'cells':>10} {'made, s':>8} {'lists, MB':>9}"
        f" {'ns/deal':>9} {'naive':>6} {'M a s':>6} {'peak, MB':>8}"
    )
    conditions = {name: None for name in SCENARIOS} | WIDE | MORE | RARE
    for name, text in conditions.items():
        source = [name] if text is None else ["--where", text]
        told = json.loads(
            call("run", *source, "--sampler", "factored", "--explain", "--json").stdout
        )["cells"]
        path = name
        if text is not None:
            path = os.path.join(work, "condition.dl")
            with open(path, "w") as file:
                file.write(text + "\n")
        bench = call(
            "bench", path, "--sampler", "factored", "--deals", "16M", "--rounds", "3",
            "--threads", "1", "--json",
        )
        bench = json.loads(bench.stdout)
        row = [row for row in bench["rows"] if row["program"] == "fairdeal"][0]
        naive = bench["rows"][0]["cpu_ns_per_deal"]
        print(
            f"{name:<30} {int(told['total']):>32,} {told['cells']:>10,} {told['seconds']:>8.3f}"
            f" {told['bytes'] / 1e6:>9.1f} {row['cpu_ns_per_deal']:>9.1f}"
            f" {naive:>6.0f} {row['deals_per_second'] / 1e6:>6.1f} {bench['peak_bytes'] / 1e6:>8.0f}",
            flush=True,
        )
    heading("The same scenarios from their case files: ns per deal, and naive")
    for name in SCENARIOS:
        bench = call(
            "bench", name, "--sampler", "cases", "--deals", "16M", "--rounds", "3",
            "--threads", "1", "--json",
        )
        bench = json.loads(bench.stdout)
        row = [row for row in bench["rows"] if row["program"] == "fairdeal"][0]
        naive = bench["rows"][0]["cpu_ns_per_deal"]
        print(f"{name:<30} {row['cpu_ns_per_deal']:>9.1f} {naive:>6.0f}", flush=True)


def verdict(folder):
    with open(os.path.join(folder, "run.json")) as file:
        return json.load(file)


def compared(one, other):
    """The verdict on two samples, and S; S is missing if there are too few deals."""
    same = json.loads(call("compare", one, other, "--json").stdout)
    return same["verdict"], math.nan if same["s"] is None else same["s"]


def evidence(run):
    s = run["evidence"]["largest_s"]
    return math.nan if s is None else s


def files(work, deals):
    heading(f"{deals} deals each from the case file and from the cells, seeds 1 and 2")
    print(f"{'scenario':<20} {'file':>12} {'S':>6} {'cells':>12} {'S':>6} {'compared':>12} {'S':>6}")
    every = "clubs(west) <= 13 && clubs(north) <= 13"
    for name in ["unconstrained", *SCENARIOS]:
        one, other = os.path.join(work, "one"), os.path.join(work, "other")
        common = ["--deals", deals, "--battery", "tables", "--quiet", "--force"]
        call("run", name, "--sampler", "cases", "--seed", "1", "--out", one, *common)
        # The scenario without a condition has no cells; a condition that every deal satisfies does.
        source = ["--where", every] if name == "unconstrained" else [name]
        call("run", *source, "--sampler", "factored", "--seed", "2", "--out", other, *common)
        first, second = verdict(one), verdict(other)
        alike = "-", float("nan")
        if name != "unconstrained":
            alike = compared(one, other)
        else:
            first["total"] = second["total"]
        assert first["total"] == second["total"], name
        s = [evidence(run) for run in (first, second)]
        print(
            f"{name:<20} {first['verdict']:>12} {s[0]:>6.2f} {second['verdict']:>12} {s[1]:>6.2f}"
            f" {alike[0]:>12} {alike[1]:>6.2f}",
            flush=True,
        )
        if {first["verdict"], second["verdict"], alike[0]} & AGAINST:
            FAULTS.append(name)


def upper_tail(chi2, dof):
    """P(chi-square > chi2), by Wilson and Hilferty's cube root: to a few per cent."""
    if dof == 0:
        return 1.0
    z = ((chi2 / dof) ** (1 / 3) - (1 - 2 / (9 * dof))) / math.sqrt(2 / (9 * dof))
    return 0.5 * math.erfc(z / math.sqrt(2))


# The columns that name the subject of a table; the other columns name its cells.
TABLES = {
    "patterns": ["seat"],
    "hcp": ["seat"],
    "suit_lengths": ["seat", "suit"],
    "fits": ["side", "suit"],
    "side_hcp": ["side"],
    "cards": ["card"],
}


def against_theory(report, theory):
    """The smallest chi-square p-value of all tables, times their number."""
    worst, count = 1.0, 0
    for table, names in TABLES.items():
        with open(os.path.join(theory, table + ".csv")) as file:
            rows = list(csv.DictReader(file))
        with open(os.path.join(report, table + ".csv")) as file:
            seen = list(csv.DictReader(file))
        groups = {}
        for exact, row in zip(rows, seen, strict=True):
            key = tuple(exact[name] for name in names)
            assert key == tuple(row[name] for name in names)
            groups.setdefault(key, []).append((float(exact["probability"]), int(row["observed"])))
        for cells in groups.values():
            total = sum(observed for _, observed in cells)
            chi2, kept, rest = 0.0, 0, [0.0, 0]
            for probability, observed in cells:
                expected = probability * total
                if expected < 20:
                    rest[0] += expected
                    rest[1] += observed
                else:
                    chi2 += (observed - expected) ** 2 / expected
                    kept += 1
            if rest[0] >= 20:
                chi2 += (rest[1] - rest[0]) ** 2 / rest[0]
                kept += 1
            elif rest[0] == 0:
                assert rest[1] == 0, "an impossible outcome occurred"
            if kept > 1:
                count += 1
                worst = min(worst, upper_tail(chi2, kept - 1))
    return min(1.0, worst * count), count


def rejection(work, generated):
    heading(f"Three and four hands: {generated} deals by rejection, compared with T / D")
    print(
        f"{'condition':<26} {'one deal in':>13} {'kept':>12} {'z':>6} {'theory p':>9}"
        f" {'cells':>12} {'S':>6} {'compared':>12} {'S':>6}"
    )
    for name, text in MORE.items():
        one, other = os.path.join(work, "one"), os.path.join(work, "other")
        theory = os.path.join(work, "theory")
        told = call("theory", "--where", text, "--out", theory, "--force", "--json", codes=(0,))
        chance = Fraction(json.loads(told.stdout)["chance"])
        call("run", "--where", text, "--sampler", "reject", "--deals", generated, "--battery",
             "tables", "--seed", "3", "--quiet", "--force", "--out", one)
        call("run", "--where", text, "--sampler", "factored", "--deals", "10M", "--battery",
             "standard", "--seed", "4", "--quiet", "--force", "--out", other)
        rejected, drawn = verdict(one), verdict(other)
        assert "filter" not in drawn, name
        kept, asked = rejected["filter"]["kept"], rejected["filter"]["drawn"]
        p = float(chance)
        z = (kept - asked * p) / math.sqrt(asked * p * (1 - p))
        worst, tables = against_theory(one, theory)
        alike = compared(one, other)
        print(
            f"{name:<26} {1 / p:>13,.1f} {kept:>12,} {z:>6.2f} {worst:>9.4f}"
            f" {drawn['verdict']:>12} {evidence(drawn):>6.2f}"
            f" {alike[0]:>12} {alike[1]:>6.2f}",
            flush=True,
        )
        if abs(z) > 5 or worst < 1e-6 or {drawn["verdict"], alike[0]} & AGAINST:
            FAULTS.append(name)
    print(f"theory p: the smallest of {tables} tables, times their number")


# Verdicts against the deals, each with its subject.
AGAINST = {"SUSPICIOUS", "VERY SUSPICIOUS", "FAIL", "INVALID", "DIFFERENT", "TOO ALIKE"}
FAULTS = []


def main():
    what, deals, generated, work = sys.argv[1:]
    print(subprocess.run([FAIRDEAL, "--version"], capture_output=True, text=True).stdout.strip())
    with open("/proc/cpuinfo") as file:
        model = [line.split(":")[1].strip() for line in file if line.startswith("model name")]
    print(f"{len(model)} x {model[0] if model else '?'}, load {os.getloadavg()[0]:.1f}")
    if what in ("speed", "all"):
        speed(work)
    if what in ("files", "all"):
        files(work, deals)
    if what in ("rejection", "all"):
        rejection(work, generated)
    if FAULTS:
        sys.exit(f"no: {', '.join(FAULTS)}")


main()
