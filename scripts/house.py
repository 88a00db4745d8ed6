#!/usr/bin/env python3
"""Measures the code, and how long it takes to build and to test.

    scripts/house.py now .              lines of production code by module, public items, type names
                                        that are used more than once, long functions, long files, and
                                        pairs of files that use each other; `now` is the title
    scripts/house.py REVISION ..        the same of revisions of git, one after the other; SAVE=1 keeps
                                        them in reports/house/
    scripts/house.py build              seconds of builds and tests of the last commit from nothing,
                                        crates, size of the program; ten minutes on two idle cores;
                                        SAVE=1 keeps them in reports/build/

Only lines with code count, without comments, empty lines and code for tests: of src/ and of the crates in crates/,
except the laboratory.
"""

import collections
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

LONG_FUNCTION = 80
LONG_FILE = 400

PUBLIC = re.compile(r"^ *pub (?:const |async |unsafe )*(?:fn|struct|enum|trait|type|const|static|mod) ", re.M)
# Types of their own; indented `type` lines are associated types.
TYPE = re.compile(r"^(?: *(?:pub(?:\([^)]*\))? )?(?:struct|enum|trait|union)|(?:pub(?:\([^)]*\))? )?type) (\w+)", re.M)
FUNCTION = re.compile(r"^( *)(?:pub(?:\([^)]*\))? )?(?:const |async |unsafe |extern \"C\" )*fn (\w+)")
FOR_TESTS = re.compile(r"#\[cfg\(test\)\]\s*(?:#\[[^\]]*\]\s*)*(?:pub(?:\([^)]*\))? )?mod (\w+)(;| \{)")


def sources(src):
    """Files of production code, with their text without tests."""
    texts = {}
    for folder, _, names in os.walk(src):
        for name in sorted(names):
            if name.endswith(".rs"):
                path = os.path.relpath(os.path.join(folder, name), src)
                with open(os.path.join(folder, name)) as file:
                    texts[path] = file.read()
    left_out = set()
    for path, text in texts.items():
        folder = os.path.dirname(path)
        if os.path.basename(path) not in ("mod.rs", "lib.rs", "main.rs"):
            folder = path[:-3]
        for module, how in FOR_TESTS.findall(text):
            if how == ";":
                left_out.add(os.path.join(folder, module))
    kept = {}
    for path, text in texts.items():
        if not any(path == place + ".rs" or path.startswith(place + "/") for place in left_out):
            inner = [found.start() for found in FOR_TESTS.finditer(text) if found[2] == " {"]
            kept[path] = text[: inner[0]] if inner else text
    return kept


def all_sources(root):
    """The sources of the root package, and those of the crates as if each were a folder of its src/."""
    kept = sources(os.path.join(root, "src"))
    for name in crates(root):
        parts = sources(os.path.join(root, "crates", name, "src"))
        kept |= {os.path.join(name, path): text for path, text in parts.items()}
    return kept


def crates(root):
    folder = os.path.join(root, "crates")
    return sorted(set(os.listdir(folder)) - {"lab"}) if os.path.isdir(folder) else []


def code_lines(text):
    return sum(1 for line in text.splitlines() if line.strip() and not line.strip().startswith("//"))


def long_functions(texts):
    found = []
    for path, text in texts.items():
        lines = text.splitlines()
        for place, line in enumerate(lines):
            function = FUNCTION.match(line)
            if not function or line.rstrip().endswith(";"):
                continue
            end = next((at for at in range(place, len(lines)) if lines[at] == function[1] + "}"), place)
            if end - place + 1 > LONG_FUNCTION:
                found.append(f"{path} {function[2]} ({end - place + 1})")
    return found


def used_paths(text):
    """The paths of all use lines, with groups expanded."""
    def expand(use, before):
        use = use.strip()
        group = re.match(r"^([\w:]*?)(?:::)?\{(.*)\}$", use, re.S)
        if not group:
            return [before + [part for part in use.split(" as ")[0].split("::") if part]]
        members, depth, member = [], 0, ""
        for c in group[2]:
            depth += {"{": 1, "}": -1}.get(c, 0)
            if c == "," and depth == 0:
                members.append(member)
                member = ""
            else:
                member += c
        members += [member] if member.strip() else []
        start = before + [part for part in group[1].split("::") if part]
        return [path for member in members for path in expand(member, start)]

    text = re.sub(r"//[^\n]*", "", text)
    uses = re.findall(r"(?:^|\s)(?:pub(?:\([^)]*\))? )?use ([^;]+);", text)
    return [path for use in uses for path in expand(use, [])]


