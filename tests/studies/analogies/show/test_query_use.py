"""A model uses the query only if it is ahead of a swapped one and of its best control."""

import polars as pl
import pytest
from relprobe.report.words.headline import ROWS
from relprobe.stats.schemas import CONTROLS, TESTS
from relprobe.studies.analogies import page
from relprobe.studies.analogies.addresses import answers
from relprobe.studies.analogies.claims import CLAIMS
from relprobe.studies.analogies.page import query_use
from relprobe.studies.analogies.tables import SWAPPED_QUERIES

ROW = {"setting": "unsupervised", "probe": "reverse", "condition": "All", "agent": "m", "right_query": 0.71}
ROW |= {"swapped_query": 0.55, "difference": 0.16, "low": 0.1, "high": 0.22, "p_holm": 0.001}


@pytest.mark.parametrize(("difference", "p", "uses"), [(0.1, 0.01, True), (-0.22, 0.01, False), (0.1, 0.3, False)])
def test_a_model_that_is_not_ahead_of_static_vectors_is_not_said_to_use_the_query(difference, p, uses):
    beside = {"metric": "unsupervised reverse", "condition": "All", "agent": "m", "control": "static"}
    beside |= {"difference": difference, "p": p, "p_holm_all": p}
    tables = {"swapped": pl.DataFrame([ROW]), "controls": pl.DataFrame([beside])}
    readers, said = query_use(tables, "unsupervised", ["m"])
    assert readers == ["m"]  # its own sentence says what it has beside static vectors
    assert ("uses the query" in said) is uses
    assert ("depends on the query: it is right in 71 of 100 choices" in said) is not uses
    assert ("the data do not show that it is ahead of its best control" in said) is not uses


def test_without_a_control_the_swapped_query_decides():
    assert "m uses the query" in query_use({"swapped": pl.DataFrame([ROW])}, "unsupervised", ["m"])[1]


def swapped(agent, setting, right, other, p):
    row = {
        "condition": "All",
        "agent": agent,
        "setting": setting,
        "probe": "reverse",
        "right_query": right,
        "p_holm": p,
    }
    row |= {
        "swapped_query": other,
        "difference": right - other,
        "low": right - other - 0.06,
        "high": right - other + 0.06,
    }
    return row | {"p": p / 2, "error": 0.03, "freedom": 30.0, "detectable": 0.1, "tuples": 40, "clusters": 31}


def control(agent, metric, value, other, p):
    row = {
        "agent": agent,
        "metric": metric,
        "condition": "All",
        "value": value,
        "control": "static",
        "control_value": other,
    }
    row |= {
        "difference": value - other,
        "low": 0.01,
        "high": 0.2,
        "claim": "ahead of every control",
        "controls": 1,
        "p": p,
    }
    return row | {"family_size": 1, "p_holm_all": p, "units": 40, "discordant": 10, "error": 0.03, "freedom": 30.0}


OVERVIEW = pl.DataFrame(
    [
        {
            "group": group,
            "agent": agent,
            "supervised reverse": trained_value,
            "unsupervised reverse": chosen,
            "own_tuples": False,
        }
        for group, less in (("ES", 0.2), ("All", 0.0))
        for agent, trained_value, chosen in (
            ("m", 0.9, 0.71),
            ("n", 0.8, 0.6 - less),
            ("k", 0.5, 0.5),
            ("static", 0.7, 0.65),
        )
    ]
)
QUERIES = pl.DataFrame(
    [
        swapped("k", "unsupervised", 0.5, 0.5, 0.9),
        swapped("n", "unsupervised", 0.62, 0.5, 0.002),
        swapped("m", "unsupervised", 0.71, 0.55, 0.001),
        swapped("m", "supervised", 0.9, 0.89, 0.6),
        swapped("m", "unsupervised", 0.71, 0.55, 0.001) | {"condition": "ES", "right_query": 0.99},
        swapped("m", "unsupervised", 0.71, 0.55, 0.001) | {"probe": "type", "right_query": 0.98},
        swapped("static", "unsupervised", 0.97, 0.5, 0.001),
    ],
    schema=SWAPPED_QUERIES,
)
BEST = pl.DataFrame(
    [
        control("m", "unsupervised reverse", 0.71, 0.65, 0.01),
        control("n", "unsupervised reverse", 0.6, 0.65, 0.3),
        control("k", "unsupervised reverse", 0.5, 0.65, 0.3),
        control("m", "supervised reverse", 0.9, 0.7, 0.001),
    ],
    schema=CONTROLS,
)
PAGE_TABLES = {"overview": OVERVIEW, "swapped": QUERIES, "controls": BEST, "tests": pl.DataFrame(schema=TESTS)}


