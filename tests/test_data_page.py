"""Every query of docs/data.md gives the answer that is printed there, in SQL and in pandas."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
import pytest

from tests.support.data_page import PAGE, Page, Question, by_pandas, by_sql, read_page, run_of

READ: Page = read_page(PAGE.read_text(encoding="utf-8"))


@pytest.fixture(scope="module", autouse=True)
def _in_the_folder_of_the_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with run_of(READ, tmp_path_factory.mktemp("page")):
        yield


@pytest.mark.parametrize("question", READ.questions, ids=lambda question: question.title)
def test_sql_and_pandas_give_the_printed_answer(question: Question) -> None:
    assert by_sql(READ, question) == question.answer, "write the answers anew: python -m tests.support.data_page"
    frame = by_pandas(READ, question)
    first, *others = question.answer.splitlines()
    head = first.split()
    lines = [line.rsplit(None, len(head) - 1) for line in others]  # only the first word may have blanks in it
    assert list(frame.columns) == head
    assert head[-4:] == ["pairs", "n", "rate", "plus_minus"], "an interval stands beside every rate"
    printed = pd.DataFrame(lines, columns=head)
    assert len(frame) == len(printed) > 0
    for name in head:
        if pd.api.types.is_numeric_dtype(frame[name]):
            np.testing.assert_allclose(printed[name].astype(float), frame[name].astype(float), atol=5.1e-5, rtol=0)
        else:
            assert printed[name].tolist() == frame[name].tolist()


def test_the_page_asks_ten_questions_and_one_without_rows() -> None:
    titles = [question.title for question in READ.questions]
    assert [title[3 : title.index(".") if "." in title else None] for title in titles] == [
        *map(str, range(1, 11)),
        "Without the rows",
    ]
