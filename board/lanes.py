#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the tests of a bundle in several processes at once: lanes.py --bundle FILE [options] PATTERN

A *job* is what one process of the bundle runs: as many suites as take some seconds, or of those that are played with
peers one test, or several short ones of a suite. A *lane* takes the longest job that is left whenever it is free and the
processors have room for it: the load of a job is the share of a processor that it had when it ran last. Each job has a
network namespace, for which anybody but root needs one of users, too, and a directory for temporary files; where no
namespace can be made, tests with peers follow one another. Within a process its tests follow one another: one that waits
holds up its own lane only.

board/lanes.json says which tests are played with peers ("peers") and, of these, which follow when the others have ended:
those that load a processor at times ("heavy"), then those that write and flush so much that others' clocks suffer
("flushing"), those that count each picture and so want more room ("quiet"), and those that run by themselves ("alone").
board/seconds.json has how long tests take, and for how many of these seconds a processor works; FILE of --times has those
of the last run here, and which of our programs each test with peers has started. --spare leaves out those that start just
these, which a change has not touched.
Every listed test runs exactly once, or the run fails.
"""
import argparse, glob, json, math, os, re, shlex, shutil, signal, statistics, subprocess, sys, tempfile, threading, time
import xml.etree.ElementTree as ElementTree

beside_us = os.path.dirname(os.path.abspath(__file__))
network = "ip link set lo up && ip route add 224.0.0.0/4 dev lo src 127.0.0.1 && ip -6 route add ff00::/8 dev lo"
# What is started there is the same user as here, with the same rights.
as_root = ["unshare", "--net", "sh", "-c", f'{network} && exec "$@"', "lane"]
as_user = ["unshare", "--user", "--map-current-user", "--keep-caps", "--net", "sh", "-c",
           f'{network} && exec setpriv --ambient-caps=-all --inh-caps=-all -- "$@"', "lane"]
usual, usual_with_peers, usual_load = 0.1, 3.0, 0.3  # seconds of a test that no table has, and its load
short = 6.0  # seconds of tests with peers that share a process
long_test = 5.0  # seconds; a test that takes longer is named in the end


def matches(test, patterns):
    return any(re.search(pattern, test) for pattern in patterns)


def suite(test):
    """`Module.Outer/Inner/name()` -> `Module.Outer/Inner/`; a test without a suite is one by itself."""
    outer, slash, _ = test.partition("(")[0].rpartition("/")
    return outer + slash or test


def batches(tests, seconds, longest):
    """Jobs of whole suites of one target, each some seconds long. A suite that is longer is taken apart."""
    jobs, open_jobs = [], {}
    for name, members in by_suite(tests).items():
        target, length = name.partition(".")[0], sum(seconds.get(test, usual) for test in members)
        if length > longest:
            jobs += in_pieces(members, seconds, longest)
            continue
        tests_so_far, length_so_far = open_jobs.get(target, ([], 0.0))
        if tests_so_far and length_so_far + length > longest:
            jobs.append(tests_so_far)
            tests_so_far, length_so_far = [], 0.0
        open_jobs[target] = (tests_so_far + members, length_so_far + length)
    return jobs + [members for members, _ in open_jobs.values() if members]


def in_pieces(tests, seconds, longest):
    """Jobs of a suite's tests."""
    jobs, length = [[]], 0.0
    for test in sorted(tests, key=lambda test: -seconds.get(test, usual)):
        if jobs[-1] and length + seconds.get(test, usual) > longest:
            jobs.append([])
            length = 0.0
        jobs[-1].append(test)
        length += seconds.get(test, usual)
    return jobs


class Round:
    """Jobs that run side by side, before those of the next round: so many at once, and as long as their loads have room."""

    def __init__(self, name, jobs, most, room):
        self.name, self.jobs, self.most, self.room = name, jobs, most, room


def by_suite(tests):
    suites = {}
    for test in tests:
        suites.setdefault(suite(test), []).append(test)
    return suites


