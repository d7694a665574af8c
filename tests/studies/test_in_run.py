"""What each study says of itself in a run to the rules of all studies, in full: with all that it may have, or little."""

import re
from collections.abc import Mapping

import pytest
from relprobe.core.study import Roles, Targets, study_of
from relprobe.studies.relations.run import NORMS, Agents

from tests.paths import ROOT

MODELS = {
    "m": {"type": "masked", "layers": [1, 2]},
    "n": {"type": "causal", "family": "N", "size": 1e8},
    "s": {"type": "causal", "family": "N", "size": 3e8, "endpoint": "http://localhost/v1", "name": "big"},
    "n-chat": {"type": "causal", "model": "n", "chat": True, "shots": 2},
    "n-task": {"type": "causal", "model": "n", "task": "people"},
}
ALL = Roles(
    models=["m", "n", "s", "n-chat"],
    task_agents=["n-task"],
    chat_models=["n-task"],
    vectors=["static"],
    types={"m": "masked", "n": "causal", "s": "causal", "n-chat": "causal", "n-task": "causal"},
    families={"m": "M", "n": "N", "s": "N"},
    layered={"m": "masked"},
)
FEW = Roles(models=["m"], task_agents=[], chat_models=[], vectors=[], types={"m": "masked"}, families={"m": "M"})


def said(study, config, roles):
    """Return a line for each thing that a study says of itself in a run; files without their folder and suffix."""
    run = study_of(study).in_run({"models": MODELS, "encoders": {}, "inference": "linked", **config}, roles)
    lines = {
        "controls": run.controls,
        "has": [name for name, there in run.has.items() if there],
        "lacks": [name for name, there in run.has.items() if not there],
        "scored": run.scored,
        **{f"drawn {name}": value for part in run.drawn[:2] for name, value in part.items()},
        **{f"trials {name}": value for part in run.trials[:2] for name, value in part.items()},
        **{f"exported {name}": value for name, value in run.exported.items()},
        **{"people": run.people, "late": run.late},
    }
    assert {"scores", "values", *(["responses"] if study != "systematicity" else ())} <= run.readable.keys()
    for name in {"drawn names", "drawn figure_names"} & lines.keys():
        # The page says their order, and a metric that a user adds has figures that no case here names.
        lines[name] = sorted(NAMED & {*lines[name]})
    text = "\n".join(f"{name}: {in_words(value)}".rstrip() for name, value in lines.items())
    return re.sub(rf"<results>/{study}/|{ROOT}/|[.]parquet", "", text).splitlines()


def in_words(value):
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {in_words(part)}" for name, part in value.items())
    return (
        value
        if isinstance(value, str)
        else " ".join(map(str, value))
        if isinstance(value, list | tuple)
        else str(value)
    )


