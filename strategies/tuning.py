"""Tune the whole-number parameters of a native strategy by self-play on common boards.

    python -m strategies.tuning solid --against greedy,self --rounds 200 --log tuning-solid.jsonl

All versions that are compared in a round play the same cards from the same contexts, so that what is judged is the
difference pair by pair. Two methods:

    steps  one parameter a round, a step up and a step down; a step stays if its paired gain is above `--accept`
           standard errors. The next step of the parameter is longer where a step stayed or nothing could be told,
           half as long where both directions were clearly worse.
    spsa   all parameters at once, each a step up or down by the toss of a coin, against the mirror image; the values
           move along the toss by the paired t-value. Spall 1992, IEEE Trans. Automatic Control 37(3).

The log has a line that names the request, a line a round and a last one that checks the result on fresh boards. A run
that was stopped goes on from its log; the same request gives the same lines, whatever the number of threads.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from engine.bulk import play_pairs, same_strategy
from engine.context import draw_below, uniform_contexts
from engine.errors import ToldError
from engine.rules import NATIONAL
from strategies.registry import NativeStrategy, Parameter, load

Scores = np.ndarray[Any, np.dtype[np.float64]]
Values = dict[str, int]

METHODS: Final = ("steps", "spsa")
SCORES: Final = ("levels", "matches")
SELF: Final = "self"
"""An opponent: the values that stand so far."""

_BATCHES: Final = 4
"""Looks that a test of `steps` takes at its boards before it decides."""
_CONTEXTS: Final = 4096
_CHUNK: Final = 50
_TOSSES: Final = 1 << 39
"""Number of the first toss of a coin, beyond those of the boards: both are drawn from the same kind of stream."""
_MOST_T: Final = 3.0


@dataclass(frozen=True)
class Request:
    """What is tuned, and all that decides the result but the number of rounds.

    strategy: as `load` reads it; its values are where the tuning starts. parameters: names of those that are tuned,
    empty for all. against: opponents, each plays `pairs` pairs a round; `self` is the values that stand. score:
    `levels` counts net levels a pair of boards, `matches` half points a pair of matches less two. accept: standard
    errors of `steps`. gain: of `spsa`, what a t-value of one moves, in steps.
    """

    strategy: str
    against: tuple[str, ...] = (SELF,)
    parameters: tuple[str, ...] = ()
    method: str = "steps"
    score: str = "levels"
    pairs: int = 400
    seed: int = 1
    accept: float = 2.0
    gain: float = 0.1


@dataclass
class State:
    """Where the tuning stands: values as numbers with a fraction (`spsa`), the step and last direction of each."""

    values: dict[str, float]
    steps: dict[str, int]
    directions: dict[str, int]

    def whole(self) -> Values:
        """Values as a strategy takes them."""
        return {name: round(value) for name, value in self.values.items()}


@dataclass
class Tuner:
    """A request on its way. `threads` only shares the work out. Raises ToldError for what cannot be tuned."""

    request: Request
    threads: int = 1
    parameters: dict[str, Parameter] = field(init=False)

    def __post_init__(self) -> None:
        request = self.request
        start = _load(request.strategy)
        known = {p.name: p for p in start.parameters}
        if not known:
            raise ToldError(
                f"{request.strategy} has no parameters to tune: name another strategy",
                f"{request.strategy} 没有可调的参数，请换一个策略",
            )
        for name in request.parameters:
            if name not in known:
                raise ToldError(
                    f"{request.strategy} has no parameter {name!r}: write one of {', '.join(known)}",
                    f"{request.strategy} 没有参数 {name!r}，可写：{', '.join(known)}",
                )
        for name, value, choices in (("method", request.method, METHODS), ("score", request.score, SCORES)):
            if value not in choices:
                raise ToldError(f"{name} {value!r}: write {' or '.join(choices)}", f"{name} {value!r}：可写 {choices}")
        if request.pairs < _BATCHES:
            raise ToldError(
                f"{request.pairs} pairs: write {_BATCHES} or more", f"{request.pairs} 对：请写 {_BATCHES} 以上"
            )
        self.parameters = {name: known[name] for name in request.parameters or known}
        self._name = request.strategy.partition("?")[0]
        self._given = settings_of(request.strategy)
        self._opponents = {text: _load(text) for text in request.against if text != SELF}
        self._contexts = uniform_contexts(_CONTEXTS, request.seed) if request.score == "levels" else None

    # ---- versions ---------------------------------------------------------------------------------------------------

    def begin(self) -> State:
        """Give the state before the first round."""
        values = {name: float(self._given.get(name, p.default)) for name, p in self.parameters.items()}
        steps = {name: self._first_step(p, values[name]) for name, p in self.parameters.items()}
        return State(values, steps, dict.fromkeys(values, 1))

    @staticmethod
    def _first_step(p: Parameter, value: float) -> int:
        """A quarter of the value, or what is more, but sixteen at most: a sixteenth of the range."""
        return max(1, int(abs(value)) // 4, min(16, (p.most - p.least) // 16))

    def text(self, values: Values) -> str:
        """Write the strategy with these values as `load` reads it."""
        settings = "&".join(f"{name}={value}" for name, value in (self._given | values).items())
        return _load(f"{self._name}?{settings}").name

    def _within(self, name: str, value: float) -> float:
        p = self.parameters[name]
        return min(max(value, float(p.least)), float(p.most))

    # ---- play -------------------------------------------------------------------------------------------------------

    def play(self, x: Values, standing: Values, pairs: range) -> Scores:
        """Scores of version `x` a pair, [len(against) * len(pairs)] float64; `self` is the version `standing`."""
        mine = _load(self.text(x))
        return np.concatenate(
            [
                self._against(mine, self._opponents.get(text) or _load(self.text(standing)), pairs)
                for text in self.request.against
            ]
        )

    def _against(self, x: NativeStrategy, y: NativeStrategy, pairs: range) -> Scores:
        if same_strategy(x, y):
            return np.zeros(len(pairs))  # the second leg would be the first with the sides exchanged
        chunks = [pairs[at : at + _CHUNK] for at in range(0, len(pairs), _CHUNK)]

        def one(chunk: range) -> Scores:
            rows = play_pairs(x, y, NATIONAL, self.request.seed, chunk, detail="pairs", contexts=self._contexts).pairs
            if self.request.score == "levels":
                net = rows["x_steps"] - rows["y_steps"]
            else:
                net = rows["x_half_points_1"] + rows["x_half_points_2"] - 2
            return np.asarray(net, dtype=np.float64)

        with ThreadPoolExecutor(self.threads) as pool:
            return np.concatenate(list(pool.map(one, chunks)))

    # ---- rounds -----------------------------------------------------------------------------------------------------

    def round(self, number: int, state: State) -> tuple[State, dict[str, Any]]:
        """Play round `number`, from 0; give the state after it and what the log says of it."""
        return self._steps(number, state) if self.request.method == "steps" else self._spsa(number, state)

    def _steps(self, number: int, state: State) -> tuple[State, dict[str, Any]]:
        names = list(self.parameters)
        cycle, place = divmod(number, len(names))
        keys = list(draw_below((1 << 32,) * len(names), self.request.seed, _TOSSES + cycle))
        name = sorted(names, key=lambda n: keys[names.index(n)])[place]
        standing, step = state.whole(), state.steps[name]
        before: list[Scores] = []
        tries = []
        for direction in (state.directions[name], -state.directions[name]):
            value = int(self._within(name, standing[name] + direction * step))
            if value == standing[name]:
                continue
            gain = self._test(standing | {name: value}, standing, number, before)
            tries.append({"value": value, **gain})
            if gain["accepted"]:
                break
        told = {"parameter": name, "from": standing[name], "tries": tries}
        if tries and tries[-1]["accepted"]:
            state = State(
                state.values | {name: float(tries[-1]["value"])}, state.steps, state.directions | {name: direction}
            )
        worse = all(t["gain"] < -t["error"] for t in tries)
        p = self.parameters[name]
        step = max(1, step // 2) if worse else min(step + (step + 1) // 2, max(1, (p.most - p.least) // 2))
        return State(state.values, state.steps | {name: step}, state.directions), told

    def _test(self, x: Values, standing: Values, number: int, before: list[Scores]) -> dict[str, Any]:
        """Is `x` better than what stands? In batches, ended early where it is clear or clearly no better."""
        first, pairs = number * self.request.pairs, self.request.pairs
        bounds = [first + pairs * i // _BATCHES for i in range(_BATCHES + 1)]
        gains: list[Scores] = []
        mean = error = 0.0
        for i in range(_BATCHES):
            part = range(bounds[i], bounds[i + 1])
            if i == len(before):
                before.append(self.play(standing, standing, part))
            gains.append(self.play(x, standing, part) - before[i])
            mean, error = _mean_and_error(np.concatenate(gains))
            if mean < -error or (i and mean > (self.request.accept + 1) * error):
                break
        n = sum(map(len, gains))
        return {
            "gain": round(mean, 4),
            "error": round(error, 4),
            "n": n,
            "accepted": mean > self.request.accept * error,
        }

    def _spsa(self, number: int, state: State) -> tuple[State, dict[str, Any]]:
        tosses = draw_below((2,) * len(state.values), self.request.seed, _TOSSES + number)
        signs = {name: 2 * toss - 1 for name, toss in zip(state.values, tosses, strict=True)}
        plus, minus = (
            {
                name: round(self._within(name, value + way * signs[name] * state.steps[name]))
                for name, value in state.values.items()
            }
            for way in (1, -1)
        )
        part = range(number * self.request.pairs, (number + 1) * self.request.pairs)
        if self.request.against == (SELF,):
            gains = self.play(plus, minus, part)  # against each other: twice the difference for half the play
        else:
            gains = self.play(plus, state.whole(), part) - self.play(minus, state.whole(), part)
        mean, error = _mean_and_error(gains)
        t = max(-_MOST_T, min(_MOST_T, mean / error)) if error else 0.0
        slower = self.request.gain / (1 + number / 50) ** 0.602
        values = {
            name: round(self._within(name, value + slower * t * signs[name] * state.steps[name]), 4)
            for name, value in state.values.items()
        }
        told = {"signs": signs, "gain": round(mean, 4), "error": round(error, 4), "n": len(gains)}
        return State(values, state.steps, state.directions), told

    def check(self, state: State, first: int, pairs: int) -> dict[str, Any]:
        """Play what came out on fresh boards, from pair `first` on, against the start and against each opponent."""
        start, end, part = self.begin().whole(), state.whole(), range(first, first + pairs)
        told: dict[str, Any] = {"check": self.text(end), "n": pairs}
        pairings = {"start": _load(self.text(start))} | self._opponents
        for text, opponent in pairings.items():
            now = self._against(_load(self.text(end)), opponent, part)
            then = self._against(_load(self.text(start)), opponent, part)
            mean, error = _mean_and_error(now - then)
            told[text] = {"score": round(float(now.mean()), 4), "gain": round(mean, 4), "error": round(error, 4)}
        return told


def settings_of(text: str) -> Values:
    """Settings that are written behind the name of a strategy."""
    settings = text.partition("?")[2]
    return {name: int(value) for name, _, value in (s.partition("=") for s in settings.split("&") if s)}


def _load(text: str) -> NativeStrategy:
    try:
        return load(text)
    except ValueError as error:
        raise ToldError(str(error), f"策略 {text} 不可用：{error}") from None


def _mean_and_error(scores: Scores) -> tuple[float, float]:
    n = len(scores)
    return float(scores.mean()), float(scores.std(ddof=1) / np.sqrt(n)) if n > 1 else 0.0


# ---- the log -----------------------------------------------------------------------------------------------------


def _head(tuner: Tuner) -> dict[str, Any]:
    """First line of a log: the request, and digests of the code that plays."""
    texts = {tuner.request.strategy, *tuner.request.against} - {SELF}
    return {"tuning": asdict(tuner.request), "code": {text: _load(text).hash for text in sorted(texts)}}


def _lines_of(log: Path) -> Iterator[dict[str, Any]]:
    """Whole lines of a log; a line that was cut off is taken out of the file."""
    data = log.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if len(whole) < len(data):
        log.write_bytes(whole)
    return (json.loads(line) for line in whole.splitlines())


def _as_stored(line: dict[str, Any]) -> Any:
    return json.loads(json.dumps(line))


def _resume(log: Path, tuner: Tuner) -> tuple[State, int]:
    """State and number of rounds in a log; a new log is begun. Raises ToldError for the log of another request."""
    lines = list(_lines_of(log)) if log.exists() else []
    if not lines:
        log.write_text(json.dumps(_head(tuner)) + "\n", encoding="utf-8")
        return tuner.begin(), 0
    if lines[0] != _as_stored(_head(tuner)):
        raise ToldError(
            f"{log} holds another request or was played by other code: name another file",
            f"{log} 是另一次调参的记录，或程序已改变；请换一个文件名",
        )
    rounds = [line for line in lines if "round" in line]
    return (State(**rounds[-1]["state"]), len(rounds)) if rounds else (tuner.begin(), 0)


def tune(
    request: Request,
    rounds: int,
    log: Path,
    *,
    check: int = 0,
    threads: int = 1,
    told: Callable[[dict[str, Any]], None] = lambda line: None,
) -> str:
    """Tune until the log holds `rounds` rounds; check on `check` fresh pairs; give the strategy as it then stands.

    told: is given each line of the log as it is written. Raises ToldError, a ValueError, for a request that cannot be
    carried out or a log of another one.
    """
    tuner = Tuner(request, threads)
    state, done = _resume(log, tuner)
    with log.open("a", encoding="utf-8") as out:

        def write(line: dict[str, Any]) -> None:
            out.write(json.dumps(line, ensure_ascii=False) + "\n")
            out.flush()
            told(line)

        for number in range(done, rounds):
            state, line = tuner.round(number, state)
            write({"round": number} | line | {"state": asdict(state)})
        if check:
            write(tuner.check(state, max(done, rounds) * request.pairs, check))
    return tuner.text(state.whole())


# ---- the command -------------------------------------------------------------------------------------------------


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        """One line instead of the usage."""
        self.exit(2, f"{self.prog}: {message}\n")


def _parser() -> _Parser:
    p = _Parser("python -m strategies.tuning", description="Tune parameters by self-play. 用自我对局调参数。")
    p.add_argument("strategy", help="NAME or NAME?PARAMETER=VALUE: where it starts 起点")
    p.add_argument("--against", default=SELF, help="opponents with commas between, or self 对手，逗号分隔")
    p.add_argument("--parameters", default="", help="names with commas between, all if left out 要调的参数")
    p.add_argument("--method", choices=METHODS, default="steps")
    p.add_argument("--score", choices=SCORES, default="levels", help="of boards or of whole matches 计分")
    p.add_argument("--rounds", type=int, default=100, help="in all, those in the log included 总轮数")
    p.add_argument("--pairs", type=int, default=400, help="an opponent and round 每轮每个对手的对数")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--accept", type=float, default=2.0, help="standard errors that a step must gain 接受所需标准误")
    p.add_argument("--gain", type=float, default=0.1, help="of spsa: steps moved by a t-value of one 步长")
    p.add_argument("--check", type=int, default=0, help="fresh pairs that check the result 检验对数")
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--log", type=Path, default=Path("tuning.jsonl"), help="JSON lines; goes on from them 记录")
    return p


def _show(line: dict[str, Any]) -> None:
    """One line for people."""
    if "check" in line:
        print(json.dumps(line, ensure_ascii=False), flush=True)
    elif "tries" in line:
        tries = "  ".join(
            f"{t['value']}: {t['gain']:+.3f} ± {t['error']:.3f} (n {t['n']}){' *' if t['accepted'] else ''}"
            for t in line["tries"]
        )
        print(f"{line['round']:4} {line['parameter']} {line['from']} -> {tries}", flush=True)
    else:
        values = " ".join(f"{name}={value:g}" for name, value in line["state"]["values"].items())
        print(f"{line['round']:4} {line['gain']:+.3f} ± {line['error']:.3f}  {values}", flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Tune as the command line says; 2 with one line on stderr for a mistake in it."""
    a = _parser().parse_args(arguments)
    names = tuple(name for name in a.parameters.split(",") if name)
    request = Request(
        a.strategy, tuple(a.against.split(",")), names, a.method, a.score, a.pairs, a.seed, a.accept, a.gain
    )
    try:
        result = tune(request, a.rounds, a.log, check=a.check, threads=a.threads, told=_show)
    except ToldError as error:
        print(f"{error.zh} / {error.en}", file=sys.stderr)
        return 2
    print(result)
    return 0


if __name__ == "__main__":
    sys.exit(main())
