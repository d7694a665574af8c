import polars as pl
import pytest
from relprobe.report.agent_styles import FigureSettings
from relprobe.report.published import compare_published, read
from relprobe.stats.controls import beyond_controls
from relprobe.stats.schemas import AVERAGES
from relprobe.stats.side_by_side import AgentComparison
from relprobe.studies.definitions import show as shown_at_once
from relprobe.studies.definitions import tables
from relprobe.studies.definitions.analyses import choices, depth, frequency, leaks, people, sensitivity, small, targets
from relprobe.studies.definitions.analyses import confusions as missed_targets
from relprobe.studies.definitions.analyses.confusions import ADDRESSES, confusions
from relprobe.studies.definitions.analyses.depth import by_depth
from relprobe.studies.definitions.analyses.frequency import by_frequency
from relprobe.studies.definitions.analyses.leaks import by_leak, leak_counts
from relprobe.studies.definitions.analyses.published import ours
from relprobe.studies.definitions.analyses.targets import target_answers
from relprobe.studies.definitions.compare import compare_agents
from relprobe.studies.definitions.conditions import names
from relprobe.studies.definitions.measures import MEASURES
from relprobe.studies.definitions.schemas import GROUPS, METRICS, REPLY_CHOICES, RESPONSES, SIZES, SMALL
from relprobe.studies.definitions.tables import TABLES, agents, gold, overview, probes

from tests.paths import ROOT
from tests.studies.definitions.about import properties, results

PUBLISHED = ROOT / "resources/published/definitions.csv"
NAMES = [metric.name for metric in MEASURES]
COUNTS = ["groups", "families", "answered", "own_groups"]
AVERAGES_ = pl.DataFrame(
    [
        (agent, metric, condition, value, None, None, 2, 1, 1.0, 3, 1.0, True, None)
        for agent, value in (("random", 0.1), ("static", 0.2), ("gpt2-xl", 0.4))
        for metric in NAMES
        for condition in ("verb", "noun", "noun, leak-free", "noun, rare", "verb, frequent", "noun, depth 3–5")
    ],
    schema=AVERAGES,
    orient="row",
)


def test_a_sample_without_any_group_of_the_conditions_has_a_table_without_rows():
    verbs = AVERAGES_.filter(condition="verb")
    for table in (by_depth(verbs), by_frequency(verbs)):
        assert table.columns == ["condition", "agent", *NAMES, *COUNTS]
        assert table.is_empty()


OTHER_CONDITIONS = ("noun, frequent", "noun, medium", "adjective")


def test_a_table_has_its_own_conditions_in_their_order():
    more = [AVERAGES_.filter(condition="verb").with_columns(condition=pl.lit(name)) for name in OTHER_CONDITIONS]
    table = pl.concat([AVERAGES_, *more])
    assert overview(table).select("part_of_speech", "agent").rows() == [
        (pos, agent) for pos in ("noun", "verb", "adjective") for agent in ("random", "static", "gpt2-xl")
    ]
    assert overview(AVERAGES_).columns == ["part_of_speech", "agent", *NAMES, *COUNTS]
    assert overview(AVERAGES_).select(COUNTS).unique().rows() == [(2, 1, 3, True)]
    bands = ["noun, rare", "noun, medium", "noun, frequent", "verb, frequent"]
    assert by_frequency(table)["condition"].unique(maintain_order=True).to_list() == bands
    assert by_depth(AVERAGES_)["condition"].unique().to_list() == ["noun, depth 3–5"]


def groups_of(*names):
    rows = [(name, "noun", f"word {name}", f"definition {name}", 3, "f", [], []) for name in names]
    return pl.DataFrame(rows, schema=GROUPS, orient="row")


def responses_of(**ranks):
    rows = [("w2d", name, 5, rank - 1, 0, rank, "another") for name, rank in ranks.items()]
    return pl.DataFrame(rows, schema=RESPONSES, orient="row")


