#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what a whole run has seen: record.py --times FILE FOLDER

Reads lines "proven<tab>STEP<tab>SOURCES" and "step<tab>NAME<tab>SECONDS<tab>BUSY SECONDS". FOLDER/proven.json becomes what
passed of that which is seldom run, with a hash of its sources; FOLDER/seconds.json the steps, and of FILE, which has the
seconds of tests, those that take half a second or more, and of those that have a process of their own for how many of these
a processor worked. Without a line of a step only the first is written.
"""
import argparse, json, os, sys

shortest = 0.5  # seconds


def write(path, tables):
    """A JSON object of objects, with a line for each entry, which a shell reads by sed."""
    def text(table):
        return ",\n".join(f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in sorted(table.items()))

    with open(path + ".new", "w") as file:
        parts = (f" {json.dumps(name)}: {{\n{text(table)}\n }}" for name, table in tables.items())
        file.write("{\n" + ",\n".join(parts) + "\n}\n")
    os.replace(path + ".new", path)


def write_record(lines, times, folder):
    proven, steps = {}, {}
    for line in lines:
        kind, name, *rest = line.rstrip("\n").split("\t")
        if kind == "proven":
            proven[name] = rest[0]
        else:
            steps[name] = [int(value) for value in rest]
    write(f"{folder}/proven.json", {"sources": proven})
    if not steps:
        return
    with open(times) as file:
        kept = json.load(file)
    seconds = {name: round(took, 1) for name, took in kept["tests"].items() if took >= shortest}
    write(f"{folder}/seconds.json", {
        "steps": steps, "tests": seconds,
        "worked": {name: round(took, 1) for name, took in kept["worked"].items() if name in seconds}})


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--times", required=True)
    options.add_argument("folder")
    chosen = options.parse_args()
    write_record(sys.stdin, chosen.times, chosen.folder)


if __name__ == "__main__":
    main()
