# SPDX-License-Identifier: Apache-2.0
"""Collects the metrics of a box or of a reporter as Prometheus does, for so many seconds, and parses each with its own library.

metrics.py URL SECONDS PAUSE [TOKEN]: prints what the last look had as JSON, and the slowest of all."""
import json
import sys
import time
import urllib.request

from prometheus_client.openmetrics.parser import text_string_to_metric_families

ACCEPT = "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5"


def look(url):
    headers = {"Accept": ACCEPT}
    if len(sys.argv) > 4:
        headers["Authorization"] = "Bearer " + sys.argv[4]
    request = urllib.request.Request(url, headers=headers)
    began = time.monotonic()
    with urllib.request.urlopen(request, timeout=10) as answer:
        text = answer.read().decode("utf-8")
        return text, answer.headers["Content-Type"], time.monotonic() - began


def main():
    url, seconds, pause = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
    looks, slowest, end = 0, 0.0, time.monotonic() + seconds
    while True:
        text, kind, span = look(url)
        families = list(text_string_to_metric_families(text))
        looks, slowest = looks + 1, max(slowest, span)
        if time.monotonic() >= end:
            break
        time.sleep(pause)
    print(json.dumps({
        "looks": looks, "slowestMs": round(slowest * 1000), "contentType": kind, "octets": len(text),
        "families": {
            family.name: {
                "type": family.type, "unit": family.unit, "help": family.documentation,
                "samples": [[sample.name, sample.labels, sample.value] for sample in family.samples],
            } for family in families
        },
    }))


main()
