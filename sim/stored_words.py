"""Say what the stored words mean: the units of the columns, and each word of an enumeration, in Chinese and English.

`sim.schema` attaches them to its columns. An enumeration is known by its labels in the order of their codes, so a
label added in the engine without a meaning here is an error, not a gap.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from engine.bulk import A_ATTEMPTS, CELLS, DEAL_ENDS, FINISH_ORDERS, MATCH_ENDS, SEAT_SETS, SIDES, TRIBUTES
from engine.cards import CARDS
from engine.strategy_faults import ASKED, REASONS
from engine.style import RATES, ROLES
from sim import style_words
from sim.cube_words import CUBE_WORDS


class Word(NamedTuple):
    """One stored word and what it means."""

    value: str
    zh: str
    en: str


def _words(labels: tuple[str, ...], *meanings: tuple[str, str]) -> tuple[Word, ...]:
    return tuple(Word(label, zh, en) for label, (zh, en) in zip(labels, meanings, strict=True))


WORDS: Final[Mapping[tuple[str, ...], tuple[Word, ...]]] = {
    SIDES: _words(SIDES, ("X 方", "side x"), ("Y 方", "side y")),
    TRIBUTES: _words(
        TRIBUTES,
        ("不进贡（一轮的第一副等）", "no tribute due, as in the first deal"),
        ("单贡，已进", "single tribute, paid"),
        ("双贡，已进", "double tribute, paid by both losers"),
        ("应单贡，被抗", "single tribute due, refused"),
        ("应双贡，被抗", "double tribute due, refused"),
    ),
    A_ATTEMPTS: _words(
        A_ATTEMPTS,
        ("本副不是打自己的 A", "the declarer did not play at its own A"),
        ("过A", "A passed"),
        ("输了本副，没过", "not passed: the deal was lost"),
        (
            "赢了本副但没过：对家下游，或规则要求更高名次、不许以A收牌",
            "not passed although the deal was won: the partner was last, or the rules ask for more",
        ),
    ),
    DEAL_ENDS: _words(
        DEAL_ENDS,
        ("双下：一方两家先出完", "double-down: both players of one side went out first"),
        ("三家出完", "three players went out"),
        ("有一家出完即止（加赛）", "the first player went out, which is enough in a tie-break"),
        ("因犯规判双下", "judged a double-down for a fault"),
        ("因犯规判下游", "a player was judged last for a fault"),
    ),
    MATCH_ENDS: _words(
        MATCH_ENDS,
        ("过A", "a side passed A"),
        ("打满规定副数", "the deals of the rules were used up"),
        ("打到安全上限（程序的限制，不是规则）", "safety cap: a limit of the program, no rule"),
        ("时间到", "the time was used up"),
        ("加赛决出", "decided by a tie-break"),
        ("定局只打一副，没有过A", "a board is one deal, and A was not passed"),
        ("策略出错三副，判负", "forfeited: a side had three faulty deals"),
    ),
    REASONS: _words(
        REASONS,
        (
            "答案不合法：序号超出范围、所答不在可出之列或类型不对",
            "no legal answer: an index out of range, a play not listed, another type",
        ),
        ("程序抛出异常", "it raised an exception"),
        ("限时内没有回答", "no answer in time"),
        ("所在进程中止", "its process ended"),
        ("内存超限", "it needed more memory than allowed"),
    ),
    ASKED: _words(
        ASKED,
        ("进贡", "a card of tribute"),
        ("还贡", "a card to return"),
        ("出牌", "a play"),
        ("只是告知", "nothing, it was told"),
    ),
    CELLS: _words(
        CELLS,
        ("两轮皆负", "both matches lost"),
        ("一负一平", "one lost, one drawn"),
        ("各胜一轮，或两轮皆平", "one each, or both drawn"),
        ("一胜一平", "one won, one drawn"),
        ("两轮皆胜", "both matches won"),
    ),
    ROLES: _words(ROLES, *(style_words.ROLE_WORDS[role] for role in ROLES)),
    tuple(RATES): _words(tuple(RATES), *(style_words.describe(rate) for rate in RATES)),
    tuple(CUBE_WORDS): _words(tuple(CUBE_WORDS), *CUBE_WORDS.values()),
}
"""Labels of a short enumeration -> its words."""


def reason_word(reason: str) -> Word:
    """Give the word of a reason for which a decision was faulty (engine.strategy_faults.REASONS)."""
    return next(word for word in WORDS[REASONS] if word.value == reason)


FORMS: Final[Mapping[tuple[str, ...], tuple[str, str]]] = {
    SEAT_SETS: (
        "座位号连写，如 1 或 02：先写的先进贡（先受贡）",
        "seat numbers in a row, such as 1 or 02: the seat written first pays or receives first",
    ),
    CARDS: (
        "花色加点数，如 S2、HT（黑桃 S、红桃 H、梅花 C、方块 D，10 写 T）；SB 小王，HR 大王",
        "suit and rank, such as S2 or HT (spades S, hearts H, clubs C, diamonds D, T for ten); "
        "SB small joker, HR big joker",
    ),
    FINISH_ORDERS: (
        "四个座位号，如 0132：上游、二游、三游、下游；双下写作 02(13)，括号内两家未分先后",
        "four seat numbers, such as 0132: first, second, third, last; a double-down is 02(13), the two in brackets "
        "being tied",
    ),
}
"""Labels of a long enumeration -> the form of its words."""

UNITS: Final[Mapping[str, str]] = {
    "name": "名称",
    "id": "编号",
    "number": "序号",
    "level 2-14": "级 2–14",
    "card": "牌",
    "cards": "张",
    "side": "方",
    "seat 0-3": "座位 0–3",
    "seats": "座位",
    "kind": "种类",
    "result": "结果",
    "reason": "原因",
    "cell": "类别",
    "role": "类别",
    "rate": "比率",
    "cube": "类别",
    "part": "机会",
    "event": "事件",
    "levels": "级",
    "count": "次",
    "tricks": "圈",
    "deals": "副",
    "matches": "轮",
    "half points": "半分",
    "points of 26": "分，满分 26",
    "seconds": "秒",
    "state": "局面",
    "0 or 1": "0 或 1",
}
"""Unit in English -> in Chinese."""
