"""Writes every exchange that passes mitmproxy: one JSON line each, bodies as they were on the wire.

The folder is named by the environment variable H2H3_RECORD_DIR; bodies are named by their SHA-256. The file
"activity" gets a "+" for each request of a page or of its workers, and a "-" when its exchange is written or failed.
"""

import hashlib
import json
import os


class Recorder:
    def __init__(self):
        self.directory = os.environ["H2H3_RECORD_DIR"]
        os.makedirs(os.path.join(self.directory, "bodies"), exist_ok=True)
        rules = [rule.split(":") for rule in os.environ.get("H2H3_CONNECT_TO", "").split()]
        self.connect_to = {(host, int(port)): (to, int(to_port)) for host, port, to, to_port in rules}
        # mitmproxy gives a request the port that its connection went to.
        self.asked_ports = {(host, int(to_port)): int(port) for host, port, to, to_port in rules}
        self.lines = open(os.path.join(self.directory, "flows.jsonl"), "a", buffering=1)
        self.activity = open(os.path.join(self.directory, "activity"), "ab", buffering=0)
        self.under_way = set()

    def server_connect(self, data):
        address = data.server.address
        if address and address in self.connect_to:
            data.server.sni = data.server.sni or address[0]
            data.server.address = self.connect_to[address]

    def body(self, content):
        if not content:
            return None
        name = hashlib.sha256(content).hexdigest()
        with open(os.path.join(self.directory, "bodies", name), "wb") as file:
            file.write(content)
        return name

    def requestheaders(self, flow):
        headers = flow.request.headers
        # What the browser asks for by itself is not waited for, nor are event streams: they end with their page.
        of_page = headers.get("sec-fetch-site", "none") != "none"
        if of_page and "text/event-stream" not in headers.get("accept", ""):
            self.under_way.add(flow.id)
            self.activity.write(b"+")

    def ended(self, flow):
        if flow.id in self.under_way:
            self.under_way.remove(flow.id)
            self.activity.write(b"-")

    def error(self, flow):
        self.ended(flow)

    def response(self, flow):
        self.write(flow)
        self.ended(flow)

    def write(self, flow):
        request, response = flow.request, flow.response
        self.lines.write(
            json.dumps(
                {
                    "method": request.method,
                    "host": request.pretty_host,
                    "port": self.asked_ports.get((request.pretty_host, request.port), request.port),
                    "target": request.path,
                    "fetchSite": request.headers.get("sec-fetch-site", ""),
                    "range": request.headers.get("range", ""),
                    "requestBody": self.body(request.raw_content),
                    "status": response.status_code,
                    "headers": [
                        [name.decode("latin-1"), value.decode("latin-1")]
                        for name, value in response.headers.fields
                    ],
                    "body": self.body(response.raw_content),
                    "startEpochMs": request.timestamp_start * 1000,
                    "waitMs": ((response.timestamp_start or 0) - (request.timestamp_end or 0)) * 1000,
                }
            )
            + "\n"
        )

    def done(self):
        self.lines.close()
        self.activity.close()


addons = [Recorder()]
