#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long the turns of the control loop are while much is asked of the box at once.

Eight channels of several codecs come from ffmpeg, and the line-up has a hundred. The box tunes 200 times among them, in two regions; at the same time
1,000 changes of settings come by the control socket and by HTTP, those in which picture or sound are interrupted among
them, and data channels are joined and left. Others ask for the statistics, the settings and the channels, /metrics and
the OpenAPI document. Meanwhile one client reads its events with a few octets a second, one reads a large HTTP answer
as slowly, one WebSocket never reads and one follows all events.

The turns are those of the registry's histogram controlLoop.turnUs: what the handlers of a turn took by the clock,
including the time in which another program had the processor. What the kernel let the loop's thread wait for a
processor is told beside it.
"""

import argparse
import http.client
import itertools
import json
import os
import random
import socket
import subprocess
import threading
import time

import venue

LIMIT_US = 20_000
PORT = 20_000
# Of each channel: codec of the picture, of the sound, size.
FILMS = [
    ("libx264", "aac", "640x360"), ("mpeg2video", "mp2", "720x576"), ("libx264", "ac3", "480x270"),
    ("libx265", "aac", "640x360"), ("libx264", "mp2", "720x576"), ("mpeg2video", "ac3", "352x288"),
    ("libx264", "aac", "320x180"), ("libx265", "mp2", "480x270"),
]
OPTIONS = {
    "libx264": ["-preset", "ultrafast", "-b:v", "800k"],
    "libx265": ["-preset", "ultrafast", "-b:v", "600k", "-x265-params", "log-level=none:keyint=25"],
    "mpeg2video": ["-b:v", "1500k", "-bf", "2"],
}
DATA = ["Scores", "Offers"]
LINE_UP = 100
# One change of so many interrupts picture or sound; the others take effect at once.
INTERRUPTING = 25


def group(number):
    return f"239.77.2.{number + 1}"


def send_channel(work, number):
    picture, sound, size = FILMS[number]
    film = os.path.join(work, f"channel{number}.ts")
    subprocess.run(
        ["ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i", f"testsrc2=size={size}:rate=25", "-f", "lavfi", "-i",
         f"sine=frequency={220 + 110 * number}:sample_rate=48000", "-t", "10", "-c:v", picture, *OPTIONS[picture], "-g",
         "25", "-pix_fmt", "yuv420p", "-c:a", sound, "-b:a", "96k", "-ac", "2", film],
        check=True, stdin=subprocess.DEVNULL, timeout=120)
    return venue.Program(
        work, f"sender{number}",
        ["ffmpeg", "-v", "error", "-nostdin", "-re", "-stream_loop", "-1", "-i", film, "-c", "copy", "-f",
         "rtp_mpegts", f"rtp://{group(number)}:{PORT}?ttl=1&pkt_size=1328&localaddr=127.0.0.1"])


def channels():
    video = [
        {"name": f"Channel {number}", "number": number + 1, "address": group(number), "port": PORT}
        for number in range(LINE_UP - len(DATA))
    ]
    data = [
        {"name": name, "kind": "data", "address": f"239.77.3.{number + 1}", "port": PORT}
        for number, name in enumerate(DATA)
    ]
    return video + data


class Asker:
    """One more connection of the control socket."""

    def __init__(self, path):
        self.lines = venue.Lines(path)
        self.number = 0

    def ask(self, command, **arguments):
        self.number += 1
        self.lines.send({"id": self.number, "command": command, "arguments": arguments})
        line, _ = self.lines.receive(lambda line: line.get("id") == self.number, 30)
        if not line["status"]["isOk"]:
            raise RuntimeError(f"{command} {arguments}: {line['status']['errorString']}")
        return line["result"]


class Link:
    """A connection of the HTTP API that is kept."""

    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def ask(self, method, path, value=None):
        body = None if value is None else json.dumps(value)
        self.connection.request(method, path, body, {"Content-Type": "application/json"})
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{method} {path} {body}: {answer.status} {text[:500]}")
        return text


def slow_reader(port, request, octets, ended, counted):
    """Sends the request and reads `octets` of what comes each second; none at all if it is 0."""
    link = socket.socket()
    link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    link.connect(("127.0.0.1", port))
    link.sendall(request.encode())
    read(link, octets, ended, counted)


def slow_follower(path, octets, ended, counted):
    """Follows all events by the control socket, and reads `octets` of them each second."""
    link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    link.connect(path)
    line = {"id": 1, "command": "events", "arguments": {"since": 0, "follow": True}}
    link.sendall(json.dumps(line).encode() + b"\n")
    read(link, octets, ended, counted)


def read(link, octets, ended, counted):
    link.settimeout(5)
    while not ended.wait(1 if octets < 1_000 else 0):
        if octets:
            try:
                counted[0] += len(link.recv(octets))
            except TimeoutError:
                pass
    link.close()


def upgrade(port, path):
    return (f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n")


def mild_changes(dice):
    """Changes that take effect at once, for ever: path and value."""
    word = lambda: f"{dice.randrange(1_000_000)}"
    kinds = [
        lambda: ("box.name", f"Bench {word()}"),
        lambda: ("box.tags", [word() for _ in range(3)]),
        lambda: ("lineUp.order", dice.choice(["number", "name"])),
        lambda: ("lineUp.channels", [
            {"channel": f"Channel {number}", "number": 10 + dice.randrange(80) * 8 + number, "favourite": True}
            for number in range(dice.randrange(8))]),
        lambda: ("playback.autoAdvance", dice.random() < 0.5),
        lambda: ("playback.sessionLimit", dice.randrange(4, 16)),
        lambda: ("playlists", [
            {"name": f"List {number}", "items": [{"channel": "Channel 1"}, {"channel": "Channel 2"}]}
            for number in range(dice.randrange(5))]),
        lambda: ("output.transitionMs", dice.randrange(500)),
        lambda: ("screenText.strategy", dice.choice(["standard", "debug"])),
        lambda: ("screenText.safeAreaPercent", dice.randrange(11)),
        lambda: ("screenText.bannerMs", dice.randrange(5_000)),
        lambda: ("screenText.timeZone", dice.choice(["", "Europe/Berlin", "Asia/Tokyo"])),
        lambda: ("sound.volume", dice.randrange(101)),
        lambda: ("sound.muted", dice.random() < 0.5),
        lambda: ("data.consumers", [
            {"channel": name, "kind": "ticker"} for name in DATA if dice.random() < 0.5]),
        lambda: ("health.firstListenMs", dice.randrange(600_000)),
        lambda: ("log.subsystems", {"playback": dice.choice(["notice", "info"])}),
        lambda: ("identify.colour", f"#{dice.randrange(1 << 24):06x}"),
    ]
    while True:
        yield dice.choice(kinds)()


def harsh_changes(dice):
    """Changes that interrupt picture or sound, for ever: path and value."""
    kinds = [
        lambda: ("playback.playoutDelayMs", dice.randrange(100, 500)),
        lambda: ("playback.historyMs", dice.randrange(1_000, 30_000)),
        lambda: ("playback.damage", dice.choice(["show", "hold"])),
        lambda: ("playback.audioLanguage", dice.choice(["", "deu", "eng"])),
        lambda: ("network.rejoinAfterMs", dice.randrange(500, 5_000)),
        lambda: ("announcements.groups", [
            {"address": f"239.255.255.{dice.randrange(1, 255)}"} for _ in range(dice.randrange(3))]),
        lambda: ("channels", channels()[:dice.randrange(6, LINE_UP)]),
        lambda: ("channels", channels()),
        lambda: ("layouts", [
            {"name": f"own{number}", "regions": [{"name": "main"}]}
            for number in range(dice.randrange(3))]),
        lambda: ("reception.monitor.patMs", dice.randrange(100, 1_000)),
        lambda: ("license.venueName", f"Venue {dice.randrange(3)}"),
        lambda: ("sound.unmute", dice.random() < 0.5),
    ]
    while True:
        yield dice.choice(kinds)()


def changes(dice, count):
    mild, harsh = mild_changes(dice), harsh_changes(dice)
    return [next(harsh if (number + 1) % INTERRUPTING == 0 else mild) for number in range(count)]


def merge_patch(path, value):
    for name in reversed(path.split(".")):
        value = {name: value}
    return value


class Load:
    """What is asked of the box, each part on a thread of its own; the first fault ends all."""

    def __init__(self, box, port, options):
        self.box, self.port, self.options = box, port, options
        self.ended = threading.Event()
        self.faults = []
        self.done = {"tunes": 0, "changes": 0, "questions": 0}

    def guarded(self, body):
        def run():
            try:
                body()
            except Exception as fault:  # told by `run`, which ends
                self.faults.append(fault)
                self.ended.set()
        return threading.Thread(target=run)

    def paced(self, items, pace):
        """The items, one each `pace` seconds or as fast as it goes, until all is ended."""
        due = time.monotonic()
        for item in items:
            if self.ended.wait(max(0, due - time.monotonic())):
                return
            due += pace
            yield item

    def run(self):
        options, dice = self.options, random.Random(self.options.seed)
        share = options.changes // 2
        pace = options.seconds / max(1, share)
        counts = {name: [0] for name in ("slow events", "slow HTTP", "deaf WebSocket", "WebSocket")}
        port, ended = self.port, self.ended
        document = f"GET /v1/openapi.json HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"
        work = [
            self.guarded(self.tune),
            self.guarded(lambda: self.change_by_socket(changes(random.Random(dice.random()), share), pace)),
            self.guarded(lambda: self.change_by_http(
                changes(random.Random(dice.random()), options.changes - share), pace)),
        ]
        beside = [
            self.guarded(self.question),
            self.guarded(lambda: slow_follower(self.box.path, 8, ended, counts["slow events"])),
            self.guarded(lambda: slow_reader(port, document, 100, ended, counts["slow HTTP"])),
            self.guarded(lambda: slow_reader(
                port, upgrade(port, "/v1/events?since=0"), 0, ended, counts["deaf WebSocket"])),
            self.guarded(lambda: slow_reader(port, upgrade(port, "/v1/events"), 65_536, ended, counts["WebSocket"])),
        ]
        for thread in work + beside:
            thread.start()
        for thread in work:
            thread.join()
        ended.set()
        for thread in beside:
            thread.join()
        if self.faults:
            raise RuntimeError(f"{self.done}: {self.faults[0]}")
        if counts["WebSocket"][0] < 10_000 or not counts["slow events"][0] or not counts["slow HTTP"][0]:
            raise RuntimeError(f"octets read: {counts}")
        return counts

    def tune(self):
        """In bursts as of somebody who zaps: three quick ones, then one that is watched for a while."""
        asker = Asker(self.box.path)
        dice = random.Random(self.options.seed)
        pace = self.options.seconds / max(1, self.options.tunes)
        for number in self.paced(range(self.options.tunes), 0):
            region = "inset" if number % 5 == 4 else "main"
            # A change of settings may have taken the channels from 6 on away.
            asker.ask("tune", channel=f"Channel {dice.randrange(6)}", region=region)
            self.done["tunes"] += 1
            if self.ended.wait(pace * 4 - 0.15 if number % 4 == 3 else 0.05):
                return

    def change_by_socket(self, wanted, pace):
        asker = Asker(self.box.path)
        for path, value in self.paced(wanted, pace):
            asker.ask("config-set", path=path, value=value)
            self.done["changes"] += 1

    def change_by_http(self, wanted, pace):
        link = Link(self.port)
        for path, value in self.paced(wanted, pace):
            link.ask("PATCH", "/v1/config", merge_patch(path, value))
            self.done["changes"] += 1

    def question(self):
        """What a page, a technician and a collector of metrics ask."""
        asker, link = Asker(self.box.path), Link(self.port)
        kinds = [
            lambda: asker.ask("stats"), lambda: link.ask("GET", "/v1/stats"), lambda: link.ask("GET", "/metrics"),
            lambda: asker.ask("config"), lambda: link.ask("GET", "/v1/config"), lambda: asker.ask("channels"),
            lambda: asker.ask("config-explain", path="sound.volume"), lambda: asker.ask("status"),
            lambda: asker.ask("regions"), lambda: asker.ask("decoders"), lambda: asker.ask("epg"),
            lambda: link.ask("GET", "/v1/openapi.json"), lambda: link.ask("GET", "/v1/screenshot"),
            lambda: link.ask("GET", "/v1/events?since=0"), lambda: asker.ask("identify", seconds=1),
        ]
        for kind in self.paced(itertools.cycle(kinds), 0.1):
            kind()
            self.done["questions"] += 1


def schedule(pid):
    """Seconds that the first thread ran, and that it waited for a processor."""
    with open(f"/proc/{pid}/task/{pid}/schedstat") as file:
        ran, waited = file.read().split()[:2]
    return int(ran) / 1e9, int(waited) / 1e9


def percentile(histogram, share):
    """The bound below which this share of the turns is; None beyond the last."""
    wanted = share * sum(histogram["buckets"])
    for bound, total in zip(histogram["bounds"], itertools.accumulate(histogram["buckets"])):
        if total >= wanted:
            return bound
    return None


def milliseconds(microseconds):
    return f"{microseconds / 1000:g} ms"


def told(turns, counts, done, waiting):
    histogram = turns["turnUs"]
    lowest = 0
    for bound, count in zip(histogram["bounds"] + [None], histogram["buckets"]):
        above = f"{milliseconds(lowest):>8} ..." + (f"{milliseconds(bound):>8}" if bound else "        ")
        print(f"control: {above} {count:8}")
        lowest = bound
    print(f"control: {done['tunes']} tunes, {done['changes']} changes of settings, {done['questions']} questions; octets "
          "read: " + ", ".join(f"{name} {count[0]}" for name, count in counts.items()))
    print("control: of the loop's thread: {:.2f} s run, {:.2f} s waited for a processor".format(*waiting))
    parts = ", ".join(
        f"{share:.3%} within {milliseconds(bound)}" if bound else f"{share:.3%} beyond all bounds"
        for share in (0.5, 0.99, 0.999) for bound in [percentile(histogram, share)])
    print(f"control: {turns['turns']} turns, {parts}")


def measure(work, options):
    for number in range(len(FILMS)):
        send_channel(work, number)
    box = venue.Box(work, output="headless", settings={
        "channels": channels(), "http": {"port": 0, "role": "administrator"}, "screenText": {"enabled": True},
    })
    box.ask("layout", name="full")
    box.ask("region", name="inset", x=6_000, y=6_000, width=3_500, height=3_500)
    port = box.ask("status")["httpPort"]
    box.ask("tune", channel="Channel 0")
    box.await_state("play")
    before = schedule(box.program.pid)
    load = Load(box, port, options)
    counts = load.run()
    waiting = [after - start for after, start in zip(schedule(box.program.pid), before)]
    # What was asked last is in effect, and the box still plays.
    box.ask("config-set", path="channels", value=channels())
    box.ask("stop")
    box.ask("tune", channel="Channel 0")
    box.await_state("play", 30)
    turns = box.stats()["controlLoop"]
    told(turns, counts, load.done, waiting)
    longest = turns["longestTurnUs"]
    passed = longest <= LIMIT_US
    print(f"control: longest turn {milliseconds(longest)} (limit {milliseconds(LIMIT_US)}): {'ok' if passed else 'FAILED'}")
    return 0 if passed else 1


if __name__ == "__main__":
    usage = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    usage.add_argument("--tunes", type=int, default=200)
    usage.add_argument("--changes", type=int, default=1_000)
    usage.add_argument("--seconds", type=int, default=60, help="over which these are spread")
    usage.add_argument("--seed", type=int, default=1)
    venue.main(measure, usage)
