#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long 200 announced channels take to be listed: by the box, on the screen, by the client and on the page.

One sender announces them, all of one group, which ffmpeg sends to. The list on the screen is timed from the command to
the presentation that has it, on a stage of 1920 x 1080 where nothing else moves. The rest is timed while a channel
plays. The page is timed in Chromium, from the question to the frame with the whole list.
"""

import argparse
import http.client
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import time

import venue

COUNT = 200
GROUP, PORT = "239.255.255.255", 9875
LICENSE = {"venueName": "Bench", "contentOwner": "Bench", "appDeveloper": "Bench"}
LIMIT_MS = 100
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NOBODY = 65534

# Notes when the page asks for the channels, and when a frame has all of them.
NOTES = """
window.noted = {};
const fetched = window.fetch;
window.fetch = (address, ...rest) => {
  if (String(address) === "/v1/channels") noted.asked ??= performance.now();
  return fetched(address, ...rest);
};
document.addEventListener("DOMContentLoaded", () => {
  new MutationObserver((_, observer) => {
    if (document.querySelectorAll("#list li").length < %d) return;
    observer.disconnect();
    noted.listed = performance.now();
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => { noted.shown = performance.now(); };
      port2.postMessage(0);
    });
  }).observe(document.getElementById("list"), { childList: true });
});
""" % COUNT


def datagram(number):
    body = json.dumps({
        "version": 1, "streamer": {"id": "bench"}, "session": {"number": number}, "license": LICENSE, "kind": "video",
        "name": f"Channel {number}", "text": f"The {number}th of {COUNT}", "intervalMs": 60_000,
        "transport": {"address": venue.GROUP, "port": venue.PORT, "encapsulation": "rtp"},
    }).encode()
    header = bytes([0x20, 0, number >> 8, number & 255]) + socket.inet_aton("127.0.0.1")
    return header + b"application/vnd.touchline.announcement+json\0" + body


def announce(box):
    out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    out.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
    limit = time.monotonic() + 30
    while True:
        listed = {channel["name"] for channel in box.ask("channels")["channels"]}
        if len(listed) == COUNT:
            return
        if time.monotonic() > limit:
            raise TimeoutError(f"the box lists {len(listed)} channels")
        for number in range(1, COUNT + 1):
            if f"Channel {number}" not in listed:
                out.sendto(datagram(number), (GROUP, PORT))
        time.sleep(0.2)


def timed(action, times):
    """Milliseconds that an action takes, each time."""
    spans = []
    for _ in range(times):
        began = time.monotonic()
        action()
        spans.append((time.monotonic() - began) * 1e3)
    return spans


def check(channels):
    if len(channels) != COUNT:
        raise RuntimeError(f"{len(channels)} channels are listed")


def by_http(port):
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    link.request("GET", "/v1/channels")
    check(json.load(link.getresponse())["channels"])
    link.close()


def by_client(box):
    done = subprocess.run(
        [os.path.join(venue.binaries(), "touchline"), "--socket", box.path, "channels"], capture_output=True,
        check=True, timeout=10)
    if done.stdout.count(b"Channel ") < COUNT:
        raise RuntimeError("the client does not list all channels")


def on_screen(box, times):
    """Milliseconds to the presentation of the list, and microseconds of typesetting; of each step in the list."""
    spans, typesetting = [], []
    for number in range(times):
        time.sleep(0.3)  # what the last step changed is presented
        before = box.stats()
        began = time.monotonic()
        box.ask("list", action="show" if number == 0 else "down")
        while True:
            stats = box.stats()
            came = time.monotonic()
            if (stats["screenText"]["typesettings"] > before["screenText"]["typesettings"]
                    and stats["stage"]["presentations"] > before["stage"]["presentations"]):
                break
            if came - began > 10:
                raise TimeoutError("the list is not presented")
            time.sleep(0.001)
        spans.append((came - began) * 1e3)
        typesetting.append(stats["screenText"]["typesettingUs"])
    box.ask("list", action="hide")
    if box.stats()["screenText"]["drawErrors"]:
        raise RuntimeError("the list is not drawn")
    return spans, typesetting


def look(url, times):
    """Run as a process of its own, which may not be root: prints what each of some loads of the page takes."""
    sys.path.insert(0, os.path.join(ROOT, "Tests/Interop/Browser"))
    from browser import Browser
    browser = Browser()
    try:
        for _ in range(times):
            browser.open(url, before=NOTES)
            browser.wait("window.noted?.shown", 30)
            print(json.dumps(browser.evaluate("noted")), flush=True)
    finally:
        browser.close()


def on_page(work, port, times):
    """Milliseconds from the page's question to the frame with the list; None without Chromium."""
    if not shutil.which("chromium"):
        return None
    home = os.path.join(work, "browser")
    os.mkdir(home)
    words = ["env", f"HOME={home}", f"TMPDIR={home}", "python3", "-B", os.path.abspath(__file__), "--page",
             f"http://127.0.0.1:{port}/", "--times", str(times)]
    with open("/proc/self/uid_map") as file:
        # In a user namespace of one user, nobody else is there to be.
        if os.geteuid() == 0 and int(file.read().split()[2]) > NOBODY:
            os.chown(home, NOBODY, NOBODY)
            os.chmod(work, 0o711)
            words = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *words]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise RuntimeError(f"the page is not seen: {done.stderr[-2000:]}")
    return [noted["shown"] - noted["asked"] for noted in map(json.loads, done.stdout.splitlines())]


def measure(work, options):
    venue.send_film(work, venue.make_film(work))
    box = venue.Box(work, settings={
        "announcements": {"groups": [{"address": GROUP, "port": PORT}]}, "channels": [], "license": LICENSE,
        "http": {"port": 0}, "output": {"kind": "headless", "width": 1920, "height": 1080},
        "screenText": {"bannerMs": 0}, "channelList": {"closeMs": 600_000}})
    announce(box)
    found = {}
    found["list on the screen"], typesetting = on_screen(box, options.times)
    box.ask("tune", channel="Channel 150")
    box.await_state("play")
    port = box.ask("status")["httpPort"]
    found["answer at the socket"] = timed(lambda: check(box.ask("channels")["channels"]), options.times)
    found["answer by HTTP"] = timed(lambda: by_http(port), options.times)
    found["client, from its start to its end"] = timed(lambda: by_client(box), options.times)
    found["list on the page"] = on_page(work, port, 5)

    print(f"channels: typesetting the list took {statistics.median(typesetting) / 1e3:.1f} ms (median), "
          f"{max(typesetting) / 1e3:.1f} ms (all)")
    failed = []
    for what, spans in found.items():
        if spans is None:
            print(f"channels: {what}: SKIP: there is no chromium")
            continue
        median = statistics.median(spans)
        passed = median <= LIMIT_MS
        print(f"channels: {what}: {median:.1f} ms (median; limit {LIMIT_MS} ms), {max(spans):.1f} ms (all): "
              f"{'ok' if passed else 'FAILED'}", flush=True)
        if not passed:
            failed.append(what)
    return 1 if failed else 0


if __name__ == "__main__":
    usage = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    usage.add_argument("--times", type=int, default=30)
    usage.add_argument("--page", metavar="URL", help=argparse.SUPPRESS)
    options = usage.parse_args()
    if options.page:
        look(options.page, options.times)
    else:
        venue.main(measure, usage)