CASES = [
    (
        "relations",
        ALL,
        {
            "relations": {
                "prompts": "p.yaml",
                "relations": str(ROOT / "resources/relations/english-nouns.yaml"),
                "language": "resources/languages/english.yaml",
                "answers": "tokens",
                "tuples": ["wordnet"],
                "controls": ["majority", "frequency", "without-target", "typical"],
                "choices": {"symmetry_k": [1, 5]},
                "layers": {"map": "wordnet"},
                "word_sample": {"models": ["n"]},
            },
            "resources": {"human_responses": {}, "static_vectors": {}},
        },
        """\
controls: majority frequency typical m+without-target n+without-target s+without-target n-chat+without-target
has: task_agents chat_models layers paper people typical families sizes ordered shots sample ways
lacks: neighbours nearest series checkpoints
scored: scores/m scores/n scores/s scores/n-chat writing/n-task
drawn averages: averages
drawn tests: tests
drawn values: tables/first_related tables/response_entropies tables/series tables/frequency
drawn relations: resources/relations/english-nouns.yaml
drawn names: asymmetry completeness distinguishability_curves distinguishability_kinds
    distinguishability_matrices first_related first_related_families frequency_asymmetry frequency_completeness
    frequency_prototypicality frequency_soundness frequency_symmetry layers_completeness
    layers_distinguishability layers_soundness overview prototypicality response_entropy size_asymmetry
    size_audc size_completeness size_distinguishability size_prototypicality size_soundness size_symmetry
    soundness symmetry ways_completeness ways_soundness
drawn agents: annotator humans m n s n-chat n-task majority frequency typical m+without-target n+without-target
    s+without-target n-chat+without-target
drawn models: m type masked, way layers, n type causal, family N, size 100000000.0, s type causal, family N,
    size 300000000.0, n-chat type causal, way 2 examples, chat, n-task type causal, way people's task
drawn k: 5
drawn inference: linked
drawn families: m M, n N, s N
drawn controls: majority frequency typical m+without-target n+without-target s+without-target
    n-chat+without-target
drawn layered: m masked
drawn ways: n n way bare, answer log-probabilities, n-chat way 2 examples, chat, answer log-probabilities,
    n-task way people's task, answer list
trials responses: responses/annotator responses/humans responses/m responses/n responses/s responses/n-chat
    responses/n-task responses/majority responses/frequency responses/typical responses/m+without-target
    responses/n+without-target responses/s+without-target responses/n-chat+without-target
trials metrics: metrics/annotator metrics/humans metrics/m metrics/n metrics/s metrics/n-chat metrics/n-task
    metrics/majority metrics/frequency metrics/typical metrics/m+without-target metrics/n+without-target
    metrics/s+without-target metrics/n-chat+without-target
trials top_words: top_words/annotator top_words/humans top_words/m top_words/n top_words/s top_words/n-chat
    top_words/n-task top_words/majority top_words/frequency top_words/typical top_words/m+without-target
    top_words/n+without-target top_words/s+without-target top_words/n-chat+without-target
trials probes: probes
trials relata: relata
trials tuples: tuples
trials shared_lexicon: <results>/models/shared_lexicon
trials relations: resources/relations/english-nouns.yaml
trials language: resources/languages/english.yaml
trials prompts: p.yaml
trials people: annotator
exported metrics: metrics/m metrics/n metrics/s metrics/n-chat metrics/n-task
exported top_words: top_words/m top_words/n top_words/s top_words/n-chat top_words/n-task
exported probes: probes
exported relata: relata
exported language: resources/languages/english.yaml
people: human_responses
late: series
""",
    ),
    (
        "relations",
        FEW,
        {
            "relations": {
                "prompts": "p.yaml",
                "relations": str(ROOT / "resources/relations/english-nouns.yaml"),
                "language": "german.yaml",
                "answers": "candidates",
                "tuples": ["own_tuples"],
                "controls": ["majority", "without-target"],
                "choices": {"symmetry_k": [1, 3]},
                "layers": {"map": "none"},
            },
            "resources": {},
        },
        """\
controls: majority
has: neighbours typical nearest
lacks: task_agents chat_models layers paper people families sizes series checkpoints ordered shots sample ways
scored: scores/m
drawn averages: averages
drawn tests: tests
drawn values: tables/first_related tables/frequency
drawn relations: resources/relations/english-nouns.yaml
drawn names: asymmetry completeness distinguishability_curves distinguishability_kinds
    distinguishability_matrices first_related frequency_asymmetry frequency_completeness frequency_soundness
    frequency_symmetry overview soundness symmetry
drawn agents: m majority
drawn models: m type masked, way layers
drawn k: 3
drawn inference: linked
drawn families: m M
drawn controls: majority
drawn layered:
drawn ways:
trials responses: responses/m responses/majority
trials metrics: metrics/m metrics/majority
trials top_words: top_words/m top_words/majority
trials probes: probes
trials relata: relata
trials tuples: listed
trials shared_lexicon: candidate_words
trials relations: resources/relations/english-nouns.yaml
trials language: german.yaml
trials prompts: p.yaml
trials people:
exported metrics: metrics/m
exported top_words: top_words/m
exported probes: probes
exported relata: relata
exported language: german.yaml
people: human_responses
late:
""",
    ),
    (
        "definitions",
        ALL,
        {
            "definitions": {"targets": ["robin"], "large_groups": "sampled", "choices": {"ties": "expected"}},
            "resources": {"definition_answers": {}, "static_vectors": {}},
        },
        """\
controls: random length frequency static
has: task_agents chat_models paper static wordnet people targets large
lacks:
scored: scores/m scores/n scores/s scores/n-chat
drawn averages: averages
drawn kinds: humans humans, random control, length control, frequency control, static control, m masked, n
    causal, s causal, n-chat causal, n-task causal
drawn families: m M, n N, s N
drawn figure_names: depth frequency precision rank_score
trials responses: responses/humans responses/random responses/length responses/frequency responses/static
    responses/m responses/n responses/s responses/n-chat responses/n-task
trials properties: properties
trials ties: expected
trials expected: random
people: definition_answers
late:
""",
    ),
    (
        "definitions",
        FEW,
        {
            "definitions": {"targets": [], "large_groups": "sampled", "choices": {"ties": "drawn"}},
            "resources": {"own_definitions": {}},
        },
        """\
controls: random length frequency
has:
lacks: task_agents chat_models paper static wordnet people targets large
scored: scores/m
drawn averages: averages
drawn kinds: random control, length control, frequency control, m masked
drawn families: m M
drawn figure_names: frequency precision rank_score
trials responses: responses/random responses/length responses/frequency responses/m
trials properties: properties
trials ties: drawn
trials expected: random
people: definition_answers
late:
""",
    ),
    (
        "systematicity",
        ALL,
        {"systematicity": {}, "resources": {"wordnet": {}, "static_vectors": {}, "corpus": {}}},
        """\
controls: majority static nearest m+control n+control s+control n-chat+control
has: task_agents chat_models layers paper wordnet corpus
lacks: released own
scored: scores/m scores/n scores/s scores/n-chat
drawn tables: tables/averages tables/detection tables/category_logprobs tables/series
drawn figure_values: accuracy_wordnet averages, detection detection, category_logprobs_wordnet
    category_logprobs, layers_detection series, layers_detection_partial series
drawn kinds: majority control, static control, nearest control, m+control control, n+control control, s+control
    control, n-chat+control control, m masked, n causal, s causal, n-chat causal, n-task causal
drawn inference: linked
drawn families: m M, n N, s N
drawn layered: m masked
trials probes: probes
trials item_table: items
trials values: metrics/majority metrics/nearest
trials scores: scores/static scores/m scores/n scores/s scores/n-chat
trials detections: detections/static detections/m detections/n detections/s detections/n-chat
trials reply_choices: reply_choices/n-task
trials vectors: static
trials controls: m+control n+control s+control n-chat+control
people:
late:
""",
    ),
    (
        "systematicity",
        FEW,
        {"systematicity": {}, "inference": "clusters", "resources": {"wordnet": {}, "own_hyponyms": {}}},
        """\
controls: majority m+control
has: own
lacks: task_agents chat_models layers paper released wordnet corpus
scored: scores/m
drawn tables: tables/averages tables/detection tables/category_logprobs
drawn figure_values: accuracy_own averages, detection detection, category_logprobs_own category_logprobs
drawn kinds: majority control, m+control control, m masked
drawn inference: clusters
drawn families: m M
drawn layered:
trials probes: probes
trials item_table: items
trials values: metrics/majority
trials scores: scores/m
trials detections: detections/m
trials reply_choices:
trials vectors:
trials controls: m+control
people:
late:
""",
    ),
    (
        "analogies",
        ALL,
        {"analogies": {}, "resources": {"static_vectors": {}, "bats": {}}, "encoders": {"sbert": {}}},
        """\
controls: static
has: task_agents chat_models layers paper benchmark static
lacks:
scored: scores/m scores/n scores/s scores/n-chat
drawn averages: averages
drawn tuples: tuples
drawn series: tables/series
drawn figure_names: groups_supervised groups_unsupervised layers_random layers_reverse layers_type
    relations_supervised relations_unsupervised
drawn kinds: sbert control, static control, m masked, n causal, s causal, n-chat causal, n-task causal
drawn families: m M, n N, s N
drawn layered: m masked
trials unsupervised: unsupervised/m unsupervised/n unsupervised/s unsupervised/n-chat unsupervised/n-task
    unsupervised/sbert unsupervised/static
trials supervised: supervised/m supervised/n supervised/s supervised/n-chat supervised/sbert supervised/static
trials instances: instances
trials tuples: tuples
people:
late:
""",
    ),
    (
        "analogies",
        FEW,
        {"analogies": {}, "resources": {"own_analogies": {}}},
        """\
controls:
has: benchmark
lacks: task_agents chat_models layers paper static
scored: scores/m
drawn averages: averages
drawn tuples: tuples
drawn series:
drawn figure_names: groups_supervised groups_unsupervised relations_supervised relations_unsupervised
drawn kinds: m masked
drawn families: m M
drawn layered:
trials unsupervised: unsupervised/m
trials supervised: supervised/m
trials instances: instances
trials tuples: tuples
people:
late:
""",
    ),
    (
        "degrees",
        ALL,
        {
            "degrees": {"raters": ["schema-mean", "hidden"], "baselines": ["random", "pmi"]},
            "resources": {"static_vectors": {}, "semeval2012": {}},
        },
        """\
controls: random pmi static typical
has: task_agents chat_models layers paper questions static
lacks:
scored: scores/schema/m scores/schema/n scores/schema/s scores/schema/n-chat
drawn averages: averages
drawn gold: gold
drawn ceiling: ceiling
drawn series: tables/series
drawn figure_names: classes layers_maxdiff layers_rho maxdiff rho
drawn kinds: m masked, n causal, s causal, n-chat causal, n-task causal
drawn families: m M, n N, s N
drawn layered: m masked
trials ratings: ratings/m ratings/n ratings/s ratings/n-chat ratings/random ratings/pmi ratings/static
    ratings/typical
trials gold: gold
trials questions: questions
trials reply_choices: reply_choices/n-task
people: own_ratings
late:
""",
    ),
    (
        "degrees",
        FEW,
        {"degrees": {"raters": ["hidden"], "baselines": ["random", "pmi"]}, "resources": {"own_ratings": {}}},
        """\
controls: random
has:
lacks: task_agents chat_models layers paper questions static
scored: scores/hidden/m
drawn averages: averages
drawn gold: gold
drawn ceiling: ceiling
drawn series:
drawn figure_names: classes rho
drawn kinds: m masked
drawn families: m M
drawn layered:
trials ratings: ratings/m ratings/random
trials gold: gold
trials questions: questions
trials reply_choices:
people: own_ratings
late:
""",
    ),
    (
        "pairs",
        ALL,
        {
            "pairs": {"judges": ["pmi", "embedding"], "inclusion": True, "prompts": "p.csv", "wordnet": None},
            "resources": {"hyperlex": {}, "pair_answers": {"further": ["age"]}, "static_vectors": {}},
        },
        """\
controls: yes frequency typical static m pmi+candidate m pmi+target m embedding+candidate m embedding+target n
    pmi+candidate n pmi+target n embedding+candidate n embedding+target s pmi+candidate s pmi+target n-chat
    pmi+candidate n-chat pmi+target n-chat embedding+candidate n-chat embedding+target
has: task_agents chat_models layers paper ratings static
lacks:
scored: scores/statement/m scores/statement/n scores/statement/s scores/statement/n-chat
drawn averages: averages
drawn series: tables/series
drawn figure_names: foils layers_ap layers_rho
drawn kinds: m masked, n causal, s causal, n-chat causal, n-task causal, humans humans
drawn families: m M, n N, s N
drawn layered: m masked
trials judgments: judgments/m judgments/n judgments/s judgments/n-chat judgments/n-task judgments/yes
    judgments/frequency judgments/typical judgments/static judgments/inclusion judgments/humans
trials item_table: items
trials prompts: p.csv
trials reply_choices: reply_choices/n-task reply_choices/humans
people: pair_answers
late:
""",
    ),
    (
        "pairs",
        FEW,
        {
            "pairs": {"judges": ["embedding"], "inclusion": True, "prompts": "p.csv", "wordnet": None},
            "resources": {"pair_answers": {}, "judged_pairs": {}},
        },
        """\
controls: yes frequency typical m embedding+candidate m embedding+target
has: ratings
lacks: task_agents chat_models layers paper static
scored: scores/states/m
drawn averages: averages
drawn series:
drawn figure_names: foils
drawn kinds: m masked, humans humans
drawn families: m M
drawn layered:
trials judgments: judgments/m judgments/yes judgments/frequency judgments/typical judgments/humans
trials item_table: items
trials prompts: p.csv
trials reply_choices: reply_choices/humans
people: judged_pairs
late:
""",
    ),
]
"""Study, the agents of a run, the rest of its configuration, and what the study says; an indented line goes on."""


