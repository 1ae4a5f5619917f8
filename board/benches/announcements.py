#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What head-ends cost that change what they announce as often as they can.

Two senders announce 500 channels each, then change one after the other without a pause. Meanwhile the box is tuned to
one channel after the other. Told are the turns of the control loop, what its thread had of a processor, how long the
tune commands waited for their answers, and what became of the announcements.
"""

import argparse
import json
import os
import socket
import statistics
import sys
import time

import venue

GROUP, PORT = "239.255.255.255", 9875
SESSIONS = 500
SENDERS = ["127.0.0.1", "127.0.0.2"]
LICENSE = {"venueName": "Bench", "contentOwner": "Bench", "appDeveloper": "Bench"}
LIMIT_US = 20_000
LIMIT_SECONDS = 0.1


def datagram(sender, number, text):
    body = json.dumps({
        "version": 1, "streamer": {"id": f"bench-{sender}"}, "session": {"number": number}, "license": LICENSE,
        "kind": "video", "name": f"{sender} {number}", "text": text, "intervalMs": 60_000,
        "transport": {"address": "239.77.9.1", "port": 20_000 + number, "encapsulation": "rtp"},
    }).encode()
    name = SENDERS.index(sender) * SESSIONS + number
    header = bytes([0x20, 0, name >> 8, name & 255]) + socket.inet_aton(sender)
    return header + b"application/vnd.touchline.announcement+json\0" + body


def link(sender):
    made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    made.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
    made.bind((sender, 0))
    made.connect((GROUP, PORT))
    return made


def flood(sender, seconds):
    """Run as a process of its own: announces all, then changes all of them again and again; prints how many it sent."""
    versions = [[datagram(sender, number, f"version {version}") for number in range(1, SESSIONS + 1)]
                for version in range(2)]
    out, sent = link(sender), 0
    for octets in versions[0]:
        out.send(octets)
        time.sleep(0.001)
    time.sleep(2)
    limit = time.monotonic() + seconds
    while time.monotonic() < limit:
        for octets in versions[(sent // SESSIONS + 1) % 2]:
            out.send(octets)
            sent += 1
    print(sent)


def schedule(pid):
    """Seconds that the first thread ran, and that it waited for a processor."""
    with open(f"/proc/{pid}/task/{pid}/schedstat") as file:
        ran, waited = file.read().split()[:2]
    return int(ran) / 1e9, int(waited) / 1e9


def measure(work, options):
    channels = [{"name": f"Own {number}", "address": f"239.77.8.{number}", "port": 20_000} for number in (1, 2)]
    box = venue.Box(work, settings={
        "announcements": {"groups": [{"address": GROUP, "port": PORT}]}, "channels": channels, "license": LICENSE,
        "http": {"port": 0}})
    senders = [
        venue.Program(work, f"sender{number}", [sys.executable, __file__, "--flood", sender, "--seconds",
                                                str(options.seconds)])
        for number, sender in enumerate(SENDERS[:options.senders])]
    limit = time.monotonic() + 30
    while box.ask("status")["channelCount"] < options.senders * SESSIONS + len(channels):
        if time.monotonic() > limit:
            raise TimeoutError("the box does not list all channels")
        time.sleep(0.1)
    before, start, began = box.stats(), schedule(box.program.pid), time.monotonic()
    waits = []
    while any(sender.process.poll() is None for sender in senders):
        asked = time.monotonic()
        box.ask("tune", channel=f"Own {len(waits) % 2 + 1}")
        waits.append(time.monotonic() - asked)
        time.sleep(0.05)
    after, span = box.stats(), time.monotonic() - began
    ran, waited = (end - begin for begin, end in zip(start, schedule(box.program.pid)))
    sent = sum(int(sender.said()) for sender in senders)
    counted = {name: after["lineUp"][name] - before["lineUp"][name] for name in after["lineUp"]}
    read, longest = counted["announcementsReceived"], after["controlLoop"]["longestTurnUs"]
    told = ", ".join(f"{name} {count}" for name, count in counted.items() if count and name != "announcementsReceived")
    waits.sort()
    print(f"announcements: {sent} sent in {span:.1f} s, {read} read; {told}")
    print(f"announcements: the loop's thread ran {ran / span:.0%} of the time, {ran / max(1, read) * 1e6:.1f} us for each "
          "that was read")
    print(f"announcements: {len(waits)} tunes were answered within {statistics.median(waits) * 1e3:.1f} ms (median), "
          f"{waits[-1] * 1e3:.1f} ms (all; limit {LIMIT_SECONDS * 1e3:g} ms)")
    passed = longest <= LIMIT_US and waits[-1] <= LIMIT_SECONDS
    print(f"announcements: longest turn {longest / 1e3:g} ms (limit {LIMIT_US / 1e3:g} ms): {'ok' if passed else 'FAILED'}")
    return 0 if passed else 1


if __name__ == "__main__":
    usage = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    usage.add_argument("--seconds", type=int, default=10)
    usage.add_argument("--senders", type=int, default=2, choices=(1, 2))
    usage.add_argument("--flood", metavar="ADDRESS", help=argparse.SUPPRESS)
    options = usage.parse_args()
    if options.flood:
        flood(options.flood, options.seconds)
    else:
        venue.main(measure, usage)
