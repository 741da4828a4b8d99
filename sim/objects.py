"""Keep a run on an object store: `s3://bucket/prefix` (and what speaks like it), `gs://bucket/prefix`.

By the library `obstore`, an optional extra: it can put an object only if there is none, which decides who was first. A
put is one request, so an object is there whole or not at all, and a listing after it has it.

Credentials, region and endpoint come from the environment: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN,
AWS_REGION, AWS_ENDPOINT_URL or the role of the machine; GOOGLE_APPLICATION_CREDENTIALS or the account of the machine.
An endpoint may also stand in the address: `?endpoint_override=localhost:9000&scheme=http`. All processes of a run need
the same environment.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cache, lru_cache
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from sim.errors import SimError, write_error
from sim.places import Place, Stat

if TYPE_CHECKING:
    from obstore.store import ClientConfig, GCSStore, RetryConfig, S3Store

RETRIES = 8
"""How often a request is tried again that met a broken connection or a server error; about half a minute in all."""

RETRY_SECONDS = 60.0
"""After this no request is tried again."""

READERS = 32
"""How many objects are read at the same time: a read is mostly waiting."""

_ADDRESS = re.compile(r"(s3|gs)://([^/?#]*)(?:/([^?]*))?(?:\?(.*))?", re.DOTALL)
_BUCKET = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{1,221}")
_CODE = re.compile(r"<Code>([A-Za-z0-9]+)</Code>")
_STATUS = re.compile(r"status code: (\d{3})")
_NO_KEYS = re.compile(r"http://169\.254\.|http://metadata\.|OpenCredentials|DecodeCredentials|token request")
_AGAIN = re.compile(r"408|429|5(?!01)\d\d")


def object_place(text: str) -> ObjectPlace:
    """Read the address of a place on an object store; `SimError` if it is not one."""

    def wrong(zh: str, en: str) -> SimError:
        return SimError("place_wrong", place=re.sub(r"//[^/]*@", "//…@", text), zh=zh, en=en)

    found = _ADDRESS.fullmatch(text)
    if found is None:
        raise wrong("应写作 s3://桶/前缀 或 gs://桶/前缀", "write s3://bucket/prefix or gs://bucket/prefix")
    scheme, bucket, prefix, query = found[1], found[2], (found[3] or "").strip("/"), found[4] or ""
    if "@" in bucket:
        raise wrong("地址里不能写密钥，请用环境变量", "an address holds no keys; set them in the environment")
    if not _BUCKET.fullmatch(bucket):
        raise wrong("桶名不对", "the name of the bucket is not one")
    if prefix and any(part in ("", ".", "..") or not part.isprintable() for part in prefix.split("/")):
        raise wrong("前缀里不能有空的一段、. 或 ..", "a prefix has no empty part and no . or ..")
    options = dict(parse_qsl(query, keep_blank_values=True))
    for name in options.keys() - {"endpoint_override", "scheme"}:
        raise wrong(f"不认识选项 {name}", f"there is no option {name}")
    if options.get("scheme", "https") not in ("http", "https"):
        raise wrong("scheme 应为 http 或 https", "scheme is http or https")
    host = options.get("endpoint_override", "")
    return ObjectPlace(scheme, bucket, prefix, f"{options.get('scheme', 'https')}://{host}" if host else "")


@dataclass(frozen=True, slots=True)
class ObjectPlace(Place):
    """Keep a run under a prefix of a bucket; see `Place`. endpoint: a URL, or "" for the usual one of the scheme."""

    scheme: str
    bucket: str
    prefix: str
    endpoint: str = ""

    @property
    def text(self) -> str:
        """See `Place`."""
        scheme, _, host = self.endpoint.partition("://")
        return self.at() + (f"?endpoint_override={host}&scheme={scheme}" if host else "")

    @property
    def local_path(self) -> Path | None:
        """See `Place`."""
        return None

    def at(self, name: str = "") -> str:
        """See `Place`."""
        return f"{self.scheme}://" + "/".join(filter(None, (self.bucket, self.prefix, name)))

    def __truediv__(self, name: str) -> ObjectPlace:
        return replace(self, prefix=f"{self.prefix}/{name}".lstrip("/"))

    @property
    def name(self) -> str:
        """See `Place`."""
        return self.prefix.rpartition("/")[2] or self.bucket

    def absolute(self) -> ObjectPlace:
        """See `Place`."""
        return self

    def check(self) -> None:
        """See `Place`."""

    def make(self) -> None:
        """See `Place`."""
        self.entries()

    def make_inner(self, inner: str) -> None:
        """See `Place`."""

    def entries(self) -> list[str]:
        """See `Place`."""
        with self._asking(""):
            found = _obstore().list_with_delimiter(self._store())
            return sorted([*found["common_prefixes"], *(each["path"] for each in found["objects"])])

    def names(self, inner: str) -> list[str]:
        """See `Place`."""
        return sorted(self.stats(inner))

    def stats(self, inner: str) -> dict[str, Stat]:
        """See `Place`."""
        found, start = {}, len(inner) + 1
        with self._asking(inner):
            for page in _obstore().list(self._store(), prefix=inner, chunk_size=1000):
                for each in page:
                    if "/" not in each["path"][start:]:
                        found[each["path"][start:]] = _stat(each)
        return found

    def stat(self, name: str) -> Stat:
        """See `Place`."""
        with self._asking(name):
            return _stat(_obstore().head(self._store(), name))

    def read(self, name: str) -> bytes:
        """See `Place`."""
        with self._asking(name):
            return bytes(_obstore().get(self._store(), name).bytes())

    def read_all(self, names: Iterable[str]) -> Iterator[bytes]:
        """See `Place`."""
        rest = iter(names)
        with ThreadPoolExecutor(READERS) as pool:
            while some := list(islice(rest, 1000)):
                yield from pool.map(self.read, some)

    def publish(self, name: str, data: bytes | memoryview) -> None:
        """See `Place`."""
        self.put(name, data, "overwrite")

    def publish_first(self, name: str, data: bytes | memoryview) -> bool:
        """See `Place`."""
        return self.put(name, data, "create") is not None

    def put(self, name: str, data: bytes | memoryview, mode: Any) -> dict[str, str] | None:
        """Put an object in one request; give its version for `mode`, None if the condition of `mode` does not hold.

        mode: "overwrite"; "create", if there is none; or a version, if it is still the one there.
        """
        exceptions = _obstore().exceptions
        try:
            with self._asking(name):
                done = _obstore().put(self._store(), name, bytes(data), mode=mode, use_multipart=False)
        except FileNotFoundError:  # nothing else can be missing
            raise SimError("bucket_missing", place=self.at(), bucket=self.bucket) from None
        except (exceptions.AlreadyExistsError, exceptions.PreconditionError):
            return None
        return _version(done)

    def fetch(self, name: str) -> tuple[bytes, dict[str, Any], dict[str, str]]:
        """Read an object with what is known of it (`last_modified`, by the clock of the store), and its version."""
        with self._asking(name):
            found = _obstore().get(self._store(), name)
            return bytes(found.bytes()), dict(found.meta), _version(found.meta)

    def move(self, name: str, to: str) -> None:
        """See `Place`."""
        with self._asking(name):
            _obstore().copy(self._store(), name, to)
        self.remove(name)

    def remove(self, name: str) -> None:
        """See `Place`."""
        with contextlib.suppress(FileNotFoundError), self._asking(name):
            _obstore().delete(self._store(), name)

    def writing(self) -> AbstractContextManager[Callable[[], None]]:
        """See `Place`: by `sim.lease`."""
        from sim.lease import leasing

        return leasing(self)

    def writer(self) -> str | None:
        """See `Place`."""
        from sim.lease import holder

        return holder(self)

    def half_written(self, inner: Iterable[str]) -> list[str]:
        """See `Place`: a put that was cut short leaves nothing."""
        return []

    def sweep(self, inner: Iterable[str]) -> None:
        """See `Place`: a put that was cut short leaves nothing."""

    def local_files(self, names: Sequence[str]) -> list[Path]:
        """See `Place`."""
        inners = {name.rpartition("/")[0] for name in names}
        known = {f"{inner}/{name}": stat for inner in inners for name, stat in self.stats(inner).items()}
        for name in names:
            if name not in known:
                raise _missing(self.at(name))
        paths = [_copies(os.getpid()) / self._copy_name(name, known[name]) for name in names]
        lacking = [(name, path) for name, path in zip(names, paths, strict=True) if not path.exists()]
        with ThreadPoolExecutor(READERS) as pool:
            for _ in pool.map(lambda each: self._copy(*each), lacking):
                pass
        return paths

    def _copy_name(self, name: str, stat: Stat) -> str:
        key = hashlib.sha256(f"{self.text}\0{name}\0{stat.change}".encode()).hexdigest()[:32]
        return f"{key}-{name.rpartition('/')[2]}"

    def _copy(self, name: str, path: Path) -> None:
        data = self.read(name)
        try:
            with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as handle:
                handle.write(data)
            os.replace(handle.name, path)
        except OSError as error:
            raise write_error(error, path) from None

    def _store(self) -> S3Store | GCSStore:
        return _open(self, os.getpid())

    @contextlib.contextmanager
    def _asking(self, name: str) -> Iterator[None]:
        """Turn what the library raises into `SimError`; a missing object and a condition pass through."""
        exceptions = _obstore().exceptions
        try:
            yield
        except FileNotFoundError as error:
            raise (self._failed(error, name) if "NoSuchBucket" in str(error) else _missing(self.at(name))) from None
        except (exceptions.AlreadyExistsError, exceptions.PreconditionError):
            raise
        except exceptions.BaseError as error:
            raise self._failed(error, name) from None

    def _failed(self, error: Exception, name: str) -> SimError:
        text = str(error).partition("\n\nDebug source")[0]
        code, status = _CODE.search(text), _STATUS.search(text)
        reason = code[1] if code else status[1] if status else text.rpartition(": ")[2] or text
        if code and code[1] == "NoSuchBucket":
            return SimError("bucket_missing", place=self.at(), bucket=self.bucket)
        if _NO_KEYS.search(text):
            return SimError("place_forbidden", place=self.at(name), reason="no credentials")
        if status and status[1] in ("401", "403"):
            return SimError("place_forbidden", place=self.at(name), reason=reason)
        if "HTTP error" in text or (status and _AGAIN.fullmatch(status[1])):
            return SimError("place_unreachable", place=self.at(name), reason=reason)
        return SimError("place_failed", place=self.at(name), reason=reason)


def _stat(meta: Any) -> Stat:
    modified = meta["last_modified"].timestamp()
    return Stat(meta["size"], meta["e_tag"] or f"{meta['size']}-{modified}", modified)


def _version(found: Any) -> dict[str, str]:
    return {name: found[name] for name in ("e_tag", "version") if found.get(name) is not None}


def _missing(path: str) -> FileNotFoundError:
    return FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)


@cache
def _obstore() -> ModuleType:
    try:
        import obstore
        import obstore.exceptions
        import obstore.store
    except ImportError:
        raise SimError("objects_missing") from None
    return obstore


@lru_cache(maxsize=64)
def _open(place: ObjectPlace, process: int) -> S3Store | GCSStore:
    """Open the bucket of a place; once a process, since connections do not outlive a fork."""
    store = _obstore().store
    endpoint = place.endpoint
    if not endpoint and place.scheme == "s3":
        endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL", "")
    elif not endpoint:
        endpoint = os.environ.get("GOOGLE_BASE_URL", "")
    client: ClientConfig = {"allow_http": endpoint.startswith("http://"), "connect_timeout": "5s", "timeout": "60s"}
    retries: RetryConfig = {"max_retries": RETRIES, "retry_timeout": timedelta(seconds=RETRY_SECONDS)}
    given: dict[str, Any] = {"prefix": place.prefix or None, "client_options": client, "retry_config": retries}
    if endpoint:
        given["endpoint" if place.scheme == "s3" else "base_url"] = endpoint
    try:
        opened: S3Store | GCSStore = (store.S3Store if place.scheme == "s3" else store.GCSStore)(place.bucket, **given)
    except Exception as error:  # the library has several ways to refuse an environment
        raise SimError("place_failed", place=place.at(), reason=str(error).partition("\n")[0]) from None
    return opened


@cache
def _copies(process: int) -> Path:
    return Path(_folder_of_copies(process).name)


@cache
def _folder_of_copies(process: int) -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="guandan-", ignore_cleanup_errors=True)
