"""Every column of every table, on a run of two sets whose rows stand in another order than those of the report."""

import base64
import gzip
import re
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from relprobe.core.errors import DataError
from relprobe.paper.run import Run
from relprobe.sources.static_vectors import StaticVectors
from relprobe.sources.systematicity import ITEMS
from relprobe.stats import wilson_interval
from relprobe.stats.averages import averages
from relprobe.stats.controls import beyond_controls
from relprobe.stats.side_by_side import AgentComparison
from relprobe.studies.systematicity import page, tables
from relprobe.studies.systematicity.agents import control_metrics, metrics
from relprobe.studies.systematicity.analyses import (
    categories,
    choices,
    consistency,
    examples,
    frequency,
    patterns,
    prompts,
    sensitivity,
    verification,
)
from relprobe.studies.systematicity.hyponyms import Choice
from relprobe.studies.systematicity.measures import MEASURES
from relprobe.studies.systematicity.method import Asking, probes
from relprobe.studies.systematicity.methods import sentences
from relprobe.studies.systematicity.prompts import Prompt
from relprobe.studies.systematicity.results import Settings
from relprobe.studies.systematicity.schemas import DETECTIONS, OCCURRENCES, PAIRS, REPLY_CHOICES
from relprobe.studies.systematicity.schemas import METRICS as SCHEMA
from relprobe.studies.systematicity.show import Drawing, Page, show
from relprobe.studies.systematicity.trials import Files
from relprobe.studies.systematicity.trials import trials as trials_of

from tests.paths import ANSWERS_TEMPLATE, ROOT
from tests.report.test_answers import unpacked
from tests.studies.systematicity.about import results
from tests.studies.systematicity.measure.test_metrics import responses

CATEGORIES = {"animals": ["bird", "insect"], "objects": ["tool", "vehicle"]}
WORDS = ["bird", "insect", "tool", "vehicle"]
ITEM_ROWS = [
    ("extended", "robin", "bird", "robins", "birds", None, None, "A robin sang ."),
    ("extended", "ant", "insect", "ants", "insects", None, None, None),
    ("extended", "saw", "tool", "saws", "tools", None, None, None),
    ("diagnostic", "robin", "bird", "robins", "birds", None, None, "A robin sang ."),
    ("diagnostic", "van", "vehicle", "vans", "vehicles", None, None, None),
]
ITEM_TABLE = pl.DataFrame(ITEM_ROWS, schema=ITEMS, orient="row")
PROMPTS = {
    "singular": [Prompt("paper", "[DET] [W] is [DET] [V].", capital=True), Prompt("every", "Every [W] is [DET] [V].")],
    "plural": [Prompt("paper", "[W] are [V].")],
}
PROBES = probes(ITEM_TABLE, CATEGORIES, Asking(PROMPTS))
CANDIDATES = dict(PROBES.select("probe_id", "candidates").iter_rows())


def trials(probes, item_table, values, scores=None, *, detections=None, reply_choices=None, **settings):
    """The trials of a run with these files."""
    files = {"scores": scores, "detections": detections, "reply_choices": reply_choices}
    return trials_of(Files(probes=probes, item_table=item_table, values=values, **files), **settings)


def ranked(probe_id, letters):
    """Return the scores of the categories, given by their first letters from the best one on: -1, -2, -3 and -4."""
    words = CANDIDATES[probe_id]
    scores = [-1.0 - letters.index(word[0]) for word in words]
    return probe_id, "slot", words, scores, [1, 1, 1, 2], []


def opened(probe_id, *words):
    return probe_id, "open", list(words), [-1.0 - place for place, _ in enumerate(words)], [], []


SCORES_OF_N = responses(
    *(ranked(f"extended:singular:{word}", letters) for word, letters in (("robin", "bitv"), ("ant", "bitv"))),
    *(ranked(f"extended:singular:{word}:every", letters) for word, letters in (("robin", "bvti"), ("ant", "tivb"))),
    *(ranked(f"extended:plural:{word}", letters) for word, letters in (("robin", "bitv"), ("ant", "itbv"))),
    *(
        ranked(f"extended:{rest}", letters)
        for rest, letters in (("singular:saw", "tbiv"), ("singular:saw:every", "tbiv"))
    ),
    *(ranked(f"extended:{rest}", letters) for rest, letters in (("plural:saw", "btiv"), ("contextual:robin", "bvit"))),
    *(
        ranked(f"diagnostic:{rest}", letters)
        for rest, letters in (("singular:robin", "ibtv"), ("plural:robin", "bitv"))
    ),
    *(ranked(f"diagnostic:{rest}", letters) for rest, letters in (("singular:van", "vbit"), ("plural:van", "bivt"))),
    *(
        ranked(f"diagnostic:{rest}:every", letters)
        for rest, letters in (("singular:robin", "bitv"), ("singular:van", "vbit"))
    ),
    *(
        ranked(f"diagnostic:{rest}", letters)
        for rest, letters in (("contextual:robin", "ibtv"), ("control_singular:van", "bvit"))
    ),
    *(
        ranked(f"diagnostic:{rest}", letters)
        for rest, letters in (("control_singular:robin", "bvit"), ("control_plural:van", "vbit"))
    ),
    opened("extended:singular:robin", "worm", "robin", "bird", "thing"),
    opened("extended:singular:ant", "insect", "bug"),
    opened("extended:singular:saw", "see", "saw"),
    opened("diagnostic:singular:van", "thing", "a", "b", "c", "d", "vehicle"),
    opened("diagnostic:control_singular:van", "vehicle"),
)
SCORES_OF_A = responses(
    *(ranked(f"extended:singular:{word}", letters) for word, letters in (("robin", "vbit"), ("ant", "ivtb"))),
    *(ranked(f"extended:plural:{word}", letters) for word, letters in (("robin", "bitv"), ("ant", "ibtv"))),
    ("extended:singular:saw", "slot", WORDS, [-2.0, -3.0, -2.0, -4.0], [1, 1, 1, 2], []),
    opened("extended:singular:robin", "bird", "worm"),
)
SCORES = {"n": SCORES_OF_N, "a": SCORES_OF_A, "static": SCORES_OF_A}
METRICS = {
    **{agent: metrics(table, PROBES, ITEM_TABLE) for agent, table in SCORES.items()},
    "n+control": control_metrics(ITEM_TABLE, SCORES_OF_N, PROBES),
}
SETTINGS = Settings(CATEGORIES, Choice(0), ["static", "n+control", "majority"], 1, vectors=["static"])
FILES = {
    "item_table": ITEM_TABLE,
    "probes": PROBES,
    "scores": SCORES,
    "metrics": METRICS,
    "averages": averages(METRICS, MEASURES),
    "settings": SETTINGS,
}
RUN = results(**FILES)
NO_PAIRS = pl.DataFrame(schema=PAIRS)


