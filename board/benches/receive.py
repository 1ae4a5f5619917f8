#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows 6 of step 4: what it costs to receive, in CPU seconds per GB of transport stream.

A channel of many Mbit/s with little in it to decode (a small picture, the rest null packets) goes in RTP to a group of
the loopback. The box plays it with null outputs; multicat writes it to /dev/null; GStreamer's udpsrc hands it to a
fakesink. One after the other, each alone on the last processor with the sender on the first, several rounds. What the
kernel does for a datagram up to the socket is the sender's time here. Neither peer looks into a packet: the box's
receive thread, which puts in order, checks, clocks and keeps each, is told apart from the rest, which demultiplexes and
plays.
"""

import argparse
import ctypes
import mmap
import os
import shutil
import socket
import statistics
import struct
import subprocess
import sys
import time

import venue

PAYLOAD = 1316
BATCH = 32


def make_stream(work, rate, seconds=4):
    """A constant rate of so many Mbit/s, made of null packets mostly."""
    path = os.path.join(work, "stream.ts")
    subprocess.run(
        ["ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc2=size=128x96:rate=25", "-t", str(seconds),
         "-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-keyint_min", "25", "-sc_threshold", "0", "-b:v",
         "100k", "-pix_fmt", "yuv420p", "-muxrate", f"{rate}M", "-pcr_period", "30", "-f", "mpegts", path],
        check=True, stdin=subprocess.DEVNULL, timeout=120)
    return path


# MARK: sender, a process of its own


class Vector(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


class Header(ctypes.Structure):
    """struct msghdr."""

    _fields_ = [
        ("name", ctypes.c_void_p), ("name_length", ctypes.c_uint32), ("vectors", ctypes.c_void_p),
        ("vector_count", ctypes.c_size_t), ("control", ctypes.c_void_p), ("control_length", ctypes.c_size_t),
        ("flags", ctypes.c_int)]


class Message(ctypes.Structure):
    """struct mmsghdr."""

    _fields_ = [("header", Header), ("sent", ctypes.c_uint)]


def send(path, rate, counter_path):
    """Sends the file again and again at its rate until it is ended; counts datagrams in a file of 8 octets."""
    library = ctypes.CDLL(None, use_errno=True)
    outlet = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    outlet.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
    outlet.connect((venue.GROUP, venue.PORT))
    with open(path, "rb") as file:
        # Private and writable, for its address; nothing is written.
        stream = mmap.mmap(file.fileno(), 0, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ | mmap.PROT_WRITE)
    with open(counter_path, "r+b") as file:
        counter = mmap.mmap(file.fileno(), 8)
    base = ctypes.addressof(ctypes.c_char.from_buffer(stream))
    packets = len(stream) // PAYLOAD
    headers = ctypes.create_string_buffer(12 * BATCH)
    vectors = (Vector * (2 * BATCH))()
    messages = (Message * BATCH)()
    for index in range(BATCH):
        vectors[2 * index] = Vector(ctypes.addressof(headers) + 12 * index, 12)
        vectors[2 * index + 1].length = PAYLOAD
        messages[index].header.vectors = ctypes.addressof(vectors) + 2 * index * ctypes.sizeof(Vector)
        messages[index].header.vector_count = 2
    distance = BATCH * PAYLOAD * 8 / (rate * 1e6)
    number, due = 0, time.monotonic()
    while True:
        stamp = int(due * 90_000) & 0xFFFFFFFF
        for index in range(BATCH):
            struct.pack_into("!BBHII", headers, 12 * index, 0x80, 33, (number + index) & 0xFFFF, stamp, 7)
            vectors[2 * index + 1].base = base + (number + index) % packets * PAYLOAD
        done = library.sendmmsg(outlet.fileno(), messages, BATCH, 0)
        if done < 0:
            raise OSError(ctypes.get_errno(), "sendmmsg")
        number += done
        counter[:8] = struct.pack("q", number)
        due += distance
        rest = due - time.monotonic()
        if rest > 0:
            time.sleep(rest)
        elif rest < -0.2:
            due = time.monotonic()  # it could not keep up; the rate is what is counted


# MARK: receivers


def kernel_drops(program):
    """Datagrams that the kernel dropped on the sockets of a process."""
    owned = set()
    for name in os.listdir(f"/proc/{program.pid}/fd"):
        try:
            target = os.readlink(f"/proc/{program.pid}/fd/{name}")
        except FileNotFoundError:
            continue  # closed since
        if target.startswith("socket:["):
            owned.add(target[8:-1])
    with open("/proc/net/udp") as file:
        fields = [line.split() for line in file.readlines()[1:]]
    mine = [line for line in fields if line[9] in owned and line[1].endswith(f":{venue.PORT:04X}")]
    return sum(int(line[12]) for line in mine), len(mine)


class Receiver:
    """One that is measured."""

    def __init__(self, name, program, box=None):
        self.name, self.program, self.box = name, program, box

    def await_joined(self, patience=10):
        limit = time.monotonic() + patience
        while kernel_drops(self.program)[1] == 0:
            self.program.check()
            if time.monotonic() > limit:
                raise TimeoutError(f"{self.name} does not join: {self.program.said()[-1000:]}")
            time.sleep(0.05)

    def receive_thread(self):
        """CPU seconds of the box's receive thread."""
        if self.box is None:
            return None
        threads = self.program.threads().items()
        return sum(self.program.schedule(thread) for thread, name in threads if name == "receive") / 1e9


