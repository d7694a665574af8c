"""What each study says of itself in a run to the rules of all studies, in full: with all that it may have, or little."""

import re
from collections.abc import Mapping
from pathlib import Path

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


REST = {"models": MODELS, "encoders": {}, "inference": "linked", "targets": "own"}
"""What a configuration has beside the section of a study and its resources."""


def said(study, config, roles):
    """Return a line for each thing that a study says of itself in a run; files without their folder and suffix.

    Of what the step `show` reads and takes as the step `figures` does, there is no second line.
    """
    run = study_of(study).in_run({**REST, **config}, roles)
    lines = {
        "agents": run.agents,
        "controls": run.controls,
        "has": [name for name, there in run.has.items() if there],
        "lacks": [name for name, there in run.has.items() if not there],
        "scored": run.scored,
        **lines_of("compared", run.compared),
        **lines_of("shown", run.shown, but=run.drawn),
        **{f"drawn {name}": value for part in run.drawn[:2] for name, value in part.items()},
        **{f"trials {name}": value for part in run.trials[:2] for name, value in part.items()},
        **{f"exported {name}": value for name, value in run.exported.items()},
        **{"people": run.people, "late": run.late},
    }
    assert ("detections" if study == "systematicity" else "responses") in run.readable
    for name in {"drawn names", "drawn figure_names", "shown names"} & lines.keys():
        # The page says their order, and a metric that a user adds has figures that no case here names.
        lines[name] = sorted(NAMED & {*lines[name]})
    if "shown by_agent" in lines:  # an analysis that a user adds has a file of each agent, too
        lines["shown by_agent"] = list(dict.fromkeys(Path(file).stem for file in lines["shown by_agent"]))
    text = "\n".join(f"{name}: {in_words(value)}".rstrip() for name, value in lines.items())
    return re.sub(rf"<results>/{study}/|{ROOT}/|[.]parquet", "", text).splitlines()


def lines_of(step, reading, but=None):
    """Return a line for each file and setting of a step but those of `but`, and for what else is said of it.

    There is none for the tables, which are those of the page.
    """
    known = {} if but is None else {**but.files, **but.settings}
    read = {**reading.files, **reading.settings}
    more = {
        "resources": reading.resources,
        "shipped": reading.shipped,
        "makes": reading.makes,
        "memory": reading.memory,
    }
    read |= {name: value for name, value in more.items() if value and name not in read}
    return {
        f"{step} {name}": value
        for name, value in read.items()
        if name != "table_names" and not (name in known and known[name] == value)
    }


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


