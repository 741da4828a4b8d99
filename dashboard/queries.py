"""Read a run into data frames: pure functions from a snapshot and a filter to what the charts show.

Every rate frame has the columns part, cell (codes, not words), value, lo, hi (shares of one, nan where there is no
estimate), events, pairs (the sample), missing ("" or why there is no estimate) and expected (nan where nothing is
expected).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import pandas as pd

from sim import counts, figures, promotion
from sim.counts import Filter
from sim.figures import Figure
from sim.reading import Snapshot, Tables, open_tables
from sim.stats import Estimate, LevelSolution, NotEstimable

LEVELS: Final = tuple(range(2, 15))
CARD_RANKS: Final = ("HR", "SB", "level", "A", "K", "Q", "J", "T", "9", "8", "7", "6", "5", "4", "3", "2")
KINDS: Final = ("single", "double", "single_refused", "double_refused")
NUMBERS: Final = ("1", "2", "3", "4+")

Frames = dict[str, pd.DataFrame]

OF_MATCHES: Final = {"cells", "tries_by_number", "level_map", "lengths"}
"""Figures beside the score that say nothing of boards."""


@dataclass(frozen=True)
class Page:
    """Hold all numbers of one page view: headline figures of the whole run, frames under the filter.

    `statements` holds the SQL behind each frame. Frames that need `deals/` are absent if the run does not keep it.
    """

    headline: figures.Headline
    frames: Frames
    statements: Mapping[str, str]


def rate_frame(entries: Iterable[tuple[str, str, Figure]], expected: Mapping[str, float] | None = None) -> pd.DataFrame:
    """Lay estimates out as rows; `expected` is keyed by part."""
    rows = []
    for part, cell, figure in entries:
        rows.append(
            {
                "part": part,
                "cell": cell,
                "value": figure.value if isinstance(figure, Estimate) else float("nan"),
                "lo": figure.lo if isinstance(figure, Estimate) else float("nan"),
                "hi": figure.hi if isinstance(figure, Estimate) else float("nan"),
                "events": figure.events,
                "pairs": figure.units,
                "missing": figure.reason if isinstance(figure, NotEstimable) else "",
                "expected": (expected or {}).get(part, float("nan")),
            }
        )
    names = ["part", "cell", "value", "lo", "hi", "events", "pairs", "missing", "expected"]
    return pd.DataFrame(rows, columns=names)


def _share_frame(
    tables: Tables,
    statement: str,
    parts: Sequence[str],
    cells: Sequence[str],
    expected: Mapping[str, float] | None = None,
) -> pd.DataFrame:
    found = counts.shares(tables, statement)
    entries = ((part, cell, figures.share(found, part, cell)) for part, cell in product(parts, cells))
    return rate_frame(entries, expected)


def read_page(taken: Snapshot, headline: figures.Headline, chosen: Filter) -> Page:
    """Read everything one view shows beside the headline figures. Raises `SimError` where a file cannot be read."""
    with open_tables(taken) as tables:
        model = figures.level_model(headline)
        statements = _statements(taken, chosen)
        if headline.score.boards is not None:
            for name in OF_MATCHES & statements.keys():
                del statements[name]
            statements["boards"] = counts.BOARD_RESULTS if taken.has("matches") else counts.BOARD_TOTALS
        frames = _frames(tables, statements, chosen, headline)
        if "level_map" in statements:
            frames["level_map"] = _level_map(tables, statements["level_map"], chosen, model)
        if "lengths" in statements:
            rows = tables.rows(statements["lengths"])
            frames["lengths"] = pd.DataFrame(rows, columns=["deals", "matches"])
    return Page(headline, frames, statements)


def _statements(taken: Snapshot, chosen: Filter) -> dict[str, str]:
    """Choose the statement of each frame: over deals where they are kept, else over pairs."""
    if not taken.has("deals"):
        statements = {
            "cells": counts.PAIR_RESULTS,
            "score": counts.PAIR_DEALS_WON,
            "refusals": counts.PAIR_REFUSALS,
            "next_wins": counts.PAIR_NEXT_WIN,
            "tries": counts.PAIR_TRIES,
            "steps": counts.PAIR_STEPS,
        }
    else:
        statements = {
            "cells": counts.PAIR_RESULTS,
            "score": counts.PAIR_DEALS_WON,
            "kinds": counts.tribute_kinds(chosen),
            "refusals": counts.refusals(chosen),
            "next_wins": counts.next_wins(chosen),
            "given": counts.cards_given(chosen),
            "returned": counts.cards_returned(chosen),
            "exchanges": counts.exchanges(chosen),
            "tries": counts.tries(chosen),
            "tries_by_number": counts.tries_by_number(chosen),
            "steps": counts.steps(chosen),
            "level_map": counts.level_map(chosen),
        }
    if taken.has("matches"):
        statements["lengths"] = counts.lengths("matches")
    return statements


def _frames(tables: Tables, statements: Mapping[str, str], chosen: Filter, headline: figures.Headline) -> Frames:
    sides = (chosen.side,) if chosen.side else ("x", "y")
    wins = KINDS if "kinds" in statements else ("single", "double", "refused")
    shapes: dict[str, tuple[Sequence[str], Sequence[str]]] = {
        "kinds": (("all",), KINDS),
        "refusals": (("single", "double"), ("refused",)),
        "next_wins": (wins, ("won",)),
        "given": (("all",), CARD_RANKS),
        "returned": (("all",), CARD_RANKS),
        "exchanges": ([f"{given} {back}" for given, back in product(CARD_RANKS, CARD_RANKS)], ("won",)),
        "tries": (sides, figures.TRY_RESULTS),
        "tries_by_number": (NUMBERS, ("passed",)),
        "steps": (sides, figures.STEPS),
    }
    frames = {}
    for name, (parts, cells) in shapes.items():
        if name in statements:
            expected = headline.tribute.expected if name == "refusals" else None
            frames[name] = _share_frame(tables, statements[name], parts, cells, expected)
    for name in ("given", "returned"):  # ranks that never moved (a joker is not returned) would only be empty rows
        if name in frames:
            frames[name] = frames[name].query("value > 0 or missing != ''").reset_index(drop=True)
    if "exchanges" in frames:
        seen = frames["exchanges"].query("events > 0").reset_index(drop=True)
        seen["given"] = [part.split()[0] for part in seen["part"]]
        seen["returned"] = [part.split()[1] for part in seen["part"]]
        frames["exchanges"] = seen
    return frames


def _level_map(tables: Tables, statement: str, chosen: Filter, model: LevelSolution | NotEstimable) -> pd.DataFrame:
    """Give one row for each pair of levels that occurred: match score of x, and what coin-flip deals would give."""
    found = counts.ratios(tables, statement)
    declared = {(x, y): numbers for x, y, *numbers in tables.rows(counts.declarers(chosen))}
    entries, levels, models = [], [], []
    for cell, sums in found.items():
        x, y = (int(level) for level in cell.split())
        entries.append(("all", cell, figures.rate_of_half_points(sums)))
        levels.append((x, y))
        value = promotion.model_value(model, x, y, declared[x, y])
        models.append(float("nan") if value is None else value)
    frame = rate_frame(entries)
    frame["x_level"] = [x for x, _ in levels]
    frame["y_level"] = [y for _, y in levels]
    frame["expected"] = models
    return frame.sort_values(["x_level", "y_level"], ignore_index=True)
