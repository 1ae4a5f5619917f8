#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Gives a client without TLS a connection with TLS for each of its own: tls_relay.py PORT SERVER_PORT CERTIFICATE."""

import asyncio
import ssl
import sys


async def copy(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except (ConnectionError, ssl.SSLError):
        pass  # the other direction ends as well
    finally:
        writer.close()


async def main():
    port, server, certificate = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    context = ssl.create_default_context(cafile=certificate)

    async def relay(reader, writer):
        try:
            out_reader, out_writer = await asyncio.open_connection(
                "127.0.0.1", server, ssl=context, server_hostname="localhost", limit=16384)
        except (ConnectionError, ssl.SSLError):
            writer.close()
            return
        await asyncio.gather(copy(reader, out_writer), copy(out_reader, writer))

    listening = await asyncio.start_server(relay, "127.0.0.1", port, backlog=4096, limit=16384)
    await listening.serve_forever()


asyncio.run(main())