ITEMS = {
    "categories": {"animal": ["bird", "fish"]},
    "minimum_zipf": 2,
    "minimum_hyponyms": 3,
    "phrases": "none",
    "seed": 7,
    "frequency": "raw",
}
"""A section of systematicity."""


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
                "choices": {"symmetry_k": [1, 5], "frequency": "raw"},
                "shown_probes": ["p1:robin"],
                "layers": {"map": "wordnet"},
                "word_sample": {"models": ["n"]},
            },
            "resources": {"human_responses": {}, "static_vectors": {}},
        },
        """\
agents: annotator humans m n s n-chat n-task majority frequency typical m+without-target n+without-target
    s+without-target n-chat+without-target
controls: majority frequency typical m+without-target n+without-target s+without-target n-chat+without-target
has: task_agents chat_models layers paper people typical families sizes ordered shots sample ways
lacks: neighbours nearest series checkpoints
scored: scores/m scores/n scores/s scores/n-chat writing/n-task
compared probes: probes
compared relata: relata
compared tuples: tuples
compared shared_lexicon: <results>/models/shared_lexicon
compared relations: resources/relations/english-nouns.yaml
compared pairs: relation_pairs
compared writing: writing/n-task
compared controls: majority frequency typical m+without-target n+without-target s+without-target
    n-chat+without-target
compared members:
compared persons: annotator
compared pooled: humans
compared makes: contrasts
shown probes: probes
shown relata: relata
shown contrasts: contrasts
shown losses: losses
shown tuples: tuples
shown shared_lexicon: <results>/models/shared_lexicon
shown language: resources/languages/english.yaml
shown prompts: p.yaml
shown raw_tuples: given
shown metrics: metrics/annotator metrics/humans metrics/m metrics/n metrics/s metrics/n-chat metrics/n-task
shown top_words: top_words/annotator top_words/humans top_words/m top_words/n top_words/s top_words/n-chat
    top_words/n-task top_words/majority top_words/frequency top_words/typical top_words/m+without-target
    top_words/n+without-target top_words/s+without-target top_words/n-chat+without-target
shown by_agent: annotator humans m n s n-chat n-task majority frequency typical m+without-target n+without-target
    s+without-target n-chat+without-target
shown compared: tables/entropy tables/outside tables/entropy_differences tables/response_entropies
shown unmatched: tables/unmatched_answers
shown lists: lists
shown lexicons: <results>/models/lexicon/m <results>/models/lexicon/n <results>/models/lexicon/s
shown scores: scores/m scores/n scores/s scores/n-chat
shown counted: scores/m scores/n scores/s scores/n-chat
shown writing: writing/n-task
shown replies: replies/n-task
shown names: asymmetry completeness distinguishability_curves distinguishability_kinds distinguishability_matrices
    first_related first_related_families frequency_asymmetry frequency_completeness frequency_prototypicality
    frequency_soundness frequency_symmetry overview prototypicality response_entropy soundness symmetry
    ways_completeness ways_soundness
shown shown: p1:robin
shown kinds: annotator person, humans pooled, m model, n model, s model, n-chat model, n-task model, majority
    control, frequency control, typical control, m+without-target control, n+without-target control,
    s+without-target control, n-chat+without-target control
shown causal: n s n-chat n-task
shown people: annotator humans
shown panel:
shown sources: wordnet
shown closed: False
shown frequency: raw
shown shipped: published resources/published/relations.csv
shown makes: answers
drawn averages: averages
drawn tests: tests
drawn values: tables/first_related tables/response_entropies tables/series tables/frequency
drawn relations: resources/relations/english-nouns.yaml
drawn names: asymmetry completeness distinguishability_curves distinguishability_kinds distinguishability_matrices
    first_related first_related_families frequency_asymmetry frequency_completeness frequency_prototypicality
    frequency_soundness frequency_symmetry layers_completeness layers_distinguishability layers_soundness overview
    prototypicality response_entropy size_asymmetry size_audc size_completeness size_distinguishability
    size_prototypicality size_soundness size_symmetry soundness symmetry ways_completeness ways_soundness
drawn agents: annotator humans m n s n-chat n-task majority frequency typical m+without-target n+without-target
    s+without-target n-chat+without-target
drawn models: m type masked, way layers, n type causal, family N, size 100000000.0, s type causal, family N, size
    300000000.0, n-chat type causal, way 2 examples, chat, n-task type causal, way people's task
drawn k: 5
drawn inference: linked
drawn families: m M, n N, s N
drawn controls: majority frequency typical m+without-target n+without-target s+without-target n-chat+without-target
drawn layered: m masked
drawn ways: n n way bare, answer log-probabilities, n-chat way 2 examples, chat, answer log-probabilities, n-task
    way people's task, answer list
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
                "choices": {"symmetry_k": [1, 3], "frequency": "relative"},
                "shown_probes": [],
                "layers": {"map": "none"},
            },
            "resources": {},
        },
        """\
