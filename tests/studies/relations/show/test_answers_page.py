"""The page of all answers to the probes of relations."""

import re

import polars as pl
import pytest
from relprobe.core.relation import Relation, Relations
from relprobe.sources.language import read as read_language
from relprobe.studies.relations import show
from relprobe.studies.relations.answers import CONTROLS, AnswerPage, agents, answers
from relprobe.studies.relations.figures import Drawing
from relprobe.studies.relations.method import GoldStandard
from relprobe.studies.relations.schemas import AVERAGES, PROBES, RELATA, TOP_WORDS

from tests.paths import ROOT
from tests.studies.relations.about import results
from tests.studies.relations.six import SIX


def test_a_cosine_is_not_shown_as_a_share():
    row = {"probe_id": "hyp-is:robin", "rank": 1, "word": "bird", "weight": 0.75}
    words = {name: pl.DataFrame([row]) for name in ("m", "majority", "neighbours", "typical")}
    assert [(one.name, one.answers["weight"].to_list()) for one in agents(words, [])] == [
        ("m", [0.75]),
        ("majority", [0.75]),
        ("neighbours", [None]),
        ("typical", [None]),
    ]


def page(folder, *, closed, tricks=0):
    """Return the page of a model, of people and of controls, who all answer one probe with "bird" at a weight of 0.75."""
    write_page(folder, closed=closed, tricks=tricks)
    return (folder / "answers.html").read_text()


def write_page(folder, *, closed, tricks=0):
    rows = [("hyp-is:robin", "HYP", "robin", "hyp-is", "main", "a robin is [DET] [V]", [])]
    rows += [(f"hyp-is:w{n}", "HYP", f"w{n}", "hyp-is", "trick", f"a w{n} is [DET] [V]", []) for n in range(tricks)]
    first = pl.DataFrame([("hyp-is:robin", 1, "bird", 0.75, "HYP")], schema=TOP_WORDS, orient="row")
    answers(
        dict.fromkeys(("m", "humans", *CONTROLS), first),
        GoldStandard(
            pl.DataFrame(rows, schema=PROBES, orient="row"),
            pl.DataFrame([("robin", "HYP", "bird", ["hand"])], schema=RELATA, orient="row"),
            pl.DataFrame(),
            pl.DataFrame(),
            Relations((Relation("HYP", "hypernymy", "HPO"),)),
        ),
        read_language(ROOT / "resources/languages/english.yaml"),
        AnswerPage(["humans"], ["m"], "My run", closed),
        ROOT / "workflow/report/answers.html.j2",
        folder / "answers.html",
    )


@pytest.mark.parametrize("closed", [True, False])
def test_a_page_of_closed_lists_says_what_its_shares_are_of(tmp_path, closed):
    html = page(tmp_path, closed=closed)
    lead = re.search("<h1>.*?</h1>\n<p>(.*?)</p>", html, re.DOTALL)[1]
    assert ("is its share among the candidates of the probe" in lead) == closed
    assert ("is a model&#39;s probability" in lead) == (not closed)
    labels = re.search("LABELS = (\\{.*?\\});", html)[1]
    assert ("with their share among the candidates of the probe" in labels) == closed


def test_a_page_has_the_names_of_its_relations_its_run_and_the_models(tmp_path, monkeypatch):
    """Two of the models are compared at first."""
    monkeypatch.setattr("relprobe.studies.relations.answers.publish", lambda *given: pages.append(given))
    pages = []
    for closed in (False, True):
        write_page(tmp_path, closed=closed)
    for texts, *_, models in pages:
        assert (texts.title, texts.run, models) == ("Answers: semantic relations", "My run", ["m"])
        assert texts.labels.names == {"HYP": "hypernymy"}
    assert [texts.labels.weight for texts, *_ in pages] == ["probability", "share_among_candidates"]


@pytest.mark.parametrize(
    ("tricks", "says"),
    [
        (0, ""),
        (1, "also asks 1 trick probe, a prompt of a relation with a target of its reverse, which is not shown here."),
        (
            2,
            "also asks 2 trick probes, the prompts of a relation with targets of its reverse, which are not shown here.",
        ),
    ],
)
def test_the_page_says_how_many_probes_it_does_not_show(tmp_path, tricks, says):
    html = page(tmp_path, closed=False, tricks=tricks)
    assert says in html
    assert ("The study also asks" in html) == bool(tricks)
    assert "a w0 is" not in html


def test_controls_have_no_share_among_candidates():
    row = {"probe_id": "hyp-is:robin", "rank": 1, "word": "bird", "weight": 0.75}
    words = {name: pl.DataFrame([row]) for name in ("m", "humans", *CONTROLS)}
    shown = {one.name: one.answers["weight"].to_list() for one in agents(words, ["humans"], CONTROLS)}
    assert shown == {"m": [0.75], "humans": [0.75], **{name: [None] for name in CONTROLS}}
    assert {one.name for one in agents(words, ["humans"], CONTROLS) if one.people} == {"humans"}


def test_one_annotator_without_words_is_no_agent_of_the_page_and_a_model_without_any_is():
    row = {"probe_id": "hyp-is:robin", "rank": 1, "word": "bird", "weight": 0.75}
    words = {"annotator": pl.DataFrame([row]).clear(), "humans": pl.DataFrame([row]), "m": pl.DataFrame([row]).clear()}
    assert [one.name for one in agents(words, ["annotator", "humans"])] == ["humans", "m"]


@pytest.mark.parametrize("people", [["humans"], None])
def test_the_step_writes_the_page_of_answers_with_the_people_and_the_models_of_the_run(monkeypatch, tmp_path, people):
    monkeypatch.setattr(show, "publish_or_say", lambda *given: pages.append(given))
    pages = []
    drawing = Drawing(pl.DataFrame(schema=AVERAGES), None, SIX, [], people or [], {"m": {}, "n": {}}, 5)
    run = results(top_words={}, gold="gold", language="language")
    made = show.show(run, drawing, show.Page([], people, True, "My run"), tmp_path / "form", tmp_path / "page")
    page = AnswerPage(people or (), ["m", "n"], "My run", True)
    assert pages == [(tmp_path / "page", answers, {}, "gold", "language", page, tmp_path / "form", tmp_path / "page")]
    assert (made.tables, [*made.figures]) == ({}, [])
