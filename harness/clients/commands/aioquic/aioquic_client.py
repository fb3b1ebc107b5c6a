"""Fetches addresses over HTTP/3 with aioquic, or sends a file to them, throws the answers' bodies away and prints a line of JSON for each."""

import argparse
import asyncio
import base64
import hashlib
import json
import os
import pathlib
import ssl
import sys
import time
from urllib.parse import urlsplit

import aioquic
from aioquic.asyncio.client import connect
from aioquic.asyncio.protocol import QuicConnectionProtocol
from aioquic.h3.connection import H3_ALPN, H3Connection
from aioquic.h3.events import DataReceived, HeadersReceived
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.events import ConnectionTerminated, StreamReset
from aioquic.quic.logger import QuicFileLogger
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

TIME_LIMIT_EXIT_CODE = 28
# Windows that no path on one machine fills: the server is to be the limit.
WINDOW_BYTES = 64 << 20


class Transfer:
    """One answer; times in ms after the program began to fetch."""

    def __init__(self, url, ended):
        self.ended = ended
        self.is_told = False
        self.told = {"url": url, "status": 0, "protocol": "", "bodyBytes": 0, "mimeType": ""}
        for name in ("connectStartMs", "connectEndMs", "requestStartMs", "responseStartMs", "endMs"):
            self.told[name] = 0

    def headers(self, pairs, now_ms):
        headers = dict(pairs)
        self.told["status"] = int(headers.get(b":status", b"0"))
        self.told["mimeType"] = headers.get(b"content-type", b"").decode("latin-1")
        self.told["protocol"] = "h3"
        self.told["responseStartMs"] = now_ms

    def end(self, now_ms, error=None):
        if self.is_told:
            return
        self.is_told = True
        self.told["endMs"] = now_ms
        if error is not None:
            self.told["error"] = error
        # A time limit has cancelled it by then.
        if not self.ended.done():
            self.ended.set_result(None)
        print(json.dumps(self.told), flush=True)


class Client(QuicConnectionProtocol):
    """One HTTP/3 connection."""

    def __init__(self, *args, now_ms, **options):
        super().__init__(*args, **options)
        self.now_ms = now_ms
        self.http = H3Connection(self._quic)
        self.transfers = {}

    def key_hash(self):
        # aioquic has no public way to the certificate.
        key = self._quic.tls._peer_certificate.public_key()
        der = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        return base64.b64encode(hashlib.sha256(der).digest()).decode()

    def ask(self, transfer, body, body_type):
        place = urlsplit(transfer.told["url"])
        target = (place.path or "/") + (f"?{place.query}" if place.query else "")
        headers = [
            (b":method", b"GET" if body is None else b"POST"),
            (b":scheme", b"https"),
            (b":authority", place.netloc.encode()),
            (b":path", target.encode()),
        ]
        stream = self._quic.get_next_available_stream_id()
        self.transfers[stream] = transfer
        transfer.told["requestStartMs"] = self.now_ms()
        if body is not None:
            headers.append((b"content-length", str(len(body)).encode()))
        if body_type:
            headers.append((b"content-type", body_type.encode()))
        self.http.send_headers(stream, headers, end_stream=body is None)
        if body is not None:
            transfer.told["sentBytes"] = len(body)
            self.http.send_data(stream, body, end_stream=True)
        self.transmit()

    def quic_event_received(self, event):
        if isinstance(event, ConnectionTerminated):
            for transfer in self.transfers.values():
                transfer.end(self.now_ms(), event.reason_phrase or f"closed with error {event.error_code}")
        if isinstance(event, StreamReset) and event.stream_id in self.transfers:
            self.transfers[event.stream_id].end(self.now_ms(), f"reset with error {event.error_code}")
        for of_http in self.http.handle_event(event):
            transfer = self.transfers.get(getattr(of_http, "stream_id", None))
            if transfer is None:
                continue
            if isinstance(of_http, HeadersReceived) and transfer.told["status"] == 0:
                transfer.headers(of_http.headers, self.now_ms())
            if isinstance(of_http, DataReceived):
                transfer.told["bodyBytes"] += len(of_http.data)
            if isinstance(of_http, (HeadersReceived, DataReceived)) and of_http.stream_ended:
                transfer.end(self.now_ms())


def configuration_of(options, host):
    folder = os.environ.get("QLOGDIR")
    configuration = QuicConfiguration(
        alpn_protocols=H3_ALPN,
        congestion_control_algorithm=options.congestion,
        max_data=WINDOW_BYTES,
        max_stream_data=WINDOW_BYTES,
        quic_logger=QuicFileLogger(folder) if folder else None,
        server_name=host,
    )
    # The certificate is the project's own: what must be right is its key.
    configuration.verify_mode = ssl.CERT_NONE if options.spki else ssl.CERT_REQUIRED
    return configuration


async def fetch_host(options, place, transfers, now_ms):
    host, port = (options.address or f"{place.hostname}:{place.port or 443}").rsplit(":", 1)
    began_ms = now_ms()
    make = lambda *args, **more: Client(*args, now_ms=now_ms, **more)
    configuration = configuration_of(options, place.hostname)
    body = pathlib.Path(options.body).read_bytes() if options.body else None
    try:
        async with connect(host.strip("[]"), int(port), configuration=configuration, create_protocol=make) as client:
            if options.spki and client.key_hash() != options.spki:
                raise ConnectionError(f"the server's key is {client.key_hash()}, not {options.spki}")
            transfers[0].told.update(connectStartMs=began_ms, connectEndMs=now_ms())
            for transfer in transfers:
                client.ask(transfer, body, options.body_type)
            await asyncio.gather(*(transfer.ended for transfer in transfers))
    except OSError as error:
        for transfer in transfers:
            transfer.end(now_ms(), str(error) or "no connection")


async def fetch_all(options):
    began = time.monotonic()
    now_ms = lambda: round((time.monotonic() - began) * 1000, 3)
    loop = asyncio.get_running_loop()
    by_host = {}
    for url in options.urls:
        by_host.setdefault(urlsplit(url).netloc, []).append(Transfer(url, loop.create_future()))
    every = [transfer for transfers in by_host.values() for transfer in transfers]
    hosts = [fetch_host(options, urlsplit(many[0].told["url"]), many, now_ms) for many in by_host.values()]
    try:
        await asyncio.wait_for(asyncio.gather(*hosts), options.limit or None)
    except asyncio.TimeoutError:
        for transfer in every:
            transfer.end(now_ms(), "the time limit was reached")
        return TIME_LIMIT_EXIT_CODE
    return 1 if any("error" in transfer.told for transfer in every) else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", action="version", version=f"aioquic {aioquic.__version__}\nprotocols: h3")
    parser.add_argument("--protocol", choices=["h3"], default="h3")
    parser.add_argument("--address", help="IP address and port to connect to, whatever the address's host is")
    parser.add_argument("--spki", help="Base64 SHA-256 of the public key that servers must have")
    parser.add_argument("--limit", type=float, default=0, help="seconds after which to give up; 0: never")
    parser.add_argument("--congestion", choices=["reno", "cubic"], default="reno", help="of what is sent")
    parser.add_argument("--body", help="file to send with each request, by POST")
    parser.add_argument("--body-type", help="type of what it holds; absent: none is named")
    parser.add_argument("urls", nargs="*")
    sys.exit(asyncio.run(fetch_all(parser.parse_args())))


main()