agents: m majority
controls: majority
has: neighbours typical nearest
lacks: task_agents chat_models layers paper people families sizes series checkpoints ordered shots sample ways
scored: scores/m
compared probes: probes
compared relata: relata
compared tuples: listed
compared shared_lexicon: candidate_words
compared relations: resources/relations/english-nouns.yaml
compared pairs: relation_pairs
compared writing:
compared controls: majority
compared members:
compared persons:
compared pooled:
compared makes: contrasts
shown probes: probes
shown relata: relata
shown contrasts: contrasts
shown losses: losses
shown tuples: listed
shown shared_lexicon: candidate_words
shown language: german.yaml
shown prompts: p.yaml
shown raw_tuples: given
shown metrics: metrics/m
shown top_words: top_words/m top_words/majority
shown by_agent: m majority
shown compared:
shown unmatched:
shown lists:
shown lexicons: <results>/models/lexicon/m
shown scores: scores/m
shown counted: candidate_scores/m
shown writing:
shown replies:
shown shown:
shown kinds: m model, majority control
shown causal: n s n-chat n-task
shown people:
shown panel:
shown sources: own_tuples
shown closed: True
shown frequency: relative
shown shipped: published resources/published/relations.csv
shown makes: answers
drawn averages: averages
drawn tests: tests
drawn values: tables/first_related tables/frequency
drawn relations: resources/relations/english-nouns.yaml
drawn names: asymmetry completeness distinguishability_curves distinguishability_kinds distinguishability_matrices
    first_related frequency_asymmetry frequency_completeness frequency_soundness frequency_symmetry overview
    soundness symmetry
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
            "definitions": {
                "targets": ["robin"],
                "large_groups": "sampled",
                "candidates": {"minimum": 5},
                "choices": {"ties": "expected", "bands": [10, 99]},
            },
            "resources": {"definition_answers": {}, "static_vectors": {}},
        },
        """\
agents: humans random length frequency static m n s n-chat n-task
controls: random length frequency static
has: task_agents chat_models paper static wordnet people targets large
lacks:
scored: scores/m scores/n scores/s scores/n-chat
compared properties: properties
compared persons: humans
compared minimum: 5
compared bands: 10 99
compared makes: tasks sizes
compared memory: 4000
shown groups: groups
shown probes: probes
shown properties: properties
shown tasks: tasks
shown sizes: sizes
shown responses: responses/humans responses/random responses/length responses/frequency responses/static responses/m
    responses/n responses/s responses/n-chat responses/n-task
shown metrics: metrics/humans metrics/random metrics/length metrics/frequency metrics/static metrics/m metrics/n
    metrics/s metrics/n-chat metrics/n-task
shown reply_choices: reply_choices/n-task
shown replies: replies/n-task
shown by_agent: length frequency static m n s n-chat n-task
shown targets: robin
shown averaged_units: own
shown ties: expected
shown source: WordNet
shown shipped: published resources/published/definitions.csv
shown makes: answers
shown memory: 4000
drawn averages: averages
drawn figure_names: depth frequency precision rank_score
drawn kinds: humans humans, random control, length control, frequency control, static control, m masked, n causal, s
    causal, n-chat causal, n-task causal
drawn families: m M, n N, s N
drawn layered: m masked
trials responses: responses/humans responses/random responses/length responses/frequency responses/static responses/m
    responses/n responses/s responses/n-chat responses/n-task
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
            "definitions": {
                "targets": [],
                "large_groups": "sampled",
                "candidates": {"minimum": 3},
                "choices": {"ties": "drawn", "bands": [10, 99]},
            },
            "resources": {"own_definitions": {}},
        },
        """\
