"""Compares the speed of two programs: the work of scripts/speed-change.sh."""

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile

MILLION = 1_000_000


def bench(program, path, *arguments):
    """Nanoseconds of processor time for each deal of `bench` on one thread."""
    command = [program, "bench", *arguments, "--threads", "1", "--rounds", "1", "-n", "16M", "--json"]
    environment = dict(os.environ, FAIRDEAL_PATH=path) if path else None
    document = json.loads(subprocess.run(command, env=environment, capture_output=True, check=True).stdout)
    rows = [row for row in document["rows"] if row["program"] == "fairdeal"]
    return rows[-1]["cpu_ns_per_deal"]


def run(program, deals, *arguments):
    """Nanoseconds of processor time for each deal of a whole `run`."""
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "run", *arguments, "--deals", str(deals), "--seed", "1", "--quiet"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([*command, "--out", folder + "/report"], capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return seconds * 1e9 / deals


MEASUREMENTS = [
    *(
        (f"every deal, fits, {path}", lambda of, path=path: bench(of, path, "unconstrained", "--tables", "fits"))
        for path in ("portable", "avx2", "avx512")
    ),
    ("every deal, all tables", lambda of: bench(of, None, "unconstrained", "--tables", "all")),
    *(
        (f"{name}, all tables", lambda of, name=name: bench(of, None, name, "--sampler", "cases", "--tables", "all"))
        for name in ("nine-spades", "balanced-28-30", "flannery-misfit", "flat-three-suiter")
    ),
    ("run: every deal, standard", lambda of: run(of, 20 * MILLION, "unconstrained")),
    ("run: every deal, full", lambda of: run(of, MILLION, "unconstrained", "--battery", "full")),
    ("run: flannery-misfit, standard", lambda of: run(of, 10 * MILLION, "flannery-misfit")),
    ("run: flannery-misfit from a listing, standard", lambda of: run(of, 10 * MILLION, "flannery-misfit", "--sampler", "cases")),
    ("run: cells, tables", lambda of: run(of, 5 * MILLION, "--where", "hcp(north) + hcp(south) >= 33", "--battery", "tables")),
    ("run: rejection", lambda of: run(of, 10 * MILLION, "--where", "spades(north) >= 5 && hascard(north, S2)", "--sampler", "reject")),
]


def main():
    before, after, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
    with open("/proc/cpuinfo") as file:
        model = next(line.split(":")[1].strip() for line in file if line.startswith("model name"))
    print(f"# scripts/speed-change.sh, {rounds} rounds, on {os.cpu_count()} x {model}")
    print(f"{'ns of processor time for each deal':36} {'before':>9} {'after':>9} {'ratio':>7} {'middle half':>14}")
    for name, measure in MEASUREMENTS:
        try:
            pairs = [(measure(before), measure(after)) for _ in range(rounds)]
        except subprocess.CalledProcessError as error:
            print(f"{name:36} not possible: {error.stderr.decode().strip().splitlines()[-1]}")
            continue
        medians = [statistics.median(side) for side in zip(*pairs)]
        low, _, high = statistics.quantiles([b / a for a, b in pairs], n=4)
        print(
            f"{name:36} {medians[0]:9.2f} {medians[1]:9.2f} {medians[1] / medians[0]:7.3f} "
            f"{low:7.3f}-{high:.3f}",
            flush=True,
        )


main()
