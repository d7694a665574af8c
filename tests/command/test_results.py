"""The last lines of a run: what its studies have found."""

import json

from relprobe.command.results import lines

LOG = """
[Fri Nov 27 18:53:31 2026]
localrule report_study:
    input: results/relations/tables/overview.parquet
    output: results/relations/report.html, results/relations/card.json
    jobid: 2
    wildcards: study=relations
[Fri Nov 27 18:53:32 2026]
rule definitions_scores:
    jobid: 3
    wildcards: model=smol
"""


def test_the_findings_of_the_pages_that_a_run_has_made_are_its_last_lines(tmp_path):
    for study in ("relations", "definitions"):
        (tmp_path / study).mkdir()
        finding = f"smol gives a right first answer to 19 of 100 probes of {study}, and its best control to 15."
        (tmp_path / study / "card.json").write_text(json.dumps({"finding": f"{finding} {finding}"}))
    (tmp_path / "report.html").touch()
    said = list(lines(LOG, tmp_path))
    assert said[1].startswith("relations: smol gives a right first answer to 19 of 100")
    assert max(map(len, said[:-1])) <= 100
    assert said[-1] == f"The pages of this run: {tmp_path / 'report.html'} (relprobe open)"
    assert "definitions" not in "".join(said)


def test_a_run_that_makes_no_page_says_where_they_are_if_they_are_anywhere(tmp_path):
    assert list(lines("", tmp_path)) == []
    (tmp_path / "report.html").touch()
    assert len(list(lines("", tmp_path))) == 2
