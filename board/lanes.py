#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that play in real time, several at once: lanes.py --bundle FILE [--times FILE] [--lanes N] [--list] PATTERN

Each lane is a process of the test bundle with a network namespace and a directory for temporary files of its own.
board/lanes.json has the tests that share one lane because they load a processor ("heavy"), those that are spread over
the other lanes ("busy"), those that write and flush so much that others' clocks suffer, and so run beside one another alone
when all lanes have ended ("flushing"), those that count each picture and so run two at a time after them ("quiet"),
those that run by themselves in the end ("alone"), and how many seconds tests take; FILE of --times has the seconds of
the last run here.
Every listed test runs exactly once, or the run fails.
"""
import argparse, glob, json, os, re, shutil, signal, subprocess, sys, tempfile, threading
import xml.etree.ElementTree as ElementTree

usual = 3.0  # seconds of a test that no table has
network = "ip link set lo up && ip route add 224.0.0.0/4 dev lo src 127.0.0.1 && ip -6 route add ff00::/8 dev lo"


def matches(test, patterns):
    return any(re.search(pattern, test) for pattern in patterns)


def spread(tests, count, plan, seconds):
    """A list of tests for each of at most so many lanes. The longest are dealt first."""
    lanes, loads = [[] for _ in range(count)], [0.0] * count

    def add(lane, test):
        lanes[lane].append(test)
        loads[lane] += seconds.get(test, usual)

    for test in tests:
        if matches(test, plan["heavy"]):
            add(0, test)
    rest = sorted((test for test in tests if test not in lanes[0]), key=lambda test: (-seconds.get(test, usual), test))
    busy = [test for test in rest if matches(test, plan["busy"])]
    for test in busy + [test for test in rest if test not in busy]:
        choice = range(1, count) if test in busy and count > 1 else range(count)
        add(min(choice, key=lambda lane: loads[lane]), test)
    return [lane for lane in lanes if lane]


def deal(tests, count, plan, seconds):
    """Rounds, which follow one another, of lanes side by side: most, the flushing, the quiet, then one for each alone."""
    rest = list(tests)

    def take(name):
        taken = [test for test in rest if matches(test, plan[name])]
        rest[:] = [test for test in rest if test not in taken]
        return taken

    alone, quiet, flushing = take("alone"), take("quiet"), take("flushing")
    rounds = [spread(rest, count, plan, seconds), spread(flushing, count, plan, seconds),
              spread(quiet, min(2, count), plan, seconds)]
    return [lanes for lanes in rounds if lanes] + [[[test]] for test in alone]


def measured(report):
    """Seconds of each test in the bundle's report; None for a skipped one."""
    found = {}
    for case in ElementTree.parse(report).iter("testcase"):
        found[f'{case.get("classname")}.{case.get("name")}'] = case.get("time")
    return found


def plain(test):
    """A test's name as the report has it: with points only."""
    head, bracket, labels = test.partition("(")
    return head.replace("/", ".") + bracket + labels


def end_session(session):
    """Ends what a crashed bundle has left behind: each of its children has a process group of its own."""
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path) as file:
                after_name = file.read().rpartition(")")[2].split()  # state, parent, process group, session
            if int(after_name[3]) == session:
                os.kill(int(path.split("/")[2]), signal.SIGKILL)
        except OSError:
            pass


class Lane:
    printing = threading.Lock()

    def __init__(self, bundle, tests, report):
        self.tests = tests
        self.report = report
        # Short, for sockets have their path there; for everybody, since some peers do not run as root.
        self.directory = tempfile.mkdtemp(prefix="lane", dir="/tmp")
        os.chmod(self.directory, 0o1777)
        command = ["unshare", "--net", "sh", "-c", network + ' && exec "$@"', "lane", bundle]
        command += ["--testing-library", "swift-testing", "--xunit-output", self.report]
        for test in tests:
            command += ["--filter", f"^{re.escape(test)}(/|$)"]
        environment = {name: value for name, value in os.environ.items() if name != "TERM"}  # else it prints colours
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, env=environment | {"TMPDIR": self.directory},
                                        start_new_session=True)
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            with Lane.printing:
                sys.stdout.buffer.write(line)
                sys.stdout.buffer.flush()

    def finish(self):
        """Waits for the end. Returns whether all went well, and what the bundle reported."""
        status = self.process.wait()
        if status < 0:
            end_session(self.process.pid)
        self.reader.join(5)  # no longer: what has left the session may hold the pipe
        shutil.rmtree(self.directory, ignore_errors=True)
        try:
            report = measured(self.report)
        except (OSError, ElementTree.ParseError):
            report = {}
        missing = [test for test in self.tests if plain(test) not in report]
        for test in missing:
            print(f"error: {test} has not run")
        if status:
            print(f"the lane of {self.tests[0]} ended with status {status}")
        return status == 0 and not missing and len(report) == len(self.tests), report


def play(bundle, lanes, reports):
    """Runs the lanes side by side; `reports` is a directory. Returns what `finish` of each does."""
    started = [Lane(bundle, lane, f"{reports}/{number}.xml") for number, lane in enumerate(lanes)]

    def end(number, frame):
        for lane in started:
            lane.process.terminate()
        sys.exit(128 + number)

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    return [lane.finish() for lane in started]


def read_table(path):
    try:
        with open(path) as file:
            return json.load(file)
    except (OSError, ValueError):
        return {}


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--bundle", required=True)
    options.add_argument("--times")
    options.add_argument("--lanes", type=int, default=2 * (os.cpu_count() or 1))
    options.add_argument("--list", action="store_true", help="shows the lanes and runs nothing")
    options.add_argument("pattern")
    chosen = options.parse_args()
    listed = subprocess.run([chosen.bundle, "--testing-library", "swift-testing", "--list-tests"], check=True,
                            capture_output=True, text=True).stdout.splitlines()
    tests = [test for test in listed if re.search(chosen.pattern, test)]
    if not tests:
        sys.exit(f"no test matches {chosen.pattern}")
    plan = read_table(os.path.join(os.path.dirname(os.path.abspath(__file__)), "lanes.json"))
    kept = read_table(chosen.times) if chosen.times else {}
    seconds = plan["seconds"] | kept
    rounds = deal(tests, max(1, min(chosen.lanes, len(tests))), plan, seconds)
    for number, lanes in enumerate(rounds):
        for lane in lanes:
            expected = sum(seconds.get(test, usual) for test in lane)
            print(f"round {number + 1}: {len(lane)} tests, {expected:.0f} s expected", flush=True)
            if chosen.list:
                print("".join(f"    {seconds.get(test, usual):6.1f} {test}\n" for test in lane), end="")
    if chosen.list:
        return
    ended = []
    with tempfile.TemporaryDirectory() as reports:
        for number, lanes in enumerate(rounds):
            os.mkdir(f"{reports}/{number}")
            ended += play(chosen.bundle, lanes, f"{reports}/{number}")
    report = {}
    for _, part in ended:
        report |= part
    if chosen.times:
        known = {test: round(float(report[plain(test)]), 1) for test in tests if report.get(plain(test))}
        with open(chosen.times + ".new", "w") as file:
            json.dump(kept | known, file, indent=1, sort_keys=True)
        os.replace(chosen.times + ".new", chosen.times)
    print(f"{len(report)} of {len(tests)} listed tests were run")
    if len(report) != len(tests) or not all(good for good, _ in ended):
        sys.exit(1)


if __name__ == "__main__":
    main()
