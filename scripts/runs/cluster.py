"""Tests the files of scripts/cluster on a cluster of one machine: see scripts/cluster.sh."""

import contextlib
import copy
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import time

import report_folders

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cluster")
NODES = ["node1", "node2", "node3"]
PARTS, BATCH = 7, 1 << 22
# The log of a part has this text if the part started while another process dealt it.
WAITS = "waits for another process"
# Disturbances of the array before everything is cancelled, and after it. Each affects a random part
# at a random moment while it is being dealt.
BLOWS = ["requeue", "kill"], ["cut off", "requeue", "kill", "lose"]
# Disturbances of pods: TERM as from a drained node, a killed program, everything killed with its
# node.
POD_BLOWS = ["drain"] * 4 + ["kill"] * 4 + ["lose"] * 4
PODS_AT_ONCE = 3
# Versions of the schemas, from the first with all fields of the manifests enabled by default.
KUBERNETES = ["1.29", "1.31", "1.33", "1.36"]
VERDICTS = {0, 1, 2, 3, 4}
# Fields and tables that only reports of several processes have: parts, their differences, number of
# processes.
OF_MANY = ("parts", "between_parts", "parts.csv", "heterogeneity.csv", "processes")
# Maximum number of runs until one is long enough; seconds that the first should take, and deals of
# the run that measures the speed.
TRIES, SECONDS, PILOT = 3, 50, 50_000_000
# Options of pods and MPI processes; the shell must split them into words.
TESTED = ["--checkpoint", "500ms", "--keep", "100000"]
# Maximum number of seconds to wait.
PATIENCE = 300.0


class Fault(Exception):
    """A failed check."""


class TooSoon(Fault):
    """All deals were dealt before all disturbances had happened."""


class NotRun(Exception):
    """Something that a check needs is not available here."""


def in_full(count):
    """A count such as 2G."""
    return int(float(count.rstrip("KMG")) * 1000 ** (" KMG".find(count[-1]) if count[-1] in "KMG" else 0))


def row(check, seconds, right, seen):
    print(f"{check:35} {seconds:>7}  {right:7}  {seen}", flush=True)


def until(what, condition, patience=PATIENCE, pause=0.2):
    """Waits until a function returns a true value, and returns that value."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(pause)
    raise Fault(f"waited {patience:.0f} s without success for {what}")


# Processes.


def processes():
    """All processes, each with its parent, its arguments and its environment."""
    found = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        with contextlib.suppress(OSError, IndexError, ValueError):
            base = f"/proc/{name}/"
            stat, words = report_folders.read(base + "stat"), report_folders.read(base + "cmdline")
            parent = int(stat.rsplit(b")", 1)[1].split()[1])
            environment = report_folders.read(base + "environ")
            found[int(name)] = (parent, words.decode(errors="replace").split("\0"), environment)
    return found


def below(roots):
    """Processes and all their descendants."""
    everything, found = processes(), list(roots)
    for root in found:
        found += [pid for pid, (parent, _, _) in everything.items() if parent == root and pid not in found]
    return found


def kill(pids, number=signal.SIGKILL):
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def dealing(folder, part=None):
    """The processes that deal a part into a folder below this one, by the part's number."""
    found = {}
    for pid, (_, words, _) in processes().items():
        if "--part" in words and "--out" in words and words[words.index("--out") + 1].startswith(folder):
            number = int(words[words.index("--part") + 1].split("/")[0])
            if part in (None, number):
                found.setdefault(number, []).append(pid)
    return found


def stop(work):
    """Kills every process that was started with this folder, whatever its parent is now."""
    mark, me = f"{work}/slurm/".encode(), os.getpid()
    for number, patience in ((signal.SIGTERM, 8.0), (signal.SIGKILL, 2.0)):
        end = time.monotonic() + patience
        ours = [1]
        while ours and time.monotonic() < end:
            everything = processes().items()
            ours = [pid for pid, (_, words, all_set) in everything
                    if pid != me and (b"SLURM_CONF=" + mark in all_set or mark.decode() in " ".join(words))]
            kill(ours, number)
            time.sleep(0.5)


# Reports.


def unlike(whole, merged):
    """The differences between a merged report and that of one process, a line each."""
    found = []
    theirs = [name for name in report_folders.tables(merged) if name not in OF_MANY]
    if report_folders.tables(whole) != theirs:
        found.append(f"other tables: {theirs}")
    for name in sorted(set(report_folders.tables(whole)) & set(theirs)):
        one, other = (report_folders.read(os.path.join(folder, name)) for folder in (whole, merged))
        if one != other:
            found.append(f"{name} is not the same")
    one, other = report_folders.record(whole), report_folders.record(merged)
    for key in sorted((one.keys() | other.keys()) - set(OF_MANY)):
        if one.get(key) != other.get(key):
            found.append(f"run.json has another `{key}`: {one.get(key)} and {other.get(key)}")
    return found


