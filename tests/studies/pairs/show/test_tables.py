"""The tables of the page, its sentences, and the trials."""

from dataclasses import fields, replace
from types import SimpleNamespace

import polars as pl
import pytest
from relprobe.core.manifest import write_manifest
from relprobe.paper.trials import with_further
from relprobe.sources.own.judged_pairs import JudgedPair, read, read_answers
from relprobe.stats.controls import beyond_controls
from relprobe.stats.side_by_side import AgentComparison
from relprobe.studies.pairs.agents import people_metrics
from relprobe.studies.pairs.figures import by_foils as draw
from relprobe.studies.pairs.figures import shown_panels
from relprobe.studies.pairs.method import judgment_table, probes, values
from relprobe.studies.pairs.page import agents_of, claims_of, finding, headline, nobody, words
from relprobe.studies.pairs.results import Results
from relprobe.studies.pairs.schemas import PAIR_AVERAGES, RATERS, REPLY_CHOICES
from relprobe.studies.pairs.tables import TABLES, absences, by_foils, choices, data, orders, overview
from relprobe.studies.pairs.trials import trials

from tests.studies.pairs.made import PROMPTS, ROBIN, article, compare, items

AGENTS = {"m pmi": 1.0, "m pmi+target": 0.5, "frequency": 0.0}


@pytest.fixture(scope="module")
def told():
    """Twenty targets, of which the agent m ranks the right word first, and the controls do not."""
    rows = [
        (f"t{number}", f"t{number}", f"{kind}{number}", kind, 6.0 if kind == "right" else float(number % 3))
        for number in range(20)
        for kind in ("right", "random")
    ]
    table = items(*rows, condition="own HYP", set_name="own")
    asked = probes(table, PROMPTS, article)
    judged = [
        judgment_table(
            name,
            {
                (relation, first, second): knows * second.startswith("right") + 0.001 * (ord(second[-1]) % 7)
                for relation, first, second in table.select("relation", "first", "second").iter_rows()
            },
            asked,
        )
        for name, knows in AGENTS.items()
    ]
    compared = compare(
        [values(one, table) for one in judged],
        table,
        pl.DataFrame(schema=RATERS),
        AgentComparison(["frequency", "m pmi+target"]),
        seed=1,
    )
    return table, judged, compared


def test_the_overview_has_every_metric_against_all_foils(told):
    shown = overview(told[2].averages, list(AGENTS))
    row = shown.filter(agent="m pmi").row(0, named=True)
    assert (row["ap"], row["rr"], row["targets"], row["pairs"]) == (1.0, 1.0, 20, 40)
    assert shown["agent"].to_list() == list(AGENTS)
    assert "accuracy" not in shown.columns
    foils = by_foils(told[2].averages)
    assert set(foils["foils"]) == {"all", "random"}


def test_the_page_says_who_is_ahead_of_every_control(told):
    shown = overview(told[2].averages, list(AGENTS))
    from relprobe.stats.controls import beyond_controls

    tables = {
        "overview": shown,
        "tests": told[2].tests,
        "controls": beyond_controls(told[2].tests, ["frequency", "m pmi+target"]),
        "primary": told[2].tables["primary"],
    }
    said = headline(tables, ["m"])
    assert said.sentences[0].startswith("m pmi ranks related words above foils") or "m pmi" in said.sentences[0]
    assert len(said.sentences) <= 3
    assert [claim.metric for claim, _ in claims_of(shown)] == ["ap", "rho"]
    assert agents_of(shown, ["m"]) == ["m pmi"]


def test_the_data_are_counted_by_kind():
    table = data(ROBIN, {"HYP": "hypernymy"})
    assert table.select("name", "kind", "pairs", "targets").rows()[0] == ("hypernymy", "right", 1, 1)
    assert table["pairs"].sum() == 4


