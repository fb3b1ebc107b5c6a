"""Says when each piece of an answer came to this machine, whatever else the proxy was at work on then.

mitmproxy does all of its work in one thread. While that is busy with the rest of a page, pieces that came one after the
other lie together and are read as one: the pauses of a server that sends a little at a time are gone. Here a thread that
does nothing else reads from the servers and notes the time, and hands each piece on by itself.
"""

import asyncio
import collections
import selectors
import sys
import threading
import time

from mitmproxy.proxy.layers.http import _events

# What may lie here of one connection before no more of it is read, in bytes: TCP then slows its server down.
MOST_WAITING = 4_000_000
READ_SIZE = 65_535
# How often a connection that the proxy has closed is looked for, in seconds.
LOOKS_EVERY = 0.2
# In seconds. The thread has its turn so soon, however busy the other one is.
TURN = 0.001


class Piece(bytes):
    """A piece of a body, and when it came: seconds since the epoch."""

    came: float


class Pieces:
    """In the place of the reader of a connection: what the thread read from it, piece by piece."""

    def __init__(self, arrivals, writer):
        self.arrivals = arrivals
        self.loop = asyncio.get_running_loop()
        self.transport = writer.transport
        # Its own, so that its number is never another connection's.
        self.socket = writer.get_extra_info("socket").dup()
        self.waiting = collections.deque()
        # Each is changed by one thread alone.
        self.read_bytes = self.taken_bytes = 0
        self.is_watched = self.is_over = False
        self.has_more = asyncio.Event()

    def waiting_bytes(self):
        return self.read_bytes - self.taken_bytes

    async def read(self, _size):
        while not self.waiting:
            self.has_more.clear()
            await self.has_more.wait()
        came, data = self.waiting.popleft()
        self.taken_bytes += len(data)
        if self.waiting_bytes() < MOST_WAITING / 2:
            self.arrivals.watch(self)
        # It is taken apart before this thread does anything else.
        self.arrivals.came = came
        return data

    def hand_over(self, came, data):
        self.waiting.append((came, data))
        self.has_more.set()


class Arrivals:
    def __init__(self):
        self.came = 0.0
        self.selector = selectors.DefaultSelector()
        self.lock = threading.Lock()
        self.open = set()
        sys.setswitchinterval(TURN)
        self.take_over_connections()
        self.mark_answers()
        threading.Thread(target=self.read_all, name="arrivals", daemon=True).start()

    def take_over_connections(self):
        plain = asyncio.open_connection

        async def open_connection(*args, **options):
            _, writer = await plain(*args, **options)
            writer.transport.pause_reading()
            pieces = Pieces(self, writer)
            self.open.add(pieces)
            self.watch(pieces)
            return pieces, writer

        asyncio.open_connection = open_connection

    def mark_answers(self):
        plain_data, plain_head = _events.ResponseData.__init__, _events.ResponseHeaders.__init__

        def data(event, stream_id, data):
            piece = Piece(data)
            piece.came = getattr(data, "came", self.came)
            plain_data(event, stream_id, piece)

        def head(event, stream_id, response, *more, **named):
            response.timestamp_start = self.came
            plain_head(event, stream_id, response, *more, **named)

        _events.ResponseData.__init__, _events.ResponseHeaders.__init__ = data, head

    def watch(self, pieces):
        with self.lock:
            if pieces.is_watched or pieces.is_over:
                return
            pieces.is_watched = True
            self.selector.register(pieces.socket, selectors.EVENT_READ, pieces)

    def leave(self, pieces):
        with self.lock:
            if pieces.is_watched:
                self.selector.unregister(pieces.socket)
            pieces.is_watched = False

    def read_all(self):
        looked = time.monotonic()
        while True:
            for key, _ in self.selector.select(LOOKS_EVERY):
                self.read(key.data)
            if time.monotonic() - looked > LOOKS_EVERY:
                looked = time.monotonic()
                self.end_closed()

    def read(self, pieces):
        try:
            data = pieces.socket.recv(READ_SIZE)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        came = time.time()
        pieces.read_bytes += len(data)
        pieces.is_over = not data
        if pieces.is_over or pieces.waiting_bytes() > MOST_WAITING:
            self.leave(pieces)
        try:
            pieces.loop.call_soon_threadsafe(pieces.hand_over, came, data)
        except RuntimeError:
            # The proxy has ended.
            pieces.is_over = True
            self.leave(pieces)

    def end_closed(self):
        """A connection ends when the last who has it open closes it."""
        for pieces in [each for each in list(self.open) if each.transport.is_closing()]:
            pieces.is_over = True
            self.leave(pieces)
            self.open.discard(pieces)
            pieces.socket.close()