def same(whole, merged):
    """Checks that a merged report equals that of one process; returns a summary."""
    found = unlike(whole, merged)
    if found:
        raise Fault("; ".join(found))
    with open(os.path.join(merged, "run.json"), encoding="utf-8") as file:
        verdict = json.load(file)["verdict"]
    return f"{len(report_folders.tables(whole))} tables and run.json equal those of one process, {verdict}"


def is_dealt(folder):
    """Whether a part is complete: a stopped part also has a report, of its complete batches."""
    with contextlib.suppress(OSError):
        return json.loads(report_folders.read(os.path.join(folder, "run.json"))).get("stopped") is None
    return False


def resumed(folders):
    """How often the runs of these folders were resumed."""
    total = 0
    for folder in folders:
        with open(os.path.join(folder, "run.json"), encoding="utf-8") as file:
            total += json.load(file).get("resumed", 0)
    return total


class Bench:
    """The state that all checks share."""

    def __init__(self, work, fairdeal, deals, seed, mpi):
        self.work, self.fairdeal, self.mpi = work, fairdeal, mpi
        self.chance = random.Random(seed)
        self.seed = f"0x{self.chance.getrandbits(60):x}"
        self.is_sound, self.ended = True, {}
        # The folder on a pod's path that contains the program under its own name.
        self.bin = os.path.join(work, "bin")
        os.mkdir(self.bin)
        os.symlink(fairdeal, os.path.join(self.bin, "fairdeal"))
        self.deals = in_full(deals) if deals else self.enough()

    def enough(self):
        """The number of deals that keep this machine busy for long enough."""
        folder = os.path.join(self.work, "pilot")
        command = [self.fairdeal, "run", "flannery-misfit", "--deals", str(PILOT), "--seed", "1"]
        subprocess.run([*command, "--threads", "1", "--quiet", "--out", folder], check=False, capture_output=True)
        with open(folder + "/run.json", encoding="utf-8") as file:
            rate = PILOT / json.load(file)["seconds"]
        cores = min(os.cpu_count() or 1, 2 * len(NODES))
        return max(1, round(SECONDS * cores * rate / 1e8)) * 100_000_000

    def check(self, name, of):
        """One line of the table."""
        begun = time.monotonic()
        try:
            seen, right = of(), "yes"
        except NotRun as why:
            seen, right = str(why), "NOT RUN"
        except TooSoon as why:
            row(name, f"{time.monotonic() - begun:.1f}", "", f"{why}: once more with twice the deals")
            raise
        except (Fault, OSError, KeyError, ValueError, subprocess.SubprocessError) as fault:
            seen, right, self.is_sound = " ".join(f"{type(fault).__name__}: {fault}".split()), "NO", False
        row(name, f"{time.monotonic() - begun:.1f}", right, seen)

    def whole(self, name, given):
        """One process that deals everything."""
        folder = os.path.join(self.work, f"whole-{name}-{self.deals}")
        if not os.path.exists(folder):
            command = [self.fairdeal, "run", *given, "--deals", str(self.deals), "--seed", self.seed]
            command += ["--batch", str(BATCH), "--out", folder, "--quiet"]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode not in VERDICTS:
                raise Fault(f"one process ended with {done.returncode}: {done.stderr}")
            self.ended[folder] = str(done.returncode)
        return folder


# Slurm.


