"""Figures of tribute from ordinary runs: expectations by counting, and what the stored rows say by other means."""

from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path

import duckdb
import pandas as pd
import pytest

from engine import _core
from engine.cards import CARDS
from engine.rules import Rules
from engine.ruleset import load_rules, preset_names
from sim import run_file
from sim.errors import Language
from sim.figures import expected_refusal
from sim.reading import open_tables, snapshot
from sim.stats import Estimate, NotEstimable, paid_probabilities
from sim.tribute_figures import Line, run_lines
from sim.tribute_value import rank_of
from tests.support.runs import make_run


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("run"), "solid", "greedy", 200)


def lines_of(run: Path, language: Language = "en") -> dict[str, Line]:
    with open_tables(snapshot(run)) as tables:
        found = run_lines(tables, run_file.load(run).request.make_rules(), language)
    assert len({line.label for line in found}) == len(found)
    return {line.label: line for line in found}


def by_placing_jokers(rules: Rules, payers: int) -> Fraction:
    """Share of deals refused, by dealing the four jokers one after another to the four seats."""
    refused = Fraction(0)
    for seats in product(range(4), repeat=4):  # of the two big jokers, then of the two small ones
        room, chance = [27] * 4, Fraction(1)
        for place, seat in enumerate(seats):
            chance *= Fraction(room[seat], 108 - place)
            room[seat] -= 1
        owing = [seat < payers for seat in seats]
        if all(owing[:2]) or (rules.refuse_with_small_jokers and all(owing[2:])):
            refused += chance
    return refused


@pytest.mark.parametrize("name", preset_names())
def test_refusals_are_expected_as_counted_from_the_rules_of_every_preset(name: str) -> None:
    rules = load_rules(name).rules
    exact = {kind: float(by_placing_jokers(rules, payers)) for kind, payers in (("single", 1), ("double", 2))}
    assert expected_refusal(rules) == pytest.approx(exact if rules.tribute else {})


@pytest.mark.parametrize("small", [False, True])
@pytest.mark.parametrize("payers", [1, 2])
@pytest.mark.parametrize("level", "2TA")
def test_cards_paid_are_expected_as_dealt_hands_show_them(level: str, payers: int, small: bool) -> None:
    exact = paid_probabilities(payers, level, small=small)
    assert sum(exact.values()) == 1
    rules = load_rules("zhuozhou-digest" if small else "national").rules.core()
    order = bytes((0, 2, 1, 3) if payers == 2 else (0, 1, 2, 3))
    rank = "23456789TJQKA".index(level)
    seen: Counter[str] = Counter()
    for pair in range(6000):
        hands, _ = _core.deal_cards(20, pair, 1)
        kind, owing, _ = _core.tribute_due(rules, order, hands)
        if kind in (1, 2):
            seen += Counter(rank_of(CARDS[_core.tribute_options(hands[seat], rank)[0]], rank + 2) for seat in owing[:1])
    paid = sum(seen.values())
    assert paid > 3000
    for name, chance in exact.items():
        p = float(chance)
        assert abs(seen[name] - paid * p) < 4 * (paid * p * (1 - p)) ** 0.5 + 2, name


def test_what_the_deal_decides_is_as_expected_and_what_play_brings_about_has_no_expectation(run: Path) -> None:
    lines = lines_of(run)
    compared = 0
    for line in lines.values():
        assert (line.exact is not None) == (line.kind == "exogenous"), line.label
        if line.exact is not None and isinstance(line.figure, Estimate) and line.figure.events * line.exact > 20:
            assert abs(line.figure.value - line.exact) < 4 * line.figure.se, line.label
            compared += 1
    assert compared >= 8
    assert lines["Single tribute refused"].exact == pytest.approx(702 / 11556)


def test_wins_and_levels_of_the_deal_and_the_deal_after_follow_from_the_rows(run: Path) -> None:
    lines = lines_of(run)
    deals = duckdb.connect().execute(f"select * from '{run}/deals/*.parquet' order by pair, leg, deal").df()
    after = deals.groupby(["pair", "leg"])[["winner", "steps"]].shift(-1)
    deals["won"] = deals.winner == deals.declarer
    deals["later_won"] = (after.winner == deals.declarer).where(after.winner.notna())
    deals["levels"] = deals.steps.where(deals.won, -deals.steps)
    deals["later_levels"] = after.steps.where(after.winner == deals.declarer, -after.steps)
    partner = deals.payers.str.len().eq(1) & (
        deals.payers.str[0].fillna("0").astype(int) + deals.receivers.str[0].fillna("1").astype(int)
    ).mod(2).eq(0)
    single = deals.tribute == "single"
    kinds = {
        "single": single,
        "single, from the partner": single & partner,
        "single, from an opponent": single & ~partner,
        "double": deals.tribute == "double",
        "single refused": deals.tribute == "single_refused",
        "double refused": deals.tribute == "double_refused",
    }
    values = {
        "Receivers win": "won",
        "Receivers' net levels": "levels",
        "Receivers win the deal after": "later_won",
        "Receivers' net levels in the deal after": "later_levels",
    }
    for (title, column), (kind, chosen) in product(values.items(), kinds.items()):
        line, rows = lines[f"{title} · {kind}"], deals[chosen & deals[column].notna()]
        assert line.kind == "endogenous"
        if rows.pair.nunique() < 30:
            assert line.figure == NotEstimable("too_few", rows.pair.nunique(), len(rows))
            continue
        value = rows[column].astype(float).mean()
        assert isinstance(line.figure, Estimate)
        assert line.figure.value == pytest.approx(value), line.label
        assert line.figure.events == len(rows)
    paid, refused = (deals[kinds[kind]].won.astype(float).mean() for kind in ("double", "double refused"))
    difference = lines["Receivers win · double, paid minus refused"].figure
    assert isinstance(difference, Estimate)
    assert difference.value == pytest.approx(paid - refused)
    assert difference.se == pytest.approx(_error_of_difference(deals, kinds, "won"))


def _error_of_difference(deals: pd.DataFrame, kinds: dict[str, pd.Series], column: str) -> float:
    """Spread over pairs of the linearised difference of two ratios."""
    total = pd.Series(0.0, index=sorted(deals.pair[kinds["double"] | kinds["double refused"]].unique()))
    for kind, sign in (("double", 1), ("double refused", -1)):
        rows = deals[kinds[kind]]
        mean = rows[column].astype(float).mean()
        gap = (rows[column].astype(float) - mean).groupby(rows.pair).sum() / len(rows)
        total = total.add(sign * gap, fill_value=0.0)
    return float((len(total) / (len(total) - 1) * (total**2).sum()) ** 0.5)


def test_shares_of_cards_add_up_to_one(run: Path) -> None:
    lines = lines_of(run)
    for title in ("Card given · single", "Card given · double", "Card returned · single", "Card returned · double"):
        figures = [line.figure for label, line in lines.items() if label.startswith(title)]
        assert sum(figure.value for figure in figures if isinstance(figure, Estimate)) == pytest.approx(1.0)


def test_without_rows_of_deals_only_refusals_have_numbers(tmp_path: Path) -> None:
    lines = lines_of(make_run(tmp_path, "solid", "greedy", 100, detail="pairs"))
    known = [label for label, line in lines.items() if isinstance(line.figure, Estimate)]
    assert known == ["Single tribute refused", "Double tribute refused"]


def test_lines_are_written_in_chinese(run: Path) -> None:
    assert {"单贡抗贡率", "贡牌 · 单贡 · 大王", "受贡方再下一副胜率 · 双贡"} <= set(lines_of(run, "zh"))
