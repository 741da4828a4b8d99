"""Write how far a run is."""

from __future__ import annotations

from typing import Any

from rich.cells import cell_len

from cluster.progress import clock, unit_of
from cluster.texts import Texts
from sim.status import MatchUpStatus, Status


def as_text(t: Texts, state: Status) -> str:
    """Lay the state of a run out for a terminal: a line for the run, then one for each match-up."""
    who = t("status_idle") if state.owner is None else t("status_played", owner=state.owner)
    if state.complete:
        who = t("status_complete")
    head = t(
        "status_run",
        run=state.run.id,
        done=f"{state.blocks_done:,}",
        blocks=f"{state.blocks:,}",
        matches=f"{state.matches_done:,}",
        all=f"{state.matches:,}",
        unit=unit_of(t, state.run),
        who=who,
    )
    if state.rate:
        head += t("status_rate", rate=f"{state.rate:,.0f}", unit=unit_of(t, state.run), left=clock(state.seconds_left))
    rows = [_cells(t, number, each) for number, each in enumerate(state.match_ups)]
    heads = [*t("status_heads").split("|")]
    widths = [max(cell_len(row[k]) for row in [heads, *rows]) for k in range(len(heads))]
    lines = [
        "  ".join(cell + " " * (w - cell_len(cell)) for cell, w in zip(row, widths, strict=True)).rstrip()
        for row in [heads, *rows]
    ]
    excluded = excluded_line(t, state)
    return "\n".join([head, *lines, *([excluded] if excluded else [])])


def _cells(t: Texts, number: int, state: MatchUpStatus) -> list[str]:
    share = f"{100 * state.pairs_done / state.pairs:.0f}%"
    done = f"{state.pairs_done:,}/{state.pairs:,}"
    cells = [str(number), state.x, state.y, state.rules, done, share, f"{state.faults:,}", clock(state.seconds)]
    return [*cells, _verdict(t, state)]


def _verdict(t: Texts, state: MatchUpStatus) -> str:
    if state.judgement is None:
        return ""
    verdict = state.judgement.verdict
    return t(f"verdict_{verdict.state}", pairs=f"{verdict.pairs:,}", llr=f"{verdict.llr:.2f}")


def excluded_line(t: Texts, state: Status) -> str | None:
    """Say how many blocks are excluded, with the totals that they would make; None where none is."""
    if not state.excluded:
        return None
    out = sum(each.pairs_excluded for each in state.match_ups)
    kept = sum(each.pairs_done for each in state.match_ups)
    return t(
        "excluded_line",
        count=f"{state.excluded:,}",
        pairs=f"{out:,}",
        blocks=f"{state.blocks_done + state.excluded:,}",
        all=f"{kept + out:,}",
    )


def as_values(state: Status) -> dict[str, Any]:
    """Give the state of a run as JSON values."""
    return {
        "run": state.run.id,
        "blocks": state.blocks,
        "blocks_done": state.blocks_done,
        "matches": state.matches,
        "matches_done": state.matches_done,
        "complete": state.complete,
        "blocks_excluded": state.excluded,
        "played_by": state.owner,
        "matches_a_second": state.rate,
        "seconds_left": state.seconds_left,
        "match_ups": [
            {
                "number": number,
                "x": each.x,
                "y": each.y,
                "rules": each.rules,
                "pairs": each.pairs,
                "pairs_done": each.pairs_done,
                "pairs_excluded": each.pairs_excluded,
                "matches_done": each.matches_done,
                "faulty_deals": each.faults,
                "processor_seconds": round(each.seconds, 3),
                "test": None
                if each.judgement is None
                else {
                    "verdict": each.judgement.verdict.state,
                    "pairs": each.judgement.verdict.pairs,
                    "llr": each.judgement.verdict.llr,
                },
            }
            for number, each in enumerate(state.match_ups)
        ],
    }
