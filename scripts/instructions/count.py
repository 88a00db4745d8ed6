#!/usr/bin/env python3
"""Counts what a deal costs, for scripts/instructions.sh.

    count.py PROGRAM WORK [NAME..]

PROGRAM has the names of its functions; WORK has the program of single_step.c. For each row,
a thread is stepped through some packets of 128 deals after the first 5,120,000: drawing, filling and
counting. Every address that it reaches is disassembled, and llvm-mca tells for how many cycles its
instruction occupies which units. Functions work on a whole packet one after the other, so the bound is
the sum of the cycles of each function's busiest kind of unit, if its units share the work in the best
possible way. The time of a deal is measured without stepping.
"""
import json
import os
import re
import subprocess
import sys
import time
from bisect import bisect_right
from collections import Counter
from pathlib import Path

PACKET = 128
SKIPPED = 40_000
ENTRY = "fairdeal::tally::counts::Counting::count"
FOUR_HANDS = (
    "hcp(north) >= 12 && hcp(north) <= 13 && hcp(east) >= 8 && hcp(east) <= 9"
    " && hcp(south) >= 10 && hcp(south) <= 11 && hcp(west) >= 8 && hcp(west) <= 9"
)
# Row: input, battery, path (None: the best), packets: all tests are made in eight chunks of 32.
ROWS = {
    "unconstrained": (["unconstrained"], "tables", None, 32),
    "unconstrained, AVX2": (["unconstrained"], "tables", "avx2", 32),
    "unconstrained, portable": (["unconstrained"], "tables", "portable", 32),
    "flannery-misfit": (["flannery-misfit"], "tables", None, 32),
    "flat-three-suiter, cells": (["flat-three-suiter"], "tables", None, 32),
    "flat-three-suiter, file": (["flat-three-suiter", "--sampler", "listing"], "tables", None, 32),
    # With the same plan for any number of deals.
    "HCP of four hands": (["--where", FOUR_HANDS, "--sampler", "cells"], "tables", None, 32),
    "standard": (["unconstrained"], "standard", None, 256),
    "full": (["unconstrained"], "full", None, 32),
}


def ran(arguments, **options):
    return subprocess.run(arguments, check=True, capture_output=True, text=True, **options).stdout


class Program:
    """The functions of the program, and the instructions at its addresses."""

    def __init__(self, path):
        self.path = path
        found = []
        for line in ran(["nm", "-C", "--defined-only", path]).splitlines():
            address, kind, name = line.split(" ", 2)
            if kind in "tT":
                found.append((int(address, 16), name))
        found.sort()
        self.starts = [address for address, _ in found]
        self.names = [name for _, name in found]
        self.known = {}

    def place(self, address):
        return bisect_right(self.starts, address) - 1

    def instruction(self, address):
        """The instruction at an address, without its jump's target."""
        if address not in self.known:
            place = self.place(address)
            end = self.starts[place + 1] if place + 1 < len(self.starts) else self.starts[place] + 65536
            text = ran(["objdump", "-d", "--no-show-raw-insn", "-w", f"--start-address={self.starts[place]:#x}",
                        f"--stop-address={end:#x}", self.path])
            for line in text.splitlines():
                parts = line.split("\t")
                if len(parts) >= 2 and parts[0].rstrip().endswith(":"):
                    self.known[int(parts[0].strip().rstrip(":"), 16)] = cleaned(parts[1])
        return self.known[address]


def cleaned(text):
    text = re.sub(r"\s*[#<].*", "", text).strip()
    text = re.sub(r"^((bnd|notrack|data16|cs|lock|rep|repz|repnz)\s+)+", "", text)
    mnemonic = text.split(" ")[0]
    if re.match(r"(j[a-z]+|call|callq)$", mnemonic) and "*" not in text:
        return f"{mnemonic} 0"
    return text


