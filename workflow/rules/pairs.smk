# The pairs study, in the order of its method (studies/pairs/method.py): items, scores, responses and values. Scores depend on the
# probes and the model alone; labels and ratings enter after them, in jobs of seconds. A model has several judges, each an agent
# with two controls; its files hold all of them. What compares agents and what is shown: see the end.

from relprobe.studies.pairs.study import HUMANS as PAIRS_HUMANS
from relprobe.studies.pairs.study import HYPERLEX as PAIRS_HYPERLEX
from relprobe.studies.pairs.study import INCLUSION as PAIRS_INCLUSION
from relprobe.studies.pairs.study import JUDGES as PAIRS_KINDS
from relprobe.studies.pairs.study import OWN as PAIRS_OWN
from relprobe.studies.pairs.study import PEOPLE as PAIRS_ANSWERS
from relprobe.studies.pairs.study import STUDY as PAIRS_STUDY
from relprobe.studies.pairs.study import has_inclusion as pairs_has_inclusion
from relprobe.studies.pairs.study import judges as pairs_judges
from relprobe.studies.pairs.study import scale as pairs_scale
from relprobe.studies.pairs.study import shared_controls as pairs_shared_controls

PAIRS = config["pairs"]
PAIRS_SAMPLE = PAIRS["wordnet"]
PAIRS_JUDGES = pairs_judges(config, models_of("pairs"))
PAIRS_TASK_AGENTS = task_agents_of("pairs")
PAIRS_SHARED = pairs_shared_controls(config)
# The agents that are no language models, a file each; that of measures of inclusion holds several.
PAIRS_BASELINES = [*PAIRS_SHARED, *[PAIRS_INCLUSION] * pairs_has_inclusion(config)]
PAIRS_PEOPLE = [PAIRS_HUMANS] * (PAIRS_ANSWERS in config["resources"])
PAIRS_TEXTS = {"prompts": PAIRS["prompts"], "language": PAIRS["language"]}
PAIRS_ITEMS = {"item_table": "<results>/pairs/items.parquet"}
# Kind -> the file with the scores of a model, of the kinds that the judges read; those that examples change; and the agents that
# are asked all of them.
PAIRS_SCORES = {
    kind: f"<results>/pairs/scores/{kind}/{{model}}.parquet"
    for kind in dict.fromkeys(PAIRS_KINDS[judge] for judge in PAIRS["judges"])
}
PAIRS_PROMPTED_SCORES = {
    kind: file for kind, file in PAIRS_SCORES.items() if "shots" not in PAIRS_STUDY.unread.get(kind, ())
}
PAIRS_WHOLE = [name for name, model_judges in PAIRS_JUDGES.items() if len(model_judges) == len(PAIRS["judges"])]
PAIRS_ASKED = {"scale": pairs_scale(config), "tasks": PAIRS["questions"], "orders": orders}


# On a cluster the agents that only chat are asked where Snakemake runs: the nodes need not reach the network.
localrules:
    pairs_replies,


# The items: pairs, right ones and foils, with people's ratings, and what models are asked about them.


# An input cannot be called `items`, as Snakemake's lists of files have a method of that name.
use rule preparing as pairs_items with:
    input:
        relations=PAIRS["relations"],
        language=PAIRS["language"],
        wordnet=fetched("nltk_wordnet") if PAIRS_SAMPLE is not None else [],
        hyperlex=fetched(PAIRS_HYPERLEX) if PAIRS_HYPERLEX in config["resources"] else [],
        judged=fetched(PAIRS_OWN) if PAIRS_OWN in config["resources"] else [],
        lexicon="<results>/models/shared_lexicon.parquet" if (PAIRS_SAMPLE or {}).get("lexicon") == "shared" else [],
    output:
        item_table="<results>/pairs/items.parquet",
        raters="<results>/pairs/raters.parquet",
        known_relata="<results>/pairs/known.parquet",
    log:
        "<results>/logs/pairs/items.log",
    params:
        **step("pairs", "items", sample=PAIRS_SAMPLE, split=PAIRS["split"], part=PAIRS["part"]),


use rule preparing as pairs_probes with:
    input:
        **PAIRS_ITEMS,
        **PAIRS_TEXTS,
    output:
        "<results>/pairs/probes.parquet",
    log:
        "<results>/logs/pairs/probes.log",
    params:
        **step("pairs", "probes"),


# The scores: what models answer to the probes, and what they say in words.


use rule scoring as pairs_scores with:
    input:
        **PAIRS_TEXTS,
        model=manifest_of,
        probes="<results>/pairs/probes.parquet",
    output:
        **PAIRS_SCORES,
    log:
        "<results>/logs/pairs/scores/{model}.log",
    wildcard_constraints:
        model=one_of(PAIRS_WHOLE),
    params:
        **model_step("pairs", "scores", shots=shots, examples=examples_of("pairs"), layer=PAIRS["layer"]),


# An agent with examples is asked what it does not share with the agent without them.
if PAIRS_PROMPTED_SCORES:

    use rule scoring as pairs_scores_alone with:
        input:
            **PAIRS_TEXTS,
            model=manifest_of,
            probes="<results>/pairs/probes.parquet",
        output:
            **PAIRS_PROMPTED_SCORES,
        log:
            "<results>/logs/pairs/scores/{model}.log",
        wildcard_constraints:
            model=one_of(name for name in PAIRS_JUDGES if name not in PAIRS_WHOLE),
        params:
            **model_step("pairs", "scores", shots=shots, examples=examples_of("pairs")),


