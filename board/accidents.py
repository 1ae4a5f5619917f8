# SPDX-License-Identifier: Apache-2.0
"""A service that hangs, is killed, or ends at each start: what the television shows meanwhile."""

from emulator import Failure
from trial import PATIENCE, Trial

# Until the channel has been on the screen for a while, since the service was started.
PLAYING = """
until touchline stats 2>&- | grep -q "picturesPresented.*[0-9][0-9]"; do echo trial: waits; sleep 2; done
sleep 15
"""
KILL = """
echo trial: kill
systemctl kill -s KILL touchline
"""
STOP = """
echo trial: stop
systemctl kill -s STOP touchline
"""
# Its starts end at once, whoever starts it. The retries come sooner than a box's, twice in vain.
CRASH = """
mkdir -p /run/systemd/system/touchline.service.d /run/systemd/system/touchline-retry.timer.d
printf '[Timer]\\nOnActiveSec=\\nOnActiveSec=40\\n' >/run/systemd/system/touchline-retry.timer.d/soon.conf
printf '[Service]\\nExecStart=\\nExecStart=/bin/false\\n' >/run/systemd/system/touchline.service.d/crash.conf
systemctl daemon-reload
echo trial: kill
systemctl kill -s KILL touchline
for turn in 1 2; do
    until systemctl -q is-active touchline-slate; do sleep 1; done
    echo trial: slate $turn
    while systemctl -q is-active touchline-slate; do sleep 1; done
    echo trial: retry $turn
done
until systemctl -q is-active touchline-slate; do sleep 1; done
rm /run/systemd/system/touchline.service.d/crash.conf
systemctl daemon-reload
echo trial: cause gone
"""


class Accidents(Trial):
    KILLS = 3

    def watchdog(self):
        """The service is stopped as a hang would stop it."""
        board = self.start(self.running(PLAYING + STOP))
        try:
            self.to_picture(board)
            stopped, _ = board.wait("trial: stop", PATIENCE, "the stop")
            since = len(board.lines)
            self.watch(board, PATIENCE, lambda what: what == "channel" and board.seen("service: started box=", since))
            timeout, _ = board.wait("Watchdog timeout", 1, "the watchdog", since)
            self.say("the watchdog's time, after", timeout - stopped)
            self.say("the channel again, after that and", board.elapsed - timeout)
        finally:
            board.cut()

    def kill(self):
        """kill -9 while it plays, again and again."""
        board = self.start(self.running((PLAYING + KILL) * self.KILLS))
        try:
            self.to_picture(board)
            for _ in range(self.KILLS):
                since = len(board.lines)
                self.watch(
                    board, PATIENCE, lambda what: what == "channel" and board.seen("service: started box=", since)
                )
                killed, _ = board.wait("trial: kill", 1, "the kill", since)
                self.say("the channel again, after a kill -9 and", board.elapsed - killed)
        finally:
            board.cut()

    def crash_loop(self):
        """Each start ends at once: a slate stays, and nothing starts the machine again; it goes when the cause has."""
        board = self.start(self.running(PLAYING + CRASH))
        try:
            self.to_picture(board)
            killed, _ = board.wait("trial: kill", PATIENCE, "the kill")
            for turn in (1, 2):
                self.watch(board, PATIENCE, lambda what: what == "slate" and board.seen(f"trial: slate {turn}"))
                self.say(f"a slate in place of the television, try {turn}, after", board.elapsed - killed)
                self.watch(board, PATIENCE, lambda what: board.seen(f"trial: retry {turn}"))
            self.watch(board, PATIENCE, lambda what: board.seen("trial: cause gone"))
            gone = board.elapsed
            self.watch(board, PATIENCE, lambda what: what == "channel")
            self.say("the channel again, after the cause has gone and", board.elapsed - gone)
            if len([text for _, text in board.lines if "touchline: root and data" in text]) != 1:
                raise Failure("the machine was started again")
        finally:
            board.cut()
