"""Who knows the answers is right, who says the same of everything is right half of the time, in both settings."""

import numpy as np
import polars as pl
import pyarrow.parquet as pq
import pytest
import torch
from relprobe.core.errors import DataError
from relprobe.lm.requests import SpanResponse
from relprobe.sources.bats import PAIRS
from relprobe.sources.static_vectors import StaticVectors
from relprobe.studies.analogies import classifier
from relprobe.studies.analogies.features import features_in
from relprobe.studies.analogies.instances import instances, tuples
from relprobe.studies.analogies.classifier import Settings, accuracies
from relprobe.studies.analogies.metrics import metrics
from relprobe.studies.analogies.pairs import Pair, PairVector, differences, pairs, vector_table
from relprobe.studies.analogies.probes import probes
from relprobe.studies.analogies.requests import embedding_table, sentence_requests, span_requests
from relprobe.studies.analogies.schemas import DECISIONS, PROBE_TYPES
from relprobe.studies.analogies.supervised import decisions
from relprobe.studies.analogies.template import Template
from relprobe.studies.analogies.unsupervised import by_cosine, by_perplexity

TEMPLATE = Template.of("What {h1} is to {t1}, {h2} is to {t2}.")
TRUE = [(f"city{n}", f"land{n}") for n in range(12)]
BATS = pl.DataFrame([("E01", "capital", h, [t]) for h, t in TRUE], schema=PAIRS, orient="row")
ASKED = instances(tuples(BATS, None, 0.5, 1), BATS, None, 1)
SETTINGS = Settings((8,), epochs=30, batch=16, learning_rate=0.01, seeds=(1, 2))


def holds(head, tail):
    return (head, tail) in TRUE


def scored(logprob, tokens=lambda text: 5):
    texts = [request.text for request in sentence_requests(probes(ASKED, TEMPLATE))]
    return pl.DataFrame({"text": texts, "logprob": [logprob(t) for t in texts], "tokens": [tokens(t) for t in texts]})


def second_pair(text):
    head, _, tail = text.removesuffix(".").partition(", ")[2].partition(" is to ")
    return head, tail


def accuracy(found):
    """Return the accuracy per metric under the condition All."""
    rows = metrics(found).filter(condition="All")
    return dict(rows.select("metric", "value").iter_rows())


PROBE_NAMES = [*PROBE_TYPES, "random"]


def everywhere(setting, value):
    return {f"{setting} {probe}": value for probe in PROBE_NAMES}


def test_a_scorer_that_knows_the_answers_is_always_right():
    knows = by_perplexity(ASKED, scored(lambda text: -1.0 if holds(*second_pair(text)) else -2.0), TEMPLATE, "sentence")
    assert dict(knows.schema) == dict(DECISIONS)
    assert accuracy(knows) == everywhere("unsupervised", 1.0)


def test_a_scorer_that_takes_the_opposite_is_never_right():
    wrong = by_perplexity(ASKED, scored(lambda text: -2.0 if holds(*second_pair(text)) else -1.0), TEMPLATE, "sentence")
    assert accuracy(wrong) == everywhere("unsupervised", 0.0)


def test_a_constant_scorer_is_right_half_of_the_time_as_a_tie_is_no_win():
    constant = by_perplexity(ASKED, scored(lambda _: -3.0), TEMPLATE, "sentence")
    assert set(constant["value"]) == {0.5}
    assert accuracy(constant) == everywhere("unsupervised", 0.5)


def test_perplexity_is_of_the_sentence_or_per_token():
    # The true sentence has log P = -3 over 6 tokens, -0.5 each; the other -2 over 2 tokens, -1 each.
    table = scored(
        lambda text: -3.0 if holds(*second_pair(text)) else -2.0, lambda text: 6 if holds(*second_pair(text)) else 2
    )
    assert set(by_perplexity(ASKED, table, TEMPLATE, "sentence")["value"]) == {0.0}
    assert set(by_perplexity(ASKED, table, TEMPLATE, "token")["value"]) == {1.0}


def test_a_sentence_without_a_score_is_an_error():
    with pytest.raises(DataError, match="the scores lack a sentence"):
        by_perplexity(ASKED, scored(lambda _: -3.0).head(3), TEMPLATE, "sentence")


@pytest.fixture
def pair_file(tmp_path):
    def write(vector):
        path = tmp_path / "pairs.parquet"
        made = [PairVector(pair, vector(pair)) for pair in pairs(ASKED)]
        pq.write_table(vector_table(made), path)
        return path

    return write


def planted(pair):
    return np.array([1, 0, 0.5] if holds(pair.head, pair.tail) else [0, 1, 0.5], np.float32)


def test_pairs_that_show_the_answer_are_told_apart_in_both_settings(pair_file):
    file = pair_file(planted)
    assert accuracy(pl.concat(by_cosine(ASKED, file))) == everywhere("unsupervised", 1.0)
    judged = pl.concat(decisions(ASKED, features_in(file, None), SETTINGS))
    assert accuracy(judged) == everywhere("supervised", 1.0)
    # 6 test tuples: 30 positives and 30 negatives for each of the four probes.
    assert judged.group_by("probe", "label").len()["len"].to_list() == [30] * 8


