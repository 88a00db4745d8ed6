"""Runs the scripts below some folders; see scripts/dealer.sh."""

import collections
import hashlib
import os
import pathlib
import re
import subprocess
import sys

FAIRDEAL = os.environ["FAIRDEAL"]
TIMEOUT = float(os.environ.get("TIMEOUT", "60"))
ENDINGS = {".dli", ".dls", ".dlr", ".dl", ".dlt"}
AIM = 0.95

PROGRAM = "another program"


def scripts(folders):
    """The different scripts, by their bytes."""
    found = {}
    for folder in folders:
        for path in sorted(pathlib.Path(folder).rglob("*")):
            is_example = re.fullmatch(r"Descr\.\w+", path.name)
            is_script = path.suffix in ENDINGS or is_example
            if path.is_file() and is_script:
                text = path.read_bytes()
                found.setdefault(hashlib.sha256(text).digest(), (path, text))
    return sorted(found.values())


def parameters(text):
    """The values of $0 to $9 that the comments of a script show, as options."""
    if not re.search(r"\$\d", text):
        return []
    values = {}
    shown = r"\s-(\d)\s+('[^'\n]*'|\"[^\"\n]*\"|[^\s'\"]+)"
    for line in text.splitlines():
        found = re.findall(shown, line) if "-0" in line or "-1" in line or "-2" in line else []
        for number, value in found:
            is_quoted = value[0] == value[-1] and value[0] in "'\""
            values.setdefault(number, value[1:-1] if is_quoted else value)
    return [f"--param={number}={value}" for number, value in values.items()]


def without_comments(text):
    """A script without its comments."""
    return re.sub(r"(?m)(//|#).*", " ", re.sub(r"(?s)/\*.*?\*/", " ", text))


def words(text):
    """The words of a script outside of comments and strings."""
    text = without_comments(text)
    return set(re.findall(r"[A-Za-z]\w*", re.sub(r'"[^"]*"', " ", text)))


def lack(message, used):
    """What a script lacks, by the words that it uses and by the error."""
    if used & {"opc", "usereval"} or "separate program" in message:
        return PROGRAM
    if re.search(r"parameter .* has no value", message):
        return "values of its parameters, which its comments do not show"
    first = message.strip().splitlines()[0] if message.strip() else "no message"
    return re.sub(r"^error: ", "", first)


def run(path, text):
    """The lack of a script, or None if it runs, and its error."""
    command = [FAIRDEAL, "deal", str(path), "--dealer-output", "-n", "1", "--seed", "1"]
    command += parameters(text.decode("latin-1"))
    try:
        done = subprocess.run(command, capture_output=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return f"an answer within {TIMEOUT:g} s", ""
    message = done.stderr.decode(errors="replace")
    errors = [part for part in re.split(r"(?m)^(?=error)", message) if part.startswith("error")]
    if done.returncode == 0:
        return None, message
    return lack("".join(errors) or message, words(text.decode("latin-1"))), message


def main():
    lacks = collections.Counter()
    ran, all_scripts = 0, scripts(sys.argv[1:])
    for path, text in all_scripts:
        lacking, message = run(path, text)
        if lacking is None:
            ran += 1
            continue
        lacks[lacking] += 1
        if os.environ.get("VERBOSE"):
            print(f"--- {path}\n{message}", file=sys.stderr)
    outside = lacks.get(PROGRAM, 0)
    inside = len(all_scripts) - outside
    print(f"{len(all_scripts):5} different scripts")
    print(f"{ran:5} run")
    for name, count in lacks.most_common():
        print(f"{count:5} lack: {name}")
    share = ran / inside if inside else 1.0
    print(f"{100 * share:.1f} % of the {inside} that do not need {PROGRAM} run")
    return share < AIM


if __name__ == "__main__":
    sys.exit(main())
