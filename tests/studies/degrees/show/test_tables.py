"""The tables and figures of the study."""

from dataclasses import fields, replace

import polars as pl
import pytest
from relprobe.report.agent_styles import FigureSettings
from relprobe.report.published import PUBLISHED
from relprobe.stats.controls import beyond_controls
from relprobe.stats.side_by_side import AgentComparison
from relprobe.studies.degrees.analyses.answers import TABLES as TABLES_OF_ANSWERS
from relprobe.studies.degrees.analyses.classes import classes
from relprobe.studies.degrees.analyses.difficulty import (
    DIFFICULTY,
    DROP,
    SPREAD,
    SPREAD_QUANTITY,
    correlate_with_spread,
    difficulty,
    section_6_values,
)
from relprobe.studies.degrees.analyses.published import TABLES as TABLES_OF_PUBLISHED
from relprobe.studies.degrees.analyses.published import ours
from relprobe.studies.degrees.analyses.reversals import TABLES as TABLES_OF_REVERSALS
from relprobe.studies.degrees.analyses.reversals import differences, reversals
from relprobe.studies.degrees.analyses.sensitivity import SENSITIVITY, agent_table, join_sensitivity
from relprobe.studies.degrees.chat import choice_values
from relprobe.studies.degrees.conditions import TEST, by_agent
from relprobe.studies.degrees.method import WITHOUT, rating_table, values
from relprobe.studies.degrees.results import AgentResults, FigureFiles, Results
from relprobe.studies.degrees.schemas import CEILING, GOLD, METRICS, QUESTIONS, REPLY_CHOICES, TRAINING
from relprobe.studies.degrees.show import figures
from relprobe.studies.degrees.tables import TABLES, data, overview, significance, subcategories

from tests.studies.degrees.compare.test_analyses import RANDOM, A, B, C, agent_tests, averages, metrics

CLASSES = ["SIMILAR", "CONTRAST"]
PEOPLE = pl.DataFrame(
    [
        (f"t{i}", condition, reversals, 40, 5.0, 0.8, 0.81, 0.9, None, maxdiff - 2 * (not reversals))
        for i, (condition, maxdiff) in enumerate([("SIMILAR", 50.0), ("SIMILAR", 52.0), ("CONTRAST", 54.0)])
        for reversals in (True, False)
    ],
    schema=CEILING,
    orient="row",
)
PAPER = pl.DataFrame(
    [
        ("Table 3", None, "Spearman's rho", None, "pmi", 0.112, None, None, None, None),
        ("Table 3", "364", "MaxDiff accuracy", None, "pmi", 33.9, None, None, None, None),
        ("Table 4", None, "Spearman's rho", "CONTRAST", "pmi", 0.032, None, None, None, None),
        ("Table 6", None, "RMSE of reversals", None, "buap", 256.07, None, None, None, None),
    ],
    schema=PUBLISHED,
    orient="row",
)


FIGURES = ["rho", "maxdiff", "classes"]


def drawn_figures(means, gold, people, kinds):
    files = FigureFiles(averages=means, gold=gold, ceiling=people)
    return {name: draw() for name, draw in figures(files, FigureSettings(FIGURES, kinds))}


def test_the_papers_systems_stand_below_ours():
    agent_values, means = by_agent([A, RANDOM]), averages([A, RANDOM])
    table = overview(means, PAPER, PEOPLE, CLASSES)
    assert table.select("agent", "from", "significant_05", "maxdiff", "maxdiff_without_reversals").rows() == [
        ("one schema", "this run", 2, 30.0, None),  # not measured here
        ("random", "this run", 0, 30.0, None),
        ("noise ceiling", "people", None, None, None),
        ("half of the people", "people", None, None, None),
        ("one person", "people", None, 52.0, 50.0),
        ("pmi", "the paper", None, 33.9, None),
    ]
    assert table["rho"].to_list() == [pytest.approx(0.3), 0.0, pytest.approx(0.9), pytest.approx(0.8), None, 0.112]
    assert table["rho_without_reversals"][0] == pytest.approx(0.15)
    assert table["rho_low"][0] < 0.3 < table["rho_high"][0]
    assert table["subcategories"].to_list() == [3, 3, None, None, None, None]
    per_class = classes(means, PAPER, PEOPLE, CLASSES)
    assert per_class.columns == ["agent", "from", "pairs", *CLASSES]
    assert per_class.select("agent", "pairs").rows() == [
        *(("one schema", "all"), ("random", "all"), ("noise ceiling", "all"), ("pmi", "all")),
        *((agent, "without reversals") for agent in ("one schema", "random", "noise ceiling")),
    ]
    assert per_class.row(3)[3:] == (None, 0.032)
    assert per_class.row(0)[3:] == (pytest.approx(0.15), pytest.approx(0.6))
    assert per_class.row(4)[3:] == (pytest.approx(0.075), pytest.approx(0.3))
    rows = reversals(means, PAPER, differences(agent_values, AgentComparison(["random"]))).rows_by_key(
        "agent", named=True, unique=True
    )
    assert (rows["one schema"]["difference"], rows["one schema"]["p"]) == (pytest.approx(0.15), 0.25)
    assert rows["buap"]["reversal_rmse"] == 256.07


