"""Writes every exchange that passes mitmproxy: one JSON line each, bodies as they were on the wire.

The folder is named by the environment variable H2H3_RECORD_DIR; bodies are named by their SHA-256. Bodies pass as they
come, so that a page meets what trickles as it trickles, and when each piece came is written down. What goes on is told
in the file "activity", a JSON line for each step of a request. A page from elsewhere does not reach this machine and the
networks around it: what their services answer must not come into an archive.
"""

import asyncio
import collections
import hashlib
import ipaddress
import json
import os
import re
import socket
import time

from arrival_times import Arrivals
from mitmproxy.net.http import status_codes
from mitmproxy.proxy.layers.http import _events, _http1, _http2

WORKERS = ("worker", "sharedworker", "serviceworker")
HINTS = b"x-h2h3-early-hints"
# A piece of a body is told of at most so often, in seconds.
TOLD_EVERY = 0.25


def fail_like_a_network():
    """The proxy's own error pages would make of a server that cannot be reached one that answers."""
    plain = _events.ResponseProtocolError.__init__

    def init(self, stream_id, message, code=status_codes.NO_RESPONSE):
        # It is made of what a server does only, though its words are the same for either side.
        plain(self, stream_id, message.replace("reset by client", "reset by server"), status_codes.NO_RESPONSE)

    _events.ResponseProtocolError.__init__ = init


def keep_early_hints():
    """mitmproxy swallows answers of status 103: here they are handed on in a header of the final answer."""
    plain = _http2.Http2Client.handle_h2_event

    def handle(self, event):
        hints = self.__dict__.setdefault("h2h3_hints", {})
        if isinstance(event, _http2.h2.events.InformationalResponseReceived):
            pairs = [[name.decode("latin-1"), value.decode("latin-1")] for name, value in event.headers]
            if [":status", "103"] in pairs:
                kept = [pair for pair in pairs if not pair[0].startswith(":")]
                hints.setdefault(event.stream_id, []).append(kept)
        elif isinstance(event, _http2.h2.events.ResponseReceived) and event.stream_id in hints:
            text = json.dumps(hints.pop(event.stream_id)).encode("latin-1")
            event.headers = list(event.headers) + [(HINTS, text)]
        return (yield from plain(self, event))

    _http2.Http2Client.handle_h2_event = handle


TOKEN = re.compile(rb"^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")


def read_heads_like_a_browser():
    """Old servers write heads that browsers take and mitmproxy refuses; what a length is comes out as one number."""
    http1 = _http1.http1
    plain = http1.read_response_head

    def read(lines):
        first, *rest = lines
        named = [line for line in rest if line[:1] in (b" ", b"\t") or line.partition(b":")[0].strip() and b":" in line]
        head = plain([first, *named])
        fields = [(name.strip(), value.replace(b"\r\n ", b" ")) for name, value in head.headers.fields]
        fields = [(name, value) for name, value in fields if TOKEN.match(name)]
        lengths = [value for name, value in fields if name.lower() == b"content-length"]
        others = [field for field in fields if field[0].lower() != b"content-length"]
        numbers = {int(part) if part.strip().isdigit() else -1 for value in lengths for part in value.split(b",")}
        chunked = any(name.lower() == b"transfer-encoding" for name, value in others)
        if len(numbers) > 1 and not chunked:
            raise ValueError(f"lengths that differ: {lengths!r}")
        told = [(b"Content-Length", b"%d" % number) for number in numbers if number >= 0 and not chunked]
        head.headers.fields = tuple(others + told)
        return head

    http1.read_response_head = read


def ascii_name(host):
    """As a browser asks for it: mitmproxy shows international names in letters that no rule and no archive has."""
    try:
        return host.encode("idna").decode("ascii")
    except UnicodeError:
        return host


async def is_local(host, port):
    """Whether a host is this machine or in a network that is not the Internet; one that is not found is not."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError:
        return False
    return any(not ipaddress.ip_address(entry[4][0].partition("%")[0]).is_global for entry in found)


def now():
    """Wall clock, and what this thread, which does all of the proxy's work, has worked until then; in seconds."""
    return time.time(), time.thread_time()


