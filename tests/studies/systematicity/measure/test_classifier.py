"""The probing classifier finds what is there, and nothing else."""

import itertools
from dataclasses import asdict, replace

import numpy as np
import polars as pl
import pytest
import torch
from relprobe.core.errors import DataError
from relprobe.studies.systematicity import training as training_step
from relprobe.studies.systematicity.contexts import carrier_splits
from relprobe.studies.systematicity.method import detection_values
from relprobe.studies.systematicity.schemas import EMBEDDINGS, LAYER_METRICS, PAIRS, PARTS
from relprobe.studies.systematicity.training import Classifiers, Examples, Training, detections, fit, layer_metrics

WIDTH = 16
CATEGORIES = {"animals": ["bird", "insect"], "objects": ["vehicle", "tool"]}
TRAINING = Training(hidden=32, epochs=15, seeds=1)


@pytest.fixture(autouse=True)
def one_thread():
    torch.set_num_threads(1)


def pairs(each=60):
    """Every hyponym with its category and with the other one of the same superordinate category, each in a context."""
    rows = []
    for group in CATEGORIES.values():
        for category, number in itertools.product(group, range(each)):
            other = next(name for name in group if name != category)
            rows += [text_pair(f"{category}{number}", category, 1), text_pair(f"{category}{number}", other, 0)]
    return carrier_splits(pl.DataFrame(rows), CATEGORIES, 3, seed=1)


def text_pair(hyponym, hypernym, label):
    words = {"hyponym": hyponym, "hypernym": hypernym, "label": label}
    for name in ("hyponym", "hypernym"):
        words |= {f"{name}_text": words[name], f"{name}_start": 0, f"{name}_stop": len(words[name])}
    return words


def embed(contexts, vector_of):
    rows = [(number, vector_of(word).tolist()) for number, word in contexts.select("context", "word").iter_rows()]
    return pl.DataFrame(rows, schema=EMBEDDINGS, orient="row")


def accuracy(table, setting, given="full"):
    rows = table.filter(setting=setting, input=given)
    return rows.select(((pl.col("p") > 0.5) == (pl.col("label") == 1)).mean()).item()


def planted(rng):
    """A hyponym's vector is its category's own, moved in one direction that all hyponyms share, and a little noise."""
    direction = rng.normal(size=WIDTH)
    category = {name: rng.normal(size=WIDTH) for group in CATEGORIES.values() for name in group}

    def vector(word):
        own = category[word.rstrip("0123456789")]
        return own if word in category else own - direction + 0.1 * rng.normal(size=WIDTH)

    return vector


@pytest.fixture(scope="module")
def asked():
    return pairs()


def test_planted_hypernymy_is_found(asked):
    made, contexts = asked
    found = detections(made, embed(contexts, planted(np.random.default_rng(1))), TRAINING)
    assert accuracy(found, "seen") > 0.95
    assert accuracy(found, "seen", "partial") == pytest.approx(0.5, abs=0.02)  # the hypernym alone tells nothing


def test_linear_hypernymy_is_found_between_unseen_hypernyms(asked):
    """The hypernym is the hyponym's vector and one fixed step; another category is a step of its own away."""
    made, contexts = asked
    rng = np.random.default_rng(2)
    category = {name: i for i, name in enumerate(itertools.chain.from_iterable(CATEGORIES.values()))}

    def vector(word):
        plane = np.zeros(WIDTH)
        plane[0] = 8 * (category[word.rstrip("0123456789")] % 2)  # both categories of a group differ in this alone
        plane[1] = 0 if word in category else 1
        return plane + 0.1 * rng.normal(size=WIDTH)

    assert accuracy(detections(made, embed(contexts, vector), TRAINING), "unseen") > 0.9


def test_random_embeddings_hold_nothing(asked):
    made, contexts = asked
    rng = np.random.default_rng(3)
    found = detections(made, embed(contexts, lambda word: rng.normal(size=WIDTH)), TRAINING)
    tested = found.filter(setting="seen", input="full").height
    for setting in ("seen", "unseen"):
        assert accuracy(found, setting) == pytest.approx(0.5, abs=2.6 * 0.5 / tested**0.5)