def test_a_trial_is_a_choice_that_a_target_gives():
    asked = probes(ROBIN, PROMPTS, article)
    scores = {"robin:bird": 1.0, "bird:robin": 2.0, "robin:fish": 1.0, "robin:wug": 0.0}
    judged = judgment_table("m pmi", {("HYP", *pair.split(":")): one for pair, one in scores.items()}, asked)
    table = trials([judged, judged.with_columns(agent=pl.lit("m pmi+target"))], ROBIN, PROMPTS)
    found = table.filter(agent="m pmi")
    assert found.select("agent", "task", "prompt", "answer", "right", "rank", "candidates").rows() == [
        ("m pmi", "pick", "kind", None, 0.5, 1, 3),
        ("m pmi", "pick", "is", None, 0.5, 1, 3),
    ]  # a reversed pair is no word to choose, and two words tie
    assert table.filter(agent="m pmi+target").height == 2
    assert table["prompt_text"][0] == "[DET] – is a kind of [V]"


def test_a_trial_is_the_answer_of_a_person_or_of_an_agent_in_words():
    asked = probes(ROBIN, PROMPTS, article)
    answers = [
        JudgedPair("HYP", "robin", word, None, None, "", name, True) for name, word in (("a", "bird"), ("b", "wug"))
    ]
    said = people_metrics([*answers, JudgedPair("HYP", "robin", "bird", True, None, "", "a")], ROBIN, asked)
    table = trials([said.judgments], ROBIN, PROMPTS, {"humans": said.reply_choices, "m": said.reply_choices})
    assert table.select("agent", "respondent", "item", "answer", "right", "candidates").rows() == [
        ("humans", "person 1", "HYP: robin", "bird", 1.0, 3),
        ("humans", "person 2", "HYP: robin", "wug", 0.0, 3),
        ("m pick", "order 1, sample 1", "HYP: robin", "bird", 1.0, 3),
        ("m pick", "order 1, sample 2", "HYP: robin", "wug", 0.0, 3),
    ]


@pytest.mark.parametrize(("resource", "agent"), [("pair_answers", "humans"), ("judged_pairs", "raters")])
def test_further_columns_of_people_are_columns_of_trials(tmp_path, resource, agent):
    folder = tmp_path / resource
    folder.mkdir()
    choice = ",choice" if resource == "pair_answers" else ""
    rows = [("bird", "yes", "bob", 512), ("wug", "yes", "ann", 800), ("moon", "no", "ann", 7)]
    lines = [f"HYP,robin,{word},{label},{rater},{rt}{choice and ','}" for word, label, rater, rt in rows]
    if choice:
        lines.append("HYP,robin,fish,,bob,433,yes")
    file = folder / "own.csv"
    file.write_text("\n".join([f"relation,target,candidate,label,rater,rt{choice}", *lines]) + "\n")
    answers = (read_answers if choice else read)(file)
    said = people_metrics(answers, ROBIN, probes(ROBIN, PROMPTS, article))
    chosen = {"humans": said.reply_choices} if choice else {}
    table = trials([], ROBIN, PROMPTS, chosen, write_manifest(folder), layout={"further": {"rt": "rt"}})
    found = with_further(table)
    judged = found.filter(task="judge").sort("respondent")
    assert judged.select("agent", "respondent", "item", "answer", "right", "rt").rows() == [
        (agent, "person 1", "HYP: robin, wug", "yes", 0.0, 800.0),  # nobody is asked about the moon
        (agent, "person 2", "HYP: robin, bird", "yes", 1.0, 512.0),
    ]
    picked = found.filter(task="pick").select("respondent", "answer", "rt").rows()
    assert picked == ([("person 2", "fish", 433.0)] if choice else [])


def test_a_panel_stands_for_each_kind_of_foil_of_a_set(told):
    assert shown_panels(told[2].averages.filter(metric="ap")) == [("own HYP", "all"), ("own HYP", "random")]
    from relprobe.report.agent_styles import agent_styles

    figure = draw(told[2].averages, agent_styles({"m": "causal", "frequency": "control"}, {}))
    titles = [axis.get_title(loc="left") for axis in figure.axes if axis.get_visible()]
    assert titles == ["own HYP: all foils", "own HYP: random"]


