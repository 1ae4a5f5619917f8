#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Several boxes of one machine that show one channel, each with a delay of its own; with --sync all follow the first.
board/demo --boxes builds the programs and calls it."""

import argparse
import base64
import json
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from spread import RATE, SIZE, Failure, Spread

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DELAYS = (200, 300, 1200, 500, 250, 800, 400, 1000)  # ms, of each box: their repair and their radio differ
NEARBY = 20.0  # ms: half a picture
PATIENCE = 30.0  # seconds, for whatever is waited for


class Box:
    """A running box, asked over its control socket."""

    def __init__(self, venue, number, sync):
        self.number, self.asked, self.pending = number, 0, b""
        self.path = os.path.join(venue.work, f"box{number}.sock")
        settings = {
            "box": {"name": f"Box {number}"},
            "license": venue.headend["license"],
            "network": {"interface": "lo"},
            "announcements": {"groups": [{"address": "239.255.255.255", "port": 9875}]},
            "output": {"kind": "headless", "width": SIZE[0], "height": SIZE[1]},
            "http": {"port": 0},
            "playback": {"playoutDelayMs": DELAYS[(number - 1) % len(DELAYS)]},
            "screenText": {"bannerMs": 0},
        } | ({"sync": sync} if sync else {})
        config = venue.write(f"box{number}.json", settings)
        state = os.path.join(venue.work, f"state{number}")
        venue.start(f"box{number}", "touchlined", "--config", config, "--state", state, "--socket", self.path)
        self.line = venue.await_("its socket", self.connect)
        self.lock = threading.Lock()

    def connect(self):
        line = socket.socket(socket.AF_UNIX)
        line.settimeout(PATIENCE)
        try:
            line.connect(self.path)
            return line
        except OSError:  # it does not listen yet
            line.close()
            return None

    def ask(self, command, **arguments):
        with self.lock:
            self.asked += 1
            request = {"id": self.asked, "command": command, "arguments": arguments}
            self.line.sendall(json.dumps(request).encode() + b"\n")
            while True:
                answer = json.loads(self.answer())
                if answer.get("id") == self.asked:
                    break
        if not answer["status"]["isOk"]:
            raise Failure(f"box {self.number}, {command}: {answer['status'].get('errorString')}")
        return answer["result"]

    def answer(self):
        while b"\n" not in self.pending:
            octets = self.line.recv(1 << 16)
            if not octets:
                raise Failure(f"box {self.number} has ended")
            self.pending += octets
        line, self.pending = self.pending.split(b"\n", 1)
        return line

    @property
    def plays(self):
        status = self.ask("status")
        return status["channel"] == "One" and status["isPlaying"]


class Look:
    """A screenshot, and when what it shows stood on the screen."""

    def __init__(self, box, venue):
        asked = time.monotonic()
        octets = base64.b64decode(box.ask("screenshot")["png"])
        self.took = time.monotonic() - asked
        self.second, self.box, self.counter = asked + self.took / 2, box.number, None
        self.path = os.path.join(venue.work, f"look{len(venue.looks) * len(venue.boxes) + box.number}.png")
        with open(self.path, "wb") as file:
            file.write(octets)


class Venue:
    def __init__(self, options):
        self.options, self.processes, self.boxes = options, [], []
        self.reports, self.looks, self.marks = [], [], []  # of each time: (second, by box), looks, (second, what)
        self.work = tempfile.mkdtemp(prefix="touchline-demo.")
        with open(f"{ROOT}/config/headend/demo.json") as file:
            self.headend = json.load(file)
        self.headend["channels"] = [self.headend["channels"][0] | {
            "width": SIZE[0], "height": SIZE[1], "rate": str(RATE), "gop": RATE, "bitrateKbps": 1500}]  # fmt: skip

    def write(self, name, document):
        path = os.path.join(self.work, name)
        with open(path, "w") as file:
            json.dump(document, file)
        return path

    def start(self, name, program, *arguments):
        with open(os.path.join(self.work, f"{name}.log"), "w") as log:
            command = [os.path.join(self.options.programs, program), *arguments]
            self.processes.append(subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True))  # fmt: skip

    def close(self):
        """Ends what was started, the last first. Ctrl-C does not reach it: it ends here alone."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self.work)

    def say(self, text):
        print(time.strftime("%H:%M:%S"), text, flush=True)

    def mark(self, what):
        self.marks.append((time.monotonic(), what))
        self.say(what)

    def await_(self, what, reached):
        """The first true value of `reached`, which is asked ten times a second."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if value := reached():
                return value
            if any(process.poll() is not None for process in self.processes):
                raise Failure(f"a program ended while {what} was waited for")
            time.sleep(0.1)
        raise Failure(f"no {what} within {PATIENCE:.0f} s")

    # What is done

    def open(self):
        self.say(f"starting the head-end and {self.options.boxes} boxes")
        self.start("streamer", "touchline-streamer", "--config", self.write("headend.json", self.headend))
        serve = {"isEnabled": True, "addresses": ["127.0.0.1"], "port": 0, "wallClockPort": 0}
        for number in range(1, self.options.boxes + 1):
            sync = None
            if self.options.sync:
                sync = {"serve": serve} if number == 1 else {"television": self.served, "leader": "box"}
            self.boxes.append(Box(self, number, sync))
        for box in self.boxes:
            self.await_("channel One", lambda: any(one["name"] == "One" for one in box.ask("channels")["channels"]))
            box.ask("tune", channel="One")
        self.mark("tuned, with delays of " + ", ".join(f"{delay} ms" for delay in DELAYS[: self.options.boxes]))

    @property
    def served(self):
        return self.await_("address of the leading box", lambda: self.boxes[0].ask("sync")["served"])

    @property
    def labels(self):
        roles = [" leads" if self.options.sync and box.number == 1 else "" for box in self.boxes]
        return [f"box {index + 1}{role}, delay {DELAYS[index]} ms" for index, role in enumerate(roles)]

    def play(self):
        """All play, the first rewinds and returns to live, and what each shows is noted all the time."""
        self.await_("picture on each box", lambda: all(box.plays for box in self.boxes))
        third = max(6.0, self.options.seconds / 3)
        self.locked("locked")
        self.watch(third)
        if self.options.sync:
            self.mark("box 1 rewinds by 5 s")
            self.boxes[0].ask("rewind", ms=5000)
            self.locked("locked, 5 s behind live")
            self.watch(third - 2)
            self.mark("box 1 returns to live")
            self.boxes[0].ask("live")
            self.locked("locked, live")
        began = time.monotonic()
        self.watch(third)
        return began

    def locked(self, what):
        """Until each follower has presented within half a picture of the leader for a second and a half. They hear of a
        jump a fifth of a second later at the latest."""
        if not self.options.sync:
            return
        began, since = time.monotonic(), None
        while since is None or time.monotonic() - since < 1.5:
            errors = self.report().values()
            if not all(error is not None and abs(error[0]) <= NEARBY for error in errors):
                since = None
            elif since is None:
                since = time.monotonic()
            if time.monotonic() - began > PATIENCE:
                raise Failure(f"not {what} within {PATIENCE:.0f} s: {self.reports[-1][1]}")
            time.sleep(0.1)
        self.mark(f"{what} after {since - began:.1f} s")

    def watch(self, seconds):
        end, number = time.monotonic() + seconds, 0
        while time.monotonic() < end:
            if self.options.sync:
                self.report()
            if number % 2 == 0:
                self.look()
            number += 1
            time.sleep(0.23)  # no multiple of a picture's time

    def report(self):
        """How late each follower is and how wrong that may be, in ms; None while it does not know it."""
        errors = {}
        for box in self.boxes[1:]:
            report = box.ask("sync")
            known = report["state"] in ("running", "synchronising") and report["errorUs"] is not None
            errors[box.number] = (report["errorUs"] / 1000, report["boundUs"] / 1000) if known else None
        self.reports.append((time.monotonic(), errors))
        return errors

    def look(self):
        """A screenshot of all boxes at once."""
        looks = [None] * len(self.boxes)

        def take(index):
            looks[index] = Look(self.boxes[index], self)

        threads = [threading.Thread(target=take, args=(index,)) for index in range(len(looks))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if None in looks:
            raise Failure("a box gives no screenshot")
        self.looks.append(looks)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", required=True)
    parser.add_argument("--boxes", type=int, choices=range(2, len(DELAYS) + 1), required=True)
    parser.add_argument("--sync", action="store_true")
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--output", required=True)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(143))
    venue = Venue(parser.parse_args())
    try:
        venue.open()
        began = venue.play()
        spread = Spread(venue.looks, venue.reports, venue.work)
        spread.read_counters()
        spread.draw(venue.marks, venue.labels, began, venue.options.output)
        reported, counted = [ms for second, ms in spread.reported if second >= began], spread.counted(began)
        if reported:
            venue.say(f"the boxes' own reports: {statistics.median(reported):.1f} ms between the first and the last, "
                      f"{max(reported):.1f} ms at most")  # fmt: skip
        venue.say(f"their counters: {counted:.1f} ms between the first and the last, of {1000 / RATE:.0f} ms a picture")
        venue.say(f"pictures and plot are in {venue.options.output}")
        if venue.options.sync and counted > 1000 / RATE:
            raise Failure("the boxes do not show the same picture")
    except KeyboardInterrupt:
        sys.exit(130)
    except Failure as failure:
        print(f"venue.py: {failure}", file=sys.stderr)
        for name in sorted(os.listdir(venue.work)):
            if name.endswith(".log"):
                with open(os.path.join(venue.work, name)) as log:
                    sys.stderr.writelines(f"  {name}: {line}" for line in log.readlines()[-12:])
        sys.exit(1)
    finally:
        venue.close()


main()
