"""Read the command line with click, in our own words: help in two languages, each mistake in one line."""

from __future__ import annotations

import difflib
import shutil
import sys
from collections.abc import Callable, Sequence

import click
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from cluster.texts import LANGUAGES, Texts
from sim.errors import Language, one_line


class CommandLineError(Exception):
    """Hold the one line that is shown for a wrong command line."""


class Whole(click.ParamType[int]):
    """Take a whole number of a range; digits may be grouped as 10_000."""

    name = "N"

    def __init__(self, t: Texts, least: int, limit: int) -> None:
        self.t, self.least, self.limit = t, least, limit

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Raise `CommandLineError` for anything else."""
        shown = {"name": name_of(param), "least": self.least, "limit": self.limit}
        text = str(value).strip()
        plain = text.isascii() and text.lstrip("+-").replace("_", "").isdecimal()
        if not plain or len(text) > 100:
            raise CommandLineError(self.t("not_whole", value=text, **shown))
        try:
            number = int(text)
        except ValueError:
            raise CommandLineError(self.t("not_whole", value=text, **shown)) from None
        if not self.least <= number <= self.limit:
            raise CommandLineError(self.t("out_of_range", value=number, **shown))
        return number


class OneOf(click.ParamType[str]):
    """Take one word of a list."""

    def __init__(self, t: Texts, words: Sequence[str]) -> None:
        self.t, self.words = t, tuple(words)
        self.name = "|".join(words)

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Raise `CommandLineError` for anything else."""
        if str(value) not in self.words:
            raise CommandLineError(self.t("not_one_of", name=name_of(param), value=value, known=" ".join(self.words)))
        return str(value)


class Address(click.ParamType[str]):
    """Take HOST:PORT or auto."""

    name = "HOST:PORT|auto"

    def __init__(self, t: Texts) -> None:
        self.t = t

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Raise `CommandLineError` for anything else."""
        text = str(value).strip()
        host, _, port = text.rpartition(":")
        number = int(port) if port.isascii() and port.isdecimal() and len(port) < 6 else 0
        plain = host.strip("[]") and not any(c.isspace() or c in "/@,\0" for c in host)
        if text != "auto" and not (plain and 1 <= number <= 65_535):
            raise CommandLineError(self.t("bad_address", name=name_of(param), value=text))
        return text


class Words(click.ParamType[str]):
    """Take any text but an empty one."""

    def __init__(self, name: str) -> None:
        self.name = name

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Refuse an empty text as if nothing had been written."""
        if not str(value).strip() or "\0" in str(value):
            raise click.MissingParameter(ctx=ctx, param=param)
        return str(value)


class Argument(click.Argument):
    """Be an argument with a line of help; one that takes `several` words gives a tuple."""

    def __init__(self, name: str, *, note: str, required: bool = True, several: str = "") -> None:
        shown = several or name.upper()
        super().__init__([name], required=required, metavar=shown, type=Words(shown), nargs=-1 if several else 1)
        self.note = note