agents: random length frequency m
controls: random length frequency
has:
lacks: task_agents chat_models paper static wordnet people targets large
scored: scores/m
compared properties: properties
compared persons:
compared minimum: 3
compared bands: 10 99
compared makes: tasks sizes
compared memory: 4000
shown groups: groups
shown probes: probes
shown properties: properties
shown tasks: tasks
shown sizes: sizes
shown responses: responses/random responses/length responses/frequency responses/m
shown metrics: metrics/random metrics/length metrics/frequency metrics/m
shown reply_choices:
shown replies:
shown by_agent: length frequency m
shown targets:
shown averaged_units: own
shown ties: drawn
shown source: your dictionary
shown makes: answers
shown memory: 4000
drawn averages: averages
drawn figure_names: frequency precision rank_score
drawn kinds: random control, length control, frequency control, m masked
drawn families: m M
drawn layered:
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
        {"systematicity": ITEMS, "resources": {"wordnet": {}, "static_vectors": {}, "corpus": {}}},
        """\
agents: majority static nearest m+control n+control s+control n-chat+control m n s n-chat n-task
controls: majority static nearest m+control n+control s+control n-chat+control
has: task_agents chat_models layers paper wordnet corpus
lacks: released own
scored: scores/m scores/n scores/s scores/n-chat
compared detections: detections/static detections/m detections/n detections/s detections/n-chat
compared baselines: metrics/majority metrics/static
compared layered: layer_metrics/m
compared makes: detection contrasts
shown probes: probes
shown item_table: items
shown scores: scores/static scores/m scores/n scores/s scores/n-chat
shown reply_choices: reply_choices/n-task
shown pairs: pairs
shown detection: detection
shown contrasts: contrasts
shown metrics: metrics/majority metrics/static metrics/nearest metrics/m+control metrics/n+control metrics/s+control
    metrics/n-chat+control metrics/m metrics/n metrics/s metrics/n-chat metrics/n-task
shown replies: replies/n-task
shown compared: tables/layers tables/trends tables/halves tables/against_last tables/series
shown occurrences: occurrences
shown categories: animal bird fish
shown senses:
shown minimum_zipf: 2
shown minimum_hyponyms: 3
shown phrases: none
shown seed: 7
shown scale: raw
shown vectors: static
shown resources: corpus static_vectors
shown shipped: published resources/published/systematicity.csv
shown makes: answers
drawn tables: tables/averages tables/detection tables/category_logprobs tables/series
drawn kinds: majority control, static control, nearest control, m+control control, n+control control, s+control
    control, n-chat+control control, m masked, n causal, s causal, n-chat causal, n-task causal
drawn families: m M, n N, s N
drawn layered: m masked
drawn figure_values: accuracy_wordnet averages, detection detection, category_logprobs_wordnet category_logprobs,
    layers_detection series, layers_detection_partial series
drawn inference: linked
trials probes: probes
trials item_table: items
trials scores: scores/static scores/m scores/n scores/s scores/n-chat
trials reply_choices: reply_choices/n-task
trials detections: detections/static detections/m detections/n detections/s detections/n-chat
trials values: metrics/majority metrics/nearest
trials vectors: static
trials controls: m+control n+control s+control n-chat+control
people:
late:
""",
    ),
    (
        "systematicity",
        FEW,
        {"systematicity": ITEMS, "inference": "clusters", "resources": {"wordnet": {}, "own_hyponyms": {}}},
        """\
agents: majority m+control m
controls: majority m+control
has: own
lacks: task_agents chat_models layers paper released wordnet corpus
scored: scores/m
compared detections: detections/m
compared baselines:
compared layered:
compared makes: detection contrasts
shown probes: probes
shown item_table: items
shown scores: scores/m
shown reply_choices:
shown pairs: pairs
shown detection: detection
shown contrasts: contrasts
shown metrics: metrics/majority metrics/m+control metrics/m
shown replies:
shown compared:
shown occurrences:
shown categories: animal bird fish
shown senses:
shown minimum_zipf: 2
shown minimum_hyponyms: 3
shown phrases: none
shown seed: 7
shown scale: raw
shown vectors:
shown resources: own_hyponyms
shown shipped: published resources/published/systematicity.csv
shown makes: answers
drawn tables: tables/averages tables/detection tables/category_logprobs
drawn kinds: majority control, m+control control, m masked
drawn families: m M
drawn layered:
drawn figure_values: accuracy_own averages, detection detection, category_logprobs_own category_logprobs
drawn inference: clusters
trials probes: probes
trials item_table: items
trials scores: scores/m
trials reply_choices:
trials detections: detections/m
trials values: metrics/majority
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
agents: m n s n-chat n-task sbert static
controls: static
has: task_agents chat_models layers paper benchmark static
lacks:
scored: scores/m scores/n scores/s scores/n-chat
compared static: metrics/static
compared layered: layer_metrics/m
compared controls: sbert static
compared makes: swapped
shown instances: instances
shown decisions: unsupervised/m unsupervised/n unsupervised/s unsupervised/n-chat unsupervised/n-task
    unsupervised/sbert unsupervised/static
shown supervised: supervised/m supervised/n supervised/s supervised/n-chat supervised/sbert supervised/static
shown metrics: metrics/m metrics/n metrics/s metrics/n-chat metrics/n-task metrics/sbert metrics/static
shown reply_choices: reply_choices/n-task
shown replies: replies/n-task
shown by_agent: m n s n-chat n-task sbert static
shown queries: swapped
shown notice: None
shown members:
shown inference: linked
shown shipped: published resources/published/analogies.csv
shown makes: answers
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
agents: m
controls:
has: benchmark
lacks: task_agents chat_models layers paper static
scored: scores/m
compared static:
compared layered:
compared controls:
compared makes: swapped
shown instances: instances
shown decisions: unsupervised/m
shown supervised: supervised/m
shown metrics: metrics/m
shown reply_choices:
shown replies:
shown by_agent: m
shown queries: swapped
shown notice: None
shown members:
shown inference: linked
shown makes: answers
drawn averages: averages
drawn tuples: tuples
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
            "degrees": {"raters": ["schema-mean", "hidden"], "baselines": ["random", "pmi"], "seed": 7},
            "resources": {"static_vectors": {}, "semeval2012": {}},
        },
        """\
agents: m n s n-chat n-task random pmi static typical
controls: random pmi static typical
has: task_agents chat_models layers paper questions static
lacks:
scored: scores/schema/m scores/schema/n scores/schema/s scores/schema/n-chat
compared prompts:
compared baselines: metrics/random metrics/pmi metrics/static metrics/typical
compared layered: layer_metrics/m
compared seed: 7
compared resources: relations semeval2012
compared makes: ceiling
shown ratings: ratings/m ratings/n ratings/s ratings/n-chat ratings/random ratings/pmi ratings/static ratings/typical
shown questions: questions
shown reply_choices: reply_choices/n-task
shown metrics: metrics/m metrics/n metrics/s metrics/n-chat metrics/n-task metrics/random metrics/pmi metrics/static
    metrics/typical
shown replies: replies/n-task
shown by_agent: m n s n-chat n-task random pmi static typical
shown inference: linked
shown shipped: published resources/published/degrees.csv
drawn averages: averages
drawn gold: gold
drawn ceiling: ceiling
drawn series: tables/series
drawn figure_names: classes layers_maxdiff layers_rho maxdiff rho
drawn kinds: m masked, n causal, s causal, n-chat causal, n-task causal
drawn families: m M, n N, s N
drawn layered: m masked
trials ratings: ratings/m ratings/n ratings/s ratings/n-chat ratings/random ratings/pmi ratings/static ratings/typical
trials questions: questions
trials reply_choices: reply_choices/n-task
trials gold: gold
people: own_ratings
late:
""",
    ),
    (
        "degrees",
        FEW,
        {
            "degrees": {"raters": ["hidden"], "baselines": ["random", "pmi"], "seed": 7, "prompts": "p.yaml"},
            "resources": {"own_ratings": {}},
        },
        """\
agents: m random
controls: random
has:
lacks: task_agents chat_models layers paper questions static
scored: scores/hidden/m
compared prompts: p.yaml
compared baselines:
compared layered:
compared seed: 7
compared resources: relations own_ratings
compared makes: ceiling
shown ratings: ratings/m ratings/random
shown questions: questions
shown reply_choices:
shown metrics: metrics/m metrics/random
shown replies:
shown by_agent: m random
shown inference: linked
drawn averages: averages
drawn gold: gold
drawn ceiling: ceiling
drawn figure_names: classes rho
drawn kinds: m masked
drawn families: m M
drawn layered:
trials ratings: ratings/m ratings/random
trials questions: questions
trials reply_choices:
trials gold: gold
people: own_ratings
late:
""",
    ),
    (
        "pairs",
        ALL,
        {
            "pairs": {
                "judges": ["pmi", "embedding"],
                "inclusion": True,
                "prompts": "p.csv",
                "relations": "r.yaml",
                "wordnet": None,
                "seed": 7,
            },
            "resources": {"hyperlex": {}, "pair_answers": {"further": ["age"]}, "static_vectors": {}},
        },
        """\
agents: m n s n-chat n-task yes frequency typical static inclusion humans
controls: yes frequency typical static m pmi+candidate m pmi+target m embedding+candidate m embedding+target n
    pmi+candidate n pmi+target n embedding+candidate n embedding+target s pmi+candidate s pmi+target n-chat
    pmi+candidate n-chat pmi+target n-chat embedding+candidate n-chat embedding+target
has: task_agents chat_models layers paper ratings static
lacks:
scored: scores/statement/m scores/statement/n scores/statement/s scores/statement/n-chat
compared item_table: items
compared raters: raters
compared layered: layer_metrics/m
compared shared: metrics/yes metrics/frequency metrics/typical metrics/static
compared persons: humans
compared seed: 7
compared makes: ceiling
shown item_table: items
shown ceiling: ceiling
shown relations: r.yaml
shown metrics: metrics/m metrics/n metrics/s metrics/n-chat metrics/n-task metrics/yes metrics/frequency
    metrics/typical metrics/static metrics/inclusion metrics/humans
shown reply_choices: reply_choices/n-task
shown replies: replies/n-task
shown inference: linked
shown shipped: published resources/published/pairs.csv
drawn averages: averages
drawn series: tables/series
drawn figure_names: foils layers_ap layers_rho
drawn kinds: m masked, n causal, s causal, n-chat causal, n-task causal, humans humans
drawn families: m M, n N, s N
drawn layered: m masked
trials item_table: items
trials judgments: judgments/m judgments/n judgments/s judgments/n-chat judgments/n-task judgments/yes
    judgments/frequency judgments/typical judgments/static judgments/inclusion judgments/humans
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
            "pairs": {
                "judges": ["embedding"],
                "inclusion": True,
                "prompts": "p.csv",
                "relations": "r.yaml",
                "wordnet": None,
                "seed": 7,
            },
            "resources": {"pair_answers": {}, "judged_pairs": {}},
        },
        """\
agents: m yes frequency typical humans
controls: yes frequency typical m embedding+candidate m embedding+target
has: ratings
lacks: task_agents chat_models layers paper static
scored: scores/states/m
compared item_table: items
compared raters: raters
compared layered:
compared shared:
compared persons: humans
compared seed: 7
compared makes: ceiling
shown item_table: items
shown ceiling: ceiling
shown relations: r.yaml
shown metrics: metrics/m metrics/yes metrics/frequency metrics/typical metrics/humans
shown reply_choices:
shown replies:
shown inference: linked
drawn averages: averages
drawn figure_names: foils
drawn kinds: m masked, humans humans
drawn families: m M
drawn layered:
trials item_table: items
trials judgments: judgments/m judgments/yes judgments/frequency judgments/typical judgments/humans
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


READABLE = {
    "analogies": """\
