"""Define the columns of the stored tables once: name, type, unit, meaning, version.

Three tables have one row each for a pair (two matches on the same deals), a match (one leg) and a deal (一副牌); the
table `style` has one for each role and rate of a block and `cubes` one for each count of a block, whose numbers add up
over blocks, and `faults` one for each decision in which a strategy failed. The bulk loop hands over integer codes;
`to_arrow` turns them into readable strings and nulls, so that a plain `SELECT ... FROM
'deals/*.parquet'` is right by itself. Changing a column changes `VERSION` and needs a changelog entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from engine.bulk import A_ATTEMPTS, CELLS, DEAL_ENDS, FINISH_ORDERS, MATCH_ENDS, SEAT_SETS, SIDES, TRIBUTES
from engine.cards import CARDS
from engine.strategy_faults import ASKED, REASONS
from engine.style import RATES, ROLES
from sim.cube_words import CUBE_WORDS
from sim.stored_words import FORMS, UNITS, WORDS, Word

VERSION: Final = "1.4"
"""Version of the stored tables. The first number changes when an old reader would misread them."""

ROW_GROUP_ROWS: Final = 262_144

_RUN_COLUMNS: Final = ("run", "rules", "x", "y")


@dataclass(frozen=True, slots=True)
class Column:
    """Describe one stored column.

    `labels` are the strings behind the codes 0, 1, ... of an enumeration. Only a `nullable` column may hold -1 in the
    raw arrays, which means null. `unit` is English and lower case; `sim.stored_words` has it in Chinese.
    """

    name: str
    type: pa.DataType
    unit: str
    zh: str
    en: str
    labels: tuple[str, ...] | None = None
    nullable: bool = False

    @property
    def words(self) -> tuple[Word, ...]:
        """List the words of a short enumeration with their meanings; none for a number, a name or a long list."""
        return () if self.labels is None else WORDS.get(self.labels, ())

    @property
    def form(self) -> tuple[str, str] | None:
        """Say in Chinese and English how the words of a long enumeration are written; None for any other column."""
        return None if self.labels is None else FORMS.get(self.labels)

    @property
    def stored_type(self) -> pa.DataType:
        """Give the Arrow type in the table: the integer type, or strings through a dictionary of 8-bit codes."""
        strings: pa.DataType = pa.dictionary(pa.int8(), pa.string())
        return self.type if self.labels is None and self.name not in _RUN_COLUMNS else strings

    @property
    def field(self) -> pa.Field[Any]:
        """Give the Arrow field; unit and meanings travel in its metadata."""
        meaning = {"unit": self.unit, "zh": self.zh, "en": self.en}
        return pa.field(self.name, self.stored_type, nullable=self.nullable, metadata=meaning)


class ColumnRow(NamedTuple):
    """One line of the printed schema.

    `words` are the stored words of a short enumeration, `form_zh` and `form_en` say how those of a long one look.
    """

    table: str
    column: str
    type: str
    unit: str
    zh: str
    en: str
    unit_zh: str
    words: tuple[Word, ...]
    form_zh: str
    form_en: str


_I8, _I16, _I32, _I64 = pa.int8(), pa.int16(), pa.int32(), pa.int64()

_MATCH_UP: Final = (
    Column("run", _I8, "name", "运行名", "name of the run"),
    Column("rules", _I8, "name", "规则集", "rule set"),
    Column("x", _I8, "name", "X 方策略", "strategy of side x"),
    Column("y", _I8, "name", "Y 方策略", "strategy of side y"),
)

_PAIR: Final = Column(
    "pair", _I64, "id", "对号：同一组牌打两轮，换位", "id of the pair: two matches on the same deals, teams exchanged"
)
_LEG: Final = Column(
    "leg",
    _I8,
    "number",
    "第几轮：1 = X 坐 0、2 位，2 = X 坐 1、3 位",
    "leg of the pair: x sits on 0,2 in leg 1 and on 1,3 in leg 2",
)


def _levels(when: str, zh_when: str, en_when: str) -> tuple[Column, ...]:
    return tuple(
        Column(
            f"{side}_level{when}",
            _I8,
            "level 2-14",
            f"{side.upper()} 方{zh_when}级数",
            f"level of side {side} {en_when}",
        )
        for side in ("x", "y")
    )


def _cards(name: str, zh: str, en: str) -> tuple[Column, ...]:
    which = (("1", "第一", "first"), ("2", "第二", "second"))
    return tuple(
        Column(
            f"{name}_{k}",
            _I8,
            "card",
            f"{zh_k}个进贡者{zh}的牌",
            f"card {en} by or to the {en_k} payer" if name == "returned" else f"card {en} by the {en_k} payer",
            CARDS,
            nullable=True,
        )
        for k, zh_k, en_k in which
    )


_DEALS: Final = (
    *_MATCH_UP,
    _PAIR,
    _LEG,
    Column("deal", _I16, "number", "本轮第几副，从 1 起", "number of the deal in its match, from 1"),
    Column("level", _I8, "level 2-14", "本副打几（14 = A）", "level played, 14 is A"),
    *_levels("_before", "本副前", "before the deal"),
    *_levels("_after", "本副后", "after the deal"),
    Column(
        "declarer",
        _I8,
        "side",
        "上一副的胜方，本副打它的级；第一副为空",
        "winner of the previous deal, whose level is played; null at deal 1",
        SIDES,
        nullable=True,
    ),
    Column("lead_seat", _I8, "seat 0-3", "首先出牌的座位", "seat that leads the first trick"),
    Column("tribute", _I8, "kind", "本副开始时的进贡", "tribute at the start of the deal", TRIBUTES),
    Column(
        "payers",
        _I8,
        "seats",
        "应进贡的座位（抗贡时也记）",
        "seats that owe tribute, refused or not",
        SEAT_SETS,
        nullable=True,
    ),
    Column(
        "receivers",
        _I8,
        "seats",
        "受贡座位：第 k 个收第 k 个进贡者的牌",
        "seats that receive: the k-th receives from the k-th payer",
        SEAT_SETS,
        nullable=True,
    ),
    *_cards("given", "所进", "given"),
    *_cards("returned", "所收还贡", "returned"),
    Column(
        "finish_order",
        _I8,
        "seats",
        "名次，从上游（头游）到下游（末游）",
        "seats in finishing order, first to last",
        FINISH_ORDERS,
    ),
    Column("winner", _I8, "side", "本副胜方（上游一方）", "side of the player who finished first", SIDES),
    Column(
        "steps",
        _I8,
        "levels",
        "按名次应升的级数 1–3，未计 A 封顶",
        "levels earned by the finishing order, 1 to 3, before the cap at A",
    ),
    Column(
        "a_attempt",
        _I8,
        "result",
        "打自己 A 的结果",
        "what became of the declarer's try at its own A",
        A_ATTEMPTS,
    ),
    Column(
        "x_a_fails",
        _I8,
        "count",
        "X 方至本副后打 A 未过次数",
        "failed tries of side x at its own A so far in the match, this deal included",
    ),
    Column(
        "y_a_fails",
        _I8,
        "count",
        "Y 方至本副后打 A 未过次数",
        "failed tries of side y at its own A so far in the match, this deal included",
    ),
    Column("plays", _I16, "count", "出牌次数，不含过牌", "plays laid down, passes not counted"),
    Column("passes", _I16, "count", "过牌次数", "passes"),
    Column("tricks", _I16, "tricks", "圈数", "tricks"),
    Column("bombs_4", _I8, "count", "四张炸弹数", "bombs of four cards"),
    Column("bombs_5", _I8, "count", "五张炸弹数", "bombs of five cards"),
    Column("straight_flushes", _I8, "count", "同花顺数", "straight flushes"),
    Column("bombs_6_up", _I8, "count", "六张及以上炸弹数", "bombs of six cards or more"),
    Column("joker_bombs", _I8, "count", "四大天王数", "bombs of four jokers"),
    Column("winds", _I8, "count", "接风次数", "leads taken by wind from a partner who is out"),
    Column(
        "cards_left", _I8, "cards", "未出完的各家共剩张数", "cards left in the hands of the players who did not go out"
    ),
    Column(
        "x_jokers",
        _I8,
        "cards",
        "发给 X 方的大小王（进贡前），共 4 张",
        "jokers dealt to side x before tribute, out of 4",
    ),
    Column(
        "x_wilds",
        _I8,
        "cards",
        "发给 X 方的逢人配（进贡前），共 2 张",
        "wilds dealt to side x before tribute, out of 2",
    ),
    Column("end_reason", _I8, "reason", "本副如何结束", "how the deal ended", DEAL_ENDS),
)


def _by_side(name: str, type_: pa.DataType, unit: str, zh: str, en: str) -> tuple[Column, ...]:
    return tuple(
        Column(f"{s}_{name}", type_, unit, f"{s.upper()} 方{zh}", en.format(side=f"side {s}")) for s in ("x", "y")
    )


_MATCHES: Final = (
    *_MATCH_UP,
    _PAIR,
    _LEG,
    Column(
        "x_half_points",
        _I8,
        "half points",
        "X 方场分：2 胜，1 平，0 负；其余归 Y 方",
        "match points of side x: 2 won, 1 drawn, 0 lost; side y has the rest of 2",
    ),
    Column("deals", _I16, "deals", "副数；定局为 1", "deals played; 1 on a board"),
    Column("x_deals_won", _I16, "deals", "X 方胜的副数", "deals won by side x"),
    *_levels("", "终局", "at the end"),
    Column(
        "end_reason",
        _I8,
        "reason",
        "本轮如何结束",
        "how the match ended",
        MATCH_ENDS,
    ),
    Column(
        "x_level_points",
        _I8,
        "points of 26",
        "X 方级差分：13 加级数差，过A 算高一级；其余归 Y 方",
        "level points of side x: 13 plus the lead in levels, passing A counting as one more; side y has the rest of 26",
    ),
    Column("seconds", _I32, "seconds", "用时，按规则的用时模型", "time used, by the time model of the rules"),
    Column("first_lead_seat", _I8, "seat 0-3", "第一副首出座位", "seat that leads the first deal"),
    Column("first_at_a", _I8, "side", "先升到 A 的一方", "side that reached A first", SIDES, nullable=True),
    *_by_side("a_attempts", _I16, "deals", "打自己 A 的副数", "deals that {side} played at its own A"),
    *_by_side("a_fails", _I16, "deals", "打 A 未过的副数", "failed tries of {side} at its own A"),
    Column("lead_changes", _I16, "count", "级数领先易手次数", "times the lead in levels passed to the other side"),
    Column("plays", _I32, "count", "出牌次数，不含过牌", "plays laid down, passes not counted"),
    *_by_side("steps", _I16, "levels", "所得升级数之和", "levels earned by {side}, added up"),
)


def _tries(side: str) -> tuple[Column, ...]:
    rows = (
        ("a_attempts", "打自己 A 的副数", "deals played at its own A"),
        ("a_passed", "过A的次数", "times it passed its own A"),
        ("a_deal_lost", "打 A 输了本副的次数", "tries at A that failed because the deal was lost"),
        (
            "a_partner_last",
            "打 A 赢了本副但没过的次数，多因对家下游",
            "tries at A that failed although the deal was won: the partner came last, or the rules ask for more",
        ),
    )
    return tuple(
        Column(f"{side}_{name}", _I16, "deals", f"{side.upper()} 方{zh}", f"side {side}: {en}") for name, zh, en in rows
    )


_PAIRS: Final = (
    *_MATCH_UP,
    _PAIR,
    Column(
        "legs", _I8, "matches", "轮数：1 或 2", "matches played: 2, or 1 if both sides are one deterministic strategy"
    ),
    Column(
        "x_half_points_1",
        _I8,
        "half points",
        "X 方第一轮得分：2 胜，1 平，0 负",
        "result of leg 1 for side x: 2 won, 1 drawn, 0 lost",
    ),
    Column(
        "x_half_points_2",
        _I8,
        "half points",
        "X 方第二轮得分；没打则为空",
        "result of leg 2 for side x; null if it was not played",
        nullable=True,
    ),
    Column(
        "cell",
        _I8,
        "cell",
        "X 方在这一对里的结果",
        "result of the pair for side x",
        CELLS,
        nullable=True,
    ),
    Column("deals", _I16, "deals", "两轮副数", "deals of both legs together"),
    Column("x_deals_won", _I16, "deals", "X 方胜的副数", "deals won by side x"),
    *_by_side("steps", _I16, "levels", "所得升级数之和", "levels earned by {side}, added up"),
    *(
        Column(
            f"{s}_steps_{k}",
            _I16,
            "deals",
            f"{s.upper()} 方胜且应升 {k} 级的副数",
            f"deals won by side {s} that earned {k} {'level' if k == 1 else 'levels'}",
        )
        for s in ("x", "y")
        for k in (1, 2, 3)
    ),
    Column("single_due", _I16, "deals", "应单贡的副数", "deals with a single tribute due"),
    Column("single_refused", _I16, "deals", "单贡被抗的副数", "single tributes refused"),
    Column("double_due", _I16, "deals", "应双贡的副数", "deals with a double tribute due"),
    Column("double_refused", _I16, "deals", "双贡被抗的副数", "double tributes refused"),
    Column(
        "single_paid_won",
        _I16,
        "deals",
        "单贡后受贡方胜的副数",
        "deals with a single tribute paid, won by its receivers",
    ),
    Column(
        "double_paid_won",
        _I16,
        "deals",
        "双贡后受贡方胜的副数",
        "deals with a double tribute paid, won by its receivers",
    ),
    Column(
        "refused_won",
        _I16,
        "deals",
        "抗贡后本应受贡方胜的副数",
        "deals with a refused tribute, won by the side that would have received",
    ),
    *_tries("x"),
    *_tries("y"),
    Column("capped", _I8, "matches", "被安全上限终止的轮数", "legs ended by the technical safety cap"),
    Column("plays", _I32, "count", "出牌次数，不含过牌", "plays laid down, passes not counted"),
    Column("passes", _I32, "count", "过牌次数", "passes"),
    Column("tricks", _I32, "tricks", "圈数", "tricks"),
    Column("bombs", _I16, "count", "各种炸弹总数", "bombs of every class"),
)


def _style_sums(side: str) -> tuple[Column, ...]:
    rows = (
        ("pairs", "有此机会的对数", "pairs with an occasion"),
        ("n", "机会数，各对相加", "occasions, added up over pairs"),
        ("y", "事件数，各对相加", "events, added up over pairs"),
        ("nn", "每对机会数的平方，相加", "squares of the occasions of a pair, added up"),
        ("yy", "每对事件数的平方，相加", "squares of the events of a pair, added up"),
        ("ny", "每对机会数乘事件数，相加", "occasions times events of a pair, added up"),
    )
    return tuple(
        Column(f"{side}_{name}", _I64, "count", f"{side.upper()} 方：{zh}", f"side {side}: {en}")
        for name, zh, en in rows
    )


_STYLE: Final = (
    *_MATCH_UP,
    Column("role", _I8, "role", "计哪些手牌", "which hands are counted", ROLES),
    Column("rate", _I8, "rate", "行牌风格的比率", "rate of style", tuple(RATES)),
    *_style_sums("x"),
    *_style_sums("y"),
    Column(
        "nn",
        _I64,
        "count",
        "每对 X 方机会数乘 Y 方机会数，相加",
        "sum over pairs: occasions of side x times occasions of side y",
    ),
    Column(
        "ny",
        _I64,
        "count",
        "每对 X 方机会数乘 Y 方事件数，相加",
        "sum over pairs: occasions of side x times events of side y",
    ),
    Column(
        "yn",
        _I64,
        "count",
        "每对 X 方事件数乘 Y 方机会数，相加",
        "sum over pairs: events of side x times occasions of side y",
    ),
    Column(
        "yy",
        _I64,
        "count",
        "每对 X 方事件数乘 Y 方事件数，相加",
        "sum over pairs: events of side x times events of side y",
    ),
)

_FAULTS: Final = (
    *_MATCH_UP,
    _PAIR,
    _LEG,
    Column("deal", _I16, "number", "本轮第几副，从 1 起", "number of the deal in its match, from 1"),
    Column(
        "decision",
        _I16,
        "number",
        "本副第几次决定，从 0 起，含进贡、还贡与别无选择的过牌",
        "number of the decision in its deal, from 0, with cards paid and returned and forced passes",
    ),
    Column("seat", _I8, "seat 0-3", "出错的座位", "seat that failed"),
    Column("side", _I8, "side", "出错的一方", "side that failed", SIDES),
    Column("asked", _I8, "kind", "当时要它决定什么", "what it was asked for", ASKED),
    Column("reason", _I8, "reason", "出了什么错", "what went wrong", REASONS),
    Column(
        "forfeits",
        _I8,
        "0 or 1",
        "1：本轮该方第三个出错的副，判负",
        "1: the third faulty deal of that side in the leg, which it forfeits",
    ),
    Column(
        "state",
        pa.string(),
        "state",
        "当时的局面，可贴给 guandan show --state",
        "position as it stood, to paste into guandan show --state",
    ),
)

_CUBES: Final = (
    *_MATCH_UP,
    Column("cube", _I8, "cube", "计什么", "what is counted", tuple(CUBE_WORDS)),
    Column(
        "part", pa.string(), "part", "哪些机会，空格分隔，all 为全部", "which occasions, words with blanks, all for any"
    ),
    Column("cell", pa.string(), "event", "哪种事件；分布里为数值", "which event; in a histogram the value"),
    Column("pairs", _I64, "count", "有此机会的对数", "pairs with an occasion", nullable=True),
    Column("n", _I64, "count", "机会数，各对相加", "occasions, added up over pairs", nullable=True),
    Column("k", _I64, "count", "事件数，各对相加", "events, added up over pairs"),
    Column(
        "nn", _I64, "count", "每对机会数的平方，相加", "squares of the occasions of a pair, added up", nullable=True
    ),
    Column("kk", _I64, "count", "每对事件数的平方，相加", "squares of the events of a pair, added up", nullable=True),
    Column(
        "nk", _I64, "count", "每对机会数乘事件数，相加", "occasions times events of a pair, added up", nullable=True
    ),
)

TABLES: Final[Mapping[str, tuple[Column, ...]]] = {
    "pairs": _PAIRS,
    "matches": _MATCHES,
    "deals": _DEALS,
    "style": _STYLE,
    "faults": _FAULTS,
    "cubes": _CUBES,
}


def columns(table: str) -> tuple[Column, ...]:
    """List the columns of a table in stored order; raises KeyError with the known names."""
    try:
        return TABLES[table]
    except KeyError:
        raise KeyError(f"no table {table!r}; the tables are {', '.join(TABLES)}") from None


def arrow_schema(table: str) -> pa.Schema:
    """Give the Arrow schema of a table; its metadata holds the schema version and the table's name."""
    metadata: dict[bytes | str, bytes | str] = {"guandan.schema": VERSION, "guandan.table": table}
    return pa.schema([column.field for column in columns(table)], metadata=metadata)