@pytest.mark.parametrize(
    ("people", "limit"), [(PEOPLE, "dashed line: one person, 52"), (PEOPLE.head(0), "(% of questions)")]
)
def test_the_figures_show_how_well_people_do_and_mark_agents_with_subcategories_of_their_own(people, limit):
    table = averages([A, C, RANDOM]).with_columns(own_units=pl.col("agent") == "two schema")
    pairs = [(f"t{i}", name, False, "a:b", None, 1.0, "") for i, name in enumerate(CLASSES)]
    gold = pl.DataFrame(pairs, schema=GOLD, orient="row")
    drawn = drawn_figures(table, gold, people, {"one": "masked", "two": "causal"})
    assert list(drawn) == ["rho", "maxdiff", "classes"]
    assert drawn["maxdiff"].get_supxlabel().endswith(limit)
    labels = [label.get_text() for label in drawn["rho"].axes[0].get_yticklabels()]
    assert labels == ["one", "two °", "random"]
    classes_with_numbers = [label.get_text() for label in drawn["classes"].axes[0].get_xticklabels()]
    assert classes_with_numbers == ["Similar (2)", "Contrast (1)"]


def test_a_figure_of_baselines_alone_says_so():
    gold = pl.DataFrame([("t0", CLASSES[0], False, "a:b", None, 1.0, "")], schema=GOLD, orient="row")
    drawn = drawn_figures(averages([RANDOM]), gold, PEOPLE, {})
    assert [text.get_text() for text in drawn["rho"].texts] == [
        "Only baselines have a value of this: Spearman's ρ (mean over the test subcategories)."
    ]


def test_a_note_counts_the_subcategories_without_rho():
    some = metrics("one schema", (0.1, None, None), p=(0.04, None, None))
    none = metrics("one pmi", (None, None, None), p=(None, None, None))
    table = overview(averages([some, none, RANDOM]), PAPER, PEOPLE, CLASSES).filter(pl.col("from") != "people")
    assert table.select("agent", "rho", "significant_05", "subcategories").rows()[:2] == [
        ("one schema", 0.1, 1, 1),
        ("one pmi", None, None, 0),
    ]
    assert table["note"].to_list() == [
        "2 subcategories have no rho: fewer than three pairs rated, or equal gold ratings",
        "3 subcategories have no rho: fewer than three pairs rated, or equal gold ratings",
        None,
        None,
    ]


def test_a_note_says_what_one_subcategory_lacks_and_nothing_of_none():
    """The one agent has no rho of one subcategory, and the other equal ratings of one."""
    lacking = metrics("one schema", (0.1, 0.2, None), p=(0.04, 0.2, None))
    constant = [("one pmi", "constant", "SIMILAR", f"t{i}", f"t{i}", float(i == 0)) for i in range(3)]
    equal = pl.concat([B, pl.DataFrame(constant, schema=METRICS, orient="row")])
    varied = [("two schema", "constant", "SIMILAR", f"t{i}", f"t{i}", 0.0) for i in range(3)]
    different = pl.concat([C, pl.DataFrame(varied, schema=METRICS, orient="row")])
    table = overview(averages([lacking, equal, different], targets="own"), PAPER, PEOPLE, CLASSES)
    notes = dict(table.filter(pl.col("from") == "this run").select("agent", "note").rows())
    assert notes["one schema"].startswith("1 subcategory has no rho: ")
    assert notes["one pmi"] == "1 subcategory has equal ratings, which is a rho of 0"
    assert notes["two schema"] is None


def test_a_note_counts_the_subcategories_with_equal_ratings():
    equal = pl.DataFrame(
        [("one schema", "constant", "SIMILAR", f"t{i}", f"t{i}", value) for i, value in enumerate((1.0, 0.0, 1.0))],
        schema=METRICS,
        orient="row",
    )
    table = overview(averages([pl.concat([A, equal])]), PAPER, PEOPLE, CLASSES)
    assert table["note"][0] == "2 subcategories have equal ratings, which is a rho of 0"


def gold(*subcategories):
    """Return GOLD of subcategories (id, training, {pair: rating}); x:b reverses b:x."""
    rows = [
        (name, "SIMILAR", training, pair, pair[::-1] if pair.startswith("x:") else None, float(rating), f"Name {name}")
        for name, training, ratings in subcategories
        for pair, rating in ratings.items()
    ]
    return pl.DataFrame(rows, schema=GOLD, orient="row")