def averages_of(*rows):
    """Return averages: agent, metric, condition, foils, value, low, high, units, whether these are its own."""
    names = ["agent", "metric", "condition", "foils", "value", "low", "high", "units", "own_units"]
    table = pl.DataFrame(rows, schema=names, orient="row")
    return table.with_columns(
        pl.lit(None, kind).alias(name) for name, kind in PAIR_AVERAGES.items() if name not in names
    ).select(list(PAIR_AVERAGES))


SEVERAL = averages_of(
    ("m", "ap", "HYP", "all", 0.5, 0.4, 0.6, 8, False),
    ("c", "ap", "HYP", "all", 0.25, None, None, 8, False),
    ("m", "rr", "HYP", "all", 0.75, 0.7, 0.8, 8, False),
    ("m", "ap", "HYP", "random", 0.9, 0.8, 1.0, 7, False),
    ("m", "rr", "HYP", "random", 1.0, None, None, 7, False),
    ("m", "auc", "HYP", "all", 0.6, 0.5, 0.7, 32, True),
    ("m", "rho", "ANT", "all", 0.1, -0.1, 0.3, 20, True),
    ("c", "choice", "HYP", "all", 0.2, 0.1, 0.3, 9, True),
)


def test_the_overview_in_full():
    """Intervals stand beside ap and rho; own targets are those of these two alone."""
    shown = overview(SEVERAL, ["c", "m"])
    assert shown.columns == [
        *("condition", "agent", "ap", "ap_low", "ap_high", "rr"),
        *("choice", "rho", "rho_low", "rho_high", "auc", "targets", "pairs", "own"),
    ]
    assert shown.rows() == [
        ("ANT", "m", None, None, None, None, None, 0.1, -0.1, 0.3, None, None, 20, True),
        ("HYP", "c", 0.25, None, None, None, 0.2, None, None, None, None, 9, None, False),
        ("HYP", "m", 0.5, 0.4, 0.6, 0.75, None, None, None, None, 0.6, 8, 32, False),
    ]


def test_the_table_of_foils_in_full():
    assert by_foils(SEVERAL).rows() == [
        ("HYP", "all", "m", 0.5, 0.4, 0.6, 0.75, 8, None),
        ("HYP", "all", "c", 0.25, None, None, None, 8, None),
        ("HYP", "random", "m", 0.9, 0.8, 1.0, 1.0, 7, None),
    ]


def test_the_table_of_data_in_full():
    rated = items(
        ("a", "a", "b", "right", 5.0), ("a", "a", "c", "foil", 1.0), ("d", "d", "e", "foil"), condition="own HYP"
    )
    alike = items(("a", "b", "c", "foil"), ("a", "a", "b", "right"), ("d", "d", "b", "right"), condition="ANT")
    unlabelled = items(("a", "a", "b", "foil", 2.0), condition="SYN").with_columns(label=pl.lit(None, pl.Boolean))
    table = data(pl.concat([rated, alike, unlabelled]), {"HYP": "hypernymy", "ANT": "antonymy"})
    assert table.columns == ["condition", "name", "kind", "pairs", "targets", "rated", "unlabelled", "rating", "note"]
    assert table.rows() == [
        ("ANT", "antonymy", "right", 2, 2, 0, 0, None, None),
        ("ANT", "antonymy", "foil", 1, 1, 0, 0, None, None),
        ("SYN", "SYN", "foil", 1, 1, 1, 1, 2.0, "no ρ: only 1 of the pairs has a rating"),
        ("own HYP", "own hypernymy", "right", 1, 1, 1, 0, 5.0, "no ρ: only 2 of the pairs have ratings"),
        ("own HYP", "own hypernymy", "foil", 2, 2, 1, 0, 1.0, None),
    ]


NO_FOIL = "no average precision: no target has both a right pair and a foil"


