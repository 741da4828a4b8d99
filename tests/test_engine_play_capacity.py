"""A list has room for all shapes that any hand can have; the shapes are counted by building each of them."""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

from engine import _core
from engine.cards import RANKS, card_bytes, level_rank
from engine.plays import Kind
from tests.support.shapes import every_shape, hands_of_all_sizes

CSRC = Path(_core.__file__).parent / "csrc"


def capacity() -> int:
    """Read the room for a list from the C header."""
    found = re.search(r"GD_MAX_PLAYS = (\d+)", (CSRC / "gd_gen.h").read_text())
    assert found, "gd_gen.h names no GD_MAX_PLAYS"
    return int(found[1])


def test_no_hand_has_more_shapes_than_a_list_has_room_for() -> None:
    slack = 16  # written, not kept, behind the end by the block writer
    for level in RANKS:
        shapes = [(kind, key, tuple(cards)) for kind, key, cards in every_shape(level)]
        assert len(set(shapes)) == len(shapes)
        codes: set[int] = set()
        for kind, _, cards in shapes:
            hand = _core.Plays(card_bytes(cards), level_rank(level)).codes()
            assert any(code >> 28 == kind and (code >> 24) & 15 == len(cards) for code in hand), (
                f"{kind} {cards} at {level}"
            )
            codes |= set(hand)
        assert len(codes) == len(shapes)
        assert len(codes) + 1 <= capacity() - slack  # PASS is one more
        for _, at, held in hands_of_all_sizes(39, seed=31):
            if at == level:
                assert codes.issuperset(_core.Plays(card_bytes(held), level_rank(level)).codes())


def test_number_of_shapes_by_kind_is_what_the_formulas_say() -> None:
    counted = Counter(kind for kind, _, _ in every_shape("7"))
    ranks, jokers, window_flush = 13, 2, 1 + 5 + 10  # wild patterns of five places: none, one, two wilds
    assert counted == {
        Kind.SINGLE: ranks + jokers + 1,
        Kind.PAIR: ranks + jokers + ranks + 1,
        Kind.TRIPLE: 3 * ranks,
        # Wilds in the triple and in the pair: 0-2 and 0, 0-1 and 1, 0 and 2 (the pair of the level).
        Kind.FULL_HOUSE: 3 * ranks * (ranks - 1 + jokers) + 2 * ranks * (ranks - 1) + (ranks - 1),
        Kind.TUBE: 12 * (1 + 3 + 6),
        Kind.PLATE: 13 * (1 + 2 + 3),
        Kind.STRAIGHT: 10 * window_flush,
        # In hearts the five windows over the level need a wild there: 5 of the 16 patterns have one.
        Kind.STRAIGHT_FLUSH: 3 * 10 * window_flush + 5 * window_flush + 5 * 5,
        # Sizes 4-8 with 0-2 wilds, 9 with 1-2, 10 with 2; of the level only six naturals exist.
        Kind.BOMB: 12 * (5 * 3 + 2 + 1) + (3 * 3 + 2 + 1),
        Kind.JOKER_BOMB: 1,
    }


def test_tables_of_the_generator_are_what_their_script_writes() -> None:
    ran = subprocess.run(
        [sys.executable, CSRC / "make_tables.py", "--check"], capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")
