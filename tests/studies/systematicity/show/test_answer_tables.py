"""Kinds of errors, examples, what was asked, the published figures and the page."""

from dataclasses import replace

import polars as pl
import pytest
from relprobe.core.claim import primary_of
from relprobe.core.errors import DataError
from relprobe.report.agent_styles import agent_styles
from relprobe.report.page import figure
from relprobe.report.published import compare_published, read
from relprobe.report.shown import page_of
from relprobe.report.study import sections
from relprobe.sources.lexical.wordnet import prepare
from relprobe.sources.systematicity import ITEMS
from relprobe.stats.averages import averages
from relprobe.stats.schemas import CONTROLS, TESTS
from relprobe.studies.systematicity import page as systematicity_page
from relprobe.studies.systematicity.analyses import categories, consistency, published
from relprobe.studies.systematicity.analyses import errors as kinds_of_errors
from relprobe.studies.systematicity.analyses import examples as examples_of_answers
from relprobe.studies.systematicity.analyses.categories import category_cells, category_logprobs
from relprobe.studies.systematicity.analyses.errors import ERRORS, error_kinds, kind
from relprobe.studies.systematicity.analyses.examples import examples, first_answers, several_tokens, with_ranking
from relprobe.studies.systematicity.analyses.overlap import TABLES as OVERLAPS
from relprobe.studies.systematicity.analyses.overlap import overlap
from relprobe.studies.systematicity.figures import accuracies
from relprobe.studies.systematicity.hyponyms import Choice
from relprobe.studies.systematicity.measures import MEASURES
from relprobe.studies.systematicity.method import Asking, probes
from relprobe.studies.systematicity.results import Settings
from relprobe.studies.systematicity.schemas import PAIRS
from relprobe.studies.systematicity.tables import diagnostics, omissions, overview, parts

from tests.sources.lexical.tiny_wordnet import Synset, reader_of
from tests.sources.lexical.tiny_wordnet import write as write_wordnet
from tests.sources.made.systematicity_data import ROOT
from tests.studies.systematicity.about import results
from tests.studies.systematicity.measure.test_metrics import (
    ITEM_ROWS,
    ITEMS_TABLE,
    MASKED,
    PAPER,
    PROBES_TABLE,
    closed,
    opened,
    responses,
    units,
)

SYNSETS = {
    "entity": Synset("entity"),
    "object": Synset("object", hypernyms="entity"),
    "whole": Synset("whole", hypernyms="object"),
    "living": Synset("organism", hypernyms="whole"),
    "animal": Synset("animal", hypernyms="living"),
    "vertebrate": Synset("vertebrate", hypernyms="animal"),
    "bird": Synset("bird", hypernyms="vertebrate"),
    "robin": Synset("robin", hypernyms="bird"),
    "vessel": Synset("vessel", hypernyms="vertebrate"),
    "boat": Synset("boat", hypernyms="vessel"),
    "steamboat": Synset("steamboat", hypernyms="boat"),
    "penknife": Synset("penknife", hypernyms="vessel"),
    "instrument": Synset("musical_instrument instrument", hypernyms="vessel"),
    "grand": Synset("grand_piano grand", hypernyms="instrument"),
    "mcintosh": Synset("McIntosh", hypernyms="bird"),
    "polly": Synset("Polly", instance_of="bird"),
}


