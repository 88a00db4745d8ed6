"""Compares runs of several processes with runs of one: see scripts/cluster.sh."""

import dataclasses
import fcntl
import json
import math
import os
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import time

import crash
import report_folders
from crash import Fault

# A condition without a listing, and one whose case file all processes map.
FILTERED = "hcp(north) + hcp(south) >= 25 and shape(north, any 4333 + any 4432 + any 5332)"
# Name, input and options, deals, and the maximum number of deals per batch.
SAME = [
    ("unconstrained, standard", ["unconstrained"], 50_000_000, "4Mi"),
    ("unconstrained, full", ["unconstrained", "--battery", "full"], 20_000_000, "1Mi"),
    ("flat-three-suiter from its listing, standard", ["flat-three-suiter", "--sampler", "listing"], 30_000_000, "2Mi"),
    ("filtered, nothing listed", ["--where", FILTERED, "--sampler", "rejection"], 30_000_000, "2Mi"),
    ("narrowed and filtered, with averages", ["SCRIPT"], 20_000_000, "1Mi"),
]
PROCESSES = [2, 3, 5]
PARTS = [1, 7]
# The killed runs: the fields of SAME, and the share of the kills.
KILLED = [
    ("unconstrained, standard", ["unconstrained"], 200_000_000, "2Mi", 0.4),
    ("unconstrained, full", ["unconstrained", "--battery", "full"], 15_000_000, "1Mi", 0.2),
    ("flannery-misfit from its listing, standard", ["flannery-misfit", "--sampler", "listing"], 100_000_000, "2Mi", 0.2),
    ("narrowed and filtered, with averages", ["SCRIPT"], 10_000_000, "1Mi", 0.2),
]
# Fewer kills make a short check: runs are shorter by this factor, without the case file of a
# gigabyte, and speed is not measured.
FEW_KILLS, SHORTER = 20, 5
# The share of kills of mpirun.
LAUNCHERS_KILLED = 0.1
PATIENCE = crash.PATIENCE
VERDICTS = (0, 1, 2, 3, 4)
# Seconds in which all processes of a run must end after their launcher.
GONE = 10.0
WRONG_USAGE = 64

# The measured runs: the fields of SAME, with seconds instead of deals.
MEASURED = [
    ("unconstrained, tables", ["unconstrained", "--battery", "tables"]),
    ("unconstrained, standard", ["unconstrained"]),
    ("flannery-misfit from its listing, standard", ["flannery-misfit", "--sampler", "listing"]),
]
ROUNDS, SECONDS = 5, 8.0
# Maximum number of seconds to wait for an idle machine.
QUIET = 300.0
# The model: number of processes, deals per thread in a round for every merge, and the assumed
# network.
MANY, TURN_DEALS = 1000, 1 << 25
BITS_PER_SECOND, LATENCY = 10e9, 50e-6
# Threads of the process whose speed the model uses.
THREADS = 2


class Program:
    """The program, started with any number of processes."""

    def __init__(self, path):
        self.path = os.path.abspath(path)

    def command(self, processes, *arguments):
        launcher = ["mpirun", "-n", str(processes)] if processes > 1 else []
        return [*launcher, self.path, *map(str, arguments)]

    def call(self, processes, *arguments):
        """Runs it to its end: exit code, standard error, seconds."""
        begun = time.monotonic()
        done = subprocess.run(
            self.command(processes, *arguments),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=False,
            timeout=PATIENCE,
        )
        return done.returncode, done.stderr.decode(), time.monotonic() - begun

    def run(self, processes, *arguments):
        """Runs to a verdict; returns the exit code and the log."""
        logs = ["--quiet", "--log", "debug", "--log-format", "json"]
        code, error, _ = self.call(processes, "run", *arguments, *logs)
        if code not in VERDICTS:
            raise Fault(f"{processes} processes ended with {code}: {error.strip()}")
        return code, events(error)


def events(error):
    """The log entries; other output of the launcher is skipped."""
    found = []
    for line in error.splitlines():
        try:
            event = json.loads(line)
        except ValueError:
            continue
        if isinstance(event, dict) and "message" in event:
            found.append(event)
    return found


def record(folder):
    return json.loads(report_folders.read(os.path.join(folder, "run.json")))


def bytes_of(folder):
    return sum(entry.stat().st_size for entry in os.scandir(folder))


def megabytes(count):
    return f"{count / 1e6:.1f}"


