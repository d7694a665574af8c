"""What a run goes on without: its file, and the sentence on it."""

import pytest
from relprobe.core.errors import DataError
from relprobe.core.missing import (
    FILE,
    FailedJob,
    JobName,
    Missing,
    event,
    losses,
    missing_agents,
    read,
    studies_left,
    study_of,
    summary,
    whole_studies,
    write,
)

GONE = [Missing("degrees", "m", "could not be fetched", "no such name")]


def test_what_is_missing_is_written_and_read_again_and_the_file_goes_with_it(tmp_path):
    assert read(tmp_path) == []
    write(tmp_path, GONE)
    assert read(tmp_path) == GONE
    write(tmp_path, [])
    assert not (tmp_path / FILE).exists()
    write(tmp_path, [])
    for text in ("[]", '{"missing": [{"study": "degrees"}]}', "{}"):
        (tmp_path / FILE).write_text(text)
        with pytest.raises(DataError, match="is damaged: delete it, and run again"):
            read(tmp_path)


def test_the_sentence_says_who_is_missing_where():
    """Of a model that one of two studies lacks, the study is named; of one that all lack that ask it, none is."""
    three = ["m", "n", "o"]
    assert summary(GONE, three, {"degrees": three, "pairs": three}) == (
        "2 of 3 models are here: m could not be fetched (no such name), and is missing in degrees; the next run takes it up."
    )
    both = [*GONE, Missing("pairs", "m", "failed in the step pairs_scores", "killed")]
    assert summary(both, three, {"degrees": three, "pairs": three}) == (
        "2 of 3 models are here: m could not be fetched (no such name); the next run takes it up."
    )
    two = [*GONE, Missing("degrees", "n", "failed in the step degrees_scores", "killed")]
    assert summary(two, three, {"degrees": three}) == (
        "1 of 3 models is here: m could not be fetched (no such name); n failed in the step degrees_scores (killed); the "
        "next run takes them up."
    )
    study = Missing("degrees", "", "failed in the step degrees_show", "killed")
    assert summary([study], three, {"degrees": three}) == (
        "The study degrees failed in the step degrees_show (killed); the next run takes it up."
    )
    asks_others = {"degrees": three, "pairs": ["n", "o"]}
    assert "missing in" not in summary(GONE, three, asks_others)
    lost = Missing("pairs", "", "failed in the step pairs_show", "killed")
    assert summary([lost, *GONE], three, {"degrees": three, "pairs": three}) == (
        "2 of 3 models are here: m could not be fetched (no such name); the study pairs failed in the step pairs_show "
        "(killed); the next run takes them up."
    )
    assert summary([study, *GONE], three, {"degrees": three}) == summary([study], three, {"degrees": three})


def job(rule, **wildcards):
    return JobName(rule, wildcards)


def test_a_job_of_an_agent_costs_it_alone_and_any_other_one_the_studies_that_need_it():
    studies, networks = ["degrees", "pairs"], {"m": "files", "m-shots": "files", "n": None}
    scores_job, shots_job = (job("degrees_scores", model=agent) for agent in ("m", "m-shots"))
    metrics_job = job("pairs_metrics", agent="n+control")
    fetch = job("models_snapshot", model="files")
    page, figures = job("report_study", study="degrees"), job("paper_figures", study="degrees")
    both = [fetch, scores_job, shots_job, scores_job, page, figures, job("report_front")]
    assert losses(FailedJob(fetch, [], both), studies, networks) == [("degrees", "m"), ("degrees", "m-shots")]
    assert losses(FailedJob(scores_job, [], [scores_job, page]), studies, networks) == [("degrees", "m")]
    # A control of a model's own answers is the model's.
    assert losses(FailedJob(metrics_job, [], [metrics_job, job("pairs_show")]), studies, {"n": "n"}) == [("pairs", "n")]
    assert losses(FailedJob(metrics_job, [], [job("pairs_show")]), studies, {"n": "n"}) == [("pairs", "")]
    wordnet = job("inputs_fetch", resource="wordnet")
    needed = [wordnet, job("degrees_data"), job("pairs_data"), job("pairs_show"), job("export_all", study="pairs")]
    assert losses(FailedJob(wordnet, [], needed), studies, networks) == [("degrees", ""), ("pairs", "")]
    assert losses(FailedJob(figures, [], [figures]), studies, networks) == []


@pytest.mark.parametrize(
    ("name", "study"),
    [
        (job("degrees_scores", model="m"), "degrees"),
        (job("report_study", study="pairs"), "pairs"),
        (job("report_study", study="other"), ""),
        (job("degrees_show", study=""), "degrees"),
        (job("paper_methods", study="degrees"), ""),
        (job("export_dataset", study="degrees"), ""),
        (job("trials_join", study="degrees"), ""),
        (job("models_snapshot", model="degrees"), ""),
    ],
)
def test_a_job_is_for_the_study_of_its_wildcard_or_of_its_rule(name, study):
    assert study_of(name, ["degrees", "pairs"]) == study


def test_what_happened_is_said_by_the_rule():
    fetched = [event(rule) == "could not be fetched" for rule in ("models_snapshot", "models_adapter", "inputs_fetch")]
    assert fetched == [True] * 3
    assert event("degrees_scores") == "failed in the step degrees_scores"


def test_the_sentences_of_a_study_are_those_of_its_agents_and_a_study_is_left_while_an_agent_is():
    whole = Missing("pairs", "", "failed in the step pairs_show", "killed")
    other = Missing("pairs", "n", "failed in the step pairs_scores", "full")
    assert missing_agents([*GONE, whole, other], "pairs") == {
        "n": "n is not here: it failed in the step pairs_scores (full). The next run takes it up."
    }
    assert list(whole_studies([*GONE, whole, other])) == ["pairs"]
    asked = {"degrees": ["m", "n"], "pairs": ["n"], "analogies": ["m"]}
    assert studies_left([*GONE, other], asked) == ["degrees", "analogies"]
    assert studies_left([*GONE, whole], asked) == ["degrees", "analogies"]
    assert studies_left([Missing("degrees", agent, "x", "y") for agent in "mn"], asked) == ["pairs", "analogies"]
    assert studies_left([], asked) == list(asked)
