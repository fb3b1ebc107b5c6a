"""Media over QUIC for broadcasts: publishes each fragment of an asset when it has been made, to whoever watches.

moq_relay.py MEDIA_FOLDER HOST SOCKET LEDGER, with the address to listen on in H2H3_SERVER_ADDRESS.

HTTP/1.1 on SOCKET: GET /live/START_MS/SECONDS/ASSET/moq.json begins a broadcast and answers with its name, the relay's port
and the SHA-256 of its certificate; what names no broadcast that there is media for gets 404 with why. LEDGER gets a line for each session, when it begins and when it is over.
"""

import asyncio
import itertools
import json
import os
import re
import struct
import sys
import time
from pathlib import Path

import moq

# A player drops what it still holds when a broadcast is over, and stays this far behind at the most (s).
LONGEST_DELAY = 10

BROADCAST_PATH = re.compile(r"^/live/(\d{1,15})/(\d{1,5})/([\w@-]+)/moq\.json$")


def track_of(folder, asset):
    """The folder of the best track."""
    return folder / asset["tracks"][-1]["representation"]


def segment_file(track, number):
    return track / f"{number:05}.m4s"


def segment_count(folder, asset):
    """How many segments there are from the first on, without a gap."""
    track = track_of(folder, asset)
    return next(number for number in itertools.count() if not segment_file(track, number + 1).is_file())


def fragments(segment):
    """Each `moof` of a segment with its `mdat`, in order."""
    offset = 0
    start = 0
    while offset < len(segment):
        size, kind = struct.unpack_from(">I4s", segment, offset)
        if kind == b"moof":
            start = offset
        offset += size
        if kind == b"mdat":
            yield segment[start:offset]


class NoBroadcast(Exception):
    """What was asked for, and why it cannot be."""


def path_of(head):
    """Of a request; whatever it is, or is not, in the request's first line."""
    words = head.split(b"\r\n", 1)[0].split(b" ")
    return words[1].decode("latin-1").split("?")[0] if len(words) > 1 else ""


class Relay:
    def __init__(self, media_folder, server, ledger_file, tasks):
        self.media_folder = Path(media_folder)
        self.server = server
        self.ledger_file = ledger_file
        # What fails in one of them ends the relay.
        self.tasks = tasks
        self.begun = 0
        self.port = int(server.local_addr.rsplit(":", 1)[1])
        # A server that accepts sessions does not tell it any more.
        self.sha256 = server.cert_fingerprints()[0]

    def note(self, event, **facts):
        line = {"atEpochMs": time.time() * 1000, "event": event, **facts}
        with open(self.ledger_file, "a", encoding="utf-8") as ledger:
            ledger.write(json.dumps(line) + "\n")

    async def take_sessions(self):
        async for request in self.server:
            self.tasks.create_task(self.hold(request))

    async def hold(self, request):
        transport = request.transport.name.lower()
        why = ""
        try:
            session = await request.accept()
            self.note("session", transport=transport)
            await session.closed()
        except moq.Error as reason:
            # A session ends by raising why.
            why = str(reason)
        self.note("closed", transport=transport, why=why)

    def begin(self, path):
        """
        Begins a broadcast. All that a request can ask wrongly is found here, because what fails in the broadcast ends the relay.
        Raises NoBroadcast.
        """
        found = BROADCAST_PATH.match(path)
        if found is None:
            raise NoBroadcast(f"{path} is not /live/START_MS/SECONDS/ASSET/moq.json")
        start_ms, seconds, name = int(found[1]), int(found[2]), found[3]
        folder = self.media_folder / name
        if not (folder / "asset.json").is_file():
            raise NoBroadcast(f"there is no asset {name}")
        asset = json.loads((folder / "asset.json").read_text(encoding="utf-8"))
        there = asset["chunkSeconds"] * segment_count(folder, asset)
        if seconds > there:
            raise NoBroadcast(f"{name} has {there} seconds, not {seconds}")
        self.begun += 1
        broadcast = f"{start_ms}-{self.begun}.hang"
        self.tasks.create_task(self.feed(folder, asset, broadcast, start_ms, seconds))
        return {"broadcast": broadcast, "port": self.port, "sha256": self.sha256}

    async def feed(self, folder, asset, name, start_ms, seconds):
        """The best track, fragment by fragment; what was due before is published at once."""
        track = track_of(folder, asset)
        chunk_ms = asset["chunkSeconds"] * 1000
        part_ms = asset.get("partSeconds", 1) * 1000
        broadcast = self.server.create_broadcast(name)
        stream = broadcast.publish_container_stream(moq.ContainerFormat.FMP4)
        broadcast.announce()
        stream.write((track / "init.mp4").read_bytes())
        for number in range(seconds // asset["chunkSeconds"]):
            segment = segment_file(track, number + 1).read_bytes()
            for part, fragment in enumerate(fragments(segment)):
                due_ms = start_ms + number * chunk_ms + (part + 1) * part_ms
                await asyncio.sleep(max(0, due_ms / 1000 - time.time()))
                stream.write(fragment)
        await asyncio.sleep(LONGEST_DELAY)
        stream.finish()

    async def answer(self, reader, writer):
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                try:
                    said, status = self.begin(path_of(head)), "200 OK"
                except NoBroadcast as why:
                    said, status = {"why": str(why)}, "404 Not Found"
                body = json.dumps(said).encode()
                writer.write(
                    f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
                    "Access-Control-Allow-Origin: *\r\nTiming-Allow-Origin: *\r\nCache-Control: no-cache\r\n\r\n".encode()
                    + body
                )
                await writer.drain()
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError):
            pass
        finally:
            writer.close()


async def main():
    media_folder, host, socket, ledger_file = sys.argv[1:5]
    address = os.environ["H2H3_SERVER_ADDRESS"]
    async with moq.Server(f"{address}:0", tls_generate=[host]) as server:
        async with asyncio.TaskGroup() as tasks:
            relay = Relay(media_folder, server, ledger_file, tasks)
            async with await asyncio.start_unix_server(relay.answer, socket):
                await relay.take_sessions()


asyncio.run(main())