def test_the_drop_of_reversed_pairs_and_the_spread_of_the_ratings():
    # t0: ranks a:x 5, b:x 4, c:d 3, x:a 2, x:b 1, so that the drops are 5 - 2 and 4 - 1: mean 3. Range 10 - (-10).
    # t1: ranks a:x 1, x:a 2: the reversed pair lies above, -1. Deviation of 0 and 4: √8.
    people = gold(
        ("t1", False, {"a:x": 0, "x:a": 4}),
        ("t0", True, {"a:x": 10, "b:x": 5, "c:d": 0, "x:a": -5, "x:b": -10}),
    )
    table = difficulty(people, by_agent([A, B, metrics("random", (0.9, 0.9, 0.9))]))
    assert table.schema == DIFFICULTY
    assert table.drop("deviation", "mean_rho").rows() == [
        ("t0", "Name t0", TRAINING, 5, 2, 3.0, 20.0),
        ("t1", "Name t1", "SIMILAR", 2, 1, -1.0, 4.0),
    ]
    assert table["deviation"][1] == pytest.approx(8**0.5)
    assert table["mean_rho"].to_list() == [pytest.approx(0.05), pytest.approx(-0.1)]  # of 0.1 and 0, 0.2 and -0.4


def test_difficulty_is_compared_with_the_spread():
    # The rho of A are 0.1, 0.2, 0.6 and the ranges 1, 3, 2: ranks 1 2 3 and 1 3 2, so that rho is 1 - 6 · 2 / 24 = 0.5. The
    # deviations of two values have the same order.
    people = gold(*((f"t{i}", False, {"a:b": 0, "c:d": width}) for i, width in enumerate((1, 3, 2))))
    agent_values = by_agent([A])
    table = correlate_with_spread(difficulty(people, agent_values), agent_values)
    assert table.schema == SPREAD
    assert table.select("agent", "subcategories", "spearman").rows() == [
        (agent, 3, pytest.approx(0.5)) for agent in ("mean of the agents", "one schema") for _ in range(2)
    ]


def test_an_agent_with_some_subcategories_counts_in_the_mean_of_these():
    people = gold(*((f"t{i}", False, {"a:b": 0, "c:d": width}) for i, width in enumerate((1, 3, 2))))
    rhos = {"some": {"t1": 0.15}, "all": {"t0": 0.5, "t1": 0.4, "t2": 0.3}}
    agent_values = {
        agent: pl.DataFrame(
            [(agent, "rho", TEST, unit, unit, value) for unit, value in unit_values.items()],
            schema=METRICS,
            orient="row",
        )
        for agent, unit_values in rhos.items()
    }
    table = correlate_with_spread(difficulty(people, agent_values), agent_values).filter(agent="mean of the agents")
    assert table["spearman"].to_list() == pytest.approx([-1.0] * 2)  # 0.5, 0.275 and 0.3 beside the spreads 1, 3 and 2


def test_every_open_choice_stands_in_the_sensitivity_table_with_its_effect():
    people = gold(
        ("t0", False, {"a:b": 4, "c:d": 3, "e:f": 2, "b:x": 1, "x:b": 0}),
        ("t1", False, {"a:b": 4, "c:d": 3, "e:f": 2, "g:h": 1}),
    )
    asked = pl.DataFrame(
        [
            ("t0", ["a:b", "c:d", "e:f", "b:x"], ["b:x"], ["a:b"], 5),
            ("t0", ["a:b", "c:d", "e:f", "x:b"], ["e:f", "x:b"], ["c:d"], 5),
            ("t1", ["a:b", "c:d", "e:f", "g:h"], ["g:h"], ["a:b"], 5),
        ],
        schema=QUESTIONS,
        orient="row",
    )
    given = {
        "t0": {"a:b": 5, "c:d": 4, "e:f": 3, "b:x": 2, "x:b": 6},
        "t1": dict.fromkeys(["a:b", "c:d", "e:f", "g:h"], 1),
    }
    pair_ratings = {(name, pair): 1e-12 * rating for name, pairs in given.items() for pair, rating in pairs.items()}
    ratings = rating_table("static", pair_ratings)
    measured = values(ratings, people, asked)
    table = join_sensitivity(
        [agent_table(AgentResults(measured, people, asked, seed=1, ratings=ratings, printed=ratings))]
    )
    assert table.schema == SENSITIVITY
    rows = table.rows_by_key(["choice", "metric"], named=True, unique=True)
    # t0: gold ranks 5 4 3 2 1, the agent's 4 3 2 1 5: d² = 1 + 1 + 1 + 1 + 16 = 20, rho = 1 - 6 · 20 / 120 = 0; without
    # x:b rho is 1. t1 is constant: 0.
    constant = rows["equal ratings of all pairs", "rho"]
    assert (constant["value"], constant["other_value"], constant["subcategories"]) == (
        pytest.approx(0),
        pytest.approx(0),
        2,
    )
    assert constant["other_subcategories"] == 1
    reversed_pairs = rows["reversed pairs", "rho"]
    assert (reversed_pairs["other_value"], reversed_pairs["effect"]) == (pytest.approx(0.5), pytest.approx(0.5))
    assert rows["ratings", "rho"]["other_value"] == 0  # all are 0 to 9 decimals
    # t0: the first question is right on both sides (100 %); the second has least e:f, which is right, and most x:b, which is
    # not: 75 % of both questions, 100 % without the one on which people tie.
    majority = rows["ties of people's choices", "maxdiff"]
    assert majority["effect"] == pytest.approx((100 - 75) / 2)
    assert rows["paradigm of 2b", "rho"]["effect"] == 0
    assert rows["equal ratings in a question", "maxdiff"]["other_value"] in (75 / 2, 75 / 2 + 25, 75 / 2 + 50)


