"""The last lines of a run: what its studies have found."""

import json

from relprobe.command.events import PAGE
from relprobe.command.results import forget_undrawn, lines
from relprobe.core.unmade import reason_table

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
    assert said[1].startswith("relations: smol gives a right first answer to 19 of 100")
    assert max(map(len, said[:-1])) <= 100
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
