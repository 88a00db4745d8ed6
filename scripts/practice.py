"""Measures planning on practice scripts: the work of scripts/practice.sh."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

FAIRDEAL = os.environ["FAIRDEAL"]
# Maximum number of processor seconds of one command.
TIMEOUT = float(os.environ["TIMEOUT"])
FIXTURES = "fixtures/practice"

BOARDS = 36
# Additional processor seconds that `deal` may take compared with rejection, and maximum bytes.
MOST_EXTRA = 0.5
MOST_BYTES = 300e6
# The same for scripts that suit no sampler.
MOST_HOSTILE_BYTES = 512e6
# A command that uses more memory is killed, because it would stop everything else on the machine.
MOST_BYTES_AT_ALL = 4e9
# Scripts with rarer deals are shown but not judged.
RAREST = 1e-6

RUN_DEALS = "10M"
MOST_RATIO = 1.3
# Measurements of a fraction of a second vary by more than the ratio.
LEAST_SECONDS = 0.5
MOST_PLANNING = 2.0
SAMPLERS = ("cases", "factored", "reject")

# Exit codes of `run` for verdicts without evidence against the deals.
VERDICTS = {0, 1, 4}
REFUSED = 65


@dataclass
class Measurement:
    """One command: its exit code, processor time and peak memory."""

    code: int
    seconds: float
    bytes: int
    over: str
    output: str
    errors: str

    @property
    def finished(self):
        return not self.over

    def cell(self):
        return self.over or f"{self.seconds:.2f}"


def measure(*arguments, timeout=TIMEOUT):
    """Runs fairdeal with an empty cache and limits of time and memory."""
    folder = tempfile.mkdtemp(dir=WORK)
    environment = os.environ | {"XDG_CACHE_HOME": os.path.join(folder, "cache")}
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        child = subprocess.Popen(
            [FAIRDEAL, *arguments], stdout=output, stderr=errors, stdin=subprocess.DEVNULL,
            env=environment,
        )
        over = ""
        while True:
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            if pid:
                break
            if not over:
                over = excess(child.pid, timeout)
                if over:
                    os.kill(child.pid, signal.SIGKILL)
            time.sleep(0.005)
        child.returncode = os.waitstatus_to_exitcode(status)
        texts = []
        for file in (output, errors):
            file.seek(0)
            texts.append(file.read().decode(errors="replace"))
    shutil.rmtree(folder)
    seconds = usage.ru_utime + usage.ru_stime
    return Measurement(child.returncode, seconds, usage.ru_maxrss * 1024, over, *texts)


def excess(pid, timeout):
    """The reason to kill a command, or None."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            user, system = file.read().rpartition(")")[2].split()[11:13]
        with open(f"/proc/{pid}/statm") as file:
            resident = int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return ""
    if (int(user) + int(system)) / os.sysconf("SC_CLK_TCK") > timeout:
        return f"over {timeout:.0f} s"
    return f"over {MOST_BYTES_AT_ALL / 1e9:.0f} GB" if resident > MOST_BYTES_AT_ALL else ""


def scripts_below(folder):
    found = []
    for place, _, names in os.walk(folder):
        found += [os.path.join(place, name) for name in names if name.endswith((".dlr", ".dl"))]
    return sorted(found)


def share_kept(script):
    """The approximate share of deals that the script keeps, or None if it cannot be dealt."""
    told = measure("deal", script, "-n", str(BOARDS), "--sampler", "reject", "--seed", "2",
                   "--dealer-output")
    numbers = [re.search(rf"^{word} (\d+) hands", told.output, re.M) for word in ("Generated", "Produced")]
    if not told.finished or told.code or None in numbers:
        return None
    generated, produced = (int(number[1]) for number in numbers)
    return produced / generated if generated else None


def first_line(text):
    return next((line for line in text.splitlines() if line.strip()), "no message")


class Survey:
    """The scripts measured so far: how many were within the limits, and the most expensive."""

    def __init__(self, what):
        self.what = what
        self.judged = 0
        self.broken = []
        self.unjudged = 0
        self.slowest = (-1.0, "", "")
        self.largest = (-1, "")

    def saw(self, name, measurement):
        self.slowest = max(self.slowest, (measurement.seconds, name, measurement.over))
        self.largest = max(self.largest, (measurement.bytes, name))

    def judge(self, name, faults):
        self.judged += 1
        if faults:
            self.broken.append(name)

    def summary(self):
        if not self.slowest[1]:
            return
        kept = self.judged - len(self.broken)
        print(f"\n{self.what}: {kept} of {self.judged} kept; {self.unjudged} rarer, not judged")
        seconds, name, over = self.slowest
        print(f"slowest         {seconds:.2f} s of processor time{', ' * bool(over)}{over}: {name}")
        print(f"largest memory  {self.largest[0] / 1e6:,.0f} MB: {self.largest[1]}", flush=True)


