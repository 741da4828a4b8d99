"""Print what a strategy would play at a position given by hand, and how it ranks its choices where it can."""

from __future__ import annotations

import json

from rich.console import Console

from cluster import position_page
from cluster.laying import laid_out
from cluster.parsing import CommandLineError
from cluster.position_page import PositionPage
from cluster.progress import tell
from cluster.strategy_pages import load
from cluster.texts import Pasted, Texts
from engine import _core
from engine.context import Context, ContextError
from engine.notation import Record
from engine.plays import PASS, Play
from engine.probe import Position
from sim.request import context_error
from strategies.conformance import reason_of, trace_of
from strategies.registry import NativeStrategy

_MOST_RANKED = 10


class Advice:
    """What a strategy answers at a position: its play, and all choices with their scores, best first, if it has any."""

    def __init__(self, strategy: NativeStrategy, position: Position) -> None:
        self.strategy, self.position = strategy, position
        self.answer = position.ask()
        choices = position.plays("all" if _core.strategy_info(strategy.capsule)["all"] else "shapes")
        self.play = choices[self.answer.index] if self.answer.index < len(choices) else None
        scores = position.scores()
        order = sorted(range(len(choices)), key=lambda i: -scores[i]) if scores else ()
        self.ranking: list[tuple[int, Play]] = [(scores[i], choices[i]) for i in order] if scores else []


def run(
    t: Texts,
    console: Console,
    state: str,
    name: str,
    rules: str,
    context: str | None,
    at: int | None,
    seed: int,
    as_json: bool,
) -> int:
    """Ask and print; 1 where the answer is out of range or the strategy fails.

    `CommandLineError` or `SimError` for what cannot be asked.
    """
    record = position_page.read(t, state, rules, at, "STATE", unseen=True)
    if record.at().over:
        raise CommandLineError(t("advise_over"))
    if len(name.split("+")) > 1:
        raise CommandLineError(t("advise_team", name=name))
    strategy = load(name)
    known = _context(t, context, record)
    try:
        advice = Advice(strategy, Position.of(record, known, strategy.capsule, seed))
    except ValueError as error:
        if error.__cause__ is None:
            raise
        tell(trace_of(error))  # the code of the author failed
        tell(t("error", text=Pasted(t("advise_failed", name=strategy.name, reason=reason_of(error)))))
        return 1
    if as_json:
        print(_json(advice, rules, known))
    else:
        _write(console, t, record, advice, known, given=context is not None)
    return int(advice.play is None)


def _context(t: Texts, text: str | None, record: Record) -> Context:
    """Read the context, or take the least there is to say: both sides at the level of the state, a first deal."""
    level = record.at(0).level
    if text is None:
        return Context(levels=(level, level))
    try:
        context = Context.parse(text)
    except ContextError as error:
        raise context_error(error, "--context") from None
    played = max(context.levels, key="23456789TJQKA".index) if context.declarer is None else None
    played = played or context.levels[context.declarer or 0]
    if played != level:
        raise CommandLineError(t("advise_level", value=text, played=played, level=level))
    return context


def _write(console: Console, t: Texts, record: Record, advice: Advice, context: Context, given: bool) -> None:
    page = PositionPage(console, t, record)
    page.seen()
    page._say(t("advise_context" if given else "advise_no_context", context=context))
    page._say("")
    name, answer = advice.strategy.name, advice.answer
    if advice.play is None:
        page._say(t("advise_fault", name=name, index=answer.index, count=answer.choices), style="bold")
        return
    only = answer.choices == 1
    page._say(t("advise_only" if only else "advise_plays", name=name), " ", *page._shown(advice.play), style="bold")
    if advice.answer.drew:
        page._say(t("advise_drew"))
    if advice.ranking:
        page._say("")
        page._say(t("advise_ranking", count=len(advice.ranking)), style="bold")
        for number, (score, play) in enumerate(advice.ranking[:_MOST_RANKED], start=1):
            page._say(f"  {number:>3}  {score:>10,}  ", *page._shown(play))
    elif not only:
        page._say(t("advise_no_ranking", name=name))


def _json(advice: Advice, rules: str, context: Context) -> str:
    level = advice.position.table.question[1]

    def plain(play: Play) -> dict[str, object]:
        cards = [] if play == PASS else laid_out(play, "23456789TJQKA"[level])
        return {"kind": play.kind.name, "key": play.key, "cards": cards}

    fields = {
        "strategy": advice.strategy.name,
        "hash": advice.strategy.hash,
        "rules": rules,
        "state": str(advice.position),
        "context": str(context),
        "seat": advice.position.seat,
        "choices": advice.answer.choices,
        "drew": advice.answer.drew,
        "play": None if advice.play is None else plain(advice.play),
        "ranking": [{"score": score, **plain(play)} for score, play in advice.ranking] or None,
    }
    return json.dumps(fields, ensure_ascii=False)
