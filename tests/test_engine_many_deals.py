"""Random deals by the hundred thousand, under every rule set that ships, with the engine's assertions switched on.

tests/slow/deals.c plays them with the engine's own table. After each play the engine asserts that the four hands and
the cards played are the 108 cards; an independent judge holds each play against the hands, the ten definitions and the
play to beat. `make soak` plays the same under the sanitizers, up to 10^8 deals.
"""

import shutil
from pathlib import Path

import pytest

from engine.bulk import play_pairs
from engine.ruleset import load_rules, preset_names
from strategies.registry import load
from tests.slow import deals

pytestmark = pytest.mark.heavy

SEED = 80
DEALS = 100_000


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return deals.build(tmp_path_factory.mktemp("deals"))


@pytest.mark.parametrize("name", preset_names())
def test_100_000_random_deals_keep_108_cards_and_every_play_is_legal(program: Path, name: str) -> None:
    count = deals.play(program, load_rules(name).rules, DEALS, listing="all", every=1, seed=SEED)
    assert count.deals >= DEALS
    assert count.judged == count.plays > 40 * DEALS


@pytest.mark.parametrize("name", preset_names())
def test_100_000_random_deals_over_shapes_keep_108_cards_and_plays_of_each_fifth_are_legal(
    program: Path, name: str
) -> None:
    count = deals.play(program, load_rules(name).rules, DEALS, listing="shapes", every=5, seed=SEED)
    assert count.deals >= DEALS
    assert count.plays / 6 < count.judged < count.plays / 4


@pytest.mark.parametrize("name", preset_names())
def test_the_program_plays_the_deals_that_the_bulk_loop_plays(program: Path, name: str) -> None:
    rules, random = load_rules(name).rules, load("random")
    count = deals.play(program, rules, 500, listing="all", every=0, seed=SEED, first_pair=7)
    rows = play_pairs(random, random, rules, SEED, range(7, 7 + count.pairs), detail="matches")
    assert len(rows.matches["pair"]) == count.matches
    counted = (rows.pairs["deals"].sum(), rows.pairs["plays"].sum(), rows.pairs["passes"].sum())
    assert (count.deals, count.plays, count.passes) == counted


FAULTS = [
    # file, what stands there, what a slip would make of it, what is said
    ("gd_deal.c", "gd_hand_take(&d->hand[seat], d->level, shape, cards);", ";", "is_whole"),
    ("gd_gen.c", "gd_power(to_beat) + 1", "gd_power(to_beat)", "does not beat"),
    ("gd_deal.c", "gd_kind_of(first) != GD_STRAIGHT_FLUSH", "gd_kind_of(first) != GD_PASS", "knows_bombs"),
    ("gd_deal.c", "(of_bombs | ~(uint64_t)0 << 4 * GD_SMALL_JOKER)", "of_bombs", "knows_bombs"),
    ("gd_deal.c", "gd_nibbles_from(had, 4 - wilds)", "gd_nibbles_from(had, 5 - wilds)", "knows_bombs"),
    ("gd_gen.h", "gd_bomb_strength(bombs[i]) > strength", "gd_bomb_strength(bombs[i]) >= strength", "does not beat"),
    ("gd_gen.c", "m[2] = c->wilds > 1 ? c->power[1] & SUITED : 0;", "m[2] = c->wilds ? SUITED : 0;", "status"),
]


@pytest.mark.parametrize(("file", "right", "wrong", "said"), FAULTS, ids=[row[1] for row in FAULTS])
def test_a_slip_in_the_engine_is_found(tmp_path: Path, file: str, right: str, wrong: str, said: str) -> None:
    csrc = Path(shutil.copytree(deals.ROOT / "engine" / "csrc", tmp_path / "csrc"))
    text = (csrc / file).read_text()
    assert right in text, f"{file} reads otherwise now: take another slip"
    (csrc / file).write_text(text.replace(right, wrong, 1))
    program = deals.build(tmp_path, csrc=csrc)
    with pytest.raises(deals.DealFault, match=said):
        deals.play(program, load_rules("national").rules, 1000, listing="all", every=1, seed=SEED)
