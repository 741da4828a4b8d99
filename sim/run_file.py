"""Hold run.json: the requests of a run, by match-up, and what made it; formats of earlier versions are read.

Every run has one, written before any block; `sim.store` puts it in place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from sim.checked_json import (
    WrongFieldError,
    check_fields,
    exactly,
    is_count,
    is_text,
    is_texts,
    json_bytes,
    read_object,
    wrong_field,
)
from sim.errors import SimError
from sim.places import Where, as_place
from sim.request import DECISION_SECONDS, MEMORY_MB, RunRequest
from sim.targets import NO_AIMS, Aims

FORMAT = 4
"""Version of run.json and of the commit records; a higher one is refused, a lower one must stay readable.

1: no boards and no style in the request. 2: with them. 3: with faults and whether the run is observed; runs before it
stopped at faults. 4: several match-ups, each with a request and its legs; before, one `request` and the `matches` of
the run, and hashes under x, y and rules; the table cubes; commit records hold the pairs of each look of a sequential
test.
"""

RUN_FILE = "run.json"


@dataclass(frozen=True, slots=True)
class Block:
    """Name the unit of work, of commit and of re-execution: the pairs `first .. first + pairs - 1`."""

    match_up: int
    number: int
    first: int
    pairs: int

    @property
    def stem(self) -> str:
        """Give the file name without its ending."""
        return f"{self.match_up:03d}-{self.number:06d}"


def block_of(request: RunRequest, number: int, match_up: int = 0) -> Block:
    """Give block `number`, 0 .. `request.blocks` - 1, of the match-up that plays this request."""
    pairs = request.range_of(number)
    return Block(match_up, number, pairs.start, len(pairs))


@dataclass(frozen=True, slots=True)
class Run:
    """Hold run.json, seen at one of its match-ups.

    requests: what each match-up plays, all on the same pair ids
    legs: matches of a pair, by match-up
    code: hashes of what decides the results: `engine`, `schema`, `rules NAME` and `strategy TEXT` of all match-ups
    versions: keyed by what they are of
    observed: a strategy says that its answers may depend on more than what it sees (a clock, a socket): a block played
        twice may differ, and the first that is committed counts
    aims: what was set beforehand
    match_up: the one that is looked at
    """

    folder: Where
    id: str
    requests: tuple[RunRequest, ...]
    legs: tuple[int, ...]
    code: Mapping[str, str]
    versions: Mapping[str, str]
    host: Mapping[str, object]
    created: str
    commit: str | None
    observed: bool
    aims: Aims = NO_AIMS
    match_up: int = 0

    @property
    def request(self) -> RunRequest:
        """Give the request of the match-up that is looked at."""
        return self.requests[self.match_up]

    @property
    def hashes(self) -> dict[str, str]:
        """Give the hashes of what decides the results of this match-up: x, y, rules, engine, schema."""
        return hashes_of(self.request, self.code)

    @property
    def matches(self) -> int:
        """Count the matches of all match-ups."""
        return sum(request.pairs * legs for request, legs in zip(self.requests, self.legs, strict=True))

    @property
    def tables(self) -> tuple[str, ...]:
        """Name the tables that the run keeps, in the order of `TABLES`; all match-ups keep the same."""
        return self.requests[0].tables

    def blocks(self) -> Iterator[Block]:
        """List all blocks, the first of every match-up before the second of any."""
        for number in range(max(request.blocks for request in self.requests)):
            for match_up, request in enumerate(self.requests):
                if number < request.blocks:
                    yield block_of(request, number, match_up)

    def at(self, match_up: int) -> Run:
        """Look at another match-up; `SimError` if there is no such."""
        if not 0 <= match_up < len(self.requests):
            raise SimError("match_up_range", value=match_up, limit=len(self.requests) - 1)
        return replace(self, match_up=match_up)


def code_of(request: RunRequest, hashes: Mapping[str, str]) -> dict[str, str]:
    """Key the hashes of a request by what they are of, so that those of several match-ups lie in one mapping."""
    names = {"x": f"strategy {request.x}", "y": f"strategy {request.y}", "rules": f"rules {request.rules}"}
    return {names.get(name, name): value for name, value in hashes.items()}


def hashes_of(request: RunRequest, code: Mapping[str, str]) -> dict[str, str]:
    """Undo `code_of` for one request."""
    names = {"x": f"strategy {request.x}", "y": f"strategy {request.y}", "rules": f"rules {request.rules}"}
    keys = {name: names.get(name, name) for name in ("x", "y", "rules", "engine", "schema")}
    return {name: code[key] for name, key in keys.items() if key in code}


_RUN_FIELDS: Mapping[str, Callable[[Any], bool]] = {
    "id": is_text,
    "hashes": is_texts,
    "versions": is_texts,
    "host": lambda value: isinstance(value, dict),
    "created": is_text,
    "commit": lambda value: value is None or is_text(value),
    "observed": lambda value: isinstance(value, bool),
}


def load(folder: Where, match_up: int = 0) -> Run:
    """Read run.json; `SimError` if there is none, if it is damaged, if it is newer than this version, or if it has no
    such match-up.
    """
    here = as_place(folder)
    path = here.at(RUN_FILE)
    try:
        here.check()
        found = _as_newest(read_object(here.read(RUN_FILE), path, FORMAT, "run_newer"))
        exactly(found, {"shared", "match_ups", "aims", *_RUN_FIELDS})
        check_fields(found, _RUN_FIELDS)
        requests, legs = _match_ups(found.pop("shared"), found.pop("match_ups"))
        aims = _aims(found.pop("aims"))
        code = found.pop("hashes")
        return Run(folder=folder, requests=requests, legs=legs, code=code, aims=aims, **found).at(match_up)
    except FileNotFoundError:
        inside = [name for name in here.entries() if (here / name).exists(RUN_FILE)]  # a study, a shelf of runs
        if inside:
            raise SimError("run_inside", folder=here.at(), runs=" ".join(inside)) from None
        raise SimError("run_missing", folder=here.at()) from None
    except WrongFieldError as wrong:
        raise SimError("run_damaged", path=path, reason=wrong) from None


_OLDER: Mapping[str, object] = {
    "switches": None,
    "boards": None,
    "style": False,
    "on_fault": "stop",
    "decision_seconds": DECISION_SECONDS,
    "memory_mb": MEMORY_MB,
    "earlier": [],
    "test": None,
}
"""What a request of a format before 4 means: 1 has none of these fields, 2 the first two, 3 all but the last two."""

_OWN = ("x", "y", "rules", "switches", "pairs", "block_pairs", "earlier")
"""Fields of a request that differ between match-ups; the others are stored once for all."""


def _as_newest(found: dict[str, Any]) -> dict[str, Any]:
    """Give run.json of an older format the shape of the newest; whether that is right is asked later."""
    if "request" not in found:
        return found
    request, matches, hashes = (found.pop(name, None) for name in ("request", "matches", "hashes"))
    for name, value, right in (("request", request, dict), ("matches", matches, int), ("hashes", hashes, dict)):
        if not isinstance(value, right) or isinstance(value, bool):
            raise wrong_field(name, value)
    request = {**_OLDER, **request}
    own = {name: request.pop(name) for name in _OWN if name in request}
    pairs = own.get("pairs")
    legs = matches // pairs if is_count(pairs) and pairs else 0
    names = {
        name: f"{kind} {own.get(name)}" for name, kind in (("x", "strategy"), ("y", "strategy"), ("rules", "rules"))
    }
    found.setdefault("observed", False)
    code = {names.get(name, name): value for name, value in hashes.items()}
    found["aims"] = NO_AIMS.as_dict()
    return {**found, "hashes": code, "shared": request, "match_ups": [{**own, "legs": legs}]}


def _aims(found: object) -> Aims:
    try:
        return Aims.from_dict(exactly(found, {"family", "targets"}, "aims"))
    except (SimError, TypeError) as error:
        raise WrongFieldError(f"aims: {error}") from None


def _match_ups(shared: object, entries: object) -> tuple[tuple[RunRequest, ...], tuple[int, ...]]:
    given = exactly(shared, {field.name for field in fields(RunRequest)} - {*_OWN}, "shared")
    if not isinstance(entries, list) or not entries:
        raise wrong_field("match_ups", entries)
    requests, legs = [], []
    for number, entry in enumerate(entries):
        within = f"match_ups.{number}"
        own = exactly(entry, {*_OWN, "legs"}, within)
        if own["legs"] not in (1, 2) or isinstance(own["legs"], bool):
            raise wrong_field(f"{within}.legs", own["legs"])
        legs.append(own.pop("legs"))
        requests.append(_request({**given, **own}, within))
    return tuple(requests), tuple(legs)


def _request(given: dict[str, Any], within: str) -> RunRequest:
    check_fields(given, dict.fromkeys(("x", "y", "rules", "detail"), is_text), f"{within}.")
    try:
        return RunRequest.from_dict(given)
    except SimError as error:
        field = error.values.get("field") or error.code.removesuffix("_range")
        raise WrongFieldError(f"{within}.{field}: {error.values.get('value', '?')}") from None


def run_bytes(run: Run) -> bytes:
    """Write run.json."""
    requests = [request.as_dict() for request in run.requests]
    content = {
        "format": FORMAT,
        "id": run.id,
        "shared": {name: value for name, value in requests[0].items() if name not in _OWN},
        "match_ups": [
            {**{name: request[name] for name in _OWN}, "legs": legs}
            for request, legs in zip(requests, run.legs, strict=True)
        ],
        "hashes": dict(run.code),
        "versions": dict(run.versions),
        "host": dict(run.host),
        "created": run.created,
        "commit": run.commit,
        "observed": run.observed,
        "aims": run.aims.as_dict(),
    }
    return json_bytes(content)
