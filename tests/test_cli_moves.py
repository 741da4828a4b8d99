"""The `moves` worker: the platforms' notation, one answer a line, and no line that ends it."""

import gzip
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cluster import moves
from cluster.texts import Texts

REFERENCE = Path(__file__).parent / "data/moves/reference_plays.jsonl.gz"


def answers(*lines: object, language: str = "en") -> list[dict[str, Any]]:
    text = b"".join((line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n" for line in lines)
    sink = io.StringIO()
    moves.serve(io.BytesIO(text), sink, Texts("zh" if language == "zh" else "en"))
    return [json.loads(line) for line in sink.getvalue().splitlines()]


def ask(hand: str, level: str, greater: object = None) -> list[list[Any]]:
    (answer,) = answers({"id": 1, "level": level, "hand": hand.split(), "greater": greater})
    assert answer["id"] == 1, answer
    actions: list[list[Any]] = answer["actions"]
    return actions


def test_leading_lists_singles_first_and_no_pass() -> None:
    assert ask("S3 H3 CK", "2") == [
        ["Single", "3", ["S3"]],
        ["Single", "3", ["H3"]],
        ["Single", "K", ["CK"]],
        ["Pair", "3", ["S3", "H3"]],
    ]


def test_following_lists_pass_first() -> None:
    assert ask("S3 CK", "2", ["Single", "9", ["D9"]]) == [["PASS", "PASS", "PASS"], ["Single", "K", ["CK"]]]


def test_four_jokers_are_four_kings_of_rank_b() -> None:
    assert ask("SB SB HR HR", "2", ["Bomb", "9", ["S9", "H9", "C9", "D9"]]) == [
        ["PASS", "PASS", "PASS"],
        ["FourKings", "B", ["SB", "SB", "HR", "HR"]],
    ]


@pytest.mark.parametrize("name", [("FourKings", "B"), ("FourKings", "R"), ("Bomb", "JOKER")])
def test_four_jokers_to_beat_are_understood_under_every_name(name: tuple[str, str]) -> None:
    assert ask("S3 S4", "2", [*name, ["SB", "SB", "HR", "HR"]]) == [["PASS", "PASS", "PASS"]]


@pytest.mark.parametrize("lead", [None, [None, None, None], ["PASS", "PASS", "PASS"]])
def test_nothing_to_beat_may_be_written_in_three_ways(lead: object) -> None:
    assert ask("S3", "2", lead) == [["Single", "3", ["S3"]]]


def test_level_decides_the_wild_and_the_reading() -> None:
    assert ["Pair", "9", ["S9", "H5"]] in ask("S9 H5", "5")
    assert ["Pair", "9", ["S9", "H5"]] not in ask("S9 H5", "6")
    assert ask("S3", "7", ["Bomb", "4", ["S4", "H4", "C4", "H7"]]) == [["PASS", "PASS", "PASS"]]


@pytest.mark.parametrize(
    ("hand", "level", "action"),
    [
        ("SA H2 C3 D4 S5", "7", ["Straight", "A", ["SA", "H2", "C3", "D4", "S5"]]),
        ("ST HJ CQ DK SA", "7", ["Straight", "T", ["ST", "HJ", "CQ", "DK", "SA"]]),
        ("S3 D4 C5 S6 H2", "2", ["Straight", "3", ["S3", "D4", "C5", "S6", "H2"]]),
        ("S3 D4 C5 S6 H2", "2", ["Straight", "2", ["H2", "S3", "D4", "C5", "S6"]]),
        ("S3 S4 S6 S7 H2", "2", ["StraightFlush", "3", ["S3", "S4", "H2", "S6", "S7"]]),
        ("SA CA S2 S3 C3 H9", "9", ["ThreePair", "A", ["SA", "CA", "S2", "H9", "S3", "C3"]]),
        ("SK CK SA CA DA H9", "9", ["TwoTrips", "K", ["SK", "CK", "H9", "SA", "CA", "DA"]]),
        ("S3 C3 S9 H2 H2", "2", ["ThreeWithTwo", "3", ["S3", "C3", "H2", "S9", "H2"]]),
        ("S3 C3 D3 S2 H2", "2", ["ThreeWithTwo", "3", ["S3", "C3", "D3", "S2", "H2"]]),
        ("H8 S8 C8 D8 H2", "2", ["Bomb", "8", ["S8", "H8", "C8", "D8", "H2"]]),
    ],
)
def test_cards_lie_in_the_order_of_the_platforms(hand: str, level: str, action: list[object]) -> None:
    assert action in ask(hand, level)


def test_lists_equal_the_reference_on_some_positions() -> None:
    with gzip.open(REFERENCE, "rt") as lines:
        positions = [json.loads(line) for line in lines][:60]
    asked = [{name: position[name] for name in ("id", "level", "hand", "greater")} for position in positions]
    for position, answer in zip(positions, answers(*asked), strict=True):
        assert answer["id"] == position["id"]
        ours, theirs = ({_plain(a) for a in actions} for actions in (answer["actions"], position["actions"]))
        # A straight whose naturals are of one suit is listed by us, not always by the reference (moves, finding a).
        assert {a for a in ours ^ theirs if a[0] != "Straight"} == set(), position["id"]


def _plain(action: list[Any]) -> tuple[str, str, tuple[str, ...]]:
    cards = action[2]
    return action[0], action[1], tuple(sorted(cards)) if isinstance(cards, list) else (cards,)


BAD_LINES: list[tuple[object, str]] = [
    (b"{", "not JSON"),
    (b"\xff\xfe", "not JSON"),
    (b'{"id": 1, "level": NaN}', "not JSON"),
    (b'{"id": ' + b"9" * 5000 + b"}", "not JSON"),
    (b"[" * 60_000, "not JSON"),
    (b"[1, 2]", "expected a JSON object"),
    (b"null", "expected a JSON object"),
    ({"id": [1]}, "id must be"),
    ({"id": 1.5}, "id must be"),
    ({"id": True}, "id must be"),
    ({"id": 1, "level": "5", "hand": ["S2"], "hnad": []}, "no field hnad"),
    ({"id": 1, "level": 5, "hand": ["S2"]}, "level 5"),
    ({"id": 1, "level": "10", "hand": ["S2"]}, 'level "10"'),
    ({"id": 1, "level": None, "hand": ["S2"]}, "level null"),
    ({"id": 1, "level": "", "hand": ["S2"]}, 'level ""'),
    ({"id": 1, "level": "2"}, "hand must be"),
    ({"id": 1, "level": "2", "hand": []}, "hand must be"),
    ({"id": 1, "level": "2", "hand": "S2"}, "hand must be"),
    ({"id": 1, "level": "2", "hand": ["S2"] * 28}, "hand must be"),
    ({"id": 1, "level": "2", "hand": ["S1"]}, 'no card "S1"'),
    ({"id": 1, "level": "2", "hand": [7]}, "no card 7"),
    ({"id": 1, "level": "2", "hand": ["S2", "S2", "S2"]}, "more than two cards S2"),
    ({"id": 1, "level": "2", "hand": ["S2"], "greater": []}, "greater must be"),
    ({"id": 1, "level": "2", "hand": ["S2"], "greater": ["Pair", 3, ["S3", "H3"]]}, "greater must be"),
    ({"id": 1, "level": "2", "hand": ["S2"], "greater": ["Pair", "3", "S3"]}, "greater must be"),
    ({"id": 1, "level": "2", "hand": ["S2"], "greater": ["Couple", "3", ["S3", "H3"]]}, "no type Couple"),
    ({"id": 1, "level": "2", "hand": ["S2"], "greater": ["Pair", "4", ["S3", "H3"]]}, "not a Pair of 4"),
    ({"id": 1, "level": "2", "hand": ["S2"], "greater": ["Pair", "3", ["S3", "H4"]]}, "not a Pair of 3"),
    ({"id": 1, "level": "2", "hand": ["S2"], "greater": ["FourKings", "B", ["S3"]]}, "not a FourKings of B"),
    (b'{"id": 1, "hand": ["' + b"S" * 70_000 + b'"]}', "longer than 65536"),
]


@pytest.mark.parametrize(("line", "said"), BAD_LINES, ids=[said for _, said in BAD_LINES])
def test_bad_line_gets_an_error_and_the_next_goes_on(line: object, said: str) -> None:
    good = {"id": "next", "level": "2", "hand": ["S3"]}
    for language in ("en", "zh"):
        bad, after = answers(line, good, language=language)
        assert set(bad) == {"id", "error"}
        assert language == "zh" or said in bad["error"]
        assert len(bad["error"]) < 300
        assert after == {"id": "next", "actions": [["Single", "3", ["S3"]]]}
        if isinstance(line, dict) and line["id"] is not True and line["id"] == 1:
            assert bad["id"] == 1


def test_worker_answers_each_line_before_the_next_is_sent() -> None:
    guandan = str(Path(sys.executable).with_name("guandan"))
    with subprocess.Popen([guandan, "moves"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as worker:
        assert worker.stdin is not None
        assert worker.stdout is not None
        for number in range(3):
            worker.stdin.write(json.dumps({"id": number, "level": "2", "hand": ["S3"]}) + "\n")
            worker.stdin.flush()
            assert json.loads(worker.stdout.readline())["id"] == number
        worker.stdin.close()
        assert worker.wait(timeout=10) == 0


def test_empty_lines_and_a_last_line_without_end_are_taken() -> None:
    sink = io.StringIO()
    source = io.BytesIO(b'\n  \n{"id": 1, "level": "2", "hand": ["S3"]}')
    moves.serve(source, sink, Texts("en"))
    assert json.loads(sink.getvalue())["id"] == 1
