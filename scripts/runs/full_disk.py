"""Makes writes fail in every way and checks what a run leaves: see scripts/interrupt.sh."""

import collections
import concurrent.futures
import errno
import functools
import json
import os
import re
import shutil
import subprocess
import sys
import time

import refused_calls
import report_folders

IO_FAILED, BAD_INPUT = 74, 65
PATIENCE = 600.0
# Three blocks on one thread, with a checkpoint after each: a short run with many calls.
SHORT = ["--deals", "196608", "--threads", "1", "--keep", "1024", "--seed", "1"]
AT_EVERY_BLOCK = ["--checkpoint", "0ms"]
# Long enough for a disturbance while the run deals.
LONG = ["--deals", "60000000", "--threads", "2", "--keep", "1024", "--seed", "1", "--checkpoint", "20ms"]
# Calls that may fail without harm: an existing folder need not be made, and a lock that the system
# does not support is not needed here.
HARMLESS = {"mkdir", "flock"}


class Fault(Exception):
    """A failed check."""


class Program:
    """The program, and the folder of all files."""

    def __init__(self, fairdeal, work):
        self.fairdeal, self.work = os.path.abspath(fairdeal), work

    def path(self, *names):
        return os.path.join(self.work, *names)

    def environment(self, cache):
        return dict(os.environ, XDG_CACHE_HOME=cache, RUST_BACKTRACE="0")

    def command(self, what, folder, *options):
        verb = [] if what[0] == "audit" else ["run"]
        return [self.fairdeal, *verb, *what, "--quiet", "--out", folder, *options]

    def run(self, what, folder, *options, cache=None):
        environment = self.environment(cache or self.path("cache"))
        command = self.command(what, folder, *options)
        return subprocess.run(
            command, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE
        )


def check_failed(done, codes=(IO_FAILED,)):
    """Checks that a failure has its exit code and a message of one line."""
    code = done.code if hasattr(done, "code") else done.returncode
    lines = done.stderr.splitlines()
    if code not in codes:
        raise Fault(f"exit code {code}, expected {codes}: {done.stderr}")
    if len(lines) != 1 or not lines[0].startswith("error: "):
        raise Fault(f"expected one line beginning with `error:`: {done.stderr!r}")
    return lines[0]


def check_resumed(program, what, folder, whole, saved, cache=None):
    """Checks that a resumed run ends as the undisturbed one did."""
    done = program.run(what, folder, "--resume", cache=cache)
    lines = [line for line in done.stderr.splitlines() if saved or not line.startswith(("note: nothing", "note: no "))]
    if done.returncode != whole.code or lines:
        raise Fault(f"the resumed run ended with {done.returncode}, expected {whole.code}: {done.stderr!r}")
    found = report_folders.differences(whole.folder, folder)
    found += report_folders.half_written(folder, whole.folder)
    found += [f"{name} stayed" for name in report_folders.parts(folder)]
    if found:
        raise Fault("; ".join(found))


class Whole:
    """An undisturbed run."""

    def __init__(self, program, what, name):
        self.folder = program.path(name)
        done = program.run(what, self.folder)
        self.code = done.returncode
        if self.code not in (0, 1, 4) or done.stderr:
            raise Fault(f"the undisturbed run ended with {self.code}: {done.stderr}")