def test_section_6_says_nothing_of_a_correlation_that_could_not_be_computed():
    hard = pl.DataFrame(
        {"name": ["Sequence", "Part"], "drop": [2.0, None]}, schema={"name": pl.String, "drop": pl.Float64}
    )
    names = [f"spread {number}" for number in range(3)]
    flat = pl.DataFrame(
        {"agent": ["mean of the agents"] * 3, "spread": names, "p": [0.04, None, 0.05], "subcategories": [9, 2, 9]}
    )
    most, least, related = section_6_values(hard, flat)
    assert most["ours"].to_list() == least["ours"].to_list() == [1.0]
    assert related["ours"].to_list() == [1.0, 0.0]
    assert related.select("n", "units").rows() == [(9, "subcategories")] * 2
    assert related["quantity"].to_list() == [SPREAD_QUANTITY.format(name) for name in (names[0], names[2])]


def test_the_values_of_every_subcategory():
    table = subcategories(by_agent([A]))
    assert table.columns == [
        *("agent", "subcategory", "condition", "rho", "p", "rho_without_reversals", "p_without_reversals"),
        *("maxdiff", "maxdiff_without_reversals"),
    ]
    assert table.height == 7
    assert table.row(2) == ("one schema", "t2", "CONTRAST", 0.6, 0.005, 0.3, 0.005, 30.0, None)


def test_where_at_least_one_agent_is_significant():
    # p below 0.05: t0 and t2 by the first, t1 by the second; below 0.01 t2 alone. The random agent does not count.
    lucky = metrics("random", (0.9, 0.9, 0.9), p=(0.0, 0.0, 0.0))
    table = significance(by_agent([A, B, lucky]))
    # Holm's adjustment doubles the least of two p: t0 0.08, t1 0.02, t2 0.01, which is not below 0.01. The p without
    # reversals are the same here.
    least, holm = "the least p of 2 agents", "Holm's adjustment over 2 agents"
    name, adjusted = "subcategories where an agent has p < {}", "subcategories where an agent has p_holm < {}"
    assert table.rows() == [
        (name.format(0.05), 3.0, f"the paper's count: {least}"),
        (name.format(0.01), 1.0, f"the paper's count: {least}"),
        (f"{name.format(0.05)}, without reversals", 3.0, least),
        (f"{name.format(0.01)}, without reversals", 1.0, least),
        (f"{adjusted.format(0.05)}, all pairs", 2.0, holm),
        (f"{adjusted.format(0.01)}, all pairs", 0.0, holm),
        (adjusted.format(0.05), 2.0, f"{holm}, pairs without reversals"),
        (adjusted.format(0.01), 0.0, f"{holm}, pairs without reversals"),
    ]


def test_our_figures_have_the_names_of_the_published_ones():
    size = pl.DataFrame({"quantity": ["pairs"], "value": [3.0]})
    data = pl.concat([size, significance(by_agent([A]))], how="diagonal")
    table = ours(averages([A]), data, "paper")
    rows = {(q, c, a): v for q, c, a, v, *_ in table.iter_rows()}
    assert rows["Spearman's rho", None, "one schema"] == pytest.approx(0.3)
    assert rows["Spearman's rho", "CONTRAST", "one schema"] == 0.6
    row = table.filter(pl.col("condition").is_null(), quantity="Spearman's rho", agent="one schema").row(0, named=True)
    assert (row["n"], row["units"]) == (3, "subcategories")
    assert rows["subcategories with p < 0.05", None, "one schema"] == 2
    assert rows["pairs", None, None] == 3
    assert rows["subcategories where an agent has p < 0.01", None, None] == 1


def test_with_clustered_inference_our_counts_leave_reversed_pairs_out_and_are_adjusted():
    both = A.with_columns(metric=pl.col("metric").str.replace(r"^(significant_0\d)$", "${1}_without_reversals"))
    wider = pl.concat([A.filter(metric="significant_05").with_columns(value=1.0), both])
    data = significance(by_agent([A, B]))
    table = ours(averages([wider]), data, "clusters")
    rows = {(q, c, a): v for q, c, a, v, *_ in table.iter_rows()}
    assert rows["subcategories with p < 0.05", None, "one schema"] == 2
    assert rows["subcategories where an agent has p < 0.05", None, None] == 2
    assert table.filter(pl.col("quantity").str.contains("holm")).is_empty()


