#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows 8 of step 9: what it costs to be locked. Three boxes play one channel: one leads, one follows it, one plays alone.

CPU time of each over the same seconds, in rounds; the one that is locked costs at most a hundredth of a processor more
than the one that is alone, and drops no picture more. The leader is told as well.
"""

import argparse
import statistics
import time

import venue

LIMIT = 0.01
# Of the leader's clocks.
SERVE = {"serve": {"isEnabled": True, "addresses": ["127.0.0.1"], "port": 0, "wallClockPort": 0}}


def await_lock(box, patience=30):
    limit = time.monotonic() + patience
    while True:
        report = box.ask("sync")
        if report["state"] == "running" and report["errorUs"] is not None and abs(report["errorUs"]) < 20_000:
            return
        if time.monotonic() > limit:
            raise TimeoutError(f"the box does not lock: {report}")
        time.sleep(0.1)


def dropped(box):
    stats = box.stats()
    return stats["session"]["droppedPictures"] + stats["playback"]["damagedFrames"]


def round_of(work, options, number):
    """CPU seconds of the leader, the one that is locked and the one that is alone, and the pictures each dropped."""
    leader = venue.Box(work, f"leader{number}", settings={"sync": SERVE})
    leader.tune()
    served = leader.ask("sync")["served"]
    # Which of the two is started first changes from round to round.
    names = ("locked", "alone") if number % 2 else ("alone", "locked")
    settings = {"locked": {"sync": {"television": served, "leader": "box"}}, "alone": {}}
    boxes = {name: venue.Box(work, f"{name}{number}", settings=settings[name]) for name in names}
    boxes["leader"] = leader
    for name in names:
        boxes[name].tune()
    await_lock(boxes["locked"])
    time.sleep(5)
    before = {name: (box.program.cpu_seconds(), dropped(box)) for name, box in boxes.items()}
    jumps = boxes["locked"].ask("sync")["jumps"]
    time.sleep(options.seconds)
    used, lost = {}, {}
    for name, box in boxes.items():
        used[name] = (box.program.cpu_seconds() - before[name][0]) / options.seconds
        lost[name] = dropped(box) - before[name][1]
    report = boxes["locked"].ask("sync")
    if report["jumps"] != jumps:
        raise RuntimeError(f"the box jumped while it was locked: {report}")
    print(f"locked: round {number}: alone {used['alone']:.2%} of a processor, locked {used['locked']:.2%}, leader "
          f"{used['leader']:.2%}; pictures dropped {lost['alone']}, {lost['locked']}, {lost['leader']}; locked within "
          f"{report['errorUs']} us, known to {report['boundUs']} us", flush=True)
    for box in boxes.values():
        box.program.end()
    return used, lost


def measure(work, options):
    venue.send_film(work, venue.make_film(work))
    rounds = [round_of(work, options, number) for number in range(1, options.rounds + 1)]
    more = statistics.median(used["locked"] - used["alone"] for used, _ in rounds)
    leads = statistics.median(used["leader"] - used["alone"] for used, _ in rounds)
    lost = sum(lost["locked"] - lost["alone"] for _, lost in rounds)
    passed = more <= LIMIT and lost <= 0
    print(f"locked: median cost {more:+.2%} of a processor, of leading {leads:+.2%} (limit {LIMIT:.0%}), {lost:+} "
          f"pictures dropped: {'ok' if passed else 'FAILED'}")
    return 0 if passed else 1


if __name__ == "__main__":
    usage = argparse.ArgumentParser(description=__doc__)
    usage.add_argument("--seconds", type=int, default=30)
    usage.add_argument("--rounds", type=int, default=4)
    venue.main(measure, usage)