instances: instances
tuples: tuples
responses: unsupervised/m unsupervised/n unsupervised/s unsupervised/n-chat unsupervised/n-task unsupervised/sbert
    unsupervised/static
supervised: supervised/m supervised/n supervised/s supervised/n-chat supervised/sbert supervised/static
""",
    "systematicity": """\
probes: probes
item_table: items
scores: scores/static scores/m scores/n scores/s scores/n-chat
reply_choices: reply_choices/n-task
detections: detections/static detections/m detections/n detections/s detections/n-chat
pairs: pairs
""",
    "definitions": """\
groups: groups
probes: probes
properties: properties
words: words
responses: responses/humans responses/random responses/length responses/frequency responses/static responses/m responses/n
    responses/s responses/n-chat responses/n-task
""",
    "degrees": """\
gold: gold
questions: questions
probes: probes
ceiling: ceiling
scores: scores/schema/m scores/hidden/m scores/schema/n scores/hidden/n scores/schema/s scores/hidden/s
    scores/schema/n-chat scores/hidden/n-chat
responses: ratings/m ratings/n ratings/s ratings/n-chat ratings/random ratings/pmi ratings/static ratings/typical
reply_choices: reply_choices/n-task
""",
    "pairs": """\
item_table: items
probes: probes
scores: scores/statement/m scores/states/m scores/statement/n scores/states/n scores/statement/s scores/statement/n-chat
    scores/states/n-chat
