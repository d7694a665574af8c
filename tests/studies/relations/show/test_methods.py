"""What the methods of a manuscript say of the relations study, sentence by sentence, from a run made by hand."""

from dataclasses import replace

import polars as pl
import pytest
from relprobe.paper.run import Run
from relprobe.studies.relations.methods import CALIBRATED, SPACES, TIES, sentences

DATA = [("hypernymy", 12, 2, 24, 3), ("antonymy", 1, 1, 1, 0)]
LOST = [
    ("lexicon", "tuple", "no word of the lexicon", 4),
    ("scores", "target", "not one token", 2),
    ("lexicon", "target", "too rare", 0),
]
SECTION = {
    "tuples": ["wordnet", "own_tuples", "sampled_wordnet", "my_norms"],
    "language": "resources/languages/english.yaml",
    "expansion": "wordnet",
    "wordnet_sample": {"seed": 7},
    "answers": "words",
    "calibrate": "prior",
    "choices": {"ties": "listed", "minimum_targets": 5},
}


def averages(*rows):
    schema = {"metric": pl.String, "k": pl.UInt16, "value": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row")


RUN = Run(
    study="relations",
    section=SECTION,
    has={"people": False},
    tables={
        "data": pl.DataFrame(DATA, ["name", "targets", "prompts", "probes", "trick_probes"], orient="row"),
        "attrition_counts": pl.DataFrame(LOST, ["step", "kind", "reason", "lost"], orient="row"),
    },
    trials=pl.DataFrame({"agent": ["annotator", "annotator", "m"]}),
    averages=averages(("soundness", None, 0.5), ("symmetry", 5, 0.5), ("symmetry", 1, 0.5), ("audc", None, 0.1)),
    tests=pl.DataFrame(),
)
FIRST = (
    "The study of semantic relations follows [@cao2024]: agents complete cloze probes, and their ranked answers are "
    "compared with the relatum set of the target."
)


def test_every_sentence_of_a_run():
    assert list(sentences(RUN)) == [
        FIRST,
        "The tuples are from WordNet [@miller1995], a list of our own and my_norms, each with its reverse.",
        "The words are in English.",
        "Relatum sets were expanded with WordNet [@miller1995].",
        "The tuples of WordNet are a random sample (seed 7).",
        "The relations are hypernymy (12 targets under 2 prompts) and antonymy (1 target under 1 prompt): 25 probes.",
        "Beside them stand 3 trick probes, the prompts of a relation with targets of its reverse.",
        "Left out were 4 tuples (no word of the lexicon).",
        "Left out for single agents, and counted for each, were 2 targets (not one token).",
        "An answer is right if the relatum set of the prompted relation holds it.",
        SPACES["words"],
        CALIBRATED["prior"],
        "The metrics are, by the equations of [@cao2024], soundness (the share of probes whose first answer is right; "
        "Eq. 11 and 12), symmetry (Eq. 15 and 16) and AuDC, the sum of the distances between relations (Eq. 28).",
        "Symmetry looks at the first 1 and 5 answers.",
        TIES["listed"],
        "AuDC counts the pairs of relations with at least 5 targets.",
    ]


def test_a_run_without_these_parts_has_none_of_their_sentences():
    plain = {"tuples": ["hyperlex"], "expansion": "none", "calibrate": "none", "answers": "tokens"}
    few = {
        "data": RUN.tables["data"].tail(1),
        "attrition_counts": RUN.tables["attrition_counts"].clear(),
    }
    run = replace(RUN, section=SECTION | plain, tables=few, averages=averages(("soundness", None, 0.5)))
    assert list(sentences(run))[1:5] == [
        "The tuples are from HyperLex [@vulic2017], each with its reverse.",
        "The words are in English.",
        "The relation is antonymy (1 target under 1 prompt): 1 probe.",
        "An answer is right if the relatum set of the prompted relation holds it.",
    ]
    assert list(sentences(run))[5:] == [
        SPACES["tokens"],
        "The metrics are, by the equations of [@cao2024], soundness (the share of probes whose first answer is right; "
        "Eq. 11 and 12).",
        TIES["listed"],
    ]


@pytest.mark.parametrize(
    ("source", "who"),
    [({"path": "people.csv"}, "9 people"), ({"url": "https://a.org/Answers.JSON"}, "people"), ({}, "9 people")],
)
def test_people_are_counted_where_their_file_tells_them_apart(source, who):
    reading = pl.DataFrame({"participants": [9]})
    without = replace(RUN, has={"people": True}, resources={"human_responses": source})
    assert "The answers of people are 2 lists to probes that the averages count." in list(sentences(without))
    run = replace(
        RUN,
        has={"people": True},
        tables={**RUN.tables, "people_reading": reading},
        resources={"human_responses": source},
    )
    assert f"The answers of {who} are 2 lists to probes that the averages count." in list(sentences(run))
