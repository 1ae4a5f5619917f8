# SPDX-License-Identifier: Apache-2.0
"""Boxes that send reports to a reporter, and a look into its database by Python's sqlite3.

sending_boxes.py traffic URL TOKEN BOXES SEED FILE   until standard input ends; acknowledged reports go into FILE
sending_boxes.py check DATABASE FILE                 prints as JSON what became of them
sending_boxes.py schemas OPENAPI URL TOKEN BOX METRICS   whether answers are as the document has them, as JSON"""
import gzip
import http.client
import json
import random
import sqlite3
import sys
import threading
import time
import urllib.parse
import urllib.request


def report(box, boot, sequence, random_):
    state = sequence % 4 != 0
    document = {
        "report": 1, "box": box, "boot": boot, "sequence": sequence, "kind": "state" if state else "event",
        "monotonicMs": sequence * 10000, "coversMs": 10000,
    }
    if state:
        document["identity"] = {"name": "Bar " + box, "version": "1.0"}
        document["service"] = {"state": "up", "reasons": []}
        document["accessPoints"] = [{
            "bssid": "02:00:00:00:00:%02x" % random_.randrange(8), "channel": 36, "seconds": 10, "packets": 1000,
            "lost": 1, "windows": 50, "failedWindows": 0, "signalDbm": -60}]
    else:
        document["events"] = [{"event": "link", "text": "x" * random_.randrange(2000)}]
    return document


class Box(threading.Thread):
    """Sends batches of six. What is neither acknowledged nor refused is sent again; some of it is sent twice."""

    def __init__(self, url, token, name, seed, file, lock, stop):
        super().__init__(daemon=True)
        self.host = urllib.parse.urlsplit(url).netloc
        self.token, self.name_, self.file, self.lock, self.stop = token, name, file, lock, stop
        self.random = random.Random(f"{seed} {name}")
        self.boot = "00000001-%016x" % self.random.getrandbits(64)
        self.problems = []
        self.requests = 0

    def send(self, lines):
        body = "\n".join(json.dumps(line) for line in lines).encode()
        headers = {"Authorization": "Bearer " + self.token, "Content-Type": "application/x-ndjson"}
        if self.random.random() < 0.5:
            body, headers["Content-Encoding"] = gzip.compress(body), "gzip"
        connection = http.client.HTTPConnection(self.host, timeout=10)
        try:
            connection.request("POST", f"/v1/boxes/{self.name_}/reports", body, headers)
            answer = connection.getresponse()
            text = answer.read()
            if answer.status == 200:
                return json.loads(text)
            if answer.status not in (429, 503):
                self.problems.append(f"{answer.status} {text[:200]}")
        finally:
            connection.close()
        return None

    def run(self):
        waiting, following = {}, 1
        while not self.stop.is_set():
            while len(waiting) < 6:
                waiting[following] = report(self.name_, self.boot, following, self.random)
                following += 1
            batch = self.random.sample(sorted(waiting), min(6, len(waiting)))
            try:
                answer = self.send([waiting[sequence] for sequence in batch])
            except (OSError, http.client.HTTPException):
                time.sleep(0.05)
                continue
            if answer is None:
                time.sleep(0.05)
                continue
            self.requests += 1
            done = [s for first, last in answer["acknowledged"] for s in range(first, last + 1)]
            if answer["refused"] or answer["boot"] != self.boot or set(done) != set(batch):
                self.problems.append(json.dumps(answer)[:300])
            with self.lock:
                self.file.writelines(f"{self.name_} {self.boot} {sequence}\n" for sequence in done)
                self.file.flush()
            for sequence in done:
                # Some answers are lost on their way.
                if self.random.random() < 0.9:
                    waiting.pop(sequence, None)


def traffic(url, token, boxes, seed, path):
    stop, lock = threading.Event(), threading.Lock()
    with open(path, "a", encoding="utf-8") as file:
        threads = [Box(url, token, f"box-{n}", seed, file, lock, stop) for n in range(int(boxes))]
        for thread in threads:
            thread.start()
        sys.stdin.read()
        stop.set()
        for thread in threads:
            thread.join()
    problems = [problem for thread in threads for problem in thread.problems]
    print(json.dumps({"requests": sum(thread.requests for thread in threads), "problems": problems[:10]}))