responses: judgments/m judgments/n judgments/s judgments/n-chat judgments/n-task judgments/yes judgments/frequency
    judgments/typical judgments/static judgments/inclusion judgments/humans
""",
}
"""Study -> the files that a user can read by name, in a run with all that it may have."""


@pytest.mark.parametrize(("study", "lines"), READABLE.items())
def test_the_files_that_can_be_read_by_name(study, lines):
    config = next(case[2] for case in CASES if case[:2] == (study, ALL))
    run = study_of(study).in_run({**REST, **config}, ALL)
    assert all({**one.files, **one.settings}.keys() == {name} for name, one in run.readable.items())
    found = "\n".join(f"{name}: {in_words(one.files[name])}" for name, one in run.readable.items())
    assert (
        re.sub(rf"<results>/{study}/|[.]parquet", "", found).splitlines() == lines.replace("\n    ", " ").splitlines()
    )


READ_BY_ANALYSES = """\
probes: probes
tuples: tuples
relata: relata
relations: resources/relations/english-nouns.yaml
language: resources/languages/english.yaml
prompts: p.yaml
pairs: relation_pairs
word_list: word_list
lists: lists
scores: scores/m scores/n scores/s scores/n-chat
scores_with_shots: scores/n-chat
lexicons_with_shots: <results>/models/lexicon/n
draws: draws/n-chat
scores_of_sample: scores/n
lexicons_of_sample: <results>/models/lexicon/n
words_of_sample: words/n
responses: responses/annotator responses/humans responses/m responses/n responses/s responses/n-chat responses/n-task
    responses/majority responses/frequency responses/typical responses/m+without-target responses/n+without-target
    responses/s+without-target responses/n-chat+without-target
