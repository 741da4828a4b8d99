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

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from engine.cards import CARDS, LEVELS
from engine.deal import Deal, IllegalPlayError, Trick
from engine.errors import ToldError
from engine.plays import PASS, Kind, Play, readings
from engine.rules import NATIONAL, Rules

_FIELDS = "LEVEL HANDS OUT TURN TRICK"
_EXAMPLE = "7 S3D3/S9/C4/HR - 0 -"
_MOST_HELD = 28  # a receiver of tribute, before it returns a card
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
    """Read a line that write_state wrote, or that somebody typed. RecordError (a ValueError) names the field.

    >>> read_state("7 S3D3H7/S9/C4C5/HR - 1 0:PAIR:2:S2D2:0").turn
    1
    """
    fields = text.split()
    if len(fields) != 5:
        here, many = _short(text), len(fields)
        raise RecordError(
            f"a state has the fields {_FIELDS}, not {many} of them: {here}; write it like {_EXAMPLE}",
            f"局面有 {_FIELDS} 五项，这里有 {many} 项：{here}；写法如 {_EXAMPLE}",
        )
    level, hands, out, turn, trick = fields
    if level not in tuple(LEVELS):
        letters, here = " ".join(LEVELS), _short(level)
        raise RecordError(f"LEVEL {here} is no level; write one of {letters}", f"LEVEL {here} 不是级；可写 {letters}")
    held = _hands(hands)
    gone, seat = _out(out, held), _seat("TURN", turn)
    if seat in gone:
        raise RecordError(
            f"TURN {turn} is a seat that is out; write one that holds cards", f"TURN {turn} 已经出完；请写还有牌的座位"
        )
    under_way = None if trick == "-" else _trick(trick, level, rules)
    if under_way is not None:
        _check_copies("HANDS and TRICK", "HANDS 与 TRICK", [*held, under_way.play.cards])
    try:
        return Deal(held, level, seat, gone, rules, under_way)
    except ValueError as error:  # all that is left is a turn to which the trick cannot have come
        here = _short(trick)
        raise RecordError(
            f"TURN {turn} with TRICK {here}: {error}; write the seat that follows the last pass",
            f"TURN {turn} 与 TRICK {here} 不合：出牌和过牌之后轮不到这家；请写最后一次过牌的下一家",
        ) from None


def _hands(text: str) -> list[tuple[str, ...]]:
    parts = text.split("/")
    if len(parts) != 4:
        raise RecordError(
            f"HANDS are four hands joined by /, not {len(parts)}: {_short(text)}",
            f"HANDS 是用 / 隔开的四手牌，这里有 {len(parts)} 手：{_short(text)}",
        )
    held = [() if part == "-" else _cards("HANDS: ", "HANDS：", part) for part in parts]
    for seat, hand in enumerate(held):
        if len(hand) > _MOST_HELD:
            raise RecordError(
                f"HANDS: seat {seat} holds {len(hand)} cards; write {_MOST_HELD} at most",
                f"HANDS：{seat} 位有 {len(hand)} 张牌；最多 {_MOST_HELD} 张",
            )
    _check_copies("HANDS", "HANDS", held)
    return held


def _check_copies(where: str, where_zh: str, hands: Iterable[tuple[str, ...]]) -> None:
    for card, copies in Counter(card for hand in hands for card in hand).items():
        if copies > 2:
            raise RecordError(
                f"{where}: {card} occurs {copies} times, more than twice; two decks have two of each",
                f"{where_zh}：{card} 出现 {copies} 次；两副牌里每种只有两张",
            )


def _out(text: str, held: list[tuple[str, ...]]) -> list[int]:
    gone = [] if text == "-" else [_seat("OUT", seat) for seat in text[:5]]
    for seat, hand in enumerate(held):
        if gone.count(seat) > 1 or (hand and seat in gone):
            raise RecordError(
                f"OUT {_short(text)}: seat {seat} is named twice or holds cards; write each seat without cards once",
                f"OUT {_short(text)}：{seat} 位写了两次或还有牌；没有牌的座位各写一次",
            )
        if not hand and seat not in gone:
            raise RecordError(
                f"HANDS: seat {seat} holds no card; name it in OUT, which is {_short(text)}",
                f"HANDS：{seat} 位没有牌；请写进 OUT（现为 {_short(text)}）",
            )
    if len(gone) > 2 or (len(gone) == 2 and gone[0] ^ gone[1] == 2):
        raise RecordError(
            f"OUT {_short(text)}: the deal is over, nobody can act; write a position in play",
            f"OUT {_short(text)}：这副牌已结束，没有人可出；请写未结束的局面",
        )
    return gone


