"""What the pages of studies say of a figure in words, and where the cells of their tables lead to, from small tables."""

import polars as pl
import pytest
from relprobe.report.exhibits import Table
from relprobe.report.page_words import words_of
from relprobe.report.shown import page_of
from relprobe.studies.degrees.tables import HERE
from relprobe.studies.pairs.schemas import ALL
from relprobe.studies.systematicity.measures import MEASURES

from tests.facts import WHOLE

WORDS = {study: words_of(study) for study in WHOLE}
TESTED = {"agent_a": "m", "agent_b": "n", "difference": 0.5}


def leads(study, table, row, column):
    """Return where a cell leads to, without the page of answers; None: nowhere."""
    likes = {exhibit.name: exhibit.like for exhibit in page_of(study).exhibits if isinstance(exhibit, Table)}
    address = WORDS[study].addresses[likes[table] or table](row, column)
    return address and address.removeprefix("../answers.html#")


DEFINITIONS_ROW = {"agent": "m", "part_of_speech": "noun", "W2D P@1": 0.5, "W2D RS": 0.5, "D2W P@1": None, "groups": 3}
CONFUSED = {"agent": "m", "task": "D2W", "word": "nod", "definition": "lower the head", "part_of_speech": "verb"}
ANALOGIES_ROW = {"agent": "m", "group": "all", "unsupervised reverse": 0.5, "supervised type": 0.5, "tuples": 9}
ANALOGIES_ROW |= {"unsupervised random": 0.5, "unsupervised type": None, "other reverse": 0.5, "unsupervised more": 0.5}
RELATIONS_ROW = {"agent": "annotator", "relation": "HYP", "soundness": 0.5, "symmetry@5": 0.5, "targets": 8}
RELATIONS_ROW |= {"completeness": None, "k": None}
SYSTEMATICITY_ROW = {"agent": "m", "set": "wordnet", "singular": 0.5, "open@5": 0.5, "singular_plural": 0.5}
SYSTEMATICITY_ROW |= {"plural": None, "hyponyms": 7, "singular_sentence": 0.5}


