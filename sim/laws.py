"""Say what must hold between the rows of a run, whoever played it: each law is one SQL statement that finds breaches.

Rules change what follows from what, so the laws read them from the view `rule`; where a rule leaves a point open the
law is silent there. The view `blocks` has what the commit records say. The bound on mean steps, and why tables must
pass such identities: a published row of Calix-L/CardKS lies exactly on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engine.cards import LEVELS
from engine.rules import Rules
from sim import laws_of_cubes, laws_of_deals, laws_of_pairs
from sim.law import Law, text
from sim.reading import Tables
from sim.run_file import Run
from sim.store import BlockRecord

LAWS: Final[tuple[Law, ...]] = (*laws_of_pairs.LAWS, *laws_of_deals.LAWS, *laws_of_cubes.LAWS)


@dataclass(frozen=True, slots=True)
class Breach:
    """Say which law the rows of a block break, how often, and where first. block: file name without its ending."""

    law: Law
    block: str
    count: int
    pair: int
    leg: int
    deal: int
    shown: str


def _names(table: str) -> Law:
    return Law(
        f"names_of_{table}",
        (table,),
        f"表 {table} 每行的运行、规则、策略名与 run.json 相同",
        f"every row of {table} bears the run, rules and strategies of run.json",
        f"""
        select {"b.first" if table in ("style", "cubes") else "t.pair"}, 0, 0, {text("t.run", "t.rules", "t.x", "t.y")}
        from {table} t join blocks b using (block), rule
        where (t.run, t.rules, t.x, t.y) is distinct from (rule.run, rule.rules, rule.x, rule.y)
        """,
    )


def laws_of(tables: Sequence[str]) -> list[Law]:
    """List the laws that say something about rows of these tables."""
    return [law for law in (*map(_names, tables), *LAWS) if set(law.needs) <= set(tables)]


def broken(tables: Tables, run: Run, records: Sequence[BlockRecord], law_names: Sequence[str] = ()) -> Iterator[Breach]:
    """Try the laws on some blocks of the match-up that `run` looks at, and yield what breaks them, law after law.

    tables: of exactly these blocks. law_names: only these; all where none is named.
    """
    kept = [table for table in run.tables if tables.snapshot.has(table)]  # a run before schema 1.4 has no cubes
    _prepare(tables, run, records, kept)
    for law in laws_of(kept):
        if law_names and law.name not in law_names:
            continue
        # An id outside every block goes with the first: there is no better place to show it.
        sql = f"""
        with broken(pair, leg, deal, shown) as ({law.sql})
        select coalesce(b.block, (select min(block) from blocks)), count(*), min((x.pair, x.leg, x.deal, x.shown))
        from broken x left join blocks b on x.pair between b.first and b.first + b.pairs - 1 group by 1 order by 1
        """
        for block, count, at in tables.rows(sql):
            pair, leg, deal, shown = at.values() if isinstance(at, dict) else at
            yield Breach(law, block, count, int(pair), int(leg), int(deal), str(shown))


def _prepare(tables: Tables, run: Run, records: Sequence[BlockRecord], kept: Sequence[str]) -> None:
    rows = ", ".join(f"('{r.block.stem}', {r.block.first}, {r.block.pairs}, {r.matches}, {r.deals})" for r in records)
    tables.rows(f"create or replace temp table blocks as from (values {rows}) t(block, first, pairs, matches, deals)")
    names = {"run": run.id, "rules": run.request.rules, "x": run.request.names[0], "y": run.request.names[1]}
    numbers = {"match_legs": run.legs[run.match_up], **_rule_values(run.request.make_rules())}
    numbers["boards"] = run.request.boards is not None
    chosen = ", ".join(f"${name} as {name}" for name in (*names, *numbers))
    tables.rows(f"create or replace temp table rule as select {chosen}", {**names, **numbers})
    for table in kept:
        tables.number(table)
    if "deals" in kept:
        tables.rows(laws_of_deals.PLAYED)


def _rule_values(rules: Rules) -> dict[str, object]:
    start_1, start_2 = (LEVELS.index(level) + 2 for level in rules.start_levels)
    step_1, step_2, step_3 = rules.steps
    deal, lead, answer, passed = rules.seconds
    return {
        "step_1": step_1,
        "step_2": step_2,
        "step_3": step_3,
        "a_plus": rules.a_plus,
        "win_on_reaching_a": rules.win_on_reaching_a,
        "pass_place": ("second", "third", "last").index(rules.pass_a_partner) + 1,
        "drops": rules.a_fail_limit > 0 or rules.ace_last_play,
        "drop_level": LEVELS.index(rules.a_drop_level) + 2,
        "ace_last_play": rules.ace_last_play,
        "has_tribute": rules.tribute and rules.first_lead != "rotation",
        "last_is_partner": rules.last_is_partner,
        "refused_first": rules.lead_after_refusal == "first",
        "start_1": start_1,
        "start_2": start_2,
        "limit_deals": rules.limit_deals,
        "tie_break": rules.tie_break,
        "second_deal": deal,
        "second_lead": lead,
        "second_answer": answer,
        "second_pass": passed,
    }
