# SPDX-License-Identifier: Apache-2.0
"""A primary of PostgreSQL with two quorum standbys and two reporters, of which the primary and a reporter are killed under load.

report_cluster.py REPORTER SECONDS SEED [WAY] prints as JSON what became of the reports; SECONDS of load before and after;
                                              the primary dies (kill), or says nothing any more (hang)"""
import glob
import http.client
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from sending_boxes import report

BOX_TOKEN, OPERATOR_TOKEN = "box-token-0123456789abcdef", "operator-token-0123456789"
BOXES = 6
PROGRAMS = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[4]))[-1]
# PostgreSQL refuses root.
AS = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"] if os.getuid() == 0 else []


class Node:
    """A host of the cluster; its socket is in a directory of its own."""

    def __init__(self, root, name, others):
        self.name, self.others = name, others
        self.directory = root / name
        self.data = self.directory / "data"
        self.directory.mkdir(mode=0o700)
        if AS:
            os.chown(self.directory, 65534, 65534)
        self.process = None
        self.log = open(root / f"{name}.log", "ab")

    def run(self, program, *words):
        subprocess.run(AS + [f"{PROGRAMS}/{program}", *words], check=True, stdout=self.log, stderr=self.log,
                       stdin=subprocess.DEVNULL, cwd=self.directory)

    def make(self, hosts, primary=None):
        if primary is None:
            self.run("initdb", "-D", self.data, "-A", "trust", "-U", "touchline", "-E", "UTF8", "--locale=C", "--no-sync")
        else:
            self.run("pg_basebackup", "-h", primary.directory, "-U", "touchline", "-D", self.data, "-X", "stream",
                     "-c", "fast", "--no-sync")
            (self.data / "standby.signal").touch()
        with open(self.data / "postgresql.auto.conf", "w", encoding="utf-8") as file:
            file.write(f"listen_addresses = ''\nunix_socket_directories = '{self.directory}'\nshared_buffers = 16MB\n"
                       f"max_connections = 40\nwal_retrieve_retry_interval = 300ms\nwal_receiver_timeout = 2s\n"
                       f"synchronous_standby_names = 'ANY 1 ({', '.join(self.others)})'\n"
                       f"primary_conninfo = 'host={hosts} user=touchline application_name={self.name}"
                       " target_session_attrs=read-write'\n")
        if AS:
            for path in ("standby.signal", "postgresql.auto.conf"):
                if (self.data / path).exists():
                    os.chown(self.data / path, 65534, 65534)

    def start(self):
        self.process = subprocess.Popen(AS + [f"{PROGRAMS}/postgres", "-D", self.data], stdout=self.log, stderr=self.log,
                                        stdin=subprocess.DEVNULL, cwd=self.directory)
        eventually(20, lambda: subprocess.run([f"{PROGRAMS}/pg_isready", "-q", "-h", self.directory]).returncode == 0)

    def ask(self, statement, database="postgres"):
        return subprocess.run([f"{PROGRAMS}/psql", "-h", self.directory, "-U", "touchline", "-d", database, "-XAtq", "-c",
                               statement], check=True, capture_output=True, text=True, timeout=20).stdout.strip()

    def kill(self):
        """As a power cut takes it: with all its processes, at once."""
        self.signal(signal.SIGKILL)
        self.process.wait()

    def signal(self, number):
        children = []
        for path in glob.glob("/proc/[0-9]*/stat"):
            try:
                with open(path, encoding="utf-8", errors="replace") as file:
                    words = file.read().rpartition(")")[2].split()
                if int(words[1]) == self.process.pid:
                    children.append(int(path.split("/")[2]))
            except OSError:
                pass
        for identifier in [self.process.pid] + children:
            try:
                os.kill(identifier, number)
            except ProcessLookupError:
                pass


class Reporter:
    def __init__(self, program, root, number, address):
        self.program, self.port = program, random.randrange(20000, 29999)
        self.configuration = root / f"reporter-{number}.json"
        self.configuration.write_text(json.dumps({
            "port": self.port, "database": str(root / f"reporter-{number}.db"), "postgres": address,
            "boxToken": BOX_TOKEN, "operatorToken": OPERATOR_TOKEN}))
        self.log = open(root / f"reporter-{number}.log", "ab")
        self.process = None

    def start(self):
        self.process = subprocess.Popen([self.program, "--config", str(self.configuration)], stdout=self.log,
                                        stderr=self.log, stdin=subprocess.DEVNULL)

    def get(self, path):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request("GET", path, headers={"Authorization": "Bearer " + OPERATOR_TOKEN})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())

    def is_healthy(self):
        try:
            return self.get("/health")[0] == 200
        except (OSError, http.client.HTTPException, ValueError):
            return False

    def kill(self):
        self.process.kill()
        self.process.wait()


