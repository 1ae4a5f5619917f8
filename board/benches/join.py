#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows 4: from the join to the first undamaged picture, against ffplay and mpv at the same phases of the 1 s GOP.

How each first picture is read:
  box     its video.channelState event "play", which it sends when the stage has presented the first picture; the time
          is that of its arrival here. The box runs idle before, headless, without screen text, and is told by its control
          socket.
  mpv     the event playback-restart of its own control socket, which comes with the first picture. It runs idle before
          too; --profile=low-latency, --vo=null, without sound.
  ffplay  the first SDL_RenderPresent with a picture, by an interposed library. It has no idle state, so its start is
          in its time "told" and not in its time "joined"; nobuffer, low_delay, the shortest probe with which it shows
          anything (50 kB, 100 ms), without sound.
"Told" counts from the command (or the program's start), "joined" from the moment when the kernel lists the player's
first membership of the group, which leaves a program's start out; each is told so much earlier than the phase as it
took to join the last time. The limit holds for the box's "told", the longer of its two.
"""

import argparse
import os
import random
import re
import statistics
import time

import venue

SLACK = 0.100
FFPLAY = ["ffplay", "-hide_banner", "-loglevel", "error", "-nostats", "-an", "-fflags", "nobuffer", "-flags", "low_delay",
          "-probesize", "50000", "-analyzeduration", "100000", "-framedrop", venue.URL]
MPV = ["mpv", "--no-config", "--idle", "--profile=low-latency", "--vo=null", "--no-audio", "--msg-level=all=warn"]


def await_member(before, patience):
    """When one more socket than `before` is a member of the group; polled each millisecond."""
    limit = time.monotonic() + patience
    while venue.members() <= before:
        if time.monotonic() > limit:
            raise TimeoutError("the player does not join")
        time.sleep(0.001)
    return time.monotonic()


def await_leave(wanted, patience=5):
    limit = time.monotonic() + patience
    while venue.members() > wanted:
        if time.monotonic() > limit:
            raise TimeoutError("the player does not leave")
        time.sleep(0.02)


class BoxPlayer:
    name = "box"
    lead = 0.0

    def __init__(self, work):
        # What is kept of a stopped channel goes with its history: each join is one.
        self.box = venue.Box(work, output="headless", settings={"playback": {"historyMs": 1000}})

    def play(self, members):
        told = time.monotonic()
        self.box.send("tune", channel=venue.CHANNEL)
        joined = self.box.answer()[1]  # it answers when it has joined
        return told, joined, self.box.await_state("play")

    def stop(self):
        self.box.ask("stop")
        self.box.await_state("close")


class MpvPlayer:
    name = "mpv"
    lead = 0.0

    def __init__(self, work):
        path = os.path.join(work, "mpv.sock")
        venue.Program(work, "mpv", [*MPV, f"--input-ipc-server={path}"])
        self.lines = venue.Lines(path)

    def play(self, members):
        told = time.monotonic()
        self.lines.send({"command": ["loadfile", venue.URL]})
        joined = await_member(members, 5)
        return told, joined, self.lines.receive(lambda line: line.get("event") == "playback-restart", 15)[1]

    def stop(self):
        self.lines.send({"command": ["stop"]})
        self.lines.receive(lambda line: line.get("event") == "idle", 5)


class FfplayPlayer:
    name = "ffplay"
    lead = 0.15  # how long it takes to start; known better after the first time

    def __init__(self, work):
        self.work = work
        self.library = venue.preloaded(work, "first_picture.c")

    def play(self, members):
        told = time.monotonic()
        self.program = venue.Program(
            self.work, "ffplay", FFPLAY,
            environment={"LD_PRELOAD": self.library, "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"})
        joined = await_member(members, 5)
        limit = time.monotonic() + 15
        while not (found := re.search(r"first picture at ([0-9.]+)", self.program.said())):
            self.program.check()
            if time.monotonic() > limit:
                raise TimeoutError(f"ffplay shows nothing: {self.program.said()[-1000:]}")
            time.sleep(0.05)
        return told, joined, float(found[1])

    def stop(self):
        self.program.end(2)


def one_join(player, listener, phase):
    """Waits for the phase of the GOP, plays, and gives (told, joined, limit for told, phase) in seconds."""
    members = venue.members()
    point = listener.await_point(time.monotonic())
    time.sleep(max(0, point + phase + (1 if phase < player.lead else 0) - player.lead - time.monotonic()))
    told, joined, shown = player.play(members)
    player.lead = joined - told
    # A point of which the first packet came before the membership was there is not one that could be heard.
    awaited = listener.await_point(joined)
    player.stop()
    await_leave(members)
    return shown - told, shown - joined, awaited - told + SLACK, shown - awaited


def spread(values):
    ordered = sorted(values)
    return (f"min {ordered[0] * 1000:6.0f}  median {statistics.median(ordered) * 1000:6.0f}  "
            f"95 % {ordered[int(len(ordered) * 0.95) - 1] * 1000:6.0f}  max {ordered[-1] * 1000:6.0f} ms")


def measure(work, options):
    venue.send_film(work, venue.make_film(work, b_frames=options.b_frames))
    listener = venue.Listener()
    try:
        listener.await_point(time.monotonic())
        players = [BoxPlayer(work)] + ([] if options.alone else [MpvPlayer(work), FfplayPlayer(work)])
        dice = random.Random(options.seed)
        phases = [dice.random() for _ in range(options.joins)]
        results = {player.name: [] for player in players}
        for number, phase in enumerate(phases):
            for player in players:
                results[player.name].append(one_join(player, listener, phase))
            if options.verbose:
                print(f"  {number} phase {phase:.3f}", *(
                    f"{name} told {rows[-1][0] * 1000:.0f} joined {rows[-1][1] * 1000:.0f} after point {rows[-1][3] * 1000:.0f}"
                    for name, rows in results.items()), sep="  ", flush=True)
        points = listener.points
    finally:
        listener.stop()
    gaps = [later - earlier for earlier, later in zip(points, points[1:])]
    print(f"join: {options.joins} joins at the phases of seed {options.seed}; random-access points each "
          f"{statistics.median(gaps):.3f} s ({min(gaps):.3f}...{max(gaps):.3f})")
    print(__doc__.split("\n\n", 1)[1].strip("\n"))
    for name, rows in results.items():
        print(f"  {name:7} told   {spread([row[0] for row in rows])}")
        print(f"  {'':7} joined {spread([row[1] for row in rows])}")
        print(f"  {'':7} behind the first packet of the next random-access point {spread([row[3] for row in rows])}")
    late = [row for row in results["box"] if row[0] > row[2]]
    medians = {name: statistics.median(row[1] for row in rows) for name, rows in results.items()}
    ours = statistics.median(row[0] for row in results["box"])
    lowest = all(ours < median for name, median in medians.items() if name != "box")
    for name in medians:
        if name != "box":
            print(f"join: median of the box (told) to that of {name} (joined): {ours / medians[name]:.2f} (limit below 1)")
    print(f"join: {len(late)} of {options.joins} joins later than the next random-access point + {SLACK * 1000:.0f} ms "
          f"(limit 0), lowest median {'box' if lowest else 'not the box'}: {'ok' if lowest and not late else 'FAILED'}")
    return 0 if lowest and not late else 1


if __name__ == "__main__":
    usage = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    usage.add_argument("--joins", type=int, default=40)
    usage.add_argument("--seed", type=int, default=1)
    usage.add_argument("--b-frames", type=int, default=0)
    usage.add_argument("--alone", action="store_true", help="without the peers")
    usage.add_argument("--verbose", action="store_true")
    venue.main(measure, usage)
