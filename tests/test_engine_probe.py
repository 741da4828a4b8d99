"""Questions beside a table: answers, scores, hidden cards dealt anew, positions by hand; and teams."""

import ctypes
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from engine import _core
from engine.rules import NATIONAL
from strategies.registry import load
from tests.support.native import Decide, PythonStrategy, Strategy, View, capsule_of

GREEDY, RANDOM = load("greedy").capsule, load("random").capsule
RANK = ctypes.CFUNCTYPE(None, ctypes.POINTER(View), ctypes.POINTER(ctypes.c_int32))


def positions(seed: int, deals: int = 6) -> Iterator[_core.Table]:
    """Stop at every question of some deals of greedy; what is asked there changes nothing."""
    table = _core.Table(NATIONAL.core(), seed, 0, 1)
    for _ in range(deals):
        table.deal()
        while table.state[0] != 4:
            yield table
            table.decide(GREEDY)
        table.score()


def test_a_question_beside_the_table_leaves_it_as_it_was() -> None:
    plain = [(table.state, table.hands) for table in positions(3)]
    asked = []
    for table in positions(3):
        table.ask(RANDOM)
        table.ask(GREEDY, 7)
        asked.append((table.state, table.hands))
    assert asked == plain
    assert {state[0] for state, _ in asked} == {1, 2, 3}


def test_the_answer_beside_the_table_is_the_decision_at_it() -> None:
    for table in positions(4):
        seat, level, _, _, code, _, _, options = table.question
        index, n, _ = table.ask(GREEDY)
        if options:
            expected = 0, bytes([options[index]])
            assert n == len(options)
        else:
            shapes = _core.Plays(table.hands[seat], level, code, False)
            expected = shapes[index]
            assert n == len(shapes)
        twin = next(t for t in positions(4) if t.state == table.state and t.hands == table.hands)
        assert twin.decide(GREEDY) == expected
        if table.state[7] == 1:  # from the second deal on: tribute was among the questions
            break


def test_a_question_tells_whether_the_strategy_drew_whatever_it_says_of_itself() -> None:
    for table in positions(5, 1):
        answers = table.ask(RANDOM)[1]
        assert table.ask(RANDOM)[2] == (answers > 1)
        assert not table.ask(GREEDY)[2]


def test_dealing_anew_keeps_own_cards_and_counts_and_what_the_exchange_has_shown() -> None:
    moved = shown = 0
    for number, table in enumerate(positions(6, 12)):
        before, seat = table.hands, table.question[0]
        gifts = [(r, g, p, back) for p, r, g, back in table.tribute]
        table.redeal(table.copy(number).hands)
        after = table.hands
        assert after[seat] == before[seat]
        assert [len(hand) for hand in after] == [len(hand) for hand in before]
        assert Counter(b"".join(after)) == Counter(b"".join(before))
        moved += after != before
        if table.state[0] == 3:
            for receiver, given, payer, back in gifts:
                for holder, card in ((receiver, given), (payer, back)):
                    if card >= 0 and card in before[holder]:
                        assert card in after[holder]
                        shown += 1
    assert moved > 500
    assert shown > 100


def test_a_deal_goes_on_after_dealing_anew() -> None:
    table = _core.Table(NATIONAL.core(), 8, 0, 1)
    table.deal()
    for number in range(1000):
        if table.state[0] == 4:
            break
        table.redeal(table.copy(number).hands)
        table.decide(RANDOM)
    assert table.score()["plays"] > 20


def test_a_deal_put_on_the_table_shows_the_cards_nobody_holds_as_gone_and_the_trick_as_steps() -> None:
    seen: list[tuple[int, list[tuple[int, bytes]], int]] = []

    def play(view: View) -> int:
        steps = [(view.steps[i].seat, view.steps[i].cards.ids()) for i in range(view.n_steps)]
        seen.append((len(view.gone.contents.ids()), steps, view.holder))
        return 1

    code = _core.readings(b"\0\1", 5)[0]  # a pair of twos, over which seat 1 has passed
    deal = _core.Deal((b"\4", b"\10", b"\14\15\20", b"\24"), 5, 2, b"", NATIONAL.core(), (0, code, 1))
    rules = NATIONAL.core()
    table = _core.Table(rules, 1, 0, 1, bytes([5, 5, 1, 0, 0, 0, 0, 0, 0, 255, 1]))
    table.deal()
    table.place(deal, b"\0\1")
    strategy = PythonStrategy(play)
    assert table.question == (2, 5, b"", 0, code, b"\0\1", 1, b"")
    table.decide(strategy.capsule)
    strategy.raise_errors()
    assert seen == [(108 - 6, [(0, b"\0\1"), (1, b"")], 0)]
    assert table.hands == (b"\4", b"\10", b"\20", b"\24")