NAMED = {name for *_, expected in CASES for name in re.findall(r"\w+", expected)}
"""The names that some case has."""


@pytest.mark.parametrize(
    ("study", "roles", "config", "lines"), CASES, ids=[f"{case[0]}, {len(case[1].models)}" for case in CASES]
)
def test_what_a_study_has_in_a_run(study, roles, config, lines):
    assert said(study, config, roles) == lines.replace("\n    ", " ").splitlines()


def test_targets_are_known_before_a_run_where_a_sample_is_drawn():
    """Of parts of speech that are not asked about there are none; all pairs of WordNet may be taken, as 0 says."""
    sample = {"noun": 3, "verb": 2, "adjective": 4}
    definitions = {"definitions": {"sample": sample, "parts_of_speech": ["adjective", "noun"]}, "resources": {}}
    found = study_of("definitions").targets(definitions)
    assert found == {"adjective": Targets(4, 4), "noun": Targets(3, 3)}
    of_both = study_of("definitions").targets({"definitions": {"sample": sample}, "resources": {}})
    assert of_both == {"noun": Targets(3, 3), "verb": Targets(2, 2)}
    assert study_of("definitions").targets({"definitions": {"sample": None}, "resources": {}}) == {}
    pairs = study_of("pairs").targets
    assert pairs({"pairs": {"wordnet": {"targets": {"HYP": 5, "ANT": 0}}}}) == {"HYP": Targets(5, 5)}
    assert pairs({"pairs": {"wordnet": None}}) == {}


