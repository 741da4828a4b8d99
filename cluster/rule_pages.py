"""Print rule sets: list them, show one with the source of each switch, or what differs between two."""

from __future__ import annotations

import json
from dataclasses import fields

from cluster.columns import table
from cluster.texts import Texts
from engine.rules import Rules, RulesError
from engine.ruleset import RuleSet, load_rules, preset_names, switches_of
from sim.request import rules_error


def write(t: Texts, first: str | None, second: str | None, as_json: bool) -> None:
    """Print what was asked for. `SimError` for a name or file that gives no rules."""
    if first is None:
        sets = [_load(name) for name in preset_names()]
        print(_json([_describe(t, found) for found in sets]) if as_json else _list(t, sets))
    elif second is None:
        found = _load(first)
        print(_json(_describe(t, found)) if as_json else _show(t, found))
    else:
        pair = _load(first), _load(second)
        print(_json(_changes(*pair)) if as_json else _difference(t, *pair))


def _load(name: str) -> RuleSet:
    try:
        return load_rules(name)
    except RulesError as error:
        raise rules_error(error) from None


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)


def _describe(t: Texts, found: RuleSet) -> dict[str, object]:
    sources = {name: source[t.language] for name, source in found.sources.items()}
    return {
        "name": found.name,
        "title": found.title[t.language],
        "hash": found.rules.hash(),
        "rules": switches_of(found.rules),
        "sources": sources,
    }


def _changes(one: RuleSet, other: RuleSet) -> dict[str, object]:
    """By switch, the values of the first and of the second."""
    mine, theirs = switches_of(one.rules), switches_of(other.rules)
    return {name: [mine[name], theirs[name]] for name in mine if mine[name] != theirs[name]}


def _list(t: Texts, sets: list[RuleSet]) -> str:
    rows = [(found.name, found.rules.hash(), found.title[t.language]) for found in sets]
    return "\n".join([table(rows), "", t("rules_more")])


def _show(t: Texts, found: RuleSet) -> str:
    rows = [
        (f.name, _value(found.rules, f.name), f.metadata[t.language], found.sources.get(f.name, {}).get(t.language, ""))
        for f in fields(Rules)
    ]
    return "\n".join([f"{found.name}  {found.title[t.language]}  {found.rules.hash()}", "", table(rows)])


def _difference(t: Texts, one: RuleSet, other: RuleSet) -> str:
    changed = [f for f in fields(Rules) if getattr(one.rules, f.name) != getattr(other.rules, f.name)]
    if not changed:
        return t("rules_same", one=one.name, other=other.name, hash=one.rules.hash())
    head = ("", one.name, other.name, "")
    rows = [(f.name, _value(one.rules, f.name), _value(other.rules, f.name), f.metadata[t.language]) for f in changed]
    return table([head, *rows])


def _value(rules: Rules, name: str) -> str:
    """Write a value as it stands in a rules file."""
    value = getattr(rules, name)
    return json.dumps(list(value) if isinstance(value, tuple) else value)