class Box(threading.Thread):
    """Half of what it sends goes to each reporter. What is not acknowledged is sent again, and some of it although it is."""

    def __init__(self, number, seed, reporters, record, stop):
        super().__init__(daemon=True)
        self.box = f"box-{number}"
        self.random = random.Random(f"{seed} {number}")
        self.boot = "00000001-%016x" % self.random.getrandbits(64)
        self.reporters, self.record, self.stop = reporters, record, stop
        self.waiting, self.following = {}, 1

    def send(self, reporter, sequences):
        body = "\n".join(json.dumps(self.waiting[sequence]) for sequence in sequences).encode()
        connection = http.client.HTTPConnection("127.0.0.1", reporter.port, timeout=28)
        begun = time.monotonic()
        try:
            connection.request("POST", f"/v1/boxes/{self.box}/reports", body, {
                "Authorization": "Bearer " + BOX_TOKEN, "Content-Type": "application/x-ndjson"})
            answer = connection.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException):
            self.record.lost += 1
            return []
        finally:
            connection.close()
        if answer.status != 200:
            self.record.refused(answer.status, answer.getheader("Retry-After"))
            return []
        answer = json.loads(text)
        done = [s for first, last in answer["acknowledged"] for s in range(first, last + 1)]
        if answer["refused"] or answer["boot"] != self.boot or set(done) != set(sequences):
            self.record.problems.append(json.dumps(answer)[:300])
        self.record.acknowledged(self.box, self.boot, done, begun)
        return done

    def run(self):
        while not self.stop.is_set():
            while len(self.waiting) < 12:
                self.waiting[self.following] = report(self.box, self.boot, self.following, self.random)
                self.following += 1
            self.turn(0.85)
            time.sleep(0.01)
        while self.waiting:
            self.turn(1)

    def turn(self, chance):
        sequences = self.random.sample(sorted(self.waiting), len(self.waiting))
        # A few go to both.
        halves = [sequences[: len(sequences) // 2 + 1], sequences[len(sequences) // 2 - 1:]]
        done = []
        for reporter, half in zip(self.random.sample(self.reporters, 2), halves):
            done += self.send(reporter, sorted(set(half)))
        for sequence in done:
            if self.random.random() < chance:  # some answers are lost on their way
                self.waiting.pop(sequence, None)
        if not done:
            time.sleep(0.05)


class Record:
    def __init__(self):
        self.keys, self.times, self.problems, self.codes, self.slowest = set(), [], [], {}, 0
        self.lost = self.without_pause = 0
        self.lock = threading.Lock()

    def acknowledged(self, box, boot, sequences, begun):
        now = time.monotonic()
        with self.lock:
            self.keys.update((box, boot, sequence) for sequence in sequences)
            self.times.append((begun, now))
            self.slowest = max(self.slowest, now - begun)

    def refused(self, code, pause):
        with self.lock:
            self.codes[str(code)] = self.codes.get(str(code), 0) + 1
            self.without_pause += not (pause or "").isdigit()


def eventually(seconds, condition):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"not within {seconds} s")
        time.sleep(0.02)


def check(primary, boxes, record):
    kept = [line.split("|") for line in primary.ask(
        "SELECT s.box, t.boot, r.sequence, r.report::json->>'box', r.report::json->>'sequence', r.report::json->>'kind'"
        " FROM reports r JOIN starts t USING (start) JOIN senders s ON s.sender = r.sender").splitlines()]
    keys = [(box, boot, int(sequence)) for box, boot, sequence, *_ in kept]
    wrong = sum((row[0], row[2]) != (row[3], row[4]) for row in kept)
    states = sum(row[5] == "state" for row in kept)
    ranges = {line.split("|")[0]: line.split("|")[1:] for line in primary.ask(
        "SELECT s.box, t.firsts, t.lasts FROM starts t JOIN senders s USING (sender)").splitlines()}
    sums = [int(number) for number in primary.ask(
        "SELECT (SELECT sum(packets) FROM air_minutes), (SELECT sum(packets) FROM air_hours)").split("|")]
    latest = dict(line.split("|") for line in primary.ask(
        "SELECT s.box, l.sequence FROM latest l JOIN senders s USING (sender)").splitlines())
    lasts = {box.box: box.following - 1 for box in boxes}
    return {
        "acknowledged": len(record.keys), "kept": len(keys), "doubled": len(keys) - len(set(keys)), "wrong": wrong,
        "missing": len(record.keys - set(keys)),
        "gaps": sum(ranges[name] != ["{1}", "{%d}" % last] for name, last in lasts.items()),
        "packetsDiffer": sum(abs(number - 1000 * states) for number in sums),
        "latestDiffer": sum(int(latest[name]) != last - (last % 4 == 0) for name, last in lasts.items()),
    }


def restore(standby, primary):
    """The rows of a dump of a standby that was restored beside the database itself."""
    dump = f"/tmp/{standby.directory.parent.name}.dump"
    standby.run("pg_dump", "-Fc", "-h", standby.directory, "-U", "touchline", "-f", dump, "postgres")
    try:
        primary.run("createdb", "-h", primary.directory, "-U", "touchline", "-T", "template0", "restored")
        primary.run("pg_restore", "-h", primary.directory, "-U", "touchline", "-d", "restored", "--exit-on-error",
                    dump)
    finally:
        os.unlink(dump)
    return int(primary.ask("SELECT count(*) FROM reports", "restored"))


def play(root, program, seconds, seed, way):
    nodes = [Node(root, name, [other for other in "abc" if other != name]) for name in "abc"]
    hosts = ",".join(str(node.directory) for node in nodes)
    reporters = [Reporter(program, root, number, f"host={hosts} dbname=postgres user=touchline") for number in (1, 2)]
    try:
        nodes[0].make(hosts)
        with open(nodes[0].data / "postgresql.auto.conf", "a", encoding="utf-8") as file:
            # The server's own setting is not what a reporter's promise stands on.
            file.write("synchronous_commit = local\nfsync = off\n")
        nodes[0].start()
        for standby in nodes[1:]:
            standby.make(hosts, nodes[0])
            standby.start()
        eventually(20, lambda: nodes[0].ask(
            "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'quorum'") == "2")
        for reporter in reporters:
            reporter.start()
        eventually(20, lambda: all(reporter.is_healthy() for reporter in reporters))
        record, stop = Record(), threading.Event()
        boxes = [Box(number, seed, reporters, record, stop) for number in range(BOXES)]
        for box in boxes:
            box.start()
        time.sleep(seconds / 2)
        reporters[0].kill()
        time.sleep(seconds / 2)
        reporters[0].start()

        nodes[0].signal(signal.SIGKILL if way == "kill" else signal.SIGSTOP)
        killed = time.monotonic()
        time.sleep(1.5)
        survivors = sorted(nodes[1:], key=lambda node: [int(part, 16) for part in node.ask(
            "SELECT pg_last_wal_receive_lsn()").split("/")])
        health = [reporter.is_healthy() for reporter in reporters]
        promoting = time.monotonic()
        survivors[-1].ask("SELECT pg_promote(true, 10)")
        if way == "hang":
            # A standby waits for ever for a host that takes its connection and says nothing.
            survivors[0].ask("ALTER SYSTEM SET primary_conninfo = "
                             f"'host={survivors[-1].directory} user=touchline application_name={survivors[0].name}'")
            survivors[0].ask("SELECT pg_reload_conf()")
        promoted = time.monotonic()
        eventually(20, lambda: any(begun > killed for begun, _ in record.times))
        first = min(end for begun, end in record.times if begun > killed)
        time.sleep(seconds / 2)
        reporters[1].kill()
        time.sleep(seconds / 2)
        reporters[1].start()
        stop.set()
        for box in boxes:
            box.join(60)
        result = check(survivors[-1], boxes, record)
        gaps = reporters[0].get("/v1/boxes/box-0/gaps")[1]["starts"]
        result.update({
            "unfinished": sum(box.is_alive() for box in boxes), "problems": record.problems[:5], "codes": record.codes,
            "withoutPause": record.without_pause, "connectionsLost": record.lost,
            "healthyWithoutPrimary": sum(health), "slowestMs": round(1000 * record.slowest),
            "acknowledgedBetween": sum(begun > killed and end < promoting for begun, end in record.times),
            "promotionMs": round(1000 * (promoted - promoting)), "nextCommitMs": max(0, round(1000 * (first - promoted))),
            "standbys": int(survivors[-1].ask("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'quorum'")),
            "restored": restore(survivors[0], survivors[-1]),
            "gapsTold": sum(start["missing"] for start in gaps), "starts": len(gaps),
        })
        return result
    except Exception:
        for path in sorted(root.glob("*.log")):
            print(path.name, path.read_text(errors="replace")[-1500:], file=sys.stderr)
        raise
    finally:
        for reporter in reporters:
            if reporter.process and reporter.process.poll() is None:
                reporter.kill()
        for node in nodes:
            if node.process and node.process.poll() is None:
                node.kill()


def main(program, seconds, seed, way="kill"):
    root = pathlib.Path(tempfile.mkdtemp(prefix="touchline-cluster-", dir="/tmp"))
    os.chmod(root, 0o711)
    try:
        print(json.dumps(play(root, program, float(seconds), seed, way)))
    finally:
        shutil.rmtree(root, ignore_errors=True)


main(*sys.argv[1:])
