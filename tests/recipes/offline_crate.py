"""Runs roc-validator where nothing may be fetched: the JSON-LD context of RO-Crate comes from a file, all else is refused.

offline_crate.py CONTEXT.json WORDS… (the words of rocrate-validator)
"""

import email.message
import io
import sys
import urllib.request
import urllib.response

import requests
import urllib3

with open(sys.argv.pop(1), "rb") as file:
    CONTEXT = file.read()
TYPE = "application/ld+json"


def is_context(url):
    return "w3id.org/ro/" in url or "researchobject.org" in url


class Kept(urllib.request.BaseHandler):
    """Comes before the handlers that would connect."""

    handler_order = 100

    def answer(self, request):
        if not is_context(request.full_url):
            return None
        head = email.message.Message()
        head["Content-Type"] = TYPE
        response = urllib.response.addinfourl(io.BytesIO(CONTEXT), head, request.full_url, 200)
        response.msg = "OK"
        return response

    http_open = https_open = answer


def send(_adapter, request, **_options):
    if not is_context(request.url):
        raise requests.ConnectionError("not fetched: " + request.url)
    response = requests.Response()
    response.status_code, response.url, response.request = 200, request.url, request
    response.headers["Content-Type"] = TYPE
    response.raw = urllib3.HTTPResponse(io.BytesIO(CONTEXT), headers={"Content-Type": TYPE}, status=200, preload_content=False)
    return response


urllib.request.install_opener(urllib.request.build_opener(Kept))
requests.adapters.HTTPAdapter.send = send

from rocrate_validator.cli.main import cli  # noqa: E402: after what it would fetch by is replaced

cli()
