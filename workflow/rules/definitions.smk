# The definitions study (WDLMPro), in the order of its method (studies/definitions/method.py): items, scores, responses and
# values. Scores depend on the probes, the patterns and the model alone; groups, frequencies and baselines enter after them, in
# jobs of seconds. What compares agents and what is shown: see the end.

from relprobe.studies.definitions.study import ANSWERS_RESOURCE as DEFINITIONS_ANSWERS
from relprobe.studies.definitions.study import COUNTS as DEFINITIONS_COUNTS
from relprobe.studies.definitions.dictionary import OWN as DEFINITIONS_OWN_DATA

DEFINITIONS = config["definitions"]
DEFINITIONS_CHOICES = DEFINITIONS["choices"]
DEFINITIONS_OWN = DEFINITIONS_OWN_DATA in config["resources"]
DEFINITIONS_DICTIONARY = fetched(DEFINITIONS_OWN_DATA if DEFINITIONS_OWN else "nltk_wordnet")
DEFINITIONS_BASELINES = IN_RUN["definitions"].controls
DEFINITIONS_PEOPLE = IN_RUN["definitions"].compared.settings["persons"]
DEFINITIONS_GUESSES = IN_RUN["definitions"].trials.settings["expected"]
DEFINITIONS_MODELS = models_of("definitions")
# The models that score the ends of words: those that are not masked, and on this machine.
DEFINITIONS_ENDS = [
    name
    for name in DEFINITIONS_MODELS
    if DEFINITIONS["word_boundary"] and config["models"][name]["type"] != "masked" and not served(name)
]
DEFINITIONS_TASK_AGENTS = task_agents_of("definitions")
DEFINITIONS_LARGE = DEFINITIONS["large_groups"] == "sampled"
# The millions of pairs of a model, where all 59,747 groups are worked out.
DEFINITIONS_PAIRS_MB = megabytes(3000)


# The settings of a step that measures one agent. All scores of a guess are equal.
DEFINITIONS_MEASURED = {
    "agent": lambda wildcards: wildcards.agent,
    "ties": lambda wildcards: "expected" if wildcards.agent in DEFINITIONS_GUESSES else DEFINITIONS_CHOICES["ties"],
    **{key: DEFINITIONS_CHOICES[key] for key in ("causal_d2w", "masked_d2w", "patterns", "phrases", "bands")},
    "also": analysis_parts("definitions", "SUBSETS", "agent_table"),
}


localrules:
    definitions_replies,


# The items: groups of sister synsets, and the pairs of a word and a definition that their tasks need.


use rule preparing as definitions_probes with:
    input:
        dictionary=DEFINITIONS_DICTIONARY,
    output:
        groups="<results>/definitions/groups.parquet",
        probes="<results>/definitions/probes.parquet",
        benchmark="<results>/definitions/benchmark.parquet",
    log:
        "<results>/logs/definitions/probes.log",
    resources:
        mem_mb=megabytes(3000),
    params:
        **step(
            "definitions",
            "probes",
            sample=DEFINITIONS["sample"],
            targets=DEFINITIONS["targets"],
            parts_of_speech=DEFINITIONS["parts_of_speech"],
            **DEFINITIONS["candidates"],
        ),


# What is known of the groups and words beside them.


use rule preparing as definitions_properties with:
    input:
        benchmark="<results>/definitions/benchmark.parquet",
        probes="<results>/definitions/probes.parquet",
        counts=fetched(DEFINITIONS_COUNTS) if DEFINITIONS_COUNTS in config["resources"] else [],
        dictionary=DEFINITIONS_DICTIONARY if DEFINITIONS_OWN else [],
    output:
        properties="<results>/definitions/properties.parquet",
        words="<results>/definitions/words.parquet",
    log:
        "<results>/logs/definitions/properties.log",
    params:
        **step(
            "definitions",
            "properties",
            also=analysis_parts("definitions", "describe"),
            phrases=DEFINITIONS_CHOICES["phrases"],
        ),


# The scores: what models answer to the probes; and what those that take people's task choose.


use rule scoring as definitions_scores with:
    input:
        model=manifest_of,
        probes="<results>/definitions/probes.parquet",
        prompts=DEFINITIONS["prompts"],
    output:
        "<results>/definitions/scores/{model}.parquet",
    log:
        "<results>/logs/definitions/scores/{model}.log",
    params:
        **model_step(
            "definitions",
            "scores",
            capitals=lambda wildcards: wildcards.model in DEFINITIONS["capitals"],
            word_boundary=lambda wildcards: wildcards.model in DEFINITIONS_ENDS,
            shots=shots,
            examples=examples_of("definitions"),
        ),


