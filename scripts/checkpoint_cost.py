"""Measures the cost of checkpoints: see scripts/checkpoint-cost.sh."""

import json
import os
import shutil
import statistics
import subprocess
import sys
import time

KINDS = [
    ("unconstrained, tables", ["unconstrained", "--battery", "tables"]),
    ("unconstrained, standard", ["unconstrained"]),
    ("unconstrained, full", ["unconstrained", "--battery", "full"]),
    ("flannery-misfit from its listing, standard", ["flannery-misfit", "--sampler", "cases"]),
]
# Seconds of a run, between checkpoints when their cost is measured, and between checkpoints by
# default.
SHORT, OFTEN, REAL, USUAL = 5, 0.25, 90, 30
NEVER = "30d"
THREADS = os.cpu_count()


class Runs:
    def __init__(self, fairdeal, work, options):
        self.fairdeal, self.folder, self.options = fairdeal, os.path.join(work, "run"), options

    def command(self, *options):
        fixed = ["--seed", "1", "--threads", str(THREADS), "--quiet", "--out", self.folder]
        return [self.fairdeal, "run", *self.options, *fixed, *options]

    def deals_in(self, seconds):
        """The number of deals that take about this long, without the listing and other setup."""
        self.measured("--deals", "1000", "--checkpoint", NEVER)
        self.measured("--deals", "10T", "--for", "4s", "--checkpoint", NEVER)
        # The report covers complete batches, the checkpoint all deals. The record in the checkpoint
        # begins at byte 96.
        with open(os.path.join(self.folder, "checkpoint"), "rb") as file:
            described = int.from_bytes(file.read(24)[16:], "little")
            file.seek(96)
            found = json.loads(file.read(described))
        return int(found["dealt"] / found["seconds"] * seconds)

    def measured(self, *options):
        """Processor time, elapsed time, number of checkpoints and size of the last one, of a run."""
        shutil.rmtree(self.folder, ignore_errors=True)
        path = os.path.join(self.folder, "checkpoint")
        begun, seen, size = time.monotonic(), set(), 0
        process = subprocess.Popen(self.command(*options))
        while True:
            # Every checkpoint is a new file, and the previous one is kept.
            ended, status, usage = os.wait4(process.pid, os.WNOHANG)
            try:
                found = os.stat(path)
                seen.add((found.st_ino, found.st_mtime_ns))
                size = max(size, found.st_size)
            except FileNotFoundError:
                pass
            if ended:
                break
            time.sleep(0.005)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, 1, 4):
            raise SystemExit(f"{self.options} ended with {process.returncode}")
        return usage.ru_utime + usage.ru_stime, time.monotonic() - begun, len(seen), size


def main(fairdeal, work, rounds):
    load = os.getloadavg()[0]
    print(f"# {THREADS} threads; load average {load:.2f} before the first run")
    print(f"# runs of {SHORT} s, a checkpoint every {OFTEN} s or none, medians of {rounds} rounds")
    print(
        f"{'kind':27} {'cpu, none':>10} {'cpu, many':>10} {'checkpoints':>11} {'MB':>6}"
        f" {'cpu ms each':>11} {'ms each':>8} {'share at 30 s: cpu':>19} {'time':>8}"
    )
    is_cheap = True
    for name, options in KINDS:
        runs = Runs(fairdeal, work, options)
        deals = ["--deals", str(runs.deals_in(SHORT))]
        none, many = [], []
        for _ in range(rounds):
            none.append(runs.measured(*deals, "--checkpoint", NEVER))
            many.append(runs.measured(*deals, "--checkpoint", f"{int(OFTEN * 1000)}ms"))
        # Looks also save if they are a second apart. The two runs of a round follow each other.
        each = [
            [(b[i] - a[i]) / max(b[2] - a[2], 1) for i in (0, 1)]
            for a, b in zip(none, many, strict=True)
        ]
        cpu, wall = (statistics.median(costs) for costs in zip(*each, strict=True))
        none, many = ([statistics.median(row) for row in zip(*rows)] for rows in (none, many))
        checkpoints = max(many[2] - none[2], 1)
        shares = cpu / (USUAL * THREADS), wall / USUAL
        is_cheap = is_cheap and max(shares) < 0.01
        print(
            f"{name:27} {none[0]:>8.2f} s {many[0]:>8.2f} s {checkpoints:>11.0f} {many[3] / 1e6:>6.1f}"
            f" {cpu * 1e3:>11.1f} {wall * 1e3:>8.1f} {shares[0]:>18.3%} {shares[1]:>8.3%}",
            flush=True,
        )
    print(
        f"# one pair of runs of {REAL} s, with looks that save, and a checkpoint every {USUAL} s or none:"
        " noise depends on the machine"
    )
    runs = Runs(fairdeal, work, KINDS[1][1])
    deals = ["--deals", str(runs.deals_in(REAL))]
    none = runs.measured(*deals, "--checkpoint", NEVER)
    some = runs.measured(*deals, "--checkpoint", f"{USUAL}s")
    print(
        f"{KINDS[1][0]:27} {none[0]:>8.2f} s {some[0]:>8.2f} s, {none[2]} and {some[2]} checkpoints:"
        f" cpu {some[0] / none[0] - 1:+.2%}, time {some[1] / none[1] - 1:+.2%}"
    )
    print(f"# load average {os.getloadavg()[0]:.2f} after the last run")
    print("a checkpoint every 30 s costs " + ("less" if is_cheap else "MORE") + " than 1 %")
    return 0 if is_cheap else 1


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
