# SPDX-License-Identifier: Apache-2.0
"""A wall clock that is set while a channel plays: picture and sound stay together."""

import os
import statistics
import time

from accidents import PLAYING
from emulator import Failure, beeps, sound_seconds
from trial import PATIENCE, WIDTH, Trial

RATE = 25  # of the pictures that board/qemu-virt/headend.json sends; a tone begins with each second of them
STEP = 0.8
# How far flash and beep may move against each other (EBU R37 has 40 ms for sound that comes early).
APART = 0.040
SETTLED = 30
SCRIPT = f"""
systemctl stop systemd-timesyncd
echo trial: steady
sleep {SETTLED}
date -s '{STEP} seconds' >/dev/null && echo trial: forward
sleep {SETTLED}
date -s '-{STEP} seconds' >/dev/null && echo trial: back
sleep {SETTLED}
echo trial: over
"""


class ClockSteps(Trial):
    def step(self):
        board = self.start(self.running(PLAYING + SCRIPT))
        try:
            self.to_picture(board)
            board.wait("trial: steady", PATIENCE, "the channel for a while")
            phases, ends = [], ("trial: forward", "trial: back", "trial: over")
            for end in ends:
                phases.append(self.look(board, end))
        finally:
            board.cut()
        tones = beeps(board.sound, window=0.005)
        together = [self.together(phase, tones) for phase in phases]
        for name, (lag, gap, count) in zip(("before", f"{STEP} s forward", f"{STEP} s back"), together):
            self.say(f"{name}: the sound is {gap * 1000:+.0f} ms from the picture, {count} tones; the picture's age", lag)
        for name, (_, gap, _) in zip(("forward", "back"), together[1:]):
            moved = (gap - together[0][1] + 0.5) % 1 - 0.5
            self.say(f"{name}: sound and picture moved {moved * 1000:+.0f} ms against each other")
            if abs(moved) > APART:
                self.fail(f"a step {name} of the wall clock parts picture and sound")

    def look(self, board, until):
        """Each picture's number when it is seen first, and how much sound there is then."""
        end, seen, last = time.monotonic() + PATIENCE, [], None
        while not board.seen(until):
            board.check_alive("the television")
            if time.monotonic() > end:
                raise Failure(f"{until}: not within {PATIENCE:.0f} s")
            number = board.screen().counter(WIDTH)
            if number is None:
                raise Failure(f"something else than the channel is seen, {board.elapsed:.1f} s after power")
            if number != last:
                seen.append((board.elapsed, number, os.path.getsize(board.sound)))
                last = number
            time.sleep(0.01)
        return seen[len(seen) // 3 :]

    @staticmethod
    def together(seen, tones):
        """Medians: the picture's age, how much later than the picture the sound is (-0.5...0.5 s), and the tones."""
        written = statistics.median(when - sound_seconds(size) for when, _, size in seen)
        age = statistics.median(when - number / RATE for when, number, _ in seen)
        heard = [tone + written for tone in tones if seen[0][0] < tone + written < seen[-1][0]]
        if len(heard) < 5:
            raise Failure(f"{len(heard)} tones are heard in {seen[-1][0] - seen[0][0]:.0f} s")
        late = statistics.median((when - age + 0.5) % 1 - 0.5 for when in heard)
        return age, late, len(heard)