def refused(message):
    return f"refused: {message}"


def deals(scripts, survey):
    """`deal` with the chosen sampler, compared with rejection."""
    print(f"\n{'deal -n ' + str(BOARDS):<44} {'one deal in':>12} {'auto, s':>10} {'reject, s':>10}"
          f" {'more':>7} {'peak, MB':>9}  kept")
    for name, script, hostile in scripts:
        command = ("deal", script, "-n", str(BOARDS), "--seed", "1")
        reject = measure(*command, "--sampler", "reject")
        auto = measure(*command)
        # Narrow failures are measured again, because other programs run too.
        for _ in range(2):
            if not (auto.finished and 0 < auto.seconds - reject.seconds - MOST_EXTRA < MOST_EXTRA):
                break
            auto = min(auto, measure(*command), key=lambda one: one.seconds)
        survey.saw(name, auto)
        share = share_kept(script) if reject.finished and reject.code == 0 else None
        faults = faults_of_deal(auto, reject, hostile)
        rare = not hostile and share is not None and share <= RAREST
        if rare:
            survey.unjudged += 1
        else:
            survey.judge(name, faults)
        verdict = "rare" if rare else "no: " + "; ".join(faults) if faults else "yes"
        one_in = "-" if not share else f"{1 / share:,.0f}"
        more = f"{auto.seconds - reject.seconds:.2f}" if auto.finished and reject.finished else "-"
        print(f"{name:<44} {one_in:>12} {auto.cell():>10} {reject.cell():>10} {more:>7}"
              f" {auto.bytes / 1e6:>9,.0f}  {verdict}", flush=True)


def faults_of_deal(auto, reject, hostile):
    faults = []
    if not auto.finished:
        faults.append(auto.over)
    elif auto.code == REFUSED and hostile:
        # No deals, and one line with a clear reason.
        pass
    elif auto.code != 0:
        faults.append(refused(first_line(auto.errors)) if auto.code == REFUSED else f"ends with {auto.code}")
    beside = reject.seconds if reject.finished and reject.code == 0 else 0.0
    if auto.finished and auto.seconds > beside + MOST_EXTRA:
        faults.append("time")
    if auto.bytes > (MOST_HOSTILE_BYTES if hostile else MOST_BYTES):
        faults.append("memory")
    return faults


@dataclass
class Run:
    """A run with one sampler: its measurement, and the number of deals kept."""

    measurement: Measurement
    kept: int

    @property
    def done(self):
        return self.measurement.finished and self.measurement.code in VERDICTS and self.kept > 0

    @property
    def per_deal(self):
        return self.measurement.seconds / self.kept

    def cell(self):
        if not self.measurement.finished:
            return self.measurement.over
        if self.measurement.code == REFUSED:
            return "refused"
        return f"{self.measurement.seconds:.2f}" if self.done else f"ends {self.measurement.code}"


def run_with(script, sampler, timeout):
    out = os.path.join(WORK, "report")
    measured = measure("run", script, "--deals", RUN_DEALS, "--battery", "tables", "--seed", "1",
                       "--sampler", sampler, "--quiet", "--force", "--out", out, timeout=timeout)
    kept = 0
    if measured.finished and measured.code in VERDICTS:
        with open(os.path.join(out, "run.json")) as file:
            told = json.load(file)
        # A filter keeps fewer deals than were drawn.
        kept = told["filter"]["kept"] if told.get("filter") else told["deals"]
    shutil.rmtree(out, ignore_errors=True)
    return Run(measured, kept)


def planning_of(script):
    """The chosen sampler, and the processor time of `run --explain`."""
    explained = measure("run", script, "--deals", RUN_DEALS, "--explain", "--json")
    if not explained.finished or explained.code:
        return "-", explained
    return json.loads(explained.output)["sampler"], explained


