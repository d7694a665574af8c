"""The last lines of a run: what its studies have found."""

import json
import os

import pytest
from relprobe.command.events import PAGE
from relprobe.command.results import forget_undrawn, lines, undrawn
from relprobe.core.files import write_json
from relprobe.core.unmade import UNSHOWN, reason_table
from relprobe.report.widths import LEFT_OUT

from tests.command.events import finished, run_of, started

RUN = run_of(
    started(2, PAGE, wildcards={"study": "relations"}),
    finished(2),
    started(3, "definitions_scores", wildcards={"model": "smol"}),
    finished(3),
    started(4, PAGE, wildcards={"study": "degrees"}),  # it goes on
)


def test_the_findings_of_the_pages_that_a_run_has_made_are_its_last_lines(tmp_path):
    for study in ("relations", "degrees"):
        (tmp_path / study).mkdir()
        finding = f"smol gives a right first answer to 19 of 100 probes of {study}, and its best control to 15."
        (tmp_path / study / "card.json").write_text(json.dumps({"finding": f"{finding} {finding}"}))
    (tmp_path / "report.html").touch()
    said = list(lines(RUN, tmp_path))
    assert said[0] == said[-2] == ""
    assert said[1].startswith("relations: smol gives a right first answer to 19 of 100")
    assert 80 < max(map(len, said[:-1])) <= 100
    assert len(said) == 5  # the finding takes two lines, and stands there once
    assert said[-1] == f"The pages of this run: {tmp_path / 'report.html'} (relprobe open)"
    assert not {"definitions", "degrees"} & {line.partition(":")[0] for line in said}


def test_a_run_that_makes_no_page_says_where_they_are_if_they_are_anywhere(tmp_path):
    assert list(lines(run_of(), tmp_path)) == []
    (tmp_path / "report.html").touch()
    assert len(list(lines(run_of(), tmp_path))) == 2


def test_what_could_not_be_made_is_deleted_and_a_damaged_file_is_not(tmp_path):
    """The plan names a damaged file with the way out (core/records.py)."""
    tables = tmp_path / "degrees/tables"
    tables.mkdir(parents=True)
    reason_table("ceiling", ValueError("no rater")).write_parquet(tables / "ceiling.parquet")
    (tables / "damaged.parquet").write_bytes(b"PAR1 and no more")
    (tables / "damaged.csv").touch()
    (tmp_path / "degrees/card.json").write_text("{}")
    forget_undrawn(tmp_path)
    assert sorted(file.name for file in tables.iterdir()) == ["damaged.csv", "damaged.parquet"]


@pytest.fixture
def results(tmp_path):
    """Results in which tables and figures could not be made: of degrees three, of a manuscript one, of relations none."""
    why = reason_table("ceiling", ValueError("no rater"))
    for name in ("degrees/tables/ceiling.parquet", "degrees/choice/gpt2.parquet", "degrees/tables/later.parquet"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        why.write_parquet(tmp_path / name)
        os.utime(tmp_path / name, (5, 5))
    for name in ("degrees/tables/ceiling.csv", "degrees/choice/gpt2.csv", "degrees/tables/good.csv"):
        (tmp_path / name).touch()
    (tmp_path / "degrees/figures").mkdir()
    for name in ("bars", "good"):
        (tmp_path / f"degrees/figures/{name}.svg").touch()
    (tmp_path / "degrees/answers.html").write_text(f"<p>{UNSHOWN} (x).</p>")
    write_json({"undrawn": ["bars"]}, tmp_path / "degrees/card.json")
    os.utime(tmp_path / "degrees/card.json", (5, 5))
    os.utime(tmp_path / "degrees/tables/later.parquet", (6, 6))  # the page of the study is older
    (tmp_path / "relations").mkdir()
    (tmp_path / "relations/answers.html").write_text("<p>robin</p>")
    write_json({}, tmp_path / "relations/card.json")
    for name in (LEFT_OUT, "lines.pdf", "good.pdf"):
        (tmp_path / "paper/figures/degrees/84mm").mkdir(parents=True, exist_ok=True)
        (tmp_path / f"paper/figures/degrees/84mm/{name}").write_text("lines\n")
    return tmp_path


def test_each_study_of_whose_tables_or_figures_some_could_not_be_made_has_a_sentence(results):
    said = "could not be made, as its log says; all else is here, and the next run makes it again."
    assert list(undrawn(results)) == [
        f"degrees: bars, choice of gpt2, ceiling, answers {said}",
        f"degrees at 84mm: lines {said}",
    ]


def test_what_stands_in_place_of_tables_and_figures_is_deleted_and_nothing_else(results):
    forget_undrawn(results)
    left = sorted(file.relative_to(results).as_posix() for file in results.rglob("*") if file.is_file())
    assert left == [
        *("degrees/card.json", "degrees/choice/gpt2.csv", "degrees/figures/good.svg", "degrees/tables/good.csv"),
        *("degrees/tables/later.parquet", "relations/answers.html", "relations/card.json"),
    ]
    assert not (results / "paper/figures/degrees/84mm").exists()  # a job makes the whole folder