def rounds_of(tests, processors, plan, seconds, lanes=0, lanes_with_peers=0):
    """`lanes` of each, and of those with peers, or without these numbers what so many processors can do."""
    rest, rounds = list(tests), []

    def take(name):
        nonlocal rest
        taken = [test for test in rest if matches(test, plan.get(name, []))]
        rest = [test for test in rest if test not in taken]
        return taken

    def add(name, members, most, room):
        if members:
            most = lanes_with_peers or lanes or max(1, most)
            jobs = [job for suite in by_suite(members).values() for job in in_pieces(suite, seconds, short)]
            rounds.append(Round(name, jobs, most, room))

    played = take("peers")
    # These wait more than they compute, and disturb nobody but one another.
    if rest:
        most = lanes or 4 * processors
        length = sum(seconds.get(test, usual) for test in rest) / most
        rounds.append(Round("without peers", batches(rest, seconds, max(3.0, length / 8)), most, math.inf))
    rest = played
    alone, quiet, flushing, heavy = take("alone"), take("quiet"), take("flushing"), take("heavy")
    add("most", rest, 5 * processors, processors)
    add("heavy", heavy, processors, 0.65 * processors)
    add("flushing", flushing, 2 * processors, 0.65 * processors)
    add("quiet", quiet, 2 * processors, 0.7 * processors)
    add("alone", alone, 1, math.inf)
    return rounds


class Queue:
    """The jobs of a round, the longest first."""

    def __init__(self, part, length, load):
        self.left = sorted(part.jobs, key=lambda job: (-length(job), job))
        self.load, self.room = load, part.room
        self.running = []
        self.changed = threading.Condition()

    def chosen(self):
        """The longest that there is room for; one runs in any case."""
        taken = sum(map(self.load, self.running))
        fitting = (job for job in self.left if not self.running or taken + self.load(job) <= self.room)
        return next(fitting, None)

    def take(self):
        """Waits for room. Returns a job that runs until it is given back; None when all have been taken."""
        with self.changed:
            self.changed.wait_for(lambda: not self.left or self.chosen() is not None)
            if (job := self.chosen()) is not None:
                self.left.remove(job)
                self.running.append(job)
            self.changed.notify_all()
            return job

    def give_back(self, job):
        with self.changed:
            self.running.remove(job)
            self.changed.notify_all()


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


def names_in(path):
    """The different lines of a file, in one; "nothing" if there is none."""
    try:
        with open(path) as file:
            return " ".join(sorted(set(file.read().split())))
    except OSError:
        return "nothing"


def filters(tests, listed):
    """What chooses just these of all tests: whole suites by their names, else each test."""
    chosen, there = {}, {}
    for test in tests:
        chosen.setdefault(suite(test), []).append(test)
    for test in listed:
        there[suite(test)] = there.get(suite(test), 0) + 1
    whole = [name for name, members in chosen.items() if name.endswith("/") and len(members) == there[name]]
    single = [test for name, members in chosen.items() if name not in whole for test in members]
    patterns = [f"^({'|'.join(map(re.escape, whole))})[^/(]*[(]"] if whole else []
    patterns += [f"^({'|'.join(map(re.escape, single))})(/|$)"] if single else []
    return [word for pattern in patterns for word in ("--filter", pattern)]


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


