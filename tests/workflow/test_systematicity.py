"""The systematicity study of the toy: what a run leaves, with the authors' data and without."""

import polars as pl
import pytest

from tests.sources import systematicity_data as data
from tests.sources import tiny_wordnet
from tests.sources.tiny_wordnet import Synset


def test_a_run_leaves_a_page_with_all_agents_and_figures(finished):
    page = (finished.results / "systematicity/report.html").read_text()
    assert page.count("<svg") == 5
    for text in ("LM Diagnostic Extended", "tiny-causal+control", "static", "majority", "Kinds of errors", "Wikipedia"):
        assert text in page


def test_every_agent_has_the_metrics_that_it_can_have(finished):
    averages = finished.table("systematicity/tables/averages.csv")
    metrics_of = {agent: set(rows["metric"]) for (agent,), rows in averages.group_by("agent")}
    paired = {"singular", "plural", "singular_plural"}
    opened, classified = {"open@1", "open@5"}, {"detection", "detection_partial"}
    slots = {"singular_slot", "plural_slot", "singular_plural_slot"}
    assert metrics_of == {
        "majority": {*paired, "contextual", "aggregate", "detection"},
        "static": paired | opened | classified,
        "tiny-masked": {*paired, *opened, *classified, "contextual", "aggregate"},
        "tiny-masked+control": paired | opened,
        "tiny-causal": {*paired, *opened, *classified, *slots, "contextual", "aggregate"},
        "tiny-causal+control": paired | opened,
    }
    assert set(averages["condition"]) == {"diagnostic", "extended", "seen", "unseen"}


def test_tables_hold_what_the_miniature_says(finished):
    overview = finished.table("systematicity/tables/overview.csv")
    majority = overview.row(by_predicate=(pl.col("agent") == "majority") & (pl.col("set") == "diagnostic"), named=True)
    assert majority["singular"] == pytest.approx(1 / 3)
    assert finished.table("systematicity/tables/overlap.csv").row(0, named=True)["released"] == 3
    parts = finished.table("systematicity/tables/parts.csv").filter(setting="unseen", fold=1).row(0, named=True)
    assert [parts[name] for name in ("train", "dev", "test")] == [8 * 3 * 2, 4 * 2, 4 * 2]
    detection = finished.table("systematicity/tables/detection.csv")
    assert set(detection["agent"]) == {"majority", "static", "tiny-masked", "tiny-causal"}
    seeds = finished.config["systematicity"]["training"].get("seeds", 10)
    assert set(detection.filter(pl.col("agent") != "majority")["seeds"]) == {seeds}


def test_the_contrasts_of_the_paper_are_tested_within_every_agent(finished):
    contrasts = finished.table("systematicity/tables/contrasts.csv")
    pairs = {("singular", "plural"), ("detection", "detection_partial"), ("seen", "unseen")}
    of_agent = {agent: set(rows.select("a", "b").rows()) for (agent,), rows in contrasts.group_by("agent")}
    assert of_agent["static"] == of_agent["tiny-masked"] == pairs
    assert of_agent["tiny-causal"] == {*pairs, ("singular_slot", "plural_slot")}
    assert of_agent["tiny-masked+control"] == {("singular", "plural")}
    assert "majority" not in of_agent


@pytest.mark.slow
def test_without_the_authors_data_the_items_come_from_wordnet(study):
    synsets = {category: Synset(category) for category in data.HYPONYMS} | {
        word: Synset(word, hypernyms=category) for category, words in data.HYPONYMS.items() for word in words
    }
    tiny_wordnet.write(study.folder / "data/wordnet", {**synsets, "fly": Synset("fly", hypernyms="bird insect")})
    study.only("systematicity")
    study.configure(
        models={"tiny-causal": study.config["models"]["tiny-causal"]},
        resources={"wordnet": {"path": "data/wordnet"}},
        lexicon=None,
    )
    study.set("systematicity", categories={"animals": ["bird", "insect"], "objects": ["vehicle", "building"]})
    jobs = study.scheduled()
    assert "systematicity_static" not in jobs
    study.finish("results/systematicity/report.html")
    items = study.table("systematicity/items.parquet").select("set", "category", "hyponym").rows()
    # A fly would have two answers.
    assert items == [
        ("wordnet", category, word) for category in data.HYPONYMS for word in sorted(data.HYPONYMS[category])
    ]
    assert "resources.systematicity" in (study.results / "systematicity/report.html").read_text()


def test_a_sentence_without_its_hyponym_ends_in_one_sentence(study):
    path = next((study.folder / "data").rglob("LM-Diagnostic-Extended/contextual.tsv"))
    path.write_text("car\tThe cart has four wheels .\tvehicle\n")
    assert "contextual.tsv, line 1: the sentence lacks 'car'" in study.error("results/systematicity/probes.parquet")