def rows(table, *columns):
    """Return the rows of a table, or some columns of them, with floats to three digits."""
    found = table.select(columns or pl.all()).rows()
    return [tuple(round(value, 3) if isinstance(value, float) else value for value in row) for row in found]


def test_log_probabilities_of_the_right_category_are_those_of_the_main_prompt_in_the_order_of_the_sets():
    found = categories.TABLES["category_logprobs"](RUN)
    assert rows(found) == [
        ("diagnostic", "n", "bird", "singular", -2.0, 1),
        ("diagnostic", "n", "bird", "plural", -1.0, 1),
        ("diagnostic", "n", "vehicle", "singular", -1.0, 1),
        ("diagnostic", "n", "vehicle", "plural", -3.0, 1),
        ("extended", "n", "bird", "singular", -1.0, 1),
        ("extended", "n", "insect", "singular", -2.0, 1),
        ("extended", "n", "bird", "plural", -1.0, 1),
        ("extended", "n", "insect", "plural", -1.0, 1),
        ("extended", "n", "tool", "singular", -1.0, 1),
        ("extended", "n", "tool", "plural", -2.0, 1),
        ("extended", "a", "bird", "singular", -2.0, 1),
        ("extended", "a", "insect", "singular", -1.0, 1),
        ("extended", "a", "bird", "plural", -1.0, 1),
        ("extended", "a", "insect", "plural", -1.0, 1),
        ("extended", "a", "tool", "singular", -2.0, 1),
    ]


def test_first_answers_stand_by_set_and_agent_with_those_of_every_kind():
    found = examples.TABLES["answers"](RUN)
    assert found.columns == list(examples.COLUMNS)
    assert [" | ".join(map(str, row)) for row in found.rows()] == [
        "diagnostic | n | van | vehicle | thing, a, b | vehicle, bird, insect | birds, insects, vehicles | None | False",
        "diagnostic | n | robin | bird | None | insect, bird, tool | birds, insects, tools | insect, bird, tool | False",
        "extended | n | robin | bird | worm, robin, bird | bird, insect, tool | birds, insects, tools | "
        "bird, vehicle, insect | True",
        "extended | n | ant | insect | insect, bug | bird, insect, tool | insects, tools, birds | None | False",
        "extended | n | saw | tool | see, saw | tool, bird, insect | birds, tools, insects | None | False",
        "extended | a | robin | bird | bird, worm | vehicle, bird, insect | birds, insects, tools | None | False",
        "extended | a | ant | insect | None | insect, vehicle, tool | insects, birds, tools | None | True",
        "extended | a | saw | tool | None | bird, tool, insect | None | None | None",
    ]
    # The frequent ones first, as no hyponym is the paper's but robin.
    assert examples.TABLES["examples"](RUN).select("set", "agent", "hyponym").rows() == [
        ("diagnostic", "n", "robin"),
        ("diagnostic", "n", "van"),
        *(("extended", agent, word) for word in ("robin", "saw", "ant") for agent in ("n", "a")),
    ]


def test_equal_scores_are_drawn_and_with_another_draw_all_other_answers_stand_as_they_stood():
    runs = [results(**{**FILES, "settings": replace(SETTINGS, seed=seed)}) for seed in range(8)]
    answers = [examples.TABLES["answers"](run) for run in runs]
    drawn = [table.filter(hyponym="saw", agent="a")["singular"].item() for table in answers]
    assert set(drawn) == {"bird, tool, insect", "tool, bird, insect"}
    rest = [table.filter((pl.col("hyponym") != "saw") | (pl.col("agent") != "a")) for table in answers]
    assert all(table.equals(rest[0]) for table in rest)


