#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A channel of 720p25 is played for hours: what the box holds of the machine stays the same.

The log of events, to which a play adds one a second and which keeps 4,096, is filled before. Anonymous memory, descriptors
and threads are read 720 times, as is the number of pictures shown. The first tenth is left out, in which histories fill. A
line is laid through the means of 24 spans of time; its slope is to be zero within three times its standard error, or too
small to matter: less than `SLACK` in the whole time.
"""

import argparse
import os
import statistics
import time

import venue

SPANS = 24
SAMPLES = 720
# What may come in the whole time without being told from chance: KiB, descriptors, threads.
SLACK = {"anonymous": 256, "descriptors": 0.5, "threads": 0.5}


def sample(box):
    return {
        "anonymous": box.program.status("RssAnon"),
        "descriptors": len(os.listdir(f"/proc/{box.program.pid}/fd")),
        "threads": len(os.listdir(f"/proc/{box.program.pid}/task")),
    }


def slope(times, values):
    """Of the line of least squares, and its standard error."""
    middle, mean = statistics.fmean(times), statistics.fmean(values)
    width = sum((time - middle) ** 2 for time in times)
    found = sum((time - middle) * (value - mean) for time, value in zip(times, values)) / width
    rest = sum((value - mean - found * (time - middle)) ** 2 for time, value in zip(times, values))
    return found, (rest / (len(times) - 2) / width) ** 0.5


def means(samples, name):
    """The means of equal spans of the samples: neighbours are too alike to count as so many."""
    size = len(samples) // SPANS
    spans = [samples[start : start + size] for start in range(len(samples) - size * SPANS, len(samples), size)]
    return [statistics.fmean(at for at, _ in span) for span in spans], [
        statistics.fmean(found[name] for _, found in span) for span in spans
    ]


def fill_events(box):
    while box.ask("events", since=0)["dropped"] == 0:
        for _ in range(200):
            box.ask("pause")
            box.ask("play")
    box.ask("live")
    # Nobody reads it from here on.
    box.events.socket.close()


def measure(work, options):
    venue.send_film(work, venue.make_film(work))
    box = venue.Box(
        work, output="headless", settings={"output": {"kind": "headless", "width": 1280, "height": 720}})
    box.ask("tune", channel=venue.CHANNEL)
    box.await_state("play")
    fill_events(box)
    began, samples, shown = time.monotonic(), [], 0
    while (now := time.monotonic() - began) < options.seconds:
        presented = box.stats()["stage"]["picturesPresented"]
        if presented <= shown:
            raise RuntimeError(f"no picture since the sample before, after {now:.0f} s")
        shown = presented
        samples.append((now, sample(box)))
        time.sleep(options.seconds / SAMPLES)
    samples = [at for at in samples if at[0] > options.seconds / 10]
    failed = False
    for name, slack in SLACK.items():
        found, error = slope(*means(samples, name))
        growth = found * options.seconds
        is_flat = abs(found) <= 3 * error or abs(growth) <= slack
        failed = failed or not is_flat
        print(f"hours: {name}: {samples[0][1][name]} at first, {samples[-1][1][name]} at last; {found * 3600:.2f} "
              f"± {error * 3600:.2f} an hour: {'ok' if is_flat else 'FAILED'}", flush=True)
    print(f"hours: {shown} pictures in {options.seconds} s, {len(samples)} samples")
    return 1 if failed else 0


if __name__ == "__main__":
    usage = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    usage.add_argument("--seconds", type=int, default=7200, help="360 at least")
    venue.main(measure, usage)
