#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows 4: what it costs to play a channel, picture and sound.

CPU time of the box with null outputs, without screen text (osd.py measures that), against `ffmpeg -threads 1 -f null`,
which decodes the same seconds at the same time, and beside them mpv and GStreamer with one decoding thread each. Memory
of the box without its history.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import time

import venue

CPU_LIMIT = 1.10
MEMORY_LIMIT = 100  # MB
HISTORY = 16  # MB; 30 s of the film are a little less
MPV = ["mpv", "--no-config", "--really-quiet", "--vo=null", "--ao=null", "--hwdec=no", "--vd-lavc-threads=1", venue.URL]
GSTREAMER = [
    "gst-launch-1.0", "-q", "udpsrc", f"address={venue.GROUP}", f"port={venue.PORT}", "multicast-iface=lo",
    "caps=application/x-rtp,media=video,clock-rate=90000,encoding-name=MP2T,payload=33", "!", "rtpjitterbuffer", "!",
    "rtpmp2tdepay", "!", "tsdemux", "name=d",
    "d.", "!", "queue", "!", "h264parse", "!", "avdec_h264", "max-threads=1", "!", "fakesink", "sync=true",
    "d.", "!", "queue", "!", "aacparse", "!", "avdec_aac", "!", "fakesink", "sync=true",
]


def make_film(work, seconds=60):
    """720p25 H.264 of High profile with 4 references and B pictures, 3.5 Mbit/s, and AAC."""
    film = os.path.join(work, "player.mkv")
    subprocess.run(
        ["ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc2=size=1280x720:rate=25,noise=alls=6:allf=t",
         "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000,aformat=channel_layouts=stereo", "-t", str(seconds),
         "-c:v", "libx264", "-preset", "veryfast", "-profile:v", "high", "-refs", "4", "-bf", "2", "-g", "25",
         "-keyint_min", "25", "-sc_threshold", "0", "-b:v", "3500k", "-maxrate", "3500k", "-bufsize", "3500k",
         "-pix_fmt", "yuv420p", "-c:a", "aac", "-b:a", "128k", film],
        check=True, stdin=subprocess.DEVNULL, timeout=600)
    return film


def await_decoding(peer, patience=20):
    limit = time.monotonic() + patience
    while "frame=" not in peer.said():
        peer.check()
        if time.monotonic() > limit:
            raise TimeoutError(f"ffmpeg decodes nothing: {peer.said()[-1000:]}")
        time.sleep(0.2)


def cost(programs, seconds):
    """CPU seconds of each over the same time."""
    before = [program.cpu_seconds() for program in programs]
    time.sleep(seconds)
    for program in programs:
        program.check()
    return [program.cpu_seconds() - start for program, start in zip(programs, before)]


def box_round(work, options, cpus, number):
    """CPU seconds of the box and of ffmpeg, and the box's memory in MB without its history."""
    box = venue.Box(work, f"box{number}", cpu=cpus[0], settings={"playback": {"historyLimitMB": HISTORY}})
    peer = venue.Program(
        work, f"ffmpeg{number}", ["ffmpeg", "-nostdin", "-threads", "1", "-i", venue.URL, "-f", "null", "-"], cpus[1])
    box.tune()
    await_decoding(peer)
    time.sleep(2)
    stats = box.stats()
    used = cost((box.program, peer), options.seconds)
    after = box.stats()
    frames = after["playback"]["framesDecoded"] - stats["playback"]["framesDecoded"]
    samples = after["sound"]["framesWritten"] - stats["sound"]["framesWritten"]
    step = after["playback"].get("ladderStep", 0)
    if frames < 24 * options.seconds or samples < 45_000 * options.seconds or step:
        raise RuntimeError(f"the box decoded {frames} pictures and {samples} samples in {options.seconds} s, step {step}")
    history = min(after["reception"]["octets"] / 1e6, HISTORY)
    resident = box.program.status("VmRSS") * 1024 / 1e6
    print(f"player: round {number}: box {used[0]:.3f} s, ffmpeg {used[1]:.3f} s: {used[0] / used[1]:.3f}; {frames} pictures"
          f", {samples} samples; box {resident:.0f} MB with {history:.0f} of history, {len(box.program.threads())} threads"
          f"; ffmpeg {peer.status('VmRSS') * 1024 / 1e6:.0f} MB", flush=True)
    peer.end()
    box.program.end()
    return used[0], used[1], resident - history


def peer_round(work, options, cpus, number):
    """CPU seconds of the peers that are installed, by name."""
    words = {"mpv": MPV, "GStreamer": GSTREAMER}
    there = [name for name, command in words.items() if shutil.which(command[0])]
    programs = [venue.Program(work, f"{name}{number}", words[name], cpu) for name, cpu in zip(there, cpus)]
    time.sleep(6)  # neither says when it plays
    used = dict(zip(there, cost(programs, options.seconds)))
    memory = {name: program.status("VmRSS") * 1024 / 1e6 for name, program in zip(there, programs)}
    for program in programs:
        program.end()
    print(f"player: round {number}: " + ", ".join(
        f"{name} {used[name]:.3f} s, {memory[name]:.0f} MB" for name in there), flush=True)
    return used


def measure(work, options):
    venue.send_film(work, make_film(work))
    cpus = sorted(os.sched_getaffinity(0))
    rounds, peers = [], []
    for number in range(1, options.rounds + 1):
        # Programs swap places each round, so that a busier processor disfavours none.
        places = (cpus[0], cpus[-1]) if number % 2 else (cpus[-1], cpus[0])
        rounds.append(box_round(work, options, places, number))
        if not options.alone:
            peers.append(peer_round(work, options, places, number))
    ratio = statistics.median(box / ffmpeg for box, ffmpeg, _ in rounds)
    memory = statistics.median(resident for _, _, resident in rounds)
    ours, theirs, _ = (statistics.median(column) for column in zip(*rounds))
    table = {"box": ours, "ffmpeg": theirs}
    for name in ("mpv", "GStreamer"):
        found = [used[name] for used in peers if name in used]
        if found:
            table[name] = statistics.median(found)
            # A peer that has decoded next to nothing is no peer.
            if table[name] < theirs / 3:
                raise RuntimeError(f"{name} took {table[name]:.3f} s: it does not play")
        elif not options.alone:
            print(f"SKIP: {name} is not installed")
            if os.environ.get("TOUCHLINE_REQUIRE_PEERS"):
                return 69
    print("player: of a processor: " + ", ".join(f"{name} {used / options.seconds:.1%}" for name, used in table.items()))
    passed = ratio <= CPU_LIMIT and memory <= MEMORY_LIMIT
    print(f"player: median ratio {ratio:.3f} (limit {CPU_LIMIT}), memory beyond the history {memory:.0f} MB (limit "
          f"{MEMORY_LIMIT}): {'ok' if passed else 'FAILED'}")
    return 0 if passed else 1


if __name__ == "__main__":
    usage = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    usage.add_argument("--seconds", type=int, default=20)
    usage.add_argument("--rounds", type=int, default=5)
    usage.add_argument("--alone", action="store_true", help="without mpv and GStreamer")
    venue.main(measure, usage)
