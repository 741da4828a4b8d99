"""Write gd_tables.h: the constant tables of play generation. Run by hand; a test checks that the file is current."""

from __future__ import annotations

import itertools
import sys
from pathlib import Path

JOKERS = (13, 14)


def ranks_by_power(level: int) -> list[int]:
    """Ranks in ascending power when `level` (0..12) is played: the level comes after A and before the jokers."""
    return [r for r in range(13) if r != level] + [level, *JOKERS]


def patterns(need: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Wilds by place, at most two in all, that fill a sequence whose places lack `need` natural cards.

    A place may take more wilds than it lacks (the natural card is then saved) but never more than a place holds.
    """
    places = itertools.product(*(range(n, 3) for n in need))
    return sorted((p for p in places if sum(p) <= 2), key=lambda p: (sum(p), code(p)))


def code(wilds_by_place: tuple[int, ...]) -> int:
    """Detail field: two bits a place from the lowest."""
    return sum(w << (2 * i) for i, w in enumerate(wilds_by_place))


def c_list(values: list[int], form: str = "{}") -> str:
    """Write numbers as lines of C."""
    lines, line = [], ""
    for v in values:
        item = form.format(v) + ","
        if len(line) + len(item) > 112:
            lines.append(line)
            line = ""
        line += item + " "
    return "\n    ".join([*lines, line.rstrip()])


def c_rows(rows: list[list[int]], form: str = "{}") -> str:
    """Write rows of numbers as nested braces of C."""
    return ",\n    ".join("{" + ", ".join(form.format(v) for v in row) + "}" for row in rows)


def pattern_table(name: str, rows: dict[int, list[tuple[int, int]]], size: int) -> str:
    """rows: index -> [(wilds, detail)], ascending. Two C arrays: where a row lies, and the code fragments."""
    fragments: list[int] = []
    places = []
    for index in range(size):
        row = rows.get(index, [])
        upto = [sum(1 for wilds, _ in row if wilds <= most) for most in range(3)]
        places.append(f"{{{len(fragments)}, {{{upto[0]}, {upto[1]}, {upto[2]}}}}}")
        fragments += [wilds << 18 | detail << 10 for wilds, detail in row]
    fragments += [0] * 3  # rows are read four entries at a time
    body = ",\n    ".join(", ".join(places[i : i + 6]) for i in range(0, size, 6))
    return (
        f"static const gd_pattern_row {name}_rows[{size}] = {{\n    {body}\n}};\n"
        f"static const uint32_t {name}_patterns[{len(fragments)}] = {{\n    {c_list(fragments, '0x{:05x}')}\n}};\n"
    )


def straight_rows() -> dict[int, list[tuple[int, int]]]:
    """Index: the places (5 bits) without a natural card."""
    rows: dict[int, list[tuple[int, int]]] = {}
    for missing in range(32):
        fits = [p for p in range(32) if p & missing == missing and p.bit_count() <= 2]
        rows[missing] = sorted((p.bit_count(), p) for p in fits)
    return rows


def tube_rows() -> dict[int, list[tuple[int, int]]]:
    """Index: places with two or more naturals (3 bits) | places with one or more << 3."""
    rows: dict[int, list[tuple[int, int]]] = {}
    for held in itertools.product(range(3), repeat=3):
        index = sum((n >= 2) << i | (n >= 1) << (3 + i) for i, n in enumerate(held))
        need = tuple(2 - n for n in held)
        rows[index] = [(sum(p), code(p)) for p in patterns(need)]
    return rows


def plate_rows() -> dict[int, list[tuple[int, int]]]:
    """Index: places with three or more naturals (2 bits) | two or more << 2 | one or more << 4."""
    rows: dict[int, list[tuple[int, int]]] = {}
    for held in itertools.product(range(4), repeat=2):
        index = sum((n >= 3) << i | (n >= 2) << (2 + i) | (n >= 1) << (4 + i) for i, n in enumerate(held))
        rows[index] = [(sum(p), code(p)) for p in patterns(tuple(3 - n for n in held))]
    return rows


def multiset_counts() -> list[list[int]]:
    """[suits held once or twice | suits held twice << 4][k]: sub-multisets of k cards of one rank."""
    rows = []
    for index in range(256):
        one, two = index & 15, index >> 4
        ways = [1] + [0] * 8
        for suit in range(4):
            copies = (one >> suit & 1) + (two >> suit & 1)
            ways = [sum(ways[k - c] for c in range(copies + 1) if k >= c) for k in range(9)]
        rows.append(ways if two & ~one == 0 else [0] * 9)
    return rows


def render() -> str:
    """Write the whole header."""
    ranks = [ranks_by_power(level) for level in range(13)]
    keys = [[p << 20 | r << 6 for p, r in enumerate(level)] + [0] for level in ranks]
    pairs = [[p << 10 | r << 2 for p, r in enumerate(level)] + [0] for level in ranks]
    return f"""/* Written by make_tables.py; do not edit. */
#ifndef GD_TABLES_H
#define GD_TABLES_H
#include <stdint.h>

/* Rank by power, and power by rank, for each level. */
static const uint8_t gd_rank_of_power[13][15] = {{
    {c_rows(ranks)}
}};
static const uint8_t gd_power_of_rank[13][15] = {{
    {c_rows([[level.index(r) for r in range(15)] for level in ranks])}
}};
/* Fields power and rank of a play, by level and power; a sixteenth entry to be read behind the last. */
static const uint32_t gd_key_bits[13][16] = {{
    {c_rows(keys, "0x{:06x}")}
}};
/* Fields power of the pair and rank of the pair of a full house, by level and power, likewise. */
static const uint32_t gd_pair_bits[13][16] = {{
    {c_rows(pairs, "0x{:04x}")}
}};

/* Where a row of wild patterns begins and how many of its entries use at most 0, 1, 2 wilds. */
typedef struct {{
    uint8_t at, upto[3];
}} gd_pattern_row;
{pattern_table("gd_straight", straight_rows(), 32)}{pattern_table("gd_tube", tube_rows(), 64)}{
        pattern_table("gd_plate", plate_rows(), 64)
    }
/* Sub-multisets of k cards of one rank: [suits held | suits held twice << 4][k]. */
static const uint8_t gd_multisets[256][9] = {{
    {c_rows(multiset_counts())}
}};
#endif
"""


if __name__ == "__main__":
    target = Path(__file__).with_name("gd_tables.h")
    if "--check" in sys.argv:
        sys.exit(0 if target.read_text() == render() else "gd_tables.h is not what make_tables.py writes")
    target.write_text(render())