def test_consistency_of_every_set_and_agent_has_its_columns_or_the_reason():
    found = consistency.TABLES["consistency"](RUN)
    few, same, constant = (
        "no interval: resamples of fewer than 6 clusters say too little",
        "no interval: all resamples give the same value",
        "no phi: all answers in one number are right, or all are wrong",
    )
    assert rows(found, "set", "agent", *consistency.QUANTITIES, "hyponyms", "phi", "phi_low", "phi_high", "note") == [
        ("diagnostic", "n", 0.0, 0.5, 0.5, 0.0, 2, -1.0, None, None, same),
        ("diagnostic", "n+control", 0.0, 0.0, 1.0, 0.0, 1, None, None, None, constant),
        ("extended", "n", 0.333, 0.333, 0.333, 0.0, 3, -0.5, None, None, few),
        ("extended", "a", 0.5, 0.0, 0.5, 0.0, 2, None, None, None, constant),
        ("extended", "static", 0.5, 0.0, 0.5, 0.0, 2, None, None, None, constant),
    ]
    ours = consistency.ours(found).filter(agent="n", condition="extended")
    assert ours.select("n", "units").rows() == [(3, "hyponyms")] * 4


def test_frequencies_are_those_of_all_agents_but_the_majority_adjusted_by_agent_and_metric():
    run = results(**{**FILES, "metrics": {**METRICS, "majority": METRICS["n"]}})
    found = frequency.TABLES["frequency"](run)
    columns = "agent", "set", "metric", "recognised", "unrecognised", "p", "family", "p_holm"
    assert rows(found, *columns) == [
        ("n", "diagnostic", "singular", 1, 1, 0.317, "models", 0.441),
        ("n+control", "diagnostic", "singular", 1, 1, 0.317, "controls", 0.317),
        ("n", "diagnostic", "plural", 1, 1, 0.317, "models", 0.441),
        ("n+control", "diagnostic", "plural", 1, 0, None, "controls", None),
        ("n", "diagnostic", "open@1", 0, 1, None, "models", None),
        ("n+control", "diagnostic", "open@1", 1, 0, None, "controls", None),
        (
            "n",
            "extended",
            "singular",
            2,
            1,
            0.221,
            "models",
            0.441,
        ),  # twice the lower p, and no less for the higher one
        ("a", "extended", "singular", 1, 2, 0.221, "models", 0.221),
        ("static", "extended", "singular", 1, 2, 0.221, "controls", 0.221),
        ("n", "extended", "plural", 2, 1, 0.221, "models", 0.441),
        ("a", "extended", "plural", 2, 0, None, "models", None),
        ("static", "extended", "plural", 2, 0, None, "controls", None),
        ("n", "extended", "open@1", 1, 2, 0.221, "models", 0.221),
        ("a", "extended", "open@1", 1, 0, None, "models", None),
        ("static", "extended", "open@1", 1, 0, None, "controls", None),
    ]


def test_every_prompt_has_its_accuracy_with_an_interval_over_categories():
    found = prompts.TABLES["prompts"](RUN)
    paper, every, plural = "A robin is a [V].", "Every robin is a [V].", "robins are [V]."
    # Wilson's interval of two categories: t of one degree of freedom is 12.706, and of three with two degrees 4.303.
    assert rows(found) == [
        ("diagnostic", "n", "singular", "paper", paper, 0.5, 0.002, 0.998, 2),
        ("diagnostic", "n", "singular", "every", every, 1.0, 0.342, 1.0, 2),
        ("diagnostic", "n", "plural", "paper", plural, 0.5, 0.002, 0.998, 2),
        ("extended", "n", "singular", "paper", paper, 0.667, 0.044, 0.989, 3),
        ("extended", "n", "singular", "every", every, 0.667, 0.044, 0.989, 3),
        ("extended", "a", "singular", "paper", paper, 0.5, 0.036, 0.964, 3),
        ("extended", "n", "plural", "paper", plural, 0.667, 0.044, 0.989, 3),
        ("extended", "a", "plural", "paper", plural, 1.0, 0.342, 1.0, 2),
    ]
    assert rows(prompts.TABLES["prompt_spread"](RUN), "set", "agent", "number", "first", "mean", "sd") == [
        ("diagnostic", "n", "singular", 0.5, 0.75, 0.354),
        ("diagnostic", "n", "plural", 0.5, 0.5, None),
        ("extended", "n", "singular", 0.667, 0.667, 0.0),
        ("extended", "a", "singular", 0.5, 0.5, None),
        ("extended", "n", "plural", 0.667, 0.667, None),
        ("extended", "a", "plural", 1.0, 1.0, None),
    ]


def test_every_pair_of_prompts_has_its_agreement_on_the_hyponyms_that_both_have():
    first, second, plural = "singular paper", "singular every", "plural paper"
    expected = [
        ("diagnostic", "n", first, second, 1, 0.5, 1.0, None, None, None),
        ("diagnostic", "n", first, plural, 1, 0.0, 0.0, None, None, -1.0),
        ("diagnostic", "n", second, plural, 2, 0.5, 0.5, 0.002, 0.998, None),
        ("extended", "n", first, second, 2, 0.667, 1.0, 0.342, 1.0, 1.0),
        ("extended", "n", first, plural, 2, 0.333, 0.5, 0.002, 0.998, -0.5),
        ("extended", "n", second, plural, 2, 0.333, 0.5, 0.002, 0.998, -0.5),
        ("extended", "a", first, plural, 1, 0.5, 1.0, None, None, None),  # without the saw, which has no plural
    ]
    assert rows(prompts.TABLES["prompt_pairs"](RUN)) == expected
    # The singular stands before the plural, whichever the file of scores has first.
    turned = results(**{**FILES, "scores": {"n": SCORES_OF_N.reverse(), "a": SCORES_OF_A.reverse()}})
    assert {row[2:] for row in rows(prompts.TABLES["prompt_pairs"](turned))} >= {expected[1][2:], expected[4][2:]}


