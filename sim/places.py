"""Keep the files of a run in a place: a local folder here, a prefix of an object store in `sim.objects`.

A name is a path inside the place with at most one folder: `run.json`, `blocks/000-000012.json`. Whatever goes wrong is
a `SimError` that names the file and the way out; only what is not there is a `FileNotFoundError`, since the caller
knows what its absence means.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import re
import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from sim.errors import SimError, write_error

LOCK = ".lock"
_TEMPORARY = ".tmp"
_TEMPORARY_NAME = re.compile(rf"\.[0-9a-z-]+\.[0-9]+-[0-9a-f]{{8}}{re.escape(_TEMPORARY)}")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):/")
_NO_LINKS = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK}


@dataclass(frozen=True, slots=True)
class Stat:
    """Describe a file.

    size: bytes; change: a key that is another one when the content is another one; modified: seconds since 1970, by the
    clock of the file system or store
    """

    size: int
    change: str
    modified: float


class Place(ABC):
    """Hold the files of one run. Equal places have equal texts; a place can be pickled and opened anywhere.

    Safe to use from several threads and several processes at once.
    """

    @property
    @abstractmethod
    def text(self) -> str:
        """Give what `place` makes this same place of, in any process whose working folder and environment are alike."""

    @property
    @abstractmethod
    def local_path(self) -> Path | None:
        """Give the folder in the local file system; None on an object store."""

    @abstractmethod
    def at(self, name: str = "") -> str:
        """Write a file, or the place itself, as messages show it."""

    @abstractmethod
    def __truediv__(self, name: str) -> Place:
        """Give the place of that name inside this one."""

    @property
    @abstractmethod
    def name(self) -> str:
        """Give the last part of the address."""

    @abstractmethod
    def absolute(self) -> Place:
        """Give the same place with an address that holds in every working folder."""

    @abstractmethod
    def check(self) -> None:
        """Raise `SimError` where a folder is asked for and there is none, or something else; a prefix is always one."""

    @abstractmethod
    def make(self) -> None:
        """Make the place ready for writing: a folder with its parents; on an object store the bucket must be there."""

    @abstractmethod
    def make_inner(self, inner: str) -> None:
        """Make an inner folder where the place has folders at all. `publish` does it by itself."""

    @abstractmethod
    def entries(self) -> list[str]:
        """List what lies directly in the place, files and inner folders, sorted; not the half-written.

        Raises `FileNotFoundError` if there is no such place; a prefix without objects is an empty place.
        """

    @abstractmethod
    def names(self, inner: str) -> list[str]:
        """List the files directly in an inner folder, sorted, without the folder; [] if there is none.

        What was published before the call began is in it, what is published meanwhile may be, and nothing half-written.
        """

    @abstractmethod
    def stats(self, inner: str) -> dict[str, Stat]:
        """Describe all files directly in an inner folder, keyed like `names`: one listing where a store can do that."""

    @abstractmethod
    def stat(self, name: str) -> Stat:
        """Describe one file; `FileNotFoundError` if it is not there."""

    @abstractmethod
    def read(self, name: str) -> bytes:
        """Read a file whole; `FileNotFoundError` if it is not there."""

    @abstractmethod
    def read_all(self, names: Iterable[str]) -> Iterator[bytes]:
        """Read files in the order of their names, many at a time where that is faster. As `read` otherwise."""

    @abstractmethod
    def publish(self, name: str, data: bytes | memoryview) -> None:
        """Put a file in place whole or not at all, over one that may be there; it is durable on return.

        A reader sees the file before or the file after, never a part.
        """

    @abstractmethod
    def publish_first(self, name: str, data: bytes | memoryview) -> bool:
        """Put a file in place whole if there is none of that name, and tell whether this call did.

        Of any number of calls for one name, from any process or machine, one at most gets True, and its bytes stand. If
        the answer of a store was lost on the way, the call that won may get False: then too the bytes that stand are
        whole, and whoever gets False reads them.
        """

    @abstractmethod
    def move(self, name: str, to: str) -> None:
        """Rename a file, over one that may be there; the new name may lie any number of folders deep.

        Raises `FileNotFoundError` if it is not there. On an object store it is a copy and then a removal: cut short in
        between, both are there.
        """

    @abstractmethod
    def remove(self, name: str) -> None:
        """Remove a file; nothing happens if it is not there."""

    @abstractmethod
    def writing(self) -> AbstractContextManager[Callable[[], None]]:
        """Keep a second process from writing this run; raises `SimError` run_busy if there is one.

        Gives a function that raises it later, if the lock was lost meanwhile: call it between blocks.
        """

    @abstractmethod
    def writer(self) -> str | None:
        """Name the process that is `writing` at this moment; None if none is, or where that cannot be told."""

    @abstractmethod
    def half_written(self, inner: Iterable[str]) -> list[str]:
        """Name what killed processes left half-written, or others are writing, in the place and these folders."""

    @abstractmethod
    def sweep(self, inner: Iterable[str]) -> None:
        """Remove what killed processes left half-written, in the place and these folders. Only while `writing`."""

    @abstractmethod
    def local_files(self, names: Sequence[str]) -> list[Path]:
        """Give local paths with the content of these files, in their order, for a query engine to read.

        Of an object store they are copies, made once a process for each content and removed when it ends; equal paths
        mean equal contents. `FileNotFoundError`, with the name as messages show it, if one is not there.
        """

    def __str__(self) -> str:
        return self.text

    def exists(self, name: str) -> bool:
        """Tell whether a file is there."""
        try:
            self.stat(name)
        except FileNotFoundError:
            return False
        return True


Where = Path | Place
"""What a caller may name: a local folder as a path, or any place."""


def as_place(where: Where) -> Place:
    """Take a path for the local folder that it is."""
    return LocalPlace(where) if isinstance(where, Path) else where


def place(text: str | os.PathLike[str]) -> Place:
    """Open a place by its path or URI: `runs/a`, `file:///runs/a`, `s3://bucket/prefix`, `gs://bucket/prefix`.

    An object store takes its credentials, region and endpoint from the usual environment (see `sim.objects`). Nothing
    is read or written yet. Raises `SimError` for any other scheme and for an address that names no bucket.
    """
    text = os.fspath(text)
    scheme = _SCHEME.match(text)
    if scheme is None:
        return LocalPlace(Path(text))
    if scheme[1] == "file":
        parts = urlsplit(text)
        if parts.netloc not in ("", "localhost") or parts.query or parts.fragment:
            raise SimError("place_wrong", place=text, zh="file:// 后应是绝对路径", en="file:// takes an absolute path")
        return LocalPlace(Path(unquote(parts.path)))
    if scheme[1] not in ("s3", "gs"):
        raise SimError("place_unknown", place=_without_secret(text), scheme=scheme[1])
    from sim.objects import object_place

    return object_place(text)


def _without_secret(text: str) -> str:
    """Leave out what may be a password before an address is shown."""
    return re.sub(r"(?<=:/)/[^/]*@", "/…@", text)


def is_temporary(name: str) -> bool:
    """Tell whether a file name is that of a half-written file."""
    return _TEMPORARY_NAME.fullmatch(name) is not None


@dataclass(frozen=True, slots=True)
class LocalPlace(Place):
    """Keep a run in a local folder; see `Place`.

    A file is written under a hidden name ending in .tmp, synced, and moved into place, so that a reader by glob
    (`deals/*.parquet`) sees whole files only.
    """

    folder: Path

    @property
    def text(self) -> str:
        """See `Place`."""
        return str(self.folder)

    @property
    def local_path(self) -> Path | None:
        """See `Place`."""
        return self.folder

    def at(self, name: str = "") -> str:
        """See `Place`."""
        return str(self.folder / name)

    def __truediv__(self, name: str) -> LocalPlace:
        return LocalPlace(self.folder / name)

    @property
    def name(self) -> str:
        """See `Place`."""
        return self.folder.name

    def absolute(self) -> LocalPlace:
        """See `Place`."""
        return LocalPlace(self.folder.absolute())

    def check(self) -> None:
        """See `Place`."""
        with self._reading(""):
            if not self.folder.is_dir():
                raise SimError("folder_is_file" if self.folder.exists() else "folder_missing", folder=self.folder)

    def make(self) -> None:
        """See `Place`. Refuses a path that was an address: `Path` makes s3:/x of s3://x."""
        if self.folder.parts and self.folder.parts[0].endswith(":"):
            raise SimError("folder_remote", folder=self.folder)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            raise SimError("folder_is_file", folder=self.folder) from None
        except OSError as error:
            raise SimError("folder_failed", folder=self.folder, reason=error.strerror) from None

    def make_inner(self, inner: str) -> None:
        """See `Place`."""
        try:
            (self.folder / inner).mkdir(exist_ok=True)
        except OSError as error:
            raise self._failed(error, self.folder / inner) from None

    def entries(self) -> list[str]:
        """See `Place`."""
        with self._reading(""):
            return sorted(name for name in os.listdir(self.folder) if not is_temporary(name))

    def names(self, inner: str) -> list[str]:
        """See `Place`."""
        try:
            with self._reading(inner):
                return sorted(name for name in os.listdir(self.folder / inner) if not is_temporary(name))
        except FileNotFoundError:
            return []

    def stats(self, inner: str) -> dict[str, Stat]:
        """See `Place`."""
        found = {}
        for name in self.names(inner):
            with contextlib.suppress(FileNotFoundError):  # removed meanwhile
                found[name] = self.stat(f"{inner}/{name}")
        return found

    def stat(self, name: str) -> Stat:
        """See `Place`."""
        with self._reading(name):
            state = (self.folder / name).stat()
            return Stat(state.st_size, f"{state.st_size}-{state.st_mtime_ns}", state.st_mtime)

    def exists(self, name: str) -> bool:
        """See `Place`."""
        with self._reading(name):
            return (self.folder / name).exists()

    def read(self, name: str) -> bytes:
        """See `Place`."""
        with self._reading(name):
            return (self.folder / name).read_bytes()

    def read_all(self, names: Iterable[str]) -> Iterator[bytes]:
        """See `Place`."""
        return map(self.read, names)

    def publish(self, name: str, data: bytes | memoryview) -> None:
        """See `Place`."""

        def put(temporary: Path, path: Path) -> bool:
            os.replace(temporary, path)
            return True

        self._put(name, data, put)

    def publish_first(self, name: str, data: bytes | memoryview) -> bool:
        """See `Place`. Where a file system has neither links nor locks, two calls at the same instant may both win."""
        return self._put(name, data, _put_first)

    def _put(self, name: str, data: bytes | memoryview, put: Callable[[Path, Path], bool]) -> bool:
        path = self.folder / name
        temporary = path.with_name(f".{path.stem.lstrip('.')}.{os.getpid()}-{secrets.token_hex(4)}{_TEMPORARY}")
        if path.parent != self.folder:
            self.make_inner(path.parent.name)
        try:
            try:
                with open(temporary, "wb") as handle:
                    handle.write(data)
                    handle.flush()
                    os.fsync(handle.fileno())
                done = put(temporary, path)
            except BaseException:
                with contextlib.suppress(OSError):
                    temporary.unlink()
                raise
            _sync(path.parent)
        except OSError as error:
            raise self._failed(error, path) from None
        return done

    def move(self, name: str, to: str) -> None:
        """See `Place`."""
        path, target = self.folder / name, self.folder / to
        self.stat(name)  # before a folder is made for it
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            os.replace(path, target)
            _sync(target.parent)
            _sync(path.parent)
        except FileNotFoundError:
            raise
        except OSError as error:
            raise self._failed(error, target) from None

    def remove(self, name: str) -> None:
        """See `Place`."""
        try:
            (self.folder / name).unlink(missing_ok=True)
        except OSError as error:
            raise self._failed(error, self.folder / name) from None

    @contextlib.contextmanager
    def writing(self) -> Iterator[Callable[[], None]]:
        """See `Place`. The lock ends with its process, so a crash leaves none behind.

        Where the file system has no locks the run goes on without: two writers are harmless, since both write the same
        bytes.
        """
        try:
            handle = os.open(self.folder / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise write_error(error, self.folder) from None
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                owner = os.pread(handle, 20, 0).decode("ascii", "replace") or "?"
                raise SimError("run_busy", folder=self.folder, owner=owner) from None
            except OSError:
                pass
            with contextlib.suppress(OSError):  # the number is for the message above only
                os.truncate(handle, 0)
                os.pwrite(handle, str(os.getpid()).encode(), 0)
            yield lambda: None
        finally:
            os.close(handle)

    def writer(self) -> str | None:
        """See `Place`."""
        try:
            handle = os.open(self.folder / LOCK, os.O_RDONLY)
        except OSError:
            return None
        try:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return os.pread(handle, 20, 0).decode("ascii", "replace") or "?"
        except OSError:
            pass
        finally:
            os.close(handle)
        return None

    def half_written(self, inner: Iterable[str]) -> list[str]:
        """See `Place`."""
        found = []
        for folder in ("", *inner):
            with contextlib.suppress(OSError):
                names = sorted(filter(is_temporary, os.listdir(self.folder / folder)))
                found += [f"{folder}/{name}" if folder else name for name in names]
        return found

    def sweep(self, inner: Iterable[str]) -> None:
        """See `Place`."""
        for name in self.half_written(inner):
            with contextlib.suppress(OSError):
                (self.folder / name).unlink()

    def local_files(self, names: Sequence[str]) -> list[Path]:
        """See `Place`. The files themselves, so the paths stay the same when a content changes."""
        for name in names:
            self.stat(name)
        return [self.folder / name for name in names]

    @contextlib.contextmanager
    def _reading(self, name: str) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError:
            raise
        except OSError as error:
            raise SimError("file_unreadable", path=self.at(name), reason=error.strerror) from None

    def _failed(self, error: OSError, path: Path) -> SimError:
        """Say why something could not be written, and what to do: not always will the same command go on."""
        if not os.path.lexists(self.folder):
            return SimError("run_gone", folder=self.folder)
        if isinstance(error, FileExistsError | NotADirectoryError | IsADirectoryError):
            return SimError("path_blocked", path=path, reason=error.strerror)
        return write_error(error, path)


def _put_first(temporary: Path, path: Path) -> bool:
    """Give a finished file its name if that is free: by a link, else under a lock of the folder."""
    try:
        os.link(temporary, path)
        done = True
    except FileExistsError:
        done = temporary.stat().st_nlink == 2  # of a network file system: made, and the answer lost
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        done = _put_locked(temporary, path)
    with contextlib.suppress(FileNotFoundError):
        temporary.unlink()
    return done


def _put_locked(temporary: Path, path: Path) -> bool:
    handle = os.open(path.parent, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # no locks either
            fcntl.flock(handle, fcntl.LOCK_EX)
        if os.path.lexists(path):
            return False
        os.replace(temporary, path)
        return True
    finally:
        os.close(handle)


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
