"""The trials of the relations study."""

from pathlib import Path

import polars as pl
import pytest
from relprobe.core.manifest import write_manifest
from relprobe.paper.trials import with_further
from relprobe.sources.language import read as read_language
from relprobe.studies.relations.method import rows_of
from relprobe.studies.relations.prompts import Prompt
from relprobe.studies.relations.schemas import ANSWERS, CONFIGURED, TOP_WORDS
from relprobe.studies.relations.trials import TrialFiles, trials
from relprobe.studies.relations.values import example_gold

from tests.paths import ROOT

GOLD = example_gold("hyp:robin", "ant:night", "ant:day")
ENGLISH = read_language(ROOT / "resources/languages/english.yaml")


def answers(folder, agent, *rows, kind="ranking"):
    """Write an agent's answers: (annotator, probe, words, weights)."""
    path = Path(folder, f"{agent}.parquet")
    columns = [(kind, CONFIGURED, *row, None, None) for row in rows]
    pl.DataFrame(columns, schema=ANSWERS, orient="row").write_parquet(path)
    return path


def sound(**values):
    """The soundness of probes: `hyp_robin=1.0`."""
    rows = [
        {"relation": name[:3].upper(), "target": name[4:], "prompt_id": name[:3], "value": value}
        for name, value in values.items()
    ]
    return rows_of(pl.DataFrame(rows), "soundness")


def table(folder, agent, *rows, values, kind="ranking", top_words=None, people=()):
    words = pl.DataFrame(schema=TOP_WORDS) if top_words is None else top_words
    files = [answers(folder, agent, *rows, kind=kind)]
    return trials(TrialFiles(files, {agent: values}, {agent: words}, ENGLISH), GOLD, people=list(people))


def test_a_model_has_a_trial_for_each_probe_that_soundness_is_over(tmp_path):
    rows = [(0, "hyp:robin", ["x", "animal", "bird"], [0.5, 0.25, 0.125]), (0, "ant:night", ["y"], [0.5])]
    found = table(tmp_path, "m", *rows, values=sound(hyp_robin=0.0, ant_night=0.0)).sort("item")
    assert found.select("agent", "task", "item", "target", "prompt", "prompt_text").rows() == [
        ("m", "cloze", "ant:night", "night", "ant", "– …"),
        ("m", "cloze", "hyp:robin", "robin", "hyp", "– …"),
    ]
    columns = ["relation_name", "answer", "right", "probability", "right_probability", "rank", "counted"]
    assert found.select(columns).rows() == [
        ("antonymy", "y", 0.0, 0.5, None, None, 1),
        ("hypernymy", "x", 0.0, 0.5, 0.25, 2, 1),
    ]
    assert found["frequency"].to_list() == pytest.approx([5.5, 4.0], abs=0.5)
    assert found["respondent"].null_count() == 2


def test_values_of_other_metrics_are_no_trials(tmp_path):
    """Soundness alone says whether the first word is right."""
    complete = sound(hyp_robin=0.25).with_columns(metric=pl.lit("completeness"))
    values = pl.concat([complete, sound(hyp_robin=1.0)])
    found = table(tmp_path, "m", (0, "hyp:robin", ["bird"], [0.5]), values=values)
    assert found.select("item", "right").rows() == [("hyp:robin", 1.0)]


def test_probabilities_stay_probabilities_where_a_ratio_ranks_the_words(tmp_path):
    path = answers(tmp_path, "m", (0, "hyp:robin", ["animal", "x", "bird"], [2.5, 1.5, 0.5]))
    other = pl.read_parquet(path).with_columns(
        choice=pl.lit("calibrate: none"),
        words=pl.Series([["x", "bird", "animal"]], dtype=ANSWERS["words"]),
        weights=pl.Series([[0.5, 0.25, 0.125]], dtype=ANSWERS["weights"]),
    )
    pl.concat([pl.read_parquet(path), other]).write_parquet(path)
    printed = pl.DataFrame([("hyp:robin", 1, "animal", 0.125, "HYP")], schema=TOP_WORDS, orient="row")
    files = TrialFiles([path], {"m": sound(hyp_robin=1.0)}, {"m": printed}, ENGLISH)
    (row,) = trials(files, GOLD).iter_rows(named=True)
    names = ("answer", "rank", "probability", "right_probability")
    assert [row[name] for name in names] == ["animal", 1, 0.125, 0.125]


def test_words_of_equal_weight_share_the_best_place(tmp_path):
    rows = [(0, "hyp:robin", ["x", "bird", "y"], [0.5, 0.5, 0.25])]
    (row,) = table(tmp_path, "m", *rows, values=sound(hyp_robin=0.5)).iter_rows(named=True)
    assert (row["rank"], row["right"]) == (1, 0.5)


def test_each_annotator_has_a_trial_and_no_probability(tmp_path):
    rows = [(1, "hyp:robin", ["bird", "x"], [1.0, 0.5]), (2, "hyp:robin", ["x", "bird"], [1.0, 0.5])]
    found = table(tmp_path, "annotator", *rows, kind="annotator", values=sound(hyp_robin=0.5), people=["annotator"])
    columns = ["respondent", "answer", "right", "rank", "probability", "counted"]
    assert found.select(columns).rows() == [("1", "bird", 1.0, 1, None, 1), ("2", "x", 0.0, 2, None, 1)]