def test_confusions_are_of_the_most_frequent_missed_targets():
    names = [f"g{i}" for i in range(8)]
    uses = {**dict(zip(names, range(8), strict=True)), "g6": None}
    about = properties(*({"group": name, "uses": uses[name]} for name in names))
    responses = responses_of(**{name: 1 if name == "g7" else 2 for name in names})
    table = confusions({"random": responses, "model": responses}, groups_of(*names), about)
    assert table["word"].to_list() == [f"word g{i}" for i in (5, 4, 3, 2, 1)]  # g7 is right, g6 of unknown frequency
    assert table.row(0) == ("model", "W2D", "noun", "word g5", "definition g5", "another", 2, 5)


def test_named_targets_are_shown_with_every_agents_answers():
    agents = {"random": responses_of(a=1), "gpt2": responses_of(a=1, b=2), "bert": responses_of(a=3, b=1)}
    table = target_answers(agents, groups_of("a", "b", "c"), ["b", "word a"])
    shown = table.select("word", "agent", "rank").rows()
    assert shown == [("word a", "gpt2", 1), ("word a", "bert", 3), ("word b", "gpt2", 2), ("word b", "bert", 1)]


def test_leak_free_groups_stand_beside_all():
    table = by_leak(AVERAGES_)
    assert table["condition"].unique(maintain_order=True).to_list() == ["noun", "noun, leak-free", "verb"]


def test_definitions_that_tell_their_word_are_counted_in_the_benchmark():
    leaks = ["names", "names", "inflects", "shares", None, None]
    rows = [{"group": f"g{i}", "leak": leak} for i, leak in enumerate(leaks)]
    table = leak_counts(properties(*rows, {"group": "small", "kept": False}))
    assert table.rows() == [("noun", 6, 2, 1, 1, 2)]


def test_published_figures_find_ours():
    sizes = pl.DataFrame(
        [
            (of, condition, 10, 4, 2.5, 7.5, 5, 9, 7.0, 6.0, 0.25, 0.125)
            for of in ("at least 5 synsets", "the benchmark", "this run's sample")
            for condition in (("noun", "verb") if of == "at least 5 synsets" else names())
        ],
        schema=SIZES,
        orient="row",
    )
    sizes = sizes.with_columns(
        candidates=pl.when(pl.col("groups_of") == "the benchmark").then(8.5).otherwise("candidates")
    )
    table = compare_published(read(PUBLISHED), ours(AVERAGES_, sizes))
    table = table.drop_nulls("where")  # without the agents of this run alone
    assert table.height == 216  # no figure of the paper meets two of ours
    values = {
        (row["where"], row["quantity"], row["condition"], row["agent"]): row["ours"]
        for row in table.iter_rows(named=True)
        if row["ours"] is not None
    }
    assert values["Table 2", "groups", "noun", None] == 10
    assert values["Table 2", "candidates (mean)", "verb", None] == 7.5  # of the unfiltered groups
    assert values["Table 6", "candidates (mean)", "noun, depth 3–5", None] == 8.5
    # The expected value over the benchmark, not the 0.1 of this run's draws:
    assert values["Table 4", "W2D P@1", "noun", "random"] == 25
    assert values["Table 5", "D2W RS", "verb", "random"] == 0.5
    assert values["Table 5", "D2W P@1", "verb", "gpt2-xl"] == pytest.approx(40)  # in percent, as the paper prints it
    assert values["Table 4", "W2D RS", "noun", "static"] == pytest.approx(0.2)
    assert values["Table 7", "W2D P@1", "noun, rare", "gpt2-xl"] == pytest.approx(40)
    assert not any(where == "Table 8" for where, *_ in values)


def test_table_8_stands_beside_the_groups_that_people_answered():
    group_rows = [("W2D P@1", SMALL, group, "f", value) for group, value in {"g1": 0.0, "g2": 1.0}.items()]
    answered = pl.DataFrame(group_rows, schema=METRICS, orient="row")
    people_values = people.as_table_8(people.average_on_peoples_groups({"humans": answered}))
    table = compare_published(read(PUBLISHED), people_values)
    row = table.filter(where="Table 8", agent="humans", quantity="W2D P@1").row(0, named=True)
    assert (row["value"], row["ours"]) == (62.5, 50)


