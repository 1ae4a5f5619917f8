#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a thousand WebSockets that follow the events and hear nothing cost a box in memory, without TLS and with it.

Memory is the resident memory of the process (VmRSS) when all are open, less that before. A first hundred is opened and
closed before: what the box needs once is not counted. Each must have its greeting, and one more than the limit is
refused with 503.
"""

import argparse
import socket
import ssl
import time

import venue

LIMITS_MB = {False: 20, True: 80}


def resident(pid):
    with open(f"/proc/{pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS:")) * 1024


def upgrade(port):
    return (f"GET /v1/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n").encode()


def open_one(port, is_secure):
    link = socket.create_connection(("127.0.0.1", port), timeout=30)
    if is_secure:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        link = context.wrap_socket(link)
    link.sendall(upgrade(port))
    answer = b""
    while b'"next"' not in answer:
        piece = link.recv(4096)
        if not piece or b" 503 " in answer + piece:
            return link, (answer + piece).split(b"\r\n")[0].decode()
        answer += piece
    return link, "greeted"


def open_all(port, is_secure, count):
    links = []
    for _ in range(count):
        link, said = open_one(port, is_secure)
        if said != "greeted":
            raise RuntimeError(f"WebSocket {len(links) + 1} of {count}: {said}")
        links.append(link)
    return links


def close_all(box, links):
    for link in links:
        link.close()
    time.sleep(1)


def settled(pid):
    """The memory when it has not grown for a second."""
    last = resident(pid)
    for _ in range(20):
        time.sleep(1)
        now = resident(pid)
        if now <= last:
            return now
        last = now
    return last


def measure(work, options):
    box = venue.Box(work, output="headless", settings={
        "announcements": {"groups": []},
        "http": {"port": 0, "tls": True, "tlsPort": 0, "connections": options.count * 5 // 4},
    })
    status = box.ask("status")
    failed = 0
    for is_secure, port in ((False, status["httpPort"]), (True, status["httpsPort"])):
        name = "with TLS" if is_secure else "without TLS"
        close_all(box, open_all(port, is_secure, 100))
        before = settled(box.program.pid)
        links = open_all(port, is_secure, options.count)
        added = (settled(box.program.pid) - before) / 1e6
        extra, said = open_one(port, is_secure)
        extra.close()
        close_all(box, links)
        limit = LIMITS_MB[is_secure] * options.count / 1000
        is_good = added <= limit and " 503 " in said
        failed |= not is_good
        print(f"followers: {options.count} idle {name}: {added:.1f} MB, {added * 1000 / options.count:.1f} kB each, "
              f"{added / limit:.2f} of the limit of {limit:g} MB; one more: {said}: {'ok' if is_good else 'FAILED'}")
    return 1 if failed else 0


if __name__ == "__main__":
    usage = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    usage.add_argument("--count", type=int, default=1_000)
    venue.main(measure, usage)
