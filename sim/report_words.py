"""Words of the reports in Chinese and English; those shared with the page's figures are in `sim.glossary`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sim.errors import Language

WORDS: Final[Mapping[str, tuple[str, str]]] = {
    # how a figure may be read
    "reading": ("读法", "reading"),
    "exogenous": ("事先确定", "exogenous"),
    "endogenous": ("打出来的", "endogenous"),
    "counterfactual": ("同局重打", "counterfactual"),
    "readings": (
        "“事先确定”：按打之前就定了的条件分，可当作原因；“打出来的”：按打的过程分，只是相关；“同局重打”："
        "同一局面只改一处。",
        "exogenous: split by what is fixed before play, may be read as a cause; endogenous: split by what play brought "
        "about, an association only; counterfactual: the same position played again with one thing changed.",
    ),
    "no_deals": (
        "运行没有保留每副的记录，其余的项目需要 --detail deals",
        "the run keeps no deals; the other lines need --detail deals",
    ),
    # passing A
    "a_reached": ("有第 {number} 次打A的轮", "matches with try {number} at the own A"),
    "a_try": ("第 {number} 次打A", "try {number} at A"),
    "a_failed": ("未过的原因", "cause of failure"),
    "a_share": ("打A的副占全部副数", "share of all deals that are tries at A"),
    "a_reset": ("未过后降级", "failed tries after which it fell back"),
    "a_resets": ("每轮降级次数", "falls from A a match"),
    "a_before": ("第 {number} 次打A之前，整轮得分", "match score before try {number} at A"),
    "a_after": ("第 {number} 次打A之后，整轮得分", "match score after try {number} at A"),
    "a_after_reset": ("降级之后，整轮得分", "match score after falling back"),
    "a_reset_change": ("降级之后减那次打A之前，整轮得分", "match score after falling back less before that try"),
    "a_reset_cost": ("降级次数 × 得分之差，每轮", "falls × difference of the match score, a match"),
    "a_plus": ("升过A直接获胜的轮", "matches won by levels beyond A"),
    "a_short": ("每轮打K升一级到不了A的次数", "one-level wins at K that do not reach A, a match"),
    "a_plus_gain": ("升过A次数 × 所得，每轮", "wins beyond A × gain over a first try, a match"),
    "tie_share": ("双贡两张同点", "double tributes of two equal cards"),
    "tie_often": ("每轮双贡同点次数", "double tributes of equal cards a match"),
    "tie_change": ("双贡同点使受贡方单副胜率改变", "receivers win: equal cards less unequal cards"),
    "tie_worth": ("双贡同点次数 × 改变，每轮副数", "equal cards × change, deals a match"),
    # promotion and flow
    "all_levels": ("各级", "all levels"),
    "at": ("打{level}", "level {level}"),
    "level_map": ("级数图：{x} 的整轮得分", "Level map: match score of {x}"),
    "model": ("模型", "model"),
    "flow": ("进程", "Match flow"),
    "again": ("胜一副后再胜", "wins again after a win"),
    "snowball": ("滚雪球：胜后再胜率减负后胜率", "snowball: wins after a win less wins after a loss"),
    "repeat": ("胜方再胜一副", "winners of a deal win the next"),
    "comeback": ("曾落后 {levels} 级以上，整轮得分", "match score after being {levels} or more levels behind"),
    "comeback_3": ("曾落后 3 级以上，整轮得分", "match score after being 3 or more levels behind"),
    "comeback_5": ("曾落后 5 级以上，整轮得分", "match score after being 5 or more levels behind"),
    "comeback_8": ("曾落后 8 级以上，整轮得分", "match score after being 8 or more levels behind"),
    "first_leader_deal": ("首副先出一方胜首副", "side that leads the first deal wins it"),
    "first_leader": ("首副先出一方的整轮得分", "match score of the side that leads the first deal"),
    "first_to_a": ("先到A，整轮得分", "match score of the side first at A"),
    "first_at_a": ("先到A一方的整轮得分", "match score of the side first at A"),
    "both_at_a": ("双方都到过A的轮", "matches in which both sides reached A"),
    "lead_changes": ("每轮领先易手次数", "lead changes a match"),
    "decisiveness": ("模型胜率偏离一半的平均", "mean distance of the model's chance from one half"),
    "dead_time": ("胜负已定（模型九成）后的副数占比", "share of deals after the model gives the winner 90%"),
    "long": ("超过 25 副的轮", "matches of more than 25 deals"),
    "quantiles": ("副数的分位：", "quantiles of deals a match:"),
    "reset": ("打A未过后降级", "failed tries at A after which a side fell back"),
    # the verdict
    "any_time": ("随时可读的区间", "interval valid at any time"),
    "after_stop": ("检验停止后的得分（中位无偏）", "score after the stop (median-unbiased)"),
    "score_all": ("得分（照打的算）", "score, all pairs as played"),
    "score_clean": ("得分（去掉出错的对）", "score, pairs without a fault"),
    "score_worst": ("得分（X 方出错的轮都算负）", "score, worst case for x"),
    "cells": ("各种结果的对数：", "pairs by result:"),
    "forfeits": ("因出错判负的轮", "legs forfeited for faults"),
    "faulty_deals": ("出错的副数 {deals}", "{deals} faulty deals"),
    "kind_match": ("整轮得分", "match score"),
    "kind_boards": ("每副净升级", "net levels a board"),
    "verdict_no_blocks": ("{x} 对 {y}（{rules}）：还没有数据。", "{x} against {y} ({rules}): nothing has been played."),
    "verdict_same": (
        "{x} 对 {y}（{rules}，{pairs} 对）：双方是同一个确定性策略，谁强无从说起；副数、进贡、过A、升级仍可看。",
        "{x} against {y} ({rules}, {pairs} pairs): both sides are one deterministic strategy, so nothing can be "
        "said of "
        "strength; length, tribute, pass-A and promotion stand.",
    ),
    "verdict_few": (
        "{x} 对 {y}（{rules}）：只有 {pairs} 对，太少，什么也不能说。",
        "{x} against {y} ({rules}): {pairs} pairs are too few to say anything.",
    ),
    "verdict_alike": (
        "{x} 对 {y}（{rules}）：{pairs} 对结果全都一样，没有散布，不能给区间；单副胜率见下。",
        "{x} against {y} ({rules}): all {pairs} pairs came out alike, so there is no spread and no interval; "
        "see the deals won.",
    ),
    "verdict_invalid": (
        "无效：{who} 因出错判负的轮可能多到 {bound}（上限 1%）。{x} 对 {y}（{rules}，{pairs} 对）不下结论；"
        "照打的得分 {score}。",
        "Invalid: {who} may forfeit up to {bound} of its legs (limit 1%). No verdict on {x} against {y} "
        "({rules}, {pairs} "
        "pairs); as played the score is {score}.",
    ),
    "verdict_contaminated": (
        "受出错影响：{who} 因出错判负的轮可能多到 {bound}（上限 0.1%）。{x} 对 {y}（{rules}，{pairs} 对）不下结论；"
        "照打的得分 {score}。",
        "Contaminated: {who} may forfeit up to {bound} of its legs (limit 0.1%). No verdict on {x} against {y} "
        "({rules}, "
        "{pairs} pairs); as played the score is {score}.",
    ),
    "verdict_accepted": (
        "检验通过：{x} 对 {y}（{rules}）在 {official} 对后越过上界（LLR {llr}，界 {low} 到 {high}；H0 {elo0}、"
        "H1 {elo1} nElo）。"
        "停止后的{kind} {after}（中位无偏）。可以说 {x} 超过 H0；不能说它对别的对手如何。",
        "Test passed: {x} against {y} ({rules}) crossed the upper bound after {official} pairs (LLR {llr}, "
        "bounds {low} to "
        "{high}; H0 {elo0}, H1 {elo1} nElo). The {kind} after the stop is {after} (median-unbiased). This says "
        "that {x} is "
        "above H0, not how it fares against others.",
    ),
    "verdict_rejected": (
        "检验未通过：{x} 对 {y}（{rules}）在 {official} 对后越过下界（LLR {llr}，界 {low} 到 {high}；H0 {elo0}、"
        "H1 {elo1} nElo）。"
        "停止后的{kind} {after}（中位无偏）。可以说 {x} 达不到 H1；不能说它一定更弱。",
        "Test failed: {x} against {y} ({rules}) crossed the lower bound after {official} pairs (LLR {llr}, "
        "bounds {low} to "
        "{high}; H0 {elo0}, H1 {elo1} nElo). The {kind} after the stop is {after} (median-unbiased). This says "
        "that {x} is "
        "below H1, not that it is the weaker.",
    ),
    "verdict_inconclusive": (
        "检验无结论：{x} 对 {y}（{rules}）打满 {official} 对仍未越界（LLR {llr}，界 {low} 到 {high}）。{kind} "
        "{after}；既不算通过，"
        "也不算未通过。",
        "Test inconclusive: {x} against {y} ({rules}) reached its {official} pairs within the bounds (LLR "
        "{llr}, bounds {low} "
        "to {high}). The {kind} is {after}; this is neither a pass nor a fail.",
    ),
    "verdict_undecided": (
        "检验进行中：{x} 对 {y}（{rules}），{official} 对后 LLR {llr}，界 {low} 到 {high}；还不能下结论。",
        "Test going on: {x} against {y} ({rules}) stands at LLR {llr} of {low} to {high} after {official} "
        "pairs; no verdict "
        "yet.",
    ),
    "verdict_live": (
        "未打完：{x} 对 {y}（{rules}）{kind} {score}（随时可读的区间），{pairs} 对；打完之前不下结论。",
        "Open: {x} against {y} ({rules}) has the {kind} {score}, an interval valid at any time, after {pairs} "
        "pairs; no verdict "
        "before the end.",
    ),
    "verdict_ahead": (
        "{x} 胜过 {y}（{rules}）：{kind} {score}，{pairs} 对。区间在 {even} 之上：在这套规则下 {x} 对 {y} 更强；"
        "不能说对别的对手、"
        "别的规则也如此。",
        "{x} beats {y} ({rules}): {kind} {score} over {pairs} pairs. The interval lies above {even}: {x} is the "
        "stronger of the "
        "two under these rules; nothing follows for other opponents or rules.",
    ),
    "verdict_behind": (
        "{x} 不如 {y}（{rules}）：{kind} {score}，{pairs} 对。区间在 {even} 之下：在这套规则下 {y} 更强；"
        "不能说对别的对手、"
        "别的规则也如此。",
        "{x} loses to {y} ({rules}): {kind} {score} over {pairs} pairs. The interval lies below {even}: {y} is "
        "the stronger of "
        "the two under these rules; nothing follows for other opponents or rules.",
    ),
    "verdict_family": (
        "{x} 对 {y}（{rules}）：{kind} {score}，{pairs} 对。单看区间不含 {even}，"
        "但和本次运行的其他对阵一起校正后 p = {p}："
        "不能下结论。",
        "{x} against {y} ({rules}): {kind} {score} over {pairs} pairs. By itself the interval excludes {even}, "
        "but together with "
        "the other match-ups of the run p = {p}: no claim.",
    ),
    "verdict_open": (
        "{x} 对 {y}（{rules}）分不出：{kind} {score}，{pairs} 对。区间含 {even}：不能说谁更强，也不能说一样强；"
        "上下 {half} 以内的"
        "差别看不出来。",
        "{x} and {y} ({rules}) cannot be told apart: {kind} {score} over {pairs} pairs. The interval includes "
        "{even}: this says "
        "neither who is stronger nor that they are equal; differences within {half} stay unseen.",
    ),
    # a league
    "claims": ("各组对阵", "All match-ups"),
    "family": ("p 值作为一族一起校正：{family}", "p values are adjusted as one family: {family}"),
    "holm": ("Holm", "Holm"),
    "bh": ("Benjamini-Hochberg", "Benjamini-Hochberg"),
    "adjusted": ("校正后 p", "adjusted p"),
    "ratings": ("等级分（{rules}）", "Ratings ({rules})"),
    "rating_heads": ("策略|Elo|名次", "strategy|Elo|rank"),
    "differences": ("等级分之差（{rules}，{family}）", "Differences of ratings ({rules}, {family})"),
    "ratings_remark": (
        "零点是平均，只有差有意义；名次区间按 Holm 校正。",
        "Zero is the mean; only differences have a meaning. Ranks as Holm's correction allows.",
    ),
    "not_joined": (
        "胜负关系不连通，不能定等级分：{groups}",
        "wins do not join the strategies, so there are no ratings: {groups}",
    ),
    "fit_none": (
        "对阵太少，不能检验一个数是否够用。",
        "There are too few match-ups to test whether one number is enough.",
    ),
    "fit_holds": (
        "一个数够用：偏差 {deviance}，自由度 {df}，p = {p}。",
        "One number a strategy is enough: deviance {deviance}, df {df}, p = {p}.",
    ),
    "fit_rejected": (
        "一个数不够用：偏差 {deviance}，自由度 {df}，p = {p}；请看各组对阵，不要看等级分。",
        "One number a strategy is not enough: deviance {deviance}, df {df}, p = {p}; read the match-ups instead.",
    ),
    "cycle": ("确定的循环：{chain}（最弱一环 p = {p}）。", "A cycle of certain wins: {chain} (weakest link p = {p})."),
    "bounded": ("带 > 或 < 的全胜或全负，只是界。", "Marked > or <: won or lost everything, a bound only."),
    # comparing
    "compare_title": ("{first} 减 {second}", "{first} less {second}"),
    "compare_remark": (
        "共同的 {pairs} 对；各区间同时成立（95%）。备注为两者各自的值。",
        "{pairs} common pairs; the intervals hold together (95%). The note has the value of each.",
    ),
    "reference": ("基准", "reference"),
    "variant": ("变体", "variant"),
    "difference": ("差", "difference"),
    "band": ("目标", "target"),
    "place": ("在目标", "lies"),
    "band_inside": ("之内", "inside"),
    "band_outside": ("之外", "outside"),
    "band_straddles": ("边上", "across an edge"),
    "band_open": ("未知", "unknown"),
    "scorecard": ("变体记分卡", "Variant scorecard"),
    "card_title": (
        "{x} 对 {y}：{variant} 与 {reference}，共同的 {pairs} 对",
        "{x} against {y}: {variant} beside {reference}, {pairs} common pairs",
    ),
    "card_equal": (
        "同一策略 {x}（不含强弱）：{variant} 与 {reference}，共同的 {pairs} 对",
        "{x} on both sides (no skill in it): {variant} beside {reference}, {pairs} common pairs",
    ),
    "card_remark": (
        "差 = 变体减基准，逐对相减；一个变体的全部区间（差与变体的值）同时成立（95%，Šidák）。目标在打之前已存入运行。",
        "Difference: variant less reference, pair by pair. All intervals of a variant, of differences and of "
        "its values, hold "
        "together (95%, Šidák). Targets were stored in the run before it began.",
    ),
    # the report
    "report": ("报告", "Report"),
    "verdict": ("结论", "Verdict"),
    "paste": ("可复制的文字", "Text to paste"),
    "steps_chart": ("每胜一副升几级", "Levels earned by a won deal"),
    "funnel": ("打A的漏斗：占全部轮", "Funnel of A: share of matches"),
    "forest": ("各组对阵的得分", "Score of every match-up"),
    "length_chart": ("每轮副数的分布", "Deals per match"),
    "level": ("级", "level"),
    "made": (
        "运行 {run} · 种子 {seed} · 代码 {code} · {command}",
        "run {run} · seed {seed} · code {code} · {command}",
    ),
}


def word(key: str, language: Language, **values: object) -> str:
    """Give a word or sentence; KeyError for one that is not here."""
    return WORDS[key][0 if language == "zh" else 1].format(**values)