def test_the_page_of_answers_has_each_group_in_both_tasks_with_its_right_candidate():
    """A group without a choice in a task is no probe of it; the frequency is that of its joined uses, if there are any."""
    groups = groups_of("g1", "g2", "g3").with_columns(
        w2d=pl.Series([[0, 1], [], [0, 1]], dtype=pl.List(pl.UInt32)),
        d2w=pl.Series([[0, 1]] * 3, dtype=pl.List(pl.UInt32)),
    )
    about = properties(
        {"group": "g1", "joined": 1000.0}, {"group": "g2", "joined": 0.0}, {"group": "g3", "joined": None}
    )
    table = probes(groups, about)
    assert table.select("probe_id", "group", "target", pl.col("zipf").round(6)).rows() == [
        ("w2d:g1", "W2D nouns", "word g1 (g1)", 3.0),
        ("w2d:g3", "W2D nouns", "word g3 (g3)", None),
        ("d2w:g1", "D2W nouns", "word g1 (g1)", 3.0),
        ("d2w:g2", "D2W nouns", "word g2 (g2)", None),
        ("d2w:g3", "D2W nouns", "word g3 (g3)", None),
    ]
    assert ("word g1" in table["text"][0], "definition g1" in table["text"][2]) == (True, True)
    right = gold(groups.head(1), "WordNet").select("group", "word", "source").rows()
    assert right == [("W2D nouns", "definition g1", "WordNet"), ("D2W nouns", "word g1", "WordNet")]


def test_an_agent_shows_its_first_answer_and_where_the_right_one_comes():
    """The right candidate stands at its rank, from the second to the tenth; people's answers have shares."""
    rows = [
        ("w2d", "g1", 5, 0, 0, 1, "definition g1"),
        ("w2d", "g2", 5, 1, 0, 2, "another"),
        ("d2w", "g1", 20, 9, 0, 10, "another"),
        ("d2w", "g2", 20, 10, 0, 11, "another"),
    ]
    responses = pl.DataFrame(rows, schema=RESPONSES, orient="row")
    model, people = agents({"m": responses, "humans": responses}, groups_of("g1", "g2"))
    assert (model.name, model.people, people.name, people.people) == ("m", False, "humans", True)
    assert sorted(model.answers.rows()) == [
        ("d2w:g1", 1, "another", None),
        ("d2w:g1", 10, "word g1", None),
        ("d2w:g2", 1, "another", None),
        ("w2d:g1", 1, "definition g1", None),
        ("w2d:g2", 1, "another", None),
        ("w2d:g2", 2, "definition g2", None),
    ]
    assert people.answers["weight"].to_list() == [1.0] * 4


def test_confusions_stand_by_agent_task_and_part_of_speech_and_targets_by_group():
    """In the order of the agents, not of their names; each has up to five of a task and part of speech."""
    groups = pl.concat([groups_of("b", "a"), groups_of("c").with_columns(pos=pl.lit("adjective"))])
    about = properties(*({"group": name, "uses": uses} for name, uses in (("a", 5.0), ("b", 5.0), ("c", 9.0))))
    both = pl.concat([responses_of(b=2, a=2, c=2), responses_of(b=3, a=3, c=3).with_columns(task=pl.lit("d2w"))])
    found = confusions({"z": both, "random": both, "m": both}, groups, about)
    assert found.select("agent", "task", "part_of_speech", "word", "rank").rows() == [
        (agent, task, *word_fields)
        for agent in ("z", "m")
        for task, rank in (("W2D", 2), ("D2W", 3))
        for word_fields in (("adjective", "word c", rank), ("noun", "word a", rank), ("noun", "word b", rank))
    ]
    assert found.columns == ["agent", "task", "part_of_speech", "word", "definition", "answer", "rank", "candidates"]
    named = target_answers({"z": both, "random": both, "m": both}, groups, ["b", "word c"])
    assert named.select("word", "task", "agent").rows() == [
        (f"word {name}", task, agent) for name in "bc" for task in ("W2D", "D2W") for agent in ("z", "m")
    ]


def test_leaks_are_counted_with_nouns_first():
    table = leak_counts(
        properties({"pos": "verb"}, {"pos": "adjective", "leak": "names"}, {"pos": "noun", "leak": "shares"})
    )
    assert table.select("part_of_speech", "names", "shares", "leak_free").rows() == [
        *[("noun", 0, 1, 0), ("verb", 0, 0, 1), ("adjective", 1, 0, 0)],
    ]