def test_every_other_choice_has_its_rows_by_set_and_diagnostic():
    found = sensitivity.TABLES["sensitivity"](RUN)
    columns = "set", "agent", "diagnostic", "value", "other_value", "hyponyms", "other_hyponyms"
    by_choice = {choice: rows(part, *columns) for (choice,), part in found.group_by("choice", maintain_order=True)}
    ties, article = "categories of equal scores", "article that gives a category away"
    assert list(by_choice) == ["prompt", ties, article, "categories of several tokens"]
    assert by_choice["prompt"] == [
        ("diagnostic", "n", "singular", 0.5, 0.75, 2, 2),
        ("diagnostic", "n", "plural", 0.5, 0.5, 2, 2),
        ("extended", "n", "singular", 0.667, 0.667, 3, 3),
        ("extended", "n", "plural", 0.667, 0.667, 3, 3),
    ]
    assert by_choice[ties] == [
        ("extended", agent, *rest)
        for agent in ("a", "static")
        for rest in (("singular", 0.5, 0.333, 3, 3), ("plural", 1.0, 1.0, 2, 2))  # of bird and tool the bird wins
    ]
    assert by_choice[article] == [
        ("diagnostic", "n", "singular", 0.5, 0.5, 2, 2),
        ("diagnostic", "n", "contextual", 0.0, 0.0, 1, 1),
        ("extended", "n", "singular", 0.667, 1.0, 3, 2),
        ("extended", "n", "contextual", 1.0, 1.0, 1, 1),
        ("extended", "a", "singular", 0.5, 0.25, 3, 2),
        ("extended", "static", "singular", 0.5, 0.25, 3, 2),
    ]
    # A vehicle is two tokens, so that its score counts half: with it the robin of a is wrong, its ant half right.
    assert [row[1:5] for row in by_choice["categories of several tokens"] if row[3] != row[4]] == [
        ("n", "contextual", 1.0, 0.5),
        ("a", "singular", 0.5, 0.278),
        ("static", "singular", 0.5, 0.278),
    ]
    assert sensitivity.TABLES["sensitivity"](results(**{**FILES, "scores": None})).is_empty()


def test_the_overview_and_the_sizes_stand_in_the_order_of_the_sets():
    table = tables.TABLES["overview"](RUN)
    assert rows(table) == [
        ("diagnostic", "n", 0.0, 0.0, 0.5, 0.5, 0.0, 0.0, 0.0, 2, 2, False),
        ("diagnostic", "n+control", 1.0, 1.0, 0.5, 1.0, None, 0.0, None, 2, 2, True),
        ("extended", "n", 0.333, 0.667, 0.667, 0.667, 1.0, 0.333, 1.0, 3, 3, False),
        ("extended", "a", 1.0, 1.0, 0.5, 1.0, None, 0.5, None, 3, 3, True),
        ("extended", "static", 1.0, 1.0, 0.5, 1.0, None, 0.5, None, 3, 3, True),
    ]
    assert rows(tables.TABLES["diagnostics"](RUN)) == [
        ("diagnostic", None, 2, 2, 1),
        ("diagnostic", "bird", 1, 1, 1),
        ("diagnostic", "vehicle", 1, 1, 0),
        ("extended", None, 3, 3, 1),
        ("extended", "bird", 1, 1, 1),
        ("extended", "insect", 1, 1, 0),
        ("extended", "tool", 1, 1, 0),
    ]


RENAMED = {"extended": "own", "diagnostic": "wordnet"}
"""Set of the run -> a set whose name stands elsewhere in the alphabet than in the order of the report."""
BY_SET = {
    **tables.TABLES,
    **categories.TABLES,
    **consistency.TABLES,
    **examples.TABLES,
    **frequency.TABLES,
    **prompts.TABLES,
    **sensitivity.TABLES,
    **verification.TABLES,
}
"""Table -> what makes it."""


@pytest.mark.parametrize(
    "name",
    [
        *("overview", "diagnostics", "category_logprobs", "consistency", "examples", "answers", "frequency"),
        *("prompt_spread", "prompts", "prompt_pairs", "sensitivity", "verification"),
    ],
)
def test_a_set_of_wordnet_stands_before_a_users_own_in_every_table(name):
    item_table = ITEM_TABLE.with_columns(pl.col("set").replace(RENAMED))
    asked = probes(item_table, CATEGORIES, Asking(PROMPTS))
    renamed = pl.col("probe_id").str.replace_many(RENAMED)
    scores = {agent: table.with_columns(renamed) for agent, table in SCORES.items()}
    values = {agent: metrics(table, asked, item_table) for agent, table in scores.items()}
    row = {"task": "verify", "kind": "plural", "category": "bird", "foil": False, "sample": 1, "order": 1}
    row |= {"hyponym": "robin", "question": "q", "shown": ["yes", "no"], "choice": "yes", "right": True}
    chosen = pl.DataFrame([row | {"set": set_name} for set_name in RENAMED.values()], schema=REPLY_CHOICES)
    files = {"averages": averages(values, MEASURES), "reply_choices": {"n": chosen}, "item_table": item_table}
    run = results(**{**FILES, **files, "probes": asked, "scores": scores, "metrics": values})
    table = BY_SET[name](run)
    if "choice" in table.columns:
        table = table.filter(choice="prompt")
    sets = table["set"].to_list()
    assert set(sets) == {"wordnet", "own"}
    assert sets == sorted(sets, reverse=True)


