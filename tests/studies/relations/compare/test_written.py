"""The lists that models wrote: what could not be read, and the entropy of the rest."""

import math
from types import SimpleNamespace

import polars as pl
import pytest
from relprobe.sources.written import Capitals
from relprobe.studies.relations.analyses.writing import TABLES, entropies, summary
from relprobe.studies.relations.lists import absence
from relprobe.studies.relations.values import example_gold

from tests.studies.relations.about import results
from tests.studies.relations.ask.test_writing import written
from tests.studies.relations.six import SIX


def test_what_could_not_be_read_is_counted():
    table = {"m": written(("p", 1, ["animal", "Bird"], 0), ("p", 2, ["bird"], 1), ("q", 1, [], 2))}
    probes = pl.DataFrame({"probe_id": ["p", "q"], "relation": ["HYP", "HYP"]})
    found = summary(table, probes, Capitals.of(["bird"]))
    assert found.rows() == [("m", "HYP", 2, 3, 1.0, 1 / 3, 1, 0.5, absence(table["m"]))]


def test_a_word_that_is_written_twice_counts_twice():
    table = {"m": written(("p", 1, ["bird", "bird"], 0))}
    probes = pl.DataFrame({"probe_id": ["p"], "relation": ["HYP"]})
    assert summary(table, probes, Capitals.of(["bird"]))["words"].to_list() == [2.0]


def test_the_entropy_of_lists_is_that_of_the_words_that_could_be_read():
    """p: bird twice and animal once, log2 3 - 2/3 bits of at most 1; q: nothing; r: one word, of entropy 0."""
    lists = written(
        ("p", 1, ["animal", "bird"], 0), ("p", 2, ["bird"], 1), ("q", 1, [], 2), ("r", 1, ["wing"], 0), ("r", 2, [], 1)
    )
    probes = pl.DataFrame({"probe_id": ["p", "q", "r"], "relation": ["HYP", "HYP", "MER"]})
    table = entropies({"m": lists}, probes, relations=SIX)
    columns = ["agent", "relation", "responses", "entropy_0", "words", "mean_without_zeros", "answered_words"]
    bits = pytest.approx(math.log2(3) - 2 / 3)
    assert table.select(columns).rows() == [
        ("m", "HYP", 1, 0, 2.0, bits, 3),
        ("m", "MER", 1, 1, 1.0, None, 1),
        ("m", None, 2, 1, 1.5, bits, 4),
    ]


def test_the_tables_of_a_run_are_of_its_agents_words_as_the_study_spells_them():
    """Bird is the word bird, so that one of three answers is another one; without this it would be three words."""
    lists = written(("hyp:robin", 1, ["Bird"], 0), ("hyp:robin", 2, ["bird"], 0), ("hyp:robin", 3, ["animal"], 0))
    file = SimpleNamespace(agent="m", table=lambda _schema: lists)
    run = results(gold=example_gold("hyp:robin"), writing=[file])
    (row,) = TABLES["writing_entropy"](run).filter(relation="HYP").iter_rows(named=True)
    bits = pytest.approx(math.log2(3) - 2 / 3)
    assert (row["agent"], row["mean_without_zeros"], row["different_words"]) == ("m", bits, 2)
    assert TABLES["writing"](run).select("agent", "answers", "respelled").rows() == [("m", 3, 1)]
