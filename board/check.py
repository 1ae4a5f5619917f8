#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a board is to show, in an emulator: see board/run --help."""

import argparse
import os
import signal
import sys
import time

from accidents import Accidents
from clocksteps import ClockSteps
from console import Visit
from disk import Disk
from emulator import Failure, beeps
from endurance import Endurance
from network import NetworkChange
from powercuts import PowerCuts
from pushes import Pushes
from system import System
from trial import WIDTH, Trial
from usb import Sticks
from wifi import WiFi


class Check(Trial):
    MORE = 256  # MiB that the disk has beyond the image

    def play(self):
        disk = Disk(self.options.disk)
        before, _ = disk.condition
        disk.wear(self.MORE << 20)
        board = self.start()
        try:
            number = self.to_picture(board)
            began = board.elapsed
            for _ in range(4):
                _, number = board.wait_for_counter(WIDTH, 60, number)
            self.say(f"four more pictures, the last number {number}", board.elapsed - began)
            board.screen("television.png")
            self.serial(board)
            self.sound_plays(board)
            self.say("power button to off", board.power_down(180))
        finally:
            board.cut()
        self.listen(board)
        size, state = disk.condition
        self.say(f"the data partition: {before} MiB and an error before, {size} MiB and {state} after")
        if size < before + self.MORE - 2 or state != "clean":
            self.fail("the data partition was not mended, or did not grow")

    def serial(self, board):
        """The line answers, and leads to no shell."""
        began, since = board.elapsed, len(board.lines)
        board.type("terminal length 0")
        board.type("status --json")
        board.wait(r'"playerState"', 120, "an answer over the serial line", since)
        self.say("the serial line's answer", board.elapsed - began)
        since = len(board.lines)
        board.type("status; id")
        board.type("$(id)")
        board.type("| id")
        board.type("version")
        board.wait(r"touchline> version|0\.\d+\.\d+", 120, "an answer over the serial line", since)
        if board.seen(r"uid=\d+", since):
            self.fail("the serial line leads to a shell")
        since = len(board.lines)
        board.type("version --json")
        board.wait(r'"build"\s*:\s*"(?!dev")', 120, "the build of the image over the serial line", since)

    def sound_plays(self, board):
        """Until the emulator has played a few seconds."""
        size, began = os.path.getsize(board.sound), board.elapsed
        while os.path.getsize(board.sound) < size + 6 * 48_000 * 4 and board.elapsed - began < 60:
            time.sleep(0.5)
        self.say(f"sound: {(os.path.getsize(board.sound) - size) / 192_000:.1f} s of it", board.elapsed - began)

    def listen(self, board):
        found = beeps(board.sound)
        apart = [after - before for before, after in zip(found, found[1:])]
        near = sum(0.9 < gap < 1.1 for gap in apart)
        self.say(f"the tone: heard {len(found)} times, {near} of {len(apart)} gaps are a second")
        if len(found) < 3:
            self.fail("the tone is not in the sound")


def main():
    parser = argparse.ArgumentParser()
    for name in ("architecture", "image", "disk", "tap", "address", "keep", "arguments"):
        parser.add_argument(f"--{name}", required=True)
    kinds = ("check", "system", "network", "push", "usb", "console", "wifi", "watchdog", "kill", "crash-loop")
    for name in (*kinds, "clock-step"):
        parser.add_argument(f"--{name}", action="store_true")
    parser.add_argument("--power-cuts", type=int, default=0)
    parser.add_argument("--endure", type=int, nargs=3)
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(2), "big"))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    options = parser.parse_args()
    trials = [
        (options.check, Check, "play"),
        (options.system, System, "inspect"),
        (options.network, NetworkChange, "change"),
        (options.push, Pushes, "push"),
        (options.usb, Sticks, "read"),
        (options.console, Visit, "visit"),
        (options.wifi, WiFi, "join"),
        (options.watchdog, Accidents, "watchdog"),
        (options.kill, Accidents, "kill"),
        (options.crash_loop, Accidents, "crash_loop"),
        (options.clock_step, ClockSteps, "step"),
        (options.power_cuts, PowerCuts, "cut"),
        (options.endure, Endurance, "endure"),
    ]
    failed = False
    for _, kind, name in filter(lambda trial: trial[0], trials):
        trial = kind(options)
        try:
            getattr(trial, name)()
        except Failure as failure:
            trial.fail(str(failure))
        failed = failed or bool(trial.failures)
    sys.exit(1 if failed else 0)


main()
