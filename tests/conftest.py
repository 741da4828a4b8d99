"""What all tests share: a quiet Ray of their own, the browser, object stores."""

import logging
import os
import shutil
import signal
import tempfile
import threading
from collections.abc import Iterator
from typing import Any

import hypothesis
import pytest

from tests.support import stores

RAY_ENVIRONMENT = {
    "RAY_AUTH_MODE": "disabled",  # loopback only; unset, Ray would write a token file into the home folder
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",  # else workers started under `uv run` build an environment of their own
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_memory_monitor_refresh_ms": "0",  # else another program that fills the memory kills our workers
}
BROWSERS = ("chromium", "chromium-browser", "google-chrome")

# No clock decides a test. The same examples every time, so that a change fails by its own fault; `make soak` searches.
hypothesis.settings.register_profile("fixed", deadline=None, derandomize=True)
hypothesis.settings.register_profile("searching", deadline=None)
hypothesis.settings.load_profile("fixed")

_ray_folder = ""


def pytest_configure() -> None:
    """Set the environment before any test module is imported, since Ray reads part of it when it is imported."""
    global _ray_folder
    # Short, because Ray puts sockets there and their paths may have 107 bytes; own, because Ray joins whatever cluster
    # is noted in a shared one.
    _ray_folder = tempfile.mkdtemp(prefix="gd-", dir="/tmp")
    os.environ.update(RAY_ENVIRONMENT, RAY_TMPDIR=_ray_folder)
    # A shell that starts a job in the background has it ignore Ctrl-C, and so would all programs that tests start and
    # then stop by Ctrl-C. Python's own handler is not inherited, so they get the ordinary behaviour.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_unconfigure() -> None:
    """Remove Ray's folder; its last process may still be writing, hence no complaint."""
    shutil.rmtree(_ray_folder, ignore_errors=True)


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Path of a Chromium for Playwright; without one the test is skipped, or fails where CI=true says it must run."""
    for name in BROWSERS:
        path = shutil.which(name)
        if path is not None:
            return path
    reason = f"no browser: none of {', '.join(BROWSERS)} is on PATH. Debian: apt-get install chromium"
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def store_environment() -> Iterator[None]:
    """What stands for the credentials of object stores."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in stores.ENVIRONMENT.items():
            patch.setenv(name, value)
        patch.delenv("AWS_ENDPOINT_URL", raising=False)
        yield


@pytest.fixture(scope="session")
def s3(store_environment: None) -> Iterator[str]:
    """Host and port of an S3 server with the bucket `stores.BUCKET`."""
    from moto.s3.responses import S3Response
    from moto.server import ThreadedMotoServer

    lock, put = threading.Lock(), S3Response.put_object

    def put_at_once(response: Any) -> Any:
        """Look whether the object is there and put it in one step, as a store does; moto does it in two."""
        with lock:
            return put(response)

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host = "{}:{}".format(*server.get_host_and_port())
    stores.make_bucket(host)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(S3Response, "put_object", put_at_once)
        yield host
    server.stop()


@pytest.fixture(scope="session")
def gs(store_environment: None) -> Iterator[str]:
    """Host and port of a stand-in for Google's store, with the same bucket."""
    server = stores.Answers(stores.GoogleStore)
    yield server.host
    server.close()
