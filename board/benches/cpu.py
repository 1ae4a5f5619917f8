#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows 5: CPU time of the playing box, null output, no screen text, against ffmpeg -threads 1 -f null, which decodes the same
seconds."""

import argparse
import os
import statistics
import subprocess
import time

import venue

LIMIT = 1.25


def round_of(work, options, cpus, number):
    """CPU seconds of the box and of ffmpeg over the same seconds of the same stream."""
    box = venue.Box(work, f"box{number}", cpu=cpus[0])
    peer = venue.Program(
        work, f"ffmpeg{number}", ["ffmpeg", "-nostdin", "-threads", "1", "-i", venue.URL, "-f", "null", "-"], cpus[1])
    box.tune()
    limit = time.monotonic() + 20
    while "frame=" not in peer.said():
        peer.check()
        if time.monotonic() > limit:
            raise TimeoutError(f"ffmpeg decodes nothing: {peer.said()[-1000:]}")
        time.sleep(0.2)
    time.sleep(2)
    both = (box.program, peer)
    before, stats = [program.cpu_seconds() for program in both], box.stats()
    time.sleep(options.seconds)
    used = [program.cpu_seconds() - start for program, start in zip(both, before)]
    after = box.stats()
    frames = after["playback"]["framesDecoded"] - stats["playback"]["framesDecoded"]
    samples = after["sound"]["framesWritten"] - stats["sound"]["framesWritten"]
    shown = after["stage"]["picturesPresented"] - stats["stage"]["picturesPresented"]
    if frames < 24 * options.seconds or samples < 45_000 * options.seconds:
        raise RuntimeError(f"the box decoded {frames} pictures and {samples} samples in {options.seconds} s")
    threads = box.program.threads()
    print(f"cpu: round {number}: box {used[0]:.3f} s, ffmpeg {used[1]:.3f} s: {used[0] / used[1]:.2f}; "
          f"{frames} pictures decoded, {shown} presented, {samples} samples; box {box.program.status('VmRSS') // 1024}"
          f" MB RSS, {len(threads)} threads, {len(os.listdir(f'/proc/{box.program.pid}/fd'))} descriptors; "
          f"ffmpeg {peer.status('VmRSS') // 1024} MB, {len(peer.threads())} threads", flush=True)
    if options.profile:
        subprocess.run(
            ["perf", "record", "-q", "-g", "-o", options.profile, "-p", str(box.program.pid), "--", "sleep", "10"],
            timeout=30)
    peer.end()
    box.program.end()
    return used


def measure(work, options):
    venue.send_film(work, venue.make_film(work, b_frames=options.b_frames))
    cpus = sorted(os.sched_getaffinity(0))
    first, second = cpus[0], cpus[-1]
    # The two swap places each round, so that a busier processor disfavours neither.
    rounds = [
        round_of(work, options, (first, second) if number % 2 else (second, first), number)
        for number in range(1, options.rounds + 1)
    ]
    ours, theirs = (statistics.median(used) for used in zip(*rounds))
    ratio = statistics.median(box / peer for box, peer in rounds)
    passed = ratio <= LIMIT
    print(f"cpu: median box {ours / options.seconds:.1%} of a processor, ffmpeg {theirs / options.seconds:.1%}; "
          f"median ratio {ratio:.2f} (limit {LIMIT}): {'ok' if passed else 'FAILED'}")
    return 0 if passed else 1


if __name__ == "__main__":
    usage = argparse.ArgumentParser(description=__doc__)
    usage.add_argument("--seconds", type=int, default=20)
    usage.add_argument("--rounds", type=int, default=5)
    usage.add_argument("--b-frames", type=int, default=0)
    usage.add_argument("--profile", help="writes what perf records of the box to this file")
    venue.main(measure, usage)
