# SPDX-License-Identifier: Apache-2.0
"""Many pictures, channel changes and cycles of the connector: what the service holds of the machine does not grow."""

import json
import os
import re
import statistics
import subprocess
import time

from disk import Disk
from emulator import Failure
from trial import PATIENCE, Trial

CARD, OTHER_COLOUR = 320, (16, 48, 208)  # width of one channel's pictures, the other's colour
PROCESSORS = 2  # that an emulated board has
SAME = ("descriptors", "threads", "framebuffers", "mapped")
# KiB of private and of shared memory that may come between the first third of the samples and the last. The service
# keeps its last 4096 events of 350 octets, which 220 changes make: 0.9 MiB come with 133 of them. A buffer of the screen
# has 230.
GROWTH = {"rss": 2048, "shared": 2048}


class Endurance(Trial):
    SIZE = (320, 180)

    def endure(self):
        frames, changes, cycles = self.options.endure
        disk = Disk(self.options.disk)
        settings = json.loads(disk.read("settings/config.json"))
        settings["playback"]["playoutDelayMs"] = 200
        settings["output"].update(width=self.SIZE[0], height=self.SIZE[1])
        settings["channels"] = [
            {"name": "Other", "address": "239.10.0.2", "port": 5006, "encapsulation": "raw", "playoutDelayMs": 200}
        ]
        disk.write("settings/config.json", json.dumps(settings).encode())
        with open(os.path.join(os.path.dirname(__file__), "endurance.sh"), encoding="utf-8") as file:
            script = f"set -- {frames} {changes} {cycles} {max(1, PATIENCE // 420):.0f}\n{file.read()}"
        sender = self.send_other()
        try:
            board = self.start(self.running(script), self.SIZE)
            try:
                self.follow(board)
            finally:
                board.cut()
        finally:
            sender.kill()
            sender.wait()

    def send_other(self):
        """Pictures and sound of other codecs, size and rate than the head-end's: MPEG-2, MPEG-1 layer 2."""
        colour = "0x{:02x}{:02x}{:02x}".format(*OTHER_COLOUR)
        with open(os.path.join(self.options.keep, "other.log"), "wb") as log:
            return subprocess.Popen(
                ["ffmpeg", "-nostdin", "-nostats", "-loglevel", "warning", "-re", "-f", "lavfi", "-i", f"color={colour}:size=352x288:rate=50",
                 "-re", "-f", "lavfi", "-i", "sine=500:sample_rate=48000", "-c:v", "mpeg2video", "-b:v", "1000k",
                 "-g", "12", "-c:a", "mp2", "-b:a", "128k", "-f", "mpegts",
                 f"udp://239.10.0.2:5006?localaddr={self.options.address}&pkt_size=1316&ttl=1"],
                stdout=log, stderr=log,
            )  # fmt: skip

    def shows(self, name):
        """Whether a screen has this channel's picture."""

        def test(screen):
            if name == "Card":
                return screen.counter(CARD) is not None
            found = screen.mean(screen.width // 2, screen.height // 2)
            return all(abs(value - wanted) < 24 for value, wanted in zip(found, OTHER_COLOUR))

        return test

    def follow(self, board):
        """Looks at the television at each change, and collects the samples."""
        samples, times, next_line, name, wanted = [], {"tune": [], "on": []}, 0, "Card", None
        silence = told = board.elapsed
        while True:
            board.check_alive("the trial")
            with board.lock:
                fresh = board.lines[next_line:]
            next_line += len(fresh)
            for when, text in fresh:
                if "kernel-command-line.service: Failed" in text:
                    raise Failure("the trial's script has ended")
                found = re.search(r"trial: (\w+):? ?(.*)", text)
                if not found:
                    continue
                silence, (event, rest) = when, found.groups()
                if event == "error":
                    self.fail(rest)
                elif event in ("tune", "on"):
                    if wanted and event == "tune":  # the connector may have gone before anybody looked
                        self.fail(f"{wanted[0]}: {name} was not seen")
                    name = rest.split()[1] if event == "tune" else name
                    wanted = (event, when)
                elif event == "sample":
                    samples.append({key: int(value) for key, value in re.findall(r"(\w+)=(\d+)", rest)})
                    if board.elapsed - told > 60 or len(samples) == 1:
                        told = board.elapsed
                        self.say(" ".join(f"{key} {value}" for key, value in samples[-1].items()), told)
                elif event == "threads":
                    self.say(f"threads {rest}", board.elapsed)
                elif event == "end":
                    self.say(f"{rest}", board.elapsed)
                    self.judge(samples, times)
                    return
            time.sleep(0.2)
            if wanted and self.shows(name)(board.screen()):
                times[wanted[0]].append(board.elapsed - wanted[1])
                wanted = None
            if board.elapsed - silence > 3 * PATIENCE:
                raise Failure("nothing more is heard of the trial")

    def judge(self, samples, times):
        for event, what in (("tune", "channel changes seen"), ("on", "pictures after the connector came back")):
            if times[event]:
                self.say(
                    f"{what}: {len(times[event])}, half within {statistics.median(times[event]):.1f} s, all",
                    max(times[event]),
                )
        # Of like with like: samples of one channel, decoded in as many threads. The warm-up, until each thread has had its
        # share of the allocator and each channel its history, takes about forty changes.
        for turn, name in enumerate(("Card", "Other")):
            series = [sample for sample in samples if sample["change"] % 2 == turn]
            series = series[max(20, len(series) // 10) :]
            if len(series) < 2:
                self.say("too few changes to judge by")
                continue
            if series[0]["process"] != series[-1]["process"]:
                self.fail("the service was started again")
            decoding = statistics.mode(sample["decoding"] for sample in series)
            if any(sample["decoding"] not in (0, PROCESSORS) for sample in series):
                self.fail(f"{name}: a decoder has other threads than one for each processor")
            series = [sample for sample in series if sample["decoding"] == decoding]
            third = max(1, len(series) // 3)
            self.say(f"{name}: {len(series)} samples, {third} at either end")
            for key in SAME:  # but for a moment, as a client's connection is there
                before, after = (statistics.mode(s[key] for s in part) for part in (series[:third], series[-third:]))
                self.say(f"  {key} {before}, {after}")
                if before < after:
                    self.fail(f"{name}: {key} was {before} and is {after}")
            for key, limit in GROWTH.items():
                before, after = (statistics.median(s[key] for s in part) for part in (series[:third], series[-third:]))
                self.say(f"  {key} {before:.0f}, {after:.0f}, grown {after - before:.0f} KiB")
                if after - before > limit:
                    self.fail(f"{name}: {key} grew by {after - before:.0f} KiB, more than {limit}")
