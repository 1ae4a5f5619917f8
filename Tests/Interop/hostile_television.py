# SPDX-License-Identifier: Apache-2.0
"""A television that does what none should: hostile_television.py PORT WALL_CLOCK_PORT

Each of its CSS-CII is at ws://127.0.0.1:PORT/cii/DEED. It does the deed itself, or, if the deed begins with ts-, tells
of a wall clock and of a CSS-TS that does it. Each time that a deed is done to a client, its name is printed as JSON.
"""
import asyncio, json, os, struct, sys, time
import websockets

PORT, WALL_CLOCK_PORT = int(sys.argv[1]), int(sys.argv[2])
INFORMATION = {
    "protocolVersion": "1.1", "contentId": "dvb://1.2.3", "contentIdStatus": "final", "presentationStatus": "okay",
    "wcUrl": f"udp://127.0.0.1:{WALL_CLOCK_PORT}",
    "timelines": [{"timelineSelector": "urn:dvb:css:timeline:pts",
                   "timelineProperties": {"unitsPerTick": 1, "unitsPerSecond": 90000}}],
}
GARBAGE = [
    "", "null", "[]", "{", "{}}", '"text"', "1e999", "[" * 100_000, '{"contentTime":' * 10_000, "\0\x01\x7f",
    '{"protocolVersion":1.1}', '{"timelines":{}}', '{"timelines":[null,{"timelineSelector":[]}]}',
    '{"contentTime":"012","wallClockTime":"1","timelineSpeedMultiplier":1}',
    '{"contentTime":"1","wallClockTime":null,"timelineSpeedMultiplier":1}',
    '{"contentTime":1,"wallClockTime":2,"timelineSpeedMultiplier":"3"}',
    '{"contentTime":null,"wallClockTime":"1","timelineSpeedMultiplier":1}',
    '{"contentTime":"99999999999999999999","wallClockTime":"1","timelineSpeedMultiplier":1e400}',
    b"\x00\xff" * 500,
]
ABSURD = [
    {"contentTime": ticks, "wallClockTime": time, "timelineSpeedMultiplier": speed}
    for ticks in ("0", "-9223372036854775808", "9223372036854775807")
    for time in ("0", "-9223372036854775808", "9223372036854775807") for speed in (1, 0, -1, 1e-300, 1e18, -1.5)
]
# An opcode that is reserved, a text of 2^62 octets, a control frame that is too long, a mask from a server.
FRAMES = [
    b"\x83\x01x", b"\x81\x7f" + struct.pack(">Q", 1 << 62) + b"x", b"\x89\x7e\x10\x00" + b"x" * 4096, b"\x81\x81xxxxx",
]
turn = 0


async def fragments():
    while True:
        yield "x" * 10_000


async def hurt(link, service, deed):
    """The deed; a client that hangs up raises ConnectionClosed."""
    global turn
    if deed == "garbage":
        # One a connection, since a client may hang up at the first.
        turn += 1
        await link.send(GARBAGE[turn % len(GARBAGE)])
        for text in GARBAGE:
            await link.send(text)
    elif deed == "oversized":
        await link.send("x" * (8 << 20))
    elif deed == "endless":
        await link.send(fragments())
    elif deed == "frames":
        turn += 1
        link.transport.write(FRAMES[turn % len(FRAMES)])
    elif deed == "flood" and service == "cii":
        await link.send(json.dumps(INFORMATION))
        for number in range(20_000):
            await link.send(json.dumps({"presentationStatus": f"okay {number}"}))
    elif deed == "flood":
        for number in range(20_000):
            await link.send(json.dumps(
                {"contentTime": None, "wallClockTime": f"{number}", "timelineSpeedMultiplier": None}))
    elif deed == "version":
        await link.send(json.dumps(INFORMATION | {"protocolVersion": "1.2"}))
    elif deed == "absurd":
        for timestamp in ABSURD:
            await link.send(json.dumps(timestamp))
            await asyncio.sleep(0.02)
    elif deed == "fair":
        await link.send(json.dumps({"contentTime": None, "wallClockTime": "0", "timelineSpeedMultiplier": None}))


async def serve(link):
    path = getattr(link, "path", None) or link.request.path
    service, deed = path.strip("/").split("/")
    told = deed
    if service == "cii" and deed.startswith("ts-"):
        await link.send(json.dumps(INFORMATION | {"tsUrl": f"ws://127.0.0.1:{PORT}/ts/{deed[3:]}"}))
    else:
        if service == "ts":
            told = f"ts-{deed}"
            await link.recv()  # what the client wants to follow
        print(json.dumps({"does": told}), flush=True)
        await hurt(link, service, deed)
    await link.wait_closed()


class WallClock(asyncio.DatagramProtocol):
    def connection_made(self, transport):
        self.transport = transport

    def datagram_received(self, request, sender):
        if len(request) == 32:
            now = struct.pack(">LL", *divmod(time.monotonic_ns(), 1_000_000_000))
            self.transport.sendto(struct.pack(">BBbBL", 0, 1, -20, 0, 50 * 256) + request[8:16] + now + now, sender)


async def run():
    await asyncio.get_running_loop().create_datagram_endpoint(WallClock, local_addr=("127.0.0.1", WALL_CLOCK_PORT))
    async with websockets.serve(serve, "127.0.0.1", PORT, ping_interval=None, max_size=None):
        print(json.dumps({"ready": True}), flush=True)
        parent = os.getppid()
        while os.getppid() == parent:
            await asyncio.sleep(0.2)


asyncio.run(run())
