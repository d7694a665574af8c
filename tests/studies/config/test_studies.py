"""Settings of single studies."""

import pytest
import yaml
from relprobe.core.study import study_of
from relprobe.studies import STUDIES
from relprobe.studies.config import validate

from tests.paths import ROOT
from tests.studies.config.configs import ENCODER, SHARED, config, fault, put


@pytest.mark.parametrize(
    ("probe", "hint"),
    [
        ("syn-similr:answer", "there is no prompt 'syn-similr': did you mean syn-similar:…?"),
        ("answer", "there is no prompt '': write PROMPT:TARGET with a prompt of resources/prompts/relations.yaml."),
    ],
)
def test_a_shown_probe_without_a_prompt_is_named(probe, hint):
    sentence = f"config: relations.shown_probes names {probe!r}, but {hint}"
    assert fault(put([probe], "relations", "shown_probes")) == sentence


def test_a_shown_probe_may_be_of_any_target():
    validate(put(["syn-similar:ice-cream"], "relations", "shown_probes"), ROOT)


def test_relations_without_a_panel_says_so():
    configuration = {key: value for key, value in config().items() if key != "lexicon"}
    assert fault(configuration) == (
        "config: relations needs lexicon.panel, the models whose common words it asks for: add it."
    )


@pytest.mark.parametrize(
    ("keys", "value", "words"),
    [
        (("encoders", "relbert"), {"huggingface": "a/b"}, "encoders.relbert has 'huggingface' without 'revision'"),
        (("encoders", "relbert"), {"path": "no/such"}, "encoders.relbert.path names no/such, which does not exist"),
        (("encoders", "relbert"), {**ENCODER, "template": "{h} and {x}"}, "encoders.relbert.template is '{h} and {x}'"),
        (
            ("encoders", "relbert"),
            {**ENCODER, "pooling": "max"},
            "must be one of average_no_mask, average, mask, cls, last.",
        ),
        (("encoders", "smol"), ENCODER, "encoders.smol has the name of a model: rename one of them."),
        (("encoders", "static"), ENCODER, "encoders holds 'static', where only"),
        (
            ("analogies", "template"),
            "{h1} is to {t1}",
            "analogies.template is '{h1} is to {t1}', but must hold each of",
        ),
        (("analogies", "sample"), {"tuples": 5}, "analogies.sample.tuples: 5 is less than the minimum of 6"),
        (("analogies", "split", "train_share"), 1, "analogies.split.train_share: 1 is greater than or equal to"),
        (("analogies", "unsupervised", "perplexity"), "word", "must be one of sentence, token."),
    ],
)
def test_a_fault_of_the_analogies_study_is_named(keys, value, words):
    configuration = put(value, *keys)
    configuration.setdefault("analogies", {})
    configuration["resources"]["bats"] = {"path": "resources"}
    assert words in fault(configuration)


def test_static_vectors_have_no_name_of_a_model():
    sentence = "config: vectors.smol has the name of a model: rename one of them."
    assert fault(put({"path": "resources"}, "vectors", "smol")) == sentence


def test_an_encoder_may_have_a_size():
    validate({**put({**ENCODER, "size": 3.6e8}, "encoders", "relbert"), "analogies": {}}, ROOT)


def test_a_panel_that_names_an_unknown_model():
    sentence = "config: lexicon.panel names 'bert', which is not among the models: add it there."
    assert fault(put(["electra", "bert"], "lexicon", "panel")) == sentence


def test_wordnet_tuples_without_their_sample():
    configuration = config()
    del configuration["relations"]["wordnet_sample"]
    sentence = "relations.tuples names wordnet, but there is no relations.wordnet_sample: add it."
    assert fault(configuration) == f"config: {sentence}"


def test_a_panel_names_models_and_not_their_other_agents():
    configuration = put(SHARED, "models", "few")
    configuration["lexicon"]["panel"] = ["electra", "few"]
    assert "lexicon.panel names 'few', whose words are those of 'smol': name that one." in fault(configuration)


def test_a_sample_of_a_relation_without_tuples_in_wordnet_says_so():
    sentence = "config: relations.wordnet_sample.tuples names HPO, which has no `wordnet: {tuples: true}` in "
    assert fault(put(5, "relations", "wordnet_sample", "tuples", "HPO")).startswith(sentence)


def completing(categories, **keys):
    """A configuration with an agent that completes sentences with one of so many categories."""
    configuration = config()
    words = ["x" * number for number in range(1, categories + 1)]
    configuration["systematicity"] = {"categories": {"some": words[:2], "others": words[2:]}}
    configuration["models"]["chatty"] = {
        "endpoint": "http://127.0.0.1:9/v1",
        "name": "chatty",
        "task": "complete",
    } | keys
    return configuration


def test_a_choice_has_as_many_categories_as_letters():
    validate(completing(26), ROOT)
    assert fault(completing(27)) == (
        "config: systematicity.categories has 27 categories, but a choice (`task`) has letters for 26: leave some out, or "
        "name other studies in `studies` of the agents with a task."
    )
    elsewhere = completing(27, task="people", studies=["relations"])
    validate(elsewhere, ROOT)


def test_the_task_of_a_study_needs_the_study_and_its_lines(tmp_path):
    assert "has `task: complete`, which is of the study systematicity alone" in fault(
        completing(4, studies=["degrees"])
    )
    lines = yaml.safe_load((ROOT / "resources/prompts/chat.yaml").read_text("utf-8"))
    del lines["systematicity"]["verify_plural"]
    (tmp_path / "chat.yaml").write_text(yaml.safe_dump(lines))
    configuration = completing(4) | {"prompting": {"chat": str(tmp_path / "chat.yaml")}}
    assert "systematicity has no line `verify_plural`, which an agent is asked with: add it." in fault(configuration)


@pytest.mark.parametrize("study", [study for study in STUDIES if study_of(study).needs])
def test_what_a_study_needs_is_a_resource_and_a_sentence(study):
    needs = study_of(study).needs
    assert needs.resource.isidentifier()
    assert needs.substitute.isidentifier() or not needs.substitute
    assert f"resources.{needs.resource}" in needs.remedy
