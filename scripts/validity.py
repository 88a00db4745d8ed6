"""Measures how often fair deals look suspicious: the work of scripts/validity.sh."""

import hashlib
import itertools
import json
import math
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FAIRDEAL = os.environ.get("FAIRDEAL", str(ROOT / "target/release/fairdeal"))
# The test program that makes audits, built from tests/battery/null.rs.
NULL_TEST = os.environ.get("NULL_TEST")
# Finished measurements, from which a stopped measurement resumes.
STATE = ROOT / "reports/runs/validity"

# Deals of each run, and the condition. Groups name the special property of the cases.
CONDITIONS = [
    ("cases of equal weight", [
        (64, "shape(north, 7600 + 6700)"), (1024, "shape(north, 7600 + 6700)"),
        (64, "shape(north, 4333 + 3433)"), (64, "shape(north, any 4333)"),
        (64, "shape(north, any 7600)"), (64, "shape(north, any 9400)"),
        (64, "hcp(north) == 37"), (64, "hcp(north) == 36"),
        (64, "aces(north) == 4 && hcp(north) == 16"),
        (64, "spades(north) == 13 && hearts(east) == 12"),
        (64, "spades(north) == 12 && hearts(east) == 12"),
        (64, "shape(north, any 8500)"), (64, "spades(north) == 13 || hearts(north) == 13"),
        (64, "clubs(west) == 12"), (64, "diamonds(west) == 10 && clubs(west) == 3"),
        (64, "spades(north) == 11 && hearts(north) == 2"), (64, "spades(north) == 12"),
    ]),
    ("weights that fall quickly", [
        (64, "spades(west) >= 8"), (64, "spades(west) >= 9"), (64, "spades(west) >= 10"),
        (64, "spades(west) >= 11"), (64, "spades(west) >= 12"),
        (64, "hcp(north) >= 33"), (64, "hcp(north) >= 34"), (1024, "hcp(north) >= 34"),
        (64, "hcp(north) >= 35"), (64, "hcp(north) >= 36"),
        (64, "spades(north) + hearts(north) == 13"),
        (64, "spades(north) + hearts(north) >= 12"), (64, "clubs(east) >= 11"),
        (64, "hcp(north) == 35"), (64, "controls(north) >= 11"),
        (64, "hearts(south) + spades(south) == 0"),
    ]),
    ("one dominant weight", [
        (64, "hcp(north) <= 1"), (64, "hcp(north) == 0"), (64, "hcp(north) == 1"),
        (64, "hcp(north) == 2"),
        (64, "shape(north, 5332) || spades(north) == 13"), (64, "shape(north, 4432) || spades(north) >= 11"),
        (64, "controls(north) == 12 || controls(north) == 0"),
    ]),
    ("two hands", [
        (64, "spades(west) == 9 && diamonds(east) == 6 && clubs(east) == 6"),
        (64, "hcp(north) == 2 && hcp(south) <= 1"),
        (64, "shape(east, any 5332) && hcp(east) == 34"),
        (64, "hcp(north) == 3"), (64, "hcp(west) == 20 && aces(east) == 2 && hcp(east) == 8"),
        (64, "spades(north) == 7 && spades(south) == 6"),
        (64, "spades(north) == 13 && clubs(south) >= 12"),
        (64, "spades(north) == 10 && spades(south) == 3"), (64, "hcp(east) + hcp(west) == 40"),
    ]),
    ("certain cards", [
        (64, "hascard(north, SA) && hascard(south, SK)"),
        (64, "hcp(north) >= 30 && spades(north) == 6"), (64, "spades(north) == 13"),
        (64, "spades(north) == 13 && clubs(south) == 13"),
    ]),
    ("few possible deals, from cells", [
        (1, "spades(north) == 13 && hearts(east) == 13 && diamonds(south) == 13"),
        (64, "spades(north) == 13 && hearts(east) == 13 && diamonds(south) == 13"),
        (21, "spades(north) == 13 && hearts(east) == 13 && diamonds(south) >= 12"),
        (64, "spades(north) == 13 && hearts(east) == 13 && diamonds(south) >= 12"),
        (64, "spades(north) == 13 && hearts(east) == 13 && diamonds(south) >= 11"),
        (512, "spades(north) == 13 && hearts(east) == 13 && diamonds(south) >= 11"),
        (64, "spades(north) == 13 && hearts(east) == 13 && diamonds(south) == 10"),
        (64, "aces(north) == 1 && aces(east) == 1 && aces(south) == 1"),
        (64, "spades(north) == 13 && hcp(east) >= 25 && hcp(south) >= 4"),
    ]),
    ("a filter", [
        (64, "hascard(north, 2C) && hcp(north) >= 34"), (64, "hascard(north, 2C)"),
        (64, "shape(north, 7600 + 6700) && hascard(south, 2C)"),
    ]),
    ("any deal", [
        (16, "1"), (64, "1"),
    ]),
]


def poisson_upper(count, mean):
    """P(X >= count) of a Poisson variable."""
    if count == 0:
        return 1.0
    term, below = math.exp(-mean), 0.0
    for k in range(count):
        below += term
        term *= mean / (k + 1)
    return max(0.0, 1.0 - below)


def is_kept(runs, reached):
    """Whether no level was reached more often than guaranteed, at 99.9 % confidence."""
    return all(poisson_upper(n, runs * 10.0**-s) > 0.001 for s, n in enumerate(reached, 1))


def hash_of(program):
    return hashlib.sha256(pathlib.Path(program).read_bytes()).hexdigest()[:12]