@pytest.mark.parametrize(
    ("level", "laid", "reason"),
    [(0, b"", "cannot lie where 5 is played"), (5, b"\0", "not the cards of the play"), (5, b"", "not the cards")],
)
def test_a_deal_of_another_level_or_a_trick_of_other_cards_is_refused(level: int, laid: bytes, reason: str) -> None:
    code = _core.readings(b"\0\1", level)[0]
    deal = _core.Deal((b"\4", b"\10", b"\14", b"\24"), level, 1, b"", NATIONAL.core(), (0, code, 0))
    table = _core.Table(NATIONAL.core(), 1, 0, 1, bytes([5, 5, 1, 0, 0, 0, 0, 0, 0, 255, 1]))
    table.deal()
    with pytest.raises(ValueError, match=reason):
        table.place(deal, laid)


def test_plays_given_by_hand_are_laid_or_refused() -> None:
    table = _core.Table(NATIONAL.core(), 1, 0, 1)
    table.deal()
    table.place(_core.Deal((b"\4\10", b"\14", b"\20", b"\24"), 0, 0))
    with pytest.raises(ValueError, match="seat 0 may not make this play"):
        table.lay(0, b"")
    with pytest.raises(ValueError, match="of these cards"):
        table.lay(_core.readings(b"\4", 0)[0], b"\10")
    table.lay(_core.readings(b"\4", 0)[0], b"\4")
    assert table.question[:6] == (1, 0, b"", 0, _core.readings(b"\4", 0)[0], b"\4")
    table.lay(0, b"")
    assert table.question[6] == 1


def test_scores_come_for_each_answer_where_the_strategy_has_them() -> None:
    def rank(view: Any, scores: Any) -> None:
        for index in range(view.contents.n):
            scores[index] = 10 * index - 5

    struct, function = Strategy(2, 0, 1, 0, b"ranked"), RANK(rank)
    first = Decide(lambda view: 0)
    struct.play = struct.tribute = struct.return_tribute = first
    struct.rank = ctypes.cast(function, ctypes.c_void_p)
    capsule = capsule_of(struct)
    for table in positions(9, 2):
        n = table.ask(capsule)[1]
        assert table.rank(capsule) == tuple(10 * index - 5 for index in range(n))
    assert next(positions(9)).rank(RANDOM) is None


# ---- who sits there


def test_on_one_side_of_a_table_may_sit_two_strategies() -> None:
    table = _core.Table(NATIONAL, 10, 0, 1, None, ((GREEDY, RANDOM), (GREEDY, RANDOM)))
    table.deal()
    while table.state[0] == 3:
        member = (GREEDY, RANDOM)[table.question[0] // 2]
        assert table.ask() == table.ask(member)
        table.decide()


def test_a_copy_of_a_table_stands_where_it_stands_and_outlives_it() -> None:
    copies = []
    for table in positions(11, 2):
        copies.append((table.copy(), table.copy(5), table.question, table.ask(GREEDY)))
    del table
    for copy, other, question, _ in copies[:300]:
        assert copy.question == other.question == question
        assert copy.hands != other.hands or sum(map(len, copy.hands)) < 20
    copy, other, _, answer = copies[-1]
    assert copy.ask(GREEDY) == other.ask(GREEDY) == answer


def test_a_copy_and_its_table_go_on_by_themselves() -> None:
    plain = [table.hands for table in positions(12, 2)]
    walked = []
    for number, table in enumerate(positions(12, 2)):
        walked.append(table.hands)
        copy = table.copy(number)
        for _ in range(5):
            if copy.state[0] in (1, 2, 3):
                copy.decide(RANDOM)
    assert walked == plain


def test_where_nobody_sits_nobody_can_be_asked() -> None:
    with pytest.raises(ValueError, match="nobody sits"):
        next(positions(1)).ask()