metrics: metrics/annotator metrics/humans metrics/m metrics/n metrics/s metrics/n-chat metrics/n-task
use: use/annotator use/humans use/m use/n use/s use/n-chat use/n-task use/majority use/frequency use/typical
    use/m+without-target use/n+without-target use/s+without-target use/n-chat+without-target
metrics_of_members: metrics/n metrics/s
metrics_by_layer: layer_metrics/m
blind: metrics/majority metrics/frequency metrics/typical
people_metrics: metrics/annotator
gold: probes probes, relata relata, tuples tuples, shared_lexicon <results>/models/shared_lexicon,
    relations resources/relations/english-nouns.yaml
"""
"""The files that an analysis of relations can read by name, in a run with all that it may have."""


def test_an_analysis_of_relations_reads_files_and_settings_by_their_names():
    config = next(case[2] for case in CASES if case[:2] == ("relations", ALL))
    readable = study_of("relations").in_run({**REST, **config}, ALL).readable
    files = {name: one.files for name, one in readable.items() if one.files}
    lines = [f"{name}: {in_words(files[name] if name == 'gold' else files[name][name])}" for name in files]
    found = re.sub(rf"<results>/relations/|{ROOT}/|[.]parquet", "", "\n".join(lines)).splitlines()
    assert found == READ_BY_ANALYSES.replace("\n    ", " ").splitlines()
    settings = {name: one.settings for name, one in readable.items() if not one.files}
    names = ["kinds", "people", "chat_agents", "along", "checkpoints", "networks", "map_text", "choices"]
    assert list(settings) == names
    assert {name: settings[name][name] for name in names if name not in ("kinds", "choices")} == {
        "people": ["annotator", "humans"],
        "chat_agents": [],
        "along": {"size": {"N": {"n": 1e8, "s": 3e8}}},
        "checkpoints": {},
        "networks": {"n": "n", "s": "s"},
        "map_text": "wordnet",
    }
    assert settings["kinds"]["kinds"].items() >= {"annotator": "person", "m": "model", "majority": "control"}.items()
    assert settings["choices"] == {"symmetry_k": [1, 5]}
    assert not any(one.settings for one in readable.values() if one.files)


@pytest.mark.parametrize(
    ("study", "roles", "config"),
    [case[:3] for case in CASES if case[1] is ALL],
    ids=[c[0] for c in CASES if c[1] is ALL],
)
def test_what_compare_makes_the_page_itself_reads_and_not_analyses_alone(study, roles, config):
    """What one analysis alone needs stands in its file, so that deleting this leaves nothing of it."""
    run = study_of(study).in_run({**REST, **config}, roles)
    folder = ROOT / "workflow/scripts/relprobe/studies" / study
    files = [file for file in folder.rglob("*.py") if file.parent == folder and file.stem != "compare"]
    code = "\n".join(file.read_text("utf-8") for file in files)
    for made in run.compared.makes:
        fields = [name for name, file in run.shown.files.items() if str(file).endswith(f"/{made}.parquet")]
        assert any(re.search(rf"\b(?:results|files|run)\.{field}\b", code) for field in fields), made


@pytest.mark.parametrize(
    ("study", "resource", "there"),
    [
        ("analogies", "bats", ["paper", "benchmark"]),
        ("analogies", "own_analogies", ["benchmark"]),
        ("analogies", "demonstration_analogies", []),
        ("systematicity", "systematicity", ["paper", "released"]),
        ("systematicity", "wordnet", ["paper", "wordnet"]),
        ("systematicity", "own_hyponyms", ["own"]),
    ],
)
def test_a_page_speaks_of_the_paper_and_of_the_data_that_the_run_has(study, resource, there):
    """Pairs of the demonstration are no benchmark, and built items of WordNet are made as the paper says."""
    run = study_of(study).in_run({**REST, "systematicity": ITEMS, "analogies": {}, "resources": {resource: {}}}, FEW)
    names = {"paper", "benchmark", "released", "wordnet", "own"} & {*run.has}
    assert sorted(name for name in names if run.has[name]) == sorted(there)


def test_a_run_on_own_ratings_has_no_agents_with_a_task_whatever_agents_it_has():
    """There are no questions for them, and the page has nothing of what was sent to those that only chat."""
    section = {"raters": ["hidden"], "baselines": [], "seed": 7, "prompts": "p.yaml"}
    run = study_of("degrees").in_run({**REST, "degrees": section, "resources": {"own_ratings": {}}}, ALL)
    assert (run.has["task_agents"], run.has["chat_models"]) == (False, False)
    assert not {"n-task"} & {*run.agents}


def test_the_tables_of_systematicity_are_made_with_wordnet_which_decides_the_kinds_of_errors():
    """A setting of the step has the name that the lines above have for resources."""
    run = study_of("systematicity").in_run({**REST, **CASES[4][2]}, ALL)
    assert CASES[4][0] == "systematicity"
    assert run.shown.resources == {"wordnet": "nltk_wordnet"}


def test_targets_are_known_before_a_run_where_a_sample_is_drawn():
    """Of parts of speech that are not asked about there are none; all pairs of WordNet may be taken, as 0 says."""
    sample = {"noun": 3, "verb": 2, "adjective": 4}
    definitions = {"definitions": {"sample": sample, "parts_of_speech": ["adjective", "noun"]}, "resources": {}}
    found = study_of("definitions").targets(definitions)
    assert found == {"adjective": Targets(4, 4), "noun": Targets(3, 3)}
    targets = study_of("definitions").targets({"definitions": {"sample": sample}, "resources": {}})
    assert targets == {"noun": Targets(3, 3), "verb": Targets(2, 2)}
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
    series_models = {
        "n": {"type": "causal", "family": "N", "step": 1},
        "s": {"type": "causal", "family": "N", "step": 9},
    }
    roles = FEW._replace(models=["n", "s"], types=dict.fromkeys(("n", "s"), "causal"))
    assert Agents({**config, "models": series_models, "resources": {}}, roles).kinds["s"] == "model"


def test_a_file_of_answers_is_found_by_its_model_and_that_of_a_control_without_a_target():
    section = {"controls": ["without-target"], "answers": "tokens"}
    agents = Agents({"relations": section, "resources": {}, "models": MODELS}, ALL)
    assert [agents.answers_file(agent) for agent in ("m", "n-task", "m+without-target")] == [
        "<results>/relations/scores/m.parquet",
        "<results>/relations/writing/n-task.parquet",
        "<results>/relations/without_target/m.parquet",
    ]
    assert agents.with_shots == ["n-chat"]
    assert agents.people_files("lists.parquet") == []
    assert agents.with_responses == []