@pytest.mark.parametrize("reversed_pairs", [True, False])
def test_the_diamond_is_explained_where_it_is_drawn(reversed_pairs):
    """Own ratings have no reversed pairs, and so no diamond."""
    table = averages([A, C, RANDOM])
    if not reversed_pairs:
        table = table.filter(~pl.col("metric").str.ends_with(WITHOUT))
    gold = pl.DataFrame([("t0", CLASSES[0], False, "a:b", None, 1.0, "")], schema=GOLD, orient="row")
    drawn = drawn_figures(table, gold, PEOPLE, {"one": "masked", "two": "causal"})
    diamonds = [points for axis in drawn["rho"].axes for points in axis.collections]
    assert ("◇: without reversed pairs" in drawn["rho"].get_supxlabel()) is bool(diamonds) is reversed_pairs


def test_the_sizes_of_the_data_are_counted_by_hand():
    """Pairs without reversals: 3, 9 and 4. Answers per question: 2 and 4 in a, 9 in b."""
    sizes = {"a": 3, "b": 9, "c": 4}
    rows = [(name, name == "a", None) for name, pairs in sizes.items() for _ in range(pairs)]
    gold = pl.DataFrame([*rows, ("a", True, "x:y")], schema=["subcategory", "training", "reverses"], orient="row")
    questions = pl.DataFrame({"subcategory": ["a", "a", "b"], "answers": [2, 4, 9]})
    pairs = "pairs per subcategory without reversals"
    assert dict(data(gold, questions).iter_rows()) == {
        **{"subcategories": 3, "training subcategories": 1, "pairs": 17, "reversed pairs": 1},
        **{f"{pairs}, median": 4, f"{pairs}, least": 3, f"{pairs}, most": 9},
        **{"MaxDiff questions": 3, "answers": 15, "answers per question": 5},
        "answers per question, least of a subcategory": 3,
    }
    assert "answers per question" not in data(gold, questions.clear())["quantity"]


def test_the_overview_of_an_agent_in_full():
    """One value of each metric on one test subcategory, and another one on a training one, which takes no part."""
    numbers = {
        **{"rho": 0.1, "rho_without_reversals": 0.2, "significant_05": 1.0, "significant_05_without_reversals": 0.0},
        **{"significant_01": 1.0, "significant_01_without_reversals": 0.0, "negative_05": 1.0},
        **{"negative_05_without_reversals": 0.0, "maxdiff": 30.0, "maxdiff_without_reversals": 40.0, "least": 50.0},
        **{"most": 60.0, "rated": 0.75, "constant": 0.0},
    }
    rows = [("one schema", name, "SIMILAR", "t0", "t0", value) for name, value in numbers.items()]
    rows += [("one schema", name, TRAINING, "s0", "s0", value / 2) for name, value in numbers.items()]
    means = averages([pl.DataFrame(rows, schema=METRICS, orient="row")])
    bounds = means.with_columns(low=pl.col("value") - 1, high=pl.col("value") + 1)
    levels = [
        PAPER.head(1).with_columns(quantity=pl.lit(f"subcategories with p < {p}"), value=pl.lit(n))
        for p, n in ((0.05, 9.0), (0.01, 4.0))
    ]
    repeated = pl.concat([PAPER, *levels, PAPER.with_columns(value=pl.lit(0.0))])
    shown = overview(bounds, repeated, PEOPLE, CLASSES)
    row = shown.row(0, named=True)
    assert {name: row[name] for name in numbers if name != "constant"} == pytest.approx(
        {name: value for name, value in numbers.items() if name != "constant"}
    )
    for name in ("rho", "rho_without_reversals", "maxdiff", "maxdiff_without_reversals"):
        assert (row[f"{name}_low"], row[f"{name}_high"]) == pytest.approx((numbers[name] - 1, numbers[name] + 1))
    assert (row["subcategories"], row["own_subcategories"], row["note"]) == (1, False, None)
    assert shown.filter(agent="pmi")["rho"].to_list() == [0.112]  # the first of two values that the paper prints
    assert shown.filter(agent="pmi").select("significant_05", "significant_01", "maxdiff").rows() == [(9, 4, 33.9)]


def test_the_p_of_agents_count_where_they_have_one_and_of_none_nothing_is_counted():
    without = metrics("two maxdiff", (None, None, None), p=(None, None, None))
    assert significance(by_agent([A, B, without])).equals(significance(by_agent([A, B])))
    assert significance(by_agent([without])).is_empty()
    assert significance(by_agent([RANDOM])).columns == ["quantity", "value", "note"]


def test_classes_have_the_ceilings_of_all_pairs_and_of_those_without_reversals():
    people = PEOPLE.with_columns(ceiling=pl.when("reversals").then(0.9).otherwise(0.7))
    table = classes(averages([A]), PAPER, people, CLASSES)
    ceilings = table.filter(agent="noise ceiling").select("pairs", *CLASSES).rows()
    assert ceilings == [
        ("all", pytest.approx(0.9), pytest.approx(0.9)),
        ("without reversals", pytest.approx(0.7), pytest.approx(0.7)),
    ]


