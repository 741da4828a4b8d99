"""Print one deal play by play: suits in colour, wild and level cards marked, tricks apart."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from rich.console import Console
from rich.text import Text

from cluster.laying import laid_out, span
from cluster.texts import Texts
from engine.notation import write_record
from engine.plays import Kind, Play
from engine.report import must_report
from engine.rules import Rules
from sim.replay import Replay
from sim.stored_words import reason_word

_SUITS = {"S": "♠", "H": "♥", "C": "♣", "D": "♦"}
_RED = "HD"
_RANKS = "23456789TJQKA"
_JOKERS = ("SB", "HR")
_SEATS = ("cyan", "magenta")


def write(console: Console, t: Texts, replay: Replay) -> None:
    """Print a replay in one language."""
    _Page(console, t, replay).write()


class Drawing:
    """Draw the steps of a deal, and hold what must be counted along: cards left, tricks, places."""

    def __init__(self, console: Console, t: Texts, level: str, left: Sequence[int], rules: Rules) -> None:
        self.console, self.t, self.level, self.rules = console, t, level, rules
        self.left = list(left)
        self.tricks = 0
        self.holder: int | None = None  # who made the play to beat
        self.passes = 0  # since that play
        self.gone: list[int] = []  # seats that are out, in order
        self.steps: dict[str, Callable[..., None]] = {
            "play": self._play,
            "pass": self._pass,
            "wind": self._wind,
            "out": self._out,
            "fault": self._fault,
        }

    def _say(self, *parts: str | Text, style: str = "") -> None:
        self.console.print(Text.assemble(*parts, style=style), soft_wrap=True)

    def _title(self, key: str, **values: object) -> None:
        self._say("")
        self._say(self.t(key, **values), style="bold")

    def _hands(self, key: str, hands: Sequence[Sequence[str]]) -> None:
        self._title(key)
        for seat, hand in enumerate(hands):
            self._say("  ", self._seat(seat), "  ", self._cards(sorted(hand, key=self._strength)))

    def _play(self, seat: int, kind: str, key: str, cards: Sequence[str]) -> None:
        # A trick ends when all who are in have passed. The lead may skip its winner: a last wild that may not be led.
        if self.holder is None or self.passes == 4 - len({*self.gone, self.holder}):
            self._new_trick()
        self.holder, self.passes = seat, 0
        before = self.left[seat]
        self.left[seat] = left = before - len(cards)
        play = Play(Kind[kind], key, tuple(cards))
        shown = self._cards(laid_out(play, self.level))
        shown.pad_right(max(0, 24 - shown.cell_len))
        report = f"  {self.t('show_report', count=left)}" if must_report(before, left, self.rules) else ""
        self._say(
            "  ", self._seat(seat), "  ", self._label(play), " ", shown, "  ", self.t("show_left", count=left), report
        )

    def _label(self, play: Play, width: int = 16) -> Text:
        label = Text(f"{self.t(play.kind.name)} {reading(self.t, play)}".rstrip())
        label.pad_right(max(0, width - label.cell_len))
        return label

    def _pass(self, seat: int) -> None:
        self.passes += 1
        self._say("  ", self._seat(seat), "  ", Text(self.t("show_pass"), style="dim"))

    def _new_trick(self) -> None:
        self.tricks += 1
        self.passes = 0
        self._title("show_trick", number=self.tricks)

    def _wind(self, seat: int) -> None:
        self._new_trick()
        self._say("  ", self._seat(seat), "  ", self.t("show_wind"), style="italic")

    def _out(self, seat: int) -> None:
        self.gone.append(seat)
        self._say("  ", self._seat(seat), "  ", self.t(f"place_{len(self.gone)}"), style="bold")

    def _fault(self, seat: int, reason: str) -> None:
        word = reason_word(reason)
        said = self.t("show_fault", reason=word.zh if self.t.language == "zh" else word.en)
        self._say("  ", self._seat(seat), "  ", said, style="bold")

    def _seat(self, seat: int) -> Text:
        return Text(str(seat), style=_SEATS[seat % 2])

    def _level(self) -> str:
        return _rank(self.level)

    def _strength(self, card: str) -> tuple[int, int]:
        if card in _JOKERS:
            return 20 + _JOKERS.index(card), 0
        rank = 13 if card[1] == self.level else _RANKS.index(card[1])
        return rank, "SHCD".index(card[0])

    def _cards(self, cards: Sequence[str]) -> Text:
        return Text(" ").join(self._card(card) for card in cards)

    def _card(self, card: str) -> Text:
        if card in _JOKERS:
            return Text(self.t(card), style="bold red" if card == "HR" else "bold")
        suit, rank = card[0], card[1]
        text, style = _SUITS[suit] + _rank(rank), "red" if suit in _RED else ""
        if rank == self.level:
            wild = suit == "H"
            return Text(text + ("*" if wild else "'"), style=f"{style} bold {'reverse' if wild else ''}")
        return Text(text, style=style)


class _Page(Drawing):
    """Draw a replay: what came before the first play, the plays, and what they are worth."""

    def __init__(self, console: Console, t: Texts, replay: Replay) -> None:
        # tribute and return leave the numbers of cards as they are
        super().__init__(console, t, replay.level, [len(hand) for hand in replay.hands], replay.rules)
        self.replay = replay
        self.tribute_named = False
        self.steps |= {
            "tribute": self._tribute,
            "refused": self._refused,
            "return": self._return,
            "lead": lambda seat: None,
            "end": self._end,
        }

    def write(self) -> None:
        self._head()
        for name, *details in self.replay.events:
            self.steps[name](*details)
        self._record()
        self._tail()

    def _head(self) -> None:
        t, replay = self.t, self.replay
        self._say(t("show_title", run=replay.run.id, pair=replay.pair, leg=replay.leg, deal=replay.deal), style="bold")
        who = t("show_declarer", side=replay.declarer) if replay.declarer else t("show_first")
        request = replay.run.request
        self._say(t("show_level", level=self._level(), who=who), "   x = {}   y = {}".format(*request.names))
        self._say(t("show_legend"), style="dim")
        self._hands("show_hands", replay.hands)

    def _tribute_title(self) -> None:
        if not self.tribute_named:
            self.tribute_named = True
            self._title("show_tribute")

    def _tribute(self, payer: int, card: str) -> None:
        self._tribute_title()
        place = str(self.replay.row["payers"]).index(str(payer))
        receiver = int(str(self.replay.row["receivers"])[place])
        self._hand_over(payer, "show_gives", card, receiver)

    def _return(self, receiver: int, payer: int, card: str) -> None:
        self._hand_over(receiver, "show_returns", card, payer)

    def _hand_over(self, giver: int, verb: str, card: str, taker: int) -> None:
        self._say("  ", self._seat(giver), f"  {self.t(verb)} ", self._cards([card]), " → ", self._seat(taker))

    def _refused(self, payers: Sequence[int]) -> None:
        self._tribute_title()
        for payer in payers:
            self._say("  ", self._seat(payer), "  ", self.t("show_refuses"))

    def _end(self, order: object) -> None:
        t, row = self.t, self.replay.row
        self._say("")
        ending = f"   {t('show_double')}" if row["end_reason"] == "double_down" else ""
        self._say(t("show_order", order=row["finish_order"]), ending, style="bold")
        before, after = self.replay.levels_before, self.replay.levels_after
        levels = {f"{side}_before": _rank(before[side]) for side in "xy"}
        levels |= {f"{side}_after": _rank(after[side]) for side in "xy"}
        self._say(t("show_promotion", side=row["winner"], steps=row["steps"], **levels))
        if row["a_attempt"] != "none":
            self._say(t(f"attempt_{row['a_attempt']}"))

    def _record(self) -> None:
        self._title("show_record", rules=self.replay.run.request.rules)
        self._say(write_record(self.replay.record()))

    def _tail(self) -> None:
        t, replay = self.t, self.replay
        self._say("")
        if replay.code_changed:
            self._say(t("show_code", names=" ".join(replay.code_changed)), style="yellow")
        if replay.stored is None:
            self._say(t("show_not_stored"), style="dim")
        elif replay.differences:
            self._say(t("show_differs", columns=" ".join(replay.differences)), style="bold red")
        else:
            self._say(t("show_same"), style="green")

    def _seat(self, seat: int) -> Text:
        side = self.replay.side_of(seat)
        return Text(f"{seat} {side}", style=_SEATS[0 if side == "x" else 1])


def reading(t: Texts, play: Play) -> str:
    """Write what tells a play from others of its kind: its rank, or a sequence from its first to its last."""
    if play.kind == Kind.JOKER_BOMB:
        return ""
    ends = span(play)
    if ends is not None:
        return "-".join(_rank(rank) for rank in ends)
    return {"B": t("SB"), "R": t("HR")}.get(play.key) or _rank(play.key)


def _rank(rank: str) -> str:
    return "10" if rank == "T" else rank


def as_json(replay: Replay) -> str:
    """Give a replay as one JSON object; cards as text such as "S2"."""
    request = replay.run.request
    fields = {
        "run": replay.run.id,
        "rules": request.rules,
        "x": request.x,
        "y": request.y,
        "seed": request.seed,
        "pair": replay.pair,
        "leg": replay.leg,
        "deal": replay.deal,
        "level": replay.level,
        "levels_before": dict(replay.levels_before),
        "levels_after": dict(replay.levels_after),
        "declarer": replay.declarer,
        "hands": replay.hands,
        "events": replay.events,
        "record": write_record(replay.record()),
        "row": replay.row,
        "stored": replay.stored,
        "differences": replay.differences,
        "code_changed": replay.code_changed,
    }
    return json.dumps(fields, ensure_ascii=False)
