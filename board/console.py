# SPDX-License-Identifier: Apache-2.0
"""A technician's visit over the serial line: logs in, looks at every page, asks what is wrong with a box that is well,
has no link, has no screen, has a full disk, and whose service is dead; restarts it, and the picture comes back."""

import json
import pathlib
import re
import time

from emulator import Failure, beeps
from trial import PATIENCE, Trial

PAGES = (
    "status", "version", "channels", "streams", "repair", "picture", "sound", "sync", "wifi", "interfaces", "reports",
    "config", "log", "storage", "processes",
)

API = pathlib.Path(__file__).parent.parent / "config/openapi.json"


def shown():
    """The commands that change nothing and need no arguments, but for that which prints a picture."""
    paths = json.loads(API.read_text())["paths"]
    for path, operations in sorted(paths.items()):
        look = operations.get("get", {})
        if "post" in operations and not any(each.get("required") for each in look.get("parameters", ())):
            if look and path not in ("/v1/screenshot", "/v1/session"):
                yield path.removeprefix("/v1/")


# Goes on each time that another USB device is there: the line itself leads to no shell.
SCRIPT = """
say() { for _ in 1 2 3; do echo "trial: $*"; done; }
next() {
    say stage $1
    until [ "$(ls -d /sys/bus/usb/devices/[0-9]-[1-9]*:1.0 2>/dev/null | wc -l)" -ge $2 ]; do sleep 1; done
}
until touchline status >/dev/null 2>&1; do sleep 1; done
token=$(touchline token-create tech --role administrator --json | tr -d ' \\n')
say token "$(echo "$token" | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')"
next well 1
link=$(cd /sys/class/net && echo e*)
ip link set "$link" down 2>/dev/null || networkctl down "$link"
next unplugged 2
ip link set "$link" up 2>/dev/null || networkctl up "$link"
screen() {
    for status in /sys/class/drm/card*-*/status; do echo $1 >"$status"; done
    for card in /sys/class/drm/card?; do echo change >"$card/uevent"; done
}
screen off
next dark 3
screen detect
dd if=/dev/zero of=/data/touchline/fill bs=1M 2>/dev/null
next full 4
rm -f /data/touchline/fill
systemctl stop touchline
next dead 5
systemctl start touchline
say end
"""


