#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The reporter, as a process, under the reports of 5,000 simulated boxes that send each ten seconds, and what reporting
costs a box.

Steady: every report is acknowledged, 99 of 100 within 500 ms, in 300 MB (the most that was resident, VmHWM). With
--tls each box has its connection by TLS to nginx in front of the reporter, and both have 600 MB. Cost: the threads `reports` and `transfer` of a box that plays nothing,
and what its control loop does more than without, at most 1 % of a core. Outage (with --outage, a quarter of an hour): an
hour without the reporter, passed through at 360 times the speed; in no second do more reports come than twice what the
store takes of batches of six (`bench collect-reports`, in the same run), and all of them are acknowledged.

Region (with --region, alone): 100 simulated venues of 1,000 boxes tell a regional reporter, at first of each box once a
minute and of changes at once, then (with --refresh 1) of every box in every round, which is the most that can come. Of the
states of boxes 99 in 100 are acknowledged 30 s after they were made, and what was measured is within a quarter of what
config/SCALING.md reckons with: the numbers below stand there, too.

With --postgres a server of PostgreSQL of its own keeps what is reported, with its settings as Debian has them.
"""

import argparse
import glob
import json
import os
import sqlite3
import subprocess
import sys
import time

import venue

TOKEN = "simulated-box-token-0123456789"
P99_MS, RSS_MB, TLS_RSS_MB, COST = 500, 300, 600, 0.01
NGINX = """
daemon off; pid {work}/nginx.pid; error_log stderr warn; worker_rlimit_nofile 20000; worker_processes 1;
events {{ worker_connections 12000; }}
http {{
  access_log off; client_body_temp_path {work}/body; proxy_temp_path {work}/proxy; fastcgi_temp_path {work}/fastcgi;
  uwsgi_temp_path {work}/uwsgi; scgi_temp_path {work}/scgi;
  server {{
    listen 127.0.0.1:8443 ssl backlog=4096; ssl_certificate {work}/tls.pem; ssl_certificate_key {work}/tls.key;
    ssl_protocols TLSv1.2 TLSv1.3; client_max_body_size 1m; client_body_buffer_size 64k; keepalive_timeout 75s;
    location / {{ proxy_pass http://127.0.0.1:8090; proxy_http_version 1.1; }}
  }}
}}
"""
REGION_P99_MS, REGION_SPREAD = 30_000, 0.25
# What config/SCALING.md reckons a region with: octets of JSON for the state of a box and for a sum over a minute, octets of
# the database for each, and microseconds of a core of the region's reporter for the state of a box.
REGION = {"boxJSON": 205, "boxDisk": 254, "sumDisk": 68, "boxUs": 24}


def start_postgres(work):
    """A server with nothing in it; returns its address."""
    programs = max(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[-2]))
    home = os.path.join(work, "postgres")
    os.chmod(work, 0o711)  # the server is another user
    os.mkdir(home, 0o700)
    user = []
    if os.geteuid() == 0:
        os.chown(home, 65534, 65534)
        user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"]
    subprocess.run(
        [*user, f"{programs}/initdb", "-D", f"{home}/data", "-A", "trust", "-U", "touchline", "-E", "UTF8", "--locale=C"],
        check=True, capture_output=True, timeout=60, cwd=home)
    server = venue.Program(
        work, "server", [*user, f"{programs}/postgres", "-D", f"{home}/data", "-k", home, "-c", "listen_addresses="])
    limit = time.monotonic() + 30
    while subprocess.run([f"{programs}/pg_isready", "-q", "-h", home], timeout=10).returncode != 0:
        server.check()
        if time.monotonic() > limit:
            raise TimeoutError("PostgreSQL does not start")
        time.sleep(0.1)
    return f"host={home} user=touchline dbname=postgres"


def start_reporter(work, options):
    configuration = os.path.join(work, "reporter.json")
    document = {"port": 8090, "database": os.path.join(work, "reporter.db"), "boxToken": TOKEN,
                "operatorToken": TOKEN + "-operators"}
    if options.postgres:
        document["postgres"] = start_postgres(work)
    with open(os.open(configuration, os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="utf-8") as file:
        json.dump(document, file)
    with open(os.open(os.path.join(work, "token"), os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="utf-8") as file:
        file.write(TOKEN)
    reporter = venue.Program(
        work, "reporter", [os.path.join(venue.binaries(), "touchline-reporter"), "--config", configuration])
    limit = time.monotonic() + 10
    while "started" not in reporter.said():
        reporter.check()
        if time.monotonic() > limit:
            raise TimeoutError("the reporter does not start")
        time.sleep(0.1)
    return reporter


def start_tls(work):
    """nginx in front of the reporter, and the way to it for the simulator, which has no TLS of its own."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", os.path.join(work, "tls.key"),
         "-out", os.path.join(work, "tls.pem")], check=True, capture_output=True, timeout=30)
    os.chmod(work, 0o711)  # the worker is another user
    with open(os.path.join(work, "nginx.conf"), "w", encoding="utf-8") as file:
        file.write(NGINX.format(work=work))
    nginx = venue.Program(work, "nginx", ["nginx", "-e", "stderr", "-c", os.path.join(work, "nginx.conf")])
    venue.Program(
        work, "relay", [sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "tls_relay.py"), "8091",
                        "8443", os.path.join(work, "tls.pem")])
    time.sleep(2)
    nginx.check()
    return nginx