def with_script(options, work):
    return [os.path.join(work, "script.dl") if option == "SCRIPT" else option for option in options]


def identical(program, work, kinds, chance):
    """Deals the same run by one process, by several and in parts; returns the sizes and times of parts."""
    ways = [f"{n} processes" for n in PROCESSES] + [f"{n} part{'s' * (n > 1)}" for n in PARTS]
    print(f"{'dealt by 1 process, and by':35} {'deals':>11} {'batch':>5}  {'  '.join(ways)}")
    faults, costs = [], []
    for number, (name, options, deals, batch) in enumerate(kinds):
        base = os.path.join(work, f"same-{number}")
        options = with_script(options, work)
        fixed = [*options, "--deals", deals, "--batch", batch, "--seed", f"0x{chance.getrandbits(60):x}"]
        cells = []
        if "filtered" in name:
            told = subprocess.run(
                program.command(1, "run", *options, "--explain"), capture_output=True, check=True
            )
            if not re.search(rb"^filter ", told.stdout, re.MULTILINE):
                raise Fault(f"{name}: no filter remains")
        whole = f"{base}-1"
        code, _ = program.run(1, *fixed, "--out", whole, "--threads", 2)
        for processes in PROCESSES:
            folder = f"{base}-{processes}"
            found, _ = program.run(processes, *fixed, "--out", folder, "--threads", chance.choice([1, 2]))
            cells.append(compared(name, faults, whole, folder, code, found, f"{processes} processes"))
            shutil.rmtree(folder)
        for parts in PARTS:
            folders = [f"{base}-part-{part}" for part in range(1, parts + 1)]
            for part, folder in enumerate(folders, 1):
                program.run(1, *fixed, "--part", f"{part}/{parts}", "--out", folder)
            folder = f"{base}-merged"
            found, error, seconds = program.call(1, "merge", *folders, "-o", folder, "--quiet")
            if found not in VERDICTS:
                raise Fault(f"{name}: {parts} parts merged ended with {found}: {error.strip()}")
            cells.append(compared(name, faults, whole, folder, code, found, f"{parts} parts"))
            if parts == max(PARTS):
                costs.append((name, folders_cost(folders), seconds, record(whole)["seconds"]))
            for each in (*folders, folder):
                shutil.rmtree(each)
        shutil.rmtree(whole)
        row = "  ".join(f"{cell:>{len(way)}}" for cell, way in zip(cells, ways))
        print(f"{name:35} {deals:>11,} {batch:>5}  {row}", flush=True)
    print("\n".join(faults) if faults else "every report equals that of one process", flush=True)
    return not faults, costs


def compared(name, faults, whole, folder, code, found, way):
    differences = report_folders.differences(whole, folder)
    if found != code:
        differences.append(f"exit code {found}, expected {code}")
    faults.extend(f"{name}, {way}: {line}" for line in differences)
    return "no" if differences else "same"


def folders_cost(folders):
    """Sizes of folders and of the checkpoints in them, in bytes: the largest and the sum."""
    all_bytes = [bytes_of(folder) for folder in folders]
    checkpoints = [os.path.getsize(os.path.join(folder, "checkpoint")) for folder in folders]
    return max(all_bytes), max(checkpoints), sum(all_bytes)


def print_parts(costs):
    parts = max(PARTS)
    print(f"\n{f'{parts} parts':35} {'largest MB':>10} {'of it checkpoint':>16} {'all MB':>7} {'merged in':>9}")
    for name, (folder, checkpoint, every), seconds, _ in costs:
        row = f"{megabytes(folder):>10} {megabytes(checkpoint):>16} {megabytes(every):>7} {seconds:>7.2f} s"
        print(f"{name:35} {row}", flush=True)


def dealing_in(folder, program):
    """The processes of the program that deal into a folder."""
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/cmdline", "rb") as file:
                words = file.read().split(b"\0")
        except OSError:
            continue
        if words[0] == program.path.encode() and folder.encode() in words:
            found.append(int(name))
    return sorted(found)


