# SPDX-License-Identifier: Apache-2.0
"""A reporter that knows nothing of ours: Python's HTTP, zlib and JSON.

reporter_peer.py PORT KEPT MODE

Keeps each report as a line of KEPT before it acknowledges it. How it answers, the file MODE says anew at each request:

ok        as config/REPORTS.md has it
refuse    refuses reports whose sequence is a multiple of 3
late      keeps the reports and answers after 3 s
twice     keeps them and sends its answer twice
half      keeps them, and its answer is cut off
nothing   keeps them and ends the connection
lost      keeps nothing and ends the connection
500       keeps nothing
login     keeps nothing and shows a page
busy      keeps nothing and asks for 1 s
credit    keeps the first and takes one at a time

It prints a line of JSON for each request and ends when its parent does.
"""
import json, os, sys, threading, time, zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

port, kept_path, mode_path = int(sys.argv[1]), sys.argv[2], sys.argv[3]
lock = threading.Lock()


def end_with_parent():
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(0.2)
    os._exit(0)


def ranges(sequences):
    result = []
    for sequence in sorted(set(sequences)):
        if result and result[-1][1] == sequence - 1:
            result[-1][1] = sequence
        else:
            result.append([sequence, sequence])
    return result


def keep(reports):
    with lock, open(kept_path, "a") as file:
        for report in reports:
            file.write(json.dumps(report) + "\n")
        file.flush()
        os.fsync(file.fileno())


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def reply(self, status, octets, kind="application/json", fields=(), cut=False):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(octets)))
        for name, value in fields:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(octets[: len(octets) // 2] if cut else octets)
        if cut:
            self.close_connection = True

    def do_POST(self):
        mode = open(mode_path).read().strip()
        body = self.rfile.read(int(self.headers["Content-Length"]))
        is_compressed = self.headers.get("Content-Encoding") == "gzip"
        if is_compressed:
            body = zlib.decompress(body, 31)
        reports = [json.loads(line) for line in body.decode().splitlines()]
        print(json.dumps({
            "mode": mode, "path": self.path, "count": len(reports), "isCompressed": is_compressed,
            "client": self.client_address[1],
            "authorization": self.headers.get("Authorization"), "type": self.headers.get("Content-Type"),
        }), flush=True)
        refused = [r for r in reports if r["sequence"] % 3 == 0] if mode == "refuse" else []
        taken = [r for r in reports if r not in refused]
        if mode == "credit":
            taken = taken[:1]
        if mode in ("lost", "500", "login", "busy"):
            taken = []
        keep(taken)
        answer = {
            "boot": reports[0]["boot"], "acknowledged": ranges(r["sequence"] for r in taken),
            "refused": [{"sequence": r["sequence"], "why": "a multiple of 3"} for r in refused],
        }
        if mode == "credit":
            answer["credit"] = 1
        octets = json.dumps(answer).encode()
        if mode in ("nothing", "lost"):
            self.close_connection = True
        elif mode == "500":
            self.reply(500, b"oh")
        elif mode == "login":
            self.reply(200, b"<html><title>Log in</title></html>", "text/html")
        elif mode == "busy":
            self.reply(503, b"", fields=[("Retry-After", "1")])
        elif mode == "half":
            self.reply(200, octets, cut=True)
        else:
            if mode == "late":
                time.sleep(3)
            self.reply(200, octets)
            if mode == "twice":
                self.reply(200, octets)


threading.Thread(target=end_with_parent, daemon=True).start()
server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
print(json.dumps({"port": server.server_address[1]}), flush=True)
server.serve_forever()