def to_arrow(table: str, raw: Mapping[str, NDArray[Any] | list[str]], run: str, rules: str, x: str, y: str) -> pa.Table:
    """Turn the bulk loop's integer columns into the stored table.

    `raw` maps every column but run, rules, x, y to a one-dimensional integer array of one common length (a column of
    free text to a list of strings); codes of enumerations become strings, -1 becomes null where the column may be null.
    Nothing is repaired: a missing or unknown column, unequal lengths, a code outside its labels or a number that does
    not fit its type raises ValueError.
    """
    names = {column.name for column in columns(table)} - set(_RUN_COLUMNS)
    if names != set(raw):
        missing, unknown = sorted(names - set(raw)), sorted(set(raw) - names)
        raise ValueError(f"{table}: missing columns {missing}, unknown columns {unknown}")
    lengths = {len(values) for values in raw.values()}
    if len(lengths) != 1:
        raise ValueError(f"{table}: columns of unequal length {sorted(lengths)}")
    (rows,) = lengths
    constants = {"run": run, "rules": rules, "x": x, "y": y}
    arrays: list[pa.Array[Any]] = []
    for column in columns(table):
        if column.name in constants:
            arrays.append(_constant(constants[column.name], rows))
        elif column.type == pa.string():
            arrays.append(pa.array(raw[column.name], pa.string()))
        else:
            arrays.append(_array(table, column, np.asarray(raw[column.name])))
    return pa.Table.from_arrays(arrays, schema=arrow_schema(table))