def runs(scripts, survey):
    """`run` with the chosen sampler, compared with each sampler by option."""
    print(f"\n{'run --deals ' + RUN_DEALS:<44} {'chosen':>9} {'plan, s':>10} {'auto, s':>10}"
          + "".join(f" {sampler:>10}" for sampler in SAMPLERS)
          + f" {'ratio':>7} {'a deal':>7} {'peak, MB':>9}  kept")
    for name, script, hostile in scripts:
        chosen, explained = planning_of(script)
        # Narrow failures are measured again, because other programs run too.
        for _ in range(2):
            if not (explained.finished and MOST_PLANNING < explained.seconds < 2 * MOST_PLANNING):
                break
            explained = min(explained, planning_of(script)[1], key=lambda one: one.seconds)
        auto = run_with(script, "auto", TIMEOUT)
        # Stop a sampler that takes much longer than the best so far.
        known = [auto] if auto.done else []
        by_hand = {}
        for sampler in ("reject", "factored", "cases"):
            best = min((run.measurement.seconds for run in known), default=TIMEOUT)
            by_hand[sampler] = run_with(script, sampler, min(TIMEOUT, max(4 * best, 4.0)))
            if by_hand[sampler].done:
                known.append(by_hand[sampler])
        ratio, per_deal = ratios(auto, by_hand)
        # Failures are measured again, because other programs run too.
        for _ in range(2):
            if not (ratio and min(ratio, per_deal) > MOST_RATIO):
                break
            auto = min(auto, run_with(script, "auto", TIMEOUT), key=lambda run: run.measurement.seconds)
            best = min((sampler for sampler in SAMPLERS if by_hand[sampler].done),
                       key=lambda sampler: by_hand[sampler].per_deal)
            again = run_with(script, best, TIMEOUT)
            by_hand[best] = min(by_hand[best], again, key=lambda run: run.measurement.seconds)
            ratio, per_deal = ratios(auto, by_hand)
        survey.saw(name, auto.measurement)
        faults = []
        if not auto.done and not (hostile and auto.measurement.code == REFUSED):
            faults.append(auto.cell())
        if not explained.finished or explained.seconds > MOST_PLANNING:
            faults.append("planning")
        # A sampler that keeps all deals may take longer than one that keeps almost none.
        if ratio and ratio > MOST_RATIO and per_deal > MOST_RATIO and auto.measurement.seconds > LEAST_SECONDS:
            faults.append("ratio")
        survey.judge(name, faults)
        print(f"{name:<44} {chosen:>9} {explained.cell():>10} {auto.cell():>10}"
              + "".join(f" {by_hand[sampler].cell():>10}" for sampler in SAMPLERS)
              + "".join(f" {'-' if value is None else f'{value:.2f}':>7}" for value in (ratio, per_deal))
              + f" {auto.measurement.bytes / 1e6:>9,.0f}  {'no: ' + '; '.join(faults) if faults else 'yes'}",
              flush=True)


def ratios(auto, by_hand):
    """The ratio to the best sampler by option: in total, and per deal kept."""
    others = [run for run in by_hand.values() if run.done]
    if not auto.done or not others:
        return None, None
    best = min(run.measurement.seconds for run in others)
    return auto.measurement.seconds / best, auto.per_deal / min(run.per_deal for run in others)


def main():
    global WORK
    mode, WORK, *folders = sys.argv[1:]
    version = subprocess.run([FAIRDEAL, "--version"], capture_output=True, text=True, check=True)
    print(f"{version.stdout.strip()}, load {os.getloadavg()[0]:.1f}; processor seconds of whole commands,"
          f" at most {TIMEOUT:.0f} s each")
    broken = []
    for folder in [FIXTURES, *folders]:
        found = scripts_below(folder)
        if not found:
            sys.exit(f"{folder}: no scripts found")
        if mode == "ci":
            found = found[::8]
        print(f"\n{folder}: {len(found)} scripts")
        hostile = os.path.join(FIXTURES, "hostile") + os.sep
        scripts = [
            (os.path.splitext(os.path.relpath(script, folder))[0], script, script.startswith(hostile))
            for script in found
        ]
        for kind, table in (("deals", deals), ("runs", runs)):
            if mode in (kind, "all") or mode == "ci" and kind == "deals":
                survey = Survey(kind)
                table(scripts, survey)
                survey.summary()
                broken += survey.broken
    if broken:
        sys.exit(f"{len(broken)} exceed a limit")


main()
