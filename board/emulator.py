#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An emulated board: starts it, looks at its television, hears its sound, speaks over its line, cuts its power."""

import json
import math
import os
import re
import socket
import struct
import subprocess
import threading
import time


class Failure(Exception):
    """What a board did not do."""


class Screen:
    """What the television shows, as the emulator dumps it (PPM)."""

    BLOCKS, STRIP_ROWS, CONTRAST = 34, 16, 100

    def __init__(self, data):
        header = re.match(rb"P6\s+(\d+)\s+(\d+)\s+255\s", data)
        if not header:
            raise Failure("the screen dump is no picture")
        self.width, self.height = int(header[1]), int(header[2])
        self.pixels = data[header.end() :]

    def level(self, x, y):
        """0...255 of green, nothing outside."""
        if not (0 <= x < self.width and 0 <= y < self.height):
            return 0
        return self.pixels[(y * self.width + x) * 3 + 1]

    @property
    def is_dark(self):
        """Nearly all of it: a few words on black are no picture either."""
        sample = self.pixels[:: 3 * 31 + 1]  # of each colour in turn
        return sum(level > 40 for level in sample) * 50 < len(sample)

    def mean(self, x, y, size=8):
        """The colour of a square, red, green and blue, 0...255."""
        rows = [self.pixels[((y + row) * self.width + x) * 3 :][: size * 3] for row in range(size)]
        return tuple(sum(sum(row[part::3]) for row in rows) // (size * size) for part in range(3))

    def counter(self, coded_width):
        """The test card's frame number (FrameCounterCode), nil where there is none; the picture fills the width."""
        scale, block = self.width / coded_width, coded_width // self.BLOCKS

        def mean(place, strip):
            x, y = place * block + block // 2, strip * self.STRIP_ROWS + self.STRIP_ROWS // 2
            points = [(x + dx, y + dy) for dx in (-1, 1) for dy in (-1, 1)]
            return sum(self.level(int(px * scale), int(py * scale)) for px, py in points) / 4

        number = 0
        for place in range(self.BLOCKS):
            contrast = mean(place, 0) - mean(place, 1)
            if abs(contrast) < self.CONTRAST or (place == 0) != (contrast > 0) and place in (0, self.BLOCKS - 1):
                return None
            if 1 <= place <= 32:
                number = number << 1 | (contrast > 0)
        return number


SOUND_HEADER = 44  # octets of the emulator's WAV files, which say nothing of the length if the emulator was killed
SOUND_RATE = 48_000  # and each second has two channels of 16 bits


def sound_seconds(octets):
    """How long the sound of a file of this size is."""
    return (octets - SOUND_HEADER) / (SOUND_RATE * 4)


def beeps(path, hertz=1000, window=0.02):
    """Seconds at which a tone of this frequency begins in a WAV file of the emulator's."""
    with open(path, "rb") as sound:
        header, data = sound.read(SOUND_HEADER), sound.read()
    if not data:
        return []
    channels, rate, _, _, bits = struct.unpack_from("<HIIHH", header, 22)
    if (channels, rate, bits) != (2, SOUND_RATE, 16):
        raise Failure(f"the sound has {channels} channels of {bits} bits at {rate} Hz")
    samples = struct.unpack(f"<{len(data) // 4 * 2}h", data[: len(data) // 4 * 4])[::channels]
    size, found, before = int(rate * window), [], False
    turn = 2 * math.cos(2 * math.pi * hertz / rate)
    for start in range(0, len(samples) - size, size):
        piece = samples[start : start + size]
        energy = sum(value * value for value in piece)
        one = two = 0.0
        if energy > size * 2500:
            for value in piece:  # Goertzel
                one, two = value + turn * one - two, one
        power = one * one + two * two - turn * one * two
        is_tone = energy > 0 and power > 0.5 * energy * size / 2
        if is_tone and not before:
            found.append(start / rate)
        before = is_tone
    return found


class Emulator:
    """A running board. Its serial line and its log are kept in a directory."""

    MACHINES = {
        "amd64": ["qemu-system-x86_64", "-M", "q35", "-cpu", "max"],
        "arm64": ["qemu-system-aarch64", "-M", "virt,gic-version=3", "-cpu", "cortex-a57"],
    }
    CONSOLES = {"amd64": "ttyS0", "arm64": "ttyAMA0"}

    def __init__(
        self, architecture, image, disk, arguments, directory, tap=None, size=(1280, 720), clock=None, devices=()
    ):
        self.directory, self.lines, self.text, self.handed = directory, [], "", 0.0
        self.lock = threading.Lock()
        paths = {name: os.path.join(directory, name) for name in ("qmp", "serial", "serial.log", "sound.wav")}
        if os.path.exists(paths["serial.log"]):  # of the boot before, which may be the one that failed
            earlier = len([name for name in os.listdir(directory) if re.fullmatch(r"serial\.\d+\.log", name)])
            os.replace(paths["serial.log"], os.path.join(directory, f"serial.{earlier + 1}.log"))
        for path in paths.values():
            if os.path.exists(path):
                os.remove(path)
        self.sound = paths["sound.wav"]
        command = self.MACHINES[architecture] + [
            "-smp", "2", "-m", "1024", "-accel", "tcg,thread=multi", "-nodefaults", "-no-reboot", "-display", "none",
            "-kernel", f"{image}/vmlinuz", "-initrd", f"{image}/initrd.img",
            "-append", f"console={self.CONSOLES[architecture]} {arguments}",
            "-drive", f"file={disk},format=raw,if=none,id=disk", "-device", "virtio-blk-pci,drive=disk",
            "-chardev", f"socket,id=line,path={paths['serial']},server=on,wait=off,logfile={paths['serial.log']}",
            "-serial", "chardev:line", "-qmp", f"unix:{paths['qmp']},server=on,wait=off",
            "-device", f"virtio-gpu-pci,xres={size[0]},yres={size[1]}", "-device", "virtio-rng-pci",
            # One network of two: addresses from the emulator, group traffic from this machine.
            "-netdev", "user,id=user", "-netdev", "hubport,id=p0,hubid=0,netdev=user",
            "-netdev", "hubport,id=p1,hubid=0", "-device", "virtio-net-pci,netdev=p1,romfile=",
            "-audiodev", f"wav,id=sound,path={self.sound},out.frequency={SOUND_RATE}", "-device", "intel-hda",
            "-device", "hda-output,audiodev=sound",
        ]  # fmt: skip
        if tap:
            command += ["-netdev", f"tap,id=tap,ifname={tap},script=no,downscript=no"]
            command += ["-netdev", "hubport,id=p2,hubid=0,netdev=tap"]
        command += devices
        if clock:
            command += ["-rtc", f"base={clock}T00:00:00"]
        self.began = time.monotonic()
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        self.monitor = self._connect(paths["qmp"]).makefile("rw")
        self.monitor.readline()
        self.ask("qmp_capabilities")
        self.line = self._connect(paths["serial"])
        threading.Thread(target=self._listen, daemon=True).start()

    def _connect(self, path):
        for _ in range(100):
            try:
                connected = socket.socket(socket.AF_UNIX)
                connected.connect(path)
                return connected
            except OSError:
                if self.process.poll() is not None:
                    raise Failure("the emulator does not start") from None
                time.sleep(0.1)
        raise Failure(f"no connection to {path}")

    @property
    def elapsed(self):
        return time.monotonic() - self.began

    def ask(self, command, **arguments):
        """A command to the emulator and its answer."""
        self.monitor.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
        self.monitor.flush()
        while True:
            text = self.monitor.readline()
            if not text:
                raise self._ended(command)
            answer = json.loads(text)
            if "error" in answer:
                raise Failure(f"{command}: {answer['error']['desc']}")
            if "return" in answer:
                return answer["return"]

    # The serial line

    def _listen(self):
        rest = ""
        while True:
            try:
                data = self.line.recv(65536)
            except OSError:
                return
            if not data:
                return
            rest += re.sub(r"\x1b\[[0-9;:?!]*[a-zA-Z]", "", data.decode("utf-8", "replace")).replace("\r", "")
            *whole, rest = rest.split("\n")
            with self.lock:
                self.lines += [(self.elapsed, text) for text in whole]
                self.text = rest

    def type(self, text):
        self.line.sendall(text.encode() + b"\r")

    def seen(self, pattern, since=0):
        """When a line came that matches, and the match; None when none has."""
        with self.lock:
            for when, text in self.lines[since:]:
                if match := re.search(pattern, text):
                    return when, match
        return None

    def wait(self, pattern, seconds, what, since=0):
        """Waits for a line of the serial line."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if found := self.seen(pattern, since):
                return found
            self.check_alive(what)
            time.sleep(0.2)
        raise Failure(f"{what}: not within {seconds:.0f} s")

    def check_alive(self, what):
        if self.process.poll() is not None:
            raise self._ended(what)

    def _ended(self, what):
        """With what the serial line said last."""
        with self.lock:
            last = [text for _, text in self.lines[-8:]] + [self.text]
        ended = f"{what}: the emulator has ended with status {self.process.poll()}, after:"
        return Failure("\n  ".join([ended, *last]))

    # The television

    def screen(self, name="screen.ppm"):
        path = os.path.join(self.directory, name)
        self.ask("screendump", filename=path, **({"format": "png"} if name.endswith(".png") else {}))
        if name.endswith(".png"):
            return None
        with open(path, "rb") as file:
            return Screen(file.read())

    def watch(self, seconds, kind, until=lambda found: False):
        """Looks as often as it can, until something is seen.
        Returns (when it began, what) for each thing that was seen, one after the other."""
        end, seen = time.monotonic() + seconds, []
        while time.monotonic() < end:
            self.check_alive("the television")
            when, what = self.elapsed, kind(self.screen())
            if not seen or seen[-1][1] != what:
                seen.append((when, what))
            if until(what):
                break
            time.sleep(0.05)
        return seen

    def wait_for_counter(self, width, seconds, beyond=-1):
        """Waits for a picture with a frame number above another."""
        end, last = time.monotonic() + seconds, None
        while time.monotonic() < end:
            self.check_alive("a picture")
            last = self.screen().counter(width)
            if last is not None and last > beyond:
                return self.elapsed, last
            time.sleep(0.3)
        raise Failure(f"no picture with a frame number above {beyond} within {seconds:.0f} s, the last {last}")

    # The end

    def power_down(self, seconds):
        """The power button, once somebody heeds it; the time until the board is off."""
        self.wait("Watching system buttons", seconds, "who heeds the power button")
        began = time.monotonic()
        self.ask("system_powerdown")
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise Failure(f"not off within {seconds:.0f} s of the power button") from None
        return time.monotonic() - began

    def cut(self):
        """The plug is pulled."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.line.close()