def test_the_values_of_classifiers_stand_in_no_overview():
    detected = pl.DataFrame([("detection", "seen", "1:robin:bird", "bird", 1.0)], schema=SCHEMA, orient="row")
    means = averages({"n": pl.concat([METRICS["n"], detected])}, MEASURES)
    assert "detection" not in tables.overview(means, ["n"]).columns


def test_what_an_agent_with_peoples_task_leaves_out_is_said():
    run = results(
        settings=replace(SETTINGS, resources=["corpus", "static_vectors", "systematicity"]), reply_choices={"c": None}
    )
    (row,) = tables.TABLES["left_out"](run).rows()
    assert row == ("Open answers, scores of sentences, log-probabilities and classifiers of c", tables.CHOOSES)
    own = tables.omissions(["own_hyponyms", "corpus", "static_vectors"]).rows()
    assert own == [
        ("LM Diagnostic, the released sentences and splits", "Own hyponyms (resources.own_hyponyms) take their place.")
    ]


def test_the_corpus_divides_the_hyponyms_into_those_that_a_pattern_has_and_the_rest():
    """Of robin, ant and saw, n has robin and saw right; the corpus has robin in two patterns, and the ant."""
    found_words = [("[W] is", "robin", "bird", 3), ("[W] are", "robin", "bird", 1), ("[W] is", "ant", "insect", 2)]
    occurrences = pl.DataFrame(found_words, schema=OCCURRENCES, orient="row")
    run = results(**{**FILES, "occurrences": occurrences})
    table = patterns.TABLES["patterns"](run)
    columns = "set", "agent", "pairs_in", "recognised_in", "pairs_out", "recognised_out"
    assert rows(table, *columns) == [
        ("diagnostic", "n", 1, 0.0, 1, 1.0),
        ("diagnostic", "n+control", 1, 1.0, 1, 0.0),
        ("extended", "n", 2, 0.5, 1, 1.0),
        ("extended", "a", 2, 0.5, 1, 0.5),
        ("extended", "static", 2, 0.5, 1, 0.5),
    ]
    (printed,) = patterns.published(run)
    row = printed.row(by_predicate=(pl.col("agent") == "n") & (pl.col("condition") == "extended"), named=True)
    low, high = wilson_interval(0.5, 2)
    assert (row["quantity"], row["ours"], row["n"], row["units"]) == (patterns.QUANTITY, 50, 2, "pairs")
    assert (row["ours_low"], row["ours_high"]) == (pytest.approx(100 * low), pytest.approx(100 * high))
    assert patterns.published(RUN) == []
    with pytest.raises(DataError, match="give them as --occurrences"):
        patterns.TABLES["patterns"](RUN)
    for configured, expected in (({"corpus": {}, "wordnet": {}}, True), ({"wordnet": {}}, False)):
        assert patterns.has({"resources": configured}, None) == {"corpus": expected}


def model_rows(table, agent="n"):
    return rows(
        table.filter(agent=agent), "task", "condition", "prompt", "target", "item", "answer", "right", "rank", "counted"
    )


def test_every_answer_of_a_model_is_a_trial_in_its_task():
    found = trials(PROBES, ITEM_TABLE, {}, SCORES, vectors=["static"], controls=["a+control", "n+control"])
    assert found["study"].unique().to_list() == ["systematicity"]
    first = [row for row in model_rows(found) if row[1:4:2] == ("extended", "robin")]
    assert first == [
        ("open", "extended", "paper", "robin", "open:extended:singular:robin", "worm", 0.0, 3, 1),
        ("singular", "extended", "paper", "robin", "singular:extended:singular:robin", "bird", 1.0, 1, 1),
        ("singular", "extended", "every", "robin", "singular:extended:singular:robin:every", "bird", 1.0, 1, 0),
        ("plural", "extended", "paper", "robin", "plural:extended:plural:robin", "birds", 1.0, 1, 1),
        ("contextual", "extended", "mended", "robin", "contextual:extended:contextual:robin", "bird", 1.0, 1, 1),
    ]
    assert model_rows(found, "n+control") == [
        ("open", "diagnostic", None, "van", "open:diagnostic:singular:van", "vehicle", 1.0, 1, 1),
        ("singular", "diagnostic", None, "van", "singular:diagnostic:singular:van", "bird", 0.0, 2, 1),
        ("singular", "diagnostic", None, "robin", "singular:diagnostic:singular:robin", "bird", 1.0, 1, 1),
        ("plural", "diagnostic", None, "van", "plural:diagnostic:plural:van", "vehicles", 1.0, 1, 1),
    ]
    assert found.filter(agent="a+control").is_empty()  # who answers no control has no trials of it
    assert found.filter(agent="static")["probability"].null_count() == found.filter(agent="static").height
    texts = found.filter(agent="n", target="ant").select("task", "prompt", "prompt_text").unique().sort(pl.all()).rows()
    assert texts == [
        ("open", "paper", "An – is an …."),
        ("plural", "paper", "– are …."),
        ("singular", "every", "Every – is an …."),
        ("singular", "paper", "An – is an …."),
    ]
    clusters = found.select("target", "cluster").unique().sort("target").rows()
    assert clusters == [("ant", "insect"), ("robin", "bird"), ("saw", "tool"), ("van", "vehicle")]
    assert rows(found.unique("target").sort("target"), "target", "frequency") == [
        *(("ant", 3.86), ("robin", 4.33), ("saw", 5.34), ("van", 4.78)),
    ]


