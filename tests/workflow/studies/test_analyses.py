"""A further analysis is its file: one that is deleted leaves nothing in a study, and one that is added is there whole."""

import re
from typing import NamedTuple

import polars as pl
import pytest
from relprobe.core.analyses import analyses_of
from relprobe.report.shown import page_of
from relprobe.studies import STUDIES
from relprobe.studies.definitions.schemas import SMALL

from tests.paths import ROOT

(ADDED,) = (
    block
    for block in re.findall(
        r"^````python\n(.*?)^````$", (ROOT / "docs/adding.md").read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    if "TABLES = " in block
)
"""The analysis of docs/adding.md, which reads the items and the values of all agents."""


class Deleted(NamedTuple):
    """An analysis of a study that a test deletes: its file and its tables.

    `method`: the title of a figure of the method's own, which stays; `beside`: of a figure of another analysis, if there
    is one.
    """

    study: str
    analysis: str
    tables: set[str]
    method: str
    beside: str = ""


DELETED = (
    Deleted("definitions", "leaks", {"leaks", "told"}, "Precision at 1", "Are deep synsets harder?"),
    Deleted(
        "analogies",
        "frequency",
        {"frequency", "frequency_summary"},
        "Accuracy by group, supervised",
        "Accuracy by relation, supervised",
    ),
    Deleted("degrees", "difficulty", {"difficulty", "spread"}, "MaxDiff accuracy", "Agreement per relation class"),
    Deleted("relations", "lexicons", {"coverage", "vocabularies"}, "Soundness"),
    Deleted(
        "systematicity", "errors", {"errors"}, "Accuracy: LM Diagnostic", "Categories in the singular and the plural"
    ),
    Deleted("pairs", "published", {"published"}, "Average precision by kind of foil"),
)
"""A case for each study."""


def folder(study: str) -> str:
    return f"workflow/scripts/relprobe/studies/{study}/analyses"


def shown(study: str) -> list[str]:
    return [study, f"results/paper/tables/{study}"]


def titles(study: str, *analyses: str) -> list[str]:
    """The titles of what some analyses show, as their files write them."""
    files = [analysis for analysis in analyses_of(study) if analysis.path.stem in analyses]
    every = [exhibit.title for exhibit in page_of(study).exhibits]
    return [title for title in every if any(f"## {title}\n" in file.page for file in files)]


def answers_of(study, name: str) -> dict[str, bytes]:
    """The stored answers of a study."""
    return {path.as_posix(): path.read_bytes() for path in (study.results / name / "scores").rglob("*.parquet")}


@pytest.mark.parametrize("whole", [False, True], ids=["one", "all"])
@pytest.mark.parametrize("case", DELETED, ids=[case.study for case in DELETED])
def test_an_analysis_that_is_deleted_is_gone(study, case, whole):
    name = case.study
    files = [analysis.path.stem for analysis in analyses_of(name) if whole or analysis.path.stem == case.analysis]
    answers = answers_of(study, name)
    before = {path.stem for path in (study.results / name / "tables").iterdir()}
    for file in files:
        (study.folder / folder(name) / f"{file}.py").unlink()
    for part in ("tables", "figures"):
        for path in (study.results / name / part).iterdir():
            path.unlink()
    planned = study.scheduled(*shown(name))
    assert not {f"{name}_{step}" for step in ("probes", "scores", "replies", "writing")} & planned.keys()
    study.finish(*shown(name))
    page = (study.results / name / "report.html").read_text()
    lost = titles(name, *files)
    assert lost
    assert [title for title in lost if title in page] == []
    assert case.method in page
    after = {path.stem for path in (study.results / name / "tables").iterdir()}
    assert case.tables <= before - after
    assert not after - before
    paper = study.results / f"paper/tables/{name}"
    captions = (paper / "captions.md").read_text()
    assert case.method in captions
    if case.beside:
        assert (case.beside in captions) == (paper / "published.tex").is_file() == (not whole)
    assert answers_of(study, name) == answers


ALL = [(study, analysis.path.stem) for study in STUDIES for analysis in analyses_of(study)]


@pytest.mark.slow("it runs a study without each of 60 analyses")
@pytest.mark.parametrize(("name", "analysis"), ALL, ids=["-".join(case) for case in ALL])
def test_every_analysis_can_be_deleted_alone(study, name, analysis):
    """The study, its page and its tables for print are made without it, and nothing is asked again."""
    answers = answers_of(study, name)
    before = {path.stem for path in (study.results / name / "tables").iterdir()}
    (study.folder / folder(name) / f"{analysis}.py").unlink()
    for path in (study.results / name / "tables").iterdir():
        path.unlink()
    planned = study.scheduled(*shown(name))
    assert not {f"{name}_{step}" for step in ("probes", "scores", "replies", "writing")} & planned.keys()
    study.finish(*shown(name))
    page = (study.results / name / "report.html").read_text()
    assert [title for title in titles(name, analysis) if title in page] == []
    assert not {path.stem for path in (study.results / name / "tables").iterdir()} - before
    assert answers_of(study, name) == answers


def test_no_condition_of_a_deleted_analysis_is_left(study):
    """Analyses of definitions add columns of the groups, and conditions that values are averaged under.

    The small groups stay, which people rank: they are a condition of the paper's method.
    """
    for file in (study.folder / folder("definitions")).glob("[!_]*.py"):
        file.unlink()
    study.finish("results/definitions/averages.parquet")
    assert "leak" not in study.table("definitions/properties.parquet").columns
    assert set(study.table("definitions/averages.parquet")["condition"]) == {"noun", "verb", SMALL}


def test_an_analysis_that_is_added_is_there(study):
    (study.folder / folder("definitions") / "long_targets.py").write_text(ADDED)
    planned = study.scheduled(*shown("definitions"))
    assert planned["definitions_show"] == 1
    assert not any("metrics" in rule or "scores" in rule for rule in planned)
    study.finish(*shown("definitions"))
    table = study.table("definitions/tables/long_targets.csv")
    assert "tiny-causal" in table["agent"].to_list()
    assert table["words"].unique().to_list() == [2]
    page = (study.results / "definitions/report.html").read_text()
    assert "How long are the targets?" in page
    assert "Targets of two words or more, by the number of their groups" in page


WITH_A_STEP = '''"""How many relata a target has.

## How many relata has a target?

```yaml
table: set_sizes
part: Tests
columns:
  relata: how many right answers the target has
```

The relatum sets of the run.
"""

import polars as pl

from relprobe.core.files import ShownTables
from relprobe.studies.relations.method import GoldStandard


def make_exhibits(gold: GoldStandard) -> ShownTables:
    """Count the relata of each target."""
    return {"set_sizes": gold.relata.group_by("relation", "target").agg(relata=pl.len()).sort("relation", "target")}
'''


def test_an_analysis_that_is_added_brings_its_step(study):
    """Its parameters say what the step reads, and no other step runs anew but `show` and the page."""
    (study.folder / folder("relations") / "set_sizes.py").write_text(WITH_A_STEP)
    planned = study.scheduled(*shown("relations"))
    assert planned["relations_set_sizes"] == 1
    assert not any("scores" in rule or "metrics" in rule for rule in planned)
    study.finish("results/relations/tables/set_sizes.csv")
    assert study.table("relations/tables/set_sizes.csv")["relata"].min() > 0


ANALYSIS_TEXT = '''"""How many rows the tables of the study have.

```yaml
may_lack:
  long_names: a model with a name of more than NUMBER letters
```

## How many rows are there?

```yaml
table: heights
needs: [long_names]
columns:
  table: the table
  rows: the number of its rows
```

The tables of all agents together.
"""

from pathlib import Path

import polars as pl

from relprobe.core.files import Parquet, ShownTables
from relprobe.core.study import Config, Roles
from relprobe.lm.score_files.reader import ScoreFile


def has(_config: Config, roles: Roles) -> dict[str, bool]:
    """Return whether a model has a long name."""
    return {"long_names": any(len(model) > NUMBER for model in roles.models)}


def make_exhibits(
    scores: list[ScoreFile], values: dict[str, Parquet], tests: Parquet, static_vectors: Path, *, controls: list[str]
) -> ShownTables:
    """Count the rows of the scores, of the values without and with those of controls, and of tests."""
    assert static_vectors.is_file()
    rows = {
        "scores": sum(file.rows for file in scores),
        "values": sum(table.height for name, table in values.items() if name not in controls),
        "all values": sum(table.height for table in values.values()),
        "tests": tests.height,
    }
    return {"heights": pl.DataFrame([*rows.items()], schema=["table", "rows"], orient="row")}
'''
"""An analysis that any study may have: with a word that its runs may lack, and a step that reads what all studies have."""


def add_to_all_studies(study, letters: int) -> None:
    for name in STUDIES:
        file = study.folder / folder(name) / "row_counts.py"
        file.write_text(ANALYSIS_TEXT.replace("NUMBER", str(letters)))


def test_a_file_that_is_added_to_any_study_is_in_its_rules_its_page_and_its_manuscript(begun):
    """Planned only. Nothing but the file says what it reads, and whether a run has what it needs."""
    targets = [target for name in STUDIES for target in shown(name)]
    add_to_all_studies(begun, letters=100)
    assert not any("row_counts" in rule for rule in begun.scheduled(*targets))
    add_to_all_studies(begun, letters=3)
    done = begun.snakemake("--dry-run", *targets)
    assert done.returncode == 0, done.stdout
    jobs = re.findall(r"^(?:local)?rule (\w+):\n((?:    .+\n)+)", done.stdout + done.stderr, re.MULTILINE)
    readers = {(rule, name) for rule, text in jobs for name in STUDIES if f"{name}/tables/heights.parquet" in text}
    for name in STUDIES:
        assert {rule for rule, of in readers if of == name} >= {f"{name}_row_counts", "report_study", "paper_tables"}


def test_the_step_of_a_file_that_is_added_reads_the_tables_of_any_study(study):
    add_to_all_studies(study, letters=3)
    study.finish(*(f"results/{name}/tables/heights.csv" for name in STUDIES))
    for name in STUDIES:
        rows = dict(study.table(f"{name}/tables/heights.csv").iter_rows())
        agent_tables = [pl.read_parquet(file) for file in (study.results / name / "metrics").glob("*.parquet")]
        assert rows["all values"] == sum(table.height for table in agent_tables) > rows["values"] > 0
        assert rows["tests"] == pl.read_parquet(study.results / name / "tests.parquet").height
        assert rows["scores"] > 0


@pytest.mark.parametrize(
    "name",
    [
        case.study
        if case.study == "relations"
        else pytest.param(case.study, marks=pytest.mark.slow("it plans the study without each of its analyses"))
        for case in DELETED
    ],
)
def test_each_analysis_that_is_deleted_takes_its_steps_along(begun, name):
    """Planned only: a plan would fail on a table that another analysis needs."""
    analyses = {analysis.path.stem: analysis for analysis in analyses_of(name)}
    begun.only(name)
    planned = begun.scheduled(name).keys()
    steps = {f"{name}_{stem}" for stem, analysis in analyses.items() if "make_exhibits" in analysis.names}
    assert steps & planned or name != "relations"
    for stem in analyses:
        file = begun.folder / folder(name) / f"{stem}.py"
        text = file.read_text()
        file.unlink()
        lost = planned - begun.scheduled(name).keys()  # also answers that no other analysis reads
        assert lost & steps == {f"{name}_{stem}"} & steps & planned, stem
        file.write_text(text)


def test_an_analysis_that_says_nothing_ends_in_a_sentence(begun):
    (begun.folder / folder("definitions") / "mute.py").write_text("TABLES = {}\n")
    assert "mute.py says nothing of itself: begin it with a sentence" in begun.error("definitions")
