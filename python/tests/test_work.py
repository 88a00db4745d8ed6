"""Errors, interruptions, progress, threads and memory."""

from __future__ import annotations

import doctest
import importlib
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from typing import Any

import numpy as np
import pytest

import fairdeal as fd
from fairdeal import _fairdeal


def test_the_version_is_that_of_the_program() -> None:
    assert fd.__version__ == version("fairdeal")
    assert _fairdeal.PROGRAM == f"fairdeal {fd.__version__}"


MODULES = ("condition", "convert", "deals", "errors", "table", "theory", "tricks", "verdict")


@pytest.mark.parametrize(
    "name",
    ["fairdeal", *(f"fairdeal._{of}" for of in MODULES)],
)
def test_the_examples_of_the_documentation_run(name: str) -> None:
    module = importlib.import_module(name)
    failed, tried = doctest.testmod(module)
    assert tried > 0
    assert failed == 0


def test_the_documentation_of_the_compiled_classes_runs() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    runner = doctest.DocTestRunner()
    for found in (fd.Deal, fd.Hand):
        for test in finder.find(found, module=fd, globs={"Deal": fd.Deal}):
            runner.run(test)
    assert runner.tries > 3
    assert runner.failures == 0


def test_errors_have_a_place_and_a_caret() -> None:
    with pytest.raises(fd.ConditionError) as caught:
        fd.Condition("hcp(north) >= 15 &&\nspades(wset) == 9")
    error = caught.value
    assert (error.line, error.column) == (2, 8)
    assert "\n" not in error.message
    assert "^" in str(error)
    assert "spades(wset) == 9" in str(error)
    with pytest.raises(fd.ConditionError, match="no deal satisfies") as caught:
        fd.Condition("hcp(north) + hcp(south) > 40").deals(1)
    assert caught.value.line is None
    with pytest.raises(ValueError):  # all of them are
        fd.Condition("hcp(")


def test_warnings_are_python_warnings() -> None:
    with pytest.warns(fd.ConditionWarning, match="mix"):
        fd.Condition("# mix: game\n1")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fd.Condition("hcp(north) >= 15")


def test_progress_is_reported() -> None:
    seen: list[tuple[str, int, int | None]] = []
    fd.run(deals=30_000_000, seed=1, progress=lambda *of: seen.append(of))
    deals = [(done, of) for stage, done, of in seen if stage == "deals"]
    assert deals
    assert all(of == 30_000_000 for _, of in deals)
    assert sorted(done for done, _ in deals) == [done for done, _ in deals]
    seen.clear()
    fd.Condition().deals(30_000_000, seed=1, progress=lambda *of: seen.append(of))
    assert seen[-1] == ("deals", 30_000_000, 30_000_000)
    fd.run(deals=1000, progress=True)

    def broken(*_: object) -> None:
        raise LookupError("in the callback")

    with pytest.raises(LookupError, match="in the callback"):
        fd.run(deals=30_000_000, seed=1, progress=broken)


LONG = {
    "run": "fd.run(deals=10**12, seed=1)",
    "deals": "fd.Condition('hcp(north) == 37').deals(10, 1, sampler='rejection')",
    "stream": "next(fd.Condition('hcp(north) == 37').stream(1, 10, sampler='rejection'))",
    "audit": "fd.audit(lambda array: fd.Condition().deals(out=array), deals=10**10)",
}


