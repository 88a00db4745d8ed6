#!/usr/bin/env python3
"""Weighs every direct dependency: the processor time that it adds to a release build, the lines of
ours that use it, and its reason. Writes the table to reports/dependencies/DATE.txt.

    scripts/dependencies.py

Builds a clean copy of the last commit, with default features and those of FEATURES that it has;
ten minutes on two idle cores. The crates must be downloaded already. Cargo calls this script a
second way: as RUSTC_WRAPPER, it measures one compiler process.

- adds: user and system seconds of the compiler for the crates that would not be built without the
  dependency; 0 if another one needs it too. Build scripts are compiled and not run in it, and
  generic code of a dependency that the compiler makes for one of our crates counts as ours.
- itself: the seconds of the crate alone.
- crates: those that would not be built without it.
- A dependency of any of our crates is a direct one. It is counted once.
- lines: those of production code that name the crate, something imported from it, or one of its
  attributes or combinators; for askama also the lines of templates with its marks.
"""

import collections
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import house

FEATURES = ["parquet"]
LOG = "FAIRDEAL_COMPILER_TIMES"
# Marks of a crate beside its name and what is imported from it.
MARKS = {
    "askama": r"#\[template\b|\{%|\{\{",
    "chumsky": r"\.(?:at_least|boxed|delimited_by|ignore_then|ignored|labelled|map_with|or_not|pratt|repeated"
    r"|separated_by|then|then_ignore)\(|\b(?:choice|just|recursive|select!)[({]",
    "clap": r"#\[(?:arg|command|group|value)\b",
    "serde": r"#\[serde\b",
    "thiserror": r"#\[(?:error|from|source)\b",
}


def compile_one():
    """Runs the compiler and appends the package and its processor time to the log."""
    process = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ)
    _, status, usage = os.wait4(process, 0)
    package = f"{os.environ.get('CARGO_PKG_NAME', '-')} {os.environ.get('CARGO_PKG_VERSION', '-')}"
    with open(os.environ[LOG], "a") as log:
        log.write(f"{package} {usage.ru_utime + usage.ru_stime:.2f}\n")
    sys.exit(os.waitstatus_to_exitcode(status))


def build(copy, features):
    """Builds the copy from nothing; processor seconds by package and version, and bytes of the program."""
    log = os.path.join(copy, "compiler-times")
    environment = os.environ | {
        LOG: log,
        "RUSTC_WRAPPER": os.path.abspath(__file__),
        "CARGO_INCREMENTAL": "0",
        "CARGO_TARGET_DIR": os.path.join(copy, "target"),
    }
    command = ["cargo", "build", "--release", "--locked", "--offline", "--features", ",".join(features)]
    subprocess.run(command, cwd=copy, env=environment, check=True)
    seconds = collections.Counter()
    with open(log) as lines:
        for line in lines:
            name, version, time = line.split()
            seconds[name, version] += float(time)
    return seconds, os.path.getsize(os.path.join(copy, "target/release/fairdeal"))


class Graph:
    """What is built of what, without the crates that only tests use."""

    def __init__(self, copy, features):
        host = re.search(r"host: (\S+)", subprocess.check_output(["rustc", "-vV"], text=True))[1]
        command = ["cargo", "metadata", "--format-version", "1", "--locked", "--offline"]
        command += ["--filter-platform", host, "--features", ",".join(features)]
        metadata = json.loads(subprocess.check_output(command, cwd=copy))
        self.package = {p["id"]: (p["name"], p["version"]) for p in metadata["packages"]}
        self.root = metadata["resolve"]["root"]
        self.ours = {p["id"] for p in metadata["packages"] if p["source"] is None}
        self.uses = {
            node["id"]: {d["pkg"] for d in node["deps"] if any(k["kind"] != "dev" for k in d["dep_kinds"])}
            for node in metadata["resolve"]["nodes"]
        }

    def built(self, without=None):
        """Packages that are built when none of our crates depends on `without`."""
        seen, stack = {self.root}, [self.root]
        while stack:
            node = stack.pop()
            for used in self.uses[node] - seen:
                if used != without or node not in self.ours:
                    seen.add(used)
                    stack.append(used)
        return seen

    def direct(self):
        """What our crates use of others."""
        return {used for node in self.built() & self.ours for used in self.uses[node]} - self.ours