def test_an_answer_by_the_sentence_is_a_trial_of_a_task_of_its_own():
    given = responses(
        ranked("extended:singular:robin", "bitv"),
        ("extended:singular:robin", "sentence", WORDS, [-2.0, -1.0, -3.0, -4.0], [1, 1, 1, 2], []),
    )
    found = trials(PROBES, ITEM_TABLE, {}, {"m": given})
    assert rows(found, "task", "item", "answer", "right", "candidates") == [
        ("singular", "singular:extended:singular:robin", "bird", 1.0, 4),
        ("singular_sentence", "singular_sentence:extended:singular:robin", "insect", 0.0, 4),
    ]


def test_choices_and_values_are_trials_that_count():
    """An answer that names no option stands without one, and as a wrong one, beside nine that do."""
    about = {"task": "complete", "set": "extended", "kind": "singular", "hyponym": "robin", "question": "q", "order": 2}
    said = [{**about, "sample": sample, "shown": WORDS, "choice": "bird", "right": True} for sample in range(9)]
    chosen = pl.DataFrame([*said, {**said[0], "sample": 9, "choice": "", "right": False}], schema=REPLY_CHOICES)
    majority_rows = [
        ("singular", "extended", "robin", "bird", 0.25),
        ("detection", "seen", "1:ant:bird", "insect", 1.0),
    ]
    values = pl.DataFrame([*majority_rows, ("open@1", "extended", "robin", "bird", 1.0)], schema=SCHEMA, orient="row")
    found = trials(PROBES, ITEM_TABLE, {"majority": values}, reply_choices={"c": chosen})
    columns = "agent", "task", "condition", "target", "item", "answer", "right", "candidates", "cluster", "counted"
    assert rows(found, *columns) == [
        *(
            (
                (
                    "majority",
                    "singular",
                    "extended",
                    "robin",
                    "singular:extended:singular:robin",
                    None,
                    0.25,
                    None,
                    "bird",
                    1,
                )
            ),
        ),
        ("majority", "detection", "seen", "ant", "1:ant:bird", None, 1.0, None, "insect", 1),
        *[("c", "complete singular", "extended", "robin", "q", "bird", 1.0, 4, "bird", 1)] * 9,
        ("c", "complete singular", "extended", "robin", "q", None, 0.0, 4, "bird", 1),
    ]
    assert found["study"].unique().to_list() == ["systematicity"]
    assert found["respondent"].to_list()[2:4] == ["order 2, sample 0", "order 2, sample 1"]


def test_a_classifier_judges_a_pair_in_its_setting_with_its_own_category():
    row = {
        "setting": "unseen",
        "fold": 2,
        "input": "partial",
        "hyponym": "ant",
        "hypernym": "bird",
        "category": "insect",
    }
    table = pl.DataFrame([{**row, "label": 0, "seed": 4, "p": 0.54}], schema=DETECTIONS)
    found = trials(PROBES, ITEM_TABLE, {}, detections={"m": table})
    assert rows(found, "study", "task", "condition", "target", "item", "answer", "right", "cluster", "counted") == [
        ("systematicity", "detection_partial", "unseen", "ant", "2:ant:bird", "yes", 0.0, "insect", 1)
    ]


def test_the_values_of_agents_are_those_of_their_answers():
    """Of both sets the values of n, of its answers without a relation, of a look-up, and of the most frequent category."""
    n_values = (
        metrics(SCORES_OF_N, PROBES, ITEM_TABLE).filter(condition="diagnostic").select("metric", "unit", "value").rows()
    )
    assert n_values == [
        ("open@1", "van", 0.0),
        ("open@5", "van", 0.0),
        ("singular", "robin", 0.0),
        ("singular", "van", 1.0),
        ("plural", "robin", 1.0),
        ("plural", "van", 0.0),
        ("contextual", "robin", 0.0),
        ("singular_plural", "robin", 0.0),
        ("singular_plural", "van", 0.0),
        ("aggregate", "robin", 0.0),
    ]
    assert control_metrics(ITEM_TABLE, SCORES_OF_N, PROBES).drop("cluster").rows() == [
        ("open@1", "diagnostic", "van", 1.0),
        ("open@5", "diagnostic", "van", 1.0),
        ("singular", "diagnostic", "van", 0.0),
        ("singular", "diagnostic", "robin", 1.0),
        ("plural", "diagnostic", "van", 1.0),
        ("singular_plural", "diagnostic", "van", 0.0),
    ]
    names = {"robin": (1, 0), "ant": (1, 0), "saw": (0, 1), "robins": (1, 0), "ants": (0, 1), "saws": (0, 1)}
    vectors = StaticVectors(
        {word: place for place, word in enumerate(names)}, np.array(list(names.values()), np.float32)
    )
    looked_up = control_metrics(ITEM_TABLE, probes=PROBES, vectors=vectors, pairs=NO_PAIRS)
    # The robin is next to the ant, and so an insect; the saw has no neighbour, and in the plural it is next to the ants.
    assert looked_up.filter(condition="extended").select("metric", "unit", "value").rows() == [
        ("singular", "robin", 0.0),
        ("singular", "ant", 0.0),
        ("singular", "saw", 0.0),
        ("plural", "robin", 0.0),
        ("plural", "ant", 0.0),
        ("plural", "saw", 0.0),
        ("singular_plural", "robin", 0.0),
        ("singular_plural", "ant", 0.0),
        ("singular_plural", "saw", 0.0),
    ]
    most_frequent = control_metrics(ITEM_TABLE, pairs=NO_PAIRS)
    assert most_frequent.filter(metric="singular", condition="diagnostic")["value"].to_list() == [0.5, 0.5]
    assert control_metrics(ITEM_TABLE, SCORES_OF_N, pairs=NO_PAIRS).equals(
        most_frequent
    )  # without the probes, scores say nothing
    assert control_metrics(ITEM_TABLE, vectors=vectors, pairs=NO_PAIRS).equals(most_frequent)
    with pytest.raises(DataError, match="name these files"):
        control_metrics(ITEM_TABLE, probes=PROBES)


