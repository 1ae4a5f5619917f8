#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows 2: from the command to the first picture on a network that loses packets one by one, without repair.

1080p25 at 20 Mbit/s with a random-access point each second goes through our relay, which drops each datagram with the
same probability. Two of a hundred leave hardly a point whole (230 packets each): decoding begins with the best there is.
The first picture is the box's video.channelState event "play". Without loss the same is measured again, for comparison.
"""

import argparse
import os
import random
import statistics
import subprocess
import time

import venue
from join import BoxPlayer, await_leave

LIMIT = 3.0  # seconds of which one tune in a hundred may take longer
SOURCE = "239.77.1.2"


def make_film(work):
    film = os.path.join(work, "dense.mkv")
    subprocess.run(
        ["ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i",
         "testsrc2=size=1920x1080:rate=25,noise=alls=24:allf=t", "-t", "8", "-c:v", "libx264", "-preset", "ultrafast",
         "-g", "25", "-keyint_min", "25", "-sc_threshold", "0", "-b:v", "20M", "-maxrate", "20M", "-bufsize", "20M",
         "-pix_fmt", "yuv420p", film],
        check=True, stdin=subprocess.DEVNULL, timeout=300)
    return film


def tunes(work, film, share, options):
    """Seconds from each command to the first picture."""
    sender = venue.Program(
        work, f"sender-{share}",
        ["ffmpeg", "-v", "error", "-nostdin", "-re", "-stream_loop", "-1", "-i", film, "-c", "copy", "-f", "rtp_mpegts",
         f"rtp://{SOURCE}:{venue.PORT}?ttl=1&pkt_size=1328&localaddr=127.0.0.1"])
    relay = venue.Program(
        work, f"relay-{share}",
        [os.path.join(venue.binaries(), "touchline-streamer"), "relay", "--from", f"{SOURCE}:{venue.PORT}", "--to",
         f"{venue.GROUP}:{venue.PORT}", "--interface", "lo", "--hops", "1", "--loss", f"{share}%", "--seed",
         str(options.seed)])
    player = BoxPlayer(work)
    dice, times = random.Random(options.seed), []
    try:
        for _ in range(options.tunes):
            time.sleep(dice.random())
            members = venue.members()
            told, _, shown = player.play(members)
            times.append(shown - told)
            player.stop()
            await_leave(members)
    finally:
        player.box.program.end(5)
        relay.end(5)
        sender.end(5)
    return sorted(times)


def measure(work, options):
    film, worst = make_film(work), 0.0
    for share in (0, options.loss):
        times = tunes(work, film, share, options)
        late = times[min(len(times) - 1, int(len(times) * 0.99))]
        worst = max(worst, late)
        print(f"tunes: {share} % lost: first picture of {len(times)} tunes: median {statistics.median(times):.2f} s, "
              f"90 % {times[int(len(times) * 0.9)]:.2f} s, 99 % {late:.2f} s, last {times[-1]:.2f} s", flush=True)
    print(f"tunes: 99 % of {options.tunes} within {worst:.2f} s (limit {LIMIT:.0f} s): {'ok' if worst <= LIMIT else 'FAILED'}")
    return 0 if worst <= LIMIT else 1


if __name__ == "__main__":
    usage = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    usage.add_argument("--tunes", type=int, default=200)
    usage.add_argument("--loss", type=float, default=2)
    usage.add_argument("--seed", type=int, default=1)
    venue.main(measure, usage)
