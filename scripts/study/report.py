"""Writes the tables and the page of the study from the results that run.py left.

    python3 report.py WORK OUT [--quick]

Ends with exit code 1 if a FAIL does not stand on two seeds and two numbers of deals, or if its
effect differs from that of the simulation of its mechanism by five standard errors or more.
"""

import csv
import json
import math
import pathlib
import sys

import effects
import page
from run import read
from words import TITLES

MOST_Z = 5


def main():
    work, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    is_quick = "--quick" in sys.argv
    study = collect(work / "results", is_quick)
    out.mkdir(parents=True, exist_ok=True)
    write_csv(out / "results.csv", RESULT_COLUMNS, [result_row(subject) for subject in study["subjects"]])
    write_csv(out / "failures.csv", FAILURE_COLUMNS, study["failures"])
    (out / "index.html").write_text(page.html(study))
    (out / "README.md").write_text(readme(study))
    faults = study["faults"]
    counts = study["counts"]
    print(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    print(f"{len(study['failures'])} failed audits, largest |z| {study['largest_z']:.2f}; faults: {len(faults)}")
    for fault in faults:
        print(f"  {fault}")
    sys.exit(1 if faults else 0)


def collect(folder, is_quick):
    """Returns the subjects with their audits, the failures with their predictions, and faults."""
    audits = {}
    for file in sorted(folder.glob("*.json")):
        result = json.loads(file.read_text())
        audits.setdefault(result["name"], []).append(result)
    mechanisms = {row["name"]: row for row in read("mechanisms.csv")}
    for name, mechanism in mechanisms.items():
        simulated = audits.get(f"simulation {name}", [])
        mechanism["simulation"] = max(simulated, key=lambda result: result["deals"], default=None)
    subjects, failures, faults = [], [], []
    for row in read("subjects.csv"):
        results = audits.get(row["name"], [])
        if is_quick and not row["quick"]:
            continue
        subject = {**row, "audits": results, **headline(row, results)}
        subject["fails_from"] = first_failure(subject)
        subject["player_from"] = player_from(subject, mechanisms.get(row["mechanism"]))
        subjects.append(subject)
        if subject["verdict"] == "FAIL":
            mine, wrong = judge(subject, mechanisms.get(row["mechanism"]))
            subject["failures"] = mine
            failures += mine
            faults += wrong
        elif row["mechanism"] and subject["verdict"] != "NOT RUN":
            faults.append(f"{row['name']}: {subject['verdict']}, although a mechanism is known")
    counts = {verdict: sum(s["verdict"] == verdict for s in subjects) for verdict in ("PASS", "FAIL", "NOT RUN")}
    counts["without a verdict"] = len(subjects) - sum(counts.values())
    largest = max((abs(row["z"]) for row in failures if row["z"] is not None), default=0)
    return {
        "subjects": subjects,
        "mechanisms": mechanisms,
        "failures": failures,
        "faults": faults,
        "counts": counts,
        "largest_z": largest,
        "is_quick": is_quick,
    }


def headline(row, results):
    """Returns the verdict of a subject: that of its longest audit."""
    ran = [result for result in results if "verdict" in result]
    if not ran:
        reason = results[0]["not_run"] if results else "the study did not come to it"
        if row["source"] and row["source"] != reason:
            reason = f"{row['source']} ({reason})"
        return {"verdict": "NOT RUN", "reason": reason, "main": None}
    main_audit = max(ran, key=lambda result: (result["deals"], -result["seed"]))
    return {"verdict": main_audit["verdict"], "main": main_audit}


def judge(subject, mechanism):
    """Compares every failed audit with the simulation of its mechanism."""
    rows, faults = [], []
    name = subject["name"]
    ran = [result for result in subject["audits"] if "verdict" in result]
    failed = [result for result in ran if result["verdict"] == "FAIL"]
    seeds, sizes = ({result[key] for result in failed} for key in ("seed", "deals"))
    if (len(failed), len(seeds), len(sizes)) != (4, 2, 2):
        faults.append(f"{name}: {len(failed)} audits FAIL, expected four: two seeds and two numbers of deals")
    if mechanism is None:
        faults.append(f"{name}: no mechanism explains the FAIL")
        return rows, faults
    simulation = mechanism["simulation"]
    for result in sorted(ran, key=lambda result: (result["deals"], result["seed"])):
        seen, seen_error, predicted, predicted_error, z = compare(mechanism["effect"], result, simulation)
        if z is None or abs(z) >= MOST_Z:
            faults.append(f"{name}, seed {result['seed']}, {result['deals']:,} deals: z = {z}")
        rows.append({
            "name": name,
            "mechanism": mechanism["name"],
            "seed": result["seed"],
            "deals": result["deals"],
            "verdict": result["verdict"],
            "s": round(result["s"], 2),
            "effect": mechanism["effect"],
            "predicted": predicted,
            "predicted_error": predicted_error,
            "seen": seen,
            "seen_error": seen_error,
            "z": z,
        })
    return rows, faults


def compare(effect, result, simulation):
    """Returns the seen and the predicted effect with their errors, and z of their difference."""
    seen, seen_error = result["effects"][effect]
    if simulation is None or "effects" not in simulation:
        return seen, seen_error, None, None, None
    predicted, predicted_error = simulation["effects"][effect]
    if effect == "repeats":
        # The simulation predicts pairs in proportion to the square of the number of deals.
        scale = (result["deals"] / simulation["deals"]) ** 2
        predicted, predicted_error = predicted * scale, predicted_error * scale
        seen_error = seen_error * math.sqrt(max(predicted, 1) / max(seen, 1))
    z = (seen - predicted) / math.hypot(seen_error, predicted_error)
    return tuple(float(f"{value:.6g}") for value in (seen, seen_error, predicted, predicted_error, z))


RESULT_COLUMNS = (
    "name kind registry package version how deals seed deals_per_second verdict s strongest"
    " fails_from player_from mechanism source reason"
).split()
FAILURE_COLUMNS = (
    "name mechanism seed deals verdict s effect predicted predicted_error seen seen_error z"
).split()


def result_row(subject):
    """Returns the row of a subject in results.csv."""
    row = {column: subject.get(column, "") for column in RESULT_COLUMNS}
    audit = subject["main"]
    if audit is not None:
        speed = audit["deals"] / audit["cpu_seconds"] if audit["cpu_seconds"] else 0
        row.update(
            version=audit["version"],
            deals=audit["deals"],
            seed=audit["seed"] if subject["seeded"] else "",
            deals_per_second=float(f"{speed:.3g}"),
            s=round(audit["s"], 2),
            strongest=audit["strongest"][0] if audit["strongest"] else "",
            fails_from=subject["fails_from"] or "",
            player_from=subject["player_from"] or "",
        )
    if subject["verdict"] != "FAIL":
        row["mechanism"] = row["source"] = ""
    return row


def first_failure(subject):
    """Returns the fewest deals after which an audit of this subject said FAIL."""
    looks = [result["fails_from"] for result in subject["audits"] if result.get("fails_from")]
    return min(looks) if looks else None


def player_from(subject, mechanism):
    """Returns the number of deals, to two digits, after which a player's count shows the effect."""
    if subject["verdict"] != "FAIL" or mechanism is None:
        return None
    audit = subject["main"]
    value = audit["effects"][mechanism["effect"]][0]
    found = effects.player_deals(mechanism["effect"], value, audit["deals"])
    return round(float(f"{found:.2g}")) if found else None


def write_csv(file, columns, rows):
    """Writes a table, by RFC 4180."""
    with open(file, "w", newline="") as out:
        writer = csv.DictWriter(out, columns, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)


def readme(study):
    """Returns the text of README.md."""
    counts = study["counts"]
    command = "scripts/study.sh --quick" if study["is_quick"] else "scripts/study.sh"
    unfair = [s for s in study["subjects"] if s["verdict"] == "FAIL" and s["kind"] in page.REAL]
    rows = "".join(f"| {s['name']} | {s['main']['version']} | {TITLES[s['mechanism']]} |\n" for s in unfair)
    return f"""# Study of dealing programs

`{command}` made this folder. It audits every program and shuffle of `scripts/study/subjects.csv` with one battery:
{counts['PASS']} PASS, {counts['FAIL']} FAIL, {counts['without a verdict']} without a verdict, {counts['NOT RUN']} NOT RUN.

| file | contents |
|---|---|
| [index.html](index.html) | the page: what was tested, which programs are unfair, why, and what the battery cannot see |
| [results.csv](results.csv) | a row for every program: version, deals, deals per second, verdict, S, strongest test |
| [failures.csv](failures.csv) | a row for every audit of a program that fails: predicted and seen effect, z of the difference |

| program that fails | version | flaw |
|---|---|---|
{rows}"""


if __name__ == "__main__":
    main()