@pytest.mark.parametrize(
    ("targets", "labels", "ratings", "why"),
    [
        ("aab", [True, False, True], [None, None, None], None),
        ("aab", [True, True, False], [None, None, None], NO_FOIL),
        ("aab", [None, None, None], [None, None, None], None),
        ("aab", [True, None, False], [1.0, 2.0, 3.0], NO_FOIL),
        ("aaa", [None, None, None], [1.0, 2.0, 2.0], None),
        ("aaa", [None, None, None], [2.0, 2.0, 2.0], "no ρ: all ratings are equal"),
        ("aaa", [None, None, None], [2.0, 1.0, None], "no ρ: only 2 of the pairs have ratings"),
        ("aab", [True, True, False], [2.0, None, None], f"{NO_FOIL}; no ρ"),
    ],
)
def test_why_a_metric_cannot_be_computed(targets, labels, ratings, why):
    schema = {"target": pl.String, "label": pl.Boolean, "rating": pl.Float64}
    said = absences(pl.DataFrame({"target": list(targets), "label": labels, "rating": ratings}, schema=schema))
    assert said is None if why is None else said.startswith(why)


def replied(*rows):
    """Return answers in words: task, second word, words shown, order and choice, all of them about a robin."""
    table = [("HYP", "HYP", "robin", second, list(shown), order, 1, choice) for _, second, shown, order, choice in rows]
    names = ["condition", "relation", "first", "second", "shown", "order", "sample", "choice"]
    return (
        pl.DataFrame(table, schema=names, orient="row")
        .with_columns(task=pl.Series([row[0] for row in rows]), text=pl.lit("?"))
        .select(list(REPLY_CHOICES))
        .cast(dict(REPLY_CHOICES))
    )


IN_WORDS = {
    "m": replied(
        ("pick", "bird", ["bird", "fish"], 1, "bird"),
        ("pick", "bird", ["fish", "bird"], 2, "fish"),
        ("rate", "bird", [], 1, "5"),
        ("rate", "fish", [], 1, ""),
        ("rate", "wall", [], 1, ""),
    ),
    "n": replied(("rate", "bird", [], 1, "")),
}


def test_answers_in_words_are_counted_by_task():
    table = choices(IN_WORDS)
    assert table.select("agent", "task", "questions", "answers", "unreadable").rows() == [
        ("m", "pick", 1, 2, 0.0),
        ("m", "rate", 3, 3, pytest.approx(2 / 3)),
        ("n", "rate", 1, 1, 1.0),
    ]
    assert [note is None for note in table["note"]] == [True, False, False]
    assert choices({}).is_empty()


def test_places_are_those_of_options_and_a_number_has_none():
    table = orders(IN_WORDS)
    assert set(table["agent"]) == {"m"}
    assert set(table["task"]) == {"pick"}
    assert table.sort("place")["place"].to_list() == [1, 2]
    assert orders({"n": IN_WORDS["n"]}).columns == ["agent", "task", "place", "answers", "chosen", "expected"]


def test_the_trials_of_scores_in_full():
    """Of five targets the second has a pair without a score, the third no foil and the fourth a reversed foil alone."""
    several = items(
        *[("robin", "robin", "bird", "right"), ("robin", "robin", "fish", "far"), ("robin", "robin", "wug", "random")],
        *[("oak", "oak", "tree", "right"), ("oak", "oak", "wug", "random")],
        ("cod", "cod", "fish", "right"),
        *[("saw", "saw", "tool", "right"), ("saw", "tool", "saw", "reversed")],
        *[("ash", "ash", "tree", "right"), ("ash", "ash", "wug", "random")],
    )
    scores = {"robin:bird": 1.0, "robin:fish": 2.0, "robin:wug": 3.0, "oak:wug": 1.0, "cod:fish": 1.0, "saw:tool": 1.0}
    scores |= {"tool:saw": 0.0, "ash:tree": 4.0, "ash:wug": 0.0}
    keyed = {("HYP", *pair.split(":")): one for pair, one in scores.items()}
    found = trials([judgment_table("m pmi", keyed, probes(several, PROMPTS, article))], several, PROMPTS)
    columns = [
        "agent",
        "relation",
        "condition",
        "prompt",
        "target",
        "respondent",
        "answer",
        "right",
        "rank",
        "candidates",
    ]
    assert found.filter(prompt="kind").select(columns).rows() == [
        ("m pmi", "HYP", "HYP", "kind", "robin", None, "wug", 0.0, 3, 3),
        ("m pmi", "HYP", "HYP", "kind", "ash", None, "tree", 1.0, 1, 2),
    ]
    assert set(found["study"]) == {"pairs"}
    assert set(found["counted"]) == {1}
    assert found.select("item", "cluster", "task").rows()[0] == ("HYP: robin", "robin", "pick")


