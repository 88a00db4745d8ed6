"""Kills runs at random moments, resumes them and compares: see scripts/interrupt.sh."""

import dataclasses
import json
import os
import random
import subprocess
import sys
import time

import report_folders

# A condition of which a part is listed, and statistics of the deals kept.
SCRIPT = """
shape(west, any 4333 + any 4432 + any 5332) && hcp(west) >= 15 && hcp(west) <= 17
    && hcp(north) >= 8 && spades(east) >= 5
action average "HCP of north" hcp(north), average "losers of south" losers(south),
    frequency "spades of north" (spades(north), 0, 8),
    frequency (hcp(west), 15, 17, hcp(east), 0, 20)
"""
# Name, input and options, deals, and share of the kills.
KINDS = [
    ("unconstrained, standard", ["unconstrained"], 300_000_000, 0.35),
    ("unconstrained, full", ["unconstrained", "--battery", "full"], 15_000_000, 0.15),
    ("flannery-misfit from its listing, standard", ["flannery-misfit", "--sampler", "listing"], 150_000_000, 0.25),
    ("narrowed and filtered, with averages", ["SCRIPT"], 10_000_000, 0.25),
]
CHECKPOINTS = ["20ms", "50ms", "100ms", "200ms"]
KILLED = -9
# Initial mean number of seconds between a start and its kill, and the share of a run that must not
# be dealt in them.
FIRST_WAIT, MOST_GAIN = 0.15, 0.05
# Maximum number of seconds to wait for a resumed run.
PATIENCE = 600.0


class Fault(Exception):
    """A violation of the rules for killed runs."""


@dataclasses.dataclass
class Seen:
    """The events of the runs of a kind."""

    runs: int = 0
    kills: int = 0
    saving: int = 0
    reporting: int = 0
    resumed: int = 0
    begun: int = 0
    parts: int = 0


def stand(folder):
    """Deals of the newest checkpoint of a folder, which must be complete; None if there is none."""
    for name in report_folders.CHECKPOINTS:
        path = os.path.join(folder, name)
        if not os.path.exists(path):
            continue
        with open(path, "rb") as file:
            header = file.read(96)
            described = int.from_bytes(header[16:24], "little")
            state = int.from_bytes(header[24:32], "little")
            if header[:8] != b"FDCHECK1" or os.path.getsize(path) != 96 + described + state:
                raise Fault(f"{name} is incomplete")
            return json.loads(file.read(described))["dealt"]
    return None


def files(folder):
    """The files of a folder, by name."""
    if not os.path.isdir(folder):
        return {}
    with os.scandir(folder) as entries:
        return {entry.name: entry.inode() for entry in entries}


def new(before, after, ending):
    """New files with such names."""
    return [name for name in after if name.endswith(ending) and after[name] != before.get(name)]


