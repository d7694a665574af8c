"""In both settings an agent that knows the answers is always right, and one that sees no difference half of the time."""

from types import SimpleNamespace

import numpy as np
import polars as pl
import pyarrow.parquet as pq
import pytest
import torch
from relprobe.core.errors import DataError
from relprobe.lm.requests import SpanResponse
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.sources.bats import PAIRS
from relprobe.sources.static_vectors import StaticVectors
from relprobe.studies.analogies import training
from relprobe.studies.analogies.method import (
    Split,
    by_cosine,
    by_perplexity,
    instances,
    sentence_requests,
    span_requests,
    tuples,
)
from relprobe.studies.analogies.method import values as metrics
from relprobe.studies.analogies.pair_vectors import PairVector, RelationPair, differences, pairs, vector_table
from relprobe.studies.analogies.probes import probes
from relprobe.studies.analogies.relations import bats_analogies
from relprobe.studies.analogies.schemas import DECISIONS, LAYER_METRICS, PROBE_TYPES
from relprobe.studies.analogies.scoring import embedding_table
from relprobe.studies.analogies.template import Template
from relprobe.studies.analogies.training import Settings, accuracies, by_classifier, layer_metrics

TEMPLATE = "What {h1} is to {t1}, {h2} is to {t2}."
BOTH = ["train", "test"]
TRUE = [(f"city{n}", f"land{n}") for n in range(12)]
BATS = bats_analogies(pl.DataFrame([("E01", "capital", h, [t]) for h, t in TRUE], schema=PAIRS, orient="row"))
TUPLES = tuples(BATS, None, Split(0.5, seed=1, draws=2))
INSTANCES = instances(TUPLES, BATS, None, 1)
SETTINGS = Settings(epochs=5, batch=16, learning_rate=0.05, seeds=[1, 2], hidden=[8])