@pytest.mark.parametrize(
    ("study", "table", "row", "column", "view"),
    [
        ("definitions", "overview", DEFINITIONS_ROW, "W2D P@1", "group=W2D+nouns&a=m&k=1"),
        ("definitions", "overview", DEFINITIONS_ROW, "W2D RS", "group=W2D+nouns&a=m"),
        ("definitions", "overview", DEFINITIONS_ROW, "D2W P@1", None),
        ("definitions", "overview", DEFINITIONS_ROW, "groups", None),
        (
            "definitions",
            "overview",
            {**DEFINITIONS_ROW, "part_of_speech": "noun, rare"},
            "W2D RS",
            "group=W2D+nouns&a=m",
        ),
        (
            "definitions",
            "overview",
            {"agent": "m", "condition": "verb", "W2D RS": 1.0},
            "W2D RS",
            "group=W2D+verbs&a=m",
        ),
        ("definitions", "overview", {**DEFINITIONS_ROW, "part_of_speech": "small groups"}, "W2D P@1", None),
        (
            *("definitions", "confusions", CONFUSED, "word"),
            "group=D2W+verbs&a=m&probe=%E2%80%9Clower+the+head%E2%80%9D%3A+which+word%3F",
        ),
        ("definitions", "confusions", CONFUSED, "definition", None),
        (
            *("definitions", "tests", {**TESTED, "metric": "W2D P@1", "condition": "verb"}, "difference"),
            "group=W2D+verbs&a=m&b=n&k=1&show=a-not-b",
        ),
        ("definitions", "tests", {**TESTED, "metric": "W2D P@1", "condition": "verb"}, "p", None),
        ("definitions", "tests", {**TESTED, "metric": "W2D RS", "condition": "verb"}, "difference", None),
        ("definitions", "tests", {**TESTED, "metric": "W2D P@1", "condition": "noun, rare"}, "difference", None),
        ("analogies", "overview", ANALOGIES_ROW, "unsupervised reverse", "group=reverse&a=m&k=1"),
        ("analogies", "overview", ANALOGIES_ROW, "unsupervised random", "a=m&k=1"),
        *(("analogies", "overview", ANALOGIES_ROW, column, None) for column in (*list(ANALOGIES_ROW)[3:5], "tuples")),
        *(("analogies", "overview", ANALOGIES_ROW, column, None) for column in list(ANALOGIES_ROW)[-3:]),
        (
            *("analogies", "relations", {"agent": "m", "relation": "E08", "unsupervised reverse": 0.1}),
            *("unsupervised reverse", "group=reverse&prompt=E08+%28reverse%29&a=m&k=1"),
        ),
        (
            *("analogies", "tests", {**TESTED, "metric": "unsupervised reverse", "difference": -0.5}, "difference"),
            "group=reverse&a=n&b=m&k=1&show=a-not-b",
        ),
        ("analogies", "tests", {**TESTED, "metric": "supervised reverse"}, "difference", None),
        ("analogies", "tests", {**TESTED, "metric": "unsupervised reverse"}, "p", None),
        ("relations", "overview", RELATIONS_ROW, "soundness", "group=HYP&a=humans"),
        ("relations", "overview", RELATIONS_ROW, "symmetry@5", "group=HYP&a=humans&k=5"),
        ("relations", "overview", {**RELATIONS_ROW, "k": 3}, "soundness", "group=HYP&a=humans&k=3"),
        *(("relations", "overview", RELATIONS_ROW, column, None) for column in ("completeness", "targets", "agent")),
        (
            *("relations", "tests", {**TESTED, "relation": "HYP", "k": 5}, "difference"),
            "group=HYP&a=m&b=n&k=5&show=a-not-b",
        ),
        ("relations", "tests", {**TESTED, "relation": None, "k": None}, "difference", None),
        ("relations", "tests", {**TESTED, "relation": "HYP", "k": 5}, "p", None),
        (
            *("systematicity", "overview", SYSTEMATICITY_ROW, "singular"),
            "group=singular&prompt=wordnet+%28singular%29&a=m&k=1",
        ),
        ("systematicity", "overview", SYSTEMATICITY_ROW, "open@5", "group=open&prompt=wordnet+%28open%29&a=m&k=5"),
        *(("systematicity", "overview", SYSTEMATICITY_ROW, column, None) for column in list(SYSTEMATICITY_ROW)[5:]),
        *(
            ("systematicity", "overview", {**SYSTEMATICITY_ROW, "agent": agent}, "singular", None)
            for agent in ("majority", "nearest", "m+control")
        ),
        (
            *("systematicity", "tests", {**TESTED, "metric": "singular", "condition": "own"}, "difference"),
            "group=singular&prompt=own+%28singular%29&a=m&b=n&k=1&show=a-not-b",
        ),
        ("systematicity", "tests", {**TESTED, "metric": "singular_plural", "condition": "own"}, "difference", None),
        (
            *("systematicity", "tests", {**TESTED, "agent_b": "majority", "metric": "singular", "condition": "own"}),
            *("difference", None),
        ),
        ("systematicity", "tests", {**TESTED, "metric": "singular", "condition": "own"}, "p", None),
    ],
)
def test_where_a_cell_leads_to(study, table, row, column, view):
    assert leads(study, table, row, column) == view


