"""Words of the page in Chinese and English; words for what is counted come from `sim.glossary`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, cast

from sim import glossary
from sim.errors import Language

Badge = Literal["exogenous", "endogenous"]

LANGUAGES: Final[tuple[Language, Language]] = ("zh", "en")


@dataclass(frozen=True)
class About:
    """Say what a figure asks, what exactly is counted, and whether the split may be read as a cause.

    Exogenous: split by what is fixed before play (cards, seats, strategies, rules). Endogenous: split by what
    play itself brought about, so a difference is an association. `filters` tells which filters act: level, side.
    """

    question: tuple[str, str]
    definition: tuple[str, str]
    badge: Badge
    filters: tuple[str, ...] = ("level", "side")


FIGURES: Final[Mapping[str, About]] = {
    "score": About(
        ("{x} 赢多少轮、多少副？", "How many matches and deals does {x} win?"),
        (
            "得分 = 一对两轮得分的平均（胜 1、平 ½、负 0），两轮同一组牌、换位；单位是对，Student t 区间。"
            "单副胜率 = 胜的副数 ÷ 副数，按对聚类。两者总是整次运行的，不受筛选影响。",
            "Match score: mean over pairs of the two matches on the same deals, teams exchanged (won 1, drawn ½, "
            "lost 0); the pair is the unit, Student's t interval. Deals won: share of all deals, clustered by pair. "
            "Both are of the whole run, whatever the filters.",
        ),
        "exogenous",
        (),
    ),
    "boards": About(
        ("{x} 赢多少副定局？", "How many boards does {x} win?"),
        (
            "定局 = 从给定局面开始的一副牌，每对打两次、换位。每副净升级 = 一对两次所得升级数（X 胜为正）的平均；"
            "单位是对，Student t 区间。单副胜率 = 胜的副数 ÷ 副数，按对聚类。均为整次运行，不受筛选影响。",
            "A board is one deal from a given context, played twice with the teams exchanged. Net levels: mean over "
            "pairs of the levels earned in the two legs, positive for x; the pair is the unit, Student's t interval. "
            "Deals won: share of all deals, clustered by pair. Both are of the whole run, whatever the filters.",
        ),
        "exogenous",
        (),
    ),
    "cells": About(
        ("一对两轮的结果如何分布？", "How do the two matches of a pair end?"),
        (
            "每对按 {x} 的两轮结果分类。复式增益 = 1/(1+ρ)，ρ 为两轮结果的相关：一轮复式相当于多少轮普通比赛。"
            "每副净升级 = {x} 胜记 +1 至 +3、负记 −1 至 −3 的平均。座位影响 = 0、2 座得分超出 50% 的部分。",
            "Each pair by the two results of {x}. Duplicate gain = 1/(1+rho), rho being the correlation of the two "
            "results: how many unpaired matches one paired match is worth. Net levels per deal: mean of +1 to +3 for "
            "a deal {x} wins, -1 to -3 for one it loses. Seat effect: score of seats 0 and 2 above 50%.",
        ),
        "exogenous",
        (),
    ),
    "refusals": About(
        ("抗贡有多常见？与理论值相符吗？", "How often is tribute refused, and does it agree with counting?"),
        (
            "应进贡而被抗的副数 ÷ 应进贡的副数。理论值由发牌计数得出：单贡 C(27,2)/C(108,2)，双贡 "
            "C(54,2)/C(108,2)；规则许两小王抗贡的，一并计入。按方筛选 = 受贡方。",
            "Deals whose tribute was refused out of deals with tribute due. The exact value counts the deck: "
            "C(27,2)/C(108,2) for single, C(54,2)/C(108,2) for double; where small jokers refuse, they count "
            "as well. Side = who receives.",
        ),
        "exogenous",
    ),
    "kinds": About(
        ("各种进贡占多少？", "Which kinds of tribute occur?"),
        (
            "第二副起每副的进贡情况 ÷ 这些副数。按方筛选 = 受贡方。",
            "Kind of tribute of every deal after the first, out of those deals. Side = who receives.",
        ),
        "endogenous",
    ),
    "next_wins": About(
        ("进贡之后，受贡方赢下这一副吗？", "After tribute, do the receivers win the deal?"),
        (
            "以该进贡开始、由受贡方（抗贡时为本应受贡方）获胜的副数 ÷ 以该进贡开始的副数。受贡方刚赢过上一副，"
            "所以这是关联而非因果。",
            "Deals opened by this tribute and won by the side that received (or would have), out of deals opened "
            "by it. "
            "Receivers have just won a deal, so this is an association, not an effect.",
        ),
        "endogenous",
    ),
    "given": About(
        ("进贡进的是什么牌？", "Which cards are given?"),
        (
            "进贡的牌按点数 ÷ 进贡张数；级牌单列。按方筛选 = 受贡方。",
            "Rank of the cards given as tribute out of all cards given; level cards apart. Side = who receives.",
        ),
        "exogenous",
    ),
    "returned": About(
        ("还贡还的是什么牌？", "Which cards are returned?"),
        (
            "还贡的牌按点数 ÷ 还贡张数；级牌单列。按方筛选 = 还贡（受贡）方。",
            "Rank of the cards returned out of all cards returned; level cards apart. Side = who receives and returns.",
        ),
        "endogenous",
    ),
    "exchanges": About(
        ("进什么、还什么之后，受贡方胜率多少？", "How often do the receivers win, by card given and card returned?"),
        (
            "每次进贡与还贡为一次；受贡方获胜的次数 ÷ 次数。空格：无数据；灰格：不足 30 对。",
            "Each card given with the card returned for it counts once: share in deals that the receivers won. "
            "Blank: none; grey: fewer than 30 pairs.",
        ),
        "endogenous",
    ),
    "tries": About(
        ("打 A 的结果如何？为什么没过？", "How do tries at A end, and why do they fail?"),
        (
            "打自己 A 的副中各种结果 ÷ 打自己 A 的副数。过A = 上游且对家不是下游。按方筛选 = 打 A 的一方；"
            "级数筛选不适用（总是 A）。",
            "Results of deals that a side plays at its own A, out of those deals. Passing needs first place and a "
            "partner who "
            "is not last. Side = who is at A; the level is always A.",
        ),
        "endogenous",
        ("side",),
    ),
    "tries_by_number": About(
        ("打到第几次过A？", "At which try is A passed?"),
        (
            "同一轮同一方的第 1、2、3 及以后各次打 A 中过A的比例。",
            "Share of first, second, third and later tries of a side in one match that pass A.",
        ),
        "endogenous",
        ("side",),
    ),
    "steps": About(
        ("赢一副升几级？", "How many levels does a won deal earn?"),
        (
            "获胜的副按名次应升的级数 ÷ 获胜的副数（不计 A 封顶）。按方筛选 = 获胜方。",
            "Levels earned by the finishing order, before the cap at A, out of deals won. Side = who won.",
        ),
        "endogenous",
    ),
    "level_map": About(
        ("打到这个级数时，{x} 赢下整轮的机会？", "From these levels, how often does {x} win the match?"),
        (
            "以该级数开始的每一副计一次：{x} 赢下该轮的比例（平局计 ½）。灰格：不足 30 对。悬停可见区间、样本，"
            "以及假定各副独立时的模型值"
            "（用本次运行的单副胜率与升级分布）。按方筛选 = 本副打谁的级。",
            "Every deal that starts at these levels counts once: share of matches that {x} wins (a draw is ½). "
            "Grey: fewer than 30 "
            "pairs. Hover for interval, sample and what independent deals with this run's win rate and steps would "
            "give. "
            "Side = whose level is played.",
        ),
        "endogenous",
        ("side",),
    ),
    "lengths": About(
        ("一轮要打多少副？", "How many deals does a match take?"),
        (
            "每轮副数的分布；平均数按对聚类。",
            "Distribution of deals a match; the interval of the mean is clustered by pair.",
        ),
        "exogenous",
        (),
    ),
}

WORDS: Final[Mapping[str, tuple[str, str]]] = {
    "run": ("运行", "Run"),
    "match_up": ("对阵", "Match-up"),
    "level": ("打几（级数）", "Level played"),
    "side": ("哪一方", "Side"),
    "all": ("全部", "all"),
    "both": ("双方", "both"),
    "filters": ("筛选", "Filters"),
    "score": ("{x} 比 {y} 强吗？", "Is {x} better than {y}?"),
    "tribute": ("进贡", "Tribute"),
    "pass_a": ("过A", "Passing A"),
    "promotion": ("升级", "Promotion"),
    "length": ("长度", "Length"),
    "table": ("表格", "Table"),
    "csv": ("下载 CSV", "Download CSV"),
    "definitions": ("这些数字是什么意思？", "What do these numbers mean?"),
    "exogenous": ("事先确定", "fixed before play"),
    "endogenous": ("打出来的", "result of play"),
    "exogenous_help": (
        "按开打前已定的因素划分（牌、座位、策略、规则），差别可读作原因；统计上叫外生。",
        "Exogenous: split by what is fixed before play (cards, seats, strategies, rules); a difference may be read as "
        "a cause.",
    ),
    "endogenous_help": (
        "按打牌过程的结果划分，差别只是关联；统计上叫内生。",
        "Endogenous: split by what play itself brought about; a difference is an association only.",
    ),
    "intervals": (
        "方括号内为 95% 区间，以对为单位聚类（线性化比率的方差，Wilson 形式）；n 为副/轮/张数与对数。不足 30 "
        "对显示「太少」。",
        "Brackets: 95% intervals clustered by pair (variance of the linearised ratio, in Wilson's form). n: deals, "
        "matches or cards, "
        "and pairs. Below 30 pairs: «too few».",
    ),
    "terms": (
        "名次用规则的叫法：上游（头游）、二游、三游、下游（末游）；一方两家先出完，另一方为双下。",
        "Places: first 上游 (also 头游), second 二游, third 三游, last 下游 (also 末游); where both players of one "
        "side go out first, the other side has a double-down 双下.",
    ),
    "no_runs": (
        "{folder} 里还没有运行。请先执行 `guandan demo`，或 `guandan run greedy random --pairs 1000 --out "
        "{folder}/first`，再刷新本页。",
        "There is no run in {folder} yet. Start one with `guandan demo` or "
        "`guandan run greedy random --pairs 1000 --out {folder}/first`, then reload this page.",
    ),
    "no_folder": ("没有文件夹 {folder}。", "There is no folder {folder}."),
    "no_blocks": (
        "这次运行还没有完成的块；请稍后刷新本页。",
        "No block of this run is finished yet; reload this page in a while.",
    ),
    "faults": (
        "{name} 出错（{reason}）：判双下 {deals} 副，判负 {forfeits} 轮。得分含这些判罚；逐条见表 faults。",
        "{name} failed ({reason}): judged deals {deals}, forfeited matches {forfeits}. The score contains these "
        "judgements; table faults has each.",
    ),
    "excluded": (
        "有 {count} 块（{pairs} 对）被排除，不在以下数字里；原因见 guandan verify。",
        "{count} blocks excluded ({pairs} pairs), in no number below; guandan verify says why.",
    ),
    "partial": (
        "这次运行未完成：{done} / {asked} 对。区间按现有样本计算，中途反复查看会低估误差。",
        "This run is not finished: {done} of {asked} pairs. Intervals are for the sample so far; "
        "looking repeatedly while it grows understates the error.",
    ),
    "no_deals": (
        "这次运行未保存每副记录（--detail deals），因此没有筛选、牌张与级数图。",
        "This run keeps no rows of deals (--detail deals): no filters, cards or level map.",
    ),
    "unknown_query": (
        "网址中的 {name}={value} 无效，已忽略。",
        "Ignored {name}={value} in the address: not valid here.",
    ),
    "playing": ("打 {level}", "level {level}"),
    "mean": ("平均", "mean"),
    "number_1": ("第 1 次", "first try"),
    "number_2": ("第 2 次", "second try"),
    "number_3": ("第 3 次", "third try"),
    "number_4+": ("第 4 次及以后", "fourth try and later"),
    "cell_LL": ("两轮皆负", "lost both"),
    "cell_LD": ("一负一平", "lost, drawn"),
    "cell_MID": ("各胜一轮或皆平", "one each, or both drawn"),
    "cell_WD": ("一胜一平", "won, drawn"),
    "cell_WW": ("两轮皆胜", "won both"),
    "card_HR": ("大王", "big joker"),
    "card_SB": ("小王", "small joker"),
    "card_level": ("级牌", "level card"),
    "given_axis": ("进贡的牌", "card given"),
    "returned_axis": ("还贡的牌", "card returned"),
    "level_axis": ("{side} 的级数", "level of {side}"),
    "model": ("独立模型", "independent deals"),
    "score_of": ("{x} 得分", "Score of {x}"),
    "deal_win_of": ("{x} 单副胜率", "Deals won by {x}"),
    "copy": ("可复制的文字", "Text to copy"),
    "footer": (
        "运行 {run} · 规则 {rules} · 种子 {seed} · {blocks} 块 · 表结构 {schema} · {versions} · 读取 {seconds:.2f} 秒",
        "run {run} · rules {rules} · seed {seed} · {blocks} blocks · schema {schema} · {versions} · read in "
        "{seconds:.2f} s",
    ),
    "again": ("重跑命令：", "Command to repeat: "),
    "col_cell": ("类别", "category"),
    "col_value": ("数值", "value"),
    "col_lo": ("区间下限", "interval low"),
    "col_hi": ("区间上限", "interval high"),
    "col_events": ("n", "n"),
    "col_pairs": ("对数", "pairs"),
    "col_name": ("结果", "result"),
    "col_deals": ("副数", "deals"),
    "col_matches": ("轮数", "matches"),
    "col_share": ("比例", "share"),
    "col_note": ("说明", "note"),
    "col_expected": ("理论值", "expected"),
}


def text(key: str, language: Language, **values: object) -> str:
    """Give a text of the page, its placeholders filled in; KeyError for one that does not exist."""
    written = WORDS[key][0 if language == "zh" else 1]
    return written.format(**values) if values else written


def question(name: str, language: Language, **values: object) -> str:
    """Give the question a figure answers."""
    return FIGURES[name].question[0 if language == "zh" else 1].format(**values)


def definition(name: str, language: Language, **values: object) -> str:
    """Give the definition of a figure."""
    return FIGURES[name].definition[0 if language == "zh" else 1].format(**values)


def language_of(tag: str | None) -> Language:
    """Choose the language for a locale such as en-US or zh_CN.UTF-8; Chinese for none."""
    return "zh" if not tag or tag.lower().startswith("zh") else "en"


def is_language(value: str | None) -> bool:
    """Tell whether a value names a language of the page."""
    return value in LANGUAGES


def as_language(value: str) -> Language:
    """Narrow a checked value to a language."""
    if not is_language(value):
        raise ValueError(f"the languages are {', '.join(LANGUAGES)}, got {value!r}")
    return cast(Language, value)


def level_name(level: int) -> str:
    """Write a level as on a card: 2 to 10, J, Q, K, A."""
    return {11: "J", 12: "Q", 13: "K", 14: "A"}.get(level, str(level))


def card_name(rank: str, language: Language) -> str:
    """Write a card's rank as players do: 10 for T, words for jokers and level cards."""
    key = f"card_{rank}"
    return text(key, language) if key in WORDS else rank.replace("T", "10")


def cell_name(figure: str, part: str, cell: str, language: Language, names: Mapping[str, str]) -> str:
    """Name a row of a rate frame for people; `names` gives the sides."""
    if figure == "refusals":
        return glossary.word(f"refusal_{part}", language)
    if figure == "next_wins":
        return glossary.word(part, language)
    if figure == "kinds":
        return glossary.word(cell, language)
    if figure in ("given", "returned"):
        return card_name(cell, language)
    if figure == "tries":
        return f"{names[part]} · {glossary.word(f'a_{cell}', language)}"
    if figure == "tries_by_number":
        return text(f"number_{part}", language)
    if figure == "steps":
        return f"{names[part]} · {glossary.word(f'steps_{cell}', language)}"
    if figure == "exchanges":
        given, returned = (card_name(rank, language) for rank in part.split())
        return f"{given} → {returned}"
    if figure == "level_map":
        x, y = (level_name(int(level)) for level in cell.split())
        return f"{names['x']} {x} · {names['y']} {y}"
    raise KeyError(f"no figure {figure!r}")