def test_the_same_seed_gives_the_same_classifier(asked):
    made, contexts = asked
    embeddings = embed(contexts, planted(np.random.default_rng(1)))
    once = [detections(made, embeddings, Training(hidden=8, epochs=2, seed=seed, seeds=1)) for seed in (1, 1, 2)]
    assert once[0].equals(once[1])
    assert not once[0].equals(once[2])
    both = detections(made, embeddings, Training(hidden=8, epochs=2, seed=1, seeds=2))
    assert both.filter(seed=1).equals(once[0])
    assert both.filter(seed=2).equals(once[2])


def test_the_number_of_threads_changes_no_decision(asked):
    embeddings = embed(asked[1], planted(np.random.default_rng(0)))
    tables = [detections(asked[0], embeddings, Training(hidden=8, epochs=3, seeds=2), threads) for threads in (1, 3)]
    assert tables[0].equals(tables[1])


def test_a_decision_names_the_hyponyms_own_category(asked):
    made, contexts = asked
    found = detections(made, embed(contexts, planted(np.random.default_rng(1))), Training(hidden=4, epochs=1, seeds=1))
    untrue = found.filter(label=0)
    assert (untrue["category"] != untrue["hypernym"]).all()
    assert (found["hyponym"].str.replace(r"\d+", "") == found["category"]).all()


def examples(full, hypernyms=3, width=7, pairs=6):
    """Pairs of random vectors with a few hypernyms."""
    rng = torch.Generator().manual_seed(4)
    vectors, distinct = torch.randn(5, width, generator=rng), torch.randn(hypernyms, width, generator=rng)
    labels = torch.tensor([0, 1, 1, 0, 1, 1])[:pairs]
    return Examples(vectors, torch.arange(pairs) % 5, distinct, torch.arange(pairs) % hypernyms, labels, full)


def plain(stack, place, some, numbers):
    """The outputs of the paper's network of one seed, W · ReLU(h([w1; w2; w2 - w1; w1 ⊙ w2])), and its parameters."""
    w1, w2 = some.vectors[some.hyponyms[numbers]], some.distinct[some.hypernyms[numbers]]
    x = torch.cat([w1, w2, w2 - w1, w1 * w2], dim=1) if some.full else w2
    parts = [tensor[place].detach().clone().requires_grad_() for tensor in stack.tensors]
    *hidden, bias, output, output_bias = parts
    return (x @ torch.cat(hidden) + bias).relu() @ output.T + output_bias, parts


CASES = pytest.mark.parametrize(("full", "hypernyms"), [(True, 3), (True, 8), (False, 3), (False, 8)])
"""Both inputs, with fewer and with more hypernyms than a batch has pairs."""


@CASES
def test_gradients_are_those_of_autograd(full, hypernyms):
    some = examples(full, hypernyms)
    stack = Classifiers(4 if full else 1, 7, Training(hidden=5, dropout=0), [1, 2])
    numbers = torch.tensor([[0, 1, 2, 3], [5, 4, 1, 0]])
    gradients = stack.gradients(some, numbers)
    for place in range(2):
        outputs, parts = plain(stack, place, some, numbers[place])
        torch.nn.functional.cross_entropy(outputs, some.labels[numbers[place]]).backward()
        for gradient, part in zip(gradients, parts, strict=True):
            torch.testing.assert_close(gradient[place], part.grad)


@CASES
def test_probabilities_are_those_of_the_papers_network(full, hypernyms):
    some = examples(full, hypernyms)
    stack = Classifiers(4 if full else 1, 7, Training(hidden=5), [1, 2])
    for place, p in enumerate(stack.probability(some)):
        outputs, _ = plain(stack, place, some, torch.arange(6))
        torch.testing.assert_close(p, outputs.softmax(1)[:, 1].detach())


def test_the_network_is_the_papers():
    stack = Classifiers(4, 10, Training(), [1])
    shapes = [tuple(tensor.shape[1:]) for tensor in stack.tensors]
    assert shapes == [*[(10, 300)] * 4, (300,), (2, 300), (2,)]
    assert stack.left_out == 0.2


def test_the_first_weights_are_those_of_torch_for_the_seed():
    stack = Classifiers(4, 10, Training(hidden=6), [3, 4])
    for place, seed in enumerate((3, 4)):
        torch.manual_seed(seed)
        hidden, output = torch.nn.Linear(40, 6), torch.nn.Linear(6, 2)
        torch.testing.assert_close(torch.cat([part[place] for part in stack.hidden]).T, hidden.weight)
        torch.testing.assert_close(stack.bias[place], hidden.bias)
        torch.testing.assert_close(stack.output[place], output.weight)


