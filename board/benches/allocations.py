#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The receive thread of a playing box allocates nothing, the decode and the audio thread only inside C libraries' calls,
counted by an interposed allocator.

First of ffmpeg's stream as it is, then with what a bad network and strangers add to it; of sessions of elementary
streams; and of a stage in software under a banner, a transport bar and a running ticker, the render thread too.
"""

import argparse
import mmap
import os
import socket
import struct
import subprocess
import threading
import time

import venue

THREADS, PLACES, DEPTH, ROW, HEAD = 1024, 16, 16, 40, 40
# Everything that the first allocates counts, of the others what our own code and Swift's runtime allocate.
WATCHED = ["receive", "decode", "audio"]
DRAWING = ["receive", "decode", "render"]


class Table:
    """The counts of allocations.c, live."""

    def __init__(self, path):
        with open(path, "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), 0)

    def counts(self):
        """(allocations, frees, octets, own) by thread id."""
        used = min(struct.unpack_from("q", self.memory, 24)[0], THREADS)
        rows = (struct.unpack_from("5q", self.memory, HEAD + ROW * place) for place in range(used))
        return {row[0]: row[1:] for row in rows}

    def watch(self, threads):
        struct.pack_into("3q", self.memory, 0, *threads)

    def traces(self):
        found = min(struct.unpack_from("q", self.memory, 32)[0], PLACES)
        start = HEAD + ROW * THREADS
        return [struct.unpack_from(f"{DEPTH}Q", self.memory, start + 8 * DEPTH * place) for place in range(found)]


def names_of(trace, pid):
    """Function names of a trace's return addresses."""
    with open(f"/proc/{pid}/maps") as file:
        maps = [line.split(maxsplit=5) for line in file]
    for address in filter(None, trace):
        for fields in maps:
            low, high = (int(end, 16) for end in fields[0].split("-"))
            if low <= address < high and len(fields) > 5 and fields[5].startswith("/"):
                path = fields[5].strip()
                base = next(int(other[0].split("-")[0], 16) for other in maps if other[5:] and other[5].strip() == path)
                found = subprocess.run(
                    ["addr2line", "-f", "-e", path, hex(address - base - 1)], capture_output=True, text=True, timeout=30)
                yield f"{os.path.basename(path)} {hex(address - base)} {found.stdout.splitlines()[:1]}"


class Disturbance:
    """Each 20 ms one of: a duplicate, a gap, a stranger's packet, another payload type, half a header, no TS, a raw TS."""

    def __init__(self):
        self.stopping = threading.Event()
        self.sent = 0
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def stop(self):
        self.stopping.set()
        self.thread.join(5)

    def run(self):
        listener = venue.group_socket()
        sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
        own, kind, next_time = set(), 0, 0
        while not self.stopping.is_set():
            try:
                packet = listener.recv(2048)
            except TimeoutError:
                continue
            if packet in own or time.monotonic() < next_time:
                own.discard(packet)
                continue
            next_time = time.monotonic() + 0.02
            sequence = struct.unpack_from("!H", packet, 2)[0]
            odd = [
                packet,
                packet[:2] + struct.pack("!H", (sequence + 3) & 0xFFFF) + packet[4:],
                packet[:8] + b"\xde\xad\xbe\xef" + packet[12:],
                packet[:1] + b"\x60" + packet[2:],
                packet[:6],
                packet[:2] + struct.pack("!H", (sequence + 1) & 0xFFFF) + packet[4:12] + b"\x55" * 500,
                packet[12:],
            ][kind]
            kind = (kind + 1) % 7
            own.add(odd)
            sender.sendto(odd, (venue.GROUP, venue.PORT))
            self.sent += 1
        listener.close()
        sender.close()


def part(box, table, seconds, watched, title):
    """What the threads allocate in so many seconds; gives what the watched ones may not."""
    names = box.program.threads()
    before, heard = table.counts(), box.stats()
    time.sleep(seconds)
    after, heard_after = table.counts(), box.stats()
    grown = {name: heard_after["reception"][name] - count for name, count in heard["reception"].items()}
    frames = heard_after["playback"]["framesDecoded"] - heard["playback"]["framesDecoded"]
    print(f"allocations: {seconds} s {title}: {frames} pictures,", *(f"{n} {c}" for n, c in sorted(grown.items()) if c))
    for thread, name in sorted(names.items()):
        if thread in before:
            made, freed, octets, own = (new - old for new, old in zip(after[thread], before[thread]))
            print(f"  {name:16}{made / seconds:10.1f} allocations/s {freed / seconds:10.1f} frees/s"
                  f" {octets / seconds / 1000:10.1f} kB/s {own:6} by own code {after[thread][0]:10} in all")
    if grown["datagrams"] < 100 * seconds:
        raise RuntimeError("the box hears next to nothing")
    receive, *others = watched
    grown = [sum(after[receive][:2]) - sum(before[receive][:2])]
    return grown + [after[thread][3] - before[thread][3] for thread in others], before[receive][0]


