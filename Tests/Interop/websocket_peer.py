# SPDX-License-Identifier: Apache-2.0
"""A WebSocket server or client: websocket_peer.py serve HOST | silent HOST | call URL SCENARIO [ARGUMENT]

A server prints its port, then a line of JSON for each connection that has ended; what it does is in the path. A client
prints one line of JSON.
"""
import asyncio, http, json, socket, sys
import websockets
from websockets.legacy.client import connect
from websockets.legacy.server import serve


def tell(**facts):
    print(json.dumps(facts), flush=True)


async def refuse(path, headers):
    if path.startswith("/refuse/"):
        return http.HTTPStatus(int(path.split("/")[2])), {"Location": "/echo"}, b"no"


async def handle(link, path):
    try:
        await talk(link, path)
    except websockets.exceptions.ConnectionClosed:
        pass  # the code is told below
    await link.wait_closed()
    tell(path=path, code=link.close_code)


async def talk(link, path):
    word, _, argument = path[1:].partition("/")
    if word == "close":
        await link.close(int(argument))
    elif word == "fragments":
        await link.send(["a", "ä", "", "b" * 20_000])
    elif word == "large":
        await link.send("x" * int(argument))
    elif word == "binary":
        await link.send(b"\x00")
    elif word == "badtext":
        await link.write_frame(True, 1, b"a\xff")
    elif word == "flood":
        for number in range(int(argument)):
            await link.send(str(number))
    elif word == "deaf":
        await asyncio.sleep(60)
    else:
        await link.send(json.dumps([path, link.request_headers["Host"], "Origin" in link.request_headers]))
        async for message in link:
            await link.send(message)


async def run_server(host):
    async with serve(handle, host, 0, process_request=refuse, max_size=None, ping_interval=None) as server:
        tell(port=server.sockets[0].getsockname()[1])
        await asyncio.Future()


async def accept_silently(host):
    listener = socket.create_server((host, 0))
    tell(port=listener.getsockname()[1])
    links = []
    while True:
        links.append(await asyncio.to_thread(listener.accept))


async def expect_close(link):
    """What the server closes with."""
    try:
        while True:
            await asyncio.wait_for(link.recv(), 20)
    except websockets.exceptions.ConnectionClosed:
        return link.close_code


async def call(url, scenario, argument):
    if scenario == "short":
        codes = []
        for number in range(int(argument)):
            async with connect(url, ping_interval=None) as link:
                await link.send(str(number))
                if await link.recv() != str(number):
                    break
            codes.append(link.close_code)
        return {"whole": codes.count(1000)}
    async with connect(url, ping_interval=None, max_size=None) as link:
        if scenario == "echo":
            sent = ["a", "ä", "x" * 125, "x" * 126, "x" * 50_000]
            for message in sent:
                await link.send(message)
            await link.send(["f", "ü", "r" * 20_000])
            sent.append("fü" + "r" * 20_000)
            got = [await asyncio.wait_for(link.recv(), 20) for _ in sent]
            await link.close(3001)
            return {"whole": sum(one == other for one, other in zip(sent, got)), "code": link.close_code}
        if scenario == "oversize":
            await link.send("x" * int(argument))
        elif scenario == "fragments":
            await link.send("x" * 1_000 for _ in range(int(argument)))
        elif scenario == "binary":
            await link.send(b"abc")
        elif scenario == "badtext":
            await link.write_frame(True, 1, b"a\xed\xa0\x80")
        elif scenario == "flood":
            for number in range(int(argument)):
                await link.send(str(number))
        elif scenario == "slow":
            await asyncio.sleep(1)
            return {"octets": sum([len(await asyncio.wait_for(link.recv(), 20)) for _ in range(int(argument))])}
        return {"code": await expect_close(link)}


async def main(mode, where, scenario="", argument=""):
    if mode == "serve":
        await run_server(where)
    elif mode == "silent":
        await accept_silently(where)
    else:
        try:
            tell(**await call(where, scenario, argument))
        except websockets.exceptions.ConnectionClosed as error:
            tell(code=error.rcvd.code if error.rcvd else None)
        except websockets.exceptions.InvalidStatusCode as error:
            tell(refused=error.status_code)


asyncio.run(main(*sys.argv[1:]))
