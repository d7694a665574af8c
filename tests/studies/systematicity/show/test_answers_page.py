"""The page of answers."""

from math import exp, log

import polars as pl
import pytest
from relprobe.sources.systematicity import ITEMS
from relprobe.studies.systematicity.schemas import PROBES, SCORES
from relprobe.studies.systematicity.tables import OPEN, agents, category_choices, gold, sentences

from tests.studies.systematicity.ask.test_choices import CHOSEN


def test_the_answers_page_has_the_shares_of_the_chosen_categories():
    names = [("own", kind, "robin", f"own:{kind}:robin", True) for kind in ("singular", "plural", "contextual")]
    probes = pl.DataFrame(names, schema=["set", "kind", "hyponym", "probe_id", "main"], orient="row")
    mumbled = CHOSEN.with_columns(
        choice=pl.when(pl.col("kind") == "contextual", pl.col("order") == 2).then(pl.lit("")).otherwise("choice")
    )
    assert category_choices(mumbled, probes).rows() == [
        ("own:contextual:robin", 1, "bird", 0.75),
        ("own:plural:robin", 1, "birds", 0.75),
        ("own:plural:robin", 2, "fish", 0.25),
        ("own:singular:robin", 1, "bird", 0.75),
        ("own:singular:robin", 2, "fish", 0.25),
    ]


ROBIN = pl.DataFrame([{"set": "own", "hyponym": "robin", "category": "bird", "category_plural": "birds"}], schema=ITEMS)


def test_the_right_category_is_in_the_number_that_a_probe_asks_for():
    birds = {("singular", "bird"), ("contextual", "bird"), ("plural", "birds"), (OPEN, "bird")}
    found = gold(pl.concat([ROBIN, ROBIN.with_columns(set=pl.lit("other"))]))
    assert set(found.select("group", "word").iter_rows()) == birds
    assert set(found["target"]) == {"robin"}
    assert found.height == len(birds)
    assert set(found["source"]) == {"own"}


def test_the_page_has_the_probes_of_its_items_and_the_main_singular_ones_twice():
    about = {"set": "own", "hyponym": "robin", "prompt": "is", "main": True, "text": "A robin is a [V]."}
    rows = [
        {**about, "probe_id": "s", "kind": "singular"},
        {**about, "probe_id": "s:kind", "kind": "singular", "prompt": "kind", "main": False},
        {**about, "probe_id": "p", "kind": "plural", "text": "Robins are [V]."},
        {**about, "probe_id": "c", "kind": "control_singular"},
        {**about, "probe_id": "o", "kind": "singular", "hyponym": "wren"},
        {**about, "probe_id": "n", "kind": "singular", "set": "new"},
    ]
    found = sentences(pl.DataFrame(rows, schema=PROBES), ROBIN)
    assert found.select("probe_id", "group", "prompt_id", "text").rows() == [
        ("s", "singular", "own (singular)", "A robin is a …."),
        ("s:kind", "singular", "own (singular, prompt kind)", "A robin is a …."),
        ("p", "plural", "own (plural)", "Robins are …."),
        (f"{OPEN}:s", OPEN, f"own ({OPEN})", "A robin is a …."),
    ]
    assert found["target"].unique().to_list() == ["robin"]
    assert found["zipf"].is_between(2, 5).all()


def test_candidates_are_ranked_and_shares_are_taken_from_the_best_one_on():
    """Of twelve candidates ten are shown; open answers have their own probabilities; controls are not shown."""
    row = {"set": "own", "prompt": "paper", "main": True, "hyponym": "robin", "word": "robin", "text": "", "texts": []}
    kinds = ("singular", "plural", "control_singular")
    probes = pl.DataFrame([row | {"probe_id": kind, "kind": kind, "candidates": ["bird"]} for kind in kinds], PROBES)
    many = [f"c{place:02}" for place in range(12)]
    answered = [
        ("singular", "slot", ["fish", "bird", "tree"], [-1001.0, -1000.0, -1001.0]),
        ("singular", "sentence", ["fish", "bird"], [-1.0, -2.0]),
        ("singular", "open", ["worm", "bird"], [log(0.5), log(0.25)]),
        ("plural", "slot", many, [-1.0] * 12),
        ("control_singular", "slot", ["bird", "fish"], [-1.0, -2.0]),
    ]
    names = ("probe_id", "method", "words", "scores")
    scores = pl.DataFrame(
        [dict(zip(names, values, strict=True)) | {"tokens": [], "unknown": []} for values in answered], schema=SCORES
    )
    model, vectors = agents({"m": scores, "v": scores}, probes, ROBIN, ["v"])
    assert (model.name, vectors.name) == ("m", "v")
    found = model.answers.filter(pl.col("probe_id") != "plural").sort("probe_id", "rank")
    whole = 1 + 2 * exp(-1)
    assert found.select("probe_id", "rank", "word").rows() == [
        *[(f"{OPEN}:singular", 1, "worm"), (f"{OPEN}:singular", 2, "bird")],
        *[("singular", 1, "bird"), ("singular", 2, "fish"), ("singular", 3, "tree")],
    ]
    assert found["weight"].to_list() == pytest.approx([0.5, 0.25, 1 / whole, exp(-1) / whole, exp(-1) / whole])
    plural = model.answers.filter(probe_id="plural").sort("rank")
    assert (plural["word"].to_list(), plural["rank"].to_list()) == (many[:10], [*range(1, 11)])
    assert plural["weight"].to_list() == pytest.approx([1 / 12] * 10)
    assert vectors.answers.drop("weight").equals(model.answers.drop("weight"))
    assert vectors.answers["weight"].null_count() == vectors.answers.height


def test_a_category_that_is_far_behind_has_no_share_and_none_is_beyond_all_numbers():
    """Shares are taken from the best one on: of −1 and −2000 the first has all."""
    row = {"probe_id": "p", "method": "slot", "words": ["bird", "fish"], "scores": [-1.0, -2000.0], "tokens": []}
    about = {"probe_id": "p", "set": "own", "kind": "singular", "hyponym": "robin", "prompt": "is", "main": True}
    scores = pl.DataFrame([{**row, "unknown": []}], schema=SCORES)
    (found,) = agents({"m": scores}, pl.DataFrame([about], schema=PROBES), ROBIN)
    assert found.answers.select("word", "weight").rows() == [("bird", 1.0), ("fish", 0.0)]


def test_shares_are_of_the_answers_to_each_sentence():
    """The robin has four answers, and the trout two: one of these is a half."""
    probes = pl.DataFrame(
        [("own", "singular", word, f"own:singular:{word}", True) for word in ("robin", "trout")],
        schema=["set", "kind", "hyponym", "probe_id", "main"],
        orient="row",
    )
    few = CHOSEN.filter((pl.col("hyponym") == "robin") | (pl.col("order") < 3)).with_columns(
        choice=pl.when(pl.col("hyponym") == "trout", pl.col("order") == 1).then(pl.lit("bird")).otherwise("choice")
    )
    found = category_choices(few, probes).filter(probe_id="own:singular:trout")
    rows = few.filter(task="complete", kind="singular", hyponym="trout")["choice"].to_list()
    assert len(rows) == 2
    assert found.select("rank", "word", "weight").rows() == [(1, "bird", 0.5), (2, rows[1], 0.5)]
