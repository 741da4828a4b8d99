"""The state of a deal as one line of text, and a deal as that line with its plays, both ways: for tests and questions.

    LEVEL HANDS OUT TURN TRICK

`LEVEL` is a letter. `HANDS` are the four hands by seat, joined by `/`, cards written one after the other, `-` for none.
`OUT` are the seats that are out, in order, `-` for none. `TURN` is the seat to act. `TRICK` is `-` where it leads,
else `HOLDER:KIND:KEY:CARDS:PASSES`: who laid the play to beat, the play, how many seats have passed since.

    7 S3D3H7/S9/C4C5/HR - 1 0:PAIR:2:S2D2:0

A *record* is a state and the plays that follow, in order: `-` for a pass, the cards written one after the other where
they have one reading that is legal now, `KIND:KEY:CARDS` where the player has to say which. Blanks and line breaks
separate; `#` begins a comment, to the end of its line.

    7 S3D3H7/S9/C4C5/HR - 1 0:PAIR:2:S2D2:0  # seats 1 and 2 have no pair to beat it
    - - - S3D3
"""

from dataclasses import dataclass

from engine.cards import card_texts, parse_cards
from engine.deal import Deal, IllegalPlayError, Trick
from engine.errors import ToldError
from engine.plays import PASS, Kind, Play, readings
from engine.rules import NATIONAL, Rules

_FIELDS = "LEVEL HANDS OUT TURN TRICK"
_KINDS = " ".join(name for name in Kind.__members__ if name != "PASS")


class RecordError(ToldError):
    """A text that is no record: the line names the place, what stands there and the way out."""


@dataclass(frozen=True)
class Record:
    """A deal as it was played, or as far as it was: the line of its first state, and the plays from there."""

    state: str
    plays: tuple[Play, ...]
    rules: Rules = NATIONAL

    def at(self, number: int | None = None) -> Deal:
        """Give the deal after so many plays, by default after all. ValueError if there are not that many."""
        if number is not None and not 0 <= number <= len(self.plays):
            raise ValueError(f"there is no play {number}: this record has 0 to {len(self.plays)}")
        deal = read_state(self.state, self.rules)
        for play in self.plays[:number]:
            deal.play(play)
        return deal


def write_state(deal: Deal) -> str:
    """Write a deal in play as one line. ValueError when it is over: there is no seat to act."""
    if deal.turn is None:
        raise ValueError("the deal is over: its state is its order")
    hands = "/".join("".join(hand) or "-" for hand in deal.hands)
    out = "".join(str(seat) for seat in deal.order) or "-"
    trick = deal.trick
    shown = "-"
    if trick is not None:
        play = trick.play
        shown = f"{trick.holder}:{play.kind.name}:{play.key}:{''.join(play.cards)}:{trick.passes}"
    return f"{deal.level} {hands} {out} {deal.turn} {shown}"


def read_state(text: str, rules: Rules = NATIONAL) -> Deal:
    """Read a line that write_state wrote, or that somebody typed. ValueError names what is wrong and what stands there.

    >>> read_state("7 S3D3H7/S9/C4C5/HR - 1 0:PAIR:2:S2D2:0").turn
    1
    """
    fields = text.split()
    if len(fields) != 5:
        raise ValueError(f"a state has the fields {_FIELDS}, not {len(fields)} of them: {text[:80]!r}")
    level, hands, out, turn, trick = fields
    held = [_cards(hand) for hand in hands.split("/")]
    seats = [] if out == "-" else [_seat(seat) for seat in out]
    return Deal(held, level, _seat(turn), seats, rules, None if trick == "-" else _trick(trick))


def _cards(text: str) -> tuple[str, ...]:
    if text == "-":
        return ()
    return card_texts(parse_cards([text[i : i + 2] for i in range(0, len(text), 2)]))


def _seat(text: str) -> int:
    if text not in ("0", "1", "2", "3"):
        raise ValueError(f"{text!r} is no seat: write 0, 1, 2 or 3")
    return int(text)


