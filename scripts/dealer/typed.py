"""Deals the scripts with types below some folders; see scripts/dealer.sh."""

import collections
import fractions
import json
import math
import re
import resource
import subprocess
import sys

import public

BOARDS = 36
# Processor time of a set in seconds, and the largest z of measured shares.
ALLOWED = 0.5
MOST_Z = 5


def asked(text):
    """The share of each type, by the names of a script alone."""
    text = public.without_comments(text)
    names = re.findall(r"(?im)^\s*HandType_(\w+)\s*=(?!=)(.*)", text)
    ending = re.compile("_Share$", re.IGNORECASE)
    weights = {ending.sub("", name).lower(): int(value) for name, value in names if ending.search(name)}
    parts = {name: weights.get(name.lower(), 1) for name, _ in names if not ending.search(name)}
    whole = sum(parts.values())
    return {name: fractions.Fraction(part, whole) for name, part in parts.items() if part}


def measured(text):
    """Numbers of deals of types that the comments of a levelled script tell, and of all deals."""
    seen = re.findall(r"(?m)^# (\S+) +0\.\d+ +0\.\d+ +[01]\.\d+ +(\d+)$", text)
    whole = re.search(r"(?m)^# measured over +(\d+) deals", text)
    return {name: int(count) for name, count in seen}, int(whole[1]) if whole else 0


def output(arguments):
    """What the program prints, its messages, and its processor time in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([public.FAIRDEAL, *arguments], capture_output=True, timeout=public.TIMEOUT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"), seconds


def naturals(theory):
    """The natural shares that `theory` knows."""
    known = (of for of in theory if "natural_share" in of)
    return {of["name"]: fractions.Fraction(of["natural_share"]) for of in known}


def differing(shares, dealt, theory):
    """What a set and `theory` say otherwise than the names of the script; nothing if all is equal."""
    for name, share in shares.items():
        if not math.floor(BOARDS * share) <= dealt.get(name, 0) <= math.ceil(BOARDS * share):
            yield f"{name}: {dealt.get(name, 0)} boards for {share}"
    for of in theory:
        if fractions.Fraction(of["share"]) != shares.get(of["name"]):
            yield f"{of['name']}: share {of['share']} in theory"
    if set(shares) != {of["name"] for of in theory} or sum(naturals(theory).values()) > 1:
        yield "types of theory"


def table(shares, dealt, theory, text):
    """Prints a line for each type; returns the largest z of what the script's authors measured."""
    natural = naturals(theory)
    seen, whole = measured(text)
    most = 0.0
    for name, share in shares.items():
        line = f"  {name:14} asked {str(share):>6} dealt {dealt.get(name, 0):2}"
        if name in natural:
            line += f"  natural {float(natural[name]):.6f} = {natural[name]}"
        if name in natural and name in seen and 0 < natural[name] < 1:
            error = math.sqrt(natural[name] * (1 - natural[name]) / whole)
            z = (seen[name] / whole - float(natural[name])) / error
            most = max(most, abs(z))
            line += f"  (measured {seen[name] / whole:.5f}, z {z:.1f})"
        print(line)
    return most


def main():
    sums = collections.Counter()
    failed = []
    most_z = 0.0
    for path, text in public.scripts(sys.argv[1:]):
        text = text.decode("latin-1")
        shares = asked(text)
        if not shares:
            continue
        sums["have types"] += 1
        options = ["--format=pbn", "--seed=1", *public.parameters(text)]
        boards, messages, seconds = output(["deal", str(path), f"-n{BOARDS}", *options])
        dealt = collections.Counter(re.findall(r'\[HandType "(.*?)"\]', boards))
        if "keeps deals by chance" in messages:
            sums["level themselves by chance, and are no mix"] += 1
            continue
        if sum(dealt.values()) != BOARDS:
            error = re.search("(?m)^error: .*", messages)
            print(f"{path.stem}: not read: {error[0] if error else 'no set'}")
            continue
        sums["are read, with a set of 36 boards"] += 1
        sums[f"deal it within {ALLOWED} s of processor time"] += seconds <= ALLOWED
        told, _, spent = output(["theory", str(path), "--json"])
        theory = json.loads(told).get("types", []) if told else []
        is_exact = bool(theory) and len(naturals(theory)) == len(theory)
        sums["have exact natural shares"] += is_exact
        exact = "exact" if is_exact else "not exact"
        print(f"{path.stem}: {len(shares)} types, {seconds:.2f} s; theory {exact}, {spent:.2f} s")
        most_z = max(most_z, table(shares, dealt, theory, text))
        failed += [f"{path.stem}: {what}" for what in differing(shares, dealt, theory)]
    for name, count in sums.items():
        print(f"{count:5} {name}")
    print(f"{len(failed):5} shares differ from those asked for: {'; '.join(failed) or 'none'}")
    print(f"{most_z:5.1f} is the largest z of shares that the scripts' comments give")
    return bool(failed) or most_z >= MOST_Z


sys.exit(main())
