#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the flight recorder costs (G-56): two boxes play one channel, one with the recorder and one without.

CPU time of each over the same seconds, in rounds: the one that records uses at most a hundredth of a processor more and
drops no picture more. What each has written to the disk is told; while nothing happens the recorder may write nothing.
Then an incident is kept, and what it takes of the disk and of a processor is told.
"""

import argparse
import statistics
import time

import venue

LIMIT = 0.01
# Octets a second beyond what a box without a recorder writes: nothing but what the page cache rounds up.
DISK_LIMIT = 1024


def dropped(box):
    stats = box.stats()
    return stats["session"]["droppedPictures"] + stats["playback"]["damagedFrames"]


def written(box):
    """Octets that the box has had written to a disk."""
    with open(f"/proc/{box.program.pid}/io") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("write_bytes:"))


def state(box):
    return box.program.cpu_seconds(), dropped(box), written(box)


def round_of(work, options, number):
    """What the box that records used more than the other: of a processor, in pictures dropped and in octets written."""
    # Which of the two is started first changes from round to round.
    names = ("on", "off") if number % 2 else ("off", "on")
    boxes = {
        name: venue.Box(
            work, f"{name}{number}", "headless", settings={"recorder": {"enabled": name == "on"}})
        for name in names}
    for name in names:
        boxes[name].tune()
    time.sleep(5)
    before = {name: state(box) for name, box in boxes.items()}
    time.sleep(options.seconds)
    used, lost, disk = {}, {}, {}
    for name, box in boxes.items():
        cpu, pictures, octets = (new - old for new, old in zip(state(box), before[name]))
        used[name], lost[name], disk[name] = cpu / options.seconds, pictures, octets / options.seconds
    box = boxes["on"]
    cpu, _, octets = state(box)
    began = time.monotonic()
    incident = box.ask("incident-record")
    seconds = time.monotonic() - began
    cpu, octets = box.program.cpu_seconds() - cpu, written(box) - octets
    print(f"recorder: round {number}: off {used['off']:.2%} of a processor, on {used['on']:.2%}; pictures dropped "
          f"{lost['off']}, {lost['on']}; written {disk['off']:.0f}, {disk['on']:.0f} octets/s; an incident of "
          f"{incident['octets']} octets took {seconds:.2f} s, {cpu:.2f} s of a processor, {octets} octets of the disk",
          flush=True)
    for box in boxes.values():
        box.program.end()
    return used["on"] - used["off"], lost["on"] - lost["off"], disk["on"] - disk["off"]


def measure(work, options):
    venue.send_film(work, venue.make_film(work))
    rounds = [round_of(work, options, number) for number in range(1, options.rounds + 1)]
    more = statistics.median(used for used, _, _ in rounds)
    lost = sum(lost for _, lost, _ in rounds)
    disk = statistics.median(octets for _, _, octets in rounds)
    passed = more <= LIMIT and lost <= 0 and disk <= DISK_LIMIT
    print(f"recorder: median cost {more:+.2%} of a processor (limit {LIMIT:.0%}), {lost:+} pictures dropped, "
          f"{disk:+.0f} octets/s written while nothing happens (limit {DISK_LIMIT}): {'ok' if passed else 'FAILED'}")
    return 0 if passed else 1


if __name__ == "__main__":
    usage = argparse.ArgumentParser(description=__doc__)
    usage.add_argument("--seconds", type=int, default=30)
    usage.add_argument("--rounds", type=int, default=4)
    venue.main(measure, usage)
