"""The request of a run: what it takes, what it refuses, and the size of its blocks."""

import pickle

import pytest

from sim.errors import MESSAGES, SimError
from sim.request import MAX_PAIRS, MAX_SEED, RunRequest, default_block_pairs, new_request


@pytest.mark.parametrize(
    ("pairs", "size"),
    [
        (1, 100),
        (999, 100),
        (2_000, 200),
        (5_000, 500),
        (10_000, 1_000),
        (99_999, 5_000),
        (500_000, 10_000),
        (MAX_PAIRS, 10_000),
    ],
)
def test_block_size_is_a_round_tenth_of_the_run_within_bounds(pairs: int, size: int) -> None:
    assert default_block_pairs(pairs) == size


def test_blocks_cover_the_pairs_exactly() -> None:
    assert new_request("greedy", "random", pairs=1_001, seed=0, block_pairs=500).blocks == 3
    assert new_request("greedy", "random", pairs=1_000, seed=0, block_pairs=500).blocks == 2


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"pairs": 0}, "pairs_range"),
        ({"pairs": MAX_PAIRS + 1}, "pairs_range"),
        ({"pairs": True}, "not_text"),
        ({"pairs": "5"}, "not_text"),
        ({"seed": -1}, "seed_range"),
        ({"seed": MAX_SEED + 1}, "seed_range"),
        ({"seed": 1.5}, "not_text"),
        ({"block_pairs": 0}, "block_range"),
        ({"block_pairs": 10**6}, "block_range"),
        ({"detail": "cards"}, "detail_unknown"),
        ({"x": ""}, "not_text"),
        ({"y": 7}, "not_text"),
        ({"rules": None}, "not_text"),
        ({"pairs": 2_000_000, "block_pairs": 1}, "too_many_blocks"),
    ],
)
def test_values_out_of_range_are_refused(fields: dict[str, object], code: str) -> None:
    valid = new_request("greedy", "random", pairs=10, seed=1).as_dict()
    with pytest.raises(SimError) as error:
        RunRequest.from_dict(valid | fields)
    assert error.value.code == code


def test_request_survives_its_dictionary() -> None:
    request = new_request("greedy", "random", pairs=10, seed=MAX_SEED, detail="matches")
    assert RunRequest.from_dict(request.as_dict()) == request
    assert request.tables == ("pairs", "matches", "faults", "cubes")


def test_errors_survive_pickling_and_stay_on_one_line() -> None:
    error = pickle.loads(pickle.dumps(SimError("folder_used", folder="a\nb\x1b[31m")))
    assert str(error) == "a\\nb\\x1b[31m already holds other files; name an empty or a new folder"
    assert error.text("zh").startswith("a\\nb")


def test_every_error_has_the_same_values_in_both_languages() -> None:
    for code, (zh, en) in MESSAGES.items():
        if code in ("rules_wrong", "board_wrong", "strategy_wrong", "strategy_fault", "place_wrong"):  # told in both
            continue
        told = ({part.split("}")[0] for part in text.split("{")[1:]} for text in (zh, en))
        assert next(told) - {"zh"} == next(told) - {"en"}, code  # a phrase that comes in both languages
