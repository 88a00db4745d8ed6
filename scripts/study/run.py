"""Deals with every subject of subjects.csv and every simulation, and audits the deals.

    python3 run.py WORK FAIRDEAL [--quick] [--only NAME]

WORK holds what scripts/study.sh installed and, in WORK/results, one JSON file for every audit. An
audit whose file exists is not repeated, so that an interrupted study continues; --only repeats it.
"""

import concurrent.futures
import csv
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zlib

import effects

HERE = pathlib.Path(__file__).resolve().parent
# Simulations use a seed of their own, so that they share no seed with the programs.
SIMULATION_SEED = 7
TIMEOUT = 3600


class NotRun(Exception):
    """Why a subject could not be audited."""


def main():
    work, fairdeal = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    is_quick = "--quick" in sys.argv
    only = sys.argv[sys.argv.index("--only") + 1] if "--only" in sys.argv else None
    study = Study(work, fairdeal, is_quick, only)
    subjects = [row for row in read("subjects.csv") if only is None or only in (row["name"], row["package"])]
    if is_quick:
        subjects = [row for row in subjects if row["quick"]]
    needed = {row["mechanism"] for row in subjects}
    mechanisms = [row for row in read("mechanisms.csv") if row["name"] in needed]
    # The longest first, so that both processors are busy until the end.
    subjects.sort(key=lambda row: -float(row["deals"]))
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        jobs = [pool.submit(study.subject, row) for row in subjects]
        jobs += [pool.submit(study.simulation, name) for name in mechanisms]
        for job in jobs:
            job.result()


def read(name):
    """Returns the rows of a table beside this file."""
    with open(HERE / name, newline="") as file:
        return list(csv.DictReader(file))