def circles(texts, crates):
    """Pairs of files that use each other, except a module and its own parts."""
    modules = {}
    for path in texts:
        parts = path[:-3].split("/")
        modules[tuple(parts[:-1] if parts[-1] in ("mod", "lib") and parts[1:] else parts)] = path
    edges = collections.defaultdict(set)
    for module, path in modules.items():
        for used in used_paths(texts[path]):
            if used and used[0] == "crate":
                target = [*module[: module[0] in crates], *used[1:]]
            elif used and used[0] == "super":
                target = list(module)
                while used and used[0] == "super":
                    target, used = target[:-1], used[1:]
                target += used
            else:
                target = list(module) + used[1 if used and used[0] == "self" else 0 :]
            while target and tuple(target) not in modules:
                target = target[:-1]
            if target and tuple(target) != module:
                edges[module].add(tuple(target))
    return sorted(
        f"{modules[a]} and {modules[b]}"
        for a in edges
        for b in edges[a]
        if a < b and a in edges.get(b, ()) and b[: len(a)] != a
    )


def archive(revision, folder, *paths):
    """Unpacks a revision of git into a folder."""
    packed = subprocess.run(["git", "archive", revision, *paths], check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x", "-C", folder], input=packed, check=True)


def build():
    """Builds and tests a clean copy of the last commit. The crates must be downloaded already."""
    found = []

    def add(line):
        print(line, flush=True)
        found.append(line)

    with tempfile.TemporaryDirectory() as folder:
        archive("HEAD", folder)
        environment = os.environ | {"CARGO_TARGET_DIR": os.path.join(folder, "target")}

        def timed(*command):
            before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
            subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
            elapsed, after = time.monotonic() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
            cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            add(f"{' '.join(command):48} {elapsed:6.0f} s of wall time {cpu:6.0f} s of processor time")

        def crates(*options):
            tree = ["cargo", "tree", "--locked", "--edges", "normal,build", "--prefix", "none", *options]
            lines = subprocess.run(tree, cwd=folder, check=True, capture_output=True, text=True).stdout
            return len({line.removesuffix(" (*)") for line in lines.splitlines()})

        add(f"crates of the program and the library: {crates()}, {crates('--no-default-features')}")
        timed("cargo", "build", "--release", "--locked", "--offline")
        size = os.path.getsize(os.path.join(folder, "target/release/fairdeal"))
        add(f"size of the program: {size / 1e6:.1f} MB")
        timed("cargo", "test", "--no-run", "--locked", "--offline")
        timed("cargo", "test", "--locked", "--offline")
    with open("/proc/cpuinfo") as cpus:
        models = [line.split(":")[1].strip() for line in cpus if line.startswith("model name")]
    keep("build", f"build, on {len(models)} x {models[0]}", "\n".join(found))


def keep(folder, command, found):
    """Keeps what was found in reports/, if that is asked for."""
    if os.environ.get("SAVE"):
        commit, date = (output(*words) for words in (["git", "rev-parse", "--short", "HEAD"], ["date", "-u", "+%F"]))
        os.makedirs(f"reports/{folder}", exist_ok=True)
        with open(f"reports/{folder}/{date}.txt", "w") as report:
            print(f"# scripts/house.py {command}, {date}, commit {commit}", found, sep="\n\n", file=report)


def main():
    if sys.argv[1:] == ["build"]:
        return build()
    if not sys.argv[1:]:
        sys.exit(__doc__)
    if os.path.isdir(sys.argv[-1]):
        return print(measure(*sys.argv[1:]))
    found = "\n\n".join(measured(revision) for revision in sys.argv[1:])
    print(found)
    keep("house", " ".join(sys.argv[1:]), found)


def output(*command):
    return subprocess.check_output(command, text=True).strip()


def measured(revision):
    """The measures of a revision of git, with its commit and date."""
    with tempfile.TemporaryDirectory() as folder:
        listed = output("git", "ls-tree", "--name-only", revision).split()
        archive(revision, folder, *{"src", "crates"} & set(listed))
        return measure(output("git", "show", "-s", "--format=%h, %cs", revision), folder)


def measure(name, root):
    texts = all_sources(root)
    by_room = collections.Counter()
    for path, text in texts.items():
        by_room[path.split("/")[0]] += code_lines(text)
    library = {path: text for path, text in texts.items() if not path.startswith("cli/")}
    types = collections.Counter(of for text in texts.values() for of in TYPE.findall(text))
    shared = sorted((count, of) for of, count in types.items() if count > 1)[::-1]
    functions = long_functions(texts)
    files = [path for path, text in texts.items() if text.count("\n") > LONG_FILE]
    pairs = circles(texts, crates(root))
    lines = [
        f"# {name}",
        f"{sum(by_room.values()):7,} lines of production code",
        f"{sum(len(PUBLIC.findall(text)) for text in library.values()):7,} public items of the library",
        f"{len(shared):7,} names that more than one type has{': ' * bool(shared)}"
        + ", ".join(f"{of} {count}" for count, of in shared[:8]),
        f"{len(functions):7,} functions over {LONG_FUNCTION} lines{': ' * bool(functions)}{', '.join(functions[:6])}",
        f"{len(files):7,} files over {LONG_FILE} lines",
        f"{len(pairs):7,} pairs of files that use each other{': ' * bool(pairs)}{'; '.join(pairs)}",
    ]
    rooms = sorted(by_room.items(), key=lambda of: -of[1])
    return "\n".join(lines + [f"{lines_of:7,} {room}" for room, lines_of in rooms])



if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head` is not an error
    main()