def usage(instructions):
    """Cycles of each kind of unit by instruction, and the operations into which it is divided."""
    asked = "\n".join(instructions) + "\n"
    command = [os.environ["MCA"], "-mcpu=native", "-iterations=1", "-json", "-skip-unsupported-instructions=any"]
    found = subprocess.run(command, input=asked, capture_output=True, text=True)
    if found.returncode:
        command.remove("-skip-unsupported-instructions=any")
        found = subprocess.run(command, input=asked, capture_output=True, text=True, check=True)
    data = json.loads(found.stdout)
    region = data["CodeRegions"][0]
    listed = [text.strip() for text in region["Instructions"]]
    names = data["TargetInfo"]["Resources"]
    rows = [Counter() for _ in listed]
    for use in region["ResourcePressureView"]["ResourcePressureInfo"]:
        if use["InstructionIndex"] < len(rows):
            rows[use["InstructionIndex"]][kind(names[use["ResourceIndex"]])] += use["ResourceUsage"]
    operations = [0] * len(listed)
    for info in region["InstructionInfoView"]["InstructionList"]:
        operations[info["Instruction"]] = info["NumMicroOpcodes"]
    return rows, operations, Counter(kind(name) for name in names), data["TargetInfo"]["CPUName"]


def kind(name):
    """`Zn4FP2` and `Zn4FP3` are of one kind."""
    return re.sub(r"(\d+)?(\.\W*)?$", "", name.rstrip("\0").rstrip("."))


def clock():
    """Cycles in a nanosecond, by additions that wait for each other."""
    source = (
        "#include <stdio.h>\n#include <time.h>\nint main(void) { double best = 0; for (int i = 0; i < 9; i++) {"
        "struct timespec a, b; unsigned long n = 100000000, x = 0; clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);"
        'for (unsigned long k = 0; k < n; k += 100) __asm__ volatile(".rept 100\\n add $1, %0\\n .endr" : "+r"(x));'
        "clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);"
        "double s = (b.tv_sec - a.tv_sec) + 1e-9 * (b.tv_nsec - a.tv_nsec), r = n / s / 1e9;"
        'if (r > best) best = r; } printf("%f\\n", best); }\n'
    )
    Path(f"{WORK}/clock.c").write_text(source)
    ran(["gcc", "-O1", "-o", f"{WORK}/clock", f"{WORK}/clock.c"])
    return float(ran([f"{WORK}/clock"]))


def environment(path):
    return {**os.environ, **({"FAIRDEAL_PATH": path} if path else {})}


def arguments(row, deals, threads=True):
    given, battery, _, _ = ROWS[row]
    return ["run", *given, "--battery", battery, "--deals", str(deals), "--seed", "1", "--quiet",
            "--out", f"{WORK}/report", "--force", *(["--threads", "1"] if threads else [])]


