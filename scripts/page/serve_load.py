"""The clients of `scripts/browser.sh load`."""

import json
import multiprocessing
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time

MOST = 100_000_000
PIECE = 1 << 16
PAGES = ["/", "/audit", "/deal", "/runs", "/health", "/health.json"]
MARK = "----a-mark-of-this-script"


class Server:
    def __init__(self, program, work):
        self.reports = os.path.join(work, "reports")
        self.process = subprocess.Popen(
            [program, "serve", "--port", "0", "--folder", self.reports, "--quiet"],
            stdout=subprocess.PIPE,
            text=True,
        )
        host, port = self.process.stdout.readline().strip()[len("http://") :].strip("/").split(":")
        self.address = (host, int(port))

    def connect(self):
        return socket.create_connection(self.address, timeout=600)

    def head(self, method, path):
        return f"{method} {path} HTTP/1.1\r\nHost: {self.address[0]}:{self.address[1]}\r\nConnection: close\r\n"

    def get(self, path):
        with self.connect() as connection:
            connection.sendall((self.head("GET", path) + "\r\n").encode())
            return answer(connection)

    def peak(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            for line in status:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) * 1024
        return 0

    def temporary_files(self):
        found = []
        for name in os.listdir(self.reports):
            if name.startswith(".fairdeal-serve-"):
                files = os.listdir(os.path.join(self.reports, name))
                found += [file for file in files if file != "lock"]
        return found


def answer(connection):
    """Status, headers and body of an answer that ends with the connection."""
    pieces = []
    try:
        while piece := connection.recv(PIECE):
            pieces.append(piece)
    except ConnectionError:
        pass
    head, _, body = b"".join(pieces).partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    words = lines[0].split(" ")
    headers = dict(line.lower().split(": ", 1) for line in lines[1:] if ": " in line)
    return (int(words[1]) if len(words) > 1 else 0), headers, body


