"""Times how long commands take to end after a signal; see scripts/interrupt.sh."""

import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import threading
import time

LIMIT, LIMIT_OF_SOLVERS = 0.2, 0.3
LASTS = 0.5
BOARD = b'[Board "1"]\n[Deal "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"]\n\n'


class Silent:
    """A pipe that gets some bytes, and then nothing more."""

    def __init__(self, first):
        self.first = first

    def start(self, command, work):
        process = subprocess.Popen(
            command, cwd=work, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        process.stdin.write(self.first)
        process.stdin.flush()
        return process


class Fifo:
    """A FIFO without a writer."""

    def start(self, command, work):
        path = os.path.join(work, "fifo")
        if not os.path.exists(path):
            os.mkfifo(path)
        return subprocess.Popen(command, cwd=work, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class Output:
    """Output to a file, or to a pipe without a reader."""

    def __init__(self, is_read):
        self.is_read = is_read

    def start(self, command, work):
        stdout = subprocess.DEVNULL if self.is_read else subprocess.PIPE
        return subprocess.Popen(
            command, cwd=work, stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.DEVNULL
        )


class Solving:
    """A run that solves deals: it has begun when its record is written."""

    def start(self, command, work):
        shutil.rmtree(os.path.join(work, "s"), ignore_errors=True)
        process = Output(True).start(command, work)
        while process.poll() is None and not os.path.exists(os.path.join(work, "s", "solved.json")):
            time.sleep(0.001)
        return process


class TimeLimit(Solving):
    """A run that ends by itself after LASTS seconds."""


# Deals of which a strain takes a quarter of a second: flat hands of ten points.
SEATS = ["north", "east", "south", "west"]
HARD = " && ".join(f"shape({seat}, any 4333) && hcp({seat}) == 10" for seat in SEATS)
SOLVE = ["solve", "--where", HARD, "--deals", "1M", "--out", "s"]
RARE = "hcp(north) == 37 && cccc(south) > 2000"
COMMANDS = [
    ("audit of a silent pipe", ["audit", "-", "--out", "a", "--force"], Silent(b"")),
    ("audit of a pipe after a board", ["audit", "-", "--out", "a", "--force"], Silent(BOARD)),
    ("audit --stream of a silent pipe", ["audit", "--stream", "-", "--out", "a", "--force"], Silent(BOARD)),
    ("audit of a FIFO without a writer", ["audit", "fifo", "--out", "a", "--force"], Fifo()),
    ("run", ["run", "unconstrained", "--deals", "1T", "--out", "r", "--force"], Output(True)),
    ("run that keeps no deal", ["run", "--where", RARE, "--deals", "1T", "--out", "r", "--force"], Output(True)),
    ("listing", ["cases", "build", "--where", "hcp(west) >= 9 && hcp(east) >= 9 && spades(west) > 2",
                 "--max-cases", "4G", "--output", "l.cases"], Output(True)),
    ("deal to a file", ["deal", "unconstrained", "-n", "1T"], Output(True)),
    ("deal to a pipe that is not read", ["deal", "unconstrained", "-n", "1T"], Output(False)),
    ("deal that finds no deal", ["deal", "--where", RARE], Output(True)),
    ("solve --all", [*SOLVE, "--all"], Solving()),
    ("solve of one number", [*SOLVE[:2], f"{HARD} && tricks(south, notrump) >= 0", *SOLVE[3:]], Solving()),
    ("solve --for", [*SOLVE, "--all", "--for", f"{1000 * LASTS:.0f}ms"], TimeLimit()),
    ("deal --solve", ["deal", "--where", HARD, "-n", "1M", "--solve", "--format", "pbn"], Output(True)),
    ("deal that asks for par", ["deal", "--where", f"{HARD} && par(NS) > 9000"], Output(True)),
    ("deal --from --solve", ["deal", "--where", "1", "--from", "hard.txt", "--solve", "--format", "pbn"], Output(True)),
]


def main():
    program, work, tries, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    rng = random.Random(seed)
    hard = [program, "deal", "--where", HARD, "-n", "1000", "--seed", "1", "--quiet"]
    with open(os.path.join(work, "hard.txt"), "w") as file:
        subprocess.run(hard, stdout=file, check=True)
    failed = False
    print(f"{'command':<34} {'tries':>5} {'median s':>9} {'longest s':>9}  exit codes")
    for name, arguments, how in COMMANDS:
        times, codes = [], set()
        solves = "solve" in name or "par" in name
        for place in range(tries):
            process = how.start([program, *arguments], work)
            if isinstance(how, TimeLimit):
                begun = time.monotonic() + LASTS
            else:
                time.sleep(0.1 + rng.random() / 2)
                if process.poll() is not None:
                    codes.add(f"{process.returncode} before the signal")
                    continue
                begun = time.monotonic()
                process.send_signal((signal.SIGINT, signal.SIGTERM)[place % 2])
            # A wait with a timeout would poll only every 50 ms.
            watch = threading.Timer(30, process.kill)
            watch.start()
            codes.add(str(process.wait()))
            times.append(time.monotonic() - begun)
            watch.cancel()
            for stream in (process.stdin, process.stdout):
                if stream:
                    try:
                        stream.close()
                    except BrokenPipeError:
                        pass
        longest = max(times, default=float("inf"))
        # `deal` and listings have nothing to save, so the signal itself may end them.
        saves_nothing = name.startswith(("deal", "listing"))
        allowed = {"130", "143"} | ({"-2", "-15"} if saves_nothing else set())
        if isinstance(how, TimeLimit):
            allowed = {"0"}
        left = [entry for entry in os.listdir(work) if entry.startswith((".fairdeal", "l.cases"))]
        if left:
            codes.add("left behind: " + " ".join(left))
        library = os.path.join(work, "s", "deals.zrd")
        if os.path.exists(library) and os.path.getsize(library) % 23:
            codes.add("left behind: a part of a deal")
        bad = longest > (LIMIT_OF_SOLVERS if solves else LIMIT) or not codes <= allowed
        failed |= bad
        middle = statistics.median(times) if times else float("inf")
        print(f"{name:<34} {tries:>5} {middle:>9.3f} {longest:>9.3f}  {', '.join(sorted(codes))}"
              + ("  TOO LONG" if bad else ""), flush=True)
    return failed


sys.exit(main())