def nginx_memory(nginx):
    """MB of the master and its workers, at most."""
    with open(f"/proc/{nginx.pid}/task/{nginx.pid}/children", encoding="utf-8") as file:
        processes = [nginx.pid, *map(int, file.read().split())]
    total = 0
    for process in processes:
        with open(f"/proc/{process}/status", encoding="utf-8") as file:
            total += next(int(line.split()[1]) for line in file if line.startswith("VmHWM:"))
    return total / 1024


def tls(work, options, reporter):
    nginx = start_tls(work)
    found, code, complaint = simulate(
        work, options, "--seconds", str(options.seconds), "--url", "http://127.0.0.1:8091")
    nginx.check()
    parts = nginx_memory(nginx), reporter.status("VmHWM") / 1024
    late = found["latencyMs"]
    text = (f"{options.boxes} boxes by TLS, {options.seconds} s: {found['acknowledged']} of {found['made']} reports "
            f"acknowledged, {found['failures']} failures; p50 {late['p50']} ms, p99 {late['p99']} ms, max {late['max']} ms; "
            f"nginx {parts[0]:.0f} MB and reporter {parts[1]:.0f} MB, limit {TLS_RSS_MB} {complaint}")
    return say("tls", text, code == 0 and sum(parts) <= TLS_RSS_MB)


def simulate(work, options, *words):
    """The last line of a run, with its exit code."""
    ended = subprocess.run(
        [os.path.join(venue.binaries(), "touchline-reporter"), "simulate", "--boxes", str(options.boxes), "--token-file",
         os.path.join(work, "token"), "--json", *words],
        capture_output=True, timeout=1150, check=False)
    lines = ended.stdout.decode().splitlines()
    if not lines:
        raise RuntimeError(f"simulate: {ended.stderr.decode()[-500:]}")
    return json.loads(lines[-1]), ended.returncode, ended.stderr.decode().strip()


def say(name, text, is_good):
    print(f"reporter: {name}: {text}: {'ok' if is_good else 'FAILED'}", flush=True)
    return not is_good


def steady(work, options, reporter):
    before = reporter.cpu_seconds()
    found, code, complaint = simulate(work, options, "--seconds", str(options.seconds))
    reporter.check()
    cpu = (reporter.cpu_seconds() - before) / found["elapsedS"]
    memory = reporter.status("VmHWM") / 1024
    late = found["latencyMs"]
    text = (f"{options.boxes} boxes, {options.seconds} s: {found['acknowledged']} of {found['made']} reports acknowledged "
            f"in {found['requests']} requests, {found['failures']} failures; p50 {late['p50']} ms, p99 {late['p99']} ms "
            f"(limit {P99_MS}), max {late['max']} ms; reporter {memory:.0f} MB (limit {RSS_MB}), {cpu * 100:.0f} % of a "
            f"core {complaint}")
    return say("steady", text, code == 0 and late["p99"] <= P99_MS and memory <= RSS_MB)


def capacity():
    """Reports a second that the store takes of batches of six."""
    said = subprocess.run([os.path.join(venue.binaries(), "bench"), "collect-reports"], capture_output=True, timeout=300,
                          check=False).stdout.decode()
    row = next(line.split() for line in said.splitlines() if line.startswith("collect-reports"))
    return int(1e9 / float(row[1]))


def outage(work, options, reporter):
    most = capacity()
    found, code, complaint = simulate(
        work, options, "--seconds", str(options.outage_seconds), "--story", "outage", "--speed", "360", "--capacity", str(most))
    reporter.check()
    memory = reporter.status("VmHWM") / 1024
    late = found["latencyMs"]
    text = (f"{options.boxes} boxes, an hour: {found['acknowledged']} of {found['made']} reports acknowledged, backlog "
            f"{found['backlog']}; p50 {late['p50']} ms, p99 {late['p99']} ms, max {late['max']} ms; {found['requests']} "
            f"requests, {found['failures']} failures; most that came in a second {found['mostArrivedPerS']}, "
            f"{found['mostArrivedPerS'] / most:.2f} of the capacity of {most} (limit 2); reporter {memory:.0f} MB, limit "
            f"{RSS_MB} {complaint}")
    return say("outage", text, code == 0 and found["backlog"] == 0 and memory <= RSS_MB)


def times(box):
    """Seconds of a core: of the control loop, and of the threads that report."""
    program = box.program
    names = program.threads()
    sums = {"control": program.schedule(program.pid) / 1e9, "reporting": 0}
    for thread, name in names.items():
        if name in ("reports", "transfer"):
            sums["reporting"] += program.schedule(thread) / 1e9
    return sums


def spent(box, seconds):
    before = times(box)
    time.sleep(seconds)
    after = times(box)
    return {name: (after[name] - before[name]) / seconds for name in before}


