#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows 3 of the screen text: what it costs to have a banner and a transport bar over a channel, 720p in software.

Two boxes play the same seconds of the same channel at the same time, one without screen text. Nothing moves but the
picture: what is written was typeset before. Printed is the difference, of a processor.
"""

import argparse
import os
import statistics
import subprocess
import time

import venue

LIMIT = 0.05


def start(work, name, cpu, text):
    box = venue.Box(
        work, name, cpu=cpu,
        settings={
            "output": {"kind": "headless", "width": 1280, "height": 720},
            "http": {"isEnabled": False},
            # A short one, and no whole seconds, so that its length stands still in the transport bar.
            "playback": {"historyMs": 3500},
            "screenText": {"enabled": text, "bannerMs": 0},
        })
    if text:
        for item in ("banner", "transport"):
            box.ask("osd", item=item, state="on")
    box.tune()
    return box


def grown(before, after, group, name):
    return after[group][name] - before[group][name]


def round_of(work, options, cpus, number):
    """CPU seconds of the box with text and of the one without."""
    boxes = [start(work, f"text{number}", cpus[0], True), start(work, f"bare{number}", cpus[1], False)]
    time.sleep(options.warm_up)
    before = [box.stats() for box in boxes]
    used = [box.program.cpu_seconds() for box in boxes]
    time.sleep(options.seconds)
    used = [box.program.cpu_seconds() - start for box, start in zip(boxes, used)]
    after = [box.stats() for box in boxes]
    shown = [grown(*both, "stage", "presentations") for both in zip(before, after)]
    typeset = [grown(*both, "screenText", "typesettings") for both in zip(before, after)]
    cost = (used[0] - used[1]) / options.seconds
    print(f"osd: round {number}: with text {used[0]:.3f} s, without {used[1]:.3f} s: {cost:.2%} of a processor; "
          f"{shown[0]} and {shown[1]} pictures, {typeset[0]} typeset again", flush=True)
    if min(shown) < 24 * options.seconds:
        raise RuntimeError(f"the boxes showed {shown} pictures in {options.seconds} s")
    if after[0]["screenText"]["typesettings"] < 2 or after[1]["screenText"]["typesettings"]:
        raise RuntimeError(f"typeset: {[stats['screenText'] for stats in after]}")
    # The clock's minute; the length of the history, where a packet more or less makes it another second.
    if typeset[0] > 2 + options.seconds // 10 or any(stats["stage"]["drawErrors"] for stats in after):
        raise RuntimeError("something else moves than the picture")
    if options.profile:
        subprocess.run(
            ["perf", "record", "-q", "-g", "-o", options.profile, "-p", str(boxes[0].program.pid), "--", "sleep", "10"],
            timeout=30)
    if options.screenshot:
        subprocess.run(
            [os.path.join(venue.binaries(), "touchline"), "--socket", boxes[0].path, "screenshot", "--output",
             options.screenshot], timeout=10)
    for box in boxes:
        box.program.end()
    return cost


def measure(work, options):
    venue.send_film(work, venue.make_film(work))
    cpus = sorted(os.sched_getaffinity(0))
    first, second = cpus[0], cpus[-1]
    # The two swap places each round, so that a busier processor disfavours neither.
    costs = [
        round_of(work, options, (first, second) if number % 2 else (second, first), number)
        for number in range(1, options.rounds + 1)
    ]
    cost = statistics.median(costs)
    passed = cost <= LIMIT
    print(f"osd: median {cost:.2%} of a processor (limit {LIMIT:.0%}): {'ok' if passed else 'FAILED'}")
    return 0 if passed else 1


if __name__ == "__main__":
    usage = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    usage.add_argument("--seconds", type=int, default=20)
    usage.add_argument("--rounds", type=int, default=6)
    usage.add_argument("--warm-up", type=int, default=6)
    usage.add_argument("--profile", help="writes what perf records of the box with text to this file")
    usage.add_argument("--screenshot", help="writes what the box with text shows to this file")
    venue.main(measure, usage)