use rule asking as definitions_replies with:
    input:
        groups="<results>/definitions/groups.parquet",
        probes="<results>/definitions/probes.parquet",
    output:
        out="<results>/definitions/replies/{model}.parquet",
        ledger="<results>/definitions/ledger/{model}.parquet",
    log:
        "<results>/logs/definitions/replies/{model}.log",
    params:
        **chat_model_step("definitions", "replies", orders=orders, large=DEFINITIONS_LARGE),


use rule scoring as definitions_writing with:
    input:
        model=manifest_of,
        groups="<results>/definitions/groups.parquet",
        probes="<results>/definitions/probes.parquet",
    output:
        "<results>/definitions/writing/{model}.parquet",
    log:
        "<results>/logs/definitions/writing/{model}.log",
    params:
        **model_step("definitions", "writing", orders=orders, samples=samples, large=DEFINITIONS_LARGE),


# The responses and values of each agent.


# What these are made of beside the answers, and which files there are for each agent.
DEFINITIONS_ASKED = {name: f"<results>/definitions/{name}.parquet" for name in ("groups", "probes", "properties")}
DEFINITIONS_VALUES = {
    **{name: f"<results>/definitions/{name}/{{agent}}.parquet" for name in ("responses", "metrics")},
    "by_agent": by_agent("definitions"),
}


use rule measuring as definitions_metrics with:
    input:
        **DEFINITIONS_ASKED,
        scores="<results>/definitions/scores/{agent}.parquet",
    output:
        **DEFINITIONS_VALUES,
    log:
        "<results>/logs/definitions/metrics/{agent}.log",
    wildcard_constraints:
        agent=one_of(DEFINITIONS_MODELS),
    resources:
        mem_mb=DEFINITIONS_PAIRS_MB,
    params:
        **step(
            "definitions",
            "metrics",
            type=lambda wildcards: config["models"][wildcards.agent]["type"],
            **DEFINITIONS_MEASURED,
        ),


use rule measuring as definitions_control_metrics with:
    input:
        **DEFINITIONS_ASKED,
        vectors=lambda wildcards: VECTORS.get(wildcards.agent, []),
        words=for_agents(["frequency"], "<results>/definitions/words.parquet"),
    output:
        **DEFINITIONS_VALUES,
    log:
        "<results>/logs/definitions/metrics/{agent}.log",
    wildcard_constraints:
        agent=one_of(DEFINITIONS_BASELINES),
    resources:
        mem_mb=megabytes(5000),  # the 3,000,000 words of word2vec in 300 dimensions take 3,600, and their names more
    params:
        **step("definitions", "control_metrics", **DEFINITIONS_MEASURED),


use rule measuring as definitions_people_metrics with:
    input:
        **DEFINITIONS_ASKED,
        answers=fetched(DEFINITIONS_ANSWERS),
    output:
        **DEFINITIONS_VALUES,
    log:
        "<results>/logs/definitions/metrics/{agent}.log",
    wildcard_constraints:
        agent=one_of(DEFINITIONS_PEOPLE),
    resources:
        mem_mb=DEFINITIONS_PAIRS_MB,
    params:
        **step("definitions", "people_metrics", **layout_of(DEFINITIONS_ANSWERS), **DEFINITIONS_MEASURED),


use rule measuring as definitions_task_metrics with:
    input:
        **DEFINITIONS_ASKED,
        replies=reply_file("definitions"),
    output:
        **DEFINITIONS_VALUES,
        reply_choices="<results>/definitions/reply_choices/{agent}.parquet",
    log:
        "<results>/logs/definitions/metrics/{agent}.log",
    wildcard_constraints:
        agent=one_of(DEFINITIONS_TASK_AGENTS),
    resources:
        mem_mb=DEFINITIONS_PAIRS_MB,
    params:
        **step("definitions", "task_metrics", orders=orders, large=DEFINITIONS_LARGE, **DEFINITIONS_MEASURED),


# The agents side by side, and what is shown: rules/frame.smk makes definitions_compare and definitions_show, which read what
# `in_run` says in studies/definitions/study.py.
