"""expert is legal under all rules, tells the same from the same view, and plays as a strong player would."""

import ctypes as c
from random import Random
from typing import Any

import pytest

from engine.bulk import play_pairs
from engine.match import Match
from engine.plays import Kind, code_key
from engine.rules import NATIONAL
from engine.ruleset import load_rules, preset_names
from strategies.registry import load
from tests.slow import brute, duel
from tests.support.native import Api, Cards, Hand, PythonStrategy, Step, Tribute, View, struct_in
from tests.support.seat import Position

SEED = 730
EXPERT = load("expert")


# ---- promises -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", preset_names())
def test_every_answer_is_legal_under_every_rule_set(preset: str) -> None:
    rules = load_rules(preset).rules
    for other in ("random", "greedy"):
        assert play_pairs(EXPERT, load(other), rules, SEED, range(3)).done == 3


def test_a_match_is_played_twice_alike() -> None:
    one, again = ([(d.hands, d.events) for d in Match(NATIONAL, SEED, 0, 1, EXPERT, EXPERT).deals()] for _ in range(2))
    assert one == again


class Copied:
    """Asks expert twice: at the table, and about a copy of what the view shows, with nothing behind it."""

    def __init__(self) -> None:
        self.struct = struct_in(EXPERT.capsule)
        self.asked = 0
        self.strategy = PythonStrategy(
            lambda view: self.ask(view, self.struct.play),
            lambda view: self.ask(view, self.struct.tribute),
            lambda view: self.ask(view, self.struct.return_tribute),
        )

    def ask(self, view: View, decide: Any) -> int:
        view.parameters = self.struct.values
        at_table = int(decide(c.byref(view)))
        values = [view.api.contents.value(c.byref(view), result) for result in range(6)]
        copy = View.from_buffer_copy(view)
        kept = (
            Api(value=Api._fields_[3][1](lambda _, result: values[result])),
            Hand.from_buffer_copy(view.hand.contents),
            Cards.from_buffer_copy(view.gone.contents),
            Tribute.from_buffer_copy(view.shown.contents),
            (Step * max(view.n_steps, 1))(*view.steps[: view.n_steps]),
            (c.c_uint8 * 4)(*view.left[:4]),
            (c.c_uint32 * view.n)(*view.plays[: view.n]),
            (c.c_uint8 * 54)(*view.options[:54]),
        )
        api, hand, gone, shown, steps, left, plays, options = kept
        copy.api, copy.hand, copy.gone, copy.shown = c.pointer(api), c.pointer(hand), c.pointer(gone), c.pointer(shown)
        copy.steps, copy.left, copy.plays, copy.options = steps, left, plays, options
        copy.random = None  # deterministic: it draws nothing
        assert decide(c.byref(copy)) == at_table
        self.asked += 1
        return at_table


def test_an_answer_depends_on_nothing_but_what_the_view_shows() -> None:
    copied = Copied()
    play_pairs(copied.strategy, load("greedy"), NATIONAL, SEED, range(1))
    copied.strategy.raise_errors()
    assert copied.asked > 100


# ---- positions ------------------------------------------------------------------------------------------------------

LOW = "S3 S4 S6 S7 H9 C9 CJ DJ"
"""A hand that is far from out."""