def test_the_values_of_a_classifier_stand_beside_those_of_the_answers():
    row = {"setting": "seen", "fold": 2, "input": "full", "hyponym": "ant", "hypernym": "bird", "category": "insect"}
    table = pl.DataFrame([{**row, "label": 0, "seed": 4, "p": 0.4}], schema=DETECTIONS)
    found = metrics(SCORES_OF_A, PROBES, ITEM_TABLE, table)
    assert found.rows() == [*METRICS["a"].rows(), ("detection", "seen", "2:ant:bird", "insect", 1.0)]


def chosen(set_name, kind, right, *said):
    """The choices of an agent that completes a sentence about a robin, once in each order."""
    row = {"task": "complete", "set": set_name, "hyponym": "robin", "kind": kind, "category": "bird", "sample": 1}
    row |= {"question": f"complete {set_name}:{kind}:robin:bird", "shown": WORDS}
    return [{**row, "order": order, "choice": one, "right": one == right} for order, one in enumerate(said, 1)]


CHOICES = pl.DataFrame(
    chosen("extended", "singular", "bird", "bird", "tool", "bird", "insect")
    + chosen("extended", "plural", "birds", "birds", "birds", "birds", ""),
    schema=REPLY_CHOICES,
)
MUTE = CHOICES.with_columns(choice=pl.lit(""), right=pl.lit(value=False))


def test_the_page_of_answers_and_the_tables_and_figures_are_those_of_the_run(tmp_path):
    """A mute agent has no answers there, vectors have no shares, and the agents of the page are told apart."""
    run = results(**{**FILES, "reply_choices": {"c": CHOICES, "mute": MUTE}})
    page_facts = Page(["overview", "choices", "orders", "sent", "verification"], ["n", "a"], "My run")
    kinds = {"n": "masked", "a": "causal", "static": "control", "n+control": "control"}
    drawing = Drawing(
        {"accuracy_extended": "averages", "layers_detection": "series"}, kinds, "clusters", None, {"n": "masked"}
    )
    series = pl.DataFrame({"agent": ["n"]})
    shown = show(
        run,
        page_facts,
        drawing,
        ANSWERS_TEMPLATE,
        tmp_path / "answers.html",
        {"averages": RUN.averages, "series": series},
    )
    assert [*shown.tables] == page_facts.table_names
    assert shown.tables["overview"].equals(tables.TABLES["overview"](run))
    assert [name for name, _ in shown.figures] == ["accuracy_extended", "layers_detection"]
    html = (tmp_path / "answers.html").read_text()
    assert tables.TITLE in html
    assert "My run" in html
    header, _ = unpacked(gzip.decompress(base64.b64decode(re.search('id="data">([^<]*)<', html)[1])))
    assert [(one["name"], one["model"]) for one in header["agents"]] == [
        ("n", True),
        ("a", True),
        ("static", False),
        ("c", False),
    ]
    assert header["names"] == ["contextual", "open", "plural", "singular"]
    # Each of five hyponyms has three probes of its numbers, and two are in context; the five main ones are open as well.
    assert header["probes"] == 5 * 3 + 2 + 5
    tables.answers(
        results(**{**FILES, "scores": None, "reply_choices": {"c": CHOICES}}), ANSWERS_TEMPLATE, tmp_path / "c.html"
    )
    packed = re.search('id="data">([^<]*)<', (tmp_path / "c.html").read_text())[1]
    assert [one["name"] for one in unpacked(gzip.decompress(base64.b64decode(packed)))[0]["agents"]] == ["c"]


def test_choices_have_their_shares_by_agent_and_place_and_a_run_without_any_has_no_rows():
    """Of eight answers one names no option; the first option is the bird, which five choose, and one of four is chance."""
    run = results(reply_choices={"c": CHOICES})
    assert rows(choices.TABLES["choices"](run), "agent", "task", "questions", "answers", "unreadable") == [
        ("c", "complete", 2, 8, 0.125)
    ]
    assert rows(choices.TABLES["orders"](run)) == [
        ("c", "complete", 1, 8, 0.25, 0.25),
        ("c", "complete", 2, 8, 0.125, 0.25),
        ("c", "complete", 3, 8, 0.125, 0.25),
        ("c", "complete", 4, 8, 0.0, 0.25),
    ]
    for name, make in (choices.TABLES | verification.TABLES).items():
        assert make(results()).is_empty(), name