def is_locked(folder):
    """Whether a process holds the lock of a folder."""
    try:
        with open(os.path.join(folder, report_folders.LOCK), "rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False


def place_of(pid):
    """The rank of an MPI process."""
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            words = file.read().split(b"\0")
    except OSError:
        return None
    for word in words:
        name, _, value = word.partition(b"=")
        if name in (b"OMPI_COMM_WORLD_RANK", b"PMI_RANK"):
            return int(value)
    return None


@dataclasses.dataclass
class Killings(crash.Seen):
    """Counts of kills: of a single process, the first of several, another one, and the launcher."""

    alone: int = 0
    first: int = 0
    others: int = 0
    launchers: int = 0


class Team(crash.Kind):
    """A kind of run that is killed while several processes deal it."""

    def __init__(self, program, work, number, kind, chance):
        name, options, deals, batch, share = kind
        options = [*options, "--batch", batch]
        super().__init__(program.path, work, f"killed-{number}", (name, options, deals, share), chance)
        self.program, self.seen, self.last, self.said = program, Killings(), 1, self.base + "-said"

    def resume(self, folder, is_killed):
        """Resumes with another number of processes; true if the run ended before its kill."""
        before = crash.files(folder)
        dealt = crash.stand(folder) if before else None
        self.last = self.chance.choice([n for n in (1, *PROCESSES) if n != self.last])
        options = ["--resume", "--threads", self.chance.choice("12"), "--log", "debug"]
        options += ["--checkpoint", self.chance.choice(crash.CHECKPOINTS), "--log-format", "json"]
        command = self.program.command(self.last, *self.command(folder, *options)[1:])
        # Write output to a file, because a full pipe would block the processes.
        with open(self.said, "w+b") as said:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said
            )
            victim = None
            # Open MPI's mpirun may wait forever for a process that dies before all have joined.
            while process.poll() is None and b"run started" not in report_folders.read(self.said):
                time.sleep(0.002)
            if is_killed and self.moment(process, folder, before, dealt):
                victim = self.kill(process, folder)
            try:
                process.wait(timeout=PATIENCE)
            except subprocess.TimeoutExpired as hung:
                process.kill()
                raise Fault(f"{self.last} processes did not end, {victim} killed") from hung
            self.all_gone(folder, victim)
            said.seek(0)
            error = said.read().decode(errors="replace")
        return self.ended(folder, before, dealt, process.returncode, error, victim)

    def kill(self, process, folder):
        """Kills one of the processes or the launcher; returns which, or None if all have ended."""
        if self.last == 1:
            process.kill()
            return "alone"
        if self.chance.random() < LAUNCHERS_KILLED:
            process.kill()
            return "launchers"
        while process.poll() is None:
            pids = dealing_in(folder, self.program)
            places = {place_of(pid): pid for pid in pids}
            victim = places.get(self.chance.randrange(self.last))
            if len(places) == self.last and victim:
                place = place_of(victim)
                try:
                    os.kill(victim, signal.SIGKILL)
                except ProcessLookupError:
                    return None
                return "others" if place else "first"
            time.sleep(0.002)
        return None

    def all_gone(self, folder, victim):
        """Waits until all processes have ended and the folder's lock is free."""
        deadline = time.monotonic() + GONE
        while (left := dealing_in(folder, self.program)) or is_locked(folder):
            if time.monotonic() > deadline:
                for pid in left:
                    os.kill(pid, signal.SIGKILL)
                raise Fault(f"{len(left)} of {self.last} processes continued after {victim} was killed")
            time.sleep(0.01)

    def ended(self, folder, before, dealt, code, error, victim):
        """Checks how a run ended; true if it finished."""
        after = crash.files(folder)
        now = crash.stand(folder) if after else None
        # An interrupted run also writes a report, and keeps its checkpoints.
        is_over = "run.json" in after and now is None
        self.went_on(dealt, error, victim)
        if dealt is None and "run.json" not in before:
            self.seen.begun += 1
        if victim is None or code == self.code and is_over:
            # A process that is killed after its last work does not affect the others.
            if code != self.code:
                raise Fault(f"{self.last} processes ended with {code}, expected {self.code}: {error}")
            self.wait *= 1.0 if victim is None else 0.8
            return True
        if code in VERDICTS:
            raise Fault(f"a verdict, {code}, after one of {self.last} was killed ({victim})")
        self.seen.kills += victim != "alone"
        setattr(self.seen, victim, getattr(self.seen, victim) + 1)
        if crash.new(before, after, ".csv"):
            self.seen.reporting += 1
        elif crash.new(before, after, ".part"):
            self.seen.saving += 1
        self.seen.parts += len(crash.new(before, after, ".part"))
        if (now or 0) < (dealt or 0) and not is_over:
            raise Fault(f"{dealt} deals had been saved, but only {now} remain")
        gain = ((now or 0) - (dealt or 0)) / self.deals
        self.wait *= 1.25 if gain == 0 else 0.8 if gain > crash.MOST_GAIN else 1.0
        return False

    def went_on(self, dealt, error, victim):
        """Checks in the log that a run with saved work resumed from it."""
        logged = events(error)
        bad = [event["message"] for event in logged if event["level"] in ("WARN", "ERROR")]
        # mpirun signals the remaining processes.
        bad = [words for words in bad if words != "interrupted" or victim is None]
        if bad:
            raise Fault(f"it said: {bad}")
        if dealt is None:
            return
        begun = [event["fields"]["deals"] for event in logged if event["message"].startswith("resumed")]
        if begun:
            self.seen.resumed += 1
            if min(begun) < dealt:
                raise Fault(f"{dealt} deals had been saved, but it resumed from {min(begun)}")
        elif any(event["message"] in ("turn", "look", "checkpoint saved") for event in logged):
            raise Fault(f"{dealt} deals had been saved, but it started from the beginning")