def start_box(work, cpu, number):
    box = venue.Box(work, f"box{number}", cpu=cpu)
    box.tune()
    return Receiver("box", box.program, box)


def start_multicat(work, cpu, number):
    return Receiver("multicat", venue.Program(
        work, f"multicat{number}", ["multicat", f"@{venue.GROUP}:{venue.PORT}/ifaddr=127.0.0.1", "/dev/null"], cpu))


def start_gstreamer(work, cpu, number):
    return Receiver("udpsrc", venue.Program(
        work, f"gstreamer{number}",
        ["gst-launch-1.0", "-q", "udpsrc", f"address={venue.GROUP}", f"port={venue.PORT}", "multicast-iface=lo",
         "buffer-size=4194304", "!", "fakesink", "sync=false"], cpu))


def sent(counter_path):
    with open(counter_path, "rb") as file:
        return struct.unpack("q", file.read(8))[0]


def round_of(start, work, cpu, number, options, counter_path):
    """CPU seconds per GB, those of the box's receive thread, and datagrams lost."""
    receiver = start(work, cpu, number)
    receiver.await_joined()
    time.sleep(1)
    before, thread = receiver.program.cpu_seconds(), receiver.receive_thread()
    dropped, count = kernel_drops(receiver.program)[0], sent(counter_path)
    began = time.monotonic()
    time.sleep(options.seconds)
    used, elapsed = receiver.program.cpu_seconds() - before, time.monotonic() - began
    thread = None if thread is None else receiver.receive_thread() - thread
    lost, count = kernel_drops(receiver.program)[0] - dropped, sent(counter_path) - count
    receiver.program.check()
    note = ""
    if receiver.box:
        reception = receiver.box.stats()["reception"]
        note = f"; it counts {reception['lostPackets']} lost, {reception['kernelDrops']} of them dropped by the kernel"
        if options.profile:
            subprocess.run(
                ["perf", "record", "-q", "-g", "-o", options.profile, "-p", str(receiver.program.pid), "--", "sleep",
                 "4"], timeout=30)
    receiver.program.end()
    if count == 0 or lost >= count:
        raise RuntimeError(f"{receiver.name} received nothing of {count} datagrams")
    volume = (count - lost) * PAYLOAD / 1e9
    apart = "" if thread is None else f" ({thread / volume:.2f} of them its receive thread)"
    print(f"receive: round {number}: {receiver.name} {used / volume:.2f} s per GB{apart}, {lost} of {count} datagrams "
          f"lost at {count * PAYLOAD * 8 / elapsed / 1e6:.0f} Mbit/s{note}", flush=True)
    return used / volume, None if thread is None else thread / volume, lost


def measure(work, options):
    starts = {"box": start_box}
    peers = (("multicat", "multicat", start_multicat), ("udpsrc", "gst-launch-1.0", start_gstreamer))
    for name, program, start in peers:
        if shutil.which(program):
            starts[name] = start
        elif os.environ.get("TOUCHLINE_REQUIRE_PEERS"):
            raise RuntimeError(f"{program} is not installed")
        else:
            print(f"SKIP: {program} is not installed")
    cpus = sorted(os.sched_getaffinity(0))
    counter_path = os.path.join(work, "sent")
    with open(counter_path, "wb") as file:
        file.write(bytes(8))
    stream = make_stream(work, options.rate)
    sender = venue.Program(
        work, "sender", [sys.executable, os.path.abspath(__file__), "--send", stream, "--rate", str(options.rate),
                         "--counter", counter_path], cpus[0])
    figures = {name: [] for name in starts}
    for number in range(1, options.rounds + 1):
        for name, start in starts.items():
            sender.check()
            figures[name].append(round_of(start, work, cpus[-1], number, options, counter_path))
    medians = {name: statistics.median(figure[0] for figure in rounds) for name, rounds in figures.items()}
    thread = statistics.median(figure[1] for figure in figures["box"])
    for name, value in medians.items():
        ratios = "" if name == "box" else (
            f"; box {medians['box'] / value:.2f} times that, its receive thread {thread / value:.2f}")
        print(f"receive: median {name} {value:.2f} s per GB, {value / 8:.0%} of a processor at 1 Gbit/s, "
              f"{sum(figure[2] for figure in figures[name])} datagrams lost{ratios}")
    cores = thread / 8
    passed = cores <= 1
    print(f"receive: the box's receive thread, socket included, takes {thread:.2f} s per GB: {cores:.0%} of a "
          f"processor at 1 Gbit/s (limit 100 %): {'ok' if passed else 'FAILED'}")
    return 0 if passed else 1


if __name__ == "__main__":
    usage = argparse.ArgumentParser(description=__doc__)
    usage.add_argument("--seconds", type=int, default=5)
    usage.add_argument("--rounds", type=int, default=3)
    usage.add_argument("--rate", type=int, default=250, help="Mbit/s")
    usage.add_argument("--profile", help="writes what perf records of the box to this file")
    usage.add_argument("--send", help=argparse.SUPPRESS)
    usage.add_argument("--counter", help=argparse.SUPPRESS)
    arguments = usage.parse_args()
    if arguments.send:
        send(arguments.send, arguments.rate, arguments.counter)
    venue.main(measure, usage)