def refuse(program, what, mode, whole, number):
    """Refuses call `number`, or all from it on. Returns the call (None if there are fewer), and
    whether the run succeeded nevertheless."""
    base = program.path(f"{mode}-{os.getpid()}")
    shutil.rmtree(base, ignore_errors=True)
    folder, cache = os.path.join(base, "report"), os.path.join(base, "cache")
    os.mkdir(base)

    def refuses(place, call):
        if place < number or mode == "once" and place > number:
            return 0
        is_full = mode == "once" and call in refused_calls.NEEDS_ROOM
        return errno.ENOSPC if is_full else errno.EIO

    environment = program.environment(cache)
    done = refused_calls.run(program.command(what, folder), [folder, cache], refuses, environment)
    if len(done.calls) < number:
        return None
    call, path = done.calls[number - 1]
    path = re.sub(r"\.fairdeal-\w+\.part", ".part", os.path.relpath(path, base))
    try:
        is_harmless = done.code == whole.code and call in HARMLESS and not done.stderr
        if not is_harmless:
            check_failed(done)
        if os.path.isdir(folder):
            found = report_folders.half_written(folder, whole.folder)
            found += report_folders.parts(folder) if mode == "once" else []
            if found:
                raise Fault("; ".join(found))
        before = [path for call, path in done.calls[: number - 1] if call.startswith("rename")]
        saved = os.path.join(folder, "checkpoint") in before
        check_resumed(program, what, folder, whole, saved, cache)
    except Fault as error:
        raise Fault(f"call {number}, {call} of {path}: {error}") from error
    shutil.rmtree(base)
    return call, is_harmless


def refuse_all(program, what, mode):
    """Refuses one call after the other, until a run has no more calls."""
    whole = Whole(program, what, f"whole-{mode}-{what[0]}")
    counts, harmless, first = collections.Counter(), collections.Counter(), 1
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        while True:
            numbers = range(first, first + 32)
            first = numbers.stop
            for found in pool.map(functools.partial(refuse, program, what, mode, whole), numbers):
                if found is None:
                    text = ", ".join(f"{call} {count}" for call, count in counts.most_common())
                    note = f"; {sum(harmless.values())} did no harm" if harmless else ""
                    return sum(counts.values()), text + note
                counts[found[0]] += 1
                if found[1]:
                    harmless[found[0]] += 1