@pytest.mark.parametrize(
    ("study", "names"),
    [
        (
            "analogies",
            {
                **{"random_head": "random (head)", "supervised random_tail": "supervised random (tail)", "All": "all"},
                **{"ES": "encyclopedic semantics", "ES unmarked": "encyclopedic semantics, unmarked"},
            },
        ),
        (
            "definitions",
            {
                **{"W2D P@1": "word to definition, precision at 1", "RS": "rank score", "D2W": "definition to word"},
                **{"w2d_random": "word to definition, random", "d2w_candidates": "definition to word, candidates"},
            },
        ),
        (
            "degrees",
            {
                **{"rho": "Spearman's ρ", "maxdiff_without_reversals": "MaxDiff accuracy without reversals"},
                **{
                    "rho_without_reversals_low": "Spearman's ρ without reversals, low",
                    "rho_high": "Spearman's ρ, high",
                },
                **{"negative_05": "subcategories with p < 0.05 and a negative ρ", "mean_rho": "mean of Spearman's ρ"},
            },
        ),
        ("pairs", {"ap": "average precision", "direction": "right direction", "ece": "calibration error"}),
        (
            "systematicity",
            {
                **{"open@1": "open vocabulary, first answer", "aggregate": "all three", "detection": "classifier"},
                **{"plural_sentence": "plural, full sentence", "verified_singular": "singular, verified"},
            },
        ),
    ],
)
def test_what_the_codes_of_a_study_are_called_on_its_page(study, names):
    assert {code: WORDS[study].names.get(code) for code in names} == names


def table(columns, *rows):
    return pl.DataFrame(rows, schema=columns.split(), orient="row")


ALONG = table(
    "series agent label variant condition metric value",
    ("m", "m", "0", "raw", "all", "rho", 0.0),
    ("m", "m", "2", "raw", "all", "rho", 0.25),
    ("m", "m", "0", "raw", "all", "ap", 0.5),
)
ALONG_LAYERS = "all: m from 0.000 (0) to 0.250 (2)."


def test_definitions_say_both_tasks_of_a_measure():
    rows = [("m", "noun", 0.5, None, 0.25, 8), ("n", "noun", 0.75, 0.1, 0.5, 8), ("m", "verb", 1.0, None, None, 4)]
    named = pl.DataFrame(
        rows, schema=["agent", "part_of_speech", "W2D P@1", "D2W P@1", "W2D RS", "groups"], orient="row"
    )
    assert WORDS["definitions"].words("precision", {"overview": named}) == (
        "word to definition, precision at 1: noun (8 groups): n 0.750, m 0.500. verb (4 groups): m 1.000. "
        "definition to word, precision at 1: noun (8 groups): n 0.100."
    )
    assert WORDS["definitions"].words("rank_score", {"overview": named}) == (
        "word to definition, rank score: noun (8 groups): n 0.500, m 0.250."
    )
    bands = named.rename({"part_of_speech": "condition"})
    assert (
        WORDS["definitions"]
        .words("frequency", {"frequency": bands, "overview": named})
        .startswith("word to definition, precision at 1: noun (8 groups): n 0.750, m 0.500.")
    )
    assert WORDS["definitions"].words("precision", {}) == ""


def test_analogies_say_the_accuracies_of_a_setting():
    rows = [("m", "all", 0.5, 0.25, 0.75, 9), ("n", "all", 0.25, None, None, 9)]
    columns = ["agent", "group", "unsupervised reverse", "unsupervised random", "supervised type", "tuples"]
    named = pl.DataFrame(rows, schema=columns, orient="row")
    tables = {"overview": named, "relations": named.rename({"group": "relation"}).head(1)}
    assert WORDS["analogies"].words("groups_unsupervised", tables) == (
        "random: all (9 tuples): m 0.250. reverse: all (9 tuples): m 0.500, n 0.250."
    )
    assert WORDS["analogies"].words("groups_supervised", tables) == "type: all (9 tuples): m 0.750."
    assert WORDS["analogies"].words("relations_unsupervised", tables) == (
        "random: all (9 tuples): m 0.250. reverse: all (9 tuples): m 0.500."
    )
    assert WORDS["analogies"].words("groups_unsupervised", {}) == ""
    assert WORDS["analogies"].words("layers_rho", {"series": ALONG}) == ALONG_LAYERS


