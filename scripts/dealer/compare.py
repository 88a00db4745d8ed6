"""Compares dealer's averages and frequencies with fairdeal's; see scripts/dealer.sh."""

import csv
import json
import math
import pathlib
import re
import sys

LIMIT = 5.0
EXAMPLES = pathlib.Path("/usr/share/doc/dealer/examples")


def parse(text):
    """The averages, the frequencies and the numbers of deals of dealer's output."""
    averages, frequencies, table = [], [], None
    generated = produced = None
    for line in text.splitlines():
        if match := re.match(r"Generated (\d+) hands", line):
            generated = int(match[1])
        elif match := re.match(r"Produced (\d+) hands", line):
            produced = int(match[1])
        elif match := re.match(r"Frequency (.*):$", line):
            table = {}
            frequencies.append((match[1].strip(), table))
        elif table is not None and (match := re.match(r"(Low|High|\s*-?\d+)\t\s*(\d+)$", line)):
            table[match[1].strip().lower()] = int(match[2])
        elif match := re.match(r"(?:(.*): )?(-?[\d.]+(?:e[+-]\d+)?)$", line):
            table = None
            averages.append((match[1] or "", float(match[2])))
        else:
            table = None
    return averages, frequencies, generated, produced


def log_choose(n, k):
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def tail(n, k, p, upper):
    """P(X >= k) or P(X <= k) of a binomial, by its mass function from k outwards."""
    if p <= 0.0:
        return 1.0 if not upper or k == 0 else 0.0
    if p >= 1.0:
        return 1.0 if upper or k == n else 0.0
    term = math.exp(log_choose(n, k) + k * math.log(p) + (n - k) * math.log1p(-p))
    total, odds = 0.0, p / (1.0 - p)
    while term > total * 1e-17 and 0 <= k <= n:
        total += term
        if upper:
            term *= odds * (n - k) / (k + 1)
            k += 1
        else:
            term *= k / (odds * (n - k + 1))
            k -= 1
    return min(total, 1.0)


def normal_quantile(p):
    """The z whose upper tail is p, by bisection."""
    low, high = 0.0, 40.0
    for _ in range(100):
        middle = (low + high) / 2
        if 0.5 * math.erfc(middle / math.sqrt(2)) > p:
            low = middle
        else:
            high = middle
    return low


def binomial_z(n, k, p):
    """The deviation of k of n from n p, as the z of its exact tail."""
    spread = math.sqrt(n * p * (1.0 - p))
    if spread > 30.0:
        return abs(k - n * p) / spread
    p_value = tail(n, k, p, upper=k > n * p)
    return 0.0 if p_value >= 0.5 else normal_quantile(p_value)


def two_sample_z(k, n, other_k, other_n):
    """Compares two counts of equal probability: given their sum, one is nearly binomial."""
    both = k + other_k
    return binomial_z(both, k, n / (n + other_n)) if both else 0.0


class Worst:
    """The largest z of each kind."""

    def __init__(self):
        self.z, self.what, self.count = 0.0, "-", 0

    def add(self, z, what):
        self.count += 1
        if z > self.z:
            self.z, self.what = z, what


def compare_averages(theirs, deals, ours, worst, exact_worst):
    for (label, mean), row in zip(theirs, ours, strict=True):
        n = int(row["n"])
        variance = float(row["stderr"]) ** 2 * n
        exact = row["exact"]
        expected = float(exact) if exact else float(row["mean"])
        spread = variance / deals if exact else variance / deals + variance / n
        # dealer prints six digits.
        rounding = abs(mean) * 1e-6
        off = max(abs(mean - expected) - rounding, 0.0)
        if off > 0.0:
            worst.add(off / math.sqrt(spread) if spread else math.inf, label or row["label"])
        else:
            worst.add(0.0, label)
        if exact:
            off = abs(float(row["mean"]) - expected)
            error = float(row["stderr"])
            exact_worst.add(off / error if error else (math.inf if off else 0.0), label)


