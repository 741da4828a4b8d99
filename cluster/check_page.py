"""Check a strategy against the promises of its interface and print what came of it as a table."""

from __future__ import annotations

import json
from dataclasses import asdict

from cluster.columns import table
from cluster.invocation import command
from cluster.parsing import CommandLineError
from cluster.progress import counted, tell
from cluster.strategy_pages import load
from cluster.texts import Pasted, Texts
from engine.rules import RulesError
from engine.ruleset import RuleSet, load_rules, preset_names
from sim.request import rules_error
from strategies import conformance
from strategies.conformance import CHECKS, Fault, Result
from strategies.registry import NativeStrategy


def run(t: Texts, text: str, rules: str | None, count: int, seed: int, only: int | None, as_json: bool) -> int:
    """Check and print; 1 if a promise is broken. `SimError` for a strategy or rules that cannot be had."""
    if only is not None and rules is None:
        raise CommandLineError(t("check_rules_missing"))
    strategy = load(text)
    sets = [_rules(name) for name in ([rules] if rules else preset_names())]
    results = []
    if only is not None:
        count = only + 1
    with counted(t, len(sets) * count) as report:
        for done, found in enumerate(sets):

            def show(asked: int, before: int = done * count) -> None:
                report(before + asked)

            results.append(conformance.check(strategy, found.name, found.rules, count, seed, only, show))
    whole = only is None and not any(result.broken for result in results)
    forms, speed, reason = _in_play(strategy, seed) if whole else ({}, None, "")
    failed = any(result.broken for result in results) or bool(reason) or not all(forms.values())
    if as_json:
        print(_json(strategy, results, forms, reason, speed))
        return int(failed)
    print(f"{strategy.name}  {strategy.hash}")
    print(table(_rows(t, strategy, results), frozenset(range(1, 2 + len(CHECKS)))))
    if strategy.observed:
        print(t("check_observed"))
    for name, equal in forms.items():
        print(t(f"check_{name}", result=t("check_equal" if equal else "check_different")))
    if reason:
        print(t("check_stopped", reason=reason))
    if speed is not None:
        print(t("check_speed", rate=f"{speed:,.0f}"))
    traces: set[str] = set()  # one mistake breaks many positions; its traceback is shown once
    for fault in (fault for result in results for fault in result.faults):
        _show(t, fault, text, rules or fault.rules, seed)
        if fault.trace and fault.trace not in traces:
            traces.add(fault.trace)
            tell(fault.trace)
    print(t("check_failed" if failed else "check_passed"))
    return int(failed)


def _rules(name: str) -> RuleSet:
    try:
        return load_rules(name)
    except RulesError as error:
        raise rules_error(error) from None


def _in_play(strategy: NativeStrategy, seed: int) -> tuple[dict[str, bool], float | None, str]:
    """Compare the forms and measure the speed; the reason if a deal could not be played."""
    try:
        forms = {} if strategy.observed else conformance.forms(strategy, seed)
        return forms, conformance.speed(strategy, seed), ""
    except ValueError as error:
        if error.__cause__ is not None:
            tell(conformance.trace_of(error))
        return {}, None, str(error)


def _rows(t: Texts, strategy: NativeStrategy, results: list[Result]) -> list[tuple[str, ...]]:
    rows = [(t("col_rules"), t("col_positions"), *(t(f"col_{check}") for check in CHECKS), "")]
    for result in results:
        marks = []
        for check in CHECKS:
            asked = check == "legal" or (strategy.deterministic if check == "deterministic" else not strategy.observed)
            marks.append("-" if not asked else f"{result.broken[check]:,}" if result.broken[check] else t("check_ok"))
        rows.append((result.rules, f"{result.positions:,}", *marks, ""))
    return rows


def _show(t: Texts, fault: Fault, text: str, rules: str, seed: int) -> None:
    what = t(f"fault_{'raised' if fault.trace else fault.check}", first=fault.first, second=fault.second)
    print(t("fault", rules=rules, number=fault.number, text=Pasted(what)))
    print("  " + t("fault_position", state=Pasted(fault.position)))
    words = ["check", text, "--rules", rules, "--position", str(fault.number)]
    print("  " + t("fault_again", command=Pasted(command(*words, *(() if seed == 1 else ("--seed", str(seed)))))))


def _json(
    strategy: NativeStrategy, results: list[Result], forms: dict[str, bool], reason: str, speed: float | None
) -> str:
    fields = {
        "strategy": strategy.name,
        "hash": strategy.hash,
        "rules": [
            {
                "rules": result.rules,
                "positions": dict(result.asked),
                "broken": {check: result.broken[check] for check in CHECKS},
                "faults": [asdict(fault) for fault in result.faults],
            }
            for result in results
        ],
        "forms": forms,
        "stopped": reason or None,
        "decisions_per_second": None if speed is None else round(speed),
    }
    return json.dumps(fields, ensure_ascii=False, indent=1)
