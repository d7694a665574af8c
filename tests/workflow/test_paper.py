"""`relprobe paper`: what a manuscript takes from the toy of all five studies."""

import re
from html import unescape

import polars as pl
import pytest
from relprobe.paper.trials import KEY

from tests.package.pages_of_docs import blocks
from tests.paths import ROOT
from tests.workflow.toy import STUDIES

VALUES = {
    "relations": ("soundness", "relation", "target"),
    "definitions": (None, "condition", "item"),
    "systematicity": (None, "condition", "item"),
    "analogies": (None, "relation", "target"),
    "degrees": (None, "condition", "relation"),
}
"""Study -> the metric of its trials, or None if the task says it; what divides its averages; the unit of these."""


@pytest.fixture(scope="session")
def with_paper(finished, once):
    """The finished toy with results/paper."""

    def make(folder):
        finished.copy(folder / "study").finish("paper")

    return type(finished)(once("paper", make) / "study", finished.environment)


def metric_of(study):
    """The name of the metric that a trial counts for."""
    names = {
        "definitions": pl.format("{} P@1", pl.col("task").str.to_uppercase()),
        "analogies": pl.format("{} {}", "task", "condition"),
        "systematicity": pl.col("task").replace({"open": "open@1"}),
        "degrees": pl.col("task"),
        "relations": pl.lit("soundness"),
    }
    return names[study].alias("metric")


@pytest.mark.parametrize("study", STUDIES)
def test_the_trials_average_to_the_values_of_the_page(with_paper, study):
    """The mean over the trials of a unit, and then over the units, is each average of the study."""
    trials = with_paper.table("paper/trials.parquet").filter(study=study)
    counted = trials.filter(counted=1).with_columns(metric_of(study))
    _, group, unit = VALUES[study]
    key = ["agent", "metric", group]
    of_unit = counted.group_by(*key, unit if unit != group else "cluster").agg(pl.col("right").mean())
    own = of_unit.group_by(key).agg(own=pl.col("right").mean() * (100 if study == "degrees" else 1))
    averages = with_paper.table(f"{study}/averages.parquet").rename(
        {"condition": group} if group == "relation" and study != "relations" else {}
    )
    both = own.join(averages.select(*key, "value"), on=key)
    assert both.height > 5
    assert both.filter((pl.col("own") - pl.col("value")).abs() > 1e-9).rows() == []
    assert set(both["agent"]) >= {name for name in averages.drop_nulls("value")["agent"] if "tiny-list" not in name}


def test_a_trial_has_one_row(with_paper):
    trials = with_paper.table("paper/trials.parquet")
    assert set(trials["study"]) == set(STUDIES)
    assert trials.filter(trials.select(KEY).is_duplicated()).rows() == []
    assert trials.filter(pl.col("probability") > 1 + 1e-6).rows() == []
    assert pl.read_csv(with_paper.results / "paper/trials.csv", infer_schema=False).height == trials.height


@pytest.mark.parametrize("study", STUDIES)
def test_the_tables_have_the_cells_of_the_page(with_paper, study):
    """Of the page of the study, or of the page of published figures."""
    page = (with_paper.results / study / "report.html").read_text()
    published = (with_paper.results / "published.html").read_text()
    files = sorted((with_paper.results / "paper/tables" / study).glob("*.html"))
    assert {file.stem for file in files} >= {"overview", "controls"}
    for file in files:
        assert file.with_suffix(".tex").read_text().count(r"\begin{tabular}") > 0
        cells = set(map(unescape, re.findall(r"<td[^>]*>([^<]+)</td>", file.read_text())))
        there = set(map(unescape, re.findall(r">\s*([^<>]+?)\s*<", published if file.stem == "published" else page)))
        assert len(cells) > 5
        assert cells - there == set()


def test_the_code_of_the_page_gives_the_values_of_the_study(with_paper, monkeypatch, capsys):
    monkeypatch.chdir(with_paper.folder)
    (block,) = blocks(ROOT / "docs/how-to/write-a-paper.md", "python")
    everything = {}
    exec(compile(block.text, block.place, "exec"), everything)
    assert "relation_name" in capsys.readouterr().out
    assert set(everything["of_targets"]["agent"]) >= {"tiny-causal", "humans"}


def test_nothing_of_the_paper_is_made_by_a_run_without_it(finished, with_paper):
    assert not (finished.results / "paper").exists()
    assert with_paper.scheduled("paper") == {}
