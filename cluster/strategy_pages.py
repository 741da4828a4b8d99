"""Print the strategies there are, or one with its parameters."""

from __future__ import annotations

import json

from cluster.columns import table
from cluster.texts import Texts
from sim.request import strategy_error
from strategies import registry
from strategies.naming import StrategyError
from strategies.registry import NativeStrategy, Parameter

_WIDEST = 32  # cells of parameters in the list


def load(text: str) -> NativeStrategy:
    """Load a strategy; `SimError` says why it cannot be had."""
    try:
        return registry.load(text)
    except StrategyError as error:
        raise strategy_error(error) from None


def write(t: Texts, name: str | None, as_json: bool) -> None:
    """Print all, or one. `SimError` for one that cannot be had."""
    if name is not None:
        found = load(name)
        print(_json(_describe(t, found)) if as_json else _show(t, found))
        return
    known: dict[str, NativeStrategy | StrategyError] = {}
    for each in registry.names():
        try:
            known[each] = registry.load(each)
        except StrategyError as error:  # of an installed package; the others can be used all the same
            known[each] = error
    print(_json([_entry(t, each, found) for each, found in known.items()]) if as_json else _list(t, known))


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)


def _entry(t: Texts, name: str, found: NativeStrategy | StrategyError) -> dict[str, object]:
    if isinstance(found, StrategyError):
        return {"name": name, "error": _told(t, found)}
    return _describe(t, found)


def _describe(t: Texts, found: NativeStrategy) -> dict[str, object]:
    return {
        "name": found.name,
        "about": _about(t, found),
        "native": found.native,
        "deterministic": found.deterministic,
        "observed": found.observed,
        "ranks": found.ranks,
        "hash": found.hash,
        "parameters": [
            {"name": p.name, "default": p.default, "least": p.least, "most": p.most, "about": _about(t, p)}
            for p in found.parameters
        ],
    }


def _about(t: Texts, thing: NativeStrategy | Parameter) -> str:
    return (thing.zh if t.language == "zh" else thing.en) or ""


def _told(t: Texts, error: StrategyError) -> str:
    return error.zh if t.language == "zh" else error.en


def _traits(t: Texts, found: NativeStrategy) -> str:
    words = ["native" if found.native else "python"]
    words.append("observed" if found.observed else "deterministic" if found.deterministic else "draws")
    return t("list_comma").join(t(f"trait_{word}") for word in words)


def _list(t: Texts, known: dict[str, NativeStrategy | StrategyError]) -> str:
    rows = [tuple(t(key) for key in ("col_strategy", "col_traits", "col_parameters", "col_about"))]
    for name, found in known.items():
        if isinstance(found, StrategyError):
            rows.append((name, "", "", _told(t, found)))
        else:
            rows.append((name, _traits(t, found), _settings(found), _about(t, found)))
    return "\n".join([table(rows), "", t("strategies_more"), t("strategies_own")])


def _settings(found: NativeStrategy) -> str:
    text = " ".join(f"{p.name}={p.default}" for p in found.parameters)
    return text if len(text) <= _WIDEST else text[: _WIDEST - 1].rpartition(" ")[0] + " …"


def _show(t: Texts, found: NativeStrategy) -> str:
    ranks = t("list_comma") + t("trait_ranks") if found.ranks else ""
    parts = [f"{found.name}  {found.hash}", _about(t, found), _traits(t, found) + ranks]
    if found.parameters:
        head = tuple(t(key) for key in ("col_parameter", "col_default", "col_range", "col_about"))
        rows = [(p.name, str(p.default), f"{p.least}..{p.most}", _about(t, p)) for p in found.parameters]
        first = found.parameters[0]
        parts += ["", table([head, *rows], frozenset({1})), ""]
        parts.append(t("strategies_set", example=f"{found.name.partition('?')[0]}?{first.name}={first.most}"))
    return "\n".join(parts)