def test_people_who_judge_and_do_not_choose_have_their_judgments_as_trials():
    """And an agent in words most of whose answers cannot be read has no trials."""
    asked = probes(ROBIN, PROMPTS, article)
    pairs = ROBIN.select("relation", "first", "second").rows()
    judged = judgment_table("humans", dict(zip(pairs, (1.0, 0.0, 0.5, 0.0), strict=True)), asked)
    unread = replied(("pick", "bird", ["bird", "fish"], 1, ""))
    judges_alone = replied(("rate", "bird", [], 1, "5"))
    found = trials([judged], ROBIN, PROMPTS, {"m": unread, "humans": judges_alone})
    assert found.select("agent", "answer", "rank").rows() == [("humans", "bird", 1)] * 2


def overview_of(*rows):
    """A table of all metrics: condition, agent, ap, rho."""
    table = pl.DataFrame(rows, schema=["condition", "agent", "ap", "rho"], orient="row")
    return table.with_columns(own=pl.lit(False))


def test_what_is_claimed_stands_under_the_conditions_that_have_its_metric():
    """A whole set is no condition of average precision; of ratings HyperLex is one, without its nouns and verbs."""
    several = overview_of(
        *[("HYP", "m", 0.5, None), ("HYP", "c", 0.25, 0.1), ("wordnet", "m", 0.4, None), ("own", "m", 0.3, None)],
        *[("hyperlex", "m", 0.2, 0.6), ("hyperlex nouns", "m", 0.1, 0.5), ("hyperlex verbs", "m", None, 0.4)],
        ("own HYP", "m", None, 0.3),
    )
    (first, precision), (second, ratings) = claims_of(several)
    assert (first.metric, second.metric) == ("ap", "rho")
    assert precision.select("condition", "agent", "value").rows() == [
        *[("HYP", "m", 0.5), ("HYP", "c", 0.25), ("hyperlex nouns", "m", 0.1)],
    ]
    assert ratings.select("condition", "value").rows() == [("HYP", 0.1), ("hyperlex", 0.6), ("own HYP", 0.3)]
    assert set(precision["metric"]) == {"ap"}
    assert first == first.under(["HYP", "hyperlex nouns"])
    nouns = claims_of(several.filter(condition="hyperlex nouns"))
    assert [(claim.metric, values["condition"].to_list()) for claim, values in nouns] == [
        ("ap", ["hyperlex nouns"]),
        ("rho", ["hyperlex nouns"]),
    ]
    assert [claim.metric for claim, _ in claims_of(several.filter(condition="wordnet"))] == []
    assert [claim.metric for claim, _ in claims_of(several.drop("ap"))] == ["rho"]


def test_nobody_has_judged_the_pairs_unless_a_note_says_why_nothing_can_be_computed():
    unsaid = "No model has judged the pairs of this study."
    notes = pl.DataFrame({"name": ["a", "b", "c"], "note": ["no ρ", None, "no average precision"]})
    assert (
        nobody({"data": notes})
        == "Nothing can be computed of what the models judge (a: no ρ; c: no average precision)."
    )
    assert [nobody({}), nobody({"data": notes.drop("note")}), nobody({"data": notes.slice(1, 1)})] == [unsaid] * 3
    assert finding({"overview": overview_of(("wordnet", "m", 0.4, None))}, ["m"]).text == unsaid


