#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows 5 of hardware decoding: what a picture costs the processor from the decoder's memory to the screen, on a plane
and with copies, in the emulated machine of board/guest. The program is Tests/PlaneBenchmarks, in a release build."""

import os
import subprocess
import sys

if os.geteuid() != 0:
    print("planes: a chroot and an emulated machine are needed: run it as root", file=sys.stderr)
    sys.exit(69)
guest = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "guest")
sys.exit(subprocess.run([guest, "amd64", "--program", "bench-planes", "--seconds", "900"], check=False).returncode)
