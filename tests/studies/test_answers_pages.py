"""What the answers pages of three studies show, from hand-made tables, and the table of what was sent."""

from types import SimpleNamespace

import polars as pl
import pytest
from relprobe.report.answers import FIRST_ANSWERS, GOLD, PROBES
from relprobe.sources.systematicity import ITEMS
from relprobe.studies.analogies import tables as analogies
from relprobe.studies.analogies.analyses import choices as analogies_choices
from relprobe.studies.analogies.schemas import DECISIONS, INSTANCES, TUPLES
from relprobe.studies.definitions import tables as definitions
from relprobe.studies.definitions.analyses import choices as definitions_choices
from relprobe.studies.definitions.schemas import GROUPS, PROPERTIES, RESPONSES
from relprobe.studies.degrees.analyses import answers as degrees_answers
from relprobe.studies.pairs import tables as pairs
from relprobe.studies.systematicity import tables as systematicity
from relprobe.studies.systematicity.analyses import choices as systematicity_choices
from relprobe.studies.systematicity.schemas import PROBES as SENTENCES
from relprobe.studies.systematicity.schemas import SCORES

from tests.paths import ANSWERS_TEMPLATE

NOD = {"group": "nod.v.01", "pos": "verb", "word": "nod", "definition": "lower the head", "w2d": [0, 1]}


def test_definitions_have_the_first_candidate_and_the_right_one_at_its_rank():
    groups = pl.DataFrame([{**NOD, "d2w": []}], schema=GROUPS)
    rows = [{"task": "w2d", "group": "nod.v.01", "candidates": 5, "rank": 3, "answer": "bend the body"}]
    (agent,) = definitions.agents({"m": pl.DataFrame(rows, schema=RESPONSES)}, groups)
    assert agent.answers.select("probe_id", "rank", "word").rows() == [
        ("w2d:nod.v.01", 1, "bend the body"),
        ("w2d:nod.v.01", 3, "lower the head"),
    ]
    properties = pl.DataFrame([{"group": "nod.v.01", "joined": 1000.0}], schema=PROPERTIES)
    probes = definitions.probes(groups, properties)  # D2W has no candidates, and so no probe
    assert probes.select("group", "target", "text").rows() == [
        ("W2D verbs", "nod (nod.v.01)", "nod: which definition?")
    ]
    assert probes["zipf"].item() == pytest.approx(3)
    assert (probes.schema, definitions.gold(groups, "WordNet").schema, agent.answers.schema) == (
        PROBES,
        GOLD,
        FIRST_ANSWERS,
    )


def item(**columns):
    table = pl.DataFrame([columns])
    return table.with_columns(
        pl.lit(None, kind).alias(name) for name, kind in ITEMS.items() if name not in columns
    ).select(list(ITEMS))


def test_systematicity_ranks_categories_by_their_shares_and_has_open_answers():
    items = item(set="wordnet", hyponym="robin", category="bird", category_plural="birds")
    sentence = {"set": "wordnet", "kind": "singular", "prompt": "paper", "main": True}
    sentence |= {"hyponym": "robin", "word": "robin"}
    asked = pl.DataFrame(
        [{**sentence, "probe_id": "p", "text": "A robin is a [V].", "candidates": ["fish", "bird"]}], schema=SENTENCES
    )
    scores = pl.DataFrame(
        [
            {"probe_id": "p", "method": "open", "words": ["thing", "bird"], "scores": [-1.0, -2.0]},
            {"probe_id": "p", "method": "slot", "words": ["fish", "bird"], "scores": [-501.0, -500.0]},
            {"probe_id": "p", "method": "sentence", "words": ["fish", "bird"], "scores": [-9.0, -99.0]},
        ],
        schema=SCORES,
    )
    (agent,) = systematicity.agents({"m": scores}, asked, items)
    ranked = agent.answers.filter(probe_id="p").sort("rank")
    assert ranked["word"].to_list() == ["bird", "fish"]
    assert ranked["weight"].to_list() == pytest.approx([0.7311, 0.2689], abs=1e-4)  # 1 / (1 + 1/e)
    assert agent.answers.filter(probe_id="open:p").sort("rank")["word"].to_list() == ["thing", "bird"]
    assert systematicity.sentences(asked, items)["group"].to_list() == ["singular", "open"]
    gold = systematicity.gold(items).filter(group="plural")
    assert gold["word"].to_list() == ["birds"]


