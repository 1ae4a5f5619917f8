# SPDX-License-Identifier: Apache-2.0
"""A venue's database beside its region's, both as Python's sqlite3 reads them.

regions.py seed DATABASE MINUTES SEED             sums of so many past minutes, as if they had been reported
regions.py compare VENUE_DB REGION_DB VENUE PLACE  prints as JSON what the region has of the venue; PLACE is the file that says
                                                  up to where the region has acknowledged minutes and hours
regions.py simulated REGION_DB                    prints as JSON what the region has of simulated venues, as `simulate` counts"""
import json
import os
import random
import sqlite3
import sys
import time
from datetime import datetime, timezone


def seed(path, minutes, number):
    random_ = random.Random(number)
    now = int(time.time() * 1000) // 3_600_000 * 3_600_000 - 3_600_000
    with sqlite3.connect(path, timeout=30) as connection:
        for point in range(8):
            connection.execute(
                "INSERT OR REPLACE INTO accessPoints VALUES (?, ?, 'Venue')", (f"02:5e:00:00:00:0{point}", f"Gate {point}"))
        hours = {}
        for minute in range(int(minutes)):
            for point in range(8):
                packets = random_.randrange(100_000)
                key = (now - minute * 60_000, f"02:5e:00:00:00:0{point}", 36)
                connection.execute(
                    "INSERT INTO airMinutes VALUES (?, ?, ?, ?, 1, 600, 0, 60, -3600, 60)", (*key, packets))
                hour = (key[0] // 3_600_000 * 3_600_000, *key[1:])
                hours[hour] = hours.get(hour, 0) + packets
        for key, packets in hours.items():
            connection.execute("INSERT INTO airHours VALUES (?, ?, ?, ?, 1, 600, 0, 60, -3600, 60)", (*key, packets))


def sums(connection, table, where, values):
    rows = connection.execute(
        f"SELECT time, bssid, channel, packets, lost, seconds, signalSum FROM {table} WHERE {where}", values)
    return {row[:3]: row[3:] for row in rows}


def compare(venue_path, region_path, name, place_path):
    venue = sqlite3.connect(f"file:{venue_path}?mode=ro", uri=True)
    region = sqlite3.connect(f"file:{region_path}?mode=ro", uri=True)
    place = {"minute": 0, "hour": 0}
    if os.path.exists(place_path):
        with open(place_path, encoding="utf-8") as file:
            place = json.load(file)
    found = region.execute("SELECT sender FROM senders WHERE box = ?", (name,)).fetchone()
    number = found[0] if found else -1
    result = {"place": place["minute"], "missing": 0, "differing": 0, "sums": 0}
    for ours, theirs, begin in (("airMinutes", "venueMinutes", place["minute"]), ("airHours", "venueHours", place["hour"])):
        told = sums(region, theirs, "venue = ?", (number,))
        acknowledged = sums(venue, ours, "time < ?", (begin,))
        everything = sums(venue, ours, "1", ())
        result["sums"] += len(told)
        result["missing"] += sum(key not in told for key in acknowledged)
        result["differing"] += sum(everything.get(key) != value for key, value in told.items())
    latest = dict(venue.execute(
        "SELECT s.box, l.arrived FROM senders s JOIN latest l ON l.sender = s.sender").fetchall())
    boxes = {}
    for box, told in region.execute("SELECT box, told FROM venueBoxes WHERE venue = ?", (number,)):
        boxes[box] = json.loads(told)["heard"]

    def text(ms):
        return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(ms // 1000)) + f".{ms % 1000:03}Z"

    result["boxes"] = len(boxes)
    result["stale"] = sum(boxes.get(box) != text(arrived) for box, arrived in latest.items())
    kept = []
    for table, in region.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'reports_[0-9]*'"):
        kept += region.execute(f"SELECT start, sequence FROM {table} WHERE sender = ?", (number,)).fetchall()
    known = set()
    for start, first, last in region.execute(
            "SELECT r.start, r.first, r.last FROM received r JOIN starts t ON t.start = r.start WHERE t.sender = ?",
            (number,)):
        known.update((start, sequence) for sequence in range(first, last + 1))
    result["reports"] = len(kept)
    result["doubled"] = len(kept) - len(set(kept))
    result["ledgerDiffers"] = len(set(kept) ^ known)
    result["integrity"] = region.execute("PRAGMA integrity_check").fetchone()[0]
    print(json.dumps(result))


def simulated(path):
    region = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    ours = "venue IN (SELECT sender FROM senders WHERE box GLOB 'venue-*')"
    states = [json.loads(told)["heard"] for told, in region.execute(f"SELECT told FROM venueBoxes WHERE {ours}")]
    epoch, ms = datetime(1970, 1, 1, tzinfo=timezone.utc), 0
    for heard in states:
        since = datetime.fromisoformat(heard.replace("Z", "+00:00")) - epoch
        ms += (since.days * 86_400 + since.seconds) * 1000 + since.microseconds // 1000
    sums, packets = region.execute(f"SELECT count(*), coalesce(sum(packets), 0) FROM venueMinutes WHERE {ours}").fetchone()
    print(json.dumps({"states": len(states), "heardMs": ms, "sums": sums, "packets": packets}))


if __name__ == "__main__":
    {"seed": seed, "compare": compare, "simulated": simulated}[sys.argv[1]](*sys.argv[2:])