def test_the_finding_is_of_the_best_model_that_reads_the_query():
    found = page.finding(PAGE_TABLES, ["n", "k", "m"])
    assert found.agent == "m"
    first, second, third = found.sentences
    assert first.startswith("m is the best of 2 models that read the query: it chooses")
    assert "in 71 of 100 choices (guessing: 50), and n in 60" in first
    assert second == "It has more than its best control, static (65)."
    assert third == "With a query of two other tuples it is right in 55, not 71: it uses the query."
    for models in (["n", "m"], ["n", "m", "without values"]):  # all models with values read it; controls are none
        assert page.finding(PAGE_TABLES, models).sentences[0].startswith("m is the best of 2 models: it chooses")
    alone = page.finding(PAGE_TABLES, ["m"])
    assert alone.sentences[0].startswith("m chooses")
    assert alone.sentences[1:] == found.sentences[1:]


def test_a_reader_that_is_not_ahead_of_its_control_depends_on_the_query():
    found = page.finding(PAGE_TABLES, ["n"])
    assert found.sentences[2] == (
        "On a sample it is right in 62, and with another query in 50: its choices depend on the query."
    )
    assert "which of the two is better is open" in found.sentences[1]
    # Where nothing says what a control has, the query decides, and where there is no control at all.
    bare = PAGE_TABLES | {"controls": BEST.clear()}
    assert page.finding(bare, ["n"]).sentences[-1].endswith(": it uses the query.")
    assert (
        page.finding(PAGE_TABLES | {"controls": BEST.filter(agent="m")}, ["n"])
        .sentences[-1]
        .endswith(": it uses the query.")
    )


def test_no_reader_has_no_praise_but_what_would_tell():
    found = page.finding(PAGE_TABLES, ["k"])
    assert found.agent == "k"
    assert found.sentences[0] == (
        "k is right in 50 of 100 choices with the query, and in 50 with another query: the data do not show that it uses it."
    )
    assert found.sentences[1] == "Its best control, static, has 65; which of the two is better is open."
    assert found.sentences[2].startswith("About ")
    assert found.sentences[2].endswith(" times as many relations would tell.")
    assert "p = 0.9 after Holm's adjustment" in found.statistics
    both = PAGE_TABLES | {"swapped": QUERIES.with_columns(p_holm=pl.when(agent="n").then(0.08).otherwise("p_holm"))}
    finding_of_two = page.finding(both, ["k", "n"])
    assert finding_of_two.agent == "n"  # that of the smaller p
    assert "the data do not show that any of 2 models uses it" in finding_of_two.sentences[0]


def test_without_a_swapped_query_the_finding_says_so():
    without = {name: table for name, table in PAGE_TABLES.items() if name != "swapped"}
    found = page.finding(without, ["m", "n"])
    assert found.sentences[0].startswith("m is the best of 2 models: it chooses")
    assert found.sentences[-1] == page.NO_SWAP
    assert page.finding(
        without | {"overview": OVERVIEW.drop("supervised reverse", "unsupervised reverse")}, ["m"]
    ).sentences == (page.NO_CHOICE,)