def test_classes_have_the_papers_rho_alone():
    """The paper may also print the questions that a system gets right in each class."""
    row = ("Table 4", None, "MaxDiff accuracy", "CONTRAST", "pmi", 40.0, None, None, None, None)
    paper = pl.concat([pl.DataFrame([row], schema=PUBLISHED, orient="row"), PAPER])
    table = classes(averages([A]), paper, PEOPLE, CLASSES)
    assert table.filter(agent="pmi").select("from", *CLASSES).rows() == [("the paper", None, 0.032)]


def test_rows_of_difficulty_are_those_of_the_drop_and_a_subcategory_without_one_is_last():
    """c:d reverses nothing that is rated; the deviation of one pair is missing, and takes no part in the correlation."""
    people = pl.concat(
        [
            gold(("t1", False, {"a:b": 1})),
            gold(("t0", False, {"a:x": 3, "x:a": 1})),
            gold(("t2", False, {"b:x": 3, "x:b": 3, "x:c": 1})),
        ]
    )
    table = difficulty(people, by_agent([A]))
    assert table.select("subcategory", "name", "condition", "pairs", "reversed", "drop", "range").rows() == [
        ("t0", "Name t0", "SIMILAR", 2, 1, 1.0, 2.0),
        ("t2", "Name t2", "SIMILAR", 3, 1, 0.0, 2.0),
        ("t1", "Name t1", "SIMILAR", 1, 0, None, 0.0),
    ]
    spread = correlate_with_spread(table, by_agent([A])).filter(agent="one schema")
    assert spread.select("spread", "subcategories").rows() == [
        ("range of the gold ratings", 3),
        ("standard deviation of the gold ratings", 2),
    ]


def test_the_choices_of_the_sensitivity_table_have_their_values_by_hand():
    """t0 is rated in the order of people, with two ratings that differ by 1e-12; those of t1 are equal."""
    pairs = ["a:b", "c:d", "e:f", "g:h"]
    people = gold(*((name, False, dict(zip(pairs, (4, 3, 2, 1), strict=True))) for name in ("t0", "t1")))
    asked = pl.DataFrame(
        [
            ("t0", pairs, ["g:h"], ["a:b"], 5),
            ("t0", pairs[::-1], ["a:b", "c:d"], ["c:d"], 5),
            ("t1", pairs, ["g:h"], ["a:b"], 5),
        ],
        schema=QUESTIONS,
        orient="row",
    )
    pair_ratings = {("t0", pair): rating for pair, rating in zip(pairs, (4.0, 3.0 + 1e-12, 3.0, 1.0), strict=True)}
    pair_ratings |= {("t1", pair): 7.0 for pair in pairs}
    ratings = rating_table("m schema", pair_ratings)
    measured = values(ratings, people, asked)
    printed = rating_table("m schema", {key: -rating for key, rating in pair_ratings.items()})
    given = AgentResults(measured, people, asked, seed=1, ratings=ratings, printed=printed)
    table = agent_table(given)
    columns = ["choice", "metric", "value", "subcategories", "other_value", "other_subcategories"]
    found = {row[:2]: row[2:] for row in table.select(columns).rows()}
    # rho is 1 and 0. Rounded ranks 4 2.5 2.5 1 beside 4 3 2 1: 4.5 / √(4.5 · 5). Of MaxDiff, t0 has 100 and 0 % of its two
    # questions, and t1 25 % of its one: (50 + 25) / 2; without the tie of people (100 + 25) / 2.
    assert found["equal ratings of all pairs", "rho"] == pytest.approx((0.5, 2, 1.0, 1))
    assert found["reversed pairs", "rho"] == pytest.approx((0.5, 2, 0.5, 2))
    assert found["reversed pairs", "maxdiff"] == pytest.approx((37.5, 2, 37.5, 2))
    assert found["ratings", "rho"] == pytest.approx((0.5, 2, (4.5 / 5) ** 0.5 / 2, 2))
    assert found["ties of people's choices", "maxdiff"] == pytest.approx((37.5, 2, 62.5, 2))
    assert found["paradigm of 2b", "rho"] == pytest.approx((0.5, 2, -0.5, 2))
    assert found["paradigm of 2b", "maxdiff"] == pytest.approx((37.5, 2, 25.0, 2))
    assert found["equal ratings in a question", "maxdiff"][2] in (25.0, 50.0, 75.0)
    drawn = {
        agent_table(given._replace(seed=seed)).filter(choice="equal ratings in a question")["other_value"][0]
        for seed in range(4)
    }
    assert drawn >= {25.0, 50.0}
    assert set(found) == set(agent_table(given._replace(printed=printed.clear())).select(columns[:2]).rows()) | {
        ("paradigm of 2b", "rho"),
        ("paradigm of 2b", "maxdiff"),
    }
    assert agent_table(given._replace(printed=None)).height == len(found) - 2
    equal = rating_table("m schema", dict.fromkeys(pair_ratings, 7.0))
    all_equal = AgentResults(values(equal, people, asked), people, asked, seed=1, ratings=equal)
    assert (
        "equal ratings of all pairs" not in agent_table(all_equal)["choice"].to_list()
    )  # there is no subcategory left


