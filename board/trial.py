# SPDX-License-Identifier: Apache-2.0
"""What the trials of an emulated board share: how one starts, what is printed, what the television may show."""

import os
import re

from disk import Disk
from emulator import Emulator, Failure

WIDTH = 640  # of the pictures that board/qemu-virt/headend.json sends
# An emulator without hardware's help is slow, and slower where others build.
PATIENCE = 420 * float(os.environ.get("TOUCHLINE_PATIENCE", "1"))
# After the first picture the television is never black for longer.
DARKNESS = 1.0


class Trial:
    def __init__(self, options):
        self.options = options
        self.failures = []

    def start(self, more="", size=(1280, 720), clock=None, devices=()):
        """A board whose kernel has come as far as the data partition; `handed` is when. `clock` is what its clock says at
        first (YYYY-MM-DD), instead of the time. `devices` are words for the emulator."""
        shown = "systemd.journald.forward_to_console=1 systemd.journald.max_level_console=info systemd.log_color=0 "
        shown += "systemd.default_timeout_start_sec=400 systemd.default_device_timeout_sec=400"
        # no_timer_check: a timer whose ticks come late, because the emulator waits for a processor, is none to panic for.
        arguments = f"{self.options.arguments} no_timer_check loglevel=5 {shown} {more}".replace("loglevel=4 ", "")
        for is_last in (False, True):
            board = Emulator(
                self.options.architecture, self.options.image, self.options.disk, arguments, self.options.keep,
                self.options.tap, size, clock, devices,
            )  # fmt: skip
            try:
                board.handed, _ = board.wait("touchline: root and data", PATIENCE, "the kernel")
                return board
            except BaseException as why:
                # Its processors write the kernel's code while they run it, and at times the emulator does not follow:
                # the kernel ends itself. Whatever is wrong with the disk is so the second time.
                ended = board.process.poll() is not None
                board.cut()
                if is_last or not ended or not isinstance(why, Failure):
                    raise
                self.say("AGAIN: the emulator ended before the kernel's start was over, after", board.elapsed)
                for _, text in board.lines[-8:]:
                    print(f"  {text}", flush=True)

    def running(self, script):
        """Words for the kernel that have the service manager run a script of shell, beside all else. What it prints
        comes over the serial line; it lies in the disk's data partition, for there is no other way in."""
        Disk(self.options.disk).write("settings/trial.sh", script.encode())
        actions = "systemd.run_success_action=none systemd.run_failure_action=none systemd.wants=multi-user.target"
        return f'systemd.run="/bin/sh /data/settings/trial.sh" {actions}'

    def say(self, what, seconds=None):
        print(f"{what:<58}" + (f" {seconds:7.1f} s" if seconds is not None else ""), flush=True)

    def fail(self, what):
        self.failures.append(what)
        print(f"error: {what}", flush=True)

    @staticmethod
    def said(board):
        """What a script of `running` has said, as lists of texts by the word behind `trial:`."""
        found = {}
        for _, line in board.lines:
            said = re.search(r"trial: (\w+) (.*)", line)
            if said:
                found.setdefault(said[1], []).append(said[2].strip())
        return found

    def hold(self, what, is_so, seen):
        if is_so:
            self.say(what)
        else:
            self.fail(f"{what}: {seen}")

    def to_picture(self, board, beyond=-1):
        """Boot until a picture of the channel; its number."""
        self.say("kernel and initramfs", board.handed)
        starting, _ = board.wait(r"Starting touchline\.service", PATIENCE, "the services before ours")
        self.say("services before the television", starting - board.handed)
        started, _ = board.wait(r"service: started box=", PATIENCE, "the television")
        self.say("the television's own start", started - starting)
        when, number = board.wait_for_counter(WIDTH, PATIENCE, beyond)
        self.say("from its start to the channel's first picture seen", when - started)
        self.say("power to the channel's picture", when)
        return number

    def watch(self, board, seconds, until):
        """What the television shows until a thing is seen, told and held to the rule: never black for long.
        Returns (when, what) of each change."""
        began = board.elapsed
        seen = board.watch(seconds, self.kind, until)
        ends = [when for when, _ in seen[1:]] + [board.elapsed]
        told = [f"{what} {end - when:.1f} s" for (when, what), end in zip(seen, ends)]
        self.say("  seen: " + ", ".join(told))
        longest = max((end - when for (when, what), end in zip(seen, ends) if what == "black"), default=0)
        if longest > DARKNESS:
            self.fail(f"black for {longest:.1f} s, {board.elapsed - began:.1f} s after it was looked at")
        if not until(seen[-1][1]):
            raise Failure(f"not seen within {seconds:.0f} s; the last: {seen[-1][1]}")
        return seen

    @staticmethod
    def kind(screen):
        """One of black, channel (there is a number in it), text (the kernel's console), slate and picture."""
        if screen.is_dark:
            return "black"
        if screen.counter(WIDTH) is not None:
            return "channel"
        corner = screen.mean(2, screen.height - 20)
        for name, colour in (("slate", (16, 32, 56)), ("text", (0, 0, 170))):
            if all(abs(found - wanted) < 6 for found, wanted in zip(corner, colour)):
                return name
        return "picture"
