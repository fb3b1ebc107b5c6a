"""Writes every exchange that passes mitmproxy: one JSON line each, bodies as they were on the wire.

The folder is named by the environment variable H2H3_RECORD_DIR; bodies are named by their SHA-256.
"""

import hashlib
import json
import os


class Recorder:
    def __init__(self):
        self.directory = os.environ["H2H3_RECORD_DIR"]
        os.makedirs(os.path.join(self.directory, "bodies"), exist_ok=True)
        self.lines = open(os.path.join(self.directory, "flows.jsonl"), "a", buffering=1)

    def body(self, content):
        if not content:
            return None
        name = hashlib.sha256(content).hexdigest()
        with open(os.path.join(self.directory, "bodies", name), "wb") as file:
            file.write(content)
        return name

    def response(self, flow):
        request, response = flow.request, flow.response
        self.lines.write(
            json.dumps(
                {
                    "method": request.method,
                    "host": request.pretty_host,
                    "port": request.port,
                    "target": request.path,
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


addons = [Recorder()]
