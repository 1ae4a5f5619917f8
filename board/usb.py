# SPDX-License-Identifier: Apache-2.0
"""USB sticks with and without a signed order: the order changes a setting as any other, all else changes nothing and is
told in one line of the journal. An incident is written to a stick."""

import json
import os
import random
import subprocess
import tempfile

from trial import PATIENCE, Trial

NAME, LIMIT = "touchline-order.json", 400 << 10
BOX, CHANGED = "Emulated board", "Named by a stick"

# The key is that of Tests/Interop/VenueKey.swift. The box signs the order itself, by the client that it has; the line is
# said several times because the kernel may write into the middle of one.
SCRIPT = """
say() { echo "trial: $*"; }
# Says each time that a stick has gone, and that nothing is busy with it any more.
watch() {
    was=gone
    while :; do
        is=gone
        for disk in /sys/class/block/sd*; do [ ! -e "$disk" ] || is=there; done
        [ $was$is != theregone ] || [ -z "$(systemctl list-units --plain --no-legend 'touchline-usb@*')" ] || is=there
        [ $was$is != theregone ] || say gone
        was=$is
        sleep 1
    done
}
watch &
cat >/run/venue.pem <<END
-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH
-----END PRIVATE KEY-----
END
until touchline status >/dev/null 2>&1; do sleep 1; done
touchline config merge '{"push":{"keys":[{"id":"venue","targets":["all"],
    "publicKey":"MCowBQYDK2VwAyEA6kpsY+KcUgq+9VB7Ey7F+ZVHdq6+vnuSQh7qaRRG0iw="}]}}' >/dev/null || say refused keys
order=$(touchline config sign --key /run/venue.pem --key-id venue --all --revision 1 --expires 2099-01-01T00:00:00Z \\
    '{"box":{"name":"CHANGED"}}' | tr -d ' \\n')
for _ in 1 2 3; do say order "$order"; done
until touchline config box.name --json | grep -q 'CHANGED'; do sleep 1; done
say name changed
mounts() { grep -ls /run/touchline-usb/stick /proc/[0-9]*/mountinfo | wc -l; }
copies() { ls /run/touchline-usb/*.json 2>/dev/null | wc -l; }
left=20
while [ "$(mounts) $(copies)" != "0 0" ] && [ $left -gt 0 ]; do left=$((left - 1)); sleep 1; done
say left $(mounts) mounts, $(copies) copies
say end
wait
"""