def test_probes_that_people_have_not_answered_are_not_counted(tmp_path):
    rows = [(0, "ant:night", ["day"], [0.5]), (0, "ant:day", ["day"], [0.5])]
    files = [answers(tmp_path, "m", *rows), answers(tmp_path, "humans", rows[0], kind="people")]
    metrics = {"m": sound(ant_night=1.0, ant_day=0.0), "humans": sound(ant_night=1.0)}
    words = {agent: pl.DataFrame(schema=TOP_WORDS) for agent in metrics}
    found = trials(TrialFiles(files, metrics, words, ENGLISH), GOLD, people=["humans"]).sort("agent", "item")
    assert found.select("agent", "item", "counted").rows() == [
        ("humans", "ant:night", 1),
        ("m", "ant:day", 0),
        ("m", "ant:night", 1),
    ]


def test_cosines_are_no_probabilities_and_the_printed_word_is_the_answer(tmp_path):
    rows = [(0, "hyp:robin", ["x", "bird"], [0.5, 0.5])]
    first = pl.DataFrame([("hyp:robin", 1, "bird", 0.5, "HYP")], schema=TOP_WORDS, orient="row")
    found = table(tmp_path, "typical", *rows, values=sound(hyp_robin=1.0), top_words=first)
    assert found.select("answer", "probability", "right_probability").rows() == [("bird", None, None)]


def test_targets_that_share_a_relatum_are_one_cluster(tmp_path):
    gold = example_gold("hyp:robin", "hyp:wren", "hyp:chair")
    more = [("wren", "HYP", "bird", ["hand"]), ("chair", "HYP", "robin", ["hand"])]  # a relatum that is a target, too
    relata = pl.concat([gold.relata, pl.DataFrame(more, schema=gold.relata.schema, orient="row")])
    words = pl.concat([gold.shared_lexicon, pl.DataFrame({"word": ["wren", "chair"]})]).unique()
    gold = type(gold)(gold.probes, relata, relata, words, gold.relations)
    rows = [(0, f"hyp:{target}", ["bird"], [0.5]) for target in ("robin", "wren", "chair")]
    values = sound(hyp_robin=1.0, hyp_wren=1.0, hyp_chair=0.0)
    files = TrialFiles([answers(tmp_path, "m", *rows)], {"m": values}, {"m": pl.DataFrame(schema=TOP_WORDS)}, ENGLISH)
    found = trials(files, gold)
    assert dict(found.select("target", "cluster").iter_rows()) == {"robin": "robin", "wren": "robin", "chair": "chair"}


JSPSYCH = """\
"rt","age","response","trial_type","subject","word"
"1200","31","null","html-button-response","a1",""
"2300","31","{""Q0"":""bird""}","survey-text","a1","robin"
"900","31","{""Q0"":""animal""}","survey-text","a1","robin"
"2800","not said","{""Q0"":""animal""}","survey-text","b2","robin"
"""
COLUMNS = {
    "participant": "subject",
    "target": "word",
    "answer": {"column": "response", "key": "Q0"},
    "relation": {"value": "HYP"},
    "prompt": {"value": "hyp"},
}


@pytest.mark.parametrize(
    ("text", "layout"),
    [
        (JSPSYCH, {"columns": COLUMNS, "rows": {"only": {"trial_type": "survey-text"}}}),
        (
            "target,relation,prompt,participant,rank,answer,rt,age\nrobin,HYP,hyp,a1,2,animal,900,31\n"
            "robin,HYP,hyp,a1,1,bird,2300,31\nrobin,HYP,hyp,b2,1,animal,2800,not said\n",
            {},
        ),
        (
            "subject,Q1,rt,age\na1,bird,2300,31\nb2,animal,2800,not said\n",
            {
                "columns": {"participant": "subject"},
                "questions": {"Q1": {"target": "robin", "relation": "HYP", "prompt": "hyp"}},
            },
        ),
    ],
    ids=["jspsych", "own table", "a column for each question"],
)
def test_further_columns_of_people_are_columns_of_trials_as_they_stand_beside_the_first_answer(tmp_path, text, layout):
    (tmp_path / "people").mkdir()
    (tmp_path / "people/answers.csv").write_text(text)
    rows = [(1, "hyp:robin", ["bird", "animal"], [None, None]), (2, "hyp:robin", ["animal"], [None])]
    values = sound(hyp_robin=0.5)
    files = [answers(tmp_path, "annotator", *rows, kind="annotator"), answers(tmp_path, "m", (0, *rows[0][1:]))]
    read = TrialFiles(
        files,
        dict.fromkeys(["annotator", "m"], values),
        dict.fromkeys(["annotator", "m"], pl.DataFrame(schema=TOP_WORDS)),
        ENGLISH,
        [Prompt("hyp", "HYP", "a [W] is a [V]", "a [W] is a [V]")],
        write_manifest(tmp_path / "people"),
    )
    study_trials = trials(read, GOLD, layout={**layout, "further": {"rt": "rt", "years": "age"}})
    found = with_further(study_trials)
    assert found.select("agent", "respondent", "answer", "rt", "years").rows() == [
        ("annotator", "1", "bird", 2300.0, "31"),
        ("annotator", "2", "animal", 2800.0, "not said"),
        ("m", None, "bird", None, None),
    ]
