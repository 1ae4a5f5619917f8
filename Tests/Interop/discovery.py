# SPDX-License-Identifier: Apache-2.0
"""A television that is found, and one who looks for televisions, by GNOME's GSSDP and Python's HTTP:

discovery.py device NAME CII-URL        announces itself on loopback, answers searches, and has DIAL's documents
discovery.py search                     says which devices of DIAL are there, and what their documents say

Each prints lines of JSON and ends when its parent does.
"""
import json, os, signal, sys, threading, time, urllib.error, urllib.request, uuid
import xml.etree.ElementTree as xml
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from xml.sax.saxutils import escape

import gi
gi.require_version("GSSDP", "1.6")
from gi.repository import GLib, GSSDP

DIAL = "urn:dial-multiscreen-org:service:dial:1"
DEVICE = "urn:schemas-upnp-org:device-1-0"
SERVICE = "urn:dial-multiscreen-org:schemas:dial"
HBBTV = "urn:hbbtv:HbbTVCompanionScreen:2014"


def say(**fields):
    print(json.dumps(fields), flush=True)


def end_with_parent():
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(0.2)
    os._exit(0)


def device(client, name, cii):
    unique = f"uuid:{uuid.uuid4()}"
    description = f"""<?xml version="1.0"?>
<root xmlns="{DEVICE}"><specVersion><major>1</major><minor>0</minor></specVersion><device>
  <deviceType>urn:schemas-upnp-org:device:tvdevice:1</deviceType><friendlyName>{escape(name)}</friendlyName>
  <manufacturer>GSSDP</manufacturer><modelName>Python</modelName><UDN>{unique}</UDN></device></root>"""
    application = f"""<?xml version="1.0" encoding="UTF-8"?>
<service xmlns="{SERVICE}" xmlns:atom="http://www.w3.org/2005/Atom" dialVer="1.7">
  <name>HbbTV</name><options allowStop="false"/><state>running</state><additionalData>
    <hbbtv:X_HbbTV_App2AppURL xmlns:hbbtv="{HBBTV}">ws://127.0.0.1:1/app</hbbtv:X_HbbTV_App2AppURL>
    <hbbtv:X_HbbTV_InterDevSyncURL xmlns:hbbtv="{HBBTV}">{escape(cii)}</hbbtv:X_HbbTV_InterDevSyncURL>
    <hbbtv:X_HbbTV_UserAgent xmlns:hbbtv="{HBBTV}">HbbTV/1.5.1</hbbtv:X_HbbTV_UserAgent>
  </additionalData></service>"""

    class Documents(BaseHTTPRequestHandler):
        def do_GET(self):
            port = self.server.server_address[1]
            text, fields = {
                "/dd.xml": (description, {"Application-URL": f"http://127.0.0.1:{port}/apps/"}),
                "/apps/HbbTV": (application, {}),
            }.get(self.path, (None, {}))
            self.send_response(404 if text is None else 200)
            for field in fields.items():
                self.send_header(*field)
            body = (text or "").encode()
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Documents)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    group = GSSDP.ResourceGroup.new(client)
    group.add_resource_simple(DIAL, f"{unique}::{DIAL}", f"http://127.0.0.1:{server.server_address[1]}/dd.xml")
    group.set_available(True)

    def leave():
        group.set_available(False)
        GLib.timeout_add(500, lambda: os._exit(0))

    GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGTERM, leave)
    say(ready=True)
    return group


def described(location):
    """What a companion reads, and that it may launch nothing."""
    with urllib.request.urlopen(location, timeout=5) as answer:
        applications = answer.headers["Application-URL"]
        name = xml.parse(answer).find(f".//{{{DEVICE}}}friendlyName").text
    url = applications.rstrip("/") + "/HbbTV"
    with urllib.request.urlopen(url, timeout=5) as answer:
        cii = xml.parse(answer).find(f".//{{{HBBTV}}}X_HbbTV_InterDevSyncURL").text
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data=b"x=1", method="POST"), timeout=5) as answer:
            launch = answer.status
    except urllib.error.HTTPError as refusal:
        launch = refusal.code
    return {"name": name, "cii": cii, "launch": launch}


def search(client):
    browser = GSSDP.ResourceBrowser.new(client, DIAL)

    def available(_, name, locations):
        try:
            say(found=name, **described(locations[0]))
        except (OSError, AttributeError, xml.ParseError) as failure:
            say(failed=f"{type(failure).__name__}: {failure}", name=name)

    browser.connect("resource-available", available)
    browser.connect("resource-unavailable", lambda _, name: say(lost=name))
    browser.set_active(True)
    say(ready=True)
    return browser


def main():
    threading.Thread(target=end_with_parent, daemon=True).start()
    client = GSSDP.Client.new_full("lo", None, 0, GSSDP.UDAVersion.VERSION_1_1)
    role = device(client, *sys.argv[2:4]) if sys.argv[1] == "device" else search(client)
    GLib.MainLoop().run()
    return role


main()
