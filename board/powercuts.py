# SPDX-License-Identifier: Apache-2.0
"""The plug is pulled, again and again, on one disk."""

import random
import re
import time

from disk import Disk
from trial import PATIENCE, WIDTH, Trial

SETTINGS, BOX, MACHINE = "settings/config.json", "touchline/box-id", "settings/machine-id"
# What a box makes at its first start, and keeps: once it is there it stays as it is.
IDENTITY = re.compile(rb"[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}\n")


class PowerCuts(Trial):
    """Every third cut falls into the start, while things are written for the first time or the journal is replayed."""

    def cut(self):
        count, chance = self.options.power_cuts, random.Random(self.options.seed)
        disk, kept, longest = Disk(self.options.disk), [None, None], 0.0
        settings = disk.read(SETTINGS)
        self.say(f"{count} cuts, seed {self.options.seed}; settings of {len(settings)} octets")
        for cut in range(1, count + 1):
            board = self.start()
            try:
                if cut % 3 == 1:
                    time.sleep(chance.uniform(0, 15))
                    where = f"{board.elapsed - board.handed:.1f} s after /data was mounted"
                else:
                    when, number = board.wait_for_counter(WIDTH, PATIENCE)
                    longest = max(longest, when)
                    time.sleep(chance.uniform(0, 10))
                    where = f"{board.elapsed - when:.1f} s after the picture, which came after {when:.1f} s"
            finally:
                board.cut()
            self.intact(disk, cut, settings, kept)
            self.say(f"cut {cut}: {where}")
        board = self.start()
        try:
            longest = max(longest, board.wait_for_counter(WIDTH, PATIENCE)[0])
            self.answers(board)
            self.say("after the last cut: power button to off", board.power_down(180))
        finally:
            board.cut()
        self.intact(disk, count + 1, settings, kept)
        self.say(f"{count} cuts: a picture each time, the same box and settings; the longest from power to it", longest)

    def intact(self, disk, cut, settings, kept):
        """The file system as a mount will find it, the settings octet by octet, who the box and the machine are."""
        complaint, (found, *identities) = disk.after_cut(SETTINGS, BOX, MACHINE)
        if complaint:
            self.fail(f"cut {cut}: the file system: {complaint}")
        if found != settings:
            self.fail(f"cut {cut}: the settings are {found!r}")
        for place, (name, value) in enumerate(zip((BOX, MACHINE), identities)):
            lost = kept[place] is not None and value != kept[place]
            if lost or value is not None and not IDENTITY.fullmatch(value):
                self.fail(f"cut {cut}: {name} was {kept[place]!r} and is {value!r}")
            kept[place] = value

    def answers(self, board):
        """The box itself says that these are its settings."""
        since = len(board.lines)
        board.type("terminal length 0")
        board.type("config")
        for value in ("Emulated board", "alsa", "Card"):
            board.wait(value, 120, f"settings with {value}", since)
        self.say("the box's own answer has the settings")
