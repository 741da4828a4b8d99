"""Every interval that a page of docs/reports quotes stands, with its value, in the printed reports beside it."""

import re
from pathlib import Path

import pytest

from sim.experiment import make, read_file

FOLDER = Path(__file__).parents[1] / "docs" / "reports"
NUMBER = r"[+-]?\d[\d.]*"
QUOTED = re.compile(rf"({NUMBER})(?:%| pp| Elo| levels?)?,? *\[({NUMBER}), ({NUMBER})\]")
PAGES = sorted(page for page in FOLDER.glob("*.md") if page.name != "README.md")


def _triples(text: str) -> set[tuple[str, str, str]]:
    """Give (value, low, high) of every interval, without the plus signs, which a table may or may not write."""
    found = QUOTED.findall(" ".join(text.split()))
    return {(value.lstrip("+"), low.lstrip("+"), high.lstrip("+")) for value, low, high in found}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_quotes_what_was_printed(page: Path) -> None:
    printed = set().union(*(_triples(text.read_text()) for text in FOLDER.glob(f"{page.stem}*.txt")))
    text = page.read_text()
    quoted = _triples(text)
    assert text.count("[") - text.count("](") == len(QUOTED.findall(" ".join(text.split()))), "an interval is not read"
    assert len(quoted) > 15
    assert quoted <= printed


@pytest.mark.parametrize("name", ["league", "variants", "variants-weaker"])
def test_the_experiment_of_a_page_can_be_run(name: str) -> None:
    assert make(read_file(FOLDER / f"{name}.toml")).requests()