def lines_of_use(texts, name):
    """How many lines of the texts name the crate or an import from it, or have one of its marks."""
    crate = name.replace("-", "_")
    use = re.compile(rf"\buse {crate}((?:::[^;]+)?);", re.S)
    count = 0
    for text in texts:
        names = set()
        for imported in use.findall(text):
            for part in re.split(r"[{},]", imported):
                last = part.strip().split("::")[-1].split(" as ")[-1].strip()
                names |= {last} - {"", "self", "prelude", "*", "_"}
        patterns = [rf"(?<!::)\b{crate}\b(?=::|;|!)", *(rf"(?<!::)\b{n}\b" for n in names)]
        if name in MARKS and (name != "chumsky" or use.search(text)):
            patterns.append(MARKS[name])
        found = re.compile("|".join(patterns))
        count += sum(1 for line in text.splitlines() if not line.lstrip().startswith("//") and found.search(line))
    return count


def reasons(manifests):
    """The comment beside each dependency of the manifests, the first of them if there are several."""
    why = {}
    for manifest in reversed(manifests):
        section = re.split(r"\n\[(?:features|dev-dependencies|lints)\]\n", manifest.split("\n[dependencies]\n")[1])[0]
        why |= dict(re.findall(r"^([a-z0-9_-]+) = .*?[\"}] *# (.+)$", section, re.M))
    return why


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    commit = subprocess.check_output(["git", "rev-parse", "--short", "HEAD"], text=True).strip()
    date = subprocess.check_output(["date", "-u", "+%F"], text=True).strip()
    with open("/proc/cpuinfo") as info:
        processor = re.search(r"^model name.*: (.+)$", info.read(), re.M)[1]
    with tempfile.TemporaryDirectory() as copy:
        archive = subprocess.Popen(["git", "archive", "HEAD"], stdout=subprocess.PIPE)
        subprocess.run(["tar", "-x", "-C", copy], stdin=archive.stdout, check=True)
        manifests = []
        for folder in ["", *(f"crates/{name}" for name in house.crates(copy))]:
            with open(os.path.join(copy, folder, "Cargo.toml")) as file:
                manifests.append(file.read())
        features = [f for f in FEATURES if f in tomllib.loads(manifests[0])["features"]]
        seconds, size = build(copy, features)
        graph, default = Graph(copy, features), Graph(copy, [])
        texts = list(house.all_sources(copy).values())
        for template in glob.glob(os.path.join(copy, "**/src/**/*.html"), recursive=True):
            with open(template) as file:
                texts.append(file.read())
    why = reasons(manifests)
    in_default = default.built()
    rows = []
    for used in graph.direct():
        alone = graph.built() - graph.built(without=used)
        name = graph.package[used][0]
        added = sum(seconds[graph.package[p]] for p in alone)
        rows.append((added, seconds[graph.package[used]], len(alone), name, used in in_default))
    total = sum(seconds[graph.package[p]] for p in in_default)
    ours = sum(seconds[graph.package[p]] for p in graph.built() & graph.ours)
    os.makedirs("reports/dependencies", exist_ok=True)
    with open(f"reports/dependencies/{date}.txt", "w") as report:
        def say(line):
            print(line)
            report.write(line + "\n")
        say(f"# scripts/dependencies.py, {date}, commit {commit}, on {os.cpu_count()} x {processor}")
        say(f"crates of the default build, with ours: {len(in_default)}")
        say(f"processor time of its release build: {total:.0f} s, of which ours {ours:.0f} s")
        say(f"size of the program{' with ' + ', '.join(features) if features else ''}: {size / 1e6:.1f} MB")
        say("")
        say(f"{'dependency':<26} {'adds':>6} {'itself':>6} {'crates':>6} {'lines':>5}  reason")
        for added, itself, crates, name, by_default in sorted(rows, key=lambda row: (-row[0], -row[1], row[3])):
            title = name if by_default else f"{name} (optional)"
            lines = lines_of_use(texts, name)
            say(f"{title:<26} {added:>6.1f} {itself:>6.1f} {crates:>6} {lines:>5}  {why.get(name, '')}")


if os.environ.get(LOG):
    compile_one()
else:
    main()