def test_dropout_takes_its_share_of_the_hidden_units_and_scales_the_others():
    stack = Classifiers(1, 1, Training(hidden=1000, dropout=0.25), [1])
    for tensor, value in zip(stack.tensors, (0.0, 1.0, 0.0, 0.0), strict=True):
        torch.nn.init.constant_(tensor, value)
    one = Examples(
        torch.zeros(1, 1), torch.tensor([0]), torch.zeros(1, 1), torch.tensor([0]), torch.tensor([1]), full=False
    )
    gradients = stack.gradients(one, torch.tensor([[0]]))
    # All hidden units are 1, and both labels have the probability 1/2: the gradient is ±1/2 times the unit after dropout.
    units = 2 * gradients[2][0, 0]
    assert units.unique().tolist() == pytest.approx([0, 1 / 0.75])
    assert (units > 0).double().mean().item() == pytest.approx(0.75, abs=0.05)


def test_classifiers_that_are_done_leave_the_others_as_they_are(asked):
    """With a patience of one epoch, seeds end at different times; each is as if it were trained alone."""
    made, contexts = asked
    embeddings = embed(contexts, planted(np.random.default_rng(1)))
    few = made.filter(setting="seen", fold=1)
    settings = {"hidden": 8, "epochs": 12, "patience": 1}
    together = detections(few, embeddings, Training(**settings, seeds=6))
    for seed in range(1, 7):
        alone = detections(few, embeddings, Training(**settings, seed=seed, seeds=1))
        assert together.filter(seed=seed).equals(alone)


def test_pairs_without_an_embedding_are_left_out_and_counted(asked, caplog):
    made, contexts = asked
    embeddings = embed(contexts, planted(np.random.default_rng(1)))
    caplog.set_level("INFO", logger="relprobe")
    without = contexts.filter(word="bird0")["context"].item()
    found = detections(made, embeddings.filter(pl.col("context") != without), Training(hidden=4, epochs=1, seeds=1))
    assert "bird0" not in set(found["hyponym"])
    lost = made.filter(hyponym="bird0").height
    assert f"{made.height - lost} of {made.height} pairs have an embedding for both words" in caplog.text


def test_a_part_without_pairs_is_an_error(asked):
    made, contexts = asked
    embeddings = embed(contexts, planted(np.random.default_rng(1)))
    rows = made.filter(~((pl.col("part") == "dev") & (pl.col("fold") == 2))).cast(dict(PAIRS))
    with pytest.raises(DataError, match=r"no dev pair of fold 2 \(seen hypernyms\) has an embedding"):
        detections(rows, embeddings, Training(hidden=4, epochs=1, seeds=1))


def test_a_classifier_is_trained_as_the_documentation_says():
    """300 hidden numbers and a dropout of 0.2 are the paper's; the rest is what our results were made with."""
    assert asdict(Training()) == {
        **{"hidden": 300, "dropout": 0.2, "learning_rate": 0.001, "batch": 64},
        **{"epochs": 20, "patience": 3, "seed": 1, "seeds": 10},
    }


def test_gradients_with_dropout_are_those_of_the_units_that_it_keeps_scaled_up(monkeypatch):
    """With a quarter left out, a unit that stays counts 4/3 times, forth and back."""
    some = examples(full=True)
    stack = Classifiers(4, 7, Training(hidden=5, dropout=0.25), [1, 2])
    numbers = torch.tensor([[0, 1, 2, 3], [5, 4, 1, 0]])
    kept = torch.rand(2, 4, 5, generator=torch.Generator().manual_seed(5)) >= 0.25
    monkeypatch.setattr(stack, "_kept", lambda _shape: kept)
    gradients = stack.gradients(some, numbers)
    for place in range(2):
        w1, w2 = some.vectors[some.hyponyms[numbers[place]]], some.distinct[some.hypernyms[numbers[place]]]
        parts = [tensor[place].detach().clone().requires_grad_() for tensor in stack.tensors]
        *hidden, bias, output, output_bias = parts
        units = (torch.cat([w1, w2, w2 - w1, w1 * w2], dim=1) @ torch.cat(hidden) + bias).relu() * kept[place] / 0.75
        torch.nn.functional.cross_entropy(units @ output.T + output_bias, some.labels[numbers[place]]).backward()
        for gradient, part in zip(gradients, parts, strict=True):
            torch.testing.assert_close(gradient[place], part.grad)


