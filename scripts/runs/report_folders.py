"""Checks that two folders hold the report of one run or audit: used by scripts that interrupt runs.

counts.json and every CSV except latency.csv must be equal byte for byte, and run.json except the fields that
depend on the machine, on interruptions and on the division of work. To compare two folders:

    python3 scripts/runs/report_folders.py FOLDER FOLDER
"""

import json
import os
import re
import sys

# Fields that may differ: time and place of a run, its duration, and how often it was resumed.
OF_THE_MACHINE = ("start", "end", "seconds", "pace", "resumed", "host", "threads", "path",
                  "median_ns")
# Fields and tables of the division of work: a merged report has two tables of its parts.
OF_THE_DEALING = ("processes", "parts", "between_parts")
TABLES_OF_PARTS = ("parts.csv", "heterogeneity.csv")
# Files that are being written, and other files that are not part of a report.
PART = re.compile(r"^\.fairdeal-.*\.part$")
RECORDS = ("run.json", "audit.json")
CHECKPOINTS = ("checkpoint", "checkpoint.previous")
LOCK = ".fairdeal.lock"


def read(path):
    with open(path, "rb") as file:
        return file.read()


def record(folder):
    """The contents of run.json or audit.json, without the fields that may differ."""
    names = (os.path.join(folder, name) for name in RECORDS)
    found = json.loads(read(next(filter(os.path.exists, names))))
    if found["case_file"]:
        del found["case_file"]["path"]
    return {key: value for key, value in found.items() if key not in (*OF_THE_MACHINE, *OF_THE_DEALING)}


def tables(folder):
    """The names of the files that must be equal byte for byte."""
    names = [name for name in os.listdir(folder) if name.endswith(".csv") or name == "counts.json"]
    return sorted(name for name in names if name not in ("latency.csv", *TABLES_OF_PARTS))


def differences(folder, other):
    """The differences between two finished reports, a line each; empty if they are of one run."""
    found = []
    if tables(folder) != tables(other):
        found.append(f"other tables: {tables(folder)} and {tables(other)}")
    for name in set(tables(folder)) & set(tables(other)):
        if read(os.path.join(folder, name)) != read(os.path.join(other, name)):
            found.append(f"{name} is not the same")
    ours, theirs = record(folder), record(other)
    for key in sorted(ours.keys() | theirs.keys()):
        if ours.get(key) != theirs.get(key):
            found.append(f"the record has another `{key}`: {ours.get(key)} and {theirs.get(key)}")
    return found


def half_written(folder, whole):
    """The faults of a folder of an unfinished run, a line each.

    Every file in it must be complete: tables are absent or equal those of the finished run, a
    record is readable, and there are no other files than checkpoints, the lock and files that
    were being written.
    """
    found = []
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if name.endswith(".csv") or name == "counts.json":
            if name != "latency.csv" and read(path) != read(os.path.join(whole, name)):
                found.append(f"{name} differs from that of the finished run")
            if not read(path).endswith(b"\n"):
                found.append(f"{name} ends within a line")
        elif name in RECORDS:
            try:
                json.loads(read(path))
            except ValueError as error:
                found.append(f"{name} cannot be read: {error}")
        elif name == "report.html":
            if not read(path).endswith(b"</html>\n"):
                found.append(f"{name} is incomplete")
        elif name not in (*CHECKPOINTS, LOCK) and not PART.match(name):
            found.append(f"{name} is unexpected")
    return found


def parts(folder):
    """Files that were being written when their program died."""
    return [name for name in os.listdir(folder) if PART.match(name)]


if __name__ == "__main__":
    lines = differences(*sys.argv[1:3])
    print("\n".join(lines) if lines else "the same")
    sys.exit(bool(lines))