def once(name, program, measure):
    """The result of a measurement by a program, made once and then read from its file."""
    # Names that differ only in their operators have the same words.
    words = "".join(c if c.isalnum() else "_" for c in name)[:100]
    digest = hashlib.sha256(name.encode()).hexdigest()[:8]
    kept = STATE / f"{words}_{digest}_{hash_of(program)}.json"
    if kept.exists():
        return json.loads(kept.read_text())
    result = measure()
    STATE.mkdir(parents=True, exist_ok=True)
    part = kept.with_suffix(".part")
    part.write_text(json.dumps(result))
    part.rename(kept)
    return result


def self_tested(deals, condition, runs):
    """The levels that fair runs reached, and the largest S."""
    arguments = [FAIRDEAL, "run", f"--self-test={runs}", "--deals", str(deals), "--seed", "1"]
    made = subprocess.run(
        arguments + ["--where", condition, "--json"], capture_output=True, text=True
    )
    if not made.stdout.startswith("{"):
        sys.exit(f"{condition}, {deals} deals: {made.stderr.strip()}")
    found = json.loads(made.stdout)
    # A run without tests reaches no level.
    return {"reached": found["reached"], "largest_s": found["largest_s"]}


def row(group, condition, deals, runs, reached, largest):
    kept = is_kept(runs, reached)
    counts = "".join(f"{n:>8}" for n in reached[:3])
    shown = "-" if largest is None else f"{largest:.2f}"
    word = "kept" if kept else "BROKEN"
    print(f"{group:<27}{deals:>6}{runs:>9}{counts}{shown:>8}  {word:<7}{condition}", flush=True)
    return kept


def head(title, columns=True):
    print(f"\n# {title}")
    if columns:
        print(f"{'cases':<27}{'deals':>6}{'runs':>9}{'S>=1':>8}{'S>=2':>8}{'S>=3':>8}{'most':>8}")


def runs(count, share):
    """Self-tests of every condition, or of each `share`-th one."""
    head("fair runs of the smallest sizes: how often S reached 1, 2, 3, and the largest S")
    every = [(g, d, c) for g, conditions in CONDITIONS for d, c in conditions]
    kept = []
    for group, deals, condition in every[::share]:
        found = once(f"{condition} {deals} {count}", FAIRDEAL,
                     lambda: self_tested(deals, condition, count))
        kept.append(row(group, condition, deals, count, found["reached"], found["largest_s"]))
    print(f"{len(kept)} conditions and sizes, {kept.count(False)} broken")
    return all(kept)


def audited(kind, count):
    """The fields that the test program prints for one kind of boards; None for an unknown kind."""
    made = subprocess.run(
        [NULL_TEST, "--ignored", "--nocapture", "how_often_audits"], capture_output=True, text=True,
        env=os.environ | {"FAIRDEAL_VALIDITY_KIND": str(kind), "FAIRDEAL_VALIDITY_RUNS": str(count)},
    )
    if made.returncode != 0:
        sys.exit(f"audits: {made.stdout}{made.stderr}")
    lines = [line for line in made.stdout.splitlines() if "audit\t" in line]
    return lines[0].split("audit\t")[1].split("\t") if lines else None


def audits(count):
    """Audits of every kind of boards that the test program knows."""
    head("perfect files of boards, audited")
    kept = []
    for kind in itertools.count():
        found = once(f"audits {kind} {count}", NULL_TEST, lambda: audited(kind, count))
        if found is None:
            break
        name, deals, made, *reached, largest = found
        reached = [int(n) for n in reached]
        kept.append(row("an audit", name, deals, int(made), reached, float(largest)))
    print(f"{len(kept)} kinds of files, {kept.count(False)} broken")
    return bool(kept) and all(kept)


# Conditions whose tables have two or three cells, so that p-values have steps.
DISCRETE = [
    "hcp(north) >= 34", "hcp(north) >= 36", "hcp(north) == 37", "hcp(north) <= 1",
    "spades(west) >= 11", "shape(north, 7600 + 6700)", "spades(north) == 13",
    "spades(north) == 13 && hearts(east) == 12", "controls(north) == 12",
    "shape(north, 5332) || spades(north) == 13",
]


def repeated(condition, times, runs_each):
    """How often a self-test has the verdicts PASS, SUSPICIOUS and FAIL."""
    codes = [0, 0, 0]
    for place in range(times):
        made = subprocess.run(
            [FAIRDEAL, "run", f"--self-test={runs_each}", "--deals", "1024", "--quiet",
             "--seed", str(place << 32), "--where", condition],
            capture_output=True, text=True,
        )
        if made.returncode not in range(3):
            sys.exit(f"{condition}: {made.stderr.strip()}")
        codes[made.returncode] += 1
    return codes


def repetitions(times, runs_each):
    """Repeats self-tests of discrete conditions and counts their verdicts."""
    head(f"self-tests of {runs_each} runs of 1,024 deals, each {times} times: PASS (p > 10^-3), "
         "SUSPICIOUS, FAIL (p < 10^-6)", columns=False)
    failed = 0
    for condition in DISCRETE:
        passed, suspicious, wrong = once(f"repeated {condition} {times} {runs_each}", FAIRDEAL,
                                         lambda: repeated(condition, times, runs_each))
        failed += wrong
        # One in 1,000 may be SUSPICIOUS.
        if poisson_upper(suspicious, times / 1000) <= 0.001:
            failed += 1
        print(f"{condition:<45}{passed:>6}{suspicious:>6}{wrong:>6}", flush=True)
    return failed == 0


def main():
    mode, *rest = sys.argv[1:]
    if mode == "runs":
        good = runs(int(rest[0]), int(rest[1]))
    elif mode == "repetitions":
        good = repetitions(int(rest[0]), int(rest[1]))
    else:
        good = audits(int(rest[0]))
    sys.exit(0 if good else 1)


main()