def watch(box, counts, warm_up, names_watched=WATCHED):
    """The table of a warm box, and the threads watched in it: three."""
    time.sleep(warm_up)
    table = Table(counts)
    names = box.program.threads()
    watched = [next((thread for thread, name in names.items() if name == wanted), None) for wanted in names_watched]
    if None in watched:
        raise RuntimeError(f"not all of {names_watched} among {sorted(names.values())}")
    table.watch(watched)
    return table, watched


def show_traces(table, box):
    for trace in table.traces():
        print("  from inside out:", *names_of(trace, box.program.pid), sep="\n    ")


def elementary(work, options, library):
    """The same of a film whose pictures and sound come in RTP sessions of their own, announced by ffmpeg."""
    sender = venue.announce_film(work, venue.make_film(work, seconds=30))
    counts = os.path.join(work, "allocations-elementary")
    box = venue.Box(
        work, name="elementary", environment={"LD_PRELOAD": library, "TOUCHLINE_ALLOCATIONS": counts},
        settings={"playback": {"historyMs": 2000}, "channels": [], "announcements": {"groups": venue.ANNOUNCED}})
    limit = time.monotonic() + 15
    while not any(channel["name"] == venue.CHANNEL for channel in box.ask("channels")["channels"]):
        if time.monotonic() > limit:
            raise TimeoutError("no channel is announced")
        time.sleep(0.2)
    box.tune()
    table, watched = watch(box, counts, options.warm_up)
    made, _ = part(box, table, max(3, options.seconds // 3), watched, "of elementary streams")
    show_traces(table, box)
    box.program.end()
    sender.end()
    return made


def written_over(work, options, library):
    """The same of a box that draws its pictures with text over them, some of which runs."""
    sender = venue.send_film(work, venue.make_film(work, seconds=30))
    counts = os.path.join(work, "allocations-text")
    box = venue.Box(
        work, name="text", environment={"LD_PRELOAD": library, "TOUCHLINE_ALLOCATIONS": counts},
        settings={
            "output": {"kind": "headless", "width": 1280, "height": 720}, "playback": {"historyMs": 2000},
            "screenText": {"enabled": True}})
    box.ask("ticker", text="Half-time in Hall 7: 2–1. " * 10)
    for item in ("banner", "transport"):
        box.ask("osd", item=item, state="on")
    box.tune()
    table, watched = watch(box, counts, options.warm_up, DRAWING)
    before = box.stats()["stage"]["presentations"]
    made, _ = part(box, table, max(3, options.seconds // 3), watched, "under text")
    if box.stats()["stage"]["presentations"] - before < 40 * max(3, options.seconds // 3):
        raise RuntimeError("the ticker does not run")
    show_traces(table, box)
    box.program.end()
    sender.end()
    return made


def measure(work, options):
    library = venue.preloaded(work, "allocations.c")
    counts = os.path.join(work, "allocations")
    sender = venue.send_film(work, venue.make_film(work, seconds=30))
    # A short history, so that it gives way under the measurement too.
    box = venue.Box(
        work, environment={"LD_PRELOAD": library, "TOUCHLINE_ALLOCATIONS": counts},
        settings={"playback": {"historyMs": 2000}})
    box.tune()
    table, watched = watch(box, counts, options.warm_up)
    steady, at_start = part(box, table, options.seconds, watched, f"of play after {options.warm_up} s")
    disturbance = Disturbance()
    try:
        disturbed, _ = part(box, table, max(3, options.seconds // 3), watched, "disturbed")
    finally:
        disturbance.stop()
    show_traces(table, box)
    box.program.end()
    sender.end()
    apart = elementary(work, options, library)
    under = written_over(work, options, library)
    # It allocates when it starts: a count of none at all would mean that nobody counted.
    passed = not any(steady + disturbed + apart + under) and at_start > 0 and disturbance.sent > 20
    for name, calm, odd, own in zip(WATCHED, steady, disturbed, apart):
        print(f"allocations: {name} thread {calm} in steady state (limit 0), {odd} by {disturbance.sent} odd packets"
              f" (limit 0), {own} of elementary streams (limit 0)")
    print("allocations: under text:", ", ".join(f"{name} thread {own}" for name, own in zip(DRAWING, under)), "(limit 0)")
    print(f"allocations: {at_start} by the receive thread at its start: {'ok' if passed else 'FAILED'}")
    return 0 if passed else 1


if __name__ == "__main__":
    usage = argparse.ArgumentParser(description=__doc__)
    usage.add_argument("--seconds", type=int, default=20)
    usage.add_argument("--warm-up", type=int, default=5)
    venue.main(measure, usage)
