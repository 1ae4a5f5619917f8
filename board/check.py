#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a board is to show, in an emulator: see board/run --help."""

import argparse
import os
import re
import signal
import sys
import time

from emulator import Emulator, Failure, beeps

WIDTH = 640  # of the pictures that board/qemu-virt/headend.json sends
# An emulator without hardware's help is slow, and slower where others build.
PATIENCE = 420 * float(os.environ.get("TOUCHLINE_PATIENCE", "1"))


class Check:
    def __init__(self, options):
        self.options = options
        self.failures = []

    def start(self, more=""):
        shown = "systemd.journald.forward_to_console=1 systemd.journald.max_level_console=info systemd.log_color=0 "
        shown += "systemd.default_timeout_start_sec=400 systemd.default_device_timeout_sec=400"
        arguments = f"{self.options.arguments} loglevel=5 {shown} {more}".replace("loglevel=4 ", "")
        return Emulator(
            self.options.architecture, self.options.image, self.options.disk, arguments, self.options.keep,
            self.options.tap,
        )  # fmt: skip

    def say(self, what, seconds=None):
        print(f"{what:<58}" + (f" {seconds:7.1f} s" if seconds is not None else ""), flush=True)

    def fail(self, what):
        self.failures.append(what)
        print(f"error: {what}", flush=True)

    def to_picture(self, board, beyond=-1):
        """Boot until a picture of the channel; its number."""
        handed, _ = board.wait("touchline: root and data", PATIENCE, "the kernel")
        self.say("kernel and initramfs", handed)
        starting, _ = board.wait(r"Starting touchline\.service", PATIENCE, "the services before ours")
        self.say("services before the television", starting - handed)
        started, _ = board.wait(r"service: started box=", PATIENCE, "the television")
        self.say("the television's own start", started - starting)
        when, number = board.wait_for_counter(WIDTH, PATIENCE, beyond)
        self.say("from its start to the channel's first picture seen", when - started)
        self.say("power to the channel's picture", when)
        return number

    def play(self):
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

    def serial(self, board):
        """The line answers, and leads to no shell."""
        began, since = board.elapsed, len(board.lines)
        board.type("")
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

    def watchdog(self):
        """The service is stopped as a hang would stop it; the manager's own command line asks for it."""
        stop = "until systemctl -q is-active touchline; do sleep 2; done; sleep 90; systemctl kill -s STOP touchline"
        actions = "systemd.run_success_action=none systemd.run_failure_action=none systemd.wants=multi-user.target"
        board = self.start(f'systemd.run="/bin/sh -c \'{stop}\'" {actions}')
        try:
            self.to_picture(board)
            stopped, _ = board.wait(r"touchline\.service: Watchdog timeout", PATIENCE, "the watchdog")
            number = board.screen().counter(WIDTH)
            self.say(f"the watchdog's time, at number {number}", stopped)
            since = len(board.lines)
            again, _ = board.wait(r"service: started box=", PATIENCE, "the service, again", since)
            self.say("the service again, after", again - stopped)
            when, number = board.wait_for_counter(WIDTH, PATIENCE, number or 0)
            self.say(f"picture {number} again, after", when - stopped)
        finally:
            board.cut()

    def power_cuts(self, count):
        for cut in range(count + 1):
            board = self.start()
            try:
                number = self.to_picture(board)
                if cut < count:
                    self.say(f"cut {cut + 1}: the plug is pulled at number {number}", board.elapsed)
                else:
                    self.say("after the last cut: power button to off", board.power_down(180))
            finally:
                board.cut()

    def run(self):
        tasks = []
        if self.options.check:
            tasks.append(self.play)
        if self.options.watchdog:
            tasks.append(self.watchdog)
        if self.options.power_cuts:
            tasks.append(lambda: self.power_cuts(self.options.power_cuts))
        for task in tasks:
            try:
                task()
            except Failure as failure:
                self.fail(str(failure))
        return 1 if self.failures else 0


def main():
    parser = argparse.ArgumentParser()
    for name in ("architecture", "image", "disk", "tap", "keep", "arguments"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--watchdog", action="store_true")
    parser.add_argument("--power-cuts", type=int, default=0)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sys.exit(Check(parser.parse_args()).run())


main()