class Study:
    """The audits of one study."""

    def __init__(self, work, fairdeal, is_quick, only):
        self.work, self.fairdeal, self.is_quick, self.only = work, fairdeal, is_quick, only
        self.results = work / "results"
        self.results.mkdir(parents=True, exist_ok=True)
        self.versions = Versions(work, fairdeal)

    def subject(self, row):
        """Audits a subject: one audit of all its deals, and three more if it fails."""
        deals = int(row["quick" if self.is_quick else "deals"])
        small = deals // 10
        plan = [(1, deals), (2, small)]
        first = [self.audit(row, seed, count) for seed, count in plan]
        if any(result.get("verdict") == "FAIL" for result in first):
            for seed, count in [(2, deals), (1, small)]:
                self.audit(row, seed, count)

    def simulation(self, mechanism):
        """Audits the simulation of a mechanism."""
        name = mechanism["name"]
        row = {"name": f"simulation {name}", "runner": "simulation", "method": name, "package": ""}
        deals = int(mechanism["deals"])
        self.audit(row, SIMULATION_SEED, min(deals, 50_000) if self.is_quick else deals)

    def audit(self, row, seed, deals):
        """Returns the result of one audit, from its file if there is one."""
        stem = re.sub(r"[^A-Za-z0-9]+", "-", row["name"]).strip("-")
        file = self.results / f"{stem}-{seed}-{deals}.json"
        is_repeated = self.only is not None and self.only in (row["name"], row["package"])
        if file.exists() and not is_repeated:
            return json.loads(file.read_text())
        result = {"name": row["name"], "seed": seed, "deals": deals}
        try:
            result["version"] = self.versions.of(row)
            result.update(self.pipe(row, seed, deals))
        except NotRun as reason:
            result["not_run"] = str(reason)
        file.write_text(json.dumps(result, indent=1))
        shown = result.get("not_run") or f"{result['verdict']} S = {result['s']:.1f}"
        print(f"{row['name']}, seed {seed}, {deals:,} deals: {shown}", flush=True)
        return result

    def pipe(self, row, seed, deals):
        """Deals into an audit, and returns what the audit found and the processor time of dealing."""
        with tempfile.TemporaryDirectory() as folder:
            command = self.command(row, seed, deals, pathlib.Path(folder))
            report = pathlib.Path(folder) / "report"
            errors = open(pathlib.Path(folder) / "errors", "w+")
            audit = [self.fairdeal, "audit", "-", "--threads", "1", "--json", "--quiet", "--out", str(report)]
            environment = {**os.environ, "STUDY_WORK": str(self.work), "OPENBLAS_NUM_THREADS": "1"}
            start = time.monotonic()
            dealing = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, env=environment)
            judging = subprocess.Popen(audit, stdin=dealing.stdout, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            dealing.stdout.close()
            out, problems = judging.communicate(timeout=TIMEOUT)
            _, status, used = os.wait4(dealing.pid, 0)
            dealing.returncode = os.waitstatus_to_exitcode(status)
            if dealing.returncode != 0:
                errors.seek(0)
                said = last_line(errors.read()).replace(f"{self.work}/", "").replace(f"{HERE}/", "")
                raise NotRun(said or f"it ended with exit code {dealing.returncode}")
            if not out:
                raise NotRun(last_line(problems.decode()))
            found = json.loads(out)
            if found["deals"] != deals:
                raise NotRun(f"{found['deals']:,} deals instead of {deals:,}")
            return {
                "cpu_seconds": round(used.ru_utime + used.ru_stime, 3),
                "seconds": round(time.monotonic() - start, 3),
                **effects.of_audit(found, report),
            }

    def command(self, row, seed, deals, folder):
        """Returns the command that writes deals on standard output."""
        runner, method = row["runner"], row["method"]
        if runner == "absent":
            raise NotRun(row["source"])
        script = folder / "any.dl"
        script.write_text(f"generate {deals}\nproduce {deals}\naction printoneline\n")
        arguments = [method, str(deals), str(seed)]
        # Packages with the generator of Node get a stream of their own.
        stream = zlib.crc32(row["name"].encode()) % 1_000_000 * 10 + seed
        suite = self.work / "suites" / method.split(" ")[0] / "usr/games" / method.split(" ")[-1]
        awk = ["-v", f"method={method}", "-v", f"deals={deals}", "-v", f"seed={seed}", "-f", str(HERE / "deal.awk")]
        if runner == "user":
            words = method.format(deals=deals, seed=seed, script=script).split()
            return [self.own_program(row["package"]), *words]
        commands = {
            "boards": ["head", "-n", str(deals), str(HERE / "../../fixtures/squaredeal" / method)],
            "dealer": ["/usr/games/dealer", "-s", str(seed), str(script)],
            "deal": ["/usr/games/deal", "-s", str(seed), "-l", str(deals)],
            "suite": [str(suite), "-s", str(seed), *(["-l", str(deals)] if "deal" == suite.name else [str(script)])],
            "node": ["node", f"--random-seed={stream}", str(HERE / "deal.js"), *arguments],
            "python": [str(self.work / "python/bin/python"), str(HERE / "deal.py"), *arguments],
            "java": ["java", "-cp", str(self.work / "java"), "Deal", *arguments],
            "c": [str(self.work / "c/deal"), *arguments],
            "go": [str(self.work / "go/deal"), *arguments],
            "rust": [str(self.work / "rust/release/study"), *arguments],
            "perl": ["perl", str(HERE / "deal.pl"), *arguments],
            "php": ["php", str(HERE / "deal.php"), *arguments],
            "ruby": ["ruby", str(HERE / "deal.rb"), *arguments],
            "bash": ["bash", str(HERE / "deal.sh"), *arguments],
            "mawk": ["mawk", *awk],
            "gawk": ["gawk", *awk],
            "simulation": ["python3", str(HERE / "mechanisms.py"), *arguments],
            "fairdeal": [self.fairdeal, *f"deal unconstrained --rng {method} -n {deals} --seed {seed}".split()],
        }
        command = commands[runner]
        if shutil.which(command[0]) is None:
            raise NotRun(f"{pathlib.Path(command[0]).name} is not installed")
        return command

    def own_program(self, package):
        """Returns the path of a program that the user names in the environment."""
        variable = "STUDY_" + package.upper().replace("-", "_")
        path = os.environ.get(variable, "")
        if shutil.which(path) is None:
            raise NotRun(f"{variable} does not name the program")
        return path


class Versions:
    """The versions of programs and packages."""

    def __init__(self, work, fairdeal):
        self.work = work
        asked = {
            "node": ["node", "--version"],
            "python": [str(work / "python/bin/python"), "--version"],
            "simulation": ["python3", "--version"],
            "java": ["java", "--version"],
            "c": ["ldd", "--version"],
            "go": ["go", "version"],
            "rust": ["rustc", "--version"],
            "perl": ["perl", "-e", "print substr($^V, 1)"],
            "php": ["php", "-r", "echo PHP_VERSION;"],
            "ruby": ["ruby", "--version"],
            "bash": ["shuf", "--version"],
            "mawk": ["mawk", "-W", "version"],
            "gawk": ["gawk", "--version"],
            "fairdeal": [fairdeal, "--version"],
        }
        self.runners = {runner: number_in(first_line(command)) for runner, command in asked.items()}

    def of(self, row):
        """Returns the version of a subject."""
        runner, package = row["runner"], row["package"]
        if runner in ("dealer", "deal"):
            return first_line(["dpkg-query", "-W", "-f", "${Version}", package]) or ""
        if runner == "suite":
            file = self.work / "suites" / row["method"].split(" ")[0] / f"{package}.version"
            return file.read_text().strip() if file.exists() else ""
        if runner == "node" and package:
            file = self.work / "npm/node_modules" / package / "package.json"
            return json.loads(file.read_text())["version"] if file.exists() else ""
        if runner == "python" and package:
            code = f"import importlib.metadata as m; print(m.version({package!r}))"
            return first_line([str(self.work / "python/bin/python"), "-c", code]) or ""
        if runner == "rust":
            pattern = rf'^"?{re.escape(package)}"? = .*?"=([0-9.]+)"'
            found = re.search(pattern, (HERE / "rust/Cargo.toml").read_text(), re.MULTILINE)
            return found.group(1) if found else ""
        return self.runners.get(runner, "")


def first_line(command):
    """Returns the first line that a command prints, or nothing if it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return (done.stdout or done.stderr).strip().split("\n")[0]


def number_in(text):
    """Returns the first version number of a text."""
    found = re.search(r"\d+(?:\.\d+)+", text)
    return found.group() if found else ""


def last_line(text):
    """Returns the last line that says something."""
    lines = [line.strip() for line in text.split("\n") if line.strip() and not line.startswith(("note:", "  "))]
    errors = [line for line in lines if re.search("error|panicked|Error", line)]
    return (errors or lines or [""])[-1][:200]


if __name__ == "__main__":
    main()