def cost(work, options):
    settings = {"announcements": {"groups": []}, "http": {"port": 0}}
    without = venue.Box(os.path.join(work, "silent"), output="headless", settings=settings)
    time.sleep(3)
    silent = spent(without, options.seconds)
    without.program.end()
    settings["reports"] = {"url": "http://127.0.0.1:8090/v1/boxes/{box}/reports", "token": TOKEN, "intervalS": 10}
    telling = venue.Box(os.path.join(work, "telling"), output="headless", settings=settings)
    time.sleep(12)
    telling.program.check()
    loud = spent(telling, options.seconds)
    if loud["reporting"] == 0:
        raise RuntimeError("the box does not report")
    more = max(0, loud["control"] - silent["control"])
    total = loud["reporting"] + more
    text = (f"threads reports and transfer {loud['reporting'] * 100:.3f} % of a core, control loop "
            f"{loud['control'] * 100:.3f} % instead of {silent['control'] * 100:.3f} %: {total * 100:.3f} % in all, limit "
            f"{COST * 100:g} %")
    telling.program.end()
    return say("cost to a box", text, total <= COST)


def region_database(work):
    """Octets of a row of each table, by SQLite."""
    connection = sqlite3.connect(f"file:{os.path.join(work, 'reporter.db')}?mode=ro", uri=True)
    sizes = {}
    for table in ("venueBoxes", "venueMinutes"):
        rows = connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        octets = connection.execute("SELECT sum(pgsize) FROM dbstat WHERE name = ?", (table,)).fetchone()[0]
        sizes[table] = (rows, octets / max(1, rows))
    return sizes


def region_run(work, options, reporter, name, *words):
    before = reporter.cpu_seconds()
    found, code, complaint = simulate(
        work, options, "--venues", str(options.venues), "--seconds", str(options.seconds), *words)
    reporter.check()
    cpu = reporter.cpu_seconds() - before
    memory = reporter.status("VmHWM") / 1024
    late, elapsed = found["lagMs"], found["elapsedS"]
    text = (f"{options.venues} venues of {options.boxes} boxes, {options.seconds} s: {found['acknowledged']} of "
            f"{found['made']} reports acknowledged, {found['failures']} failures; {found['boxes']} states of boxes "
            f"({found['boxes'] / elapsed:.0f} a second) and {found['sums']} sums; {found['plainOctets'] / elapsed / 1e6:.2f} "
            f"MB a second of JSON, {found['octets'] / elapsed / 1e6:.2f} MB compressed; lag p50 {late['p50']} ms, p99 "
            f"{late['p99']} ms (limit {REGION_P99_MS}), max {late['max']} ms; reporter {memory:.0f} MB, "
            f"{cpu / elapsed * 100:.0f} % of a core {complaint}")
    failed = say(name, text, code == 0 and late["p99"] <= REGION_P99_MS)
    return failed, found, cpu


def region(work, options, reporter):
    failed, _, _ = region_run(work, options, reporter, "region")
    more, found, cpu = region_run(work, options, reporter, "region, every box in every round", "--refresh", "1")
    if options.postgres:
        return failed | more
    sizes = region_database(work)
    measured = {
        "boxJSON": found["plainOctets"] / max(1, found["boxes"]), "boxDisk": sizes["venueBoxes"][1],
        "sumDisk": sizes["venueMinutes"][1], "boxUs": cpu / max(1, found["boxes"]) * 1e6,
    }
    for name, value in measured.items():
        off = value / REGION[name] - 1 if REGION[name] else float("inf")
        more |= say(f"arithmetic, {name}", f"{value:.1f} measured, {REGION[name]} in config/SCALING.md, {off * 100:+.0f} %",
                    abs(off) <= REGION_SPREAD)
    return failed | more


def measure(work, options):
    options.boxes = options.boxes or (1_000 if options.region else 5_000)
    options.seconds = options.seconds or (150 if options.region else 60)
    if options.region:
        return 1 if region(work, options, start_reporter(work, options)) else 0
    for name in ("silent", "telling"):
        os.mkdir(os.path.join(work, name))
    reporter = start_reporter(work, options)
    failed = False if options.no_steady else steady(work, options, reporter)
    if not options.no_cost:
        failed |= cost(work, options)
    if options.tls:
        failed |= tls(work, options, reporter)
    if options.outage:
        failed |= outage(work, options, reporter)
    return 1 if failed else 0


if __name__ == "__main__":
    usage = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    usage.add_argument("--boxes", type=int, help="5,000, or 1,000 of each venue")
    usage.add_argument("--region", action="store_true", help="venues instead of boxes")
    usage.add_argument("--venues", type=int, default=100)
    usage.add_argument("--seconds", type=int, help="60; of a region 150, so that minutes are over in it")
    usage.add_argument("--outage", action="store_true")
    usage.add_argument("--outage-seconds", type=int, default=900)
    usage.add_argument("--tls", action="store_true", help="needs nginx and openssl")
    usage.add_argument("--postgres", action="store_true", help="instead of SQLite; needs postgresql")
    usage.add_argument("--no-steady", action="store_true")
    usage.add_argument("--no-cost", action="store_true", help="no box is started")
    venue.main(measure, usage)