def test_agents_of_the_relations_study_are_of_these_kinds():
    """One person is compared with models, all people and norms are pooled, and of a series the last member is a model."""
    section = {"controls": ["majority", "without-target"], "answers": "tokens"}
    config = {"relations": section, "resources": {"human_responses": {}, NORMS[0]: {}}, "models": MODELS}
    assert Agents(config, FEW).kinds == {
        **{"annotator": "person", "humans": "pooled", NORMS[0]: "pooled"},
        **{"m": "model", "majority": "control", "m+without-target": "control"},
    }
    of_a_series = {"n": {"type": "causal", "family": "N", "step": 1}, "s": {"type": "causal", "family": "N", "step": 9}}
    roles = FEW._replace(models=["n", "s"], types=dict.fromkeys(("n", "s"), "causal"))
    assert Agents({**config, "models": of_a_series, "resources": {}}, roles).kinds["s"] == "model"


def test_a_file_of_answers_is_found_by_its_model_and_that_of_a_control_without_a_target():
    section = {"controls": ["without-target"], "answers": "tokens"}
    agents = Agents({"relations": section, "resources": {}, "models": MODELS}, ALL)
    assert [agents.answers_file(agent) for agent in ("m", "n-task", "m+without-target")] == [
        "<results>/relations/scores/m.parquet",
        "<results>/relations/writing/n-task.parquet",
        "<results>/relations/without_target/m.parquet",
    ]
    assert agents.with_shots == ["n-chat"]
    assert agents.of_people("lists.parquet") == []
    assert agents.with_responses == []