def test_the_files_of_a_run_are_read_where_it_has_them(tmp_path):
    table = pl.DataFrame([("W2D P@1", "noun", "g", "f", 0.5)], schema=METRICS, orient="row")
    table.write_parquet(tmp_path / "m.parquet")
    assert results(metrics=[tmp_path / "m.parquet"]).values()["m"].equals(table)
    (tmp_path / "sensitivity").mkdir()
    table.with_columns(agent=pl.lit("m")).write_parquet(tmp_path / "sensitivity/m.parquet")
    (sensitivity_of_m,) = results(by_agent=[tmp_path / "sensitivity/m.parquet"]).agent_tables("sensitivity")
    assert sensitivity_of_m["agent"].to_list() == ["m"]
    assert results().agent_tables("sensitivity") == []
    said = pl.DataFrame({"task": ["w2d"]}, schema={"task": REPLY_CHOICES["task"]})
    assert results(reply_choices={"m": said}).choices_by_task()["m"]["task"].to_list() == ["W2D"]
    assert results().choices_by_task() == {}
    assert TABLES["averages"](results(averages=AVERAGES_)).equals(AVERAGES_)


def test_tables_of_what_a_run_lacks_are_empty(tmp_path):
    run = {"responses": {"humans": responses_of(a=1)}, "properties": properties({"group": "a", "pos": "verb"})}
    table = people.TABLES["people"](results(**run, averaged_units="common", ties="expected"))
    assert table.select("condition", "agent", "W2D P@1").rows() == [("verb", "humans", 1.0)]
    given = {"responses": {"m": responses_of(a=1)}, "groups": groups_of("a")}
    assert targets.TABLES["targets"](results(**given)).is_empty()
    assert targets.TABLES["targets"](results(**given, targets=["a"]))["word"].to_list() == ["word a"]
    assert choices.TABLES["sent"](results()).is_empty()


def test_the_tables_of_analyses_are_made_of_the_files_of_the_run(tmp_path):
    small_rows = AVERAGES_.filter(condition="noun").with_columns(condition=pl.lit(SMALL))
    means = pl.concat([AVERAGES_, small_rows])
    shown = {
        analysis.__name__.rpartition(".")[2]: analysis.TABLES[name](results(averages=means))
        for analysis, name in ((depth, "depth"), (frequency, "frequency"), (leaks, "leaks"), (small, "small"))
    }
    assert {name: table["condition"].unique(maintain_order=True).to_list() for name, table in shown.items()} == {
        "depth": ["noun, depth 3–5"],
        "frequency": ["noun, rare", "verb, frequent"],
        "leaks": ["noun", "noun, leak-free", "verb"],
        "small": [SMALL],
    }
    about = properties({"group": "a", "leak": "names"}, {"group": "b"})
    assert leaks.TABLES["told"](results(properties=about)).rows() == [("noun", 2, 1, 0, 0, 1)]
    missed = results(responses={"m": responses_of(a=1, b=2)}, groups=groups_of("a", "b"), properties=about)
    assert missed_targets.TABLES["confusions"](missed)["word"].to_list() == ["word b"]
    (tmp_path / "sensitivity").mkdir()
    files = [tmp_path / f"sensitivity/{agent}.parquet" for agent in ("m", "n")]
    for file in files:
        row = {"agent": file.stem, "choice": sensitivity.TIES[0], "metric": "W2D P@1"}
        pl.DataFrame([row], schema=sensitivity.SENSITIVITY).write_parquet(file)
    assert sensitivity.TABLES["sensitivity"](results(by_agent=files))["agent"].to_list() == ["m", "n"]


def test_a_confusion_leads_to_all_agents_answers_at_its_word_alone():
    row = {"agent": "m", "task": "D2W", "word": "nod", "definition": "lower the head", "part_of_speech": "verb"}
    address = ADDRESSES["confusions"]
    assert address(row, "rank") is None
    link = address(row, "word")
    assert link.startswith("../answers.html#group=D2W+verbs&a=m&")
    assert "lower+the+head" in link
    assert "nod" not in link
    assert "nod" in address(row | {"task": "W2D"}, "word")


