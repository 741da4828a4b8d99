"""Be the `guandan` command: build it in the language asked for, and turn every error into one line and an exit code.

0 done, 1 a result that should not be (a replay that differs, a page whose program ended by itself), 2 the user can
mend it, 130 stopped by Ctrl-C, 143 by SIGTERM. For `dashboard`, which runs until Ctrl-C, that is the end and gives 0.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib import metadata

import click

from cluster import commands, farm, streams, trust
from cluster.parsing import (
    Address,
    Argument,
    Command,
    CommandLineError,
    Group,
    OneOf,
    Whole,
    Words,
    explain,
    split_language,
)
from cluster.progress import tell
from cluster.signals import Ended, Stopped, Stops
from cluster.texts import Pasted, Texts, system_language
from sim.errors import SimError
from sim.experiment import FORMS, MAX_MATCH_UPS
from sim.request import (
    DECISION_SECONDS,
    DETAILS,
    LEAST_MEMORY_MB,
    MAX_BLOCK_PAIRS,
    MAX_BLOCKS,
    MAX_BOARDS,
    MAX_DECISION_SECONDS,
    MAX_MEMORY_MB,
    MAX_PAIRS,
    MAX_SEED,
    MEMORY_MB,
    ON_FAULT,
)

_MAX_WORKERS = 1024
_MAX_PLAYS = 9_999  # more than any deal has
_MAX_POSITIONS = 10_000_000
_MAX_CHECK_SEED = 2**63  # the boards of a check count on from it
_MAX_DEAL = 32_767  # deal numbers are int16 in the tables


def main(words: Sequence[str] | None = None) -> int:
    """Run a command line, by default that of this process, and return the exit code."""
    words = sys.argv[1:] if words is None else words
    closed = streams.missing()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal that cannot show a suit is no reason to stop
    with Stops() as stops:
        code = _act(words, stops, closed)
    return code


def _act(words: Sequence[str], stops: Stops, closed: set[str]) -> int:
    t = Texts(system_language(os.environ))
    try:
        language, rest = split_language(words, t.language)
        t = Texts(language)
        if "stdout" in closed:
            return _complain(t, t("output_closed"))
        if "stdin" in closed and (rest[:1] == ["moves"] or {"-", "--state=-"} & set(rest)):
            return _complain(t, t("input_closed"))
        code = _invoke(t, rest)
        sys.stdout.flush()
        return code
    except CommandLineError as error:
        return _complain(t, str(error))
    except SimError as error:
        if trace := error.values.get("trace"):
            tell(str(trace))
        return _complain(t, t.error(error))
    except click.UsageError as error:
        return _complain(t, explain(t, build(t), error))
    except Ended:
        return stops.exit_code if stops.terminated else 0
    except Stopped:
        return stops.exit_code
    except KeyboardInterrupt:
        tell(t("stopped"))
        return stops.exit_code
    except BrokenPipeError:  # the reader has seen enough
        streams.drop()
        return 0
    except OSError as error:
        reason = error.strerror or error
        if error.filename is None and error.errno != errno.ENOENT:  # that would be a working folder deleted
            streams.drop()
            return _complain(t, t("output_failed", reason=reason))
        return _complain(t, t("file_refused", path=error.filename or os.curdir, reason=reason))


def _invoke(t: Texts, words: list[str]) -> int:
    try:
        # Not click's own main(): it would print a line of its own for Ctrl-C and forget which signal it was.
        group = build(t)
        with group.make_context("guandan", words) as context:
            code = group.invoke(context)
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as leave:
        return leave.exit_code


def _complain(t: Texts, line: str) -> int:
    tell(t("error", text=Pasted(line)))
    return 2


def build(t: Texts) -> Group:
    """Build the command with all texts in one language."""

    def option(name: str, help_key: str, kind: click.ParamType[object], **more: object) -> click.Option:
        names = [name.removeprefix("--").replace("-", "_"), name]
        return click.Option(names, type=kind, help=t(help_key), **more)  # type: ignore[arg-type]

    def flag(name: str, help_key: str, variable: str) -> click.Option:
        return click.Option([variable, name], is_flag=True, default=False, help=t(help_key))

    def command(name: str, params: list[click.Parameter], act: Callable[..., int]) -> Command:
        return Command(t, name, params, partial(act, t), t(f"{name}_help"))

    text = Words
    on = partial(option, "--on", "opt_on", OneOf(t, ("ray", "local")), default="ray")
    workers = partial(option, "--workers", "opt_workers", Whole(t, 1, _MAX_WORKERS))
    as_json = partial(flag, "--json", "opt_json", "as_json")
    several = partial(Argument, "strategies", note=t("arg_strategies"), several="STRATEGY...")
    run = partial(Argument, "run", note=t("arg_run"))

    blocks = partial(Argument, "blocks", note=t("arg_blocks"), several="BLOCK...")

    def playing() -> tuple[click.Option, ...]:
        return on(), option("--address", "opt_address", Address(t)), workers()

    def experiment() -> tuple[click.Option, ...]:
        seconds = Whole(t, 1, MAX_DECISION_SECONDS)
        memory = Whole(t, LEAST_MEMORY_MB, MAX_MEMORY_MB)
        return (
            option("--pairs", "opt_pairs", Whole(t, 1, MAX_PAIRS)),
            option("--form", "opt_form", OneOf(t, FORMS)),
            option("--rules", "opt_rules", text("NAME|FILE.toml"), multiple=True, default=("national",)),
            option("--seed", "opt_seed", Whole(t, 0, MAX_SEED), default=1),
            option("--boards", "opt_boards", text("SPEC")),
            option("--detail", "opt_detail", OneOf(t, DETAILS), default="deals"),
            flag("--style", "opt_style", "style"),
            option("--on-fault", "opt_on_fault", OneOf(t, ON_FAULT), default="judge"),
            option("--decision-seconds", "opt_decision_seconds", seconds, default=DECISION_SECONDS),
            option("--memory-mb", "opt_memory", memory, default=MEMORY_MB),
            option("--block-pairs", "opt_block_pairs", Whole(t, 1, MAX_BLOCK_PAIRS)),
            option("--test", "opt_test", text("ELO0,ELO1")),
        )

    return Group(
        t,
        [
            command(
                "demo",
                [
                    option("--pairs", "opt_pairs", Whole(t, 1, MAX_PAIRS), default=10_000),
                    option("--out", "opt_out", text("DIR"), default="runs/demo"),
                    on(),
                    workers(),
                    flag("--fresh", "opt_fresh", "fresh"),
                ],
                commands.demo,
            ),
            command(
                "run",
                [several(), *experiment(), option("--out", "opt_out", text("DIR"), required=True), *playing()],
                farm.run,
            ),
            command("resume", [run(), *playing()], farm.resume),
            command(
                "extend",
                [
                    run(),
                    several(required=False, note=t("arg_more_strategies")),
                    option("--pairs", "opt_more_pairs", Whole(t, 1, MAX_PAIRS)),
                    option("--rules", "opt_more_rules", text("NAME|FILE.toml"), multiple=True),
                    *playing(),
                ],
                farm.extend,
            ),
            command("stop", [run()], farm.stop),
            command("status", [run(), flag("--watch", "opt_watch", "watch"), as_json()], farm.status),
            command(
                "report",
                [
                    run(),
                    option("--match-up", "opt_match_up", Whole(t, 0, MAX_MATCH_UPS - 1)),
                    as_json(),
                    option("--html", "opt_html", text("FILE")),
                ],
                farm.report,
            ),
            command(
                "compare",
                [
                    Argument("match_ups", note=t("arg_match_ups"), several="DIR[:N]..."),
                    click.Option(["measures", "--measure"], type=text("NAME"), help=t("opt_measure"), multiple=True),
                    as_json(),
                ],
                farm.compare,
            ),
            command(
                "scorecard",
                [run(), option("--reference", "opt_reference", text("RULES")), as_json()],
                farm.scorecard,
            ),
            command("plan", [several(), *experiment(), workers(), as_json()], farm.plan),
            command(
                "tribute",
                [
                    Argument("strategy", note=t("arg_tribute")),
                    Argument("other", note=t("arg_tribute_other"), required=False),
                    option("--pairs", "opt_pairs", Whole(t, 1, MAX_BOARDS), required=True),
                    option("--out", "opt_tribute_out", text("DIR"), required=True),
                    option("--rules", "opt_tribute_rules", text("NAME|FILE.toml"), default="national"),
                    option("--seed", "opt_seed", Whole(t, 0, MAX_SEED), default=1),
                    option("--contexts", "opt_contexts", text("SPEC"), default="uniform"),
                    option("--policies", "opt_policies", text("STRATEGY"), multiple=True),
                    *playing(),
                    as_json(),
                ],
                farm.tribute,
            ),
            command(
                "verify",
                [
                    run(),
                    option("--sample", "opt_sample", Whole(t, 0, MAX_BLOCKS)),
                    option("--seed", "opt_verify_seed", Whole(t, 0, MAX_SEED), default=1),
                    option("--workers", "opt_verify_workers", Whole(t, 1, _MAX_WORKERS)),
                    as_json(),
                ],
                trust.verify,
            ),
            command(
                "exclude",
                [run(), blocks(), option("--reason", "opt_reason", text("TEXT"), required=True)],
                trust.exclude,
            ),
            command("include", [run(), blocks()], trust.include),
            command("tidy", [run(), flag("--dry-run", "opt_dry_run", "dry_run")], trust.tidy),
            command(
                "compact",
                [
                    run(),
                    option("--out", "opt_out", text("DIR"), required=True),
                    option("--block-pairs", "opt_compact_pairs", Whole(t, 1, MAX_BLOCK_PAIRS)),
                    flag("--partial", "opt_partial", "partial"),
                ],
                trust.compact,
            ),
            command(
                "dashboard",
                [
                    Argument("dir", note=t("arg_dir"), required=False),
                    option("--port", "opt_port", Whole(t, 1, 65_535), default=8501),
                ],
                commands.dashboard,
            ),
            command(
                "rules",
                [
                    Argument("first", note=t("arg_rules"), required=False),
                    Argument("second", note=t("arg_rules_second"), required=False),
                    as_json(),
                ],
                commands.rules,
            ),
            command("schema", [as_json()], commands.schema),
            command(
                "sql",
                [
                    Argument("run", note=t("arg_run")),
                    Argument("query", note=t("arg_query"), required=False),
                    as_json(),
                    flag("--csv", "opt_csv", "as_csv"),
                ],
                commands.sql,
            ),
            command(
                "show",
                [
                    Argument("run", note=t("arg_run"), required=False),
                    option("--match-up", "opt_match_up", Whole(t, 0, MAX_MATCH_UPS - 1)),
                    option("--pair", "opt_pair", Whole(t, 0, MAX_PAIRS - 1)),
                    option("--leg", "opt_leg", Whole(t, 1, 2)),
                    option("--deal", "opt_deal", Whole(t, 1, _MAX_DEAL)),
                    option("--state", "opt_state", text("TEXT|FILE|-")),
                    option("--rules", "opt_state_rules", text("NAME|FILE.toml")),
                    option("--at", "opt_at", Whole(t, 0, _MAX_PLAYS)),
                    flag("--plays", "opt_plays", "plays"),
                    as_json(),
                ],
                commands.show,
            ),
            command("moves", [], commands.moves),
            command(
                "strategies",
                [Argument("name", note=t("arg_name"), required=False), as_json()],
                commands.strategies,
            ),
            command(
                "check",
                [
                    Argument("strategy", note=t("arg_strategy")),
                    option("--positions", "opt_positions", Whole(t, 1, _MAX_POSITIONS), default=10_000),
                    option("--rules", "opt_check_rules", text("NAME|FILE.toml")),
                    option("--seed", "opt_check_seed", Whole(t, 0, _MAX_CHECK_SEED), default=1),
                    option("--position", "opt_position", Whole(t, 0, _MAX_POSITIONS - 1)),
                    as_json(),
                ],
                commands.check,
            ),
            command(
                "advise",
                [
                    Argument("state", note=t("arg_state")),
                    option("--strategy", "opt_strategy", text("STRATEGY"), required=True),
                    option("--rules", "opt_advise_rules", text("NAME|FILE.toml"), default="national"),
                    option("--context", "opt_context", text("CONTEXT")),
                    option("--at", "opt_advise_at", Whole(t, 0, _MAX_PLAYS)),
                    option("--seed", "opt_advise_seed", Whole(t, 0, MAX_SEED), default=1),
                    as_json(),
                ],
                commands.advise,
            ),
        ],
        lambda: metadata.version("guandan-sim"),
    )