class Load:
    def __init__(self, server, deals, audits, seed):
        self.server = server
        self.deals = deals
        generator = random.Random(seed)
        self.plans = []
        for number in range(audits):
            # Every tenth has 100 MB, the others between 0.1 and 100 MB, evenly in decades.
            size = MOST if number % 10 == 0 else int(10 ** generator.uniform(5, 8))
            share = generator.uniform(0.02, 0.98) if number % 2 else None
            self.plans.append((number, size, share))
        generator.shuffle(self.plans)
        self.lock = threading.Lock()
        self.jobs = []
        self.broken = 0
        self.sent = 0
        self.again = 0
        self.refused = []
        self.accepted = 0.0

    def clients(self, count):
        threads = [threading.Thread(target=self.client) for _ in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def client(self):
        while True:
            with self.lock:
                if not self.plans:
                    return
                plan = self.plans.pop()
            while not self.upload(*plan):
                time.sleep(1)

    def upload(self, number, size, share):
        """Sends a body, or a share of it; returns false if it must be sent again."""
        body = self.deals[: self.deals.rfind(b"\n", 0, size) + 1]
        first = (
            f"--{MARK}\r\nContent-Disposition: form-data; name=\"files\"; filename=\"{number}.txt\"\r\n\r\n"
        ).encode()
        last = f"\r\n--{MARK}--\r\n".encode()
        length = len(first) + len(body) + len(last)
        head = self.server.head("POST", "/audit")
        head += f"Content-Type: multipart/form-data; boundary={MARK}\r\nContent-Length: {length}\r\n\r\n"
        until = length if share is None else int(length * share)
        with self.server.connect() as connection:
            try:
                connection.sendall(head.encode() + first)
                view = memoryview(body)[: max(0, until - len(first))]
                for start in range(0, len(view), PIECE):
                    connection.sendall(view[start : start + PIECE])
                if share is not None:
                    # A client that breaks off resets the connection, or closes it.
                    if number % 4 == 1:
                        linger = (1).to_bytes(4, "little") + (0).to_bytes(4, "little")
                        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                    with self.lock:
                        self.broken += 1
                    return True
                connection.sendall(last)
            except ConnectionError:
                pass
            done = time.monotonic()
            status, headers, _ = answer(connection)
            took = time.monotonic() - done
        with self.lock:
            if status == 503:
                self.again += 1
                return False
            if status == 303:
                self.jobs.append(headers["location"])
                self.sent += len(body)
                self.accepted = max(self.accepted, took)
            else:
                self.refused.append((number, status))
        return True


def probe(address, is_over, found):
    """Asks pages in a process of its own, so that the clients do not delay it."""
    server = Server.__new__(Server)
    server.address = address
    times = {}
    place = 0
    while not is_over.is_set():
        path = PAGES[place % len(PAGES)]
        place += 1
        begun = time.monotonic()
        status, _, body = server.get(path)
        took = time.monotonic() - begun
        entry = times.setdefault(path, [0, 0.0])
        entry[0] += 1
        entry[1] = max(entry[1], took)
        if status != 200:
            times.setdefault("wrong", []).append((path, status))
        if path == "/health.json":
            health = json.loads(body)
            times["most waiting"] = max(times.get("most waiting", 0), health["queued"])
            times["most uploads"] = max(times.get("most uploads", 0), health["uploads"])
        time.sleep(0.05)
    found.put(times)


def main():
    program, work, audits, clients, seed = sys.argv[1:]
    audits, clients = int(audits), int(clients)
    deals = subprocess.run(
        [program, "deal", "unconstrained", "-n", "1.45M", "--seed", seed, "-q"],
        stdout=subprocess.PIPE,
        check=True,
    ).stdout
    assert len(deals) >= MOST
    server = Server(program, work)
    load = Load(server, deals, audits, int(seed))
    is_over, found = multiprocessing.Event(), multiprocessing.Queue()
    prober = multiprocessing.Process(target=probe, args=(server.address, is_over, found))
    prober.start()
    begun = time.monotonic()
    load.clients(clients)
    received = time.monotonic() - begun
    while True:
        health = json.loads(server.get("/health.json")[2])
        if health["queued"] + health["running"] + health["uploads"] == 0:
            break
        time.sleep(0.2)
    whole = time.monotonic() - begun
    is_over.set()
    times = found.get()
    prober.join()
    verdicts = {}
    for job in load.jobs:
        page = server.get(job)[2].decode()
        word = page.partition('<p class="word">')[2].partition("<")[0] or "none"
        verdicts[word] = verdicts.get(word, 0) + 1
    left = server.temporary_files()
    peak = server.peak()
    server.process.send_signal(signal.SIGINT)
    code = server.process.wait(timeout=60)
    pages = {path: times[path] for path in PAGES if path in times}
    slowest = max(entry[1] for entry in pages.values())
    print(f"uploads      {audits} by {clients} clients at once, up to {MOST // 10**6} MB each")
    print(f"completed    {len(load.jobs)}, {load.sent / 1e9:.2f} GB; asked to come again: {load.again}")
    print(f"broken off   {load.broken}")
    print(f"refused      {len(load.refused)} {load.refused or ''}".rstrip())
    print(f"verdicts     {', '.join(f'{count} {word}' for word, count in sorted(verdicts.items()))}")
    print(f"time         {received:.1f} s to receive, {whole:.1f} s to the last verdict")
    print(f"at once      {times.get('most uploads', 0)} uploads, {times.get('most waiting', 0)} jobs waiting")
    print(f"peak memory  {peak / 1e6:.0f} MB")
    print(f"accepted     {load.accepted:.3f} s from the last byte of a client to its answer, at most")
    for path, (count, most) in pages.items():
        print(f"{path:12} {count} answers, the slowest after {most:.3f} s")
    print(f"left         {len(left)} temporary files; exit code {code}")
    faults = []
    if max(slowest, load.accepted) > 2:
        faults.append("an answer took more than 2 s")
    if peak > 1e9:
        faults.append("more than 1 GB of memory")
    if verdicts.get("none") or len(load.jobs) + load.broken != audits:
        faults.append("an upload was lost")
    if left or code != 0:
        faults.append("files are left, or the server did not end well")
    if times.get("wrong"):
        faults.append(f"wrong statuses: {times['wrong'][:5]}")
    print("faults       " + ("; ".join(faults) or "none"))
    sys.exit(bool(faults))


main()
