# SPDX-License-Identifier: Apache-2.0
"""200 WebSockets follow a box's events while one more never reads: followers.py PORT EVENTS

Prints one line of JSON: how many got every event once and in order, what those who came again with ?since= got, and the
slowest answer to a command meanwhile, in milliseconds.
"""
import asyncio, http.client, json, socket, sys, time
import websockets

PORT, EVENTS = int(sys.argv[1]), int(sys.argv[2])
URL = f"ws://127.0.0.1:{PORT}/v1/events"
CLIENTS = 200


async def read(link, last):
    """Sequences up to the last, and what was told to be lost."""
    sequences, dropped = [], 0
    async for text in link:
        message = json.loads(text)
        dropped += message.get("dropped", 0)
        if "event" in message:
            sequences.append(message["event"]["sequence"])
            if sequences[-1] >= last:
                break
    return sequences, dropped


async def follow(since, last, linked):
    async with websockets.connect(f"{URL}?since={since}", ping_interval=None) as link:
        linked.release()
        return await read(link, last)


def deaf():
    """Asks for the events and never reads one."""
    link = socket.socket()
    link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    link.connect(("127.0.0.1", PORT))
    link.sendall(
        f"GET /v1/events?since=0 HTTP/1.1\r\nHost: 127.0.0.1:{PORT}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
    return link


def ask(method, path, body=None):
    link = http.client.HTTPConnection("127.0.0.1", PORT, timeout=30)
    link.request(method, path, body and json.dumps(body), {"Content-Type": "application/json"})
    answer = link.getresponse()
    result = json.loads(answer.read())
    assert answer.status == 200, result
    link.close()
    return result


def command_all():
    slowest = 0
    for number in range(EVENTS):
        begun = time.monotonic()
        ask("POST", "/v1/volume", {"volume": number % 100})
        slowest = max(slowest, time.monotonic() - begun)
    return round(slowest * 1000)


async def main():
    never = deaf()
    first = ask("GET", "/v1/events")["next"] - 1
    last = first + EVENTS
    linked = asyncio.Semaphore(0)
    tasks = [asyncio.create_task(follow(first, last, linked)) for _ in range(CLIENTS)]
    for _ in range(CLIENTS):
        await linked.acquire()
    slowest = await asyncio.to_thread(command_all)
    results = await asyncio.gather(*tasks)
    expected = list(range(first + 1, last + 1))
    whole = sum(sequences == expected and dropped == 0 for sequences, dropped in results)
    middle = first + EVENTS // 2
    again = await follow(middle, last, linked)
    origin = 0
    try:
        async with websockets.connect(URL, origin="http://evil.example"):
            pass
    except Exception as error:  # its class has another name in each version
        response = getattr(error, "response", error)
        origin = getattr(response, "status_code", 0)
    never.close()
    print(json.dumps({
        "whole": whole, "resumed": again == (list(range(middle + 1, last + 1)), 0), "slowestMs": slowest,
        "foreignOrigin": origin,
    }))


asyncio.run(main())
