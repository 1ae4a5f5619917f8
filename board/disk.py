# SPDX-License-Identifier: Apache-2.0
"""The data partition of a disk whose board is off: what is in it, put there and checked without mounting it."""

import json
import os
import subprocess
import tempfile

from emulator import Failure


class Disk:
    PARTITION = "touchline-data"

    def __init__(self, path):
        self.path = path
        self.start = self.extent[0]

    @property
    def extent(self):
        """Where the partition starts and how long it is, octets; a board makes it longer."""
        text = subprocess.run(["sfdisk", "--json", self.path], check=True, capture_output=True).stdout
        parts = json.loads(text)["partitiontable"]["partitions"]
        return next((part["start"] * 512, part["size"] * 512) for part in parts if part.get("name") == self.PARTITION)

    def debugfs(self, request, *, writes=False):
        command = ["debugfs", *(["-w"] if writes else []), "-R", request, f"{self.path}?offset={self.start}"]
        return subprocess.run(command, capture_output=True, check=True).stdout

    def wear(self, more):
        """A larger disk than the image was made for, with a file system that says it has had an error."""
        os.truncate(self.path, os.path.getsize(self.path) + more)
        self.debugfs("ssv state 2", writes=True)

    @property
    def condition(self):
        """MiB of the file system, and what it says of itself: clean."""
        command = ["dumpe2fs", "-h", f"{self.path}?offset={self.start}"]
        lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
        told = dict(line.split(":", 1) for line in lines if ":" in line)
        octets = int(told["Block count"]) * int(told["Block size"])
        return octets >> 20, told["Filesystem state"].strip()

    def write(self, name, data):
        """A file with these octets in place of what has the name. Of a board whose power was cut the journal comes first:
        replayed at the next mount it would bring back the length of what was there, and where it lay."""
        self.debugfs("journal_run", writes=True)
        with tempfile.NamedTemporaryFile() as file:
            file.write(data)
            file.flush()
            os.chmod(file.name, 0o644)
            self.debugfs(f"rm {name}", writes=True)
            self.debugfs(f"write {file.name} {name}", writes=True)
        if self.read(name) != data:
            raise Failure(f"{name} was not written")

    def date(self, name, changed):
        """Says of a file, which is made if there is none, that it was changed at this time, seconds. Its owner stays."""
        if self.read(name) is None:
            self.write(name, b"")
        self.debugfs(f"set_inode_field {name} mtime @{changed}", writes=True)

    def read(self, name, path=None):
        """What a file holds, of the disk or of a copy of the partition; None when there is none."""
        with tempfile.TemporaryDirectory() as directory:
            out = os.path.join(directory, "file")
            if path:
                subprocess.run(["debugfs", "-R", f"dump {name} {out}", path], capture_output=True, check=True)
            else:
                self.debugfs(f"dump {name} {out}")
            if not os.path.exists(out):
                return None
            with open(out, "rb") as file:
                return file.read()

    def after_cut(self, *names):
        """What a mount, which replays the journal, will find: what a check of the file system complains of, "" when of
        nothing, and the files' octets."""
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "data")
            subprocess.run(
                ["dd", f"if={self.path}", f"of={path}", "bs=1M", "iflag=skip_bytes,count_bytes", "conv=sparse",
                 f"skip={self.start}", f"count={self.extent[1]}", "status=none"],
                check=True,
            )  # fmt: skip
            subprocess.run(["e2fsck", "-E", "journal_only", "-y", path], capture_output=True, check=False)
            done = subprocess.run(["e2fsck", "-f", "-n", path], capture_output=True, text=True, check=False)
            complaint = "" if done.returncode == 0 else done.stdout + done.stderr
            return complaint, [self.read(name, path) for name in names]
