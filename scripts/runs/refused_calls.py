"""Runs a program with one system call refused: used by full_disk.py.

The kernel asks this process about every call that could change a file (seccomp's user
notification, Linux 5.5 or later; no privileges are needed). Calls of all threads on the given
folders are counted together, and the chosen one returns an error instead of being executed.
"""

import ctypes
import errno
import fcntl
import os
import platform
import select
import socket
import struct
import subprocess

# Numbers of the calls that change files or folders.
CALLS = {
    "x86_64": {
        "write": 1, "open": 2, "pwrite64": 18, "writev": 20, "flock": 73, "fsync": 74,
        "fdatasync": 75, "truncate": 76, "ftruncate": 77, "rename": 82, "mkdir": 83,
        "creat": 85, "link": 86, "unlink": 87, "chmod": 90, "fchmod": 91, "openat": 257,
        "mkdirat": 258, "unlinkat": 263, "renameat": 264, "linkat": 265, "fchmodat": 268,
        "fallocate": 285, "pwritev": 296, "renameat2": 316, "copy_file_range": 326,
    },
    "aarch64": {
        "write": 64, "pwrite64": 68, "writev": 66, "flock": 32, "fsync": 82, "fdatasync": 83,
        "truncate": 45, "ftruncate": 46, "fchmod": 52, "openat": 56, "mkdirat": 34,
        "unlinkat": 35, "renameat": 38, "linkat": 37, "fchmodat": 53, "fallocate": 47,
        "pwritev": 70, "renameat2": 276, "copy_file_range": 285,
    },
}
AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
SECCOMP = {"x86_64": 317, "aarch64": 277}
# The arguments that name a call's file: the path, and the folder that it is relative to; none if
# the first argument is an open file.
PATHS = {
    "open": (None, 0), "creat": (None, 0), "truncate": (None, 0), "rename": (None, 1),
    "mkdir": (None, 0), "link": (None, 1), "unlink": (None, 0), "chmod": (None, 0),
    "openat": (0, 1), "mkdirat": (0, 1), "unlinkat": (0, 1), "renameat": (2, 3),
    "renameat2": (2, 3), "linkat": (2, 3), "fchmodat": (0, 1),
}
# Calls that fail on a full disk; other calls fail as on a broken disk.
NEEDS_ROOM = {
    "write", "pwrite64", "writev", "pwritev", "open", "creat", "openat", "mkdir", "mkdirat",
    "link", "linkat", "rename", "renameat", "renameat2", "ftruncate", "fallocate",
    "copy_file_range",
}
# Bits of `open` that make or change a file: write, create, truncate.
CHANGING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC

PR_SET_NO_NEW_PRIVS = 38
SET_MODE_FILTER, NEW_LISTENER = 1, 8
ALLOW, NOTIFY = 0x7FFF0000, 0x7FC00000
RECEIVE, SEND, CONTINUE = 0xC0502100, 0xC0182101, 1
FD_CWD = -100


class NotHere(Exception):
    """This system does not let a process answer the calls of another."""


def _filter(calls, arch):
    """A filter that reports these calls."""
    code = [
        (0x20, 0, 0, 4),
        (0x15, 1, 0, arch),
        (0x06, 0, 0, ALLOW),
        (0x20, 0, 0, 0),
    ]
    for number in sorted(calls):
        code += [(0x15, 0, 1, number), (0x06, 0, 0, NOTIFY)]
    code.append((0x06, 0, 0, ALLOW))
    return b"".join(struct.pack("=HBBI", *step) for step in code), len(code)


def _listen(sender):
    """In the child, before it becomes the program: sends the parent the file to listen on."""
    machine = platform.machine()
    libc = ctypes.CDLL(None, use_errno=True)
    program, length = _filter(CALLS[machine].values(), AUDIT_ARCH[machine])
    steps = ctypes.create_string_buffer(program, len(program))
    fprog = ctypes.create_string_buffer(struct.pack("@HP", length, ctypes.addressof(steps)))
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    listener = libc.syscall(
        ctypes.c_long(SECCOMP[machine]), SET_MODE_FILTER, NEW_LISTENER, ctypes.byref(fprog)
    )
    if listener < 0:
        raise OSError(ctypes.get_errno(), "seccomp")
    socket.send_fds(sender, [b"."], [listener])
    os.close(listener)


def _path_at(pid, address):
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
        text = os.pread(memory.fileno(), 4096, address)
    return os.fsdecode(text.split(b"\0", 1)[0])


def _named(pid, call, arguments):
    """The file of a call."""
    try:
        if call not in PATHS:
            return os.readlink(f"/proc/{pid}/fd/{arguments[0]}")
        folder, path = PATHS[call]
        path = _path_at(pid, arguments[path])
        if os.path.isabs(path):
            return path
        number = FD_CWD if folder is None else ctypes.c_int(arguments[folder]).value
        link = "cwd" if number == FD_CWD else f"fd/{number}"
        return os.path.join(os.readlink(f"/proc/{pid}/{link}"), path)
    except OSError:
        return ""


class Done:
    """The exit code of a program, and its calls in the folders as (call, path)."""

    def __init__(self, code, stdout, stderr, calls):
        self.code, self.stdout, self.stderr, self.calls = code, stdout, stderr, calls


def run(command, folders, refuses, env=None):
    """Runs a command; `refuses(number, call)`, called for every call in the folders, numbered from
    1, returns its error, if any."""
    machine = platform.machine()
    if machine not in CALLS:
        raise NotHere(f"unknown machine {machine}")
    names = {number: name for name, number in CALLS[machine].items()}
    ours, theirs = socket.socketpair()
    with open(os.devnull, "rb") as nothing:
        try:
            process = subprocess.Popen(
                command, stdin=nothing, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                env=env, preexec_fn=lambda: _listen(theirs),
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise NotHere(f"the kernel does not allow it: {error}") from error
    theirs.close()
    listener = socket.recv_fds(ours, 1, 1)[1][0]
    calls = []
    try:
        _answer(listener, folders, names, refuses, calls)
    finally:
        os.close(listener)
        ours.close()
    stdout, stderr = process.communicate()
    return Done(process.returncode, stdout.decode(), stderr.decode(), calls)


def _answer(listener, folders, names, refuses, calls):
    """Answers calls until the last thread has ended."""
    poll = select.poll()
    poll.register(listener, select.POLLIN)
    while True:
        (_, events), = poll.poll()
        if not events & select.POLLIN:
            return
        question = bytearray(80)
        try:
            fcntl.ioctl(listener, RECEIVE, question)
        except OSError as error:
            if error.errno in (errno.ENOENT, errno.EINTR):
                continue
            raise
        ident, pid, _, number, _, _ = struct.unpack_from("=QIIiIQ", question)
        arguments = struct.unpack_from("=6Q", question, 32)
        call = names[number]
        refused = 0
        is_open = {"open": 1, "openat": 2}.get(call)
        if is_open is None or arguments[is_open] & CHANGING:
            path = _named(pid, call, arguments)
            if any(path == folder or path.startswith(folder + "/") for folder in folders):
                calls.append((call, path))
                refused = refuses(len(calls), call) or 0
        answer = struct.pack("=QqiI", ident, 0, -refused, 0 if refused else CONTINUE)
        try:
            fcntl.ioctl(listener, SEND, bytearray(answer))
        except OSError as error:
            if error.errno != errno.ENOENT:
                raise