def test_analogies_have_the_chosen_pair_first():
    instance = ("E01", 1, "test", "reverse", "rome", "italy", "oslo", "norway", "norway", "oslo", None)
    instances = pl.DataFrame([instance], schema=INSTANCES, orient="row")
    decision = {"setting": "unsupervised", "relation": "E01", "probe": "reverse", "draw": 1}
    decision |= {"query": "rome : italy", "tuple": "oslo : norway", "head": "oslo", "tail": "norway"}
    tables = {
        name: pl.DataFrame([{**decision, "value": value}], schema=DECISIONS)
        for name, value in (("right", 1.0), ("wrong", 0.0), ("tie", 0.5), ("none", None))
    }
    choices = analogies.choices(instances, tables["right"], {"E01": "capitals"})
    answers = {name: analogies.agent(name, table, choices).answers for name, table in tables.items()}
    assert answers["right"]["word"].to_list() == ["oslo : norway", "norway : oslo"]
    assert answers["wrong"]["word"].to_list() == ["norway : oslo", "oslo : norway"]
    assert answers["tie"]["weight"].to_list() == [0.5, 0.5]
    assert answers["none"].is_empty()
    assert analogies.probes(choices).select("group", "prompt_id", "text").row(0) == (
        "reverse",
        "capitals (reverse)",
        "rome : italy :: oslo : norway or norway : oslo?",
    )
    assert analogies.gold(choices)["word"].to_list() == ["oslo : norway"]


def test_the_first_agent_of_analogies_may_have_no_decisions(tmp_path):
    """Its answers cannot be read; the page has the choices of the others."""
    instance = ("E01", 1, "test", "reverse", "rome", "italy", "oslo", "norway", "norway", "oslo", None)
    instances = pl.DataFrame([instance], schema=INSTANCES, orient="row")
    decision = ("unsupervised", "E01", "reverse", 1, "rome : italy", "oslo : norway", "oslo", "norway", None, 1.0, None)
    agents = {"mumbler": pl.DataFrame(schema=DECISIONS), "m": pl.DataFrame([decision], schema=DECISIONS, orient="row")}
    about = ("E01", "capitals", "ES", 1, "test", "oslo", "norway", ["norway"], "oslo : norway", "")
    tuples = pl.DataFrame([about], schema=TUPLES, orient="row")
    analogies.answers(agents, instances, tuples, ANSWERS_TEMPLATE, tmp_path / "answers.html")
    assert "The page holds all probes, of which there is one." in (tmp_path / "answers.html").read_text()


def nod_rows(*rows):
    """Return answers of definitions about nod: task, the rank of the right candidate, and the one ranked first."""
    table = [
        {"task": task, "group": "nod.v.01", "candidates": 12, "rank": rank, "answer": answer}
        for task, rank, answer in rows
    ]
    return pl.DataFrame(table, schema=RESPONSES)