class Visit(Trial):
    def visit(self):
        board = self.start(self.running(SCRIPT), devices=["-device", "qemu-xhci,id=usb"])
        self.devices = 0
        try:
            _, said = board.wait(r"trial: token (\S+)", PATIENCE, "a token")
            self.token = said[1]
            board.wait("trial: stage well", PATIENCE, "the first stage")
            self.log_in(board)
            self.look(board)
            self.hold_answer(board, "ping 127.0.0.1", r"4 answered", "another machine is asked for an echo")
            board.wait_for_counter(640, PATIENCE)
            self.hold_answer(board, "diagnose", r"No link is broken", "a box that plays is well")
            self.signals(board)
            self.hold_answer(board, "capture-start --seconds 60", r"isRunning +yes", "frames are captured")
            time.sleep(3)
            self.hold_answer(board, "capture-stop", r"frames +[1-9]\d+", "the channel's frames are in the capture")
            self.hold_answer(board, "touchline log --kernel --lines 5000 | include version", r"Linux version",
                             "the kernel's lines are shown")
            self.restart(board)
            self.next(board, "unplugged")
            self.hold_answer(board, "diagnose", r"(?i)link|cable|carrier", "no link: what is wrong is named")
            self.hold_answer(board, "status", r"(?i)playerState|state", "no link: the box answers")
            self.next(board, "dark")
            self.hold_answer(board, "diagnose", r"display +broken", "no screen: it is named")
            self.hold_answer(board, "show picture", r"\S", "no screen: the box answers")
            self.next(board, "full")
            self.hold_answer(board, "show storage", r"(?i)\b0\b|full", "a full disk is shown")
            self.hold_answer(board, "incident-record", r"(?i)no space|not kept|full", "a full disk is told")
            self.hold_answer(board, "diagnose", r"(?i)disk|storage|full|No link", "a full disk: the box answers")
            # Whoever has logged in stays so: the token counts while the service is dead, too.
            self.next(board, "dead")
            self.hold_answer(board, "status", r"no service at", "a dead service: the client says so")
            self.hold_answer(board, "diagnose", r"touchlined is not running", "a dead service is named")
            for page in ("log", "storage", "processes"):
                self.page(board, page)
            self.signal(board)
            board.wait("trial: end", PATIENCE, "the end")
            when, _ = board.wait_for_counter(640, PATIENCE)
            self.say("the picture is back", when)
        finally:
            board.cut()

    def next(self, board, stage):
        since = len(board.lines)
        self.signal(board)
        board.wait(f"trial: stage {stage}", PATIENCE, f"the stage {stage}", since)

    def signal(self, board):
        """The script goes on."""
        self.devices += 1
        board.ask("device_add", driver="usb-mouse", id=f"signal{self.devices}", bus="usb.0")

    def log_in(self, board):
        """A wrong token, then the right one; pages off, so that nothing waits for a key."""
        since = len(board.lines)
        end = time.monotonic() + PATIENCE
        while not board.seen("who has a token|tech, administrator", since):
            board.type("")
            time.sleep(2)
            if "Token: " in board.text or board.seen(r"^Token: ", since):
                break
            if time.monotonic() > end:
                raise Failure(f"no prompt for a token, but {board.text!r}")
        since = len(board.lines)
        board.type("not-a-token")
        board.wait(r"(?i)token", 120, "a wrong token is refused", since)
        if board.seen("tech, administrator", since):
            self.fail("a wrong token was taken")
        board.type(self.token)
        board.wait("tech, administrator", 120, "whoever has a token is let in", since)
        self.say("logged in over the serial line")
        board.type("terminal length 0")
        time.sleep(1)

    def answer(self, board, command, pattern, patience=120):
        """Lines between the command and the next prompt; asked again if the kernel wrote into the middle, or the box has
        not seen yet what has happened."""
        for again in range(5):
            time.sleep(2 * again)
            since = len(board.lines)
            board.type(command)
            end = time.monotonic() + patience
            while time.monotonic() < end:
                time.sleep(0.3)
                with board.lock:
                    lines = [text for _, text in board.lines[since:]]
                if any(re.search(pattern, line) for line in lines[1:]):
                    return lines
                if board.text.endswith("touchline> ") and len(lines) > 1:
                    break
                board.check_alive(command)
        return lines

    def hold_answer(self, board, command, pattern, what):
        lines = self.answer(board, command, pattern)
        self.hold(what, any(re.search(pattern, line) for line in lines[1:]), "\n".join(lines[-12:]))

    def page(self, board, page):
        lines = self.answer(board, f"show {page}", r"\S")
        text = "\n".join(lines)
        bad = re.search(r"(?i)fatal error|unknown command|expected one of|cannot be run|not permitted", text)
        self.hold(f"show {page}: {len(lines) - 1} lines", len(lines) > 1 and not bad, text[-600:])

    def look(self, board):
        for page in PAGES:
            self.page(board, page)
        for command in shown():
            self.page(board, command)
        self.hold_answer(board, "screenshot --as ascii --columns 40", r"^[^a-z>]{40}$", "a screenshot in ASCII")

    def signals(self, board):
        """The test card on the screen of the card, the tone in the sound of the card; then the channel again."""
        board.type("test-card --seconds 300")
        end = time.monotonic() + PATIENCE
        while not self.has_bars(board.screen()):
            if time.monotonic() > end:
                raise Failure("no colour bars on the screen")
            time.sleep(1)
        self.say("the test card is on the screen")
        before = len(beeps(board.sound, hertz=3000))
        board.type("tone --frequency 3000 --level -6 --seconds 5")
        while len(beeps(board.sound, hertz=3000)) == before:
            if time.monotonic() > end:
                raise Failure("no tone in the sound")
            time.sleep(1)
        self.say("the tone is in the sound")
        self.hold_answer(board, "test-card off", r"off", "the test card goes away")
        board.wait_for_counter(640, PATIENCE)

    @staticmethod
    def has_bars(screen):
        """Whether some row has the colours of bars of 75 % from left to right."""
        names = ("rgb", "rg", "gb", "g", "rb", "r", "b")
        bars = [tuple(191 if part in name else 0 for part in "rgb") for name in names]
        for y in range(0, screen.height - 8, 16):
            seen = []
            for x in range(0, screen.width - 8, 8):
                colour = screen.mean(x, y)
                for bar in bars:
                    if max(abs(one - other) for one, other in zip(colour, bar)) < 16 and seen[-1:] != [bar]:
                        seen.append(bar)
            if any(seen[place : place + len(bars)] == bars for place in range(len(seen))):
                return True
        return False

    def restart(self, board):
        began = board.elapsed
        since = len(board.lines)
        board.type("restart")
        board.wait(r"Starting touchline\.service", PATIENCE, "the service starts again", since)
        when, _ = board.wait_for_counter(640, PATIENCE)
        self.say("restarted by the technician: a picture again", when - began)
        self.log_in_again(board)

    def log_in_again(self, board):
        """The token of before opens another session by itself."""
        lines = self.answer(board, "version", r"\d+\.\d+\.\d+")
        if any("not logged in" in line for line in lines) or board.text.endswith("Token: "):
            self.log_in(board)
