"""The Chinese of every catalog: one word for a thing, and Chinese punctuation."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from cluster.texts import CATALOG
from dashboard import texts
from sim import errors, glossary, report_words

HALF_WIDTH = re.compile(r"[\u4e00-\u9fff] ?[,;:?!()]|[,;:?!()] ?[\u4e00-\u9fff]")
# the places where the spoken names of first and last are given
SPOKEN = {"terms"}


def _chinese() -> Iterator[tuple[str, str]]:
    for catalog in (CATALOG, errors.MESSAGES, glossary.WORDS, glossary.REASONS, texts.WORDS, report_words.WORDS):
        yield from ((str(key), zh) for key, (zh, _) in catalog.items())
    for name, about in texts.FIGURES.items():
        yield name, about.question[0]
        yield name, about.definition[0]


@pytest.mark.parametrize("word", ["头游", "末游", "和局", "过得去", "外生", "内生"])
def test_a_thing_has_one_name(word: str) -> None:
    tooltips = {"exogenous_help", "endogenous_help"}
    assert {key for key, zh in _chinese() if word in zh} <= SPOKEN | tooltips


def test_punctuation_beside_chinese_is_full_width() -> None:
    json_or_value = re.compile(r"\[.*\]|\{\w+\}")
    assert [zh for _, zh in _chinese() if HALF_WIDTH.search(json_or_value.sub("牌", zh))] == []