def _trick(text: str) -> Trick:
    parts = text.split(":")
    if len(parts) != 5:
        raise ValueError(f"a trick is HOLDER:KIND:KEY:CARDS:PASSES or -, not {text!r}")
    holder, kind, key, cards, passes = parts
    if kind not in Kind.__members__ or kind == Kind.PASS.name:
        raise ValueError(f"{kind!r} is no kind: write one of {_KINDS}")
    return Trick(_seat(holder), Play(Kind[kind], key, _cards(cards)), _seat(passes))


def write_record(record: Record) -> str:
    """Write a record, the plays of a trick on one line. ValueError where a play is not legal."""
    deal, lines = read_state(record.state, record.rules), [record.state]
    for play in record.plays:
        if deal.trick is None or len(lines) == 1:
            lines.append("")
        lines[-1] += f" {_written(deal, play)}"
        deal.play(play)
    return "\n".join(line.strip() for line in lines)


def _written(deal: Deal, play: Play) -> str:
    if play == PASS:
        return "-"
    legal = [each for each in readings(play.cards, deal.level, deal.rules) if deal.can_play(each)]
    return "".join(play.cards) if len(legal) == 1 else _declared(play)


def _declared(play: Play) -> str:
    return f"{play.kind.name}:{play.key}:{''.join(play.cards)}"


def read_record(text: str, rules: Rules = NATIONAL) -> Record:
    """Read what write_record wrote, or what somebody typed.

    RecordError (a ValueError) says in one line which play is wrong, counted from 1, what stands there and the way out:
    the reason why a play is not legal, or the readings to choose from.

    >>> read_record("7 S3D3H7/S9/C4C5/HR - 0 - S3D3H7 - - -").plays[0].kind.name
    'TRIPLE'
    """
    words = [word for line in text.splitlines() for word in line.partition("#")[0].split()]
    state = " ".join(words[:5])
    try:
        deal = read_state(state, rules)
    except ValueError as error:
        raise RecordError(
            f"the state {_short(state)} is wrong: {error}; write {_FIELDS}, such as 7 S3D3/S9/C4/HR - 0 -",
            f"局面 {_short(state)} 不对：{error}；应写 {_FIELDS}，如 7 S3D3/S9/C4/HR - 0 -",
        ) from None
    plays = []
    for number, word in enumerate(words[5:], start=1):
        try:
            plays.append(_read_play(deal, word))
            deal.play(plays[-1])
        except (IllegalPlayError, RecordError) as error:
            raise RecordError(
                f"play {number}, {_short(word)}: {error.en}", f"第 {number} 手 {_short(word)}：{error.zh}"
            ) from None
    return Record(state, tuple(plays), rules)


def _read_play(deal: Deal, word: str) -> Play:
    """Read one play. The reading need not be legal where it is the only one, or is declared."""
    if deal.over:
        raise RecordError("the deal is over: leave out the plays from here on", "这副牌已经打完：请删去从这里起的各手")
    if word == "-":
        return PASS
    kind, key, cards = word.split(":") if word.count(":") == 2 else ("", "", word)
    try:
        found = readings(_cards(cards), deal.level, deal.rules)
    except ValueError as error:
        raise RecordError(
            f"{error}; write -, the cards such as S3D3, or KIND:KEY:CARDS",
            f"{error}；可写 -、牌（如 S3D3）或 KIND:KEY:CARDS",
        ) from None
    if kind:
        if kind not in _KINDS.split():
            raise RecordError(f"{kind!r} is no kind: write one of {_KINDS}", f"没有牌型 {kind!r}：可写 {_KINDS}")
        declared = Play(Kind[kind], key, _cards(cards))
        return next((play for play in found if (play.kind, play.key) == (declared.kind, key)), declared)
    if not found:
        raise RecordError("these cards are no play", "这些牌不成牌型")
    legal = [play for play in found if deal.can_play(play)]
    if len(legal) > 1:
        choice = ", ".join(map(_declared, legal))
        raise RecordError(f"it can be read in several ways: write one of {choice}", f"有几种读法：请写其一 {choice}")
    return legal[0] if legal else found[-1]


def _short(text: str, limit: int = 60) -> str:
    return repr(text if len(text) <= limit else f"{text[: limit // 2]}…{text[-limit // 2 :]}")