def seconds(row, deals):
    """Processor seconds of a run."""
    before = os.times()
    subprocess.run([PROGRAM.path, *arguments(row, deals)], env=environment(ROWS[row][2]), capture_output=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def nanoseconds(row):
    """Nanoseconds of processor time a deal: the difference of two runs, the median of three."""
    few, many = 2_000_000, 22_000_000
    found = sorted((seconds(row, many) - seconds(row, few)) / (many - few) for _ in range(3))
    return 1e9 * found[1]


def stepped(row):
    """The number of times that each address is reached, for the row's packets."""
    entry = next(start for start, name in zip(PROGRAM.starts, PROGRAM.names) if name == ENTRY)
    text = ran([f"{WORK}/single_step", f"{entry:x}", str(SKIPPED), str(ROWS[row][3]), PROGRAM.path,
                *arguments(row, 22_000_000)], env=environment(ROWS[row][2]))
    counts, elsewhere = {}, 0
    for line in text.splitlines():
        address, count = line.split()
        if address == "elsewhere":
            elsewhere = int(count)
        else:
            counts[int(address, 16)] = int(count)
    return counts, elsewhere


def report(row, cycles_per_ns):
    ns = nanoseconds(row)
    counts, elsewhere = stepped(row)
    deals = ROWS[row][3] * PACKET
    addresses = sorted(counts)
    texts = [PROGRAM.instruction(address) for address in addresses]
    rows, operations, units, _ = usage(texts)
    assert len(rows) == len(texts), f"llvm-mca lists {len(rows)} of {len(texts)} instructions"
    total, vectors, gathers, split = 0, 0, 0, 0
    functions, work = Counter(), {}
    for address, text, used, parts in zip(addresses, texts, rows, operations):
        share = counts[address] / deals
        total += share
        split += share * parts
        vectors += share * bool(re.search(r"%[xyz]mm", text))
        gathers += share * ("gather" in text)
        name = PROGRAM.names[PROGRAM.place(address)]
        functions[name] += share
        busy = work.setdefault(name, Counter())
        for unit, cycles in used.items():
            # Every unit of a kind takes an equal share.
            busy[unit] += share * cycles / units[unit]
    functions["(libraries and the system)"] = elsewhere / deals
    total += elsewhere / deals
    bound = sum(max(busy.values(), default=0) for busy in work.values())
    cycles = ns * cycles_per_ns
    print(f"{row:26} {ns:7.2f} {cycles:8.1f} {total:9.1f} {vectors:8.1f} {gathers:8.2f} {split:9.1f}"
          f" {total / cycles:7.2f} {bound:7.1f} {bound / cycles:7.0%}", flush=True)
    return [(share, name) for name, share in functions.most_common(8)]


def misses(row, size, ways):
    """Misses of the nearest data cache a deal, simulated: AVX2, since valgrind lacks AVX-512."""
    found = []
    for deals in (200_000, 400_000):
        out = f"{WORK}/cachegrind.out"
        subprocess.run(["valgrind", "--tool=cachegrind", "--cache-sim=yes", f"--D1={size},{ways},64", "--LL=33554432,16,64",
                        f"--cachegrind-out-file={out}", PROGRAM.path, *arguments(row, deals)],
                       env=environment("avx2"), capture_output=True)
        lines = Path(out).read_text().splitlines()
        events = next(line for line in lines if line.startswith("events:")).split()[1:]
        summary = next(line for line in lines if line.startswith("summary:")).split()[1:]
        counted = dict(zip(events, map(int, summary)))
        found.append(counted["D1mr"] + counted["D1mw"])
    return (found[1] - found[0]) / 200_000


def main():
    chosen = [row for row in ROWS if not NAMES or row in NAMES]
    model = usage(["nop"])[3]
    processor = next(line for line in open("/proc/cpuinfo") if line.startswith("model name")).split(": ")[1].strip()
    cycles_per_ns = clock()
    print(f"# scripts/instructions.sh, {ran([PROGRAM.path, '--version']).strip()}, {processor}, model {model},"
          f" {cycles_per_ns:.2f} cycles per ns")
    print("\nA deal, one thread: processor time; instructions, counted by single steps; the operations into which"
          "\nthe model divides them; instructions a cycle; and the cycles for which they occupy the busiest units"
          "\nby the model, which counts a gather as a load.\n")
    print(f"{'':26} {'ns':>7} {'cycles':>8} {'instruct.':>9} {'vector':>8} {'gathers':>8} {'operat.':>9}"
          f" {'a cycle':>7} {'busy':>7} {'of all':>7}")
    most = {row: report(row, cycles_per_ns) for row in chosen}
    print("\nInstructions a deal by function\n")
    for row, functions in most.items():
        for share, name in functions:
            if share >= 0.5:
                print(f"{row:26} {share:8.1f}  {name}")
    simulated = [row for row in chosen if ROWS[row][2] is None and "file" not in row]
    print("\nMisses of the nearest data cache a deal, simulated with AVX2\n")
    print(f"{'':26} {'32 KB, 8 ways':>14} {'48 KB, 12 ways':>15}")
    for row in simulated:
        print(f"{row:26} {misses(row, 32768, 8):14.2f} {misses(row, 49152, 12):15.2f}", flush=True)


PROGRAM, WORK, NAMES = Program(sys.argv[1]), sys.argv[2], sys.argv[3:]
main()