class Sticks(Trial):
    SIZE = 32  # MiB of each

    def read(self):
        with tempfile.TemporaryDirectory() as directory:
            self.directory, self.count = directory, 0
            self.try_all()

    def try_all(self):
        rubbish = self.image()
        with open(rubbish, "r+b") as file:
            file.write(random.Random(self.options.seed).randbytes(8 << 20))
        self.mark("stick0", rubbish)
        board = self.start(
            self.running(SCRIPT.replace("CHANGED", CHANGED)),
            devices=[
                "-device", "qemu-xhci,id=usb", "-blockdev", f"driver=file,node-name=rubbish,filename={rubbish}",
                "-device", "usb-storage,id=stick0,drive=rubbish,bus=usb.0,removable=on",
            ],
        )  # fmt: skip
        try:
            self.told(board, 0, "rubbish, in place from the start", "no file system that a box reads: none")
            _, said = board.wait(r'trial: order (\{"payload":"[\w+/=]+",[^ ]+\}\]\})$', PATIENCE, "a signed order")
            order = json.dumps(json.loads(said[1]), indent=2).encode()
            self.unplug(board)
            self.plugged(board, "without a file", self.fat(), f"no {NAME}")
            self.plugged(board, "a directory", self.fat(is_directory=True), f"{NAME} is not a regular file")
            self.plugged(board, "too long", self.fat(b" " * LIMIT + b"{}"), f"{NAME} is longer than {LIMIT} octets")
            self.plugged(board, "unsigned", self.fat(b'{"box":{"name":"Unsigned"}}'), r"order refused \(malformed\)")
            changed = json.loads(order)
            first = changed["signatures"][0]
            first["sig"] = ("B" if first["sig"][0] == "A" else "A") + first["sig"][1:]
            stick = self.fat(json.dumps(changed).encode())
            self.plugged(board, "a wrong signature", stick, r"order refused \(wrongSignature\)")
            self.asked(board, BOX)

            since = self.plug(board, self.partitioned(order))
            board.wait(r"order accepted.*revision=1\b", PATIENCE, "the order of the stick", since)
            self.say("the order is taken", board.elapsed)
            board.wait("trial: end", PATIENCE, "the setting that it changes", since)
            self.unplug(board)
            self.plugged(board, "the same order again", self.partitioned(order), r"order refused \(replayed\)")
            self.asked(board, CHANGED)
            self.exported(board)
        finally:
            board.cut()
        found = self.said(board)
        self.hold("the setting is changed", found.get("name") == ["changed"], found.get("name"))
        left = found.get("left")
        self.hold("the stick is let go, and no copy is left", left == ["0 mounts, 0 copies"], left)

    # Sticks

    def image(self):
        self.count += 1
        path = os.path.join(self.directory, f"{self.count}.img")
        with open(path, "wb") as file:
            file.truncate(self.SIZE << 20)
        return path

    def fat(self, order=None, is_directory=False):
        """A stick whose file system is the whole of it."""
        path = self.image()
        self.make("mkfs.vfat", path)
        if is_directory:
            self.make("mmd", "-i", path, f"::{NAME}")
        if order is not None:
            self.put(order, path)
        return path

    def partitioned(self, order):
        """A stick as they are sold: one partition, with FAT."""
        path = self.image()
        subprocess.run(["sfdisk", "--quiet", "--label", "dos", path], input=b"start=2048, type=c\n", check=True)
        self.make("mkfs.vfat", "--offset", "2048", path, str((self.SIZE - 1) << 10))
        self.put(order, f"{path}@@1M")
        return path

    def put(self, octets, image):
        with tempfile.NamedTemporaryFile() as file:
            file.write(octets)
            file.flush()
            self.make("mcopy", "-i", image, file.name, f"::{NAME}")

    @staticmethod
    def make(*command):
        subprocess.run(command, check=True, capture_output=True)

    # The board

    def plug(self, board, path):
        """Puts a stick in, which the box could write to. Returns how many lines were seen before."""
        self.mark(f"stick{self.count}", path)
        node, since = f"image{self.count}", len(board.lines)
        board.ask("blockdev-add", **{"driver": "file", "node-name": node, "filename": path})
        board.ask("device_add", driver="usb-storage", id=self.name, drive=node, bus="usb.0", removable=True)
        return since

    def mark(self, name, path):
        """Remembers what the emulator calls the stick that is in, and what the stick holds."""
        with open(path, "rb") as file:
            self.name, self.path, self.before = name, path, file.read()

    def unplug(self, board):
        """Pulls the stick out; it holds what it held before."""
        since = len(board.lines)
        board.ask("device_del", id=self.name)
        board.wait("trial: gone", PATIENCE, "the end of what is done with a stick", since)
        with open(self.path, "rb") as file:
            if file.read() != self.before:
                self.fail(f"{self.name} was written to")

    def plugged(self, board, what, path, line):
        since = self.plug(board, path)
        self.told(board, since, what, line)
        self.unplug(board)

    def exported(self, board):
        """An incident, recorded and fetched at the serial line, is on a stick as a whole."""
        path = self.fat()
        since = self.plug(board, path)
        self.told(board, since, "a stick to write to", f"no {NAME}")
        since = len(board.lines)
        board.type("incident-record --json")
        _, said = board.wait(r'"id": ?"(\w+-command-[0-9a-f]{4})"', 120, "an incident", since)
        board.type(f"incident-get {said[1]} --usb")
        _, told = board.wait(rf"{said[1]}\.tli is on sd\w+, (\d+) octets", 120, "an incident on the stick", since)
        board.ask("device_del", id=self.name)
        board.wait("trial: gone", PATIENCE, "the end of what is done with a stick", since)
        file = subprocess.run(["mcopy", "-i", path, f"::{said[1]}.tli", "-"], check=True, capture_output=True).stdout
        whole = len(file) == int(told[1]) and file.startswith(b"TLINCID1") and file[-20:-16] == b"END "
        self.hold("an incident is on the stick", whole, f"{len(file)} octets, {told[1]} told")

    def told(self, board, since, what, line):
        began = board.elapsed
        board.wait(rf"touchline-usb\[\d+\]: .*{line}", PATIENCE, f"the journal's line about a stick: {what}", since)
        self.say(f"told: {what}", board.elapsed - began)

    def asked(self, board, name):
        """The box says over its serial line what it is called."""
        since = len(board.lines)
        board.type("terminal length 0")
        board.type("config box.name --json")
        board.wait(rf'"{name}"', 120, f"the name {name}", since)
        self.say(f"the box is called {name}")