def test_degrees_say_the_values_that_this_study_computed():
    overview = table(
        "agent from rho subcategories", ("m", "here", 0.5, 10), ("n", "here", 0.25, 10), ("m", "published", 0.9, 10)
    )
    said = WORDS["degrees"].words("rho", {"overview": overview.with_columns(pl.col("from").replace("here", HERE))})
    assert said == "rho (10 subcategories): m 0.500, n 0.250."
    classes = table(
        "agent from pairs part-whole attribute",
        ("m", HERE, "all", 0.5, 0.25),
        ("m", HERE, "reversed left out", 0.1, 0.1),
        ("n", "elsewhere", "all", 0.9, 0.9),
    )
    assert WORDS["degrees"].words("classes", {"classes": classes}) == "part-whole: m 0.500. attribute: m 0.250."
    assert WORDS["degrees"].words("rho", {}) == ""
    assert WORDS["degrees"].words("layers_rho", {"series": ALONG}) == ALONG_LAYERS


def test_systematicity_says_the_metrics_of_a_set():
    rows = [("wordnet", "m", 0.5, 0.25, 8), ("own", "m", 0.75, None, 4), ("wordnet", "n", 0.1, 0.5, 8)]
    overview = pl.DataFrame(rows, schema=["set", "agent", "singular", "plural", "hyponyms"], orient="row")
    titles = {metric.name: metric.title for metric in MEASURES}
    assert WORDS["systematicity"].words("accuracy_wordnet", {"overview": overview}) == (
        f"{titles['singular']}: wordnet (8 hyponyms): m 0.500, n 0.100. "
        f"{titles['plural']}: wordnet (8 hyponyms): n 0.500, m 0.250."
    )
    logprobs = table(
        "set category kind agent logprob hyponyms",
        ("wordnet", "bird", "singular", "m", -1.5, 3),
        ("wordnet", "bird", "plural", "m", -2.0, 3),
        ("own", "fish", "plural", "m", -3.0, 3),
    )
    assert WORDS["systematicity"].words("category_logprobs_wordnet", {"category_logprobs": logprobs}) == (
        "bird, singular (3 hyponyms): m −1.500. bird, plural (3 hyponyms): m −2.000."
    )
    rows = ("m", "partial", "words", 0.5, 6), ("n", "full", "words", 0.25, 6)
    detection = table("agent input setting accuracy pairs", *rows)
    assert WORDS["systematicity"].words("detection", {"detection": detection}) == (
        "words (6 pairs): m, hypernym alone 0.500, n 0.250."
    )
    for name in ("accuracy_wordnet", "category_logprobs_wordnet", "detection"):
        assert WORDS["systematicity"].words(name, {}) == ""
    assert WORDS["systematicity"].words("layers_rho", {"series": ALONG}) == ALONG_LAYERS


def test_pairs_call_conditions_by_their_names_along_layers_too():
    named = pl.DataFrame({"condition": ["all", "HYP"], "name": ["every pair", "hypernymy"]})
    assert WORDS["pairs"].words("layers_rho", {"series": ALONG, "data": named}) == ALONG_LAYERS.replace(
        "all", "every pair"
    )
    assert WORDS["pairs"].words("layers_rho", {"series": ALONG}) == ALONG_LAYERS


def test_pairs_say_the_panels_of_a_figure():
    rows = [("wordnet", ALL, "m", 0.5, 8), ("wordnet", "HYP", "m", 0.25, 8), ("wordnet", "HYP", "n", 0.75, 8)]
    foils = pl.DataFrame(rows, schema=["condition", "foils", "agent", "ap", "targets"], orient="row")
    assert WORDS["pairs"].words("foils", {"foils": foils}) == (
        "wordnet: all foils (8 targets): m 0.500. wordnet: HYP (8 targets): n 0.750, m 0.250."
    )
    assert WORDS["pairs"].words("foils", {}) == ""