def test_pairs_that_are_all_alike_are_told_apart_half_of_the_time(pair_file):
    file = pair_file(lambda _: np.ones(3, np.float32))
    assert accuracy(pl.concat(by_cosine(ASKED, file))) == everywhere("unsupervised", 0.5)
    assert accuracy(pl.concat(decisions(ASKED, features_in(file, None), SETTINGS))) == everywhere("supervised", 0.5)


def test_pairs_without_a_vector_are_not_judged_and_not_counted(pair_file):
    gone = TRUE[0]
    file = pair_file(lambda pair: None if (pair.head, pair.tail) == gone else planted(pair))
    chosen = pl.concat(by_cosine(ASKED, file))
    touched = (pl.col("query") == " : ".join(gone)) | ((pl.col("head") == gone[0]) & (pl.col("tail") == gone[1]))
    assert chosen.filter(touched)["value"].null_count() == chosen.filter(touched).height > 0
    assert chosen.filter(~touched)["value"].null_count() == 0
    judged = pl.concat(decisions(ASKED, features_in(file, None), SETTINGS))
    assert accuracy(chosen) == everywhere("unsupervised", 1.0)
    assert accuracy(judged) == everywhere("supervised", 1.0)


def test_a_study_without_any_vector_judges_nothing(pair_file):
    file = pair_file(lambda _: None)
    assert pl.concat(by_cosine(ASKED, file))["value"].null_count() == ASKED.height
    judged = pl.concat(decisions(ASKED, features_in(file, None), SETTINGS))
    assert judged["value"].null_count() == judged.height == ASKED.filter(partition="test").height * 2
    assert metrics(judged).is_empty()


@pytest.mark.parametrize(("show", "expected"), [(True, 1.0), (False, 0.5)])
def test_words_whose_embeddings_show_the_answer_or_nothing(tmp_path, show, expected):
    def vectors(request):
        truth = float(show and holds(*second_pair(request.text)))
        return np.array([[1, 1], [1, 1], [truth, 1], [1, 1]], np.float32)

    asked = span_requests(probes(ASKED, TEMPLATE), TEMPLATE)
    file = tmp_path / "embeddings.parquet"
    pq.write_table(embedding_table([SpanResponse(request.id, vectors(request)) for request in asked]), file)
    judged = pl.concat(decisions(ASKED, features_in(file, TEMPLATE), SETTINGS))
    assert accuracy(judged) == everywhere("supervised", expected)


def test_embeddings_of_other_sentences_are_an_error(tmp_path):
    file = tmp_path / "embeddings.parquet"
    pq.write_table(embedding_table([SpanResponse("E01\tanother", np.ones((4, 2), np.float32))]), file)
    with pytest.raises(DataError, match="the embeddings lack 'What city"):
        pl.concat(decisions(ASKED, features_in(file, TEMPLATE), SETTINGS))


def test_a_classifier_that_decides_nothing_is_half_right(monkeypatch):
    # A logit of 0 is no side: 1/2. One above or below is right for one label and wrong for the other.
    features, labels = torch.tensor([[0.0], [0.0], [1.0], [1.0], [-1.0], [-1.0]]), torch.tensor([0, 1] * 3)
    monkeypatch.setattr(classifier, "_trained", lambda *_: lambda unseen: unseen * torch.tensor([[1.0]]))
    centred = accuracies((features, labels), (features, labels), SETTINGS)
    assert centred.tolist() == [0.5, 0.5, 0, 1, 1, 0]


def test_a_seed_decides_the_classifier_and_leaves_the_others_generator_alone():
    torch.manual_seed(5)
    features, labels = torch.randn(400, 3), torch.tensor([0, 1] * 200)

    def judged(seed, outer):
        torch.manual_seed(outer)
        before = torch.get_rng_state()
        one = Settings((4,), epochs=1, batch=8, learning_rate=0.01, seeds=(seed,))
        found = accuracies((features, labels), (features, labels), one)
        assert torch.equal(torch.get_rng_state(), before)
        return found

    assert torch.equal(judged(seed=1, outer=6), judged(seed=1, outer=7))
    assert not torch.equal(judged(seed=1, outer=6), judged(seed=2, outer=6))


@pytest.mark.parametrize("damage", ["truncated", "other columns"])
@pytest.mark.parametrize("template", [TEMPLATE, None])
def test_a_damaged_file_of_vectors_is_named(tmp_path, template, damage):
    path = tmp_path / "vectors.parquet"
    pl.DataFrame({"relation": ["E01"] * 100}).write_parquet(path)
    if damage == "truncated":
        path.write_bytes(path.read_bytes()[:-3])
    with pytest.raises(DataError, match=r"vectors\.parquet cannot be read as Parquet .*: delete it and run again"):
        features_in(path, template)("E01")


def test_the_static_vector_of_a_pair_is_the_difference_of_its_words():
    vectors = StaticVectors({"a": 0, "b": 1, "c": 2}, np.array([[1, 0], [0, 2], [4, 4]], np.float32))
    found = list(differences(iter([Pair("E01", "a", "b"), Pair("E01", "a c", "b"), Pair("E01", "a", "x")]), vectors))
    # a - b = (1, -2); the mean of a and c is (2.5, 2), less b (2.5, 0); x has no vector.
    assert [None if one.vector is None else one.vector.tolist() for one in found] == [[1, -2], [2.5, 0], None]
