"""Play a study of tribute and print what the cards and the lead are worth, in levels and in matches."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from cluster.columns import table
from cluster.progress import tell
from cluster.running import perform
from cluster.texts import Texts
from sim import glossary, pilot
from sim import run as runs
from sim.places import Place
from sim.reading import snapshot
from sim.request import RunRequest
from sim.stats import NotEstimable
from sim.tribute_arms import arms
from sim.tribute_value import Figure, Group, TributeValue, figures

_NUMBERS = frozenset((1, 2))


def run(
    t: Texts,
    strategy: str,
    other: str | None,
    folder: Place,
    policies: Sequence[str],
    *,
    pairs: int,
    seed: int,
    rules: str,
    contexts: str,
    on: str,
    workers: int | None,
    address: str | None,
    as_json: bool,
) -> int:
    """Play what is missing of each arm in a folder of its own, then print the figures of all."""
    asked = arms(
        strategy, other or strategy, pairs=pairs, seed=seed, rules=rules, contexts=contexts, policies=tuple(policies)
    )
    cut: dict[str, RunRequest] = {}
    for number, (arm, request) in enumerate(asked.items(), start=1):
        tell(t("tribute_arm", arm=arm, number=number, count=len(asked)))
        (cut[arm],) = pilot.cut((request,), folder / arm)
        perform(t, runs.start(cut[arm], folder / arm), on=on, workers=workers, address=address)
    found = figures({arm: snapshot(folder / arm) for arm in cut}, cut)
    print(json.dumps(as_values(found)) if as_json else as_text(t, found))
    return 0


def as_values(found: TributeValue) -> dict[str, Any]:
    """Give the figures as JSON values; a figure is an object with `value`, or with the `reason` why there is none."""
    return {"effect": "counterfactual", **asdict(found)}


def as_text(t: Texts, found: TributeValue) -> str:
    """Lay the figures out: deals, then levels and matches by kind, by card given, by card returned, then policies."""
    parts = [
        t("tribute_title", x=found.x, y=found.y, rules=found.rules, seed=found.seed),
        t("tribute_deals", **{name: f"{getattr(found, name):,}" for name in ("pairs", "deals", "paid", "refused")}),
    ]
    if found.left_out:
        parts.append(t("tribute_left_out", count=f"{found.left_out:,}"))
    if found.led_otherwise:
        parts.append(t("tribute_led_otherwise", count=f"{found.led_otherwise:,}"))
    parts += ["", t("tribute_note")]
    for by in ("kind", "receiver", "given", "returned"):
        groups = [group for group in found.groups if group.by == by]
        if not groups:
            continue
        heads = (t(f"tribute_by_{by}"), t("tribute_n_deals"), t("tribute_n_pairs"))
        worth = tuple(t(f"tribute_{name}") for name in ("card", "lead", "both"))
        units = (*(f"{name} · {t('tribute_levels')}" for name in worth), *(f"{name} · %" for name in worth))
        parts += ["", table([(*heads, *units), *(_group_row(t, group) for group in groups)], _NUMBERS)]
        if by == "returned":
            parts.append(t("tribute_choice"))
    parts += ["", table(list(_refused_rows(t, found)), _NUMBERS)]
    if found.policies:
        parts += ["", table(list(_policy_rows(t, found)), _NUMBERS)]
        parts += [t("tribute_stray", name=each.name, count=f"{each.stray:,}") for each in found.policies if each.stray]
    return "\n".join(parts)


def _group_row(t: Texts, group: Group) -> tuple[str, ...]:
    levels, match = group.levels, group.match
    return (
        _name(t, group),
        f"{group.deals:,}",
        f"{group.pairs:,}",
        *(_shown(t, figure, 1, 2) for figure in (levels.card, levels.lead, levels.both)),
        *(_shown(t, figure, 100, 1) for figure in (match.card, match.lead, match.both)),
    )


def _name(t: Texts, group: Group) -> str:
    if group.by == "kind":
        return t(f"tribute_{group.name}")
    if group.by == "receiver":
        return t("tribute_receives", side=group.name)
    kind, *ranks = group.name.split()
    return " ".join([t(f"tribute_{kind}"), *(_rank(t, rank) for rank in ranks)])


def _rank(t: Texts, rank: str) -> str:
    return t("tribute_level_card") if rank == "level" else t(rank) if rank in ("SB", "HR") else rank.replace("T", "10")


def _refused_rows(t: Texts, found: TributeValue) -> Iterator[tuple[str, ...]]:
    lead = t("tribute_lead")
    heads = t("tribute_n_deals"), t("tribute_n_pairs"), f"{lead} · {t('tribute_levels')}", f"{lead} · %"
    yield t("tribute_by_refused"), *heads
    for each in found.refusals:
        shown = _shown(t, each.levels, 1, 2), _shown(t, each.match, 100, 1)
        yield t(f"tribute_{each.name}"), f"{each.deals:,}", f"{each.pairs:,}", *shown


def _policy_rows(t: Texts, found: TributeValue) -> Iterator[tuple[str, ...]]:
    heads = t("tribute_n_deals"), t("tribute_n_pairs"), t("tribute_levels"), "%", t("tribute_p"), t("tribute_holm")
    yield t("tribute_by_policy", name=found.x), *heads
    for each in found.policies:
        chances = ("—" if p is None else f"{p:.4f}" if p >= 0.0001 else "< 0.0001" for p in (each.p, each.adjusted))
        shown = _shown(t, each.levels, 1, 3), _shown(t, each.match, 100, 2)
        yield each.name, f"{each.deals:,}", f"{each.pairs:,}", *shown, *chances


def _shown(t: Texts, figure: Figure, scale: int, decimals: int) -> str:
    if isinstance(figure, NotEstimable):
        return glossary.reason(figure, t.language)
    value, lo, hi = (scale * number for number in (figure.value, figure.lo, figure.hi))
    return f"{value:+.{decimals}f} [{lo:.{decimals}f}, {hi:.{decimals}f}]"