class Command(click.Command):
    """Be a command whose help and mistakes are in our words."""

    def __init__(
        self, t: Texts, name: str, params: list[click.Parameter], callback: Callable[..., int], about: str
    ) -> None:
        help_option = click.Option(
            ["-h", "--help"], is_flag=True, is_eager=True, expose_value=False, help=t("opt_help")
        )
        help_option.callback = _show_help
        super().__init__(
            name,
            params=[*params, help_option],
            callback=callback,
            help=about,
            add_help_option=False,
        )
        self.t = t
        self.allow_extra_args = True  # refused below, with our text

    def usage(self) -> str:
        """Give the usage in one line."""
        words = ["guandan", self.name or ""]
        for param in self.params:
            if isinstance(param, click.Argument):
                words.append(metavar(param) if param.required else f"[{metavar(param)}]")
            elif param.required:
                words.append(f"{param.opts[-1]} {metavar(param)}")
        return " ".join([*words, self.t("usage_tail")])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse arguments too many."""
        rest = super().parse_args(ctx, args)
        if rest and not ctx.resilient_parsing:
            raise CommandLineError(self.t("extra", name=rest[0], usage=self.usage()))
        return rest

    def get_help(self, ctx: click.Context) -> str:
        """Lay out the help."""
        arguments = [(metavar(p), p.note) for p in self.params if isinstance(p, Argument)]
        parts = [self.t("usage") + self.usage(), "", self.help or ""]
        if arguments:
            parts += ["", self.t("arguments"), two_columns(arguments)]
        return "\n".join([*parts, "", self.t("options"), two_columns(_option_rows(self.t, self.params))])


class Group(click.Group):
    """Be the `guandan` command itself."""

    def __init__(self, t: Texts, commands: Sequence[Command], version: Callable[[], str]) -> None:
        options: list[click.Parameter] = [
            click.Option(["-h", "--help"], is_flag=True, is_eager=True, expose_value=False, help=t("opt_help")),
            click.Option(["--version"], is_flag=True, is_eager=True, expose_value=False, help=t("opt_version")),
        ]
        options[0].callback = _show_help
        options[1].callback = lambda ctx, param, value: (
            _say_and_leave(ctx, f"guandan-sim {version()}") if value else None
        )
        super().__init__(
            "guandan",
            commands={command.name or "": command for command in commands},
            params=options,
            callback=self._alone,
            invoke_without_command=True,
            add_help_option=False,
        )
        self.t = t

    def _alone(self) -> None:
        context = click.get_current_context()
        if context.invoked_subcommand is None:
            _say_and_leave(context, self.get_help(context))

    def get_help(self, ctx: click.Context) -> str:
        """Lay out the help."""
        commands = [(name, command.help or "") for name, command in self.commands.items()]
        parts = [self.t("usage") + self.t("usage_group"), "", self.t("group_help"), ""]
        parts += [self.t("commands"), two_columns(commands), "", self.t("options")]
        parts += [two_columns(_option_rows(self.t, self.params)), "", self.t("group_more")]
        return "\n".join(parts)


def _show_help(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        _say_and_leave(ctx, ctx.command.get_help(ctx))


def _say_and_leave(ctx: click.Context, text: str) -> None:
    sys.stdout.write(text + "\n")
    ctx.exit(0)


def _option_rows(t: Texts, params: Sequence[click.Parameter]) -> list[tuple[str, str]]:
    rows = []
    for param in params:
        if isinstance(param, click.Option):
            name = ", ".join(param.opts) + ("" if param.is_flag else f" {metavar(param)}")
            plain = param.is_flag or param.required or not isinstance(param.default, str | int)
            text = param.help or ""
            rows.append((name, text if plain else t("default", text=text, value=param.default)))
    rows.insert(-1, ("--lang " + "|".join(LANGUAGES), t("opt_lang")))
    return rows


def metavar(param: click.Parameter) -> str:
    """Give what stands for the value of a parameter in help."""
    return param.metavar or param.type.name


def name_of(param: click.Parameter | None) -> str:
    """Give the name of a parameter as it is written."""
    if param is None:
        return "?"
    return param.opts[-1] if isinstance(param, click.Option) else metavar(param)


def two_columns(rows: Sequence[tuple[str, str]]) -> str:
    """Set rows in two columns to the width of the terminal; Chinese characters count as two."""
    width = min(shutil.get_terminal_size((100, 24)).columns, 110)
    first = max(cell_len(left) for left, _ in rows) + 4
    console = Console(width=max(width, first + 20), color_system=None)
    lines = []
    for left, right in rows:
        wrapped = Text(right).wrap(console, console.width - first) or [Text("")]
        lines.append(f"  {left}".ljust(first) + wrapped[0].plain.rstrip())
        lines += [" " * first + line.plain.rstrip() for line in wrapped[1:]]
    return "\n".join(line.rstrip() for line in lines)


def split_language(words: Sequence[str], default: Language) -> tuple[Language, list[str]]:
    """Take `--lang zh` or `--lang=zh` out of a command line, wherever it stands; the last one counts."""
    language, rest = default, []
    feed = iter(words)
    for word in feed:
        if word == "--":
            rest += [word, *feed]
        elif word == "--lang" or word.startswith("--lang="):
            value = word.removeprefix("--lang=") if word != "--lang" else next(feed, "")
            if value not in LANGUAGES:
                raise CommandLineError(Texts(default)("bad_language", value=repr(one_line(value, 40))))
            language = "zh" if value == "zh" else "en"
        else:
            rest.append(word)
    return language, rest


def explain(t: Texts, group: Group, error: click.UsageError) -> str:
    """Say in one line what click found wrong."""
    command = error.ctx.command if error.ctx else None
    if isinstance(error, click.exceptions.NoSuchCommand):
        return _unknown(t, "no_command", error.command_name, list(group.commands))
    if isinstance(error, click.exceptions.NoSuchOption):
        params = command.params if command else []
        known = [name for param in params for name in param.opts if name.startswith("--")]
        return _unknown(t, "no_option", error.option_name, [*known, "--lang"])
    if isinstance(error, click.exceptions.BadOptionUsage):
        # click does not say which command it was, but options of one name take a value everywhere or nowhere
        params = [param for each in (group, *group.commands.values()) for param in each.params]
        option = next(param for param in params if error.option_name in param.opts)
        if isinstance(option, click.Option) and option.is_flag:
            return t("option_full", name=error.option_name)
        return t("option_empty", name=error.option_name, metavar=f"{error.option_name} {metavar(option)}")
    if isinstance(error, click.exceptions.MissingParameter) and isinstance(command, Command):
        return t("missing", name=name_of(error.param), usage=command.usage())
    return t("other_usage", reason=error.format_message())


def _unknown(t: Texts, key: str, name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    return t(key + ("_near" if near else ""), name=name, near=" ".join(near), known=" ".join(known))
