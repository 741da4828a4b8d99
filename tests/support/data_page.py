"""Read docs/data.md: the run that it is about and its questions, each in SQL and pandas with the answer printed.

`python -m tests.support.data_page` plays the run in a folder that is thrown away and writes the answers anew.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cluster.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "data.md"
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Question:
    """Hold one question; `place` is where its answer stands in the text of the page."""

    title: str
    sql: str
    python: str
    answer: str
    place: slice


@dataclass(frozen=True)
class Page:
    """Hold the page: the command of the run, what comes before each query, the questions."""

    command: list[str]
    sql: str
    python: str
    questions: list[Question]


def read_page(text: str) -> Page:
    """Cut the page into its blocks; every block must be one of those that a question has."""
    command, sql, python, questions = [], "", "", []
    for section in re.split(r"^(?=## )", text, flags=re.MULTILINE)[1:]:
        begin = text.index(section)
        blocks = list(_BLOCK.finditer(section))
        found = {block[1]: block for block in blocks}
        if "text" in found:
            assert [block[1] for block in blocks] == ["sql", "python", "text"], section
            at = found["text"]
            place = slice(begin + at.start(2), begin + at.end(2))
            questions.append(Question(section.splitlines()[0], found["sql"][2], found["python"][2], text[place], place))
        else:
            assert [block[1] for block in blocks] == ["sh", "sql", "python"], section
            command, sql, python = shlex.split(found["sh"][2]), found["sql"][2], found["python"][2]
    return Page(command, sql, python, questions)


@contextlib.contextmanager
def run_of(page: Page, folder: Path) -> Iterator[None]:
    """Play the run of the page below `folder`, which is the working folder meanwhile."""
    with contextlib.chdir(folder):
        assert page.command[0] == "guandan"
        with contextlib.redirect_stdout(io.StringIO()):
            assert main(page.command[1:]) == 0
        yield


def by_sql(page: Page, question: Question) -> str:
    """Print the answer as `guandan sql` does."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert main(["sql", "runs/example", page.sql + question.sql]) == 0
    return out.getvalue()


def by_pandas(page: Page, question: Question) -> Any:
    """Give the frame that the code of the question calls `answer`."""
    names: dict[str, Any] = {}
    exec(page.python + question.python, names)
    return names["answer"]


if __name__ == "__main__":
    text = PAGE.read_text(encoding="utf-8")
    page = read_page(text)
    with tempfile.TemporaryDirectory() as folder, run_of(page, Path(folder)):
        for question in reversed(page.questions):
            text = text[: question.place.start] + by_sql(page, question) + text[question.place.stop :]
    PAGE.write_text(text, encoding="utf-8")