use rule scoring as pairs_layer_scores with:
    input:
        model=manifest_of,
        probes="<results>/pairs/probes.parquet",
    output:
        "<results>/pairs/layer_scores/{model}.parquet",
    log:
        "<results>/logs/pairs/layer_scores/{model}.log",
    params:
        **model_step("pairs", "layer_scores", layers=layers_of),


use rule asking as pairs_replies with:
    input:
        **PAIRS_ITEMS,
        **PAIRS_TEXTS,
    output:
        out="<results>/pairs/replies/{model}.parquet",
        ledger="<results>/pairs/ledger/{model}.parquet",
    log:
        "<results>/logs/pairs/replies/{model}.log",
    params:
        **chat_model_step("pairs", "replies", **PAIRS_ASKED),


use rule scoring as pairs_writing with:
    input:
        **PAIRS_ITEMS,
        **PAIRS_TEXTS,
        model=manifest_of,
    output:
        "<results>/pairs/writing/{model}.parquet",
    log:
        "<results>/logs/pairs/writing/{model}.log",
    params:
        **model_step("pairs", "writing", samples=samples, **PAIRS_ASKED),


# The responses, which are judgments, and the values of each agent.


use rule measuring as pairs_metrics with:
    input:
        **PAIRS_ITEMS,
        scores=with_signature(
            lambda wildcards: [
                f"<results>/pairs/scores/{PAIRS_KINDS[judge]}/{wildcards.agent}.parquet"
                for judge in PAIRS_JUDGES[wildcards.agent]
            ]
        ),
        probes="<results>/pairs/probes.parquet",
    output:
        judgments="<results>/pairs/judgments/{agent}.parquet",
        metrics="<results>/pairs/metrics/{agent}.parquet",
    log:
        "<results>/logs/pairs/metrics/{agent}.log",
    wildcard_constraints:
        agent=one_of(PAIRS_JUDGES),
    params:
        **step(
            "pairs",
            "metrics",
            model=lambda wildcards: wildcards.agent,
            judges=lambda wildcards: PAIRS_JUDGES[wildcards.agent],
        ),


use rule measuring as pairs_control_metrics with:
    input:
        **PAIRS_ITEMS,
        probes="<results>/pairs/probes.parquet",
        known_relata="<results>/pairs/known.parquet",
        language=PAIRS["language"],
        vectors=for_agents(
            ["static", "typical", PAIRS_INCLUSION],
            fetched("static_vectors") if "static_vectors" in config["resources"] else [],
        ),
    output:
        judgments="<results>/pairs/judgments/{agent}.parquet",
        metrics="<results>/pairs/metrics/{agent}.parquet",
    log:
        "<results>/logs/pairs/metrics/{agent}.log",
    wildcard_constraints:
        agent=one_of(PAIRS_BASELINES),
    resources:
        mem_mb=VECTORS_MB,
    params:
        **step(
            "pairs",
            "control_metrics",
            agent=lambda wildcards: wildcards.agent,
            measures=lambda wildcards: PAIRS["inclusion"] if wildcards.agent == PAIRS_INCLUSION else None,
        ),


use rule measuring as pairs_people_metrics with:
    input:
        **PAIRS_ITEMS,
        answers=fetched(PAIRS_ANSWERS),
        probes="<results>/pairs/probes.parquet",
    output:
        judgments="<results>/pairs/judgments/{agent}.parquet",
        metrics="<results>/pairs/metrics/{agent}.parquet",
        reply_choices="<results>/pairs/reply_choices/{agent}.parquet",
    log:
        "<results>/logs/pairs/metrics/{agent}.log",
    wildcard_constraints:
        agent=one_of(PAIRS_PEOPLE),
    params:
        **step("pairs", "people_metrics"),


use rule measuring as pairs_task_metrics with:
    input:
        **PAIRS_ITEMS,
        **PAIRS_TEXTS,
        replies=reply_file("pairs"),
    output:
        judgments="<results>/pairs/judgments/{agent}.parquet",
        metrics="<results>/pairs/metrics/{agent}.parquet",
        reply_choices="<results>/pairs/reply_choices/{agent}.parquet",
    log:
        "<results>/logs/pairs/metrics/{agent}.log",
    wildcard_constraints:
        agent=one_of(PAIRS_TASK_AGENTS),
    params:
        **step("pairs", "task_metrics", model=lambda wildcards: wildcards.agent, **PAIRS_ASKED),


use rule measuring as pairs_layer_metrics with:
    input:
        **PAIRS_ITEMS,
        scores="<results>/pairs/layer_scores/{model}.parquet",
        probes="<results>/pairs/probes.parquet",
    output:
        "<results>/pairs/layer_metrics/{model}.parquet",
    log:
        "<results>/logs/pairs/layer_metrics/{model}.log",
    params:
        **step("pairs", "layer_metrics"),


# The agents side by side, and what is shown: rules/frame.smk makes pairs_compare and pairs_show, which read what
# `in_run` says in studies/pairs/study.py.