def mount(folder, options):
    os.makedirs(folder, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", folder], check=True)


def can_mount(program):
    folder = program.path("may-mount")
    try:
        mount(folder, "size=4k")
        subprocess.run(["umount", folder], check=True)
    except (OSError, subprocess.CalledProcessError):
        return False
    return True


class Small:
    """Runs in file systems that are too small, for the report or for the cache."""

    def __init__(self, program, what, whole, of_cache, option):
        self.program, self.what, self.whole = program, what, whole
        self.of_cache, self.option = of_cache, option
        self.files, self.runs = collections.Counter(), 0

    def probe(self, size):
        """The file that does not fit; an empty name if all fit."""
        self.runs += 1
        base = self.program.path("small")
        shutil.rmtree(base, ignore_errors=True)
        disk, other = os.path.join(base, "disk"), os.path.join(base, "other")
        mount(disk, self.options(size))
        folder, cache = (other, disk) if self.of_cache else (os.path.join(disk, "report"), other)
        try:
            done = self.program.run(self.what, folder, cache=cache)
            if done.returncode == self.whole.code and not done.stderr:
                return ""
            line = check_failed(done)
            path = re.search(r"error: (\S+)", line)[1]
            for name in (name for name in (folder, cache) if os.path.isdir(name)):
                left = report_folders.parts(name)
                if left:
                    raise Fault(f"{left} stayed")
            saved = False
            if os.path.isdir(folder):
                found = report_folders.half_written(folder, self.whole.folder)
                if found:
                    raise Fault("; ".join(found))
                saved = any(os.path.exists(os.path.join(folder, name)) for name in report_folders.CHECKPOINTS)
            subprocess.run(["mount", "-o", "remount,size=1g,nr_inodes=10000", disk], check=True)
            check_resumed(self.program, self.what, folder, self.whole, saved, cache)
            name = os.path.relpath(path, base)
            name = re.sub(r"\w{32}\.cases", "CASES", name)
            self.files[name] += 1
            return name
        except Fault as error:
            raise Fault(f"{self.options(size)}: {error}") from error
        finally:
            subprocess.run(["umount", disk], check=True)

    def options(self, size):
        return f"size={4 * size}k" if self.option == "size" else f"size=1g,nr_inodes={size}"

    def between(self, low, high, at_low, at_high):
        """Every size at which a different file does not fit than at the previous size."""
        if high - low < 2 or at_low == at_high:
            return
        middle = (low + high) // 2
        found = self.probe(middle)
        self.between(low, middle, at_low, found)
        self.between(middle, high, found, at_high)

    def all(self):
        low, high = 1, 2
        at_low = self.probe(low)
        while at_high := self.probe(high):
            self.between(low, high, at_low, at_high)
            low, high, at_low = high, 2 * high, at_high
        self.between(low, high, at_low, at_high)
        return self


def wait_for_checkpoints(folder, process):
    """Waits until there are two checkpoints."""
    deadline = time.monotonic() + PATIENCE
    while not all(os.path.exists(os.path.join(folder, name)) for name in report_folders.CHECKPOINTS):
        if process.poll() is not None or time.monotonic() > deadline:
            raise Fault(f"the run did not make two checkpoints: {process.communicate()}")
        time.sleep(0.002)


def disturbed(program, what, event, cache=None):
    """Disturbs a running run, and waits for its end."""
    folder = program.path("during")
    shutil.rmtree(folder, ignore_errors=True)
    process = subprocess.Popen(
        program.command(what, folder), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=program.environment(cache or program.path("cache")),
    )
    wait_for_checkpoints(folder, process)
    event(folder)
    stdout, stderr = process.communicate(timeout=PATIENCE)
    return folder, subprocess.CompletedProcess(what, process.returncode, stdout, stderr)


def unharmed(program, what, whole, event, mend, cache=None):
    """Disturbs a running run, which must not notice it."""
    folder, done = disturbed(program, what, event, cache)
    mend(folder)
    if done.returncode != whole.code or done.stderr:
        raise Fault(f"the run ended with {done.returncode}, expected {whole.code}: {done.stderr!r}")
    found = report_folders.differences(whole.folder, folder)
    if found:
        raise Fault("; ".join(found))
    return 1, "not noticed"


def during(program, what, whole, event, codes, mend, saved=True, cache=None):
    """Disturbs a running run, then repairs the damage."""
    folder, done = disturbed(program, what, event, cache)
    line = check_failed(done, codes)
    mend(folder)
    if os.path.isdir(folder):
        found = report_folders.half_written(folder, whole.folder)
        if found:
            raise Fault("; ".join(found))
    check_resumed(program, what, folder, whole, saved, cache)
    reason = line.removeprefix("error: ").replace(program.work, "").split(": nothing since")[0]
    return done.returncode, reason[:110]


class Table:
    """The printed table, and whether all checks passed."""

    def __init__(self):
        self.is_sound = True

    def row(self, name, work):
        """Prints the result of a check: the number of failures, and remarks."""
        try:
            times, text = work()
            result = "yes"
        except Fault as error:
            times, text, result, self.is_sound = "", str(error), "NO", False
        except refused_calls.NotHere as error:
            times, text, result = "", str(error), "NOT RUN"
        print(f"{name:52} {times:>5}  {result:9}  {text}", flush=True)


def refusals(program, table):
    for what, mode, name in [
        (["unconstrained"], "once", "each call refused, unconstrained"),
        (["nine-spades", "--sampler", "listing"], "once", "each call refused, nine-spades listed anew"),
        (["unconstrained"], "ever", "all calls from each on refused, unconstrained"),
    ]:
        table.row(name, lambda: refuse_all(program, [*what, *SHORT, *AT_EVERY_BLOCK], mode))


def small_disks(program, table):
    def report(options, option):
        what = ["unconstrained", *SHORT, *options]
        whole = Whole(program, what, f"whole-small-{option}-{len(options)}")
        small = Small(program, what, whole, False, option).all()
        missing = set()
        if options == late and option == "size":
            tables = [name for name in os.listdir(whole.folder) if name.endswith((".csv", ".json"))]
            missing = set(tables) - {os.path.basename(name) for name in small.files}
        if missing:
            raise Fault(f"these files always fitted: {sorted(missing)}")
        names = sorted(os.path.basename(name) for name in small.files)
        return sum(small.files.values()), f"did not fit: {', '.join(names)}"

    def cache(what, options):
        what = [what, "--sampler", "listing", *SHORT, *options]
        whole = Whole(program, what, f"whole-cache-{what[0]}")
        small = Small(program, what, whole, True, "size").all()
        return sum(small.files.values()), f"did not fit: {', '.join(sorted(small.files))}"

    def audit():
        what = ["audit", *dealer(program)]
        whole = Whole(program, what, "whole-audit")
        small = Small(program, what, whole, False, "size").all()
        names = sorted(os.path.basename(name) for name in small.files)
        return sum(small.files.values()), f"did not fit: {', '.join(names)}"

    # Without checkpoints, all space is available for the report.
    often, late = AT_EVERY_BLOCK, ["--checkpoint", "1d"]
    table.row("small disk, while checkpoints are written", lambda: report(often, "size"))
    table.row("small disk, while the report is written", lambda: report(late, "size"))
    table.row("few inodes, while checkpoints are written", lambda: report(often, "inodes"))
    table.row("few inodes, while the report is written", lambda: report(late, "inodes"))
    table.row("small disk, an audit of a command", audit)
    table.row("small disk, a night", lambda: small_night(program))
    table.row("small disk for the cache, nine-spades", lambda: cache("nine-spades", late))
    table.row("small disk for the cache, flannery-misfit", lambda: cache("flannery-misfit", late))


def dealer(program):
    """Options of an audit of the program itself, in three processes."""
    command = f"{program.fairdeal} deal unconstrained -n {{n}} --seed {{seed}} --format pbn"
    return ["--command", command, "--seed", "1", "--boards", "1000", "--deals", "3000", "--reference", "0",
            "--threads", "1", *AT_EVERY_BLOCK]


def small_night(program):
    """A night whose folder is full at every size of a few, and has room when it is started again."""
    base = program.path("night")
    disk, file = os.path.join(base, "disk"), os.path.join(base, "night.toml")
    os.makedirs(base)
    with open(file, "w", encoding="utf-8") as out:
        out.write(f'folder = "{disk}/nights"\n')
        tasks = {"run": ["unconstrained", *SHORT, *AT_EVERY_BLOCK], "audit": dealer(program)}
        for verb, options in tasks.items():
            out.write(f'[[task]]\nname = "{verb}"\n{verb} = {json.dumps(options)}\n')
    command = [program.fairdeal, "night", file, "--quiet"]
    found, whole, failures = {}, None, 0
    for size in ["1g", "4k", "40k", "400k", "4m", "40m"]:
        mount(disk, f"size={size}")
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
            if done.returncode == IO_FAILED:
                failures += 1
                wrong = [line for line in done.stderr.splitlines() if not line.startswith("error: ")]
                if wrong:
                    raise Fault(f"size={size}: {wrong}")
                subprocess.run(["mount", "-o", "remount,size=1g", disk], check=True)
                done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
            if done.returncode != 4:
                raise Fault(f"size={size}: exit code {done.returncode}: {done.stderr}")
            latest = os.path.join(disk, "nights", "latest")
            found = {verb: report_folders.read(os.path.join(latest, verb, "counts.json")) for verb in tasks}
            if found != (whole := whole or found):
                raise Fault(f"size={size}: other counts")
        finally:
            subprocess.run(["umount", disk], check=True)
    return failures, "a run and an audit of a command, at sizes from 4k to 40m"


def folders(program, table, may_mount):
    what = ["unconstrained", *LONG]
    whole = Whole(program, what, "whole-long")
    nothing = lambda folder: None

    def once(event, mend=nothing, saved=True, codes=(IO_FAILED,)):
        return lambda: (1, "%d: %s" % during(program, what, whole, event, codes, mend, saved))

    def removed(folder):
        # Files that are just being written may appear in between.
        while os.path.isdir(folder):
            shutil.rmtree(folder, ignore_errors=True)

    def replaced(folder):
        removed(folder)
        with open(folder, "w", encoding="utf-8"):
            pass

    table.row("report's folder removed while dealing", once(removed, saved=False))
    table.row("report's folder now a file", once(replaced, os.remove, saved=False))

    def read_only(folder):
        mount(folder, "ro,size=4k")

    def umount(folder):
        subprocess.run(["umount", folder], check=True)

    if may_mount:
        table.row("report's folder read-only while dealing", once(read_only, umount))
    else:
        table.row("report's folder read-only while dealing", not_run)
    table.row("standard output full", lambda: full_output(program))


def full_output(program):
    """Checks that a run that cannot print has written its report."""
    what = ["unconstrained", *SHORT]
    whole = Whole(program, what, "whole-output")
    folder = program.path("output")
    command = [word for word in program.command(what, folder) if word != "--quiet"]
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    line = check_failed(done)
    check_resumed(program, what, folder, whole, True)
    return 1, f"{done.returncode}: {line.removeprefix('error: ')}"


def case_files(program, table):
    cases = program.path("mine.cases")
    kept = program.path("kept.cases")
    environment = program.environment(program.path("cache"))
    build = [program.fairdeal, "cases", "build", "flannery-misfit", "-o", cases]
    subprocess.run(build, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    shutil.copy(cases, kept)
    what = [cases, *LONG]
    whole = Whole(program, what, "whole-cases")

    def put_back(folder):
        shutil.copy(kept, cases)

    def altered(folder):
        with open(cases, "r+b") as file:
            file.seek(os.path.getsize(cases) // 3)
            byte = file.read(1)
            file.seek(-1, os.SEEK_CUR)
            file.write(bytes([byte[0] ^ 1]))

    def cut(folder):
        os.truncate(cases, os.path.getsize(cases) // 3)

    def of_other(folder):
        os.replace(shutil.copy(kept, cases + ".new"), cases)

    def once(event):
        return lambda: (1, "%d: %s" % during(program, what, whole, event, (BAD_INPUT,), put_back))

    def never(event):
        return lambda: unharmed(program, what, whole, event, put_back)

    table.row("case file removed while dealing", never(lambda folder: os.remove(cases)))
    table.row("case file modified while dealing", once(altered))
    table.row("case file truncated while dealing", once(cut))
    table.row("case file replaced while dealing", never(of_other))

    cache = program.path("cache-of-listed")
    what_listed = ["flannery-misfit", "--sampler", "listing", *LONG]
    program.run(["flannery-misfit", "--sampler", "listing", *SHORT], program.path("listing"), cache=cache)

    def listed():
        folder = os.path.join(cache, "fairdeal")
        name = next(name for name in os.listdir(folder) if name.endswith(".cases"))
        return os.path.join(folder, name)

    whole_listed = Whole(program, what_listed, "whole-listed")

    def lost():
        return unharmed(
            program, what_listed, whole_listed, lambda folder: os.remove(listed()), lambda folder: None, cache
        )

    table.row("case file in the cache removed while dealing", lost)


def not_run():
    raise refused_calls.NotHere("this needs root, or `unshare -rm`")


def main(fairdeal, work):
    program, table = Program(fairdeal, work), Table()
    may_mount = can_mount(program)
    print(f"{'':52} {'':>5}  {'resumes':9}")
    print(f"{'failure':52} {'times':>5}  {'identical':9}  place, or exit code and message")
    refusals(program, table)
    if may_mount:
        small_disks(program, table)
    else:
        table.row("small disks", not_run)
    folders(program, table, may_mount)
    case_files(program, table)
    return 0 if table.is_sound else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
