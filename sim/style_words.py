"""Say what the rates of style and their occasions are, in Chinese and English (engine.style counts them)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from engine.style import OCCASIONS, RATES, ROLES


class Meaning(NamedTuple):
    """What a name stands for."""

    zh: str
    en: str


ROLE_WORDS: Final[Mapping[str, Meaning]] = MappingProxyType(
    {
        "all": Meaning("所有手牌", "all hands"),
        "no_tribute": Meaning("本副不进贡也不受贡", "the seat neither pays nor receives tribute in the deal"),
        "payer": Meaning("本副进贡", "the seat pays tribute"),
        "receiver": Meaning("本副受贡", "the seat receives tribute"),
        "behind": Meaning("级数落后", "its side is behind in levels"),
        "even": Meaning("级数相同", "levels are even"),
        "ahead": Meaning("级数领先", "its side is ahead in levels"),
        "own_a": Meaning("打自己的 A", "its side plays its own A"),
    }
)

OCCASION_WORDS: Final[Mapping[str, Meaning]] = MappingProxyType(
    {
        "leads": Meaning("领出", "leads"),
        "singles_led": Meaning("领出的单张", "singles led"),
        "leads_into_one_card": Meaning(
            "有对手只剩一张且可领别的牌型时的领出",
            "leads while an opponent holds one card and another kind could be led",
        ),
        "answers": Meaning("跟出的牌", "plays laid on another"),
        "answerable_partner": Meaning("对家的牌可用非炸弹压", "partner's plays that could be beaten without a bomb"),
        "answerable_opponent": Meaning("对手的牌可用非炸弹压", "opponents' plays that could be beaten without a bomb"),
        "hands": Meaning("手牌（每家每副一手）", "hands: one a seat and deal"),
        "bombs": Meaning("打出的炸弹", "bombs laid"),
        "leads_with_bomb": Meaning("手有炸弹时的领出", "leads with a bomb in hand"),
        "bombable_partner": Meaning("对家的牌可用炸弹压", "partner's plays that could be bombed"),
        "bombable_opponent": Meaning("对手的牌可用炸弹压", "opponents' plays that could be bombed"),
        "bombable_low": Meaning(
            "有对手剩 1–5 张且可出炸弹", "choices with a bomb while an opponent holds one to five cards"
        ),
        "outs": Meaning("出完牌的手", "hands played out"),
        "wilds": Meaning("打出的逢人配（张）", "wilds laid, by card"),
        "returns": Meaning("还的贡", "cards returned"),
        "returns_to_partner": Meaning("还给对家的贡", "cards returned to the partner"),
        "returns_to_opponent": Meaning("还给对手的贡", "cards returned to an opponent"),
        "partner_first": Meaning("对家得上游的手", "hands whose partner is first"),
        "stayed_in": Meaning("没出完的手", "hands that were not played out"),
    }
)

_KINDS: Final[Mapping[str, Meaning]] = {
    "single": Meaning("单张", "a single"),
    "pair": Meaning("对子", "a pair"),
    "triple": Meaning("三同张", "a triple"),
    "tube": Meaning("三连对", "a tube"),
    "full_house": Meaning("三带对", "a full house"),
    "plate": Meaning("钢板", "a plate"),
    "straight": Meaning("顺子", "a straight"),
    "straight_flush": Meaning("同花顺", "a straight flush"),
    "bomb": Meaning("炸弹", "a bomb of equal cards"),
    "joker_bomb": Meaning("四大天王", "four jokers"),
}

_SINGLE_RATES: Final[Mapping[str, Meaning]] = {
    "led_smallest_single": Meaning("领最小的单张", "the smallest single"),
    "led_single_into_one_card": Meaning("仍领单张", "a single all the same"),
    "wind_taken": Meaning("是接风", "taken by wind"),
    "passed_on_partner": Meaning("不压", "left standing"),
    "passed_on_opponent": Meaning("不压", "left standing"),
    "bombs_of_4": Meaning("四张炸弹（每手）", "bombs of four, a hand"),
    "bombs_of_5": Meaning("五张炸弹（每手）", "bombs of five, a hand"),
    "straight_flushes": Meaning("同花顺（每手）", "straight flushes, a hand"),
    "bombs_of_6_up": Meaning("六张及以上炸弹（每手）", "bombs of six and more, a hand"),
    "joker_bombs": Meaning("四大天王（每手）", "joker bombs, a hand"),
    "bomb_as_lead": Meaning("作领出", "laid as a lead"),
    "bomb_on_partner": Meaning("压对家", "laid on the partner's play"),
    "bomb_opponent_low": Meaning("有对手剩 1–5 张时", "laid while an opponent holds one to five cards"),
    "bomb_opponents_full": Meaning("两个对手都还有 15 张以上时", "laid while both opponents hold fifteen or more"),
    "bomb_as_last": Meaning("最后一手", "laid as the last play of the hand"),
    "bombed_as_lead": Meaning("领炸弹", "a bomb is led"),
    "bombed_partner": Meaning("炸对家", "bombed"),
    "bombed_opponent": Meaning("炸对手", "bombed"),
    "bombed_opponent_low": Meaning("出炸弹", "a bomb is laid"),
    "out_with_bomb": Meaning("以炸弹收尾", "with a bomb as the last play"),
    "returned_to_partner": Meaning("还给对家", "to the partner"),
    "not_last_behind_partner": Meaning("没成下游", "not last"),
    "cards_left": Meaning("剩牌张数（每手）", "cards left, a hand"),
    "choices": Meaning("领出或有牌可跟的次数（每手）", "leads, and answers with something to lay, a hand"),
}


def _meaning(rate: str) -> Meaning:
    if rate in _SINGLE_RATES:
        return _SINGLE_RATES[rate]
    for start, zh, en in (("led_", "领", "led"), ("answered_", "跟", "answered"), ("wild_in_", "用于", "used in")):
        if rate.startswith(start):
            kind = _KINDS[rate.removeprefix(start)]
            return Meaning(zh + kind.zh, f"{en} {kind.en}" if start == "wild_in_" else kind.en)
    for start in ("lead_broke_", "answer_broke_"):
        if rate.startswith(start):
            kind = _KINDS[rate.removeprefix(start)]
            return Meaning(f"拆{kind.zh}", f"breaks {kind.en}")
    act, kind_name = rate.removeprefix("return_").removesuffix("_partner").removesuffix("_opponent").split("_", 1)
    kind, made = _KINDS[kind_name], act == "made"
    return Meaning(f"{'使受还者得到' if made else '还者拆'}{kind.zh}", f"{'makes' if made else 'breaks'} {kind.en}")


RATE_WORDS: Final[Mapping[str, Meaning]] = MappingProxyType({rate: _meaning(rate) for rate in RATES})
"""Rate -> what of the occasion it counts."""


def describe(rate: str) -> Meaning:
    """Say event and occasion of a rate in one phrase."""
    event, occasion = RATE_WORDS[rate], OCCASION_WORDS[RATES[rate]]
    return Meaning(f"{occasion.zh}：{event.zh}", f"{occasion.en}: {event.en}")


assert set(ROLE_WORDS) == set(ROLES)
assert set(OCCASION_WORDS) == set(OCCASIONS)
