"""A further analysis is its file: one that is deleted leaves nothing in a study, and one that is added is there whole."""

import re

import pytest
from relprobe.core.analyses import analyses_of
from relprobe.report.shown import page_of

from tests.paths import ROOT

FOLDER = "workflow/scripts/relprobe/studies/definitions/analyses"
(ADDED,) = (
    block
    for block in re.findall(
        r"^```python\n(.*?)^```", (ROOT / "docs/adding.md").read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    if "TABLES = " in block
)
"""The analysis of docs/adding.md, which reads the items and the values of all agents."""
SHOWN = ["definitions", "results/paper/tables/definitions"]


def titles(*analyses: str) -> list[str]:
    """The titles of what some analyses show in the toy."""
    made = [one for one in analyses_of("definitions") if one.path.stem in analyses]
    return [
        one.title for one in page_of("definitions").exhibits if any(f"## {one.title}" in file.page for file in made)
    ]


@pytest.mark.parametrize("deleted", ["leaks", "all"])
def test_an_analysis_that_is_deleted_is_gone(study, deleted):
    names = [file.path.stem for file in analyses_of("definitions") if deleted in (file.path.stem, "all")]
    scored = study.table("definitions/scores/tiny-causal.parquet")
    before = {one.name for one in (study.results / "definitions/tables").iterdir()}
    for name in names:
        (study.folder / FOLDER / f"{name}.py").unlink()
    for part in ("tables", "figures"):
        for file in (study.results / "definitions" / part).iterdir():
            file.unlink()
    planned = study.scheduled(*SHOWN)
    assert not {"definitions_scores", "definitions_probes"} & planned.keys()
    study.finish(*SHOWN)
    page = (study.results / "definitions/report.html").read_text()
    lost = titles(*names)
    assert lost
    assert [title for title in lost if title in page] == []
    assert "Precision at 1" in page
    after = {one.name for one in (study.results / "definitions/tables").iterdir()}
    assert {"leaks.csv", "told.csv"} <= before - after
    assert not after - before
    paper = study.results / "paper/tables/definitions"
    captions = (paper / "captions.md").read_text()
    assert "Precision at 1" in captions
    assert ("Are deep synsets harder?" in captions) == (paper / "published.tex").is_file() == (deleted == "leaks")
    assert "leak" not in study.table("definitions/properties.parquet").columns
    conditions = set(study.table("definitions/averages.parquet")["condition"])
    assert "noun" in conditions
    assert not any("leak-free" in name for name in conditions)
    assert deleted == "leaks" or conditions == {"noun", "verb"}
    assert study.table("definitions/scores/tiny-causal.parquet").equals(scored)


def test_an_analysis_that_is_added_is_there(study):
    (study.folder / FOLDER / "long_targets.py").write_text(ADDED)
    planned = study.scheduled(*SHOWN)
    assert planned["definitions_show"] == 1
    assert not any("metrics" in rule or "scores" in rule for rule in planned)
    study.finish(*SHOWN)
    table = study.table("definitions/tables/long_targets.csv")
    assert "tiny-causal" in table["agent"].to_list()
    assert table["words"].unique().to_list() == [2]
    page = (study.results / "definitions/report.html").read_text()
    assert "How long are the targets?" in page
    assert "Targets of two words or more, by the number of their groups" in page


def test_an_analysis_that_says_nothing_ends_in_a_sentence(begun):
    (begun.folder / FOLDER / "mute.py").write_text("TABLES = {}\n")
    assert "mute.py says nothing of itself: begin it with a sentence" in begun.error("definitions")