@pytest.fixture(scope="module")
def wordnet(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wordnet")
    prepare(write_wordnet(folder / "original", SYNSETS), folder / "prepared")
    with reader_of(folder / "prepared") as reader:
        yield reader


@pytest.mark.parametrize(
    ("hyponym", "answer", "expected"),
    [
        ("robin", "robin", "hyponym"),
        ("robin", "Robin", "hyponym"),
        ("robin", "vertebrate", "hypernym"),  # five steps below entity
        ("robin", "animal", "generic"),  # four
        ("robin", "object", "generic"),
        ("robin", "noun", "generic"),
        ("penknife", "pen", "fragment"),
        ("penknife", "##knife", "fragment"),
        ("penknife", "pe", "unknown"),  # too short to be a word
        ("penknife", "nkn", "unknown"),  # inside of it
        ("steamboat", "boat", "hypernym"),  # a fragment, but a right one
        ("robin", "horse", "unknown"),
        ("xqzbirb", "bird", "unknown"),  # WordNet does not know it
        ("grand piano", "instrument", "hypernym"),
        ("grand piano", "musical instrument", "hypernym"),
        ("grand piano", "bird", "unknown"),
        ("grand piano", "Musical_Instrument", "hypernym"),
        ("grand piano", " musical  instrument ", "hypernym"),
        ("grand piano", "grand_piano", "hyponym"),
        ("Robin", "robin", "hyponym"),
        ("Penknife", "pen", "fragment"),
        ("Polly", "bird", "hypernym"),  # a name, which is an instance of what stands above it
        ("Polly", "vertebrate", "hypernym"),
        ("mcintosh", "bird", "hypernym"),  # a name in lower case, as five of the released hyponyms
    ],
)
def test_kinds_of_errors(wordnet, hyponym, answer, expected):
    assert kind(wordnet, hyponym, answer) == expected


def test_errors_are_counted_per_kind(wordnet):
    given = responses(opened("robin", "horse"), opened("trout", "fish"), opened("saw", "horse"))
    table = error_kinds(wordnet, {"m": given, "n": responses(opened("robin", "noun"))}, PROBES_TABLE, ITEMS_TABLE)
    assert table.select("agent", "kind", "errors", "share", "frequent", "frequent_share").rows() == [
        ("m", "unknown", 2, 1.0, "horse", 1.0),
        ("n", "generic", 1, 1.0, "noun", 1.0),
    ]
    assert table["examples"][0] == "robin: horse; saw: horse"


def test_errors_stand_by_set_agent_and_kind_in_their_orders(wordnet):
    """A set of WordNet stands before a user's own, though neither its name nor its items do."""
    items = pl.concat([ITEMS_TABLE.with_columns(set=pl.lit(name)) for name in ("own", "wordnet")])
    asked = probes(items, {"animals": ["bird", "fish"], "objects": ["tool"]}, Asking(PAPER))
    said = responses(opened("robin", "horse"), opened("trout", "noun"), opened("saw", "saw"))
    given = pl.concat(
        [said.with_columns(pl.col("probe_id").str.replace("extended", name)) for name in ("own", "wordnet")]
    )
    table = error_kinds(wordnet, {"n": given, "a": given}, asked, items)
    kinds = "hyponym", "generic", "unknown"
    assert table.select("set", "agent", "kind").rows() == [
        (set_name, agent, name) for set_name in ("wordnet", "own") for agent in "na" for name in kinds
    ]


def test_the_two_most_frequent_wrong_answers_of_a_kind_are_counted(wordnet):
    """Horse is the answer to two of the four, and goat and dog to one each; of these, dog is the first by name."""
    words = ["robin", "trout", "saw", "hammer"]
    about = [("extended", word, "bird", f"{word}s", "birds", None, None, None) for word in words]
    items = pl.DataFrame(about, schema=ITEMS, orient="row")
    asked = probes(items, {"animals": ["bird", "fish"]}, Asking(PAPER))
    given = responses(
        *(opened(word, wrong) for word, wrong in zip(words, ["horse", "goat", "horse", "dog"], strict=True))
    )
    row = error_kinds(wordnet, {"m": given}, asked, items).row(0, named=True)
    assert (row["kind"], row["errors"], row["frequent"], row["frequent_share"]) == ("unknown", 4, "horse", 0.5)
    assert (row["second"], row["second_share"]) == ("dog", 0.25)
    assert row["examples"] == "robin: horse; trout: goat; saw: horse"  # three, and the fourth is left out
    alone = error_kinds(wordnet, {"m": responses(opened("robin", "horse"))}, asked, items).row(0, named=True)
    assert (alone["frequent_share"], alone["second"], alone["second_share"]) == (1, None, None)


def test_an_error_is_the_first_answer_and_its_share_is_of_all_errors_of_the_agent(wordnet):
    given = responses(
        opened("robin", "animal", "bird"), opened("trout", "horse", "fish"), opened("saw", "goat", "tool")
    )
    table = error_kinds(wordnet, {"m": given}, PROBES_TABLE, ITEMS_TABLE)
    assert table.select("kind", "errors", "share", "examples").rows() == [
        ("generic", 1, pytest.approx(1 / 3), "robin: animal"),
        ("unknown", 2, pytest.approx(2 / 3), "trout: horse; saw: goat"),
    ]


def test_words_of_equal_scores_have_an_order_by_the_seed_and_the_probe_whatever_theirs():
    words, scores = ["bird", "fish", "tool", "building"], [-1.0, -2.0, -2.0, -2.0]
    names = [f"p{number}" for number in range(20)]
    table = pl.DataFrame({"probe_id": names, "words": [words] * 20, "scores": [scores] * 20})
    turned = pl.DataFrame({"probe_id": names, "words": [words[::-1]] * 20, "scores": [scores[::-1]] * 20})
    ranked = with_ranking(table, seed=1)["ranking"].to_list()
    assert with_ranking(turned, seed=1)["ranking"].to_list() == ranked
    assert with_ranking(table, seed=2)["ranking"].to_list() != ranked
    assert {ranking[0] for ranking in ranked} == {"bird"}
    assert {ranking[1] for ranking in ranked} == {"fish", "tool", "building"}
    clear = table.with_columns(scores=pl.Series([[-2.0, -1.0, -4.0, -3.0]] * 20))
    one = with_ranking(pl.concat([table.head(1), clear.slice(1, 1)]), seed=1)["ranking"].to_list()
    assert one == [ranked[0], ["fish", "bird", "building", "tool"]]


def test_a_category_that_is_no_word_of_the_vocabulary_makes_no_error(wordnet):
    given = responses(opened("robin", "horse", unknown=["bird"]), opened("trout", "horse", unknown=["bird"]))
    table = error_kinds(wordnet, {"m": given}, PROBES_TABLE, ITEMS_TABLE)
    assert table.select("kind", "errors", "examples").rows() == [("unknown", 1, "trout: horse")]


def test_examples_show_the_first_answers_and_whether_they_agree():
    rows = {
        row["hyponym"]: row for row in first_answers({"m": MASKED}, PROBES_TABLE, ITEMS_TABLE, 1).iter_rows(named=True)
    }
    assert rows["robin"] == {
        **{"set": "extended", "agent": "m", "hyponym": "robin", "category": "bird", "open": "robin, thing, bird"},
        **{"singular": "bird, fish, tool", "plural": "birds, fish, tools", "contextual": "bird, fish, tool"},
        "consistent": True,
    }
    assert rows["trout"]["plural"] == "fish, birds, tools"
    assert rows["trout"]["contextual"] is None
    assert [rows[word]["consistent"] for word in ("trout", "saw")] == [False, False]


def test_agents_without_scores_leave_tables_without_rows_and_a_figure_that_says_so(wordnet):
    asked = {"probes": PROBES_TABLE, "item_table": ITEMS_TABLE, "wordnet": wordnet}
    for analysis in (examples_of_answers, kinds_of_errors, categories):
        for name, make in analysis.TABLES.items():
            none, some = make(results(**asked)), make(results(**asked, scores={"m": MASKED}))
            assert (none.height, none.columns) == (0, some.columns), name
    drawn = category_cells(none, ["chatty"])
    assert [text.get_text() for text in drawn.texts] == ["No agent has log-probabilities of the categories."]


def test_a_causal_model_shows_what_it_answers_at_the_slot_as_all_agents_do():
    causal = responses(
        closed("singular", "robin", "slot", -4, -1, -2, -3),
        closed("singular", "robin", "sentence", -1, -2, -3, -4),
        closed("plural", "robin", "slot", -4, -1, -2, -3),
    )
    row = first_answers({"m": causal}, PROBES_TABLE, ITEMS_TABLE, 1).row(0, named=True)
    assert (row["singular"], row["consistent"]) == ("fish, tool, building", True)


def test_the_papers_examples_come_first_and_frequent_hyponyms_next():
    words = ["xylophone", "house", "bedbug", "time", "zither", "man", "robin", "day"]
    table = pl.DataFrame({"set": ["extended"] * 16, "hyponym": words * 2, "agent": ["m"] * 8 + ["n"] * 8})
    found = examples(table)
    assert found["hyponym"].unique(maintain_order=True).to_list() == ["robin", "bedbug", "time", "day", "man", "house"]
    assert found["agent"].to_list() == ["m", "n"] * 6


def test_candidates_of_several_tokens_are_told():
    row = ("extended:singular:robin", "slot", ["bird", "insect"], [-1.0, -2.0], [1, 2], [])
    assert several_tokens({"m": responses(row), "n": MASKED}).rows() == [("m", "insect", 2)]


def test_an_overview_has_a_column_per_metric_and_the_agents_in_order():
    means = averages({"z": units("singular", robin=1, saw=0), "a": units("open@1", robin=1)}, MEASURES)
    table = overview(means, ["z", "a"])
    assert table.columns == ["set", "agent", "open@1", "singular", "hyponyms", "answered", "own_hyponyms"]
    assert table.rows() == [("extended", "z", None, 0.5, 2, 2, False), ("extended", "a", 1.0, None, None, None, False)]


def test_an_overview_says_whose_average_is_over_other_hyponyms():
    words = [f"w{i}" for i in range(20)]
    one, two = (units("singular", **dict.fromkeys(words[:count], 1)) for count in (20, 19))
    few = units("singular", **dict.fromkeys(words[:2], 1))
    table = overview(averages({"all": one, "most": two, "few": few}, MEASURES), ["all", "most", "few"])
    counts = table.select("hyponyms", "answered", "own_hyponyms").rows()
    assert counts == [(20, 20, False), (19, 19, True), (2, 2, True)]


def test_diagnostics_are_counted_in_all_and_per_category():
    rows = diagnostics(ITEMS_TABLE).rows()
    assert rows[0] == ("extended", None, 3, 3, 2)
    assert ("extended", "fish", 1, 1, 0) in rows


def test_parts_are_counted_per_fold():
    rows = [
        ("seen", 1, part, hyponym, "b", label, 0, 0)
        for part, hyponym, label in (
            *(("train", "a", 1), ("train", "a", 0), ("dev", "c", 1)),
            *(("test", "d", 1), ("test", "e", 1), ("test", "e", 0)),
        )
    ]
    table = parts(pl.DataFrame(rows, schema=PAIRS, orient="row"))
    assert table.columns == ["setting", "fold", "train", "dev", "test", "true_in_test", "hyponyms"]
    assert table.rows() == [("seen", 1, 2, 1, 3, 2 / 3, 4)]


def test_overlap_wants_the_same_category():
    robin, trout = ITEM_ROWS[:2]
    built = pl.DataFrame([robin, (*trout[:2], "tool", *trout[3:])], schema=ITEMS, orient="row")
    counts = {row[0]: row[1:] for row in overlap(built, ITEMS_TABLE).iter_rows()}
    assert counts == {None: (2, 3, 1), "bird": (1, 1, 1), "fish": (0, 1, 0), "tool": (1, 1, 0)}


def test_the_hyponyms_of_wordnet_under_the_categories_of_a_run_stand_beside_the_released_ones(wordnet):
    """Of birds WordNet has a robin here, as names are no hyponyms; a run without it cannot say so."""
    settings = Settings({"animal": ["bird"]}, Choice(0), [], 1)
    other = ITEMS_TABLE.with_columns(set=pl.lit("diagnostic"), hyponym=pl.lit("wren"))
    run = results(wordnet=wordnet, item_table=pl.concat([ITEMS_TABLE, other]), settings=settings)
    rows = [(None, 1, 3, 1), ("bird", 1, 1, 1), ("fish", 0, 1, 0), ("tool", 0, 1, 0)]
    assert OVERLAPS["overlap"](run).rows() == rows
    with pytest.raises(DataError, match="hyponyms are built from WordNet: give it as --wordnet"):
        OVERLAPS["overlap"](replace(run, wordnet=None))


def test_what_is_left_out_is_said():
    (row,) = omissions(["systematicity", "static_vectors"]).rows()
    assert row[0] == "Pattern matching (section 3.4)"
    assert "give its text as resources.corpus" in row[1]
    assert omissions(["systematicity", "static_vectors", "corpus"]).is_empty()
    (own,) = omissions(["own_hyponyms", "systematicity", "static_vectors", "corpus"]).rows()
    assert own[1] == "Own hyponyms (resources.own_hyponyms) take their place."
    said = omissions([])["what"].to_list()
    assert len(said) == 3
    assert "Static vectors" in said


MEANS = averages({"majority": units("singular", **{f"w{i}": i < 132 for i in range(576)})}, MEASURES)
DETECTION = pl.DataFrame(
    {
        **{"setting": "unseen", "agent": "bert-base", "input": ["full", "partial"], "accuracy": [0.6, 0.5]},
        **{"sd": [0.01, 0.02], "false_positives": [0.8, 0.7], "pairs": 232, "folds": 3, "errors": 92.8},
        **{"low": [0.5, 0.4], "high": [0.7, 0.6]},
    }
)
CONSTANT = DETECTION.head(1).with_columns(agent=pl.lit("majority"), input=pl.lit("none"), accuracy=0.4)
"""The row of the majority, which reads no input."""


def rows_beside_published(*ours):
    """Return the published figures with ours, as (quantity, condition, agent) -> row."""
    table = compare_published(read(ROOT / "resources/published/systematicity.csv"), pl.concat(ours))
    return {(row["quantity"], row["condition"], row["agent"]): row for row in table.iter_rows(named=True)}


def test_our_values_stand_beside_the_published_ones():
    row_keys = {"set": "extended", "agent": "bert-base"}
    shares = {"both": 0.5, "singular_only": 0.25, "plural_only": 0.25, "neither": 0.0, "hyponyms": 4}
    kinds = {
        "kind": ["hyponym", "unknown"],
        "errors": [2, 8],
        "share": [0.2, 0.8],
        "frequent_share": [0.1, 0.25],
        "second_share": [0.05, 0.125],
    }
    sizes = pl.DataFrame({"setting": "unseen", "fold": 1, "train": 6164, "dev": 206, "test": 232})
    value = rows_beside_published(
        published.accuracies(MEANS),
        consistency.ours(pl.DataFrame({**row_keys, **shares})),
        *kinds_of_errors.ours(pl.DataFrame({**row_keys, **kinds})),
        *published.detection(pl.concat([DETECTION, CONSTANT])),
        published.folds(sizes),
        published.probes(diagnostics(ITEMS_TABLE)),
    )
    assert value["singular accuracy (%)", "extended", "majority"]["difference"] == pytest.approx(0, abs=0.01)
    assert value["right in both numbers (%)", "extended", "bert-base"]["ours"] == 50
    assert value["errors: the hyponym itself (%)", "extended", "bert-base"]["difference"] == 10
    horse = value["most frequent answer of the unknown errors (%)", "extended", "bert-base"]
    assert (horse["value"], horse["ours"]) == (17.6, 25)
    dog = value["second most frequent answer of the unknown errors (%)", "extended", "bert-base"]
    assert (dog["value"], dog["ours"]) == (11.8, 12.5)
    assert value["detection accuracy (%)", "unseen", "bert-base"]["ours"] == pytest.approx(60)
    detected = value["detection accuracy (%)", "unseen", "bert-base"]
    assert (detected["n"], detected["units"]) == (232, "pairs")
    assert (detected["ours_low"], detected["ours_high"]) == (pytest.approx(50), pytest.approx(70))
    false = value["detection errors that are false positives (%)", "unseen", "bert-base"]
    assert (false["n"], false["units"]) == (93, "errors")  # the mean over the seeds is 92.8
    assert (horse["n"], horse["units"]) == (8, "unknown errors")
    itself = value["errors: the hyponym itself (%)", "extended", "bert-base"]
    assert (itself["n"], itself["units"]) == (10, "errors")
    assert value["singular probes", "extended", None]["n"] is None
    assert value["detection accuracy, hypernym alone (%)", "unseen", "bert-base"]["ours"] == pytest.approx(50)
    assert value["detection standard deviation (%)", "unseen", "bert-base"]["ours"] == pytest.approx(1)
    assert value["detection errors that are false positives (%)", "unseen", "bert-base"]["ours"] == pytest.approx(80)
    assert value["singular probes", "extended", None]["ours"] == 3
    assert value["train pairs", "unseen, fold 1", None]["difference"] == 0


def test_a_run_without_any_error_has_no_kinds_of_errors(wordnet):
    given = responses(opened("robin", "horse", unknown=["bird"]))
    none = error_kinds(wordnet, {"m": given}, PROBES_TABLE, ITEMS_TABLE)
    assert none.schema == ERRORS
    assert all(table.is_empty() for table in kinds_of_errors.ours(none))


def test_built_items_have_none_of_the_figures_of_the_released_splits(wordnet):
    items = ITEMS_TABLE.with_columns(set=pl.lit("wordnet"))
    run_files = {"probes": PROBES_TABLE, "averages": MEANS, "detection": DETECTION, "wordnet": wordnet}
    built = rows_beside_published(published.ours(results(item_table=items, **run_files)))
    split_rows = [row for row in built.values() if row["where"] in ("Table 4", "Section 4", "Table 5", "Table 6")]
    assert len(split_rows) == 19 + 18  # Table 4 with section 4; three folds of three parts in both settings
    assert {row["ours"] for row in split_rows} == {None}


def test_a_category_without_an_answer_has_an_empty_cell():
    """An answer that is missing looks like no probability at all; 0 would mean certainty."""
    rows = [("bird", "singular", -2.0, 7), ("bird", "plural", -1.0, 7), ("fish", "singular", -3.0, 1)]
    logprobs = pl.DataFrame(rows, schema=["category", "kind", "logprob", "hyponyms"], orient="row")
    singular, plural = category_cells(logprobs.with_columns(agent=pl.lit("m")), ["m"], "own").axes
    assert [text.get_text() for text in singular.texts] == ["−2.0", "−3.0"]
    assert [text.get_text() for text in plural.texts] == ["−1.0", ""]
    assert [label.get_text() for label in plural.get_xticklabels()] == ["bird (7)", "fish (0)"]
    assert [cell.get_facecolor()[3] for cell in plural.patches] == [1.0, 0.0]
    assert plural.patches[0].get_url() == "../answers.html#group=plural&prompt=own+%28plural%29&a=m&k=1"


def test_a_control_is_an_outline_in_the_row_of_its_model():
    row = {"metric": "singular", "condition": "own", "low": None, "high": None, "units": 7, "own_units": False}
    rows = [
        row | {"agent": agent, "value": value} for agent, value in (("m", 0.75), ("m+control", 0.25), ("majority", 0.5))
    ]
    styles = agent_styles({"m": "masked", "majority": "control", "m+control": "control"}, {})
    (axis,) = [one for one in accuracies(pl.DataFrame(rows), styles, "own").axes if one.get_visible()]
    assert axis.get_title(loc="left") == "singular (n = 7)"
    assert [label.get_text() for label in axis.get_yticklabels()] == ["m", "majority"]
    points = [(line.get_xdata()[0], line.get_ydata()[0], line.get_markerfacecolor()) for line in axis.get_lines()]
    assert points == [(0.75, 0, "#0072b2"), (0.5, 1, "#808080"), (0.25, 0, "white")]
    assert [line.get_url() is None for line in axis.get_lines()] == [False, True, True]


def test_the_page_shows_no_empty_tables(tmp_path):
    tables = {
        "overview": pl.DataFrame({"set": ["extended"], "agent": ["m"]}),
        "tokens": pl.DataFrame({"agent": [], "word": [], "tokens": []}),
        "errors": pl.DataFrame({"kind": ["x"]}),
    }
    (tmp_path / "accuracy_extended.svg").write_text("<svg></svg>")
    (tmp_path / "detection.svg").write_text("<svg></svg>")
    shown = page_of("systematicity").exhibits
    figures = {name: figure(tmp_path / f"{name}.svg") for name in ("accuracy_extended", "detection")}
    page = sections(shown, tables, figures, systematicity_page.WORDS)
    assert [section.id for section in page] == ["accuracy_extended", "table-overview", "detection", "table-errors"]
    assert page[0].title == "Accuracy: LM Diagnostic Extended"


def test_log_probabilities_are_those_of_the_right_category():
    table = category_logprobs({"m": MASKED}, PROBES_TABLE, ITEMS_TABLE)
    found = {(row["category"], row["kind"]): row["logprob"] for row in table.iter_rows(named=True)}
    assert found == {
        ("bird", "singular"): -1,
        ("bird", "plural"): -1,
        ("fish", "singular"): -2,
        ("fish", "plural"): -1,
        ("tool", "singular"): -1,
        ("tool", "plural"): -2,
    }
    unwritten = pl.col("scores").list.eval(pl.when(pl.element() == -1).then(float("nan")).otherwise(pl.element()))
    lost = category_logprobs({"m": MASKED.with_columns(unwritten)}, PROBES_TABLE, ITEMS_TABLE)
    assert [*lost.select("category", "kind").iter_rows()] == [("fish", "singular"), ("tool", "plural")]


def test_the_hyponyms_that_are_built_and_released_are_counted_by_category():
    """The category with most released ones first, then by name; all of them stand above."""
    names = ["hyponym", "category"]
    built = pl.DataFrame(
        [("robin", "bird"), ("wren", "bird"), ("cod", "fish"), ("saw", "tool")], schema=names, orient="row"
    )
    released = pl.DataFrame(
        [("robin", "bird"), ("cod", "fish"), ("eel", "fish"), ("elm", "tree")], schema=names, orient="row"
    )
    assert overlap(built, released).rows() == [
        (None, 4, 4, 2),
        ("fish", 1, 2, 1),
        ("bird", 2, 1, 1),
        ("tree", 0, 1, 0),
        ("tool", 1, 0, 0),
    ]


def test_candidates_of_several_tokens_are_listed_once_by_agent_and_word():
    words, tokens = [["wren", "hippopotamus", "aardvark"]], [[1, 3, 2]]
    slots = pl.DataFrame({"method": ["slot"], "words": words, "tokens": tokens})
    sentences = slots.with_columns(method=pl.lit("sentence"), tokens=pl.Series([[9, 9, 9]]))
    table = several_tokens({"n": slots.head(1), "m": pl.concat([slots, slots, sentences])})
    assert table.rows() == [
        ("m", "aardvark", 2),
        ("m", "hippopotamus", 3),
        ("n", "aardvark", 2),
        ("n", "hippopotamus", 3),
    ]


def test_what_is_printed_of_the_classifiers_has_its_numbers():
    names = [
        "agent",
        "input",
        "setting",
        "accuracy",
        "low",
        "high",
        "sd",
        "pairs",
        "folds",
        "errors",
        "false_positives",
    ]
    rows = [
        ("m", "full", "seen", 0.5, 0.4, 0.6, 0.05, 60, 10, 7, 0.25),
        ("m", "partial", "unseen", 0.6, 0.5, 0.7, 0.1, 50, 9, 8, 0.75),
    ]
    columns = ["quantity", "condition", "agent", "ours", "ours_low", "ours_high", "n", "units"]
    found = pl.concat(published.detection(pl.DataFrame(rows, schema=names, orient="row")))
    alone = ", hypernym alone"
    assert found.select(columns).rows() == [
        ("detection accuracy (%)", "seen", "m", 50, 40, 60, 60, "pairs"),
        (f"detection accuracy{alone} (%)", "unseen", "m", 60, 50, 70, 50, "pairs"),
        ("detection standard deviation (%)", "seen", "m", 5, None, None, 10, "folds"),
        (f"detection standard deviation{alone} (%)", "unseen", "m", 10, None, None, 9, "folds"),
        ("detection errors that are false positives (%)", "seen", "m", 25, None, None, 7, "errors"),
        (f"detection errors that are false positives{alone} (%)", "unseen", "m", 75, None, None, 8, "errors"),
    ]


def test_the_finding_is_of_the_primary_claim_where_a_run_has_its_metric():
    claim = primary_of(systematicity_page.CLAIMS)
    values = pl.DataFrame({"agent": ["m", "n"], "set": ["s", "s"], claim.metric: [0.75, 0.25]})
    tests, controls = (pl.DataFrame(schema={**kind, "condition": pl.String()}) for kind in (TESTS, CONTROLS))
    tables = {"overview": values, "tests": tests, "controls": controls}
    found = systematicity_page.finding(tables, ["m", "n"])
    assert found.agent == "m"
    assert "75 of 100" in found.text
    none = systematicity_page.finding({**tables, "overview": values.drop(claim.metric)}, ["m", "n"])
    assert none.text == systematicity_page.NO_ANSWER


def two_sets(set_name):
    """The items of another set, after those of the first one, and the probes of both."""
    items = pl.concat([ITEMS_TABLE.with_columns(set=pl.lit(name)) for name in set_name])
    return items, probes(items, {"animals": ["bird", "fish"], "objects": ["tool", "building"]}, Asking(PAPER))


def test_errors_stand_by_set_agent_and_kind_with_their_shares_of_the_errors_of_an_agent_in_a_set(wordnet):
    items, asked = two_sets(["extended", "diagnostic"])
    turned = pl.concat(
        [opens("extended", robin="horse", trout="robin", saw="saw"), opens("diagnostic", robin="animal")]
    )
    scores = {"z": turned, "a": opens("extended", robin="robin", saw="horse", trout="goat")}
    run = results(item_table=items, probes=asked, scores=scores, wordnet=wordnet)
    table = kinds_of_errors.TABLES["errors"](run)
    assert table.select("set", "agent", "kind", "errors", "examples").rows() == [
        ("diagnostic", "z", "generic", 1, "robin: animal"),
        ("extended", "z", "hyponym", 1, "saw: saw"),
        ("extended", "z", "unknown", 2, "robin: horse; trout: robin"),
        ("extended", "a", "hyponym", 1, "robin: robin"),
        ("extended", "a", "unknown", 2, "saw: horse; trout: goat"),
    ]
    kinds, unknown = kinds_of_errors.ours(table)
    unknown_rows = kinds.filter(quantity="errors: unknown (%)").select("condition", "agent", "ours", "n").rows()
    assert unknown_rows == [("extended", agent, pytest.approx(200 / 3), 3) for agent in ("z", "a")]
    assert unknown.filter(agent="z").select("quantity", "ours", "n").rows() == [
        ("most frequent answer of the unknown errors (%)", 50, 2),
        ("second most frequent answer of the unknown errors (%)", 50, 2),
    ]
    with pytest.raises(DataError, match="give it as --wordnet"):
        kinds_of_errors.TABLES["errors"](results(item_table=items, probes=asked, scores=scores))


def opens(set_name, **words):
    """Scores of the first answers, each before two words more."""
    rows = [opened(word, answer, "thing", "bird") for word, answer in words.items()]
    return responses(*((row[0].replace("extended", set_name), *row[1:]) for row in rows))


def test_a_name_in_lower_case_alone_has_the_senses_of_the_name(tmp_path):
    synsets = SYNSETS | {
        "mac": Synset("Big_Mac", instance_of="boat"),
        "name": Synset("Robin", instance_of="boat"),
    }
    prepare(write_wordnet(tmp_path / "original", synsets), tmp_path / "prepared")
    with reader_of(tmp_path / "prepared") as reader:
        assert kind(reader, "big mac", "boat") == "hypernym"  # a name of two words
        assert kind(reader, "robin", "boat") == "unknown"  # the bird has a sense of its own
        assert kind(reader, "Robin", "boat") == "hypernym"
        assert kind(reader, "Bird", "vertebrate") == "unknown"  # no name, and not in lower case


def test_our_values_are_those_of_every_analysis_and_of_the_released_splits(wordnet):
    """With the extended set, the classifiers and the folds are compared as well."""
    rows = [("unseen", 1, "train", "robin", "bird", 1, 0, 0), ("unseen", 1, "test", "saw", "tool", 1, 0, 0)]
    pairs = pl.DataFrame(rows, schema=PAIRS, orient="row")
    run_files = {"probes": PROBES_TABLE, "averages": MEANS, "detection": DETECTION, "wordnet": wordnet, "pairs": pairs}
    both = pl.concat([units("singular", robin=1, saw=0), units("plural", robin=1, saw=1)])
    run = results(item_table=ITEMS_TABLE, metrics={"bert-base": both}, scores={"bert-base": MASKED}, **run_files)
    found = published.ours(run)
    assert {
        "singular accuracy (%)",
        "detection accuracy (%)",
        "right in both numbers (%)",
        "errors: the hyponym itself (%)",
        "train pairs",
        "contextual probes",
    } <= set(found["quantity"])
    assert found.filter(quantity="plural probes")["ours"].to_list() == [3]
    assert found.filter(quantity="contextual probes")["ours"].to_list() == [2]
    assert found.filter(quantity="test pairs")["ours"].to_list() == [1]
    printed = published.TABLES["published"](
        replace(run, published=read(ROOT / "resources/published/systematicity.csv"))
    )
    row = printed.filter(quantity="train pairs", condition="unseen, fold 1").row(0, named=True)
    assert (row["value"], row["ours"]) == (6164, 1)
    # The analyses stand in the order of their names, whichever was imported first.
    quantities = found["quantity"].unique(maintain_order=True).to_list()
    order = [
        "singular accuracy (%)",
        "right in both numbers (%)",
        "errors: the hyponym itself (%)",
        "detection accuracy (%)",
    ]
    assert [name for name in quantities if name in order] == order
    built = published.ours(results(item_table=ITEMS_TABLE.with_columns(set=pl.lit("wordnet")), **run_files))
    assert not [name for name in built["quantity"] if name.startswith(("detection", "train pairs"))]


def test_the_share_of_true_pairs_is_that_of_the_test_alone():
    """Of three pairs in the test one is true; of those in training none is, and of those in development all are."""
    rows = [("seen", 1, "train", "a", "b", 0, 0, 0), ("seen", 1, "dev", "c", "b", 1, 0, 0)]
    rows += [("seen", 1, "test", word, "b", label, 0, 0) for word, label in (("d", 1), ("e", 0), ("f", 0))]
    assert parts(pl.DataFrame(rows, schema=PAIRS, orient="row")).rows() == [("seen", 1, 1, 1, 3, 1 / 3, 5)]


def test_a_figure_in_words_has_the_metrics_that_are_drawn():
    values = {"singular": 0.75, "singular_sentence": 0.5, "hyponyms": 4, "plural": None}
    overview_table = pl.DataFrame([{"set": "own", "agent": "m", **values}, {"set": "wordnet", "agent": "n", **values}])
    said = systematicity_page.words("accuracy_own", {"overview": overview_table})
    assert said == "singular: own (4 hyponyms): m 0.750."
    for name, given in (("accuracy_own", {}), ("other_own", {"overview": overview_table}), ("detection", {})):
        assert systematicity_page.words(name, given) == ""
    assert systematicity_page.words("detection", {"detection": pl.concat([DETECTION, CONSTANT])}) == (
        "unseen (232 pairs): bert-base 0.600, bert-base, hypernym alone 0.500, majority 0.400."
    )
    assert systematicity_page.words("other", {"detection": DETECTION, "other": DETECTION}) == ""


def test_cells_of_models_and_vectors_lead_to_their_answers_and_those_of_controls_nowhere():
    cell_address, test_address = (systematicity_page.ADDRESSES[name] for name in ("overview", "tests"))
    row = {"set": "own", "agent": "m", "singular": 0.5, "plural": None, "hyponyms": 3}
    assert "a=m" in cell_address(row, "singular")
    assert "own" in cell_address(row, "singular")
    for changed, column in (({}, "plural"), ({}, "hyponyms"), ({"agent": "majority"}, "singular")):
        assert cell_address(row | changed, column) is None
    for agent in ("nearest", "m+control"):
        assert cell_address(row | {"agent": agent}, "singular") is None
    assert "a=static" in cell_address(row | {"agent": "static"}, "singular")
    test = {"agent_a": "m", "agent_b": "n", "metric": "singular", "condition": "own", "difference": -0.25}
    address = test_address(test, "difference")
    assert "a=n&" in address
    assert "b=m" in address
    assert "group=singular" in address
    assert (
        test_address(test | {"metric": "singular_plural"}, "difference") is None
    )  # a pair of probes has no view of its own
    assert test_address(test, "metric") is None
    for side in ("agent_a", "agent_b"):
        assert test_address(test | {side: "majority"}, "difference") is None


def test_the_figure_of_the_categories_is_said_in_words_set_by_set():
    rows = [
        ("own", "m", "bird", "singular", -2.0, 7),
        ("own", "n", "bird", "singular", -1.0, 7),
        ("wordnet", "m", "fish", "plural", -3.0, 2),
    ]
    names = ["set", "agent", "category", "kind", "logprob", "hyponyms"]
    tables = {"category_logprobs": pl.DataFrame(rows, schema=names, orient="row")}
    assert categories.words("category_logprobs_own", tables) == "bird, singular (7 hyponyms): n −1.000, m −2.000."
    assert categories.words("category_logprobs_wordnet", tables) == "fish, plural (2 hyponyms): m −3.000."
    assert categories.words("accuracy_own", tables | {"accuracy": tables["category_logprobs"]}) == ""
    assert categories.words("category_logprobs_own", {}) == ""