def test_the_head_of_the_page_has_both_settings_the_last_one_first():
    found = page.headline(PAGE_TABLES, ["m", "n", "k"])
    first, second, third = found.sentences
    assert first.startswith("m chooses, without training, the pair in the right order in 71 of 100 choices")
    assert "n in 60" in first
    assert "k" not in first.split()
    assert "over static +0.06" in first
    assert second.startswith("m uses the query to choose between a pair and a reversed one")
    assert third.startswith("For no model do the data show that a classifier of its embeddings uses the query: m")
    assert found.more == ()  # what stands in a sentence is not said again
    shown = found.verdicts.select("agent", "condition", "value", "best control", "its value", "verdict").rows()
    assert shown == [
        ("m", "All", 0.71, "static", 0.65, "ahead"),
        ("n", "All", 0.6, "static", 0.65, "open"),
        ("k", "All", 0.5, "static", 0.65, "open"),
        ("m", "supervised reverse, All", 0.9, "static", 0.7, "ahead"),
        ("n", "supervised reverse, All", 0.8, None, None, "no control to compare with"),
        ("k", "supervised reverse, All", 0.5, None, None, "no control to compare with"),
        ("m", "unsupervised, query", 0.71, "a query of two other tuples", 0.55, "ahead"),
        ("n", "unsupervised, query", 0.62, "a query of two other tuples", 0.5, page.ON_QUERY),
        ("m", "supervised, query", 0.9, "a query of two other tuples", 0.89, "open: such a test finds 0.10"),
        ("k", "unsupervised, query", 0.5, "a query of two other tuples", 0.5, "open: such a test finds 0.10"),
    ]
    without = {name: table for name, table in PAGE_TABLES.items() if name != "swapped"}
    found = page.headline(without, ["m"])
    assert [text for text in (*found.sentences, *found.more) if text == page.NO_SWAP]
    assert found.verdicts["condition"].to_list() == ["All", "supervised reverse, All"]
    empty = page.headline(without | {"overview": OVERVIEW.select("group", "agent", "own_tuples")}, ["m"])
    assert (empty.sentences, empty.verdicts) == ((page.NO_CHOICE,), None)


def test_who_reads_the_query_beside_the_best_is_named():
    ahead = BEST.with_columns(difference=pl.lit(0.1), p=pl.lit(0.001), p_holm_all=pl.lit(0.001))
    said = query_use(PAGE_TABLES | {"controls": ahead}, "unsupervised", ["m", "n", "k"])[1]
    assert said.endswith("after Holm's adjustment); so does n.")
    third = pl.concat([QUERIES, QUERIES.filter(agent="n").with_columns(agent=pl.lit("o"))])
    said = query_use(PAGE_TABLES | {"controls": ahead, "swapped": third}, "unsupervised", ["m", "n", "o"])[1]
    assert said.endswith("; so do n and o.")
    readers, said = query_use(PAGE_TABLES, "unsupervised", ["n", "m"])
    assert (readers, said.startswith("m uses the query")) == (["m", "n"], True)  # n is not ahead of its control
    assert said.endswith("after Holm's adjustment).")
    assert query_use(PAGE_TABLES, "supervised", ["k"]) == ([], page.NO_SWAP)


def test_cells_lead_to_the_choices_behind_them():
    row = {"agent": "m", "unsupervised reverse": 0.5, "unsupervised random": None, "relation": "E01 capitals"}
    address = page.ADDRESSES["overview"](row, "unsupervised reverse")
    assert "prompt=E01+capitals+%28reverse%29" in address
    assert "prompt" not in page.ADDRESSES["overview"](row | {"relation": None}, "unsupervised reverse")
    for column in ("unsupervised random", "agent", "tuples"):
        assert page.ADDRESSES["overview"](row | {"tuples": 4}, column) is None
    assert address != page.ADDRESSES["overview"](row | {"agent": "n"}, "unsupervised reverse")
    test = {"agent_a": "m", "agent_b": "n", "metric": "unsupervised reverse", "condition": "All", "difference": 0.1}
    between = page.ADDRESSES["tests"](test, "difference")
    assert "a=m" in between
    assert "b=n" in between
    assert page.ADDRESSES["tests"](test, "condition") is None