def test_the_figure_of_foils_is_said_by_panel_with_the_names_of_relations():
    tables = {
        "foils": by_foils(SEVERAL),
        "data": pl.DataFrame({"condition": ["HYP"], "name": ["hypernymy"], "note": [None]}),
    }
    assert words("foils", tables) == (
        "hypernymy: all foils (8 targets): m 0.500, c 0.250. hypernymy: random (7 targets): m 0.900."
    )
    assert words("foils", {}) == ""


def test_panels_are_those_of_whole_sets_and_of_conditions_outside_them():
    def shown(*conditions):
        table = pl.DataFrame(
            {"condition": [*conditions, conditions[0]], "foils": [*["all"] * len(conditions), "random"]}
        )
        return [condition for condition, _ in shown_panels(table)], shown_panels(table)[0]

    assert shown("HYP", "MER", "wordnet")[0] == ["wordnet"]
    assert shown("HYP", "own HYP", "hyperlex nouns")[0] == ["HYP", "HYP", "own HYP", "hyperlex nouns"]
    assert shown("hyperlex nouns", "hyperlex", "own MER", "own", "HYP")[0] == ["hyperlex", "own", "HYP"]
    assert shown("HYP", "hyperlex")[0] == ["hyperlex", "HYP", "HYP"]


def test_own_targets_of_one_metric_are_said_and_pairs_without_a_label_counted():
    some = averages_of(
        ("m", "ap", "HYP", "all", 0.5, None, None, 8, False), ("m", "rho", "HYP", "all", 0.5, None, None, 8, True)
    )
    assert overview(some, ["m"])["own"].to_list() == [True]
    open_pairs = items(*(("a", "a", f"b{n}", "odd", float(n)) for n in range(4)))
    without = open_pairs.with_columns(label=pl.when(pl.col("second") != "b0").then("label"))
    assert data(without, {}).select("pairs", "unlabelled", "rated", "rating").row(0) == (4, 1, 4, 1.5)
    none = open_pairs.with_columns(label=pl.lit(None, pl.Boolean))
    assert data(none, {})["unlabelled"].to_list() == [4]


def test_the_tables_of_the_page_are_those_of_the_run(told):
    """What each agent has beyond the controls is of those that the run names."""
    table, _, compared = told
    files = {one.name: None for one in fields(Results)}
    given = {"tests": compared.tests, "averages": compared.averages, "controls": ["frequency"], "item_table": table}
    value_tables = [pl.DataFrame({"agent": [agent]}) for agent in AGENTS]
    relations = SimpleNamespace(names={"HYP": "hypernymy"})
    run = Results(**{**files, **given, "metrics": value_tables, "relations": relations, "ceiling": "ceiling"})
    assert TABLES["controls"](run).equals(beyond_controls(compared.tests, ["frequency"]))
    assert set(TABLES["controls"](run)["agent"]) == {"m pmi"}
    assert TABLES["controls"](replace(run, controls=None)).is_empty()
    assert TABLES["tests"](run).equals(compared.tests)
    assert TABLES["averages"](run).equals(compared.averages)
    assert TABLES["ceiling"](run) == "ceiling"
    assert TABLES["overview"](run).equals(overview(compared.averages, list(AGENTS)))
    assert TABLES["foils"](run).equals(by_foils(compared.averages))
    assert TABLES["data"](run).equals(data(table, {"HYP": "hypernymy"}))
    assert TABLES["data"](run)["name"][0] == "own hypernymy"
    in_words = replace(run, reply_choices=IN_WORDS)
    assert TABLES["choices"](in_words).equals(choices(IN_WORDS))
    assert TABLES["orders"](in_words).equals(orders(IN_WORDS))
    assert [TABLES[name](run).height for name in ("choices", "orders", "sent")] == [0, 0, 0]
