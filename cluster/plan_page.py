"""Say what an experiment would take before it is begun: hours, core-hours, bytes and files, from a pilot."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rich.cells import cell_len

from cluster.progress import clock
from cluster.texts import Texts
from sim.pilot import Pilot, block_pairs_for, fly
from sim.provenance import usable_cpus
from sim.request import RunRequest


@dataclass(frozen=True, slots=True)
class _Estimate:
    """What a match-up would take. seconds: of one processor."""

    request: RunRequest
    pilot: Pilot
    seconds: float
    bytes: float

    @property
    def files(self) -> int:
        """Data files and commit records."""
        return self.request.blocks * (len(self.request.tables) + 1)


def _estimate(request: RunRequest, block_pairs: int | None) -> _Estimate:
    pilot = fly(request)
    factor = request.pairs / pilot.pairs
    sized = request if block_pairs is not None else replace(request, block_pairs=block_pairs_for(request, pilot))
    return _Estimate(sized, pilot, pilot.seconds * factor, sum(pilot.bytes.values()) * factor)


def write(
    t: Texts, requests: Sequence[RunRequest], block_pairs: int | None, workers: int | None, as_json: bool
) -> None:
    """Fly a pilot of each match-up and print what the whole would take."""
    found = [_estimate(request, block_pairs) for request in requests]
    workers = workers or usable_cpus()
    seconds, size = sum(each.seconds for each in found), sum(each.bytes for each in found)
    files = sum(each.files for each in found) + 1
    if as_json:
        values = {
            "workers": workers,
            "seconds": seconds / workers,
            "processor_seconds": seconds,
            "bytes": round(size),
            "files": files,
            "match_ups": [
                {
                    "x": each.request.names[0],
                    "y": each.request.names[1],
                    "rules": each.request.rules,
                    "pairs": each.request.pairs,
                    "block_pairs": each.request.block_pairs,
                    "blocks": each.request.blocks,
                    "processor_seconds": each.seconds,
                    "bytes": round(each.bytes),
                    "pilot_pairs": each.pilot.pairs,
                }
                for each in found
            ],
        }
        print(json.dumps(values))
        return
    rows = [t("plan_heads").split("|")]
    for each in found:
        rate = each.pilot.matches / max(each.pilot.seconds, 1e-9)
        rows.append(
            [
                *each.request.names,
                each.request.rules,
                f"{each.request.pairs:,}",
                f"{each.request.blocks:,} x {each.request.block_pairs:,}",
                f"{rate:,.0f}",
                clock(each.seconds),
                _size(each.bytes),
            ]
        )
    widths = [max(cell_len(row[k]) for row in rows) for k in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell + " " * (w - cell_len(cell)) for cell, w in zip(row, widths, strict=True)).rstrip())
    print(
        t(
            "plan_all",
            workers=workers,
            hours=clock(seconds / workers),
            core_hours=f"{seconds / 3600:,.2f}",
            size=_size(size),
            files=f"{files:,}",
        )
    )


def _size(count: float) -> str:
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:,.3g} TB"