POSITIONS = [
    ("goes out where it can", Position("S3 H3 C3", left=(5, 5, 5)), {"S3 H3 C3"}),
    (
        "leads no low single to an opponent with one card",
        Position("S3 C7 D7 SK HK", left=(1, 12, 9)),
        {"C7 D7", "SK HK"},
    ),
    (
        "feeds a partner with one card a single",
        Position(
            "S3 S5 H5 S8 H8 SQ HQ",
            left=(12, 1, 12),
            out="HR C4 D4 C6 D6 C7 D7 C9 D9 CT DT CJ DJ C3 D3 C5 D5 C8 D8 CQ DQ CK DK S6 S7",
        ),
        {"S3"},
    ),
    (
        "lets a partner's high card stand",
        Position(LOW + " SA", left=(10, 9, 10), to_beat="HK", holder="partner"),
        {"-"},
    ),
    (
        "bombs an opponent who would go out",
        Position("S5 H5 C5 D5 S9 H9", left=(1, 9, 9), to_beat="HR", holder="next"),
        {"H5 S5 C5 D5", "S5 H5 C5 D5"},
    ),
    (
        "takes the lead with the top card and goes out",
        Position("HR S4", left=(9, 9, 9), to_beat="SA", holder="last"),
        {"HR"},
    ),
    (
        "keeps its bomb from a low single early on",
        Position("S5 H5 C5 D5 " + LOW + " SQ HK CK CA", left=(25, 25, 25), to_beat="S8", holder="last"),
        {"CJ", "SQ", "-", "H9", "C9", "DJ"},
    ),
    (
        "blocks a next with one card, though the partner's single lies",
        Position("S3 H6 C8 SA HR DT CT", left=(1, 9, 9), to_beat="S5", holder="partner"),
        {"SA", "HR"},
    ),
    (
        "feeds a partner with two cards a low pair",
        Position("S3 H3 S8 HQ SQ SK C5 D5", left=(14, 2, 14)),
        {"S3 H3", "C5 D5"},
    ),
    (
        "leads no low pair to an opponent with two cards",
        Position("S3 H3 S5 H8 SA HA S9 H9 C9", left=(2, 10, 10)),
        {"S9 H9 C9", "S5", "H8", "SA HA", "S9 H9 C9 S3 H3"},
    ),
    (
        "goes out over the partner",
        Position("SK HK", left=(6, 6, 6), to_beat="S8 H8", holder="partner"),
        {"SK HK"},
    ),
    (
        "bombs to go out in one more turn",
        Position("S5 H5 C5 D5 S9 H9", left=(9, 9, 9), to_beat="SK HK", holder="last"),
        {"S5 H5 C5 D5"},
    ),
    (
        "lays no bomb on the partner",
        Position("S5 H5 C5 D5 SA HA SK C3", left=(9, 9, 9), to_beat="S7 H7 C7", holder="partner"),
        {"-"},
    ),
    (
        "answers with the card that its straight does not need",
        Position("S4 S9 HT SA HR D6 D7 C8", left=(20, 20, 20), to_beat="S8", holder="last"),
        {"SA", "HR"},
    ),
]


@pytest.mark.parametrize(("name", "position", "answers"), POSITIONS, ids=[name for name, *_ in POSITIONS])
def test_position(name: str, position: Position, answers: set[str]) -> None:
    given = {" ".join(sorted(answer.split())) for answer in answers}
    assert " ".join(sorted(position.answer(EXPERT).split())) in given


# ---- the last two seats ---------------------------------------------------------------------------------------------


def draw_duel(rng: Random) -> tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Draw a level, two short hands of few ranks and, half the time, a play to beat."""
    level, low = rng.choice(brute.RANKS), rng.randrange(13)
    ranks = (brute.RANKS + brute.RANKS)[low : low + rng.choice((3, 5, 6))]
    pack = [
        card for card in brute.PACK for _ in range(2) if card[1] in ranks or card[1] == level or card in ("SB", "HR")
    ]
    n, m = rng.randint(2, 6), rng.randint(1, 6)
    drawn = rng.sample(pack, n + m + 2)
    single, pair = drawn[:1], [card for card in pack if card[1] == drawn[0][1] and card not in ("SB", "HR")][:2]
    mine, theirs = tuple(sorted(drawn[2 : 2 + n])), tuple(sorted(drawn[2 + n :]))
    beaten = rng.choice(((), (), single, pair))
    if any((mine + theirs + tuple(beaten)).count(card) > 2 for card in beaten):
        beaten = ()
    return level, mine, theirs, tuple(beaten)


def test_with_two_seats_left_no_win_is_given_away() -> None:
    rng, won, lost = Random(1), 0, 0
    for _ in range(400):
        level, mine, theirs, beaten = draw_duel(rng)
        position = Position(
            " ".join(mine),
            left=(len(theirs), 0, 0),
            out=" ".join(theirs),
            to_beat=" ".join(beaten),
            holder="next" if beaten else "",
            level=level,
        )
        code = position.view.to_beat
        over = (Kind(code >> 28).name, code_key(code), len(beaten)) if code else None
        if position.view.n < 2:
            continue
        good = {play[2] for play in duel.options(mine, level, over) if duel.wins_after(mine, theirs, level, play)}
        answer = position.answer(EXPERT)
        if not good:
            lost += 1
            continue
        won += 1
        laid = () if answer == "-" else tuple(sorted(answer.split()))
        assert laid in {tuple(sorted(play)) for play in good}, (
            f"{level}: {mine} against {theirs} over {beaten}: {answer}"
        )
    assert min(won, lost) > 40
