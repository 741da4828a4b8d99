"""Say how the page is started, without starting it."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from sim.errors import Language
from sim.places import Where, as_place

DIRECTORY_VARIABLE: Final = "GUANDAN_RUNS"
LANGUAGE_VARIABLE: Final = "GUANDAN_LANG"


def command(directory: Where, port: int, language: Language | None = None) -> tuple[list[str], Mapping[str, str]]:
    """Give the command that serves the page over the runs in `directory`, and what to add to its environment.

    It listens on this machine only, opens no browser, sends no usage statistics, logs nothing but warnings and shows
    no source in error messages. Without `language` the reader's browser decides.
    """
    options = {
        "server.address": "127.0.0.1",
        "server.port": str(port),
        "server.headless": "true",
        "server.fileWatcherType": "none",
        "browser.gatherUsageStats": "false",
        "client.toolbarMode": "viewer",
        "client.showErrorDetails": "type",
        "logger.level": "warning",
        "runner.magicEnabled": "false",
        "theme.base": "light",
        "theme.primaryColor": "#0072B2",
    }
    script = Path(__file__).with_name("app.py")
    line = [sys.executable, "-m", "streamlit", "run", str(script)]
    line += [f"--{name}={value}" for name, value in options.items()]
    environment = {DIRECTORY_VARIABLE: as_place(directory).absolute().text}
    if language is not None:
        environment[LANGUAGE_VARIABLE] = language
    return line, environment