def test_classifiers_are_chosen_on_the_development_part_and_tested_on_another_one(asked, monkeypatch):
    made, contexts = asked
    few = made.filter(setting="seen", fold=1)
    sizes, seen = {part: few.filter(part=part).height for part in PARTS}, []
    assert len(set(sizes.values())) > 1

    def note(train, dev, training, seeds):
        seen.append((len(train.labels), len(dev.labels), list(seeds), train.full, dev.full))
        return Classifiers(train.parts, WIDTH, training, seeds)

    monkeypatch.setattr(training_step, "fit", note)
    test = few.filter(part="test").height
    embedded = embed(contexts, planted(np.random.default_rng(1)))
    dev = few.filter((pl.col("part") != "dev") | (pl.col("hyponym") != few.filter(part="dev")["hyponym"][0]))
    settings = Training(hidden=4, seed=3, seeds=3)
    found = detections(dev, embedded, settings)
    dev_pairs = dev.filter(part="dev").height
    assert dev_pairs not in (sizes["train"], test)
    assert seen == [(sizes["train"], dev_pairs, [3, 4, 5], full, full) for full in (True, False)]
    assert found.height == 3 * 2 * test
    assert found["seed"].unique().sort().to_list() == [3, 4, 5]
    # As many at once as have so many weights: of four parts of 16 numbers, and 4 hidden ones, one network has 256.
    monkeypatch.setattr(training_step, "WEIGHTS_AT_ONCE", 512)
    seen.clear()
    detections(dev, embedded, settings)
    assert [seeds for _, _, seeds, *_ in seen] == [[3, 4], [5], [3, 4, 5]]


class States:
    """States after two layers, of which the first one is noise."""

    def __init__(self, tables):
        self.tables = tables

    def layers(self):
        return list(self.tables)

    def where(self, columns, layer):
        return self.tables[layer].select(columns)


def test_the_classifiers_of_a_layer_are_trained_on_its_states_alone(asked, caplog):
    """The log says which fold and which layer is done, as a layer may take an hour."""
    caplog.set_level("INFO", logger="relprobe")
    made, contexts = asked
    few = made.filter(setting="seen", fold=1)
    tables = {layer: embed(contexts, planted(np.random.default_rng(layer))) for layer in (0, 3)}
    settings = Training(hidden=4, epochs=1, seeds=1)
    found = layer_metrics(few, States(tables), settings)
    done = [line for line in caplog.messages if line.endswith("done")]
    folds = ["seen hypernyms, fold 1, full input: done", "seen hypernyms, fold 1, partial input: done"]
    assert [sorted(done[:2]), done[2], sorted(done[3:5]), done[5]] == [folds, "layer 0: done", folds, "layer 3: done"]
    assert found.columns == list(LAYER_METRICS)
    assert found["variant"].unique().to_list() == ["raw"]
    for layer, table in tables.items():
        expected = detection_values(detections(few, table, settings))
        assert found.filter(layer=layer).select(expected.columns).equals(expected)


def test_a_network_that_is_never_right_on_the_development_part_is_that_of_the_first_epoch():
    """The best accuracy begins below 0, so that one epoch is the best even if nothing is right."""
    one = Examples(
        torch.ones(1, 1), torch.tensor([0]), torch.ones(1, 1), torch.tensor([0]), torch.tensor([1]), full=False
    )
    wrong = Examples(one.vectors, one.hyponyms, one.distinct, one.hypernyms, torch.tensor([0]), full=False)
    settings = Training(hidden=3, dropout=0, epochs=3, learning_rate=0.5, seeds=1)
    start = Classifiers(1, 1, settings, [1]).probability(one).item()
    once = fit(one, wrong, replace(settings, epochs=1), [1]).probability(one).item()
    assert once > start
    assert once > 0.5
    assert fit(one, wrong, settings, [1]).probability(one).item() == pytest.approx(once)