def test_a_verification_has_its_agents_and_numbers_in_order():
    """The mean over the samples, and no vote of them: one yes of three is a third."""
    row = {
        "task": "verify",
        "hyponym": "robin",
        "category": "bird",
        "foil": False,
        "sample": 1,
        "question": "q",
        "shown": ["yes", "no"],
    }
    said = [
        row | {"set": set_name, "kind": kind, "order": order, "choice": choice, "right": choice == "yes"}
        for set_name in ("extended", "diagnostic")
        for kind in ("plural", "singular")
        for order, choice in enumerate(("yes", "no", "no"), 1)
    ]
    table = pl.DataFrame(said, schema=REPLY_CHOICES)
    values = pl.DataFrame(
        [
            ("verified_singular", "extended", "robin", "bird", 0.25),
            ("verified_plural", "extended", "robin", "bird", 0.5),
        ],
        schema=SCHEMA,
        orient="row",
    )
    run = results(item_table=ITEM_TABLE, metrics={"z": values, "b": values}, reply_choices={"z": table, "b": table})
    found = verification.TABLES["verification"](run)
    assert rows(found, "set", "agent", "number", "hits", "verified", "hyponyms") == [
        *(("diagnostic", agent, number, 0.333, None, 1) for agent in "zb" for number in ("singular", "plural")),
        *(
            ("extended", agent, *rest)
            for agent in "zb"
            for rest in (("singular", 0.333, 0.25, 1), ("plural", 0.333, 0.5, 1))
        ),
    ]
    assert {note.partition(":")[0] for note in found["note"]} == {"no interval"}


def test_the_methods_of_a_manuscript_say_what_this_run_has():
    averages_of_run = pl.DataFrame({"metric": ["singular", "open@1"], "value": [0.5, None]})
    left_out = pl.DataFrame({"what": ["Static vectors"], "reason": ["None are configured."]})
    section = {"wordings": 2, "training": {"seeds": 3, "seed": 7}, "seed": 11}
    run_files = {
        "tables": {
            "diagnostics": tables.TABLES["diagnostics"](RUN),
            "left_out": left_out,
            "parts": pl.DataFrame({"fold": [1, 2, 2]}),
        },
        "section": section,
    }
    run = Run("systematicity", has={}, trials=None, tests=None, averages=averages_of_run, **run_files)
    beginning, first, second, *others = sentences(run)
    assert "[@ravichander2020]" in beginning
    assert first == (
        "The hyponyms are from the released diagnostics [@ravichander2020]: 2 singular, 2 plural and 1 contextual probes "
        "about 2 categories."
    )
    assert second == (
        "The hyponyms are from the released extended diagnostics [@ravichander2020]: 3 singular, 3 plural and 1 contextual "
        "probes about 3 categories."
    )
    assert others == [
        "Each number has up to 2 wordings; the averages count the main one.",
        "Left out is Static vectors: None are configured.",
        "Splits are drawn with seed 11.",
        "Words of equal score count by their mean over all orders.",
        "The metrics (section 3 of [@ravichander2020]) are singular (the likeliest category at the slot is the right one).",
    ]
    both = pl.concat([averages_of_run, pl.DataFrame({"metric": ["detection"], "value": [0.5]})])
    (said,) = [text for text in sentences(replace(run, averages=both)) if text.startswith("Detection")]
    assert said == "Detection has 2 folds and 3 seeds of the classifier, from 7 on."
    without = run_files["tables"] | {"diagnostics": run_files["tables"]["diagnostics"].with_columns(contextual=0)}
    assert "2 singular and 2 plural probes about" in list(sentences(replace(run, tables=without)))[1]


def test_the_head_of_the_page_has_the_claims_whose_metric_a_run_has():
    comparing = AgentComparison(SETTINGS.controls)
    found = tables.TABLES["overview"](RUN), comparing.tests(METRICS, MEASURES)
    run_files = {"overview": found[0], "tests": found[1], "controls": beyond_controls(found[1], SETTINGS.controls)}
    said = page.headline(run_files, ["n", "a"])
    assert len([text for text in said.sentences if "chooses the right category in the singular" in text]) == 2
    assert said.verdicts.height > 0
    assert set(said.verdicts["agent"]) == {"n", "a"}
    extended = run_files | {"overview": found[0].filter(set="extended")}
    beside = " ".join(page.headline(extended, ["n", "a"]).sentences)
    assert "in the singular for 67 of 100 hyponyms" in beside
    assert "; a for 50 of the hyponyms that it answered." in beside
    alone = run_files | {"overview": found[0].drop("singular_plural")}
    assert not [text for text in page.headline(alone, ["n", "a"]).sentences if "in the plural" in text]
    for overview, models, expected in (
        (found[0].drop("singular", "singular_plural"), ["n"], ()),
        (found[0].drop("singular", "singular_plural"), ["x"], (page.NO_ANSWER,)),
    ):
        nothing = page.headline(run_files | {"overview": overview}, models)
        assert (nothing.sentences, nothing.verdicts) == (expected, None)
    assert page.finding(alone, ["n", "a"]).sentences == (page.NO_ANSWER,)
    assert page.finding(run_files, ["n", "a"]).agent in ("n", "a")


def test_every_accuracy_that_the_paper_prints_of_its_diagnostics_stands_beside_ours():
    printed = pl.read_csv(ROOT / "resources/published/systematicity.csv", infer_schema=False)["quantity"].unique()
    is_accuracy = printed.str.contains(r"accuracy \(%\)$|precision@") & ~printed.str.starts_with("detection")
    assert {metric.published for metric in MEASURES if metric.published} == set(printed.filter(is_accuracy))