def test_an_agent_that_answers_questions_has_two_choices_and_one_that_cannot_be_read_none():
    pairs = ["a:b", "c:d", "e:f", "x:b"]
    people = gold(("t0", False, dict.fromkeys([*pairs, "g:h"], 1)))
    shown = [*pairs[:3], "g:h"]
    asked = pl.DataFrame(
        [("t0", pairs, ["a:b"], ["c:d"], 5), ("t0", shown, ["a:b", "c:d"], ["c:d"], 5)], schema=QUESTIONS, orient="row"
    )
    row = {"subcategory": "t0", "order": 1, "sample": 1, "text": "", "least": "a:b"}
    chosen = pl.DataFrame(
        [row | {"pairs": pairs, "shown": pairs, "most": "c:d"}, row | {"pairs": shown, "shown": shown, "most": "g:h"}],
        schema=REPLY_CHOICES,
    )
    measured = choice_values(chosen, people, asked, agent="m maxdiff")
    given = AgentResults(measured, people, asked, seed=1, choices=chosen)
    found = agent_table(given).select("choice", "metric", "agent", "value", "other_value").rows()
    # Three of four choices are right; without reversals one of two, and without people's ties both.
    assert found == [
        ("reversed pairs", "maxdiff", "m maxdiff", 75.0, 50.0),
        ("ties of people's choices", "maxdiff", "m maxdiff", 75.0, 100.0),
    ]
    assert agent_table(given._replace(values=measured.clear())).is_empty()
    assert agent_table(given._replace(choices=None)).is_empty()


def test_our_figures_are_those_without_reversals_and_adjusted_unless_the_paper_s_are_asked_for():
    """Of agents and of sizes; no other metric than the paper's has a figure."""
    rows = [
        *[
            ("m schema", f"{name}{ending}", "test", value)
            for name, ending, value in (
                ("rho", "", 0.5),
                ("rho", WITHOUT, 0.4),
                ("significant_05", "", 3.0),
                ("significant_05", WITHOUT, 2.0),
                ("significant_01", "", 1.0),
                ("significant_01", WITHOUT, 0.0),
                ("negative_05", "", 9.0),
                ("maxdiff", "", 30.0),
                ("reversal_rmse", "", 7.0),
                ("least", "", 9.0),
            )
        ],
        ("m schema", "rho", "SIMILAR", 0.6),
    ]
    means = pl.DataFrame(rows, schema=["agent", "metric", "condition", "value"], orient="row").with_columns(
        low=pl.lit(None, pl.Float64), high=pl.lit(None, pl.Float64), units=pl.lit(3)
    )
    uncorrected, corrected = (
        "subcategories where an agent has p < 0.05",
        "subcategories where an agent has p_holm < 0.05",
    )
    sizes = pl.DataFrame({"quantity": ["pairs", uncorrected, corrected], "value": [7.0, 5.0, 4.0]})

    def shown(inference):
        return {tuple(row[:3]): row[3] for row in ours(means, sizes, inference).rows()}

    plain = {
        ("Spearman's rho", None, "m schema"): 0.5,
        ("Spearman's rho", "SIMILAR", "m schema"): 0.6,
        ("Spearman's rho without reversals", None, "m schema"): 0.4,
        ("MaxDiff accuracy", None, "m schema"): 30.0,
        ("RMSE of reversals", None, "m schema"): 7.0,
        ("pairs", None, None): 7.0,
    }
    agent_values = [(f"subcategories with p < {level}", None, "m schema") for level in ("0.05", "0.01")]
    assert shown("paper") == {
        **plain,
        **dict(zip(agent_values, (3.0, 1.0), strict=True)),
        (uncorrected, None, None): 5.0,
        (corrected, None, None): 4.0,
    }
    assert shown("clusters") == {
        **plain,
        **dict(zip(agent_values, (2.0, 0.0), strict=True)),
        (uncorrected, None, None): 4.0,
    }


