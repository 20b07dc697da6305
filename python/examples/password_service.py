# SPDX-License-Identifier: Apache-2.0
"""An asyncio service that checks passwords: more requests arrive than it can hash at once.

A Token policy limits the hashes in flight. ``run_async`` lets only the request's coroutine wait for
a free token, so the event loop answers the other clients. The program sends itself requests, and
measures how late the loop resumes a coroutine that only sleeps: this delay is a stall of the loop.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import hmac
import os
import time

import pointsman as pm

policy = pm.Token([pm.Arena(2)], tokens=2)


def hashed(password: str, salt: bytes) -> bytes:
    """Return a hash that takes long to compute by design, about 50 ms."""
    return hashlib.pbkdf2_hmac("sha256", password.encode(), salt, 100_000)


SALTS = {"ann": os.urandom(16)}
HASHES = {"ann": hashed("secret", SALTS["ann"])}


def is_right(user: str, password: str) -> bool:
    """Return True if this is the user's password. Runs on the arena."""
    found = hashed(password, SALTS.get(user, b""))
    return hmac.compare_digest(found, HASHES.get(user, b""))


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer one client: a line ``user password`` gets ``yes`` or ``no``."""
    user, password = (await reader.readline()).decode().split()
    submission = await policy.run_async(is_right, user, password)  # waits for a token
    writer.write(b"yes\n" if await submission else b"no\n")  # waits for the hash
    await writer.drain()
    writer.close()


async def ask(port: int, password: str) -> str:
    """Be a client; return the answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(f"ann {password}\n".encode())
        return (await reader.readline()).decode().strip()
    finally:
        writer.close()


class StallMeter:
    """Measures the longest delay, in seconds, with which the event loop resumes a coroutine."""

    longest = 0.0

    async def run(self, beat: float = 0.001) -> None:
        """Sleep for ``beat`` seconds again and again, until cancelled."""
        while True:
            due = time.perf_counter() + beat
            await asyncio.sleep(beat)
            self.longest = max(self.longest, time.perf_counter() - due)


async def answer_requests(number: int, timeout: float) -> tuple[list[object], float]:
    """Serve ``number`` simultaneous clients; return the outcomes and the longest stall."""
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    meter = StallMeter()
    measuring = asyncio.create_task(meter.run())
    passwords = ["secret" if i % 4 == 0 else f"guess{i}" for i in range(number)]
    clients = (asyncio.wait_for(ask(port, password), timeout) for password in passwords)
    outcomes: list[object] = await asyncio.gather(*clients, return_exceptions=True)
    measuring.cancel()
    server.close()
    await server.wait_closed()
    return outcomes, meter.longest


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--requests", type=int, default=20)
    parser.add_argument("--timeout", type=float, default=5.0, help="of a client, in seconds")
    parser.add_argument("--stall", type=float, default=20.0, help="longest accepted, in ms")
    options = parser.parse_args()
    begin = time.perf_counter()
    outcomes, stall = asyncio.run(answer_requests(options.requests, options.timeout))
    seconds = time.perf_counter() - begin
    yes, no = outcomes.count("yes"), outcomes.count("no")
    print(f"{yes} yes, {no} no and {len(outcomes) - yes - no} timeouts in {seconds:.2f} s")
    print(f"longest stall of the loop: {1000 * stall:.1f} ms; accepted: {options.stall:g} ms")
    if yes + no < len(outcomes) or 1000 * stall > options.stall:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