def _seat(field: str, text: str) -> int:
    if text not in ("0", "1", "2", "3"):
        raise RecordError(
            f"{field}: {_short(text)} is no seat; write 0, 1, 2 or 3",
            f"{field}：{_short(text)} 不是座位；可写 0、1、2、3",
        )
    return int(text)


def _cards(where: str, where_zh: str, text: str) -> tuple[str, ...]:
    """Read cards written one after the other, at least one."""
    cards = [text[i : i + 2] for i in range(0, len(text), 2)] or [""]
    for card in cards:
        if card not in CARDS:
            raise RecordError(
                f"{where}{card!r} is no card; write suit S H C D and rank 2-9 T J Q K A, or SB, HR",
                f"{where_zh}{card!r} 不是牌；请写花色 S H C D 加点数 2-9 T J Q K A，或 SB、HR",
            )
    return tuple(cards)


def _trick(text: str, level: str, rules: Rules) -> Trick:
    parts = text.split(":")
    if len(parts) != 5:
        raise RecordError(
            f"TRICK is HOLDER:KIND:KEY:CARDS:PASSES or -, not {_short(text)}",
            f"TRICK 应为 HOLDER:KIND:KEY:CARDS:PASSES 或 -，不是 {_short(text)}",
        )
    holder, kind, key, laid, passes = parts
    if kind not in _KINDS.split():
        raise RecordError(
            f"TRICK: {_short(kind)} is no kind; write one of {_KINDS}", f"TRICK：没有牌型 {_short(kind)}；可写 {_KINDS}"
        )
    cards = _cards("TRICK: ", "TRICK：", laid)
    _check_copies("TRICK", "TRICK", [cards])
    known = readings(cards, level, rules)
    if (Kind[kind], key) not in [(play.kind, play.key) for play in known]:
        shown, claimed = _short(laid), f"{kind} {_short(key)}"
        choice = ", ".join(map(_declared, known))
        raise RecordError(
            f"TRICK: {shown} cannot be read as {claimed}; write {choice or 'cards that are a play'}",
            f"TRICK：{shown} 不能作 {claimed}；请写 {choice or '成牌型的牌'}",
        )
    return Trick(_seat("TRICK", holder), Play(Kind[kind], key, cards), _seat("TRICK", passes))


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

    RecordError (a ValueError) says in one line which field, or which play counted from 1, is wrong, and the way out:
    the reason why a play is not legal, or the readings to choose from.

    >>> read_record("7 S3D3H7/S9/C4C5/HR - 0 - S3D3H7 - - -").plays[0].kind.name
    'TRIPLE'
    """
    words = words_of(text)
    state = " ".join(words[:5])
    deal = read_state(state, rules)
    plays = []
    for number, word in enumerate(words[5:], start=1):
        plays.append(read_play(deal, word, number))
        deal.play(plays[-1])
    return Record(state, tuple(plays), rules)


def words_of(text: str) -> list[str]:
    """Split a record into its words: the five fields, then the plays. TypeError for what is no text."""
    if not isinstance(text, str):
        raise TypeError(f"a record is a text, not {type(text).__name__}")
    return [word for line in text.splitlines() for word in line.partition("#")[0].split()]


def read_play(deal: Deal, word: str, number: int) -> Play:
    """Read play `number` of a record, which the seat in turn makes now. RecordError where it is not legal."""
    try:
        play = _read_play(deal, word)
        deal.verify_play(play)
        return play
    except (IllegalPlayError, RecordError) as error:
        raise RecordError(
            f"play {number}, {_short(word)}: {error.en}", f"第 {number} 手 {_short(word)}：{error.zh}"
        ) from None


def card_list(text: str) -> tuple[str, ...]:
    """Read cards written one after the other, at least one. RecordError names what is no card."""
    return _cards("", "", text)


def _read_play(deal: Deal, word: str) -> Play:
    """Read one play. The reading need not be legal where it is the only one, or is declared."""
    if deal.over:
        raise RecordError("the deal is over: leave out the plays from here on", "这副牌已经打完：请删去从这里起的各手")
    if word == "-":
        return PASS
    kind, key, cards = word.split(":") if word.count(":") == 2 else ("", "", word)
    if ":" in cards:
        raise RecordError(
            "write -, the cards such as S3D3, or KIND:KEY:CARDS", "可写 -、牌（如 S3D3）或 KIND:KEY:CARDS"
        )
    laid = _cards("", "", cards)
    _check_copies("CARDS", "CARDS", [laid])
    found = readings(laid, deal.level, deal.rules)
    if kind:
        if kind not in _KINDS.split():
            raise RecordError(f"{kind!r} is no kind: write one of {_KINDS}", f"没有牌型 {kind!r}：可写 {_KINDS}")
        declared = Play(Kind[kind], key, laid)
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