def check(database, path):
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    tables = [name for name, in connection.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'reports_[0-9]*'")]
    kept = []
    for table in tables:
        kept += connection.execute(
            f"SELECT s.box, t.boot, r.sequence, r.report FROM {table} r JOIN starts t ON t.start = r.start"
            " JOIN senders s ON s.sender = r.sender")
    keys = [(box, boot, sequence) for box, boot, sequence, _ in kept]
    wrong = 0
    for box, boot, sequence, text in kept:
        document = json.loads(text)
        wrong += (document["box"], document["boot"], document["sequence"]) != (box, boot, sequence)
    known, starts = set(), {}
    for box, boot, first, last in connection.execute(
            "SELECT s.box, t.boot, r.first, r.last FROM received r JOIN starts t ON t.start = r.start"
            " JOIN senders s ON s.sender = t.sender"):
        known.update((box, boot, sequence) for sequence in range(first, last + 1))
        start = starts.setdefault(f"{box} {boot}", {"last": 0, "missing": 0})
        start["last"] = max(start["last"], last)
        start["missing"] -= last - first + 1
    for start in starts.values():
        start["missing"] += start["last"]
    with open(path, encoding="utf-8") as file:
        acknowledged = {(box, boot, int(sequence)) for box, boot, sequence in (line.split() for line in file)}
    states = sum(json.loads(text)["kind"] == "state" for *_, text in kept)
    packets, = connection.execute("SELECT coalesce(sum(packets), 0) FROM airMinutes").fetchone()
    hours, = connection.execute("SELECT coalesce(sum(packets), 0) FROM airHours").fetchone()
    print(json.dumps({
        "acknowledged": len(acknowledged), "kept": len(keys), "doubled": len(keys) - len(set(keys)), "wrong": wrong,
        "lost": len(acknowledged - set(keys)), "ledgerDiffers": len(known ^ set(keys)),
        "packetsDiffer": abs(packets - 1000 * states) + abs(hours - 1000 * states),
        "starts": starts, "integrity": connection.execute("PRAGMA integrity_check").fetchone()[0],
        "version": connection.execute("PRAGMA user_version").fetchone()[0],
    }))


def schemas(openapi, url, token, box, metrics):
    from jsonschema import Draft202012Validator
    with open(openapi, encoding="utf-8") as file:
        document = json.load(file)
    looked, problems = 0, []
    for path, operations in document["paths"].items():
        if "get" not in operations or path.endswith("/order") or "{rollout}" in path:
            continue
        address = url + path.replace("{box}", box).replace("{venue}", box)
        request = urllib.request.Request(address, headers={
            "Authorization": "Bearer " + (metrics if path == "/metrics" else token)})
        with urllib.request.urlopen(request, timeout=10) as answer:
            kind, body = answer.headers["Content-Type"].split(";")[0], answer.read()
        content = operations["get"]["responses"]["200"]["content"]
        looked += 1
        if kind not in content:
            problems.append(f"{path}: {kind}")
            continue
        schema = dict(content[kind].get("schema", {}), components=document["components"])
        values = [json.loads(body)] if kind == "application/json" else []
        if kind == "application/openmetrics-text":
            try:
                from prometheus_client.openmetrics.parser import text_string_to_metric_families
                if len(list(text_string_to_metric_families(body.decode()))) < 15:
                    problems.append("too few metrics")
            except ImportError:
                print("SKIP: prometheus_client is not installed", file=sys.stderr)
        if kind == "application/x-ndjson":
            values = [json.loads(line) for line in body.splitlines()]
        for value in values:
            problems += [f"{path}: {error.message[:200]}" for error in Draft202012Validator(schema).iter_errors(value)]
    print(json.dumps({"looked": looked, "problems": problems}))


if __name__ == "__main__":
    {"traffic": traffic, "check": check, "schemas": schemas}[sys.argv[1]](*sys.argv[2:])
