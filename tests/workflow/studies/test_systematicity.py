"""The systematicity study of the toy: what a run leaves, with the authors' data and without."""

import polars as pl
import pytest
from relprobe.studies.systematicity.hyponyms import TEMPLATE

from tests.sources.lexical import tiny_wordnet
from tests.sources.lexical.tiny_wordnet import Synset
from tests.sources.made import systematicity_data as data
from tests.studies.systematicity.data.test_own_data import CATEGORIES


def test_a_run_leaves_a_page_with_all_agents_and_figures(finished):
    page = (finished.results / "systematicity/report.html").read_text()
    assert page.count("<svg") == len(list((finished.results / "systematicity/figures").glob("*.svg")))
    for text in (
        "LM Diagnostic Extended",
        "tiny-causal+control",
        "static",
        "majority",
        "Kinds of errors",
        "because the corpus says so",
    ):
        assert text in page


def test_every_agent_has_the_metrics_that_it_can_have(finished):
    averages = finished.table("systematicity/tables/averages.csv")
    metrics_of = {agent: set(rows["metric"]) for (agent,), rows in averages.group_by("agent")}
    paired = {"singular", "plural", "singular_plural"}
    opened, classified = {"open@1", "open@5"}, {"detection", "detection_partial"}
    sentences = {f"{name}_sentence" for name in (*paired, "contextual", "aggregate")}
    assert metrics_of == {
        "majority": {*paired, "contextual", "aggregate", "detection"},
        "nearest": paired,
        "static": paired | opened | classified,
        "tiny-vectors": paired | opened | classified,  # more static vectors, by `vectors`
        "tiny-masked": {*paired, *opened, *classified, "contextual", "aggregate"},
        "tiny-masked+control": paired | opened,
        "tiny-causal": {*paired, *opened, *classified, *sentences, "contextual", "aggregate"},
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
    assert set(detection["agent"]) == {"majority", "tiny-vectors", "static", "tiny-masked", "tiny-causal"}
    seeds = finished.config["systematicity"]["training"].get("seeds", 10)
    assert set(detection.filter(pl.col("agent") != "majority")["seeds"]) == {seeds}


def test_the_contrasts_of_the_paper_are_tested_within_every_agent(finished):
    contrasts = finished.table("systematicity/tables/contrasts.csv")
    pairs = {("singular", "plural"), ("detection", "detection_partial"), ("seen", "unseen")}
    pairs_by_agent = {agent: set(rows.select("a", "b").rows()) for (agent,), rows in contrasts.group_by("agent")}
    assert pairs_by_agent["static"] == pairs_by_agent["tiny-masked"] == pairs
    assert pairs_by_agent["tiny-causal"] == {*pairs, ("singular_sentence", "plural_sentence")}
    assert pairs_by_agent["tiny-masked+control"] == {("singular", "plural")}
    assert "majority" not in pairs_by_agent


def test_two_prompts_of_each_number_stand_beside_each_other(finished):
    prompts = finished.table("systematicity/tables/prompts.csv").filter(agent="tiny-causal", set="extended")
    assert prompts.select("number", "prompt", "example").rows() == [
        ("singular", "paper", "A wren is a [V]."),
        ("singular", "the", "The wren is a [V]."),
        ("plural", "paper", "wrens are [V]."),
        ("plural", "the", "The wrens are [V]."),
    ]
    averages = finished.table("systematicity/averages.parquet").filter(agent="tiny-causal", condition="extended")
    value = dict(averages.select("metric", "value").iter_rows())
    first = prompts.filter(prompt="paper")
    assert dict(first.select("number", "accuracy").iter_rows()) == {
        name: value[name] for name in ("singular", "plural")
    }
    pairs = finished.table("systematicity/tables/prompt_pairs.csv")
    assert pairs.filter(agent="tiny-masked", set="diagnostic").height == 6
    prompt_agents = set(finished.table("systematicity/tables/prompts.csv")["agent"])
    assert prompt_agents == {"tiny-masked", "tiny-causal"}  # a prompt changes nothing for static vectors


def test_the_choices_that_the_paper_leaves_open_stand_in_one_table(finished):
    table = finished.table("systematicity/tables/sensitivity.csv")
    choices_by_agent = {agent: set(rows["choice"]) for (agent,), rows in table.group_by("agent")}
    always = {"prompt", "article that gives a category away", "sentences"}
    assert always | {"score"} <= choices_by_agent["tiny-causal"]
    assert always <= choices_by_agent["tiny-masked"]
    assert "score" not in choices_by_agent["tiny-masked"] | choices_by_agent["static"]
    readings = table.filter(choice="sentences", agent="tiny-masked", set="diagnostic").row(0, named=True)
    assert readings["here"].startswith("mended")
    assert readings["hyponyms"] == readings["other_hyponyms"] == 3


def test_pairs_that_the_corpus_holds_in_the_pattern_are_counted(finished):
    """The robin of the diagnostic set, and the wren of the extended one; the barn is said to be a vehicle."""
    counts = finished.table("systematicity/occurrences.parquet")
    assert counts.select("hyponym", "category", "count").rows() == [("robin", "bird", 1), ("wren", "bird", 1)]
    table = finished.table("systematicity/tables/patterns.csv").filter(agent="static")
    assert table.select("set", "pairs_in", "pairs_out").rows() == [("diagnostic", 1, 2), ("extended", 1, 2)]


def test_own_hyponyms_take_the_place_of_the_others(study):
    (study.folder / "data/hyponyms.csv").write_text(TEMPLATE, encoding="utf-8")
    study.only("systematicity")
    study.configure(resources={**study.config["resources"], "own_hyponyms": {"path": "data/hyponyms.csv"}})
    study.set("systematicity", categories=CATEGORIES)
    study.finish("results/systematicity/pairs.parquet")
    assert set(study.table("systematicity/items.parquet")["set"]) == {"own"}
    plan = study.snakemake("--dry-run", "results/published.html")
    assert plan.returncode == 0, plan.stderr
    assert "results/published/systematicity" not in plan.stdout + plan.stderr  # the paper is about other words
    study.set("systematicity", categories={**CATEGORIES, "plants": ["tree", "flower"]})
    assert "has no hyponym of the category 'tree'" in study.error()


@pytest.mark.slow("it runs one more study to its page")
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
        vectors=None,
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
