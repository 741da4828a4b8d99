"""Do what the commands promise that keep a run in order: verify, exclude, include, tidy, compact."""

from __future__ import annotations

import json
from typing import Any

from cluster.invocation import command
from cluster.progress import staged
from cluster.texts import Pasted, Texts
from sim import exclusions
from sim.errors import SimError
from sim.places import place


def verify(t: Texts, run: str, sample: int | None, seed: int, workers: int | None, as_json: bool) -> int:
    """Verify a run, exit code 1 if anything is wrong."""
    from sim import verify as verifying
    from sim.provenance import usable_cpus

    with staged(t) as report:
        found = verifying.verify(place(run), report, sample=sample, seed=seed, workers=workers or usable_cpus())
    print(json.dumps(_values(t, found), ensure_ascii=False) if as_json else _lines(t, found))
    return 0 if found.good else 1


def _lines(t: Texts, found: Any) -> str:
    head = t(
        "verify_looked",
        run=found.run or "-",
        blocks=f"{found.blocks:,}",
        apart=f"{found.apart:,}",
        files=f"{found.files:,}",
        bytes=f"{found.bytes:,}",
        laws=found.laws,
        count=len(found.repeated),
        names=" ".join(found.repeated) or "-",
    )
    notes = [t("verify_note", text=Pasted(t.error(note))) for note in found.notes]
    wrong = [t("verify_finding", text=Pasted(t.error(finding))) for finding in found.findings]
    end = t("verify_good") if found.good else t("verify_bad", count=len(wrong))
    return "\n".join([head, *notes, *wrong, end])


def _values(t: Texts, found: Any) -> dict[str, Any]:
    return {
        "run": found.run,
        "good": found.good,
        "blocks": found.blocks,
        "blocks_apart": found.apart,
        "files": found.files,
        "bytes": found.bytes,
        "laws": found.laws,
        "played_again": found.repeated,
        "findings": [_entry(t, each) for each in found.findings],
        "notes": [_entry(t, each) for each in found.notes],
    }


def _entry(t: Texts, error: SimError) -> dict[str, Any]:
    values = {name: value for name, value in error.values.items() if name not in ("zh", "en", "folder")}
    plain = {name: value if isinstance(value, int) else str(value) for name, value in values.items()}
    return {"code": error.code, **plain, "text": t.error(error)}


def exclude(t: Texts, run: str, blocks: tuple[str, ...], reason: str) -> int:
    """Leave blocks out."""
    names = exclusions.exclude(place(run), blocks, reason)
    print(t("excluded_done", names=" ".join(names), folder=run, command=command("include", run, *names)))
    return 0


def include(t: Texts, run: str, blocks: tuple[str, ...]) -> int:
    """Put blocks back."""
    print(t("included_done", names=" ".join(exclusions.include(place(run), blocks))))
    return 0


def tidy(t: Texts, run: str, dry_run: bool) -> int:
    """Clear up, and name what was done."""
    from sim import tidy as tidying

    done = tidying.tidy(place(run), dry_run=dry_run)
    for key in ("temporary", "loose", "moved", "apart", "strangers"):
        if names := getattr(done, key):
            print(t(f"tidy_{key}", names=" ".join(names)))
    if done.nothing:
        print(t("tidy_nothing", folder=run))
    elif dry_run:
        print(t("tidy_dry"))
    return 0


def compact(t: Texts, run: str, out: str, block_pairs: int | None, partial: bool) -> int:
    """Write an equal run with larger blocks."""
    from sim import compact as compacting

    with staged(t) as report:
        made = compacting.compact(
            place(run),
            place(out),
            block_pairs=block_pairs,
            partial=partial,
            report=lambda done, total: report("compact", done, total),
        )
    print(
        t(
            "compact_done",
            before=f"{made.blocks_before:,}",
            blocks=f"{made.blocks:,}",
            files_before=f"{made.files_before:,}",
            files=f"{made.files:,}",
            folder=out,
        )
    )
    return 0
