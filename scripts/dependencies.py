#!/usr/bin/env python3
"""Weighs every direct dependency: the processor time that it adds to a release build, the lines of
ours that use it, and its reason. Writes the table to reports/dependencies/DATE.txt.

    scripts/dependencies.py

Builds a clean copy of the last commit, with default features and those of FEATURES that it has;
ten minutes on two idle cores. The crates must be downloaded already. Cargo calls this script a
second way: as RUSTC_WRAPPER, it measures one compiler process.

    scripts/dependencies.py size [FOLDER]

Builds nothing: says what the program in FOLDER (target/release) consists of, and how much code and
data each crate's library has there, before the linker leaves out what is not used. Writes the table to
reports/size/DATE.txt.

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


PARTS = {
    "code": r"\.(?:text|init|fini|plt)",
    "constants": r"\.rodata",
    "tables to unwind": r"\.(?:eh_frame|gcc_except)",
    "pointers and relocations": r"\.(?:rela|data\.rel\.ro|got|dyn)",
    "variables": r"\.t?data$",
}


def parts(program):
    """Bytes of the parts of a program, by section."""
    sizes = collections.Counter()
    for line in subprocess.check_output(["size", "-A", program], text=True).splitlines():
        section = re.match(r"(\.\S+)\s+(\d+)", line)
        for part, pattern in PARTS.items() if section else ():
            if re.match(pattern, section[1]):
                sizes[part] += int(section[2])
                break
    return sizes


def linked():
    """Names of the libraries that the program is linked from."""
    command = ["cargo", "metadata", "--format-version", "1", "--locked"]
    metadata = json.loads(subprocess.check_output(command))
    libraries = {p["id"]: t["name"] for p in metadata["packages"] for t in p["targets"] if "lib" in t["kind"]}
    nodes = {node["id"]: node["deps"] for node in metadata["resolve"]["nodes"]}
    seen, stack = set(), [metadata["resolve"]["root"]]
    while stack:
        package = stack.pop()
        if package in libraries and package not in seen:
            seen.add(package)
            stack += [d["pkg"] for d in nodes[package] if any(k["kind"] is None for k in d["dep_kinds"])]
    return {libraries[package] for package in seen}


def weigh(folder):
    """Lines with the parts of the program and the weights of its crates, without those of the standard library."""
    program = os.path.join(folder, "fairdeal")
    yield f"{'part of the program':<26} {'bytes':>11}"
    for part, size in parts(program).most_common():
        yield f"{part:<26} {size:>11,}"
    yield f"{'all, as a file':<26} {os.path.getsize(program):>11,}\n"
    names, rows = linked(), []
    for library in glob.glob(os.path.join(folder, "deps", "lib*.rlib")):
        name = re.match(r"lib(.+)-[0-9a-f]+\.rlib", os.path.basename(library))[1]
        if name in names:
            total = subprocess.check_output(["size", "-G", "-t", library], text=True).splitlines()[-1].split()
            rows.append((int(total[0]), int(total[1]), name))
    rows.sort(key=lambda row: -row[0] - row[1])
    yield f"{'crate':<26} {'code':>11} {'data':>11}"
    small = rows[30:]
    rest = (sum(row[0] for row in small), sum(row[1] for row in small), f"{len(small)} others")
    for code, data, name in [*rows[:30], rest]:
        yield f"{name:<26} {code:>11,} {data:>11,}"


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


def keep(name, arguments, lines):
    """Prints a report, and writes it to its folder."""
    commit = subprocess.check_output(["git", "rev-parse", "--short", "HEAD"], text=True).strip()
    date = subprocess.check_output(["date", "-u", "+%F"], text=True).strip()
    with open("/proc/cpuinfo") as info:
        processor = re.search(r"^model name.*: (.+)$", info.read(), re.M)[1]
    heading = f"# scripts/dependencies.py{arguments}, {date}, commit {commit}, on {os.cpu_count()} x {processor}"
    lines = [heading, *lines]
    os.makedirs(f"reports/{name}", exist_ok=True)
    with open(f"reports/{name}/{date}.txt", "w") as report:
        for line in lines:
            print(line)
            report.write(line + "\n")


def weigh_dependencies():
    """Lines with what each dependency adds to a build."""
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
    yield f"crates of the default build, with ours: {len(in_default)}"
    yield f"processor time of its release build: {total:.0f} s, of which ours {ours:.0f} s"
    yield f"size of the program{' with ' + ', '.join(features) if features else ''}: {size / 1e6:.1f} MB"
    yield ""
    yield f"{'dependency':<26} {'adds':>6} {'itself':>6} {'crates':>6} {'lines':>5}  reason"
    for added, itself, crates, name, by_default in sorted(rows, key=lambda row: (-row[0], -row[1], row[3])):
        title = name if by_default else f"{name} (optional)"
        lines = lines_of_use(texts, name)
        yield f"{title:<26} {added:>6.1f} {itself:>6.1f} {crates:>6} {lines:>5}  {why.get(name, '')}"


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    if sys.argv[1:2] == ["size"]:
        keep("size", " size", weigh(sys.argv[2] if len(sys.argv) > 2 else "target/release"))
    else:
        keep("dependencies", "", weigh_dependencies())


if os.environ.get(LOG):
    compile_one()
else:
    main()