class Kind:
    """One kind of run, with the report of an uninterrupted one."""

    def __init__(self, fairdeal, work, number, kind, chance):
        self.name, self.options, self.deals, _ = kind
        self.options = [os.path.join(work, "script.dl") if o == "SCRIPT" else o for o in self.options]
        self.fairdeal, self.chance = fairdeal, chance
        self.base = os.path.join(work, str(number))
        self.seed, self.whole = f"0x{chance.getrandbits(60):x}", self.base + "-whole"
        self.seen, self.wait = Seen(), FIRST_WAIT

    def command(self, folder, *options, deals=None):
        options = ["--seed", self.seed, "--keep", "65536", "--out", folder, "--quiet", *options]
        deals = str(deals or self.deals)
        return [self.fairdeal, "run", *self.options, "--deals", deals, *options]

    def uninterrupted(self):
        """Lists the condition, and makes the run that the others are compared with."""
        subprocess.run(self.command(self.base + "-first", deals=1000), check=False)
        done = subprocess.run(self.command(self.whole, "--threads", "2"), check=False)
        self.code = done.returncode
        if self.code not in (0, 1, 4):
            raise Fault(f"the uninterrupted run ended with {self.code}")

    def moment(self, process, folder, before, dealt):
        """Waits for the moment of a kill; false if the run ended first."""
        chance = self.chance
        kind, deadline = chance.random(), chance.uniform(0.0, 2.0 * self.wait)
        begun = time.monotonic()
        if (dealt or 0) > 0.5 * self.deals and kind < 0.5:
            ending, delay, deadline = ".csv", chance.uniform(0.0, 0.06), PATIENCE
        elif kind < 0.8:
            ending, delay = None, 0.0
        else:
            ending, delay, deadline = ".part", chance.uniform(0.0, 0.01), deadline + self.wait
        while process.poll() is None and time.monotonic() - begun < deadline:
            if ending and new(before, files(folder), ending):
                time.sleep(delay)
                break
            time.sleep(0.0005)
        return process.poll() is None

    def resume(self, folder, is_killed):
        """Starts or resumes the run; true if it ended before its kill."""
        before = files(folder)
        dealt = stand(folder) if before else None
        options = ["--resume", "--threads", self.chance.choice("123")]
        options += ["--checkpoint", self.chance.choice(CHECKPOINTS)]
        command = self.command(folder, *options)
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if is_killed and self.moment(process, folder, before, dealt):
            process.kill()
        error = process.communicate(timeout=PATIENCE)[1].decode()
        notes = [line for line in error.splitlines() if not line.startswith("note: no checkpoint in")]
        if notes:
            raise Fault(f"it said: {notes}")
        if dealt is not None:
            self.seen.resumed += 1
        elif "run.json" not in before:
            self.seen.begun += 1
        if process.returncode == self.code:
            self.wait *= 0.8 if is_killed else 1.0
            return True
        if process.returncode != KILLED:
            raise Fault(f"it ended with {process.returncode}, expected {self.code}")
        self.seen.kills += 1
        after = files(folder)
        if new(before, after, ".csv") or new(before, after, "run.json"):
            self.seen.reporting += 1
        elif new(before, after, ".part"):
            self.seen.saving += 1
        self.seen.parts += len(new(before, after, ".part"))
        now = stand(folder) if after else None
        # A run that was killed after its report was complete needs no checkpoints.
        is_over = now is None and new(before, after, "run.json")
        if (now or 0) < (dealt or 0) and not is_over:
            raise Fault(f"{dealt} deals had been saved, but only {now} remain")
        # Adapt to the load of the machine, so that runs end, but not too early.
        gain = ((now or 0) - (dealt or 0)) / self.deals
        self.wait *= 1.25 if gain == 0 else 0.8 if gain > MOST_GAIN else 1.0
        return False

    def run(self, kills):
        """Runs until this number of kills has happened, and the last run to its end."""
        self.uninterrupted()
        while self.seen.kills < kills:
            folder = f"{self.base}-{self.seen.runs}"
            while not self.resume(folder, self.seen.kills < kills):
                pass
            self.finished(folder)
            self.seen.runs += 1

    def finished(self, folder):
        """Compares a finished run."""
        again = subprocess.run(self.command(folder, "--resume"), capture_output=True, check=False)
        if again.returncode != self.code or again.stderr:
            raise Fault(f"a finished run ended again with {again.returncode}: {again.stderr}")
        found = report_folders.differences(self.whole, folder)
        found += report_folders.half_written(folder, self.whole)
        names = (*report_folders.CHECKPOINTS, *report_folders.parts(folder))
        left = [name for name in names if name in files(folder)]
        if left:
            found.append(f"{left} stayed")
        if found:
            raise Fault("; ".join(found))


def main(fairdeal, work, kills, seed):
    chance = random.Random(seed)
    with open(os.path.join(work, "script.dl"), "w", encoding="utf-8") as file:
        file.write(SCRIPT)
    print(f"{'':35} {'':>11} {'':>4} {'':>5} {'while':>6} {'while':>9} {'':>8} {'from':>5} {'parts':>9}")
    print(
        f"{'kind':35} {'deals':>11} {'runs':>4} {'kills':>5} {'saving':>6} {'reporting':>9}"
        f" {'resumed':>8} {'start':>5} {'left':>9}  identical"
    )
    total, shared, share, is_sound = Seen(), 0, 0.0, True
    for number, kind in enumerate(KINDS):
        share += kind[3]
        wanted = round(share * kills) - shared
        shared += wanted
        runs, fault = Kind(os.path.abspath(fairdeal), work, number, kind, chance), None
        try:
            runs.run(wanted)
        except Fault as error:
            fault, is_sound = error, False
        print_row(kind[0], f"{kind[2]:,}", runs.seen, fault)
        for field in dataclasses.fields(Seen):
            name = field.name
            setattr(total, name, getattr(total, name) + getattr(runs.seen, name))
    print_row("all", "", total, None if is_sound else "see above")
    return 0 if is_sound and total.kills >= kills else 1


def print_row(name, deals, seen, fault):
    print(
        f"{name:35} {deals:>11} {seen.runs:>4} {seen.kills:>5} {seen.saving:>6} {seen.reporting:>9}"
        f" {seen.resumed:>8} {seen.begun:>5} {seen.parts:>9}  {f'no: {fault}' if fault else 'yes'}",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
