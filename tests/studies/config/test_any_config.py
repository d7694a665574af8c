"""Whatever a configuration holds, it is valid or gives one sentence."""

import copy
import os

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from relprobe.core.errors import ConfigError
from relprobe.studies import STUDIES
from relprobe.studies.config import validate

from tests.facts import facts_by_study
from tests.paths import ROOT
from tests.studies.config.configs import BAD, ENCODER, SHA, put

EXAMPLES = int(os.environ.get("RELPROBE_EXAMPLES", "100"))


def paths(value, at=()):
    """Return the path of every key and item in a config."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path for key, below in inside for path in ((*at, key), *paths(below, (*at, key)))]


LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=12),
    st.sampled_from([*BAD, "wordnet", "humans", "electra", "a" * 300, "config.yaml", "https://example.org/a"]),
)


KEYS = st.one_of(st.text(max_size=8), st.integers(), st.none(), st.booleans(), st.sampled_from(["path", "url", "ANT"]))


VALUES = st.recursive(
    LEAVES, lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3)), max_leaves=4
)


def everything():
    """A valid config of all studies, with encoders, folders and every section's own keys."""
    study = put({"results": "results/all", "resources": "resources"}, "pathvars")
    study["encoders"] = {"relbert": {**ENCODER, "size": 3.6e8, "template": "{h} {mask} {t}", "pooling": "mask"}}
    study["resources"] |= {"bats": {"path": "resources"}, "semeval2012": {"path": "resources"}}
    study["scoring"] = {"device": "cpu", "batch_tokens": 64}
    study["definitions"] = {"prompts": "resources/prompts/definitions.yaml", "capitals": ["electra"]}
    study["definitions"]["sample"] = {"noun": 5, "verb": 5, "seed": 1}
    study["definitions"] |= {"targets": ["nod"], "candidates": {"maximum": 10}, "choices": {"bands": [5, 50]}}
    study["vectors"] = {"fasttext": {"path": "resources"}}
    study["systematicity"] = {
        "categories": {"animals": ["bird", "fish"], "plants": ["tree", "flower"]},
        "carriers": ["We saw a [W]."],
        "training": {"dropout": 0.1, "epochs": 2},
    }
    study["analogies"] = {
        "template": "{h1} is to {t1} as {h2} is to {t2}",
        "sample": {"tuples": 10, "instances": 5},
        "split": {"train_share": 0.5, "seed": 1},
        "unsupervised": {"partitions": ["test"], "perplexity": "token"},
        "supervised": {"layer": -1, "hidden": [5], "epochs": 1, "seeds": [1]},
    }
    study["degrees"] = {"raters": ["schema", "pmi"], "baselines": ["random"], "layer": 0, "seed": 1}
    study["resources"] |= {"hyperlex": {"path": "resources"}}
    study["resources"]["judged_pairs"] = {"url": "https://example.org/pairs.csv", "sha256": SHA}
    study["pairs"] = {
        "wordnet": {"words": 900, "lexicon": "any", "targets": {"HYP": 4}, "each": 1, "shared_relata": True, "seed": 2},
        "judges": ["pmi", "verification"],
        "split": "none",
    }
    return study


def test_the_config_that_is_mutated_is_valid():
    validate(everything(), ROOT)
    assert facts_by_study(STUDIES, everything(), __file__)
    assert {"encoders", "pathvars"} <= set(everything())


@st.composite
def mutated(draw):
    configuration = everything()
    for _ in range(draw(st.integers(1, 3))):
        at = configuration
        *above, last = draw(st.sampled_from(paths(configuration)))
        for key in above:
            at = at[key]
        action = draw(st.sampled_from(["replace", "remove", "add"]))
        if action == "replace":
            at[last] = draw(VALUES)
        elif action == "remove":
            del at[last]
        elif isinstance(at, dict):
            at[draw(KEYS)] = draw(VALUES)
        if not paths(configuration):
            break
    return configuration


@settings(deadline=None, max_examples=EXAMPLES, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(mutated())
def test_any_config_is_valid_or_gives_one_sentence(configuration):
    before = copy.deepcopy(configuration)
    try:
        validate(configuration, ROOT)
    except ConfigError as error:
        assert str(error).startswith("config: ")
        assert "\n" not in str(error)
        assert str(error).endswith((".", "?"))
    else:
        again = copy.deepcopy(configuration)
        validate(again, ROOT)  # a valid config with its defaults is valid, and has no others
        assert repr(again) == repr(configuration)
        assert set(before) <= set(configuration)
