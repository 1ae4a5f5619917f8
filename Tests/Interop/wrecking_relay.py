# SPDX-License-Identifier: Apache-2.0
"""Stands between boxes and their reporter, and spoils what passes: wrecking_relay.py PORT REPORTER SEED MODE LEDGER

While the file MODE says `wreck`, of a request and its answer one is lost, sent twice, delayed, cut off or replaced, by
chance; else all pass. Before an answer of the reporter leaves, what it acknowledges is a line `BOX BOOT SEQUENCE` of
LEDGER each, whether the answer arrives or not. Prints how many requests met what as JSON when standard input ends."""
import collections, http.client, json, random, sys, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

port, reporter, seed, mode_path, ledger_path = sys.argv[1:]
chance = random.Random(int(seed))
lock = threading.Lock()
ledger = open(ledger_path, "a", encoding="utf-8")
fates = collections.Counter()
kinds = ["pass"] * 8 + ["request lost", "answer lost", "answer lost", "request twice", "answer twice", "late", "cut", "500"]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def ask(self, body):
        """The answer of the reporter; nil if it gives none."""
        connection = http.client.HTTPConnection(reporter, timeout=10)
        try:
            fields = {name: value for name, value in self.headers.items() if name.lower() not in ("host", "connection")}
            connection.request("POST", self.path, body, fields)
            answer = connection.getresponse()
            octets = answer.read()
        except (OSError, http.client.HTTPException):
            return None
        finally:
            connection.close()
        if answer.status == 200:
            document = json.loads(octets)
            box = self.path.split("/")[3]
            with lock:
                for first, last in document["acknowledged"]:
                    for sequence in range(first, last + 1):
                        ledger.write(f"{box} {document['boot']} {sequence}\n")
                ledger.flush()
        return answer.status, answer.getheader("Content-Type", ""), answer.getheader("Retry-After"), octets

    def reply(self, status, kind, retry, octets, length=None):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(octets)))
        if retry:
            self.send_header("Retry-After", retry)
        self.end_headers()
        self.wfile.write(octets[:length])

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with lock:
            fate = chance.choice(kinds) if open(mode_path, encoding="utf-8").read() == "wreck" else "pass"
            fates[fate] += 1
        answer = None if fate == "request lost" else self.ask(body)
        if fate == "request twice":
            answer = self.ask(body)
        if fate == "late":
            time.sleep(1)
        if answer is None or fate == "answer lost":
            self.close_connection = True
        elif fate == "500":
            self.reply(500, "text/plain", None, b"oh")
        elif fate == "cut":
            self.reply(*answer, length=len(answer[3]) // 2)
            self.close_connection = True
        else:
            self.reply(*answer)
            if fate == "answer twice":
                self.reply(*answer)


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, address):
        pass  # whoever asked was killed


server = Server(("127.0.0.1", int(port)), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(json.dumps({"port": server.server_address[1]}), flush=True)
sys.stdin.read()
print(json.dumps(fates), flush=True)