def test_a_test_without_a_p_or_a_difference_says_least():
    """Of no p it is the one without, which is as if it were 1; without a difference nothing is compared."""
    rows = [swapped("k", "unsupervised", 0.5, 0.5, 0.9), swapped("n", "unsupervised", 0.6, 0.5, 0.9) | {"p_holm": None}]
    rows += [swapped("m", "unsupervised", 0.7, 0.5, 0.8) | {"difference": None}]
    for order in (rows, rows[::-1]):
        tables = PAGE_TABLES | {"swapped": pl.DataFrame(order, schema=SWAPPED_QUERIES)}
        found = page.finding(tables, ["k", "m", "n"])
        assert found.agent == "k"
        assert "p = 0.9 after Holm's adjustment" in found.statistics
        assert "any of 2 models" in found.sentences[0]
        assert ": k is right" in query_use(tables, "unsupervised", ["k", "m", "n"])[1]
        verdicts = page.headline(tables, ["k", "m", "n"]).verdicts
        assert verdicts.filter(condition="unsupervised, query")["agent"].to_list() == ["n", "k"]
    bare = PAGE_TABLES | {"swapped": pl.DataFrame([rows[1]], schema=SWAPPED_QUERIES)}
    assert page.finding(bare, ["n"]).statistics.startswith("Difference +0.10")
    assert "; no test; " in page.finding(bare, ["n"]).statistics


def test_an_agent_is_ahead_of_its_control_by_the_p_of_the_test_alone():
    """That of the setting is adjusted over nothing; where the table has none of its own, the adjusted one counts."""
    rows = BEST.with_columns(p=pl.lit(0.04), p_holm_all=pl.lit(0.2), difference=pl.lit(0.1))
    assert "n uses the query" in query_use(PAGE_TABLES | {"controls": rows}, "unsupervised", ["n"])[1]
    assert "depends on the query" in query_use(PAGE_TABLES | {"controls": rows.drop("p")}, "unsupervised", ["n"])[1]
    behind = rows.with_columns(difference=pl.lit(-0.1))
    assert "depends on the query" in query_use(PAGE_TABLES | {"controls": behind}, "unsupervised", ["n"])[1]


def test_the_verdicts_are_no_more_than_the_table_has_room_for():
    agents = [f"m{number}" for number in range(30)]
    rows = [swapped(agent, "unsupervised", 0.7, 0.5, 0.8) for agent in agents]
    overview = pl.DataFrame(
        [{"group": "All", "agent": agent, "own_tuples": False, "unsupervised reverse": 0.5} for agent in agents]
    )
    tables = PAGE_TABLES | {"swapped": pl.DataFrame(rows, schema=SWAPPED_QUERIES), "overview": overview}
    verdicts = page.headline(tables, agents).verdicts
    assert verdicts.height == ROWS
    assert verdicts["condition"][0] == "All"  # the first ones stay


def test_the_address_of_choices_names_the_probe_as_the_page_of_answers_does():
    assert answers("m", "unsupervised", "random_head") == "../answers.html#group=random+head&a=m&k=1"
    assert answers("m", "unsupervised", "random") == "../answers.html#a=m&k=1"  # the mean of two probes
    relation_address = answers("m", "unsupervised", "type", "capitals", against="n")
    assert relation_address == "../answers.html#group=type&prompt=capitals+%28type%29&a=m&b=n&k=1&show=a-not-b"
    assert answers("m", "supervised", "type") is None


def test_what_parts_the_best_from_the_next_is_told_behind_its_own_sentence():
    row = {"agent_a": "m", "agent_b": "n", "metric": "unsupervised reverse", "condition": "All", "difference": 0.11}
    row |= {"low": 0.05, "high": 0.17, "p": 0.001, "p_holm": 0.001, "p_holm_all": 0.001, "units": 40, "discordant": 9}
    tests = pl.DataFrame([row], schema={**TESTS, "condition": pl.String()})
    found = page.headline(PAGE_TABLES | {"tests": tests}, ["m", "n"])
    assert "ahead of n" not in " ".join(found.sentences)
    (told,) = found.more
    assert told.startswith("m is ahead of n in this comparison")


def test_a_model_without_a_use_of_the_query_is_beside_its_control_by_the_primary_test():
    """It is adjusted over nothing, whatever its p would be among others."""
    ahead = BEST.with_columns(p=pl.lit(0.01), p_holm_all=pl.lit(0.4), difference=pl.lit(0.1))
    found = page.finding(PAGE_TABLES | {"controls": ahead}, ["k"])
    assert found.sentences[1] == "It has more than its best control, static (65)."


def test_the_first_sentence_is_of_choices_without_training():
    assert [claim.verb for claim in CLAIMS if claim.primary] == [
        "chooses, without training, the pair in the right order in"
    ]