def killed(program, work, kinds, kills, chance):
    columns = ["alone", "first", "others", "launchers", "saving", "reporting", "resumed", "begun", "parts"]
    heads = ["alone", "first", "other", "mpirun", "saving", "reporting", "resumed", "began", "parts"]
    above = ["", "", "", "", "while", "while", "", "", ""]
    print(f"\n{'killed: one of 2, 3 or 5 processes':35} {'':>11} {'':>4}", end="")
    print(" ".join(f"{word:>{len(head)}}" for word, head in zip(above, heads)))
    row = " ".join(heads)
    print(f"{'kind':35} {'deals':>11} {'runs':>4} {row}  identical")
    total, shared, share, is_sound = Killings(), 0, 0.0, True

    def print_row(name, deals, seen, fault):
        cells = " ".join(f"{getattr(seen, c):>{len(h)}}" for c, h in zip(columns, heads))
        print(f"{name:35} {deals:>11} {seen.runs:>4} {cells}  {f'no: {fault}' if fault else 'yes'}", flush=True)

    for number, kind in enumerate(kinds):
        share += kind[-1]
        wanted = round(share * kills) - shared
        shared += wanted
        team, fault = Team(program, work, number, kind, chance), None
        try:
            team.run(wanted)
        except Fault as error:
            fault, is_sound = error, False
        print_row(kind[0], f"{kind[2]:,}", team.seen, fault)
        for field in dataclasses.fields(Killings):
            setattr(total, field.name, getattr(total, field.name) + getattr(team.seen, field.name))
    print_row("all", "", total, None if is_sound else "see above")
    return is_sound and total.kills >= kills


def speed(program, work, processes, threads, deals, options):
    """Deals per second of a run, and its rounds."""
    folder = os.path.join(work, "speed")
    shutil.rmtree(folder, ignore_errors=True)
    fixed = [*options, "--seed", 1, "--deals", deals, "--checkpoint", "1h"]
    _, logged = program.run(processes, *fixed, "--threads", threads, "--out", folder)
    rounds = [event["fields"] for event in logged if event["message"] == "turn"]
    return deals / record(folder)["seconds"], rounds


def wait_for_quiet():
    """Waits for an idle machine, because other work would distort the measurement."""
    begun = time.monotonic()
    while os.getloadavg()[0] > os.cpu_count() / 2 and time.monotonic() - begun < QUIET:
        time.sleep(10)


def scaling(program, work, kinds, rounds, seconds):
    """Compares the speed of two processes with that of one; returns the cost of reductions."""
    print(f"\n# load average {os.getloadavg()[0]:.2f}; medians of {rounds} rounds, millions of deals per second")
    heads = ["1 process, 1 thread", "2 processes of 1", "1 process, 2 threads"]
    print(f"{'speed':35} {'  '.join(heads)}   of twice 1 thread  of 2 threads")
    costs = []
    for name, options in kinds:
        options = with_script(options, work)
        # The first run lists the condition; the second measures how many deals take this long.
        speed(program, work, 1, 1, 1000, options)
        deals = int(speed(program, work, 1, 1, 4_000_000, options)[0] * seconds)
        ways = [(1, 1, deals), (2, 1, 2 * deals), (1, THREADS, 2 * deals)]
        rates, reductions = [[], [], []], []
        for _ in range(rounds):
            for at, (processes, threads, of) in enumerate(ways):
                rate, dealt = speed(program, work, processes, threads, of, options)
                rates[at].append(rate)
                if processes > 1:
                    reductions += dealt
        one, two, threads = (statistics.median(rate) for rate in rates)
        cells = "  ".join(f"{rate / 1e6:>{len(head)}.1f}" for rate, head in zip((one, two, threads), heads))
        print(f"{name:35} {cells} {two / (2 * one):>17.1%} {two / threads:>13.1%}", flush=True)
        costs.append((name, threads, reductions))
    return costs