def _constant(text: str, rows: int) -> pa.DictionaryArray[Any, Any]:
    return pa.DictionaryArray.from_arrays(np.zeros(rows, np.int8), pa.array([text], pa.string()))


def _array(table: str, column: Column, values: NDArray[Any]) -> pa.Array[Any]:
    where = f"{table}.{column.name}"
    if values.ndim != 1 or not np.issubdtype(values.dtype, np.integer):
        raise ValueError(
            f"{where}: expected a one-dimensional integer array, got {values.dtype} of shape {values.shape}"
        )
    mask: NDArray[np.bool_] | None = None
    if column.nullable:
        mask = values == -1
        if not mask.any():
            mask = None
    lowest = int(values.min()) if len(values) else 0
    if lowest < (-1 if column.nullable else 0):
        raise ValueError(
            f"{where}: {lowest} is no valid value{'' if column.nullable else ', and the column has no nulls'}"
        )
    try:
        numbers: pa.Array[Any] = pa.array(values, mask=mask).cast(column.type)
    except pa.ArrowInvalid as error:
        raise ValueError(f"{where}: {error}") from None
    if column.labels is None:
        return numbers
    highest = int(values.max()) if len(values) else 0
    if highest >= len(column.labels):
        raise ValueError(f"{where}: code {highest} has no label, there are {len(column.labels)}")
    labelled: pa.Array[Any] = pa.DictionaryArray.from_arrays(numbers, pa.array(column.labels, pa.string()))
    return labelled


