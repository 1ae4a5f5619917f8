#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How far the wall clock of DVB-CSS that a client gives out is from its server's: ours, and BBC's pydvbcss with itself.

Client and server are on this machine, over the loopback, and both read CLOCK_MONOTONIC, so that the true difference is
zero. In turns, some rounds each, every round with a new client; pydvbcss's has the settings of its own tools. Told are
the errors that somebody sees who looks at the clock again and again, and how long the clients took to have one.

pydvbcss is in the folder that TOUCHLINE_PYDVBCSS names, else where board/pydvbcss says.
"""

import argparse
import os
import socket
import statistics
import subprocess
import sys
import time

import venue

LIMITS = {"median": 0.35, "p99": 0.5}
LIMIT_LOCK = 1.0
LEAST_SAMPLES = 1_000
NANOSECONDS = 1_000_000_000
# Debian's, which has the libraries that pydvbcss takes.
PYTHON = "/usr/bin/python3"


def pydvbcss():
    """The folder; None if it is not to be had."""
    given = os.environ.get("TOUCHLINE_PYDVBCSS")
    if given:
        return given
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "pydvbcss")
    if not os.path.exists(script):
        return None
    found = subprocess.run([script], stdout=subprocess.PIPE, text=True, timeout=600)
    return found.stdout.strip() if found.returncode == 0 else None


# MARK: pydvbcss, each a process of its own


def serve():
    from dvbcss.clock import SysClock
    from dvbcss.protocol.server.wc import WallClockServer

    port = free_port()
    WallClockServer(SysClock(tickRate=NANOSECONDS), bindaddr="127.0.0.1", bindport=port).start()
    print(port, flush=True)
    while True:
        time.sleep(3600)


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
        made.bind(("127.0.0.1", 0))
        return made.getsockname()[1]


def follow(port, count, milliseconds):
    from dvbcss.clock import CorrelatedClock, SysClock
    from dvbcss.protocol.client.wc import WallClockClient
    from dvbcss.protocol.client.wc.algorithm import LowestDispersionCandidate

    wall = CorrelatedClock(SysClock(tickRate=NANOSECONDS), NANOSECONDS)
    algorithm = LowestDispersionCandidate(wall, repeatSecs=1, timeoutSecs=0.2)
    start = time.monotonic_ns()
    WallClockClient(("0.0.0.0", 0), ("127.0.0.1", port), wall, algorithm).start()
    # Until then the dispersion is infinite.
    while not wall.dispersionAtTime(wall.ticks) < 10:
        time.sleep(0.001)
    print((time.monotonic_ns() - start) // 1_000)
    for _ in range(count):
        now = time.monotonic_ns()
        print(int(wall.fromParentTicks(now) - now))
        time.sleep(milliseconds / 1_000)
    sys.stdout.flush()
    os._exit(0)


# MARK: rounds


def lines_of(program, patience):
    """What the program says by its end."""
    limit = time.monotonic() + patience
    while program.process.poll() is None:
        if time.monotonic() > limit:
            raise TimeoutError(f"no samples: {program.said()[-1000:]}")
        time.sleep(0.1)
    if program.process.returncode:
        raise RuntimeError(f"no samples: {program.said()[-1000:]}")
    return [int(line) for line in program.said().split()]


def ours(work, number, options):
    program = venue.Program(
        work, f"ours{number}",
        [os.path.join(venue.binaries(), "bench"), "wall-clock-samples", str(options.samples), str(options.interval)])
    return lines_of(program, 30 + options.samples * options.interval / 500)


def theirs(work, number, options):
    script = [PYTHON, os.path.abspath(__file__)]
    environment = {"PYTHONPATH": os.environ["TOUCHLINE_PYDVBCSS"]}
    server = venue.Program(work, f"server{number}", [*script, "--serve"], environment=environment)
    limit = time.monotonic() + 20
    while not server.said().strip().isdigit():
        server.check()
        if time.monotonic() > limit:
            raise TimeoutError(f"pydvbcss serves nothing: {server.said()[-1000:]}")
        time.sleep(0.05)
    client = venue.Program(
        work, f"client{number}",
        [*script, "--follow", server.said().strip(), "--samples", str(options.samples), "--interval",
         str(options.interval)], environment=environment)
    lines = lines_of(client, 60 + options.samples * options.interval / 500)
    server.end()
    return lines


def figures(errors):
    magnitudes = sorted(abs(error) for error in errors)
    return {"median": statistics.median(magnitudes), "p99": magnitudes[int(0.99 * (len(magnitudes) - 1))],
            "most": magnitudes[-1]}


def told(name, errors):
    values = figures(errors)
    print(f"wallclock: {name}: |error| " + ", ".join(f"{kind} {value / 1_000:.1f} us" for kind, value in values.items())
          + f"; mean {statistics.fmean(errors) / 1_000:+.1f} us; {len(errors)} samples", flush=True)
    return values


def measure(work, options):
    parties = {"ours": ours}
    if os.environ.get("TOUCHLINE_PYDVBCSS"):
        parties["pydvbcss"] = theirs
    elif os.environ.get("TOUCHLINE_REQUIRE_PEERS"):
        raise RuntimeError("pydvbcss is not to be had")
    else:
        print("SKIP: pydvbcss is not to be had")
    errors = {name: [] for name in parties}
    locks = {name: [] for name in parties}
    for number in range(1, options.rounds + 1):
        for name, run in parties.items():
            lock, *samples = run(work, number, options)
            locks[name].append(lock / 1e6)
            errors[name] += samples
            told(f"round {number}: {name}, after {lock / 1e6:.3f} s", samples)
    if min(map(len, errors.values())) < LEAST_SAMPLES:
        raise RuntimeError(f"only { {name: len(values) for name, values in errors.items()} } samples")
    results = {name: told(name, values) for name, values in errors.items()}
    passed = max(locks["ours"]) <= LIMIT_LOCK
    print(f"wallclock: locked after at most {max(locks['ours']):.3f} s (limit {LIMIT_LOCK:g} s)"
          + (f", pydvbcss {max(locks['pydvbcss']):.3f} s" if "pydvbcss" in locks else ""))
    for kind, limit in LIMITS.items() if "pydvbcss" in results else ():
        ratio = results["ours"][kind] / results["pydvbcss"][kind]
        passed = passed and ratio <= limit
        print(f"wallclock: {kind}: {ratio:.3f} of pydvbcss's (limit {limit:g})")
    print(f"wallclock: {'ok' if passed else 'FAILED'}")
    return 0 if passed else 1


if __name__ == "__main__":
    usage = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    usage.add_argument("--samples", type=int, default=750, help="of each round")
    usage.add_argument("--interval", type=int, default=10, help="milliseconds between samples")
    usage.add_argument("--rounds", type=int, default=3)
    usage.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    usage.add_argument("--follow", type=int, help=argparse.SUPPRESS)
    arguments = usage.parse_args()
    if arguments.serve:
        serve()
    elif arguments.follow is not None:
        follow(arguments.follow, arguments.samples, arguments.interval)
    elif "TOUCHLINE_BENCH_LOOPBACK" not in os.environ:
        # Fetching it needs a network, which what follows has not.
        folder = pydvbcss()
        if folder:
            os.environ["TOUCHLINE_PYDVBCSS"] = folder
    venue.main(measure, usage)
