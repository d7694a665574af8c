"""The tables of the page, its sentences, and the trials."""

import polars as pl
import pytest
from relprobe.core.manifest import write_manifest
from relprobe.paper.trials import with_further
from relprobe.sources.own.judged_pairs import JudgedPair, read, read_answers
from relprobe.stats.side_by_side import AgentComparison
from relprobe.studies.pairs.agents import people_metrics
from relprobe.studies.pairs.compare import compare
from relprobe.studies.pairs.figures import by_foils as draw
from relprobe.studies.pairs.figures import shown_panels
from relprobe.studies.pairs.method import judgment_table, probes, values
from relprobe.studies.pairs.page import agents_of, claims_of, headline
from relprobe.studies.pairs.schemas import RATERS
from relprobe.studies.pairs.tables import by_foils, data, overview
from relprobe.studies.pairs.trials import trials

from tests.studies.pairs.made import PROMPTS, ROBIN, article, items

AGENTS = {"m pmi": 1.0, "m pmi+target": 0.5, "frequency": 0.0}


@pytest.fixture(scope="module")
def told():
    """Twenty targets, of which the agent m ranks the right word first, and the controls do not."""
    rows = [
        (f"t{number}", f"t{number}", f"{kind}{number}", kind, 6.0 if kind == "right" else float(number % 3))
        for number in range(20)
        for kind in ("right", "random")
    ]
    table = items(*rows, condition="own HYP", of_set="own")
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
    from relprobe.report.looks import looks

    figure = draw(told[2].averages, looks({"m": "causal", "frequency": "control"}, {}))
    titles = [axis.get_title(loc="left") for axis in figure.axes if axis.get_visible()]
    assert titles == ["own HYP: all foils", "own HYP: random"]