class Run:
    def __init__(self, options, entry, listed, peers, reports):
        self.options, self.entry, self.listed, self.peers, self.reports = options, entry, listed, peers, reports
        self.printing = threading.Lock()
        self.processes, self.report, self.worked, self.programs, self.good, self.number = set(), {}, {}, {}, True, 0
        self.began, self.done, self.expected, self.told = time.monotonic(), 0.0, 0.0, time.monotonic()

    def play(self, queue, share):
        """Runs jobs of a queue until none is left; `share` tells how much of the whole run one of them is."""
        while (job := queue.take()) is not None:
            self.job(job)
            queue.give_back(job)
            with self.printing:
                self.done += share(job)
                self.tell()

    def tell(self):
        """How far it is, every half a minute."""
        now = time.monotonic()
        if now - self.told > 30 and 0 < self.done < self.expected:
            self.told = now
            left = (now - self.began) * (self.expected - self.done) / self.done
            print(f"{time.strftime('%H:%M:%S')} {100 * self.done / self.expected:.0f} % of the tests, "
                  f"{left / 60:.1f} min to go", flush=True)

    def job(self, tests):
        with self.printing:
            self.number += 1
            report, started = f"{self.reports}/{self.number}.xml", f"{self.reports}/{self.number}.programs"
        # Short, for sockets have their path there; for everybody, since some peers do not run as root.
        directory = tempfile.mkdtemp(prefix="lane", dir="/tmp")
        os.chmod(directory, 0o1777)
        command = self.entry + shlex.split(self.options.run) + [self.options.bundle]
        command += ["--testing-library", "swift-testing", "--no-parallel", "--xunit-output", report]
        command += filters(tests, self.listed)
        environment = {name: value for name, value in os.environ.items() if name != "TERM"}  # else it prints colours
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   env=environment | {"TMPDIR": directory, "TOUCHLINE_PROGRAM_LOG": started},
                                   start_new_session=True)
        with self.printing:
            self.processes.add(process)
        limit = threading.Timer(self.options.limit, end_session, [process.pid])
        limit.start()
        reader = threading.Thread(target=self.read, args=[process], daemon=True)
        reader.start()
        _, status, used = os.wait4(process.pid, 0)  # with all its children that have ended
        status = process.returncode = os.waitstatus_to_exitcode(status)
        late = limit.finished.is_set()
        limit.cancel()
        if status < 0:
            end_session(process.pid)
        reader.join(5)  # no longer: what has left the session may hold the pipe
        shutil.rmtree(directory, ignore_errors=True)
        try:
            found = measured(report)
        except (OSError, ElementTree.ParseError):
            found = {}
        missing = [test for test in tests if plain(test) not in found]
        with self.printing:
            self.processes.discard(process)
            for test in missing:
                print(f"error: {test} has not run")
            if status:
                print(f"error: the process of {tests[0]} " + (f"has not ended within {self.options.limit} s" if late else
                      f"ended with status {status}") + (f", with {len(tests) - 1} tests beside it" if tests[1:] else ""),
                      flush=True)
            self.report |= found
            took = {test: float(found[plain(test)] or 0) for test in tests if plain(test) in found}
            for test in took:
                if matches(test, self.peers):
                    share = took[test] / sum(took.values()) if sum(took.values()) > 0 else 0
                    self.worked[test] = share * (used.ru_utime + used.ru_stime)
                    self.programs[test] = names_in(started)
            self.good = self.good and status == 0 and not missing and len(found) == len(tests)

    def read(self, process):
        for line in process.stdout:
            with self.printing:
                sys.stdout.buffer.write(line)
                sys.stdout.buffer.flush()

    def end(self, number, _):
        for process in list(self.processes):
            process.terminate()
        sys.stdout.flush()
        os._exit(128 + number)


def entry_of_networks():
    """A command that enters a new network namespace; nothing where none can be made."""
    command = as_root if os.geteuid() == 0 else as_user
    try:
        return command if subprocess.run(command + ["true"], capture_output=True).returncode == 0 else []
    except OSError:
        return []


def read_table(path):
    try:
        with open(path) as file:
            return json.load(file)
    except (OSError, ValueError):
        return {}


def pace_of(took, before):
    """How many times as long as before the median test took: this machine may be another. 1 if they are too few to tell."""
    ratios = [took[test] / before[test] for test in took if before.get(test, 0) > 1]
    return statistics.median(ratios) if len(ratios) >= 20 else 1.0


