"""Object stores for tests, in threads of this process: S3 by moto, and of Google's as much as our library asks for."""

import email.utils
import hashlib
import threading
import time
import urllib.request
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import MappingProxyType
from typing import ClassVar
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

BUCKET = "bucket1"

ENVIRONMENT = {
    "AWS_ACCESS_KEY_ID": "key",
    "AWS_SECRET_ACCESS_KEY": "secret",
    "AWS_REGION": "us-east-1",
    "AWS_EC2_METADATA_DISABLED": "true",
    "GOOGLE_BEARER_TOKEN": "token",
    "NO_PROXY": "127.0.0.1",
}
"""What stands for credentials; nothing of it is looked at."""


def make_bucket(host: str) -> None:
    """Make `BUCKET` on an S3 server."""
    urllib.request.urlopen(urllib.request.Request(f"http://{host}/{BUCKET}", method="PUT")).close()


class Answers(ThreadingHTTPServer):
    """Serve on a free port in threads until closed."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.server_address[1]}"

    def close(self) -> None:
        self.shutdown()
        self.server_close()


class Quiet(BaseHTTPRequestHandler):
    """Answer without a log, on connections that stay open."""

    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        pass

    def answer(self, status: int, body: bytes = b"", headers: Mapping[str, str] = MappingProxyType({})) -> None:
        self.send_response(status)
        for name, value in ({"Content-Length": str(len(body))} | dict(headers)).items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def body(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))


def always(status: int, code: str) -> type[Quiet]:
    """Make a handler that answers every request by one error, in the form that stores use."""

    class Handler(Quiet):
        def refuse(self) -> None:
            self.body()
            self.answer(status, f"<Error><Code>{code}</Code><Message>no</Message></Error>".encode())

        do_GET = do_HEAD = do_PUT = do_DELETE = do_POST = refuse  # noqa: N815

    return Handler


class GoogleStore(Quiet):
    """Stand in for the XML API of Google Cloud Storage: objects with generations, conditions on them, pages of names.

    Written from its reference; no more of it than is asked for here.
    """

    objects: ClassVar[dict[str, tuple[bytes, int, float]]] = {}
    lock: ClassVar[threading.Lock] = threading.Lock()
    generations: ClassVar[list[int]] = [1]

    def _key(self) -> str | None:
        bucket, _, key = unquote(urlsplit(self.path).path).lstrip("/").partition("/")
        if bucket == BUCKET:
            return key
        self.answer(404, b"<Error><Code>NoSuchBucket</Code></Error>")
        return None

    def _described(self, found: tuple[bytes, int, float]) -> dict[str, str]:
        date = email.utils.formatdate(found[2], usegmt=True)
        tag = f'"{hashlib.md5(found[0]).hexdigest()}"'
        return {"ETag": tag, "Last-Modified": date, "x-goog-generation": str(found[1])}

    def do_PUT(self) -> None:
        data, key = self.body(), self._key()
        if key is None:
            return
        with self.lock:
            source = self.headers.get("x-goog-copy-source")
            if source is not None:
                copied = self.objects.get(unquote(source).lstrip("/").partition("/")[2])
                if copied is None:
                    self.answer(404, b"<Error><Code>NoSuchKey</Code></Error>")
                    return
                data = copied[0]
            wanted, there = self.headers.get("x-goog-if-generation-match"), self.objects.get(key)
            if wanted is not None and wanted != str(there[1] if there else 0):
                self.answer(412, b"<Error><Code>PreconditionFailed</Code></Error>")
                return
            self.generations[0] += 1
            self.objects[key] = (data, self.generations[0], time.time())
            self.answer(200, headers=self._described(self.objects[key]))

    def do_GET(self) -> None:
        key = self._key()
        if key is None:
            return
        if not key:
            self._list({name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()})
        elif key in self.objects:
            found = self.objects[key]
            self.answer(200, found[0], self._described(found))
        else:
            self.answer(404, b"<Error><Code>NoSuchKey</Code></Error>")

    do_HEAD = do_GET  # noqa: N815

    def do_DELETE(self) -> None:
        key = self._key()
        if key is not None:
            there = self.objects.pop(key, None)
            self.answer(404 if there is None else 204)

    def _list(self, asked: dict[str, str]) -> None:
        prefix, delimiter = asked.get("prefix", ""), asked.get("delimiter", "")
        rows: dict[str, str] = {}
        for key, found in sorted(self.objects.items()):
            if not key.startswith(prefix):
                continue
            inner = key[len(prefix) :].partition(delimiter)[0] if delimiter else key[len(prefix) :]
            if prefix + inner != key:
                rows[prefix + inner + delimiter] = (
                    f"<CommonPrefixes><Prefix>{escape(prefix + inner)}/</Prefix></CommonPrefixes>"
                )
                continue
            date = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(found[2]))
            rows[key] = (
                f"<Contents><Key>{escape(key)}</Key><Generation>{found[1]}</Generation><LastModified>{date}</LastModified>"
                f"<ETag>{escape(self._described(found)['ETag'])}</ETag><Size>{len(found[0])}</Size></Contents>"
            )
        page = [key for key in rows if key > asked.get("continuation-token", "")]
        more = f"<NextContinuationToken>{escape(page[999])}</NextContinuationToken>" if len(page) > 1000 else ""
        body = "".join(rows[key] for key in page[:1000])
        self.answer(200, f"<ListBucketResult>{body}{more}</ListBucketResult>".encode())
