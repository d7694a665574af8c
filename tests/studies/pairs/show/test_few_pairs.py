"""Own files of which little or nothing can be computed: the study goes on to its sentences, which say why."""

import polars as pl
import pytest
from relprobe.core import unmade
from relprobe.sources.own.judged_pairs import read
from relprobe.stats.controls import beyond_controls
from relprobe.stats.side_by_side import AgentComparison
from relprobe.studies.pairs.data import own_pairs
from relprobe.studies.pairs.method import judgment_table, values
from relprobe.studies.pairs.page import finding, headline, words
from relprobe.studies.pairs.tables import by_foils, data, overview

from tests.studies.pairs.made import compare

NO_AP = "no average precision: no target has both a right pair and a foil"
AGENTS = ["m pmi", "yes"]


def study_of(folder, columns, *rows):
    """The tables of a page on a file with these columns after the words, where a model scores pairs by their place."""
    path = folder / "pairs.csv"
    path.write_text("\n".join([f"relation,target,candidate,{columns}", *(f"HYP,{row}" for row in rows)]))
    items, raters = own_pairs(read(path))
    pairs = list(items.select("relation", "first", "second").iter_rows())
    probes = pl.DataFrame(
        [(*pair, prompt) for prompt in ("is", "kind") for pair in pairs],
        schema=["relation", "first", "second", "prompt"],
        orient="row",
    )
    judged = [
        judgment_table("m pmi", {pair: float(place) for place, pair in enumerate(pairs)}, probes),
        judgment_table("yes", dict.fromkeys(pairs, 1.0), probes, yes=1.0),
    ]
    metrics = [values(table, items) for table in judged]
    compared = compare(metrics, items, raters, AgentComparison(["yes"]), seed=1)
    return {
        "overview": overview(compared.averages, AGENTS),
        "tests": compared.tests,
        "controls": beyond_controls(compared.tests, ["yes"]),
        "primary": compared.tables["primary"],
        "foils": by_foils(compared.averages),
        "data": data(items, {}),
    }


@pytest.mark.parametrize(
    ("columns", "rows", "reason"),
    [
        ("label", ["robin,bird,yes"], NO_AP),
        ("label", ["robin,bird,yes", "owl,bird,yes"], NO_AP),
        ("label", ["robin,wing,no", "owl,soup,no"], NO_AP),
        ("rating", ["robin,bird,3"], "no ρ: only 1 of the pairs has a rating"),
        ("rating", ["robin,bird,3", "owl,bird,2"], "no ρ: only 2 of the pairs have ratings"),
        ("rating", ["robin,bird,3", "owl,bird,3", "cat,soup,3"], "no ρ: all ratings are equal"),
        (
            "label,rater",
            ["robin,bird,yes,a", "robin,bird,no,b", "robin,wing,no,a", "robin,wing,no,b"],
            f"{NO_AP}; no ρ: only 2 of the pairs have ratings",
        ),
    ],
    ids=["one pair", "no foils", "nothing right", "one rating", "two ratings", "a constant", "raters of two minds"],
)
def test_what_cannot_be_computed_has_a_reason_on_the_page(tmp_path, columns, rows, reason):
    tables = study_of(tmp_path, columns, *rows)
    sentence = f"Nothing can be computed of what the models judge (own HYP: {reason})."
    assert tables["data"]["note"].to_list()[:1] == [reason]
    assert finding(tables, ["m"]).text == sentence
    assert headline(tables, ["m"]).sentences == (sentence,)
    assert not unmade.reasons(tables)
    assert tables["primary"].is_empty()


def test_ratings_alone_have_no_primary_test_and_their_sentences(tmp_path):
    """As in the how-to on own ratings: the order of the scores is that of rows sorted by their words, 2 of 3 pairs agree."""
    tables = study_of(tmp_path, "rating", "hammer,nail,7", "hammer,soup,1", "spoon,soup,6")
    assert not unmade.reasons(tables)
    assert tables["primary"].is_empty()
    assert tables["data"]["note"].to_list() == [None]
    row = tables["overview"].filter(agent="m pmi").row(0, named=True)
    assert row["rho"] == pytest.approx(-0.5)
    assert finding(tables, ["m"]).text.startswith("m pmi agrees with people's ratings with a Spearman's ρ of −0.50.")
    assert words("foils", tables) == ""  # its figure has no panel, and the page is made


def test_the_figure_of_foils_has_its_values_in_words_where_there_are_labels(tmp_path):
    assert words("foils", study_of(tmp_path, "label", "robin,bird,yes", "robin,wing,no")).startswith(
        "own HYP: all foils (1 "
    )
