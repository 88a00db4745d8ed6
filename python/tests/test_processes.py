"""Other processes: forked and spawned, by the libraries that researchers use, within time limits."""

from __future__ import annotations

import concurrent.futures
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import fairdeal as fd

#: Seconds that any of these may take; a process that waits for ever takes more.
LIMIT = 120
METHODS = [method for method in ("fork", "spawn") if method in multiprocessing.get_all_start_methods()]

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")


def all_parallel_work(seed: int) -> list[Any]:
    """Everything that uses threads, a little of each."""
    condition = fd.Condition("hcp(north) >= 12 && spades(south) >= 5")
    mixed = condition.mix({"hcp(south) >= 12": 1, "1": 2})
    hands = condition.deals(500, seed=seed)
    verdict = fd.run(condition, deals=20_000, seed=seed, threads=2)
    return [
        hands.tolist(),
        [hands.tolist() for hands in condition.stream(seed=seed, size=2, n=3)],
        mixed.deals(20, seed=seed).tolist(),
        [hands.tolist() for hands in mixed.stream(seed=seed, size=2, n=3)],
        list(verdict.tests),
        fd.compare(verdict, fd.run(condition, deals=20_000, seed=seed + 1)).s,
        fd.audit(condition.deals(20_000, seed=seed), condition).s,
        condition.theory().probability,
        list(condition.theory().joint("hcp north", "spades south"))[:5],
        fd.law("voids").tolist(),
        condition.mask(hands).tolist(),
        fd.tricks(hands[:1]).tolist(),
        condition.leads("7NT", "south", "4.J9652.T86.6432", best="set", n=1, seed=seed)["best"],
    ]


@pytest.fixture(scope="module")
def wanted() -> list[Any]:
    return all_parallel_work(7)


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_pools_of_multiprocessing(method: str, wanted: list[Any]) -> None:
    with multiprocessing.get_context(method).Pool(2) as pool:
        found = pool.map_async(all_parallel_work, [7] * 2).get(timeout=LIMIT)
    assert found == [wanted] * 2


@pytest.mark.parametrize("method", METHODS)
def test_executors_of_concurrent_futures(method: str, wanted: list[Any]) -> None:
    context = multiprocessing.get_context(method)
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        given = [pool.submit(all_parallel_work, 7) for _ in range(2)]
        assert [each.result(timeout=LIMIT) for each in given] == [wanted] * 2


@pytest.mark.parametrize("backend", ["loky", "multiprocessing"])
def test_joblib(backend: str, wanted: list[Any]) -> None:
    joblib = pytest.importorskip("joblib")
    with joblib.parallel_config(backend=backend):
        work = (joblib.delayed(all_parallel_work)(7) for _ in range(2))
        assert joblib.Parallel(n_jobs=2, timeout=LIMIT)(work) == [wanted] * 2


def test_pytest_xdist(tmp_path: Path) -> None:
    pytest.importorskip("xdist")
    test = """
        import fairdeal as fd, pytest

        fd.run(deals=20_000, seed=1)

        @pytest.mark.parametrize("seed", range(4))
        def test_a_run(seed):
            assert fd.run(deals=20_000, seed=seed).is_fair
    """
    (tmp_path / "test_runs.py").write_text(textwrap.dedent(test))
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "-p", "no:cacheprovider", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT)
    assert "4 passed" in done.stdout, done.stdout + done.stderr


def in_a_child(work: Callable[[], bool]) -> None:
    """Fork, and do the work there within the time limit."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        try:
            os._exit(0 if work() else 1)
        finally:
            os._exit(2)
    begun = time.monotonic()
    while time.monotonic() - begun < LIMIT:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            assert os.waitstatus_to_exitcode(status) == 0
            return
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    raise AssertionError("the forked process did not end")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_fork_during_a_run_and_with_an_open_stream(wanted: list[Any]) -> None:
    stream = fd.Condition("hcp(north) >= 12").stream(seed=1, size=1000)
    next(stream)
    begun, enough = threading.Event(), threading.Event()

    def progress(*_: object) -> None:
        begun.set()
        if enough.is_set():
            raise InterruptedError

    def run() -> None:
        with pytest.raises(InterruptedError):
            fd.run(deals=10**12, seed=1, progress=progress)

    thread = threading.Thread(target=run)
    thread.start()
    assert begun.wait(LIMIT)
    try:
        for _ in range(3):
            in_a_child(lambda: all_parallel_work(7) == wanted)
        next(stream)
    finally:
        enough.set()
        thread.join()