def test_what_a_reversal_costs_has_its_test_beside_it_and_a_run_without_files_its_empty_tables(tmp_path):
    """Tables 5 and 6 of an agent in full, from its averages and the test of the difference."""
    agent_values = by_agent([A, RANDOM])
    tested = differences(agent_values, AgentComparison(["random"]))
    row = reversals(averages([A, RANDOM]), PAPER, tested).row(0, named=True)
    rho_row = tested.filter(agent="one schema", a="rho").row(0, named=True)
    names = ("difference", "low", "high", "clusters", "p", "p_holm", "family")
    assert {name: row[name] for name in names} == {name: rho_row[name] for name in names}
    assert (row["rho_without_reversals"], row["rho"], row["from"]) == (
        pytest.approx(0.15),
        pytest.approx(0.3),
        "this run",
    )
    files = {one.name: None for one in fields(Results)}
    run = Results(**{**files, "metrics": [A, RANDOM]})
    kinds = {
        name: [*TABLES_OF_REVERSALS["differences"](given)["family"]]
        for name, given in (("no", run), ("one", replace(run, controls=["random"])))
    }
    assert kinds == {"no": ["models"] * 2, "one": ["models", "controls"]}
    assert [make(run).height for make in TABLES_OF_ANSWERS.values()] == [0, 0, 0]
    said = pl.DataFrame(
        {"subcategory": "t0", "pairs": [["a:b"]], "shown": [["a:b"] * 4], "order": 1, "least": "a:b", "most": ""}
    )
    run_of_m = replace(run, reply_choices={"m": said})
    assert [TABLES_OF_ANSWERS[name](run_of_m)["agent"][0] for name in ("maxdiff_answers", "orders")] == [
        "m maxdiff"
    ] * 2
    (tmp_path / "sensitivity").mkdir()
    sensitivity_of_m = pl.DataFrame(schema=SENSITIVITY).clear()
    sensitivity_of_m.write_parquet(tmp_path / "sensitivity/m.parquet")
    (found,) = replace(run, by_agent=[tmp_path / "sensitivity/m.parquet"]).agent_tables("sensitivity")
    assert found.columns == sensitivity_of_m.columns
    assert run.agent_tables("sensitivity") == []


def test_the_tables_of_the_page_are_those_of_the_run():
    """What each agent has beyond the controls is of those that the run names; the data say where ratings are significant."""
    tested = agent_tests([A, B, RANDOM])
    people = gold(("t0", False, {"a:b": 4, "c:d": 3}))
    files = {one.name: None for one in fields(Results)}
    given = {"tests": tested, "controls": ["random"], "metrics": [A, B], "gold": people, "ceiling": PEOPLE}
    questions = pl.DataFrame(schema=QUESTIONS)
    run = Results(**{**files, **given, "questions": questions, "averages": averages([A, B]), "published": PAPER})
    assert TABLES["controls"](run).equals(beyond_controls(tested, ["random"]))
    assert set(TABLES["controls"](run)["agent"]) == {"one schema", "one pmi"}
    assert TABLES["controls"](replace(run, controls=None)).is_empty()
    assert TABLES["tests"](run).equals(tested)
    assert TABLES["ceiling"](run).equals(PEOPLE)
    assert TABLES["subcategories"](run).equals(subcategories(by_agent([A, B])))
    assert TABLES["overview"](run).equals(overview(averages([A, B]), PAPER, PEOPLE, ["SIMILAR"]))
    assert TABLES["data"](run).equals(
        pl.concat([data(people, questions), significance(by_agent([A, B]))], how="diagonal")
    )
    assert replace(run, published=None).paper_figures().is_empty()


@pytest.mark.parametrize(("inference", "value"), [("paper", 2.0), ("clusters", 3.0)])
def test_the_papers_figures_stand_beside_those_of_the_averages_the_data_and_the_analyses(inference, value):
    """Without reversed pairs more subcategories are significant here; the drop of a reversal is that of an analysis."""
    rows = [
        ("Spearman's rho", None, "one schema", 0.25),
        ("subcategories with p < 0.05", None, "one schema", 1.0),
        ("pairs", None, None, 9.0),
        *((quantity, "Name t0", None, 2.0) for quantity in DROP),
    ]
    about = {"where": "Table 3", "page": 1, "source": "2012"}
    names = ["quantity", "condition", "agent", "value"]
    figures_of_paper = [dict.fromkeys(PUBLISHED) | about | dict(zip(names, row, strict=True)) for row in rows]
    without = A.filter(metric="significant_05").with_columns(
        metric=pl.lit("significant_05_without_reversals"), value=pl.lit(1.0)
    )
    people = gold(("t0", False, {"a:x": 3, "x:a": 1}))
    files = {one.name: None for one in fields(Results)}
    given = {"metrics": [A], "gold": people, "averages": averages([pl.concat([A, without])]), "inference": inference}
    given |= {
        "questions": pl.DataFrame(schema=QUESTIONS),
        "published": pl.DataFrame(figures_of_paper, schema=PUBLISHED),
    }
    table = TABLES_OF_PUBLISHED["published"](Results(**{**files, **given}))
    found = {row["quantity"]: (row["value"], row["ours"]) for row in table.filter(where="Table 3").to_dicts()}
    assert found == {
        "Spearman's rho": (0.25, pytest.approx(0.3)),
        "subcategories with p < 0.05": (1.0, value),
        "pairs": (9.0, 2.0),
        **dict.fromkeys(DROP, (2.0, 1.0)),
    }
