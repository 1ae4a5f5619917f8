#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows 5: the receive thread of a playing box allocates nothing, counted by an interposed allocator."""

import argparse
import mmap
import os
import struct
import subprocess
import time

import venue

THREADS, PLACES, DEPTH = 1024, 16, 16
WATCHED = "receive"


class Table:
    """The counts of allocations.c, live."""

    def __init__(self, path):
        with open(path, "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), 0)

    def counts(self):
        """(allocations, frees, octets) by thread id."""
        used = min(struct.unpack_from("q", self.memory, 8)[0], THREADS)
        rows = (struct.unpack_from("4q", self.memory, 24 + 32 * place) for place in range(used))
        return {row[0]: row[1:] for row in rows}

    def watch(self, thread):
        struct.pack_into("q", self.memory, 0, thread)

    def traces(self):
        found = min(struct.unpack_from("q", self.memory, 16)[0], PLACES)
        start = 24 + 32 * THREADS
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


def measure(work, options):
    library = os.path.join(work, "allocations.so")
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "allocations.c")
    subprocess.run(["cc", "-O2", "-fPIC", "-shared", "-o", library, source], check=True, timeout=60)
    counts = os.path.join(work, "allocations")
    venue.send_film(work, venue.make_film(work, seconds=30))
    box = venue.Box(work, environment={"LD_PRELOAD": library, "TOUCHLINE_ALLOCATIONS": counts})
    box.tune()
    time.sleep(options.warm_up)
    table = Table(counts)
    names = box.program.threads()
    watched = next((thread for thread, name in names.items() if name == WATCHED), None)
    if watched is None:
        raise RuntimeError(f"no thread {WATCHED} among {sorted(names.values())}")
    table.watch(watched)
    before, heard = table.counts(), box.stats()
    time.sleep(options.seconds)
    after, heard_after = table.counts(), box.stats()
    datagrams = heard_after["reception"]["datagrams"] - heard["reception"]["datagrams"]
    frames = heard_after["playback"]["framesDecoded"] - heard["playback"]["framesDecoded"]
    print(f"allocations: {options.seconds} s of play after {options.warm_up} s: {datagrams} datagrams, {frames} pictures")
    for thread, name in sorted(names.items()):
        if thread not in after:
            continue
        made, freed, octets = (new - old for new, old in zip(after[thread], before.get(thread, (0, 0, 0))))
        print(f"  {name:16}{made / options.seconds:10.1f} allocations/s {freed / options.seconds:10.1f} frees/s"
              f" {octets / options.seconds / 1000:10.1f} kB/s {after[thread][0]:10} in all")
    steady = sum(after[watched][:2]) - sum(before[watched][:2])
    for trace in table.traces():
        print("  receive thread:", *names_of(trace, box.program.pid), sep="\n    ")
    # It allocates when it starts: a count of none at all would mean that nobody counted.
    counted = before[watched][0] > 0
    passed = steady == 0 and counted and datagrams > 10 * options.seconds and frames > 10 * options.seconds
    print(f"allocations: receive thread {steady} in steady state (limit 0), {before[watched][0]} before"
          f": {'ok' if passed else 'FAILED'}")
    return 0 if passed else 1


if __name__ == "__main__":
    usage = argparse.ArgumentParser(description=__doc__)
    usage.add_argument("--seconds", type=int, default=20)
    usage.add_argument("--warm-up", type=int, default=5)
    venue.main(measure, usage)
