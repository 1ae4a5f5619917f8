# SPDX-License-Identifier: Apache-2.0
"""Clients of a box's HTTP by TLS that know nothing of it: secure_peer.py SCENARIO PORT [ARGUMENT...]

Prints one line of JSON. Python's ssl is OpenSSL, its websockets a library of its own.
"""
import asyncio, hashlib, http.client, json, socket, ssl, sys, time
import websockets

SCENARIO, PORT = sys.argv[1], int(sys.argv[2])
URL = f"wss://127.0.0.1:{PORT}/v1/events"


def trusting(fingerprint=None):
    """A context that asks no authority; who has a fingerprint compares it."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def secure(context=None):
    return (context or trusting()).wrap_socket(socket.create_connection(("127.0.0.1", PORT), timeout=20))


def ask(method, path, body=None, fields=None, patience=20):
    link = http.client.HTTPSConnection("127.0.0.1", PORT, timeout=patience, context=trusting())
    link.request(method, path, body and json.dumps(body), {"Content-Type": "application/json", **(fields or {})})
    answer = link.getresponse()
    text = answer.read()
    link.close()
    return answer.status, json.loads(text) if text.startswith(b"{") else text.decode()


def versions():
    """Which versions of TLS and which ciphers of 1.2 make a connection, and the certificate that is seen."""
    made = {}
    for name in ("TLSv1", "TLSv1_1", "TLSv1_2", "TLSv1_3"):
        context = trusting()
        context.set_ciphers("ALL:@SECLEVEL=0")
        context.minimum_version = context.maximum_version = ssl.TLSVersion[name]
        try:
            with secure(context) as link:
                made[name] = link.cipher()[0]
        except (ssl.SSLError, OSError):
            made[name] = None
    for cipher in ("AES128-GCM-SHA256", "ECDHE-ECDSA-AES128-SHA256", "ECDHE-ECDSA-AES256-SHA"):
        context = trusting()
        context.set_ciphers(cipher + ":@SECLEVEL=0")
        context.maximum_version = ssl.TLSVersion.TLSv1_2
        try:
            with secure(context) as link:
                made[cipher] = link.cipher()[0]
        except (ssl.SSLError, OSError):
            made[cipher] = None
    with secure() as link:
        made["fingerprint"] = hashlib.sha256(link.getpeercert(binary_form=True)).hexdigest().upper()
        made["alpn"] = link.selected_alpn_protocol()
    context = trusting()
    context.set_alpn_protocols(["h2", "http/1.1"])
    with secure(context) as link:
        made["alpn"] = link.selected_alpn_protocol()
    return made


def hostile(count):
    """Connections that never begin TLS, that begin and do not go on, and that send a head, and a body, as slowly as they
    can. A caller is served meanwhile; how long until all are ended."""
    links = []
    begun = time.monotonic()
    for number in range(count):
        link = socket.create_connection(("127.0.0.1", PORT), timeout=1)
        if number % 2:
            link.sendall(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")
        links.append(link)
    slow = [secure() for _ in range(4)]
    for link in slow[:2]:
        link.sendall(b"GET /v1/status HTTP/1.1\r\nHost: 127")
    for link in slow[2:]:
        link.sendall(
            f"POST /v1/tune HTTP/1.1\r\nHost: 127.0.0.1:{PORT}\r\nContent-Type: application/json\r\n"
            "Content-Length: 400\r\n\r\n".encode())
    served = [ask("GET", "/v1/version")[0] for _ in range(3)]
    ended = {}
    open_links = {f"handshake {number}": link for number, link in enumerate(links)}
    open_links |= {f"{'head' if number < 2 else 'body'} {number}": link for number, link in enumerate(slow)}
    while open_links and time.monotonic() - begun < 100:
        for name, link in list(open_links.items()):
            try:
                link.settimeout(0.02)
                if name.startswith(("head", "body")):
                    link.sendall(b"1")
                if link.recv(100) == b"":
                    raise ConnectionError()
            except (TimeoutError, ssl.SSLWantReadError):
                continue
            except OSError:
                ended[name.split()[0]] = round(time.monotonic() - begun, 1)
                del open_links[name]
        time.sleep(0.5)
    return {"served": served, "ended": ended, "left": len(open_links)}


def surplus(limit):
    """As many connections as there may be, and what those beyond are told."""
    links, codes = [], []
    for _ in range(limit):
        links.append(secure())
    for _ in range(4):
        try:
            codes.append(ask("GET", "/v1/version")[0])
        except OSError as error:
            codes.append(type(error).__name__)
    for link in links:
        link.close()
    time.sleep(1)
    return {"open": len(links), "codes": codes, "after": ask("GET", "/v1/version")[0]}


def repeated():
    """A change whose answer is lost, and that is sent again with the same key."""
    fields = {"Idempotency-Key": '"lost"'}
    before = ask("GET", "/v1/status")[1]["volume"]
    text = json.dumps({"volume": 33})
    with secure() as link:
        link.sendall((
            f"POST /v1/volume HTTP/1.1\r\nHost: 127.0.0.1:{PORT}\r\nContent-Type: application/json\r\n"
            f'Idempotency-Key: "lost"\r\nContent-Length: {len(text)}\r\n\r\n{text}').encode())
        # Hangs up without a look at the answer.
    deadline = time.monotonic() + 10
    while ask("GET", "/v1/status")[1]["volume"] != 33 and time.monotonic() < deadline:
        time.sleep(0.05)
    ask("POST", "/v1/volume", {"volume": 60})
    again = ask("POST", "/v1/volume", {"volume": 33}, fields)
    after = ask("GET", "/v1/status")[1]["volume"]
    other = ask("POST", "/v1/volume", {"volume": 34}, fields)
    wrong = ask("POST", "/v1/volume", {"volume": 34}, {"Idempotency-Key": '"a'})
    return {"before": before, "again": again, "after": after, "other": other[0], "wrong": wrong[0]}


async def listen(since, run, until):
    """The greeting, the sequences up to `until`, and what was told to be lost."""
    query = "" if since is None else f"?since={since}&run={run}"
    sequences, dropped, greeting = [], 0, None
    # Without a limit of its queue, or it does not get to the server's close behind messages that nobody reads.
    async with websockets.connect(URL + query, ssl=trusting(), ping_interval=None, max_queue=None) as link:
        async for text in link:
            message = json.loads(text)
            greeting = greeting or message
            dropped += message.get("dropped", 0)
            if "event" in message:
                sequences.append(message["event"]["sequence"])
            if sequences and sequences[-1] >= until:
                break
    return greeting, sequences, dropped


async def resumed(count):
    """Follows the events on connections that are cut again and again, and finds each event once."""
    first = ask("GET", "/v1/events")[1]
    since, run = first["next"] - 1, first["run"]
    start, heard, resumptions = since, [], []
    for number in range(count):
        ask("POST", "/v1/volume", {"volume": number % 100})
        if number % 5 == 4:
            greeting, sequences, dropped = await listen(since, run, since + 3)
            heard += sequences
            resumptions.append(greeting["resumed"] and dropped == 0 and greeting["run"] == run)
            since = sequences[-1]
    last = ask("GET", "/v1/events")[1]["next"] - 1
    if last > since:
        heard += (await listen(since, run, last))[1]
    other, _, _ = await listen(since, "another", 0)
    return {
        "whole": heard == list(range(start + 1, last + 1)), "resumed": all(resumptions), "times": len(resumptions),
        "otherRun": other["resumed"],
    }


if SCENARIO == "resumed":
    result = asyncio.run(resumed(int(sys.argv[3])))
else:
    result = globals()[SCENARIO](*[int(word) for word in sys.argv[3:]])
print(json.dumps(result))