@pytest.mark.skipif(os.name != "posix", reason="needs SIGINT")
@pytest.mark.parametrize("work", LONG)
def test_ctrl_c_ends_long_work(work: str) -> None:
    code = f"""
        import fairdeal as fd
        print("begun", flush=True)
        try:
            {LONG[work]}
        except KeyboardInterrupt:
            print("interrupted", flush=True)
    """
    command = [sys.executable, "-c", textwrap.dedent(code)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        begun = time.monotonic()
        assert process.stdout.readline() == "interrupted\n"
        assert time.monotonic() - begun < 3
        assert process.wait(10) == 0


def resident() -> int:
    """The memory of this process in bytes."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_ten_million_deals_do_not_grow_memory() -> None:
    condition = fd.Condition("hcp(north) >= 12")
    out = np.zeros((100_000, 4), dtype=np.uint64)
    stream = condition.stream(seed=1, size=100_000)

    def deal(times: int) -> None:
        for seed in range(times):
            condition.deals(seed=seed, out=out)
            next(stream)

    deal(10)
    before = resident()
    deal(110)
    # The allocator keeps some arrays of 3 MB; all deals take 350 MB.
    assert resident() - before < 30 << 20


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_audits_of_millions_of_deals_do_not_grow_memory() -> None:
    condition = fd.Condition()

    def dealer(array: Any) -> None:
        condition.deals(out=array)

    fd.audit(dealer, deals=3_000_000, battery="tables")
    before = resident()
    fd.audit(dealer, deals=12_000_000, battery="tables")
    # The allocator keeps the memory of some batches of 32 MB for each thread; all deals take 384 MB.
    assert resident() - before < 200 << 20


def test_threads_share_a_condition() -> None:
    condition = fd.Condition("hcp(north) >= 15 && spades(north) >= 5")
    alone = [condition.deals(2000, seed=seed) for seed in range(16)]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda seed: condition.deals(2000, seed=seed), range(16)))
        runs = list(pool.map(lambda seed: fd.run(deals=20_000, seed=seed).tests, [1] * 4))
        stream = condition.stream(seed=1, size=100, n=4000)
        parts = list(pool.map(lambda _: list(stream), range(4)))
    assert all((one == other).all() for one, other in zip(alone, together))
    assert all(tests == runs[0] for tests in runs)
    streamed = {bytes(array) for part in parts for array in part}
    assert streamed == {bytes(array) for array in condition.stream(seed=1, size=100, n=4000)}


def test_python_runs_while_deals_are_dealt() -> None:
    condition = fd.Condition("hcp(north) >= 15")
    condition.deals(10, seed=1)
    work = threading.Thread(target=lambda: fd.run(deals=30_000_000, seed=1, threads=1))
    work.start()
    ticks = 0
    while work.is_alive():
        ticks += 1
        time.sleep(0.001)
    assert ticks > 20


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_dropped_stream_ends_its_thread() -> None:
    def threads() -> int:
        return len(os.listdir("/proc/self/task"))

    # The workers of the process stay.
    next(fd.Condition("hcp(north) >= 15").stream(seed=1))
    before = threads()
    for _ in range(50):
        next(fd.Condition("hcp(north) >= 15").stream(seed=1))
    for _ in range(100):
        if threads() <= before:
            break
        time.sleep(0.05)
    assert threads() <= before


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_cannot_take_deals_of_its_parent() -> None:
    stream = fd.Condition().stream(seed=1)
    next(stream)
    child = os.fork()
    if child == 0:
        try:
            next(stream)
        except fd.UsageError:
            os._exit(17)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 17


def test_too_many_threads_are_limited_with_a_warning() -> None:
    wanted = fd.run(deals=20_000, seed=1).tests
    for threads in (10_000, 1_000_000):
        with pytest.warns(UserWarning, match=f"{threads} threads: use 1 to .*, 4 per processor"):
            found = fd.run(deals=20_000, seed=1, threads=threads)
        assert found.tests == wanted
    with pytest.raises(ValueError, match="0 threads"):
        fd.run(deals=1000, seed=1, threads=0)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_two_hundred_runs_at_once_share_threads() -> None:
    most = 0

    def count(*_: object) -> None:
        nonlocal most
        most = max(most, len(os.listdir("/proc/self/task")))

    with ThreadPoolExecutor(200) as pool:
        runs = list(
            pool.map(lambda _: fd.run(deals=20_000, seed=1, progress=count).tests, range(200))
        )
    assert all(tests == runs[0] for tests in runs)
    # Two threads of each run wait or report; the workers are four per processor at most.
    assert most <= 2 * 200 + 4 * (os.cpu_count() or 1) + 50


def test_numbers_outside_their_bounds_are_errors() -> None:
    for deals in (0, 12 * 10**15):
        with pytest.raises(ValueError, match="deals: must be at"):
            fd.run(deals=deals, seed=1)
    with pytest.raises(ValueError, match="target: must be at least 1"):
        fd.run(deals=10, seed=1, target=0)


def test_arrays_that_cannot_be_used_are_named() -> None:
    out = np.zeros((10, 4), dtype=np.uint64)
    out.flags.writeable = False
    with pytest.raises(ValueError, match="the array `out` is read-only"):
        fd.Condition().deals(seed=1, out=out)
    dealt = fd.Condition().deals(10, seed=1)
    dealt.flags.writeable = False
    assert len(fd.Deal.from_array(dealt)) == 10
    assert fd.audit(dealt).level == "INCONCLUSIVE"
