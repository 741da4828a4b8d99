"""Styles of play: each is loaded by name and shows its trait in the measured rates, on the same deals as its base."""

import pytest

from engine.bulk import play_pairs
from engine.rules import NATIONAL
from engine.style import RATES, ROLES
from strategies import registry
from strategies.registry import load
from strategies.styles import STYLES

SEED = 720
PAIRS = 40

HIGHER = {
    "solid-early": True,
    "solid-late": False,
    "solid-partner": True,
    "solid-self": False,
    "solid-stopper": True,
    "solid-wildkeeper": False,
    "solid-wildspender": False,
    "solid-whole": False,
    "solid-singles": True,
    "solid-pairs": True,
    "solid-long": True,
    "solid-eager": False,
    "solid-patient": True,
    "solid-smallest": True,
    "solid-unbroken": False,
    "solid-largest": True,
}
"""Is the rate of the style higher than that of its base?"""


def test_there_are_twelve_styles_and_a_trait_is_told_of_each() -> None:
    assert len(STYLES) >= 12
    assert sorted(HIGHER) == sorted(STYLES)


AGAINST = {"solid-unbroken": "solid-smallest"}
"""Who shows the difference where the base does not: it breaks nothing either."""


@pytest.mark.parametrize(("style", "higher"), HIGHER.items())
def test_a_style_shows_in_its_rate_on_the_same_deals(style: str, higher: bool) -> None:
    rate, against = STYLES[style].rate, AGAINST.get(style, STYLES[style].base)
    counted = play_pairs(load(style), load(against), NATIONAL, SEED, range(PAIRS), detail="pairs", style=True).style
    assert counted is not None
    table = counted.table()
    row = ROLES.index("all") * len(RATES) + list(RATES).index(rate)
    x_n, x_y, y_n, y_y = (int(table[column][row]) for column in ("x_n", "x_y", "y_n", "y_y"))
    assert min(x_n, y_n) >= 100
    p, q = x_y / x_n, y_y / y_n
    error = ((p * (1 - p)) / x_n + (q * (1 - q)) / y_n) ** 0.5
    assert (p - q if higher else q - p) > 2 * error, f"{rate}: {p:.3f} against {q:.3f}"


@pytest.mark.parametrize("name", STYLES)
def test_a_style_is_a_strategy_of_its_own_name(name: str) -> None:
    style, strategy = STYLES[name], load(name)
    assert name in registry.names()
    assert strategy.name == name
    assert strategy.zh == f"{style.zh_name}：{style.zh}"
    assert strategy.en == style.en
    assert strategy.hash != load(style.base).hash
    assert {p.name: p.default for p in strategy.parameters}.items() >= style.settings.items()
    base = {p.name: p.default for p in load(style.base).parameters}
    assert all(base[key] != value for key, value in style.settings.items())


def test_settings_go_on_top_of_those_of_a_style() -> None:
    assert load("solid-early?lead=7").name == "solid-early?lead=7"
    assert load("solid-early?bomb=150").name == "solid-early"
    assert load("solid-early?bomb=150").hash == load("solid-early").hash
    with pytest.raises(ValueError, match="solid-early has no parameter 'bmob': write bomb"):
        load("solid-early?bmob=3")


def test_styles_have_names_and_sentences_of_their_own() -> None:
    for texts in zip(*((s.zh_name, s.zh, s.en) for s in STYLES.values()), strict=True):
        assert len(set(texts)) == len(STYLES)
