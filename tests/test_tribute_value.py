"""What tribute is worth, by three arms on the same deals: laid out, played, computed, and computed again otherwise."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pandas as pd
import pytest

from engine.context import Context
from engine.ruleset import load_rules, preset_names
from engine.value import result_values
from sim import run
from sim.errors import SimError
from sim.reading import snapshot
from sim.replay import replay
from sim.request import RunRequest
from sim.stats import Estimate, NotEstimable
from sim.tribute_arms import ARMS, arms
from sim.tribute_figures import study_lines
from sim.tribute_value import Group, TributeValue, figures
from tests.support.runs import make_run

SEED = 31


@dataclass(frozen=True)
class Study:
    """A study that was played, and its figures."""

    folder: Path
    requests: Mapping[str, RunRequest]
    found: TributeValue

    def group(self, by: str, name: str) -> Group:
        return next(group for group in self.found.groups if (group.by, group.name) == (by, name))


def play(
    folder: Path, x: str, y: str, pairs: int, *policies: str, rules: str = "national", contexts: str = "uniform"
) -> Study:
    asked = arms(x, y, pairs=pairs, seed=SEED, rules=rules, contexts=contexts, policies=policies)
    for arm, request in asked.items():
        run.play(run.start(request, folder / arm), run.LocalExecutor(1), lambda _: None)
    return Study(folder, asked, figures({arm: snapshot(folder / arm) for arm in asked}, asked))


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """Two strategies, so that each pair has two legs."""
    return play(tmp_path_factory.mktemp("two"), "solid", "greedy", 160, "solid-smallest")


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """One strategy against itself, with four ways to return, of which one is its own and one another way to play."""
    policies = "solid-smallest", "solid-largest", "solid?give=0", "solid-early"
    return play(tmp_path_factory.mktemp("alone"), "solid", "solid", 160, *policies)


def deals_of(study: Study) -> pd.DataFrame:
    """A row a deal, the rows of the three arms side by side."""
    parts = [
        f"""select pair, leg, steps * if(winner = declarer, 1, -1) as "levels {arm}",
                   finish_order as "order {arm}", lead_seat as "leader {arm}"
            from '{study.folder / arm}/deals/*.parquet'"""
        for arm in ARMS
    ]
    rows = f"select * from '{study.folder}/exchange/deals/*.parquet'"
    joined = " join ".join([f"({rows})", *(f"({part}) as p{k} using (pair, leg)" for k, part in enumerate(parts))])
    found = duckdb.connect().execute(f"select * from {joined} order by pair, leg").df()
    boards = [Context.parse(line) for line in study.requests["exchange"].boards or ()]
    values = result_values(boards, load_rules(study.requests["exchange"].rules).rules)
    for arm in ARMS:
        won = []
        for pair, order in zip(found["pair"], found[f"order {arm}"], strict=True):
            seats = order.replace("(", "").replace(")", "")
            result = "0213".index(seats[0]) // 2 * 3 + seats.index(str((int(seats[0]) + 2) % 4)) - 1
            chance = int(values[pair][result])
            won.append(chance if boards[pair].declarer == 0 else 1_000_000 - chance)
        found[f"match {arm}"] = won
    return pd.DataFrame(found)


def again(deals: pd.DataFrame, unit: str, first: str, second: str) -> tuple[float, float]:
    """Mean difference of two arms and its error, by the formula of docs/data.md."""
    gap = (deals[f"{unit} {first}"] - deals[f"{unit} {second}"]) / (1_000_000 if unit == "match" else 1)
    sums = pd.DataFrame({"pair": deals.pair, "n": 1, "k": gap}).groupby("pair").sum()
    pairs, n, ratio = len(sums), sums.n.sum(), sums.k.sum() / sums.n.sum()
    return ratio, (pairs / (pairs - 1) * ((sums.k - ratio * sums.n) ** 2).sum()) ** 0.5 / n


@pytest.mark.parametrize("name", ["two", "alone"])
def test_every_value_follows_from_the_stored_rows_by_sql_and_pandas(name: str, request: pytest.FixtureRequest) -> None:
    study: Study = request.getfixturevalue(name)
    deals = deals_of(study)
    paid = deals[deals.given_1.notna()]
    assert (study.found.deals, study.found.paid) == (len(deals), len(paid))
    assert study.found.refused == deals.tribute.str.endswith("refused").sum() > 0
    partner = (paid.payers.astype(int) + paid.receivers.astype(int)) % 2 == 0
    level = paid.level.map(lambda n: "23456789TJQKA"[n - 2])
    plain = paid.given_1.str[1] != level
    chosen = {
        ("kind", "all"): paid,
        ("kind", "single"): paid[paid.tribute == "single"],
        ("kind", "double"): paid[paid.tribute == "double"],
        ("kind", "single_partner"): paid[(paid.tribute == "single") & partner],
        ("kind", "single_opponent"): paid[(paid.tribute == "single") & ~partner],
        ("given", "single HR"): paid[(paid.tribute == "single") & (paid.given_1 == "HR")],
        ("given", "single level"): paid[(paid.tribute == "single") & ~plain & (paid.given_1 != "SB")],
        ("returned", "single 2"): paid[(paid.tribute == "single") & (paid.returned_1.str[1] == "2") & (level != "2")],
    }
    if name == "two":
        chosen |= {("receiver", side): paid[paid.declarer == side] for side in "xy"}
    shown = 0
    for (by, label), rows in chosen.items():
        group = study.group(by, label)
        assert (group.deals, group.pairs) == (len(rows), rows.pair.nunique()), label
        for unit, worth in (("levels", group.levels), ("match", group.match)):
            for figure, first, second in (
                (worth.card, "exchange", "payer-leads"),
                (worth.lead, "payer-leads", "winner-leads"),
                (worth.both, "exchange", "winner-leads"),
            ):
                if group.pairs < 30:
                    assert figure == NotEstimable("too_few", group.pairs, group.deals)
                    continue
                assert isinstance(figure, Estimate)
                assert (figure.value, figure.se) == pytest.approx(again(rows, unit, first, second), abs=1e-12)
                shown += 1
    assert shown >= 24


def test_cards_and_lead_add_up_to_their_sum(two: Study) -> None:
    added = 0
    for group in two.found.groups:
        for worth in (group.levels, group.match):
            figures = worth.card, worth.lead, worth.both
            if all(isinstance(figure, Estimate) for figure in figures):
                card, lead, both = (figure.value for figure in figures if isinstance(figure, Estimate))
                assert card + lead == pytest.approx(both, abs=1e-12)
                added += 1
    assert added >= 12


def test_arms_differ_in_lead_and_exchange_alone(two: Study) -> None:
    moved = 0
    for pair in range(0, 60, 3):
        for leg in (1, 2):
            exchange, payer, winner = (replay(two.folder / arm, pair, leg, 1) for arm in ARMS)
            assert exchange.hands == payer.hands == winner.hands
            assert exchange.level == payer.level == winner.level
            assert exchange.levels_before == payer.levels_before == winner.levels_before
            assert payer.row["tribute"] == winner.row["tribute"] == "none"
            board = Context.parse((two.requests["exchange"].boards or ())[pair])
            assert board.order is not None
            assert winner.row["lead_seat"] == board.order[0]
            if exchange.row["given_1"]:
                assert payer.row["lead_seat"] == exchange.row["lead_seat"] != winner.row["lead_seat"]
                moved += 1
    assert moved > 10


@pytest.mark.parametrize("rules", [name for name in preset_names() if load_rules(name).rules.tribute])
def test_the_payer_who_leads_is_the_one_who_leads_after_the_exchange(rules: str, tmp_path: Path) -> None:
    study = play(tmp_path, "greedy", "random", 200, rules=rules, contexts="uniform")
    looks_at_returns = load_rules(rules).rules.equal_tribute == "smaller_return_leads"
    assert study.found.paid > 300
    assert 0 < study.found.led_otherwise < 20 if looks_at_returns else study.found.led_otherwise == 0


def test_refused_tribute_is_as_if_the_winner_led_for_a_strategy_that_does_not_mind(two: Study) -> None:
    deals = deals_of(two)
    refused = deals[deals.tribute.str.endswith("refused")]
    assert len(refused) > 10
    assert (refused["order exchange"] == refused["order winner-leads"]).all()
    assert (refused["leader exchange"] != refused["leader payer-leads"]).all()
    for each in two.found.refusals:
        rows = refused[refused.tribute == each.name]
        assert (each.deals, each.pairs) == (len(rows), rows.pair.nunique())


def test_a_policy_that_returns_the_same_differs_nowhere(alone: Study) -> None:
    same = alone.found.policies[2]
    assert same.name == "solid?give=0"
    assert same.levels == NotEstimable("no_variation", alone.found.paid, alone.found.paid)
    assert (same.p, same.adjusted, same.stray) == (None, None, 0)


def test_policies_are_compared_on_the_same_deals_with_holm(alone: Study) -> None:
    smallest, largest, _, early = alone.found.policies
    assert (smallest.stray, largest.stray) == (0, 0)
    assert early.stray > 0, "it plays otherwise, too, and that is told"
    known = sorted((each.p, each.adjusted) for each in (smallest, largest, early) if each.p and each.adjusted)
    assert known[0][1] == pytest.approx(3 * known[0][0])
    text = f"""
        select avg(gap) from (
            select p.steps * if(p.winner = p.declarer, 1, -1) - b.steps * if(b.winner = b.declarer, 1, -1) as gap
            from '{alone.folder}/policy-2/deals/*.parquet' as p
                 join '{alone.folder}/exchange/deals/*.parquet' as b using (pair, leg)
            where b.given_1 is not null)"""
    assert isinstance(largest.levels, Estimate)
    assert duckdb.connect().execute(text).fetchall() == [(pytest.approx(largest.levels.value),)]


def test_against_another_strategy_a_policy_counts_where_it_receives(two: Study) -> None:
    (smallest,) = two.found.policies
    assert smallest.deals == two.group("receiver", "x").deals < two.found.paid
    assert smallest.stray == 0


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"rules": "zhuozhou-event"}, "tribute_none"),
        ({"contexts": "2/2 - 0/0 - tribute"}, "tribute_contexts"),
        ({"pairs": 10_001}, "tribute_pairs"),
        ({"contexts": "nowhere"}, "boards_unknown"),
        ({"policies": ("nobody?=",)}, "strategy_wrong"),
    ],
)
def test_a_study_that_cannot_be_is_refused(asked: dict[str, object], code: str) -> None:
    with pytest.raises(SimError) as told:
        arms("solid", "solid", **{"pairs": 10, "seed": 1, **asked})  # type: ignore[arg-type]  # one of them is wrong
    assert told.value.code == code


def test_arms_of_two_studies_are_not_compared(two: Study, alone: Study) -> None:
    mixed = {**two.requests, "winner-leads": alone.requests["winner-leads"]}
    with pytest.raises(SimError) as told:
        figures({arm: snapshot(two.folder / arm) for arm in mixed}, mixed)
    assert told.value.code == "tribute_arms"


def test_contexts_of_a_run_leave_out_first_deals(tmp_path: Path) -> None:
    folder = make_run(tmp_path, "greedy", "random", 100)
    boards = arms("greedy", "greedy", pairs=200, seed=2, contexts=str(folder))["exchange"].boards or ()
    assert len(boards) == 200
    assert all(Context.parse(line).order is not None for line in boards)


def test_the_lines_of_a_study_are_counterfactual_and_have_a_unit_each(alone: Study) -> None:
    lines = study_lines(alone.found, "en")
    assert {line.kind for line in lines} == {"counterfactual"}
    assert len(lines) == len({(line.label, line.unit) for line in lines}) == 4 * 3 * 2
    shown = {(line.label, line.unit): line.figure for line in lines}
    single = alone.group("kind", "single")
    assert shown["Value of the cards · single", "levels"] == single.levels.card
    assert shown["Cards and lead together · single", "match"] == single.match.both