def test_a_table_of_conditions_has_each_number_in_its_own_column():
    row = {
        "agent": "m",
        "metric": "W2D RS",
        "condition": "noun",
        "value": 0.5,
        "units": 4,
        "clusters": 3,
        "answered": 5,
    }
    full = {**dict.fromkeys(AVERAGES), **row, "own_units": False}
    table = pl.DataFrame([full, {**full, "metric": "D2W P@1", "value": 0.25, "low": 0.125}], schema=AVERAGES)
    (row,) = overview(table).to_dicts()  # whatever intervals its metrics have
    assert row == {
        **{"part_of_speech": "noun", "agent": "m", "W2D P@1": None, "W2D RS": 0.5, "D2W P@1": 0.25, "D2W RS": None},
        **{"groups": 4, "families": 3, "answered": 5, "own_groups": False},
    }


def test_answers_of_people_are_the_ten_most_frequent_by_their_shares():
    """Twelve people, two of whom agree; the others stand by the alphabet, as far as there is room."""
    rows = [("d2w", "g1", 20, 1, 0, 2, f"word {number:02}") for number in (5, *range(11))]
    (people_shown,) = agents({"humans": pl.DataFrame(rows, schema=RESPONSES, orient="row")}, groups_of("g1"))
    shown = people_shown.answers.select("rank", "word", "weight").rows()
    assert shown[0] == (1, "word 05", pytest.approx(2 / 12))
    assert shown[1:] == [
        (rank, f"word {number:02}", pytest.approx(1 / 12)) for rank, number in enumerate((0, 1, 2, 3, 4, 6, 7, 8, 9), 2)
    ]


def test_named_targets_stand_by_their_group_whatever_their_word():
    groups = groups_of("a", "b").with_columns(word=pl.Series(["z", "y"]))
    found = target_answers({"m": responses_of(b=1, a=2)}, groups, ["a", "y"])
    assert found.select("word", "rank").rows() == [("z", 2), ("y", 1)]


def test_the_page_of_answers_is_made_with_the_tables_and_figures(monkeypatch, tmp_path):
    """Of all agents, with the words of the page."""
    made = []
    monkeypatch.setattr(shown_at_once, "publish_or_say", lambda *args, **options: made.append((args, options)))
    run = results(averages=AVERAGES_, responses="r", groups="g", properties="p")
    page = shown_at_once.Page(table_names=["overview"], source="my dictionary", models=["m"], run="a run")
    settings = FigureSettings(["precision"], {"random": "control", "static": "control", "gpt2-xl": "causal"})
    exhibits = shown_at_once.show(run, page, tmp_path / "t", tmp_path / "a", settings)
    assert made == [
        (
            (tmp_path / "a", tables.answers, "r", "g", "p", tmp_path / "t", tmp_path / "a"),
            {"source": "my dictionary", "models": ["m"], "run": "a run"},
        )
    ]
    shown, drawn = exhibits
    assert list(shown) == ["overview"]
    assert shown["overview"].equals(overview(AVERAGES_))
    assert [name for name, _ in drawn] == ["precision"]


def test_the_tables_of_the_page_are_those_of_the_run():
    """What each agent has beyond the controls is of those that the run names."""
    rows = [("W2D RS", "noun", f"g{place}", family, place / 9) for place, family in enumerate("fghijk")]
    better = pl.DataFrame(rows, schema=METRICS, orient="row")
    agent_values = {"m": better, "random": better.with_columns(value=pl.col("value") / 2)}
    tested = compare_agents(agent_values, AgentComparison(["random"]))
    run = results(tests=tested, controls=["random"], tasks="tasks", sizes="sizes", averages=AVERAGES_)
    assert TABLES["controls"](run).equals(beyond_controls(tested, ["random"]))
    assert TABLES["controls"](run)["agent"].to_list() == ["m"]
    assert TABLES["controls"](results(tests=tested)).is_empty()
    assert TABLES["tests"](run).equals(tested)
    assert (TABLES["tasks"](run), TABLES["data"](run)) == ("tasks", "sizes")
    assert TABLES["overview"](run).equals(overview(AVERAGES_))