def test_answers_to_definitions_in_full():
    """The right candidate stands at its rank from 2 to 10; people's first choices have their shares, equal ones by name."""
    groups = pl.DataFrame([{**NOD, "d2w": [2]}], schema=GROUPS)
    model = nod_rows(("w2d", 1, "lower the head"), ("d2w", 2, "bow"), ("d2w", 10, "run"), ("d2w", 11, "hop"))
    people = nod_rows(*(("d2w", None, word) for word in ("run", "bow", "nod", "nod", "bow")), ("w2d", None, "x"))
    first, second = definitions.agents({"m": model, "humans": people}, groups)
    assert first.answers.rows() == [
        ("w2d:nod.v.01", 1, "lower the head", None),
        ("d2w:nod.v.01", 1, "bow", None),
        ("d2w:nod.v.01", 1, "run", None),
        ("d2w:nod.v.01", 1, "hop", None),
        ("d2w:nod.v.01", 2, "nod", None),
        ("d2w:nod.v.01", 10, "nod", None),
    ]
    assert [(rank, word, round(weight, 3)) for _, rank, word, weight in second.answers.rows()] == [
        *((1, "bow", 0.4), (2, "nod", 0.4), (3, "run", 0.2)),
        (1, "x", 1.0),
    ]
    assert (first.name, second.name) == ("m", "humans")
    assert definitions.gold(groups, "WordNet").rows() == [
        ("nod (nod.v.01)", "W2D verbs", "lower the head", "WordNet"),
        ("nod (nod.v.01)", "D2W verbs", "nod", "WordNet"),
    ]


def test_the_page_of_definitions_has_its_probes_agents_and_models(monkeypatch, tmp_path):
    groups = pl.DataFrame([{**NOD, "d2w": [2, 2]}], schema=GROUPS)
    properties = pl.DataFrame([{"group": "nod.v.01", "joined": 100.0}], schema=PROPERTIES)
    written = []
    monkeypatch.setattr(definitions, "publish", lambda *parts: written.append(parts))
    answers = {"m": nod_rows(("w2d", 1, "lower the head")), "c": nod_rows(("w2d", 2, "bend"))}
    for named in (["m"], None):
        definitions.answers(
            answers, groups, properties, ANSWERS_TEMPLATE, tmp_path / "a.html", source="own", models=named, run="A run"
        )
    (texts, probes, gold, agents, template, out, models), (*_, without) = written
    assert probes["probe_id"].to_list() == ["w2d:nod.v.01", "d2w:nod.v.01"]
    assert probes["zipf"].to_list() == pytest.approx([2.0, 2.0])
    assert set(gold["source"]) == {"own"}
    assert ([agent.name for agent in agents], template, out) == (["m", "c"], ANSWERS_TEMPLATE, tmp_path / "a.html")
    assert (texts.run, models, without) == ("A run", ["m"], ())


@pytest.mark.parametrize(
    ("tables", "first", "columns", "weight"),
    [
        (definitions, "precision at 1", ("Task", "Word"), "share"),
        (systematicity, "accuracy; open@1", ("Kind of probe", "Hyponym"), "share"),
        (analogies, "accuracy", ("Probe", "Pair"), ""),
    ],
    ids=["precision", "open", "accuracy"],
)
def test_a_page_of_answers_names_its_metric_and_the_columns_of_its_download(tables, first, columns, weight):
    """A filter of the page says which metric the first answer decides, as the tables of the study call it.

    No answer is right for another group than that of its probe, so that there is no filter for these.
    """
    labels = tables.LABELS
    assert (labels.first, (labels.group, labels.target), labels.weight) == (first, columns, weight)
    assert (labels.gold, labels.others, labels.prompt_texts) == ("right_for", False, False)


def test_the_groups_of_definitions_have_the_names_of_their_tasks():
    assert definitions.LABELS.names["W2D nouns"] == "word to definition, nouns"
    assert definitions.LABELS.names["D2W verbs"] == "definition to word, verbs"


@pytest.mark.parametrize(
    "study",
    [analogies_choices, definitions_choices, degrees_answers, pairs, systematicity_choices],
    ids=lambda one: one.__name__,
)
def test_the_page_of_a_study_has_what_its_models_were_sent(study):
    files = [SimpleNamespace(agent="m", metadata={"sent": {"rate": "How good is it?"}})]
    files.append(SimpleNamespace(agent="n", metadata={"sent": {"rate": "Rate it."}}))
    rows = study.TABLES["sent"](SimpleNamespace(replies=files)).rows()
    assert rows == [("m", "rate", "How good is it?"), ("n", "rate", "Rate it.")]
