"""docs/adding.md, followed step by step: its patches, prompts and tuples go into a study, which then has what they add."""

import re
import subprocess

import polars as pl
import pytest
import yaml

from tests.paths import ROOT

PAGE = (ROOT / "docs/adding.md").read_text()


def blocks(kind):
    return re.findall(rf"^```{kind}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def extended(relations, tmp_path_factory):
    """The relations study with the page's relation and metric, finished."""
    study = relations.copy(tmp_path_factory.mktemp("adding") / "study")
    for patch in blocks("diff"):
        subprocess.run(["patch", "-p1"], input=patch, cwd=study.folder, text=True, check=True, capture_output=True)
    entry, prompts = (block for block in blocks("yaml") if block.startswith("COO:"))
    six = (study.folder / "resources/relations/english-nouns.yaml").read_text()
    (study.folder / "data/seven.yaml").write_text(six + entry)
    study.set("relations", relations="data/seven.yaml")
    with (study.folder / "data/relations.yaml").open("a") as file:
        file.write(prompts)
    (tuples,) = blocks("csv")  # of words that the toy's models do not have, so there is one of theirs as well
    with (study.folder / "data/tuples.csv").open("a") as file:
        file.write(f"{tuples}wall,COO,wing\n")
    return study.finish()


def test_the_models_entry_of_the_page_is_a_valid_one():
    (entry,) = (yaml.safe_load(block) for block in blocks("yaml") if "huggingface" in block)
    assert set(entry["gpt2"]) <= {"type", "huggingface", "revision", "family", "size"}


def test_the_lists_and_files_that_the_page_names_are_there():
    files = [*ROOT.glob("workflow/rules/*.smk"), *ROOT.glob("workflow/scripts/relprobe/studies/*/show/declared*")]
    rules = "".join(path.read_text() for path in files if path.is_file())
    lists = set(re.findall(r"`([A-Z]+_[A-Z]+)`", PAGE)) - {"NAME_STEP"}
    assert len(lists) >= 5
    assert {name for name in lists if f"\n{name} = " not in rules} == set()
    files = set(re.findall(r"`((?:workflow|tests|docs|resources)/[\w./-]+)`", PAGE))
    assert {file for file in files if "NAME" not in file and not (ROOT / file).exists()} == set()


@pytest.mark.slow
def test_the_relation_is_probed_averaged_and_told_apart(extended):
    averages = extended.table("relations/averages.parquet").filter(relation="COO")
    assert {"soundness", "completeness", "symmetry", "distinguishability"} <= set(averages["metric"])
    models = {"tiny-masked", "tiny-causal", "tiny-few"}
    assert {*models, "tiny-list", "majority", "neighbours", "frequency"} <= set(averages["agent"])
    assert {f"{model}+without-target" for model in models} <= set(averages["agent"])
    assert "co-hyponymy" in (extended.results / "relations/figures/soundness.svg").read_text()
    assert "of 42 pairs" in (extended.results / "relations/figures/distinguishability_curves.svg").read_text()


@pytest.mark.slow
def test_the_metric_has_averages_tests_a_column_a_figure_and_a_section(extended):
    averages = extended.table("relations/averages.parquet").filter(metric="reciprocal_rank")
    assert averages.filter(pl.col("low").is_not_null()).height
    assert "reciprocal_rank" in extended.table("relations/tables/overview.csv").columns
    tests = extended.table("relations/tables/tests.csv").filter(metric="reciprocal_rank")
    assert set(tests["paper_test"]) == {"Wilcoxon"}
    assert tests["p"].null_count() < tests.height
    assert (extended.results / "relations/figures/reciprocal_rank.svg").is_file()
    assert 'id="reciprocal_rank"' in (extended.results / "relations/report.html").read_text()


@pytest.mark.slow
def test_what_was_there_stays_as_it_was(extended, relations):
    """The new relation and metric change no value of the others."""
    key = ["agent", "metric", "relation", "versus", "k"]
    before, after = (study.table("relations/averages.parquet").select(*key, "value") for study in (relations, extended))
    # The majority is made of the relatum sets, in which a word of two relations is dropped from both.
    plain = before.filter(pl.col("metric").is_in(["soundness", "symmetry", "asymmetry"]), pl.col("agent") != "majority")
    both = plain.join(after, on=key, nulls_equal=True, suffix="_now", how="left")
    assert both.filter(pl.col("value").ne_missing(pl.col("value_now"))).select(*key, "value", "value_now").rows() == []
