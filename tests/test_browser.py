"""The page in a real browser: both languages, a filter, a link, a quiet console."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from dashboard import launch
from sim import figures, glossary
from tests.support.runs import make_run

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SCREENSHOT_VARIABLE = "GUANDAN_SCREENSHOT"
PATIENCE_MS = 60_000


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    make_run(folder / "demo", "greedy", "random", 400)
    make_run(folder / "even", "random", "random", 400)
    if SCREENSHOT_VARIABLE in os.environ:
        make_run(folder / "random", "random", "random", 3000, seed=7)
    return folder


@pytest.fixture(scope="module")
def address(runs: Path) -> Iterator[str]:
    """Serve the page by the command of `guandan dashboard`, on a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    line, variables = launch.command(runs, port)
    server = subprocess.Popen(
        line, env={**os.environ, **variables}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    try:
        base = f"http://127.0.0.1:{port}"
        _wait_until_healthy(server, f"{base}/_stcore/health")
        yield base
    finally:
        server.terminate()
        _, complaints = server.communicate(timeout=20)
    assert complaints == ""


def _wait_until_healthy(server: subprocess.Popen[str], url: str) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        assert server.poll() is None, "the page ended by itself"
        try:
            with urlopen(url, timeout=2) as answer:
                if answer.status == 200:
                    return
        except OSError:
            time.sleep(0.2)
    raise AssertionError("the page did not start within a minute")


@pytest.fixture(scope="module")
def browser(chromium_path: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=chromium_path, args=FLAGS)
        yield chromium
        chromium.close()


class Visit:
    """One reader with the page open; remembers what the console said and which hosts were asked."""

    def __init__(self, browser: Browser, locale: str) -> None:
        self.context = browser.new_context(locale=locale, viewport={"width": 1280, "height": 1000})
        self.page: Page = self.context.new_page()
        self.complaints: list[str] = []
        self.hosts: set[str | None] = set()
        self.page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda asked: self._note(asked.url))

    def _note(self, url: str) -> None:
        if urlsplit(url).scheme in ("http", "https", "ws", "wss"):
            self.hosts.add(urlsplit(url).hostname)

    def open(self, url: str) -> None:
        self.page.goto(url)
        # The command to repeat the run is the last line of the page.
        expect(self.page.get_by_text("guandan run", exact=False).last).to_be_visible(timeout=PATIENCE_MS)

    def pick(self, label: str, option: str) -> None:
        self.page.get_by_role("combobox", name=label).click()
        self.page.get_by_role("option", name=option, exact=True).click()

    def end(self) -> None:
        self.context.close()
        assert self.complaints == []
        assert self.hosts == {"127.0.0.1"}


@pytest.mark.parametrize(
    ("locale", "heading", "report"),
    [("zh-CN", "greedy 比 random 强吗？", "可复制的文字"), ("en-US", "Is greedy better than random?", "Text to copy")],
)
def test_the_page_opens_in_the_language_of_the_browser(
    browser: Browser, address: str, runs: Path, locale: str, heading: str, report: str
) -> None:
    visit = Visit(browser, locale)
    visit.open(address)
    expect(visit.page.get_by_role("heading", name=heading)).to_be_visible()
    deals = glossary.whole(figures.headline(runs / "demo").deals)
    expect(visit.page.get_by_text(deals).first).to_be_visible()
    visit.page.get_by_text(report).click()
    expect(visit.page.get_by_text("24.77%").last).to_be_visible()
    visit.end()


def test_a_filter_changes_a_figure_and_the_address_and_a_reload_keeps_it(browser: Browser, address: str) -> None:
    visit = Visit(browser, "en-US")
    visit.open(f"{address}/?run=even")
    sample = visit.page.get_by_text("cards / 400 pairs")
    expect(sample.first).to_be_visible(timeout=PATIENCE_MS)
    visit.pick("Level played", "9")
    expect(visit.page.get_by_text("Which kinds of tribute occur? (level 9)")).to_be_visible(timeout=PATIENCE_MS)
    expect(visit.page.get_by_text(re.compile(r"cards / [\d,]+ pairs")).first).to_be_visible(timeout=PATIENCE_MS)
    expect(sample).to_have_count(0, timeout=PATIENCE_MS)
    assert "level=9" in visit.page.url
    assert "run=even" in visit.page.url
    visit.open(visit.page.url)
    expect(visit.page.get_by_text("Which kinds of tribute occur? (level 9)")).to_be_visible(timeout=PATIENCE_MS)
    visit.end()


def test_the_language_switch_keeps_run_and_filters(browser: Browser, address: str) -> None:
    visit = Visit(browser, "zh-CN")
    visit.open(f"{address}/?run=even&level=A")
    expect(visit.page.get_by_text("各种进贡占多少？（打 A）")).to_be_visible(timeout=PATIENCE_MS)
    visit.page.get_by_text("en", exact=True).click()
    expect(visit.page.get_by_text("Which kinds of tribute occur? (level A)")).to_be_visible(timeout=PATIENCE_MS)
    assert "lang=en" in visit.page.url
    visit.end()


def test_a_narrow_screen_needs_no_sideways_scrolling(browser: Browser, address: str) -> None:
    visit = Visit(browser, "zh-CN")
    visit.page.set_viewport_size({"width": 390, "height": 800})
    visit.open(f"{address}/?run=even")
    wide = visit.page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    assert not wide
    visit.end()


@pytest.mark.skipif(SCREENSHOT_VARIABLE not in os.environ, reason=f"{SCREENSHOT_VARIABLE} names no file to write")
def test_screenshot(browser: Browser, address: str) -> None:
    """Write the picture of the documentation: the page from its top to the end of the figures of tribute."""
    visit = Visit(browser, "en-US")
    visit.open(f"{address}/?run=random")
    box = visit.page.get_by_role("heading", name="Passing A").bounding_box()
    assert box is not None
    visit.page.set_viewport_size({"width": 1280, "height": min(int(box["y"]) - 20, 2400)})
    visit.page.wait_for_timeout(2_000)  # charts are drawn again at the new size
    visit.page.screenshot(path=os.environ[SCREENSHOT_VARIABLE])
    visit.end()