# What has come is read in one turn of the event loop, handed to its layer in the next, and to an add-on in the one after.
TURNS_TO_HERE = 3


class Turns:
    """How much this thread had worked when the event loop last looked for what has come, look by look; in seconds."""

    def __init__(self):
        self.worked = collections.deque(maxlen=TURNS_TO_HERE + 1)

    def watch(self, loop):
        selector = loop._selector
        plain = selector.select

        def select(timeout=None):
            found = plain(timeout)
            self.worked.append(time.thread_time())
            return found

        selector.select = select

    def before_it_came(self):
        """At the last look at which what an add-on is told of now had not come yet."""
        return self.worked[0] if self.worked else 0


class Recorder:
    def __init__(self):
        self.directory = os.environ["H2H3_RECORD_DIR"]
        os.makedirs(os.path.join(self.directory, "bodies"), exist_ok=True)
        rules = [rule.split(":") for rule in os.environ.get("H2H3_CONNECT_TO", "").split()]
        self.connect_to = {(host, int(port)): (to, int(to_port)) for host, port, to, to_port in rules}
        self.asked_addresses = {}
        self.connected = {}
        self.turns = Turns()
        self.starts = [tuple(start.rsplit(" ", 1)) for start in os.environ.get("H2H3_STARTS", "").splitlines()]
        self.may_be_local = None
        script = os.environ.get("H2H3_WORKER_SCRIPT", "")
        self.worker_script = open(script, "rb").read() if script else None
        self.lines = open(os.path.join(self.directory, "flows.jsonl"), "a", buffering=1)
        self.activity = open(os.path.join(self.directory, "activity"), "a", buffering=1)

    def running(self):
        self.turns.watch(asyncio.get_running_loop())

    def tell(self, step, flow, **more):
        self.activity.write(json.dumps({"step": step, "id": flow.id, **more}) + "\n")

    async def server_connect(self, data):
        address = data.server.address and (ascii_name(data.server.address[0]), *data.server.address[1:])
        self.asked_addresses[data.server.id] = address
        if address and address in self.connect_to:
            data.server.sni = data.server.sni or address[0]
            data.server.address = self.connect_to[address]
        # A connection that is opened again has the place already to which the rule leads.
        elif address in self.connect_to.values():
            pass
        elif address and await is_local(*address[:2]) and not await self.is_local_allowed():
            data.server.error = "a page from elsewhere does not reach this machine and its network"
            line = {"unreachable": address[0], "port": address[1], "reason": data.server.error}
            self.lines.write(json.dumps(line) + "\n")

    async def is_local_allowed(self):
        """A page of this machine or its network may load what is there as well."""
        if self.may_be_local is None:
            self.may_be_local = any([await is_local(host, int(port)) for host, port in self.starts])
        return self.may_be_local

    def server_connected(self, data):
        self.connected[data.server.id] = now()

    def tls_established_server(self, data):
        self.connected[data.conn.id] = now()

    def server_connect_error(self, data):
        host, port = self.asked_addresses.get(data.server.id) or data.server.address
        line = {"unreachable": host, "port": port, "reason": str(data.server.error)}
        self.lines.write(json.dumps(line) + "\n")

    def body(self, content):
        if not content:
            return None
        name = hashlib.sha256(content).hexdigest()
        with open(os.path.join(self.directory, "bodies", name), "wb") as file:
            file.write(content)
        return name

    def request(self, flow):
        headers = flow.request.headers
        # What the browser asks for by itself is not waited for.
        of_page = headers.get("sec-fetch-site", "none") != "none"
        stream = "text/event-stream" in headers.get("accept", "")
        key = f"{flow.request.method} {flow.request.url} {hashlib.sha256(flow.request.raw_content or b'').hexdigest()}"
        if of_page:
            self.tell("sent", flow, key=key, stream=stream)
        # Requests that came at once are read at once and sent on one after the other; here this one is.
        flow.metadata["passed"] = now()

    def responseheaders(self, flow):
        response = flow.response
        flow.metadata["answered"] = (*now(), self.turns.before_it_came())
        flow.metadata["hints"] = json.loads(response.headers.pop(HINTS.decode(), "[]"))
        flow.metadata["pieces"] = pieces = []
        flow.metadata["parts"] = parts = []
        self.tell("answered", flow)
        if self.worker_script and flow.request.headers.get("sec-fetch-dest") in WORKERS:
            return
        told = time.time()

        def keep(data):
            nonlocal told
            if data:
                parts.append(data)
                pieces.append([data.came * 1000, len(data)])
                if time.time() - told > TOLD_EVERY:
                    told = time.time()
                    self.tell("data", flow)
            return data

        response.stream = keep

    def response(self, flow):
        self.write(flow, None)
        if self.worker_script and flow.request.headers.get("sec-fetch-dest") in WORKERS:
            if flow.response.status_code == 200:
                flow.response.content = self.worker_script + flow.response.content
        self.tell("ended", flow)

    def error(self, flow):
        message = str(flow.error.msg if flow.error else "")
        by_client = any(word in message.lower() for word in ("client", "killed"))
        self.write(flow, "aborted" if by_client else "broken")
        self.tell("ended", flow)

    def write(self, flow, failure):
        request, response = flow.request, flow.response
        content = b"".join(flow.metadata.get("parts", [])) or (response.raw_content if response else None)
        fields = response.headers.fields if response else ()
        vary = ",".join(value.decode("latin-1") for name, value in fields if name.lower() == b"vary")
        wanted = [name.strip().lower() for name in vary.split(",") if name.strip() not in ("", "*")]
        self.lines.write(
            json.dumps(
                {
                    "method": request.method,
                    "scheme": request.scheme,
                    "host": ascii_name(request.pretty_host),
                    "port": self.port(request),
                    "target": request.path,
                    "fetchSite": request.headers.get("sec-fetch-site", ""),
                    "range": request.headers.get("range", ""),
                    "vary": {name: request.headers.get(name, "") for name in wanted},
                    "requestType": request.headers.get("content-type", ""),
                    "requestBody": self.body(request.raw_content),
                    "status": response.status_code if response else 0,
                    "failure": failure,
                    "reason": str(flow.error.msg) if flow.error else "",
                    "headers": [
                        [name.decode("latin-1"), value.decode("latin-1")] for name, value in fields
                    ],
                    "hints": flow.metadata.get("hints", []),
                    "body": self.body(content),
                    "pieces": flow.metadata.get("pieces", []),
                    "startEpochMs": (request.timestamp_start or 0) * 1000,
                    "answerEpochMs": (response.timestamp_start or 0) * 1000 if response else 0,
                    **self.wait(flow),
                }
            )
            + "\n"
        )

    def port(self, request):
        """As the browser asked for it: mitmproxy gives a request the port that its connection went to."""
        _, _, port = (request.host_header or "").rpartition(":")
        return int(port) if port.isdigit() else {"http": 80}.get(request.scheme, 443)

    def wait(self, flow):
        """Until the server's first byte came, and how long it took to connect, which is the way there and back.

        While the proxy works on something else, an answer that has come is not read: of a page that asks for many things
        at once that is the greater part. So what it worked itself does not count, as far back as the answer may have been there.
        """
        server, answered = flow.server_conn, flow.metadata.get("answered")
        passed = flow.metadata.get("passed")
        if not answered or not passed:
            return {"waitMs": 0}
        began, worked = max(passed, self.connected.get(server.id, passed))
        read, worked_until, worked_before = answered
        own = worked_until - max(worked, worked_before)
        wait = {"waitMs": max(0, read - began - own) * 1000}
        if not (server.timestamp_start and server.timestamp_tcp_setup):
            return wait
        return {
            **wait,
            "connectMs": (server.timestamp_tcp_setup - server.timestamp_start) * 1000,
            "server": " ".join(str(part) for part in server.peername or server.address),
        }

    def done(self):
        self.lines.close()
        self.activity.close()


fail_like_a_network()
keep_early_hints()
read_heads_like_a_browser()
ARRIVALS = Arrivals()
addons = [Recorder()]