class Slurm:
    """A cluster of three nodes on this machine, in a folder."""

    def __init__(self, work):
        self.base = os.path.join(work, "slurm")
        self.conf = os.path.join(self.base, "slurm.conf")
        # Without the variables of another cluster, if this is a job of one.
        self.env = {name: value for name, value in os.environ.items() if not name.startswith(("SLURM_", "SBATCH_"))}
        self.env["SLURM_CONF"] = self.conf
        self.daemons = {}
        missing = [name for name in ("munged", "slurmctld", "slurmd", "sbatch") if not shutil.which(name)]
        if missing:
            raise NotRun(f"no {missing[0]} here, and no package of it")
        of_nodes = [f"{kind}-{node}" for kind in ("spool", "tmp") for node in NODES]
        for folder in ["munge", "state", "log", *of_nodes]:
            os.makedirs(os.path.join(self.base, folder))
        self.munge = os.path.join(self.base, "munge")
        with open(os.open(self.munge + "/key", os.O_CREAT | os.O_WRONLY, 0o400), "wb") as file:
            file.write(os.urandom(1024))
        self.write_conf()

    def write_conf(self):
        ports, sockets = [], []
        for _ in range(1 + len(NODES)):
            sockets.append(socket.socket())
            sockets[-1].bind(("127.0.0.1", 0))
            ports.append(sockets[-1].getsockname()[1])
        for each in sockets:
            each.close()
        host, user = socket.gethostname(), subprocess.check_output(["id", "-un"], text=True).strip()
        base = self.base
        lines = [
            "ClusterName=check",
            f"SlurmctldHost={host}(127.0.0.1)",
            f"SlurmctldPort={ports[0]}",
            # Requeued jobs wait until the old credential expires: seconds, instead of two minutes.
            f"AuthInfo=socket={self.munge}/socket,cred_expire=5",
            "AuthType=auth/munge",
            f"SlurmUser={user}",
            f"SlurmdUser={user}",
            f"StateSaveLocation={base}/state",
            f"SlurmctldPidFile={base}/slurmctld.pid",
            f"SlurmctldLogFile={base}/log/slurmctld",
            f"SlurmdSpoolDir={base}/spool-%n",
            f"SlurmdPidFile={base}/slurmd-%n.pid",
            f"SlurmdLogFile={base}/log/slurmd-%n",
            f"TmpFS={base}/tmp-%n",
            # No control groups and no accounting: they would be those of the machine.
            "ProctrackType=proctrack/linuxproc",
            "TaskPlugin=task/none",
            "JobAcctGatherType=jobacct_gather/none",
            "AccountingStorageType=accounting_storage/none",
            "SelectType=select/cons_tres",
            "SelectTypeParameters=CR_CPU",
            "SlurmdParameters=config_overrides",
            "PropagateResourceLimits=NONE",
            "MinJobAge=3600",
            "ReturnToService=2",
            "SlurmdTimeout=8",
            "KillWait=10",
            "SchedulerParameters=sched_interval=2,bf_interval=2,batch_sched_delay=1",
        ]
        for node, port in zip(NODES, ports[1:]):
            place = f"NodeHostname={host} NodeAddr=127.0.0.1 Port={port}"
            lines.append(f"NodeName={node} {place} CPUs=2 State=UNKNOWN")
        lines.append("PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP")
        with open(self.conf, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")

    def daemon(self, name, *command):
        with open(f"{self.base}/log/{name}.out", "ab") as out:
            self.daemons[name] = subprocess.Popen(
                command, env=self.env, stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True)

    def node(self, name):
        self.daemon(name, "slurmd", "-D", "-N", name, "-f", self.conf)

    def start(self):
        files = {"key-file": "key", "socket": "socket", "pid-file": "pid", "log-file": "log", "seed-file": "seed"}
        options = [f"--{name}={self.munge}/{file}" for name, file in files.items()]
        self.daemon("munged", "munged", "--foreground", "--force", *options)
        until("munged", lambda: os.path.exists(self.munge + "/socket"), 10)
        self.daemon("slurmctld", "slurmctld", "-D", "-f", self.conf)
        for name in NODES:
            self.node(name)
        until("the nodes", lambda: self.states().count("idle") == len(NODES), 60)

    def states(self):
        return self.out("sinfo", "--noheader", "-N", "--format=%T").split()

    def run(self, *command, **env):
        return subprocess.run(command, env={**self.env, **env}, capture_output=True, text=True, check=False)

    def out(self, *command):
        return self.run(*command).stdout

    def jobs(self, ids):
        """State and node of each job, or task, that is not over."""
        lines = self.out("squeue", "--noheader", "--array", f"--jobs={ids}", "--format=%i %T %N").splitlines()
        return {line.split()[0]: line.split()[1:] for line in lines}

    def end(self, job):
        """How a job ended: its state and its exit code."""
        said = self.out("scontrol", "show", "job", job)
        if "JobState=" not in said:
            raise Fault(f"Slurm knows no job {job}")
        return re.search(r"JobState=(\S+)", said)[1], re.search(r" ExitCode=(\d+)", said)[1]

    def lose(self, node, is_whole):
        """Makes Slurm lose a node: with everything on it, or only with its daemon."""
        gone = [self.daemons[node].pid]
        if is_whole:
            here = ("squeue", "--noheader", f"--nodelist={node}", "--states=R,CG", "--format=%A")
            steps = tuple(f"slurmstepd: [{job}." for job in self.out(*here).split())
            gone += below(pid for pid, (_, words, _) in processes().items() if words[0].startswith(steps))
        kill(gone)
        self.daemons[node].wait()
        show = ("scontrol", "show", "node", node)
        until(f"the loss of {node}", lambda: re.search(r"State=\S*DOWN", self.out(*show)), 60)


class Array:
    """A run, submitted with submit.sh."""

    def __init__(self, bench, slurm, name, given, **env):
        self.bench, self.slurm, self.given = bench, slurm, given
        self.folder = os.path.join(bench.work, name)
        self.env = dict(FAIRDEAL=bench.fairdeal, PARTS=str(PARTS), CPUS="1", **env)
        self.tasks = [os.path.join(self.folder, "parts", str(part)) for part in range(1, PARTS + 1)]

    def submit(self, **env):
        submit = os.path.join(HERE, "slurm", "submit.sh")
        return self.slurm.run(submit, *self.given, self.folder, **{**self.env, **env})

    def ids(self):
        with open(self.folder + "/jobs", encoding="utf-8") as file:
            return file.read().strip().split(",")

    def log(self, name):
        """The output of a job so far."""
        with contextlib.suppress(FileNotFoundError):
            with open(f"{self.folder}/log/{name}.txt", encoding="utf-8") as file:
                return file.read()
        return ""

    def logs(self):
        return "".join(self.log(f"part-{part}") for part in range(1, PARTS + 1))

    def is_over(self):
        return not self.slurm.jobs(",".join(self.ids()))

    def dealt_now(self):
        """Parts that are being dealt by tasks known to Slurm: the node of each, by part number."""
        tasks, array = self.slurm.jobs(self.ids()[0]), self.ids()[0]
        of = {part: tasks.get(f"{array}_{part}", ["", ""]) for part in dealing(self.folder)}
        return {part: node for part, (state, node) in of.items() if state == "RUNNING"}

    def wait_for_parts(self, before):
        """Waits until some parts are being dealt; fails if all are complete."""
        found = until("a part", lambda: self.dealt_now() or self.is_over())
        if found is True:
            raise TooSoon(f"all parts were dealt before {before}")
        return found

    def strike(self, blow):
        """Disturbs a part that is being dealt."""
        running = self.wait_for_parts(blow)
        part = self.bench.chance.choice(sorted(running))
        if blow == "requeue":
            self.slurm.run("scontrol", "requeue", f"{self.ids()[0]}_{part}")
        elif blow == "kill":
            kill(dealing(self.folder, part).get(part, []))
        else:
            node = running[part]
            self.slurm.lose(node, blow == "lose")
            if blow == "cut off":
                # The part restarts elsewhere while the lost node is still dealing it.
                log = f"part-{part}"
                until("a second process", lambda: WAITS in self.log(log) or part not in dealing(self.folder))
            self.slurm.node(node)


def array(bench, slurm, run):
    """Seven parts, with all disturbances."""
    def begun():
        done = run.submit()
        if done.returncode or "seed" not in done.stdout:
            raise Fault(f"submit.sh ended with {done.returncode}: {done.stdout} {done.stderr}")
        until("a part", lambda: dealing(run.folder))
        return f"array and merge submitted, seed {bench.seed} kept"

    def again():
        ids, done = run.ids(), run.submit()
        if done.returncode or run.ids() != ids or "still in the queue" not in done.stdout:
            raise Fault(f"it ended with {done.returncode}: {done.stdout} {done.stderr}")
        return "nothing is submitted twice"

    def other_seed():
        done = run.submit(SEED="1")
        if done.returncode != 64:
            raise Fault(f"it ended with {done.returncode}: {done.stdout} {done.stderr}")
        return f"refused with 64: {done.stderr.split(': ')[1].split('/')[-1]}"

    def struck(number):
        for blow in BLOWS[number]:
            time.sleep(bench.chance.uniform(0.5, 3.0))
            run.strike(blow)
        waited = run.logs().count(WAITS)
        told = f"; parts that waited for a node that was cut off: {waited}" if "cut off" in BLOWS[number] else ""
        return ", ".join(BLOWS[number]) + told

    def cancelled():
        run.wait_for_parts("they were cancelled")
        slurm.run("scancel", *run.ids())
        until("the end of all jobs", run.is_over, 60)
        left = sum(os.path.exists(folder + "/checkpoint") and not is_dealt(folder) for folder in run.tasks)
        if not left or os.path.exists(run.folder + "/report"):
            raise Fault("no part was left to resume")
        done = run.submit(SEED="")
        if done.returncode:
            raise Fault(f"submit.sh ended with {done.returncode}: {done.stdout} {done.stderr}")
        return f"{left} parts left unfinished, with a checkpoint; the same command resumes them"

    def merged():
        until("the merge", run.is_over)
        whole = bench.whole("flannery-misfit", run.given)
        state, code = slurm.end(run.ids()[1])
        if not os.path.exists(run.folder + "/report/run.json"):
            raise Fault(f"the merge is {state} with {code}: {run.log('merge')}")
        if code != bench.ended[whole]:
            raise Fault(f"the merge ended with {code}, one process with {bench.ended[whole]}")
        return same(whole, run.folder + "/report") + f", exit code {code}"

    def starts():
        logs = run.logs()
        told = {name: logs.count(f"told to end by {name}") for name in ("USR1", "TERM")}
        began, went_on = len(re.findall(r", start \d", logs)), resumed(run.tasks)
        if not told["USR1"] or not went_on or began <= PARTS:
            raise Fault(f"no part was told about its time limit, or none resumed: {told}, {began}, {went_on}")
        return (f"{began} of {PARTS} parts, {went_on} of them from checkpoints; told to end {told['USR1']} times "
                f"because of the time limit, {told['TERM']} times for other reasons")

    def once_more():
        done = run.submit(SEED="")
        if done.returncode or "merged already" not in done.stdout:
            raise Fault(f"it ended with {done.returncode}: {done.stdout} {done.stderr}")
        return "reports that the run is merged already"

    bench.check("Slurm: seven parts submitted", begun)
    bench.check("Slurm: the same command, queued", again)
    bench.check("Slurm: another seed", other_seed)
    bench.check("Slurm: blows", lambda: struck(0))
    bench.check("Slurm: all cancelled", cancelled)
    bench.check("Slurm: more blows", lambda: struck(1))
    bench.check("Slurm: merged", merged)
    bench.check("Slurm: starts", starts)
    bench.check("Slurm: the same command, merged", once_more)


def bad_input(bench, slurm):
    """Checks that an input error is final, and cancels the merge."""
    run = Array(bench, slurm, "nothing", ["no-such-scenario"], DEALS="1M")
    done = run.submit()
    if done.returncode:
        raise Fault(f"submit.sh ended with {done.returncode}: {done.stderr}")
    until("the end of all jobs", run.is_over, 90)
    ends = {slurm.end(f"{run.ids()[0]}_{part}") for part in range(1, PARTS + 1)}
    merge = slurm.end(run.ids()[1])
    starts = len(re.findall(", start ", run.logs()))
    if ends != {("FAILED", "65")} or merge[0] != "CANCELLED" or starts != PARTS:
        raise Fault(f"tasks {ends}, merge {merge}: {run.logs()}")
    return f"{PARTS} tasks FAILED with 65, none restarted; the merge is CANCELLED"


def audited(bench, slurm):
    """An audit of this program as a dealer, in seven parts and whole."""
    command = f"{bench.fairdeal} deal unconstrained -n {{n}} --seed {{seed}} --format pbn"
    given, options = ["--command", command], "--boards 10000 --reference 0"
    run = Array(bench, slurm, "audit", given, DEALS="350K", SEED="5", OPTIONS=options)
    done = run.submit()
    if done.returncode:
        raise Fault(f"submit.sh ended with {done.returncode}: {done.stderr}")
    until("the end of all jobs", run.is_over)
    whole = os.path.join(bench.work, "whole-audit")
    words = [bench.fairdeal, "audit", *given, "--deals", "350K", "--seed", "5", *options.split(), "--quiet"]
    code = subprocess.run([*words, "--out", whole], check=False).returncode
    merge = slurm.end(run.ids()[1])
    one, other = (report_folders.read(folder + "/counts.json") for folder in (whole, run.folder + "/report"))
    if one != other or merge[1] != str(code):
        raise Fault(f"the merge is {merge}, one process ended with {code}: {run.log('merge')}")
    return f"counts.json equals that of one process, exit code {code}"


def with_mpi(bench, slurm, launch):
    """The example of a job with MPI, which is told to save and restarts."""
    if not bench.mpi:
        raise NotRun("FAIRDEAL_MPI does not name a program built with MPI")
    if not shutil.which("mpirun"):
        raise NotRun("no mpirun here")
    name = "mpi-" + launch.split()[0]
    folder, log = os.path.join(bench.work, name), os.path.join(bench.work, name + ".txt")
    # Nodes of one machine would use the same names for shared memory: let processes communicate as
    # on different machines.
    of_mpi = dict(OMPI_MCA_btl="self,tcp", OMPI_MCA_rmaps_base_oversubscribe="1",
                  OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    options = ["--batch", str(BATCH), "--seed", bench.seed, *TESTED]
    env = dict(of_mpi, FAIRDEAL=bench.mpi, DEALS=str(bench.deals), LAUNCH=launch, OPTIONS=" ".join(options))
    done = slurm.run("sbatch", "--parsable", "--ntasks=4", f"--output={log}",
                     os.path.join(HERE, "slurm", "mpi.sbatch"), "unconstrained", folder, **env)
    if done.returncode:
        raise Fault(f"sbatch ended with {done.returncode}: {done.stderr}")
    job = done.stdout.strip()
    until("the run", lambda: os.path.exists(folder + "/checkpoint"), 60)
    nodes = slurm.jobs(job)[job][1]
    # As Slurm does when the time limit is near.
    slurm.run("scancel", "--batch", "--signal=USR1", job)
    until("the end of the job", lambda: not slurm.jobs(job))
    with open(log, encoding="utf-8") as file:
        said = file.read()
    whole = bench.whole("unconstrained", ["unconstrained", *TESTED])
    starts = re.findall(r"^exit code \d+, start \d+$", said, re.MULTILINE)
    if len(starts) != 2 or not resumed([folder]):
        raise Fault(f"the job is {slurm.end(job)}: {starts}, {said[-500:]}")
    return f"4 processes on {nodes}, saved, begun again and resumed; " + same(whole, folder)


def slurm_checks(bench):
    slurm = Slurm(bench.work)
    try:
        slurm.start()
        for number in range(TRIES):
            # About half a minute after its start, every task is told that its two minutes are
            # nearly over.
            run = Array(bench, slurm, f"array-{number}", ["flannery-misfit"], DEALS=str(bench.deals), SEED=bench.seed,
                        BATCH=str(BATCH), OPTIONS="--checkpoint 2s", TIME="2", SBATCH_SIGNAL="B:USR1@100")
            try:
                array(bench, slurm, run)
                break
            except TooSoon:
                slurm.run("scancel", *run.ids())
                bench.deals *= 2
        else:
            raise Fault(f"in {TRIES} runs all parts were dealt before all disturbances")
        bench.check("Slurm: bad input", lambda: bad_input(bench, slurm))
        bench.check("Slurm: an audit", lambda: audited(bench, slurm))
        bench.check("Slurm: MPI by srun", lambda: with_mpi(bench, slurm, "srun --mpi=pmix"))
        bench.check("Slurm: MPI by mpirun", lambda: with_mpi(bench, slurm, "mpirun --bind-to none"))
    finally:
        slurm.run("scancel", "--full", "--user", str(os.getuid()))
        stop(bench.work)


# Kubernetes.


def manifests():
    try:
        import yaml
    except ImportError:
        raise NotRun("no PyYAML here, and no PyPI") from None
    found = {}
    for name in ("parts.yaml", "merge.yaml"):
        with open(os.path.join(HERE, "kubernetes", name), encoding="utf-8") as file:
            found.update({(each["kind"], each["metadata"]["name"]): each for each in yaml.safe_load_all(file)})
    return found


def refused(documents):
    """The errors found by the schemas, a line each."""
    try:
        import kubernetes_validate
    except ImportError:
        raise NotRun("no kubernetes-validate here, and no PyPI") from None
    found = []
    for version in KUBERNETES:
        for (kind, name), document in documents.items():
            try:
                kubernetes_validate.validate(document, version, strict=True)
            except kubernetes_validate.ValidationError as error:
                found.append(f"{kind} {name}, {version}: {error.message}")
    return found


def broken(documents):
    """Violations of the API server's and our rules that schemas do not contain, a line each."""
    found = []
    run = documents["ConfigMap", "fairdeal-run"]["data"]
    for (kind, name), document in documents.items():
        if kind == "PersistentVolumeClaim" and "ReadWriteMany" not in document["spec"]["accessModes"]:
            found.append(f"{name} is not a volume for many pods")
        if kind != "Job":
            continue
        spec, pod = document["spec"], document["spec"]["template"]["spec"]
        containers, rules = {each["name"] for each in pod["containers"]}, spec["podFailurePolicy"]["rules"]
        if pod["restartPolicy"] != "Never":
            found.append(f"{name} has a failure policy, and restartPolicy is not Never")
        is_indexed = spec.get("completionMode") == "Indexed"
        for rule in rules:
            codes = rule.get("onExitCodes", {"values": []})
            if codes["values"] != sorted(set(codes["values"])) or 0 in codes["values"]:
                found.append(f"{name} has exit codes that are 0, repeated or not in order")
            if codes.get("containerName", min(containers)) not in containers:
                found.append(f"{name} has exit codes of an unknown container")
            if rule["action"] == "FailIndex" and not (is_indexed and "backoffLimitPerIndex" in spec):
                found.append(f"{name} fails single indexes, and has no limit per index")
        if is_indexed and not spec["parallelism"] <= spec["completions"] == int(run["PARTS"]):
            found.append(f"{name} has a number of completions other than PARTS")
        for volume in pod["volumes"]:
            if ("PersistentVolumeClaim", volume["persistentVolumeClaim"]["claimName"]) not in documents:
                found.append(f"{name} has a volume without a claim")
        for container in pod["containers"]:
            if {each["name"] for each in container["volumeMounts"]} - {each["name"] for each in pod["volumes"]}:
                found.append(f"{name} mounts a volume that does not exist")
            for source in container["envFrom"]:
                if ("ConfigMap", source["configMapRef"]["name"]) not in documents:
                    found.append(f"{name} takes its environment from a missing ConfigMap")
    return found


PARTS_JOB, VOLUME = ("Job", "fairdeal-parts"), ("PersistentVolumeClaim", "fairdeal-data")
# Place and value of each fault, and whether a schema must find it; the rules must find the others.
PLANTED = [
    ((*PARTS_JOB, "spec"), "completion", 16, True),
    ((*PARTS_JOB, "spec"), "completions", "sixteen", True),
    ((*PARTS_JOB, "spec", "template", "spec"), "containers", {"name": "part"}, True),
    ((*PARTS_JOB, "spec", "podFailurePolicy"), "rules", [{"onExitCodes": {"values": [64]}}], True),
    ((*VOLUME, "spec"), "accessModes", "ReadWriteMany", True),
    ((*PARTS_JOB, "spec"), "completions", 15, False),
    ((*PARTS_JOB, "spec", "template", "spec"), "restartPolicy", "OnFailure", False),
    ((*PARTS_JOB, "spec", "podFailurePolicy", "rules", 0, "onExitCodes"), "values", [65, 64], False),
    ((*PARTS_JOB, "spec", "template", "spec", "volumes", 0, "persistentVolumeClaim"), "claimName", "x", False),
    ((*VOLUME, "spec"), "accessModes", ["ReadWriteOnce"], False),
]


def sound_manifests():
    documents = manifests()
    found = refused(documents) + broken(documents)
    if found:
        raise Fault("; ".join(found))
    return f"{len(documents)} objects valid by the schemas of {', '.join(KUBERNETES)}, and by our rules"


def planted():
    for (kind, name, *path), key, value, is_of_schema in PLANTED:
        documents = copy.deepcopy(manifests())
        place = documents[kind, name]
        for step in path:
            place = place[step]
        place[key] = value
        if not (refused(documents) if is_of_schema else broken(documents)):
            raise Fault(f"{key}: {value} in {name} was not found")
    return f"{len(PLANTED)} of {len(PLANTED)} found"


class Pod:
    """A container's command, run here."""

    def __init__(self, bench, job, run, index=None):
        container = job["spec"]["template"]["spec"]["containers"][0]
        self.index, self.is_lost, self.asked = index, False, None
        env = {name: text.replace("/data", run["data"]) for name, text in run["env"].items()}
        env["PATH"] = f"{bench.bin}:/usr/bin:/bin"
        # The only other variable of the manifest is the number of processors.
        env["CPUS"] = "1"
        if index is not None:
            env["JOB_COMPLETION_INDEX"] = str(index)
        self.log = os.path.join(run["data"], f"pod-{'merge' if index is None else index}.txt")
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [*container["command"], *container["args"]], env=env, cwd="/", stdin=subprocess.DEVNULL,
                stdout=log, stderr=log, start_new_session=True)

    def said(self):
        with open(self.log, encoding="utf-8") as file:
            return file.read()

    def end(self, grace):
        """The exit code, if the pod has ended. After a request to end it must do so in time."""
        code = self.process.poll()
        if code is None and self.asked and time.monotonic() - self.asked > grace:
            raise Fault(f"a pod did not end within {grace} s")
        return code


def action(job, pod, code):
    """The Job's action on a failed pod, by the first matching rule."""
    for rule in job["spec"]["podFailurePolicy"]["rules"]:
        codes = rule.get("onExitCodes")
        if codes and not pod.is_lost and code in codes["values"]:
            return rule["action"]
        if "onPodConditions" in rule and pod.is_lost:
            return rule["action"]
    return "Count"


def complete(bench, job, run, blows):
    """Runs an Indexed Job until every index ends; returns failed indexes and counts of events."""
    spec, data = job["spec"], run["data"]
    waiting, pods, failed, counted = list(range(spec["completions"])), [], [], {}
    seen = {"pods": 0, "ignored": 0, "counted": 0}
    grace = spec["template"]["spec"]["terminationGracePeriodSeconds"]
    next_blow = time.monotonic() + 2.0
    try:
        while waiting or pods:
            while waiting and len(pods) < PODS_AT_ONCE:
                pods.append(Pod(bench, job, run, waiting.pop(0)))
                seen["pods"] += 1
            for pod in list(pods):
                code = pod.end(grace)
                if code is None:
                    continue
                pods.remove(pod)
                code = 128 - code if code < 0 else code
                if code == 0:
                    continue
                what = action(job, pod, code)
                if what == "Ignore":
                    seen["ignored"] += 1
                elif what == "Count":
                    seen["counted"] += 1
                    counted[pod.index] = counted.get(pod.index, 0) + 1
                if what == "FailIndex" or counted.get(pod.index, 0) > spec["backoffLimitPerIndex"]:
                    failed.append((pod.index, code))
                else:
                    waiting.append(pod.index)
            active = {pod.index: pod for pod in pods if not pod.asked and not pod.is_lost}
            busy = [part - 1 for part in dealing(data) if part - 1 in active]
            if blows and busy and time.monotonic() > next_blow:
                pod, blow = active[bench.chance.choice(sorted(busy))], blows.pop()
                if blow == "drain":
                    pod.process.terminate()
                    pod.asked = time.monotonic()
                elif blow == "kill":
                    kill(dealing(data, pod.index + 1).get(pod.index + 1, []))
                else:
                    pod.is_lost = True
                    os.killpg(pod.process.pid, signal.SIGKILL)
                next_blow = time.monotonic() + bench.chance.uniform(0.3, 1.5)
            time.sleep(0.05)
    finally:
        for pod in pods:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(pod.process.pid, signal.SIGKILL)
    return failed, seen


def kubernetes_run(bench, name, **settings):
    """The manifests, and the environment that they give to a run."""
    documents = manifests()
    job, data = documents[PARTS_JOB], os.path.join(bench.work, "pods-" + name)
    env = dict(documents["ConfigMap", "fairdeal-run"]["data"], DEALS=str(bench.deals), BATCH=str(BATCH),
               SEED=bench.seed, PARTS=str(PARTS), OPTIONS=" ".join(TESTED))
    job["spec"]["completions"] = PARTS
    os.mkdir(data)
    return documents, job, {"data": data, "env": {**env, **settings}}


def pods_merged(bench):
    documents, job, run = kubernetes_run(bench, "run")
    blows = bench.chance.sample(POD_BLOWS, len(POD_BLOWS))
    failed, seen = complete(bench, job, run, blows)
    folder = os.path.join(run["data"], "run")
    if failed:
        raise Fault(f"indexes and exit codes that failed: {failed}")
    if blows:
        raise Fault(f"all parts were dealt before {len(blows)} of {len(POD_BLOWS)} blows: give more DEALS")
    pod = Pod(bench, documents["Job", "fairdeal-merge"], run)
    if pod.process.wait(timeout=PATIENCE):
        raise Fault(f"the merge ended with {pod.process.returncode}: {pod.said()}")
    whole = bench.whole("unconstrained", ["unconstrained", *TESTED])
    parts = [os.path.join(folder, "parts", str(part)) for part in range(1, PARTS + 1)]
    told = f"{seen['pods']} pods of {PARTS} parts, {seen['ignored']} failures ignored, {seen['counted']} counted, "
    return told + f"{resumed(parts)} resumed; " + same(whole, os.path.join(folder, "report"))


def pods_failed(bench):
    told = []
    for name, setting in (("bad input", {"INPUT": "no-such-scenario"}), ("no seed", {"SEED": ""})):
        _, job, run = kubernetes_run(bench, name.replace(" ", "-"), **setting)
        failed, seen = complete(bench, job, run, [])
        if len(failed) != PARTS or seen["pods"] != PARTS:
            raise Fault(f"{name}: {failed} failed of {seen['pods']} pods")
        told.append(f"{name}: {PARTS} of {PARTS} indexes fail with {failed[0][1]}")
    documents, _, run = kubernetes_run(bench, "too-soon")
    pod = Pod(bench, documents["Job", "fairdeal-merge"], run)
    code = pod.process.wait(timeout=PATIENCE)
    if action(documents["Job", "fairdeal-merge"], pod, code) != "FailJob":
        raise Fault(f"a merge without parts ended with {code}: {pod.said()}")
    return "; ".join(told) + f"; a merge without parts with {code}"


def can_fail(bench):
    """Checks that the comparison of reports finds differences."""
    whole = bench.whole("unconstrained", ["unconstrained", *TESTED])
    found = unlike(whole, bench.whole("flannery-misfit", ["flannery-misfit"]))
    if not any("cards.csv" in line for line in found):
        raise Fault("the comparison did not find differences between two runs")
    return f"{len(found)} differences between two runs"


def main(work, fairdeal, deals, seed, mpi):
    bench = Bench(work, fairdeal, deals, int(seed), mpi)
    print(f"{bench.deals:,} deals, seed {bench.seed}, {PARTS} parts, batches of {BATCH:,} deals at most")
    row("check", "seconds", "right", "result")
    try:
        slurm_checks(bench)
    except NotRun as why:
        row("Slurm", "", "NOT RUN", str(why))
    except Fault as fault:
        bench.is_sound = False
        row("Slurm", "", "NO", str(fault))
    bench.check("Kubernetes: manifests", sound_manifests)
    bench.check("Kubernetes: planted faults", planted)
    bench.check("Kubernetes: pods here", lambda: pods_merged(bench))
    bench.check("Kubernetes: pods that cannot", lambda: pods_failed(bench))
    bench.check("the comparison itself", lambda: can_fail(bench))
    return 0 if bench.is_sound else 1


if __name__ == "__main__":
    # Any end of this script also ends the processes that it started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(130))
    if sys.argv[1] == "stop":
        stop(sys.argv[2])
    else:
        sys.exit(main(*sys.argv[2:]))
