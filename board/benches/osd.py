#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What it costs to have each kind of screen text over a channel, on a stage of 1920 x 1080 in software.

Two boxes play the same seconds of the same channel at the same time, one of them with the text. Printed is by how much
more of a processor it uses, and how many times as much as the one without that is. They change places each round.
"""

import argparse
import os
import statistics
import subprocess
import time

import venue

LIMIT = 0.05
ALARM = "Please leave the hall by the nearest door. Use no lifts."
# How each is switched on and off: a command and its arguments.
ITEMS = {
    "banner": (("osd", {"item": "banner", "state": "on"}), ("osd", {"item": "banner", "state": "off"})),
    "ticker": (("ticker", {"text": "Full time: 2:1. " * 10}), ("ticker-clear", {})),
    "transport": (("osd", {"item": "transport", "state": "on"}), ("osd", {"item": "transport", "state": "off"})),
    "statistics": (("osd", {"item": "stats", "state": "on"}), ("osd", {"item": "stats", "state": "off"})),
    "list": (("list", {"action": "show"}), ("list", {"action": "hide"})),
    "emergency": (("message", {"text": ALARM, "emergency": True}), ("message-clear", {})),
}


def start(work, name, cpu, options):
    others = [{"name": f"Channel {number}", "address": "239.77.8.1", "port": 20_000 + 2 * number}
              for number in range(2, 40)]
    box = venue.Box(
        work, name, cpu=cpu,
        settings={
            "output": {"kind": "headless", "width": options.width, "height": options.height},
            "http": {"isEnabled": False},
            # A short one, and no whole seconds, so that its length stands still in the transport bar.
            "playback": {"historyMs": 3500},
            "screenText": {"bannerMs": 0},
            "channelList": {"closeMs": 600_000},
            "channels": [{"name": venue.CHANNEL, "address": venue.GROUP, "port": venue.PORT}, *others],
        })
    box.tune()
    # Else tuning and the volume that was restored may still show something.
    for item in ("banner", "transport", "stats"):
        box.ask("osd", item=item, state="off")
    return box


def counter(stats, path):
    group, name = path.split(".")
    return stats[group][name]


def measured(boxes, item, options):
    """What a processor gives the box with the text and the one without in each second."""
    switch, back = ITEMS[item]
    typeset = counter(boxes[0].stats(), "screenText.typesettings")
    boxes[0].ask(switch[0], **switch[1])
    time.sleep(options.settle)
    before = [box.stats() for box in boxes]
    used = [box.program.cpu_seconds() for box in boxes]
    time.sleep(options.seconds)
    used = [box.program.cpu_seconds() - start for box, start in zip(boxes, used)]
    after = [box.stats() for box in boxes]
    if options.screenshots:
        subprocess.run(
            [os.path.join(venue.binaries(), "touchline"), "--socket", boxes[0].path, "screenshot", "--output",
             os.path.join(options.screenshots, f"{item}.png")], timeout=10)
    boxes[0].ask(back[0], **back[1])
    time.sleep(options.settle)
    if counter(after[0], "screenText.typesettings") <= typeset:
        raise RuntimeError(f"{item} is not on the screen")
    if any(counter(stats, "stage.drawErrors") or counter(stats, "screenText.drawErrors") for stats in after):
        raise RuntimeError(f"{item} is not drawn: {after[0]['screenText']}")
    if counter(after[1], "screenText.typesettings") != counter(before[1], "screenText.typesettings"):
        raise RuntimeError("the box without text has some")
    shown = [counter(now, "stage.picturesPresented") - counter(then, "stage.picturesPresented")
             for then, now in zip(before, after)]
    if min(shown) < 23 * options.seconds:
        raise RuntimeError(f"{item}: the boxes showed {shown} pictures in {options.seconds} s")
    return [seconds / options.seconds for seconds in used]


def measure(work, options):
    venue.send_film(work, venue.make_film(work))
    cpus = sorted(os.sched_getaffinity(0))
    boxes = [start(work, "one", cpus[0], options), start(work, "two", cpus[-1], options)]
    time.sleep(options.warm_up)
    wanted = options.items or list(ITEMS)
    found = {item: [] for item in wanted}
    for number in range(options.rounds):
        for item in wanted:
            found[item].append(measured(boxes, item, options))
        boxes.reverse()
    failed = []
    for item, rounds in found.items():
        cost = statistics.median(text - bare for text, bare in rounds)
        bare = statistics.median(bare for _, bare in rounds)
        passed = cost <= LIMIT
        print(f"osd: {item}: {cost:.2%} of a processor (limit {LIMIT:.0%}), {1 + cost / bare:.2f} times the {bare:.1%} "
              f"without text: {'ok' if passed else 'FAILED'}", flush=True)
        if not passed:
            failed.append(item)
    print(f"osd: {options.width} x {options.height}, {options.rounds} rounds of {options.seconds} s: "
          + (f"FAILED: {', '.join(failed)}" if failed else "ok"))
    return 1 if failed else 0


if __name__ == "__main__":
    usage = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    usage.add_argument("items", nargs="*", metavar="ITEM", help=f"one of {', '.join(ITEMS)}; none: all of them")
    usage.add_argument("--seconds", type=int, default=8)
    usage.add_argument("--rounds", type=int, default=4)
    usage.add_argument("--settle", type=float, default=1.5)
    usage.add_argument("--warm-up", type=int, default=6)
    usage.add_argument("--width", type=int, default=1920)
    usage.add_argument("--height", type=int, default=1080)
    usage.add_argument("--screenshots", help="writes what the box with each text shows into this directory")
    venue.main(measure, usage)