def write_options(table: str) -> dict[str, Any]:
    """Give the keyword arguments of `pyarrow.parquet.write_table` for a table.

    The sorted pair id is stored as differences, everything else through dictionaries; both under zstd. On whole
    blocks of native play a deal row then takes about a dozen bytes. The footer says that rows are sorted by pair,
    which is a statement and not an act: the caller writes them in that order. Equal tables give equal bytes.
    """
    names = [column.name for column in columns(table)]
    if table in ("style", "cubes"):
        return {"compression": "zstd", "compression_level": 3, "write_page_checksum": True}
    return {
        "compression": "zstd",
        "compression_level": 3,
        "use_dictionary": [name for name in names if name != "pair"],
        "column_encoding": {"pair": "DELTA_BINARY_PACKED"},
        "row_group_size": ROW_GROUP_ROWS,
        "write_statistics": True,
        "write_page_index": True,
        "write_page_checksum": True,
        "sorting_columns": [pq.SortingColumn(names.index("pair"))],
    }


def describe() -> list[ColumnRow]:
    """List every column of every table for printing, in stored order."""
    rows = []
    for table, entries in TABLES.items():
        for column in entries:
            readable = "string" if column.stored_type != column.type else str(column.type)
            kind = readable + ("?" if column.nullable else "")
            form_zh, form_en = column.form or ("", "")
            rows.append(
                ColumnRow(
                    table,
                    column.name,
                    kind,
                    column.unit,
                    column.zh,
                    column.en,
                    UNITS[column.unit],
                    column.words,
                    form_zh,
                    form_en,
                )
            )
    return rows