def reductions(costs):
    """Prints the data received by process 0 in a round of two processes, and the model of many."""
    # The first rounds are short, because a look ends each.
    costs = [(name, rate, [r for r in rounds if r["bytes"] > 0]) for name, rate, rounds in costs]
    print(f"\n{'a round of 2 processes':35} {'rounds':>6} {'deals':>11} {'dealing':>9} {'KB moved':>9}", end="")
    print(f" {'gathering: least':>16} {'median':>9}")
    steps = math.ceil(math.log2(MANY))
    model = []
    for name, rate, rounds in costs:
        if not rounds:
            print(f"{name:35} NOT RUN: no round was logged")
            continue
        came, most = max(r["bytes"] for r in rounds), max(r["deals"] for r in rounds)
        rounds = [r for r in rounds if r["deals"] == most]
        least = min(r["gathering"] for r in rounds)
        median = statistics.median(r["gathering"] for r in rounds)
        dealing = statistics.median(r["dealing"] for r in rounds)
        print(
            f"{name:35} {len(rounds):>6} {most:>11,} {dealing:>7.3f} s {came / 1e3:>9,.1f}"
            f" {1e3 * least:>13.2f} ms {1e3 * median:>6.2f} ms",
            flush=True,
        )
        model.append((name, rate, came, median))
    print(
        f"\n# model, not measured: {MANY:,} processes, rounds of {TURN_DEALS * steps:,} deals per thread, {steps}"
        f" successive merges.\n# Assumed: {BITS_PER_SECOND / 1e9:g} Gbit/s and {LATENCY * 1e6:g} us; every merge as large as the"
        f" largest of two processes here, and as slow as the\n# median, in which they wait for each other too; all"
        f" processes equally fast, and threads as fast as {THREADS} are here."
    )
    print(f"{f'a round of {MANY:,} processes':35} {'dealing':>9} {'network':>9} {'merges':>9}  reduction's share")
    for name, rate, came, median in model:
        dealing = TURN_DEALS * steps * THREADS / rate
        network, merges = steps * (8 * came / BITS_PER_SECOND + LATENCY), steps * median
        share = (network + merges) / (dealing + network + merges)
        print(f"{name:35} {dealing:>7.2f} s {network:>7.3f} s {merges:>7.3f} s {share:>18.2%}", flush=True)


def refused(plain, work):
    """Checks that a program without MPI prints one error and deals nothing."""
    folder = os.path.join(work, "refused")
    code, error, _ = plain.call(2, "run", "unconstrained", "--deals", 1000, "--out", folder)
    ours = [line for line in error.splitlines() if line.startswith("error: ")]
    is_right = code == WRONG_USAGE and len(ours) == 1 and "without MPI" in ours[0]
    is_right = is_right and not os.path.exists(folder)
    print(f"\nwithout the feature, under mpirun -n 2: exit code {code}", *ours, sep="\n", flush=True)
    if not is_right:
        print(f"expected exit code {WRONG_USAGE}, one line and no folder; the output was:\n{error}", flush=True)
    return is_right


def shorter(kinds):
    return [(name, options, deals // SHORTER, *rest) for name, options, deals, *rest in kinds]


def main(fairdeal, plain, work, kills, seed):
    program, chance, is_short = Program(fairdeal), random.Random(seed), kills < FEW_KILLS
    same, slain = SAME, KILLED
    if is_short:
        same, slain = shorter([kind for kind in SAME if "flat" not in kind[0]]), shorter(KILLED)
    with open(os.path.join(work, "script.dl"), "w", encoding="utf-8") as file:
        file.write(crash.SCRIPT)
    try:
        is_same, costs = identical(program, work, same, chance)
    except Fault as error:
        print(f"no: {error}")
        return 1
    print_parts(costs)
    is_sound = killed(program, work, slain, kills, chance)
    if not is_short:
        wait_for_quiet()
        reductions(scaling(program, work, MEASURED, ROUNDS, SECONDS))
    is_refused = refused(Program(plain), work)
    return 0 if is_same and is_sound and is_refused else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5])))