def compare_frequencies(theirs, deals, ours, kept, worst, exact_worst):
    """Compares by place in the output, because frequencies may have equal names."""
    tables = []
    for row in ours:
        if not tables or row["value"] == "low":
            tables.append([])
        tables[-1].append(row)
    for (label, table), rows in zip(theirs, tables, strict=True):
        for row in rows:
            # dealer leaves out rows without deals.
            count = table.get(row["value"], 0)
            what = f'{label or row["label"]} {row["value"]}'
            if row["probability"]:
                p = float(row["probability"])
                worst.add(binomial_z(deals, count, p), what)
                exact_worst.add(binomial_z(kept, int(row["observed"]), p), what)
            else:
                worst.add(two_sample_z(count, deals, int(row["observed"]), kept), what)


def rows(path):
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def skeleton(text):
    """The kinds of lines, without numbers, cards and repetitions."""
    kinds = set()
    for line in text.splitlines():
        if re.fullmatch(r"([AKQJT98765432] |- | )+", line):
            kind = "cards"
        else:
            line = re.sub(r'"[^"]*"', '""', line)
            line = re.sub(r"(?<=[nesw] )[AKQJT98765432.]+(?= )", "hand", line)
            line = re.sub(r"-?\d+(\.\d+)?(e[+-]\d+)?", "#", line)
            kind = re.sub(r"\s+", " ", line)
        kinds.add(kind)
    # Whether there are rows with fewer columns, or Low and High, depends on the deals.
    return {kind for kind in kinds if not re.match(r"( ?#\.)+ $|Low|High", kind)}


def compare_acceptance(record, generated, produced, worst, exact_worst):
    """Compares the shares of deals that satisfy the condition."""
    probability, kept = record.get("probability") or {}, record.get("filter")
    if "fraction" in probability:
        p = float(probability["value"])
        worst.add(binomial_z(generated, produced, p), "acceptance")
        if kept:
            exact_worst.add(binomial_z(record["dealt"], kept["kept"], p), "acceptance")
    elif kept:
        worst.add(two_sample_z(produced, generated, kept["kept"], record["dealt"]), "acceptance")


def main():
    work = pathlib.Path(sys.argv[1])
    with_acceptance = "--acceptance" in sys.argv
    failed = False
    print(f"{'script':22} {'listed':>12} {'kept':>9} {'figures':>7}"
          f" {'dealer z':>8} {'reference z':>11} {'exact':>6} {'exact z':>7}  worst")
    for path in sorted(work.glob("*.dealer")):
        name = path.stem
        record = json.loads((work / f"{name}.json").read_text())
        filtered = record.get("filter")
        kept = filtered["kept"] if filtered else record["deals"]
        averages = rows(work / name / "averages.csv")
        frequencies = rows(work / name / "frequencies.csv")
        dealer, reference, exact = Worst(), Worst(), Worst()
        outputs = [(path.read_text(), dealer)]
        if (refer := EXAMPLES / f"Refer.{name}").exists():
            outputs.append((refer.read_text(), reference))
        for text, worst in outputs:
            theirs, tables, generated, produced = parse(text)
            if not (averages or frequencies):
                continue
            if produced is None:
                print(f"{name}: no number of deals in dealer's output")
                failed = True
                continue
            if with_acceptance:
                compare_acceptance(record, generated, produced, dealer, exact)
            compare_averages(theirs, produced, averages, worst, exact)
            compare_frequencies(tables, produced, frequencies, kept, worst, exact)
        largest = max((dealer, reference, exact), key=lambda worst: worst.z)
        failed |= largest.z >= LIMIT
        print(f"{name:22} {record['cases'] or 'every deal':>12} {kept:>9} {dealer.count:>7}"
              f" {dealer.z:>8.2f} {reference.z:>11.2f} {exact.count:>6} {exact.z:>7.2f}"
              f"  {largest.what}")
        if not (work / f"{name}.output").exists():
            continue
        ours, theirs = (skeleton((work / f"{name}.{kind}").read_text())
                        for kind in ("output", "dealer"))
        if ours != theirs:
            print(f"{name}: the outputs look different: {ours ^ theirs}")
            failed = True
    print("scripts without figures only print; as for all scripts, their layouts are compared")
    print("every z is below 5" if not failed else "SOMETHING IS WRONG")
    return failed


sys.exit(main())