@pytest.fixture(autouse=True)
def _one_thread():
    """Train with one thread of the CPU, as the step does: more only slow such small perceptrons down."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def holds(head, tail):
    return (head, tail) in TRUE


def score_rows(logprob, tokens=lambda text: 5):
    texts = [request.text for request in sentence_requests(probes(INSTANCES, template=TEMPLATE))]
    return pl.DataFrame({"text": texts, "logprob": [logprob(t) for t in texts], "tokens": [tokens(t) for t in texts]})


def judged(scores, perplexity="sentence"):
    return by_perplexity(scores, INSTANCES, template=TEMPLATE, partitions=BOTH, perplexity=perplexity)


def test_a_sentence_that_the_model_cannot_read_decides_nothing():
    scores = score_rows(lambda text: -float(len(text)))
    lost = scores["text"][0]
    some = scores.with_columns(logprob=pl.when(pl.col("text") != lost).then("logprob"))
    every, rest = judged(scores), judged(some)
    assert 0 < every.height - rest.height < every.height
    assert rest["value"].null_count() == 0
    assert set(rest.rows()) < set(every.rows())


def second_pair(text):
    head, _, tail = text.removesuffix(".").partition(", ")[2].partition(" is to ")
    return head, tail


def accuracy(table):
    """Return the accuracy per metric under the condition All."""
    means = metrics(table, TUPLES).filter(condition="All").group_by("metric").agg(pl.col("value").mean())
    return dict(means.iter_rows())


PROBE_NAMES = [*PROBE_TYPES, "random"]


def everywhere(setting, value):
    return {f"{setting} {probe}": value for probe in PROBE_NAMES}


def test_a_scorer_that_knows_the_answers_is_always_right():
    knows = judged(score_rows(lambda text: -1.0 if holds(*second_pair(text)) else -2.0))
    assert dict(knows.schema) == dict(DECISIONS)
    assert accuracy(knows) == everywhere("unsupervised", 1.0)


def test_a_scorer_that_takes_the_opposite_is_never_right():
    wrong = judged(score_rows(lambda text: -2.0 if holds(*second_pair(text)) else -1.0))
    assert accuracy(wrong) == everywhere("unsupervised", 0.0)


def test_a_constant_scorer_is_right_half_of_the_time_as_a_tie_is_no_win():
    constant = judged(score_rows(lambda _: -3.0))
    assert set(constant["value"]) == {0.5}
    assert accuracy(constant) == everywhere("unsupervised", 0.5)


def test_perplexity_is_of_the_sentence_or_per_token():
    # The true sentence has log P = -3 over 6 tokens, -0.5 each; the other -2 over 2 tokens, -1 each.
    table = score_rows(
        lambda text: -3.0 if holds(*second_pair(text)) else -2.0, lambda text: 6 if holds(*second_pair(text)) else 2
    )
    assert set(judged(table, "sentence")["value"]) == {0.0}
    assert set(judged(table, "token")["value"]) == {1.0}


def test_a_sentence_without_a_score_is_an_error():
    with pytest.raises(DataError, match="the scores lack a sentence"):
        judged(score_rows(lambda _: -3.0).head(3))


@pytest.fixture
def pair_file(tmp_path):
    def write(vector):
        path = tmp_path / "pairs.parquet"
        vectors = [PairVector(pair, vector(pair)) for pair in pairs(INSTANCES)]
        pq.write_table(vector_table(vectors), path)
        return ScoreFile.read(path)

    return write


def telling_vector(pair):
    """Return a vector that says whether the pair is in the relation."""
    return np.array([1, 0, 0.5] if holds(pair.head, pair.tail) else [0, 1, 0.5], np.float32)


def test_agents_whose_pair_vectors_show_the_answer_are_always_right_in_both_settings(pair_file):
    file = pair_file(telling_vector)
    assert accuracy(by_cosine(file, INSTANCES, partitions=BOTH)) == everywhere("unsupervised", 1.0)
    table = by_classifier(file, INSTANCES, SETTINGS)
    assert accuracy(table) == everywhere("supervised", 1.0)
    # 6 test tuples: 30 positives and 30 negatives for each of the four probes, in both draws.
    assert table.group_by("draw", "probe", "label").len()["len"].to_list() == [30] * 16


def test_agents_whose_pair_vectors_are_all_alike_are_right_half_of_the_time(pair_file):
    file = pair_file(lambda _: np.ones(3, np.float32))
    assert accuracy(by_cosine(file, INSTANCES, partitions=BOTH)) == everywhere("unsupervised", 0.5)
    assert accuracy(by_classifier(file, INSTANCES, SETTINGS)) == everywhere("supervised", 0.5)


def test_pairs_without_a_vector_are_not_judged_and_not_counted(pair_file):
    without = TRUE[0]
    file = pair_file(lambda pair: None if (pair.head, pair.tail) == without else telling_vector(pair))
    choices = by_cosine(file, INSTANCES, partitions=BOTH)
    concerns = (pl.col("query") == " : ".join(without)) | (
        (pl.col("head") == without[0]) & (pl.col("tail") == without[1])
    )
    assert choices.filter(concerns)["value"].null_count() == choices.filter(concerns).height > 0
    assert choices.filter(~concerns)["value"].null_count() == 0
    table = by_classifier(file, INSTANCES, SETTINGS)
    assert accuracy(choices) == everywhere("unsupervised", 1.0)
    assert accuracy(table) == everywhere("supervised", 1.0)


def test_a_study_without_any_vector_judges_nothing(pair_file):
    file = pair_file(lambda _: None)
    assert by_cosine(file, INSTANCES, partitions=BOTH)["value"].null_count() == INSTANCES.height
    table = by_classifier(file, INSTANCES, SETTINGS)
    assert table["value"].null_count() == table.height == INSTANCES.filter(partition="test").height * 2
    assert metrics(table, TUPLES).is_empty()


@pytest.mark.parametrize(("show", "expected"), [(True, 1.0), (False, 0.5)])
def test_word_embeddings_that_show_the_answer_or_nothing_give_accuracies_of_1_or_one_half(tmp_path, show, expected):
    def vectors(request):
        truth = float(show and holds(*second_pair(request.text)))
        return np.array([[1, 1], [1, 1], [truth, 1], [1, 1]], np.float32)

    requests = span_requests(probes(INSTANCES, template=TEMPLATE), Template.of(TEMPLATE))
    file = tmp_path / "embeddings.parquet"
    pq.write_table(embedding_table([SpanResponse(request.id, vectors(request)) for request in requests]), file)
    table = by_classifier(ScoreFile.read(file), INSTANCES, SETTINGS, template=TEMPLATE)
    assert accuracy(table) == everywhere("supervised", expected)


def test_embeddings_of_other_sentences_are_an_error(tmp_path):
    file = tmp_path / "embeddings.parquet"
    pq.write_table(embedding_table([SpanResponse("E01\tanother", np.ones((4, 2), np.float32))]), file)
    with pytest.raises(DataError, match="the embeddings lack 'What city"):
        by_classifier(ScoreFile.read(file), INSTANCES, SETTINGS, template=TEMPLATE)


def test_a_classifier_that_decides_nothing_is_half_right(monkeypatch):
    # A logit of 0 is no side: 1/2. One above or below is right for one label and wrong for the other.
    features, labels = torch.tensor([[0.0], [0.0], [1.0], [1.0], [-1.0], [-1.0]]), torch.tensor([0, 1] * 3)
    monkeypatch.setattr(training, "_trained", lambda *_: lambda unseen: unseen * torch.tensor([[1.0]]))
    values = accuracies((features, labels), (features, labels), SETTINGS)
    assert values.tolist() == [0.5, 0.5, 0, 1, 1, 0]


def test_a_seed_decides_the_classifier_and_the_callers_generator_keeps_its_state():
    torch.manual_seed(5)
    features, labels = torch.randn(400, 3), torch.tensor([0, 1] * 200)

    def accuracies_of(seed, outer):
        torch.manual_seed(outer)
        before = torch.get_rng_state()
        one = Settings(epochs=1, batch=8, learning_rate=0.01, seeds=[seed], hidden=[4])
        values = accuracies((features, labels), (features, labels), one)
        assert torch.equal(torch.get_rng_state(), before)
        return values

    assert torch.equal(accuracies_of(seed=1, outer=6), accuracies_of(seed=1, outer=7))
    assert not torch.equal(accuracies_of(seed=1, outer=6), accuracies_of(seed=2, outer=6))


@pytest.mark.parametrize(
    ("damage", "found"),
    [("truncated", r"cannot be read as Parquet .*"), ("other columns", "has no column (text|head)")],
)
@pytest.mark.parametrize("template", [TEMPLATE, None])
def test_a_damaged_file_of_vectors_is_named(tmp_path, template, damage, found):
    path = tmp_path / "vectors.parquet"
    pl.DataFrame({"relation": ["E01"] * 100}).write_parquet(path)
    if damage == "truncated":
        path.write_bytes(path.read_bytes()[:-3])
    with pytest.raises(DataError, match=rf"vectors\.parquet {found}: delete it and run again"):
        by_classifier(ScoreFile.read(path), INSTANCES, SETTINGS, template=template)


def test_the_static_vector_of_a_pair_is_the_difference_of_its_words():
    vectors = StaticVectors({"a": 0, "b": 1, "c": 2}, np.array([[1, 0], [0, 2], [4, 4]], np.float32))
    vectors_of_pairs = list(
        differences(
            iter([RelationPair("E01", "a", "b"), RelationPair("E01", "a c", "b"), RelationPair("E01", "a", "x")]),
            vectors,
        )
    )
    # a - b = (1, -2); the mean of a and c is (2.5, 2), less b (2.5, 0); x has no vector.
    assert [None if one.vector is None else one.vector.tolist() for one in vectors_of_pairs] == [
        [1, -2],
        [2.5, 0],
        None,
    ]


def test_features_are_centred_and_scaled_by_those_of_training(monkeypatch):
    """The first has mean 3 and deviation 2; the second is constant, and is centred alone."""
    train, seen = torch.tensor([[1.0, 5.0], [5.0, 5.0]]), {}

    def note(inputs, labels, settings, seed):
        seen[seed] = (inputs.tolist(), labels.tolist())
        return lambda unseen: seen.setdefault("unseen", unseen)[:, :1]

    monkeypatch.setattr(training, "_trained", note)
    test = torch.tensor([[9.0, 5.0], [3.0, 6.0], [-1.0, 5.0]])
    values = accuracies((train, torch.tensor([0, 1])), (test, torch.tensor([1, 1, 1])), SETTINGS)
    assert {seed: seen[seed] for seed in (1, 2)} == {seed: ([[-1, 0], [1, 0]], [0, 1]) for seed in (1, 2)}
    assert seen["unseen"].tolist() == [[3, 0], [0, 1], [-2, 0]]
    assert values.tolist() == [1, 0.5, 0]


@pytest.mark.parametrize(
    ("hidden", "sizes"), [(None, [(3, 1)]), ([4], [(3, 4), (4, 1)]), ([4, 2], [(3, 4), (4, 2), (2, 1)])]
)
def test_a_perceptron_has_its_hidden_layers_with_a_rectifier_after_each(hidden, sizes):
    settings = Settings(epochs=0, batch=2, learning_rate=0.1, seeds=[1], hidden=hidden)
    net = training._trained(torch.zeros(2, 3), torch.zeros(2), settings, 1)
    linear = [layer for layer in net if isinstance(layer, torch.nn.Linear)]
    assert [(layer.in_features, layer.out_features) for layer in linear] == sizes
    assert [type(layer).__name__ for layer in net] == ["Linear", "ReLU"] * (len(sizes) - 1) + ["Linear"]


def test_an_example_without_a_vector_is_left_out_and_the_others_are_judged():
    """So it is in the test, and in training where both labels are left."""
    nan = np.nan
    inputs, labels = np.array([[1.0], [nan], [-1.0]], np.float32), pl.Series([True, True, False])
    unseen = np.array([[2.0], [nan], [-2.0]], np.float32)
    settings = Settings(epochs=40, batch=2, learning_rate=0.1, seeds=[1])
    values = training._values(inputs, labels, unseen, pl.Series([True, True, True]), settings)
    assert values.tolist()[::2] == [1.0, 0.0]
    assert np.isnan(values[1])
    for given, seen in ((inputs[:2], unseen), (inputs, unseen[1:2])):
        nothing = training._values(given, labels[: len(given)], seen, pl.Series([True] * len(seen)), settings)
        assert np.isnan(nothing).all()


def test_a_relation_between_words_of_which_one_has_no_vector_has_none():
    vectors = StaticVectors({"a": 0, "b": 1}, np.array([[1, 0], [0, 2]], np.float32))
    asked = [RelationPair("E01", "x", "b"), RelationPair("E01", "a", "x"), RelationPair("E01", "b", "a")]
    assert [None if one.vector is None else one.vector.tolist() for one in differences(iter(asked), vectors)] == [
        None,
        None,
        [-1, 2],
    ]


class Layers:
    """The features of words after two layers: of layer 3 the right pair is shown, and of layer 0 nothing."""

    def layers(self):
        return [0, 3]


def test_the_classifiers_of_a_layer_read_its_vectors_alone(monkeypatch):
    read = []

    def features_in(vectors, template, layer=None):
        read.append((template.slots, layer))

        def of(examples):
            right = np.array([(row["h2"], row["t2"]) in TRUE for row in examples.iter_rows(named=True)], np.float32)
            return (right if layer == 3 else right * 0)[:, None]

        return lambda _relation: SimpleNamespace(of=of)

    monkeypatch.setattr(training, "features_in", features_in)
    found = layer_metrics(Layers(), INSTANCES, TUPLES, SETTINGS, template=TEMPLATE)
    assert found.schema == LAYER_METRICS
    assert read == [(("h1", "t1", "h2", "t2"), 0), (("h1", "t1", "h2", "t2"), 3)]
    assert set(found["variant"]) == {"raw"}
    means = (
        found.filter(condition="All").group_by("layer", "metric").agg(pl.col("value").mean()).sort("layer", "metric")
    )
    assert means.rows() == [(0, probe, 0.5) for probe in ("random", "reverse", "type")] + [
        (3, probe, 1.0) for probe in ("random", "reverse", "type")
    ]


def test_a_decision_names_its_query_the_right_pair_and_the_one_that_is_judged():
    rows = INSTANCES.filter(relation="E01", draw=1, probe="random_head", partition="test").head(1)
    train = INSTANCES.filter(relation="E01", draw=1, probe="random_head", partition="train")
    shown = SimpleNamespace(of=lambda examples: np.ones((examples.height, 1), np.float32))
    found = training._probe_decisions(
        pl.concat([train, rows.with_columns(instead_of=pl.lit("x : y"))]), shown, SETTINGS
    )
    (asked,) = rows.rows(named=True)
    query, right = (f"{asked[f'{end}head']} : {asked[f'{end}tail']}" for end in ("query_", ""))
    about = ("supervised", "E01", "random_head", 1, query, right)
    assert found.drop("value").rows() == [
        (*about, asked["head"], asked["tail"], True, "x : y"),
        (*about, asked["negative_head"], asked["negative_tail"], False, "x : y"),
    ]
