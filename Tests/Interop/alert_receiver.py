# SPDX-License-Identifier: Apache-2.0
"""Takes alerts as somebody else's program would: Python's HTTP server and hmac, and a socket for syslog.

alert_receiver.py PORT SYSLOG_PORT SECRET TOKEN MODE KEPT

While the file MODE says `busy`, posts are answered with 503; otherwise each is a line of KEPT, with whether its signature and
its token are right, and so is each datagram of syslog. It ends when its parent does.
"""
import hashlib, hmac, json, os, socket, sys, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

port, syslog_port, secret, token, mode_path, kept_path = sys.argv[1:]
lock = threading.Lock()


def keep(line):
    with lock, open(kept_path, "a") as file:
        file.write(json.dumps(line) + "\n")


def end_with_parent():
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(0.2)
    os._exit(0)


def take_datagrams():
    receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    receiver.bind(("127.0.0.1", int(syslog_port)))
    while True:
        keep({"syslog": receiver.recv(4096).decode("utf-8")})


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *arguments):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with open(mode_path) as file:
            is_busy = file.read().strip() == "busy"
        code = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
        keep({
            "isBusy": is_busy, "alert": json.loads(body), "key": self.headers["Idempotency-Key"],
            "type": self.headers["Content-Type"],
            "isSigned": hmac.compare_digest(self.headers["Touchline-Signature"], code),
            "isKnown": self.headers["Authorization"] == "Bearer " + token,
        })
        self.send_response(503 if is_busy else 204)
        self.send_header("Content-Length", "0")
        self.end_headers()


threading.Thread(target=end_with_parent, daemon=True).start()
threading.Thread(target=take_datagrams, daemon=True).start()
ThreadingHTTPServer(("127.0.0.1", int(port)), Handler).serve_forever()