def tell_times(tests, report, landing):
    """Names the tests that took long and those that grew, with what they took at the last landing; and the sum."""
    took = {test: float(report[plain(test)]) for test in tests if report.get(plain(test))}
    before = landing.get("tests", {})
    pace = pace_of(took, before)
    for test, seconds in sorted(took.items(), key=lambda entry: -entry[1]):
        if seconds > long_test:
            print(f"LONG: {seconds:6.1f} s {test}" + ("" if test in before else ", new"))
        if test in before and seconds > pace * max(2.0, 1.5 * before[test]):
            print(f"GREW: {seconds:6.1f} s {test}, {before[test]:.1f} s before")
    known = [test for test in took if test in before]
    print(f"ALL: {sum(took.values()):6.0f} s of {len(took)} tests, of which {sum(took[test] for test in known):.0f} s of "
          f"those that took {sum(before[test] for test in known):.0f} s before; the median one takes {pace:.1f} times as long")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--bundle", required=True)
    options.add_argument("--times")
    options.add_argument("--lanes", type=int, default=0)
    options.add_argument("--run", default="", help="a command in front of the bundle's")
    options.add_argument("--skip", action="append", default=[], metavar="PATTERN")
    options.add_argument("--spare", action="append", default=[], metavar="PROGRAMS", help="names with spaces between them")
    options.add_argument("--tell", action="store_true", help="names the tests that took long or longer than before")
    options.add_argument("--limit", type=int, default=900, help="seconds after which a process is ended")
    options.add_argument("--list", action="store_true", help="shows the jobs and runs nothing")
    options.add_argument("patterns", nargs="+", metavar="PATTERN")
    chosen = options.parse_args()
    listed = subprocess.run(shlex.split(chosen.run) + [chosen.bundle, "--testing-library", "swift-testing", "--list-tests"],
                            check=True, capture_output=True, text=True).stdout.splitlines()
    kept = read_table(chosen.times) if chosen.times else {}
    programs = kept.get("programs", {})
    tests = [test for test in listed if matches(test, chosen.patterns) and not matches(test, chosen.skip)
             and programs.get(test) not in chosen.spare]
    if not tests:
        sys.exit(f"no test matches {' or '.join(chosen.patterns)}")
    landing = read_table(f"{beside_us}/seconds.json")
    seconds = landing.get("tests", {}) | kept.get("tests", {})
    worked = landing.get("worked", {}) | kept.get("worked", {})

    plan = read_table(f"{beside_us}/lanes.json")
    seconds |= {test: usual_with_peers for test in tests if test not in seconds and matches(test, plan["peers"])}

    def length(job):
        return sum(seconds.get(test, usual) for test in job)

    def load(job):
        return sum(worked.get(test, usual_load * length([test])) for test in job) / max(1, length(job))

    entry = entry_of_networks()
    rounds = rounds_of(tests, os.cpu_count() or 1, plan, seconds, chosen.lanes, chosen.lanes or (0 if entry else 1))
    if not entry:
        print("no network namespace can be made: tests with peers follow one another")
    for part in rounds:
        print(f"{part.name}: {sum(map(len, part.jobs))} tests in {len(part.jobs)} processes, at most {part.most} at a time, "
              f"{sum(map(length, part.jobs)):.0f} s of tests", flush=True)
        if chosen.list:
            for job in sorted(part.jobs, key=length, reverse=True):
                print(f"    {length(job):6.1f} {load(job):4.1f} {job[0]}", f"and {len(job) - 1} more" if job[1:] else "")
    if chosen.list:
        return
    with tempfile.TemporaryDirectory() as reports:
        run = Run(chosen, entry, listed, plan["peers"], reports)
        run.expected = sum(length(job) / part.most for part in rounds for job in part.jobs)
        signal.signal(signal.SIGTERM, run.end)
        signal.signal(signal.SIGINT, run.end)
        for part in rounds:
            print(f"{time.strftime('%H:%M:%S')} {part.name}", flush=True)
            queue = Queue(part, length, load)
            threads = [threading.Thread(target=run.play, args=[queue, lambda job, most=part.most: length(job) / most])
                       for _ in range(part.most)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
    if chosen.times:
        known = {test: float(run.report[plain(test)]) for test in tests if run.report.get(plain(test))}
        there = set(listed)
        tables = {name: {test: value for test, value in (kept.get(name, {}) | new).items() if test in there}
                  for name, new in (("tests", known), ("worked", run.worked), ("programs", run.programs))}
        with open(chosen.times + ".new", "w") as file:
            json.dump(tables, file, indent=1, sort_keys=True)
        os.replace(chosen.times + ".new", chosen.times)
    if chosen.tell:
        tell_times(tests, run.report, landing)
    print(f"{len(run.report)} of {len(tests)} listed tests were run")
    if len(run.report) != len(tests) or not run.good:
        sys.exit(1)


if __name__ == "__main__":
    main()
