# The analogies study (Rezaee and Camacho-Collados), in the order of its method (studies/analogies/method.py): items, scores,
# responses and values. Scores and embeddings depend on the probes and the model alone; classifiers, choices and frequencies come
# after them. What compares agents and what is shown: see the end.

from relprobe.studies.analogies.study import baselines as analogies_baselines
from relprobe.studies.analogies.study import resource as analogies_resource
from relprobe.studies.analogies.study import embedding_agents as analogies_embedding_agents

ANALOGIES = config["analogies"]
ANALOGIES_PAIRS = fetched(analogies_resource(config))
ANALOGIES_BASELINES = analogies_baselines(config)
ANALOGIES_MODELS = models_of("analogies")
ANALOGIES_TASK_AGENTS = task_agents_of("analogies")
ANALOGIES_SUPERVISED = analogies_embedding_agents(config, ANALOGIES_MODELS)
# How instances are made, and how classifiers are trained.
ANALOGIES_SPLIT = {**ANALOGIES["split"], **ANALOGIES["negatives"]}
ANALOGIES_TRAINING = {
    key: value for key, value in ANALOGIES["supervised"].items() if key not in ("layer", "layers", "precision")
}
ANALOGIES_PARTITIONS = ANALOGIES["unsupervised"]["partitions"]


# On a cluster the agents that only chat are asked where Snakemake runs: the nodes need not reach the network.
localrules:
    analogies_replies,
    analogies_snapshot,


# The items: tuples, instances, and the sentences that models are asked about.


use rule preparing as analogies_instances with:
    input:
        pairs=ANALOGIES_PAIRS,
    output:
        tuples="<results>/analogies/tuples.parquet",
        instances="<results>/analogies/instances.parquet",
    log:
        "<results>/logs/analogies/instances.log",
    params:
        **step(
            "analogies",
            "instances",
            **ANALOGIES_SPLIT,
            sample_tuples=ANALOGIES["sample"].get("tuples"),
            sample_instances=ANALOGIES["sample"].get("instances"),
            sample_swapped=ANALOGIES["sample"]["swapped"],
        ),


use rule preparing as analogies_probes with:
    input:
        instances="<results>/analogies/instances.parquet",
    output:
        "<results>/analogies/probes.parquet",
    log:
        "<results>/logs/analogies/probes.log",
    params:
        **step("analogies", "probes", template=ANALOGIES["template"]),


# The scores: what models answer to the sentences, how agents embed words and pairs, and what those that answer in words say.


use rule scoring as analogies_scores with:
    input:
        model=manifest_of,
        probes="<results>/analogies/probes.parquet",
    output:
        scores="<results>/analogies/scores/{model}.parquet",
        embeddings="<results>/analogies/embeddings/{model}.parquet",
    log:
        "<results>/logs/analogies/scores/{model}.log",
    wildcard_constraints:
        model=one_of([agent for agent in ANALOGIES_SUPERVISED if agent in ANALOGIES_MODELS]),
    params:
        **model_step(
            "analogies",
            "scores",
            partitions=ANALOGIES_PARTITIONS,
            shots=shots,
            examples=examples_of("analogies"),
            template=ANALOGIES["template"],
            layer=lambda wildcards: ANALOGIES["supervised"]["layers"].get(
                wildcards.model, ANALOGIES["supervised"]["layer"]
            ),
            precision=ANALOGIES["supervised"]["precision"],
        ),


# An agent that would embed what another one has embedded.
use rule scoring as analogies_scores_alone with:
    input:
        model=manifest_of,
        probes="<results>/analogies/probes.parquet",
    output:
        scores="<results>/analogies/scores/{model}.parquet",
    log:
        "<results>/logs/analogies/scores/{model}.log",
    wildcard_constraints:
        model=one_of([agent for agent in ANALOGIES_MODELS if agent not in ANALOGIES_SUPERVISED]),
    params:
        **model_step(
            "analogies",
            "scores",
            partitions=ANALOGIES_PARTITIONS,
            shots=shots,
            examples=examples_of("analogies"),
            template=ANALOGIES["template"],
        ),


use rule scoring as analogies_layer_embeddings with:
    input:
        model=manifest_of,
        probes="<results>/analogies/probes.parquet",
    output:
        "<results>/analogies/layer_embeddings/{model}.parquet",
    log:
        "<results>/logs/analogies/layer_embeddings/{model}.log",
    params:
        **model_step(
            "analogies",
            "layer_embeddings",
            template=ANALOGIES["template"],
            layers=layers_of,
            precision=ANALOGIES["supervised"]["precision"],
        ),


use rule models_snapshot as analogies_snapshot with:
    input:
        with_origin(f"<resources>/fetched/encoders/{KEYED}{{encoder}}.json", local_files("encoders")),
    output:
        written_once(f"<resources>/fetched/encoders/{KEYED}{{encoder}}.json"),
    log:
        f"<results>/logs/analogies/snapshot/{KEYED}{{encoder}}.log",
    params:
        **step(
            "models",
            "snapshot",
            name=lambda wildcards: f"encoders.{wildcards.encoder}",
            entry=entry_of("encoders", ORIGIN_KEYS),
        ),
        local=local_identity("encoders"),


use rule analysis as analogies_encoder with:
    input:
        encoder=lambda wildcards: fetched_as("encoders", wildcards.encoder, config["encoders"][wildcards.encoder]),
        instances="<results>/analogies/instances.parquet",
    output:
        "<results>/analogies/pairs/{encoder}.parquet",
    log:
        "<results>/logs/analogies/pairs/{encoder}.log",
    wildcard_constraints:
        encoder=one_of(config["encoders"]),
    conda:
        ENVS / "models.yaml"
    threads: model_threads
    resources:
        **MODEL_RESOURCES,
        mem_mb=model_memory,
        runtime=model_minutes,
        device=config["scoring"]["device"],
    params:
        **step(
            "analogies",
            "encoder",
            unrecorded=reuse_of,
            **{
                key: lambda wildcards, key=key: config["encoders"][wildcards.encoder].get(key)
                for key in ("template", "pooling", "dtype", "device_map")
            },
        ),


use rule preparing as analogies_static with:
    input:
        vectors=fetched("static_vectors"),
        instances="<results>/analogies/instances.parquet",
    output:
        "<results>/analogies/pairs/static.parquet",
    log:
        "<results>/logs/analogies/pairs/static.log",
    resources:
        mem_mb=VECTORS_MB,
    params:
        **step("analogies", "static"),


use rule asking as analogies_replies with:
    input:
        instances="<results>/analogies/instances.parquet",
    output:
        out="<results>/analogies/replies/{model}.parquet",
        ledger="<results>/analogies/ledger/{model}.parquet",
    log:
        "<results>/logs/analogies/replies/{model}.log",
    params:
        **chat_model_step("analogies", "replies", orders=orders, partitions=ANALOGIES_PARTITIONS),


use rule scoring as analogies_writing with:
    input:
        model=manifest_of,
        instances="<results>/analogies/instances.parquet",
    output:
        "<results>/analogies/writing/{model}.parquet",
    log:
        "<results>/logs/analogies/writing/{model}.log",
    params:
        **model_step("analogies", "writing", orders=orders, samples=samples, partitions=ANALOGIES_PARTITIONS),


# The responses, which are decisions, and the values of each agent.


use rule measuring as analogies_supervised with:
    input:
        vectors=lambda wildcards: (
            f"<results>/analogies/pairs/{wildcards.agent}.parquet"
            if wildcards.agent in ANALOGIES_BASELINES
            else f"<results>/analogies/embeddings/{wildcards.agent}.parquet"
        ),
        instances="<results>/analogies/instances.parquet",
    output:
        "<results>/analogies/supervised/{agent}.parquet",
    log:
        "<results>/logs/analogies/supervised/{agent}.log",
    wildcard_constraints:
        agent=one_of(ANALOGIES_SUPERVISED),
    resources:
        # Of one relation's embeddings: four words in each of some 4,000 sentences of a draw.
        mem_mb=lambda wildcards, attempt: (attempt * (2000 + model_width(wildcards) * ANALOGIES["split"]["draws"] // 4)),
        runtime=lambda wildcards, attempt: (
            attempt * ANALOGIES["split"]["draws"] * (10 + model_width(wildcards) // 128)
        ),
    params:
        **step(
            "analogies",
            "supervised",
            parallel=True,
            # Not as a resource: jobs of a group on a cluster must agree in resources that are words.
            unrecorded=lambda wildcards: {"device": config["scoring"]["device"]},
            template=lambda wildcards: (None if wildcards.agent in ANALOGIES_BASELINES else ANALOGIES["template"]),
            **ANALOGIES_TRAINING,
        ),


# What the values of each agent are made of, and what a rule of them writes.
ANALOGIES_JUDGED = {
    "instances": "<results>/analogies/instances.parquet",
    "tuples": "<results>/analogies/tuples.parquet",
    "decisions": for_agents(ANALOGIES_SUPERVISED, "<results>/analogies/supervised/{agent}.parquet"),
}
ANALOGIES_VALUES = {
    **{name: f"<results>/analogies/{name}/{{agent}}.parquet" for name in ("unsupervised", "metrics")},
    "by_agent": by_agent("analogies"),
}
ANALOGIES_MEASURED = {"also": analysis_parts("analogies", "agent_table"), "partitions": ANALOGIES_PARTITIONS}


use rule measuring as analogies_metrics with:
    input:
        **ANALOGIES_JUDGED,
        scores="<results>/analogies/scores/{agent}.parquet",
    output:
        **ANALOGIES_VALUES,
    log:
        "<results>/logs/analogies/metrics/{agent}.log",
    wildcard_constraints:
        agent=one_of(ANALOGIES_MODELS),
    params:
        **step(
            "analogies",
            "metrics",
            template=ANALOGIES["template"],
            perplexity=ANALOGIES["unsupervised"]["perplexity"],
            **ANALOGIES_MEASURED,
        ),


use rule measuring as analogies_control_metrics with:
    input:
        **ANALOGIES_JUDGED,
        vectors="<results>/analogies/pairs/{agent}.parquet",
    output:
        **ANALOGIES_VALUES,
    log:
        "<results>/logs/analogies/metrics/{agent}.log",
    wildcard_constraints:
        agent=one_of(ANALOGIES_BASELINES),
    params:
        **step("analogies", "control_metrics", **ANALOGIES_MEASURED),


use rule measuring as analogies_task_metrics with:
    input:
        replies=reply_file("analogies"),
        instances="<results>/analogies/instances.parquet",
        tuples="<results>/analogies/tuples.parquet",
    output:
        **ANALOGIES_VALUES,
        reply_choices="<results>/analogies/reply_choices/{agent}.parquet",
    log:
        "<results>/logs/analogies/metrics/{agent}.log",
    wildcard_constraints:
        agent=one_of(ANALOGIES_TASK_AGENTS),
    params:
        **step(
            "analogies",
            "task_metrics",
            orders=orders,
            line=lambda wildcards: conversation("analogies")["continue"],
            **ANALOGIES_MEASURED,
        ),


use rule measuring as analogies_layer_metrics with:
    input:
        vectors="<results>/analogies/layer_embeddings/{model}.parquet",
        instances="<results>/analogies/instances.parquet",
        tuples="<results>/analogies/tuples.parquet",
    output:
        "<results>/analogies/layer_metrics/{model}.parquet",
    log:
        "<results>/logs/analogies/layer_metrics/{model}.log",
    resources:
        mem_mb=lambda wildcards, attempt: (attempt * (2000 + model_width(wildcards) * ANALOGIES["split"]["draws"] // 4)),
        # Of ten layers; a job that takes longer is tried again with more.
        runtime=lambda wildcards, attempt: (
            attempt * 10 * ANALOGIES["split"]["draws"] * (10 + model_width(wildcards) // 128)
        ),
    params:
        **step(
            "analogies",
            "layer_metrics",
            parallel=True,
            unrecorded=lambda wildcards: {"device": config["scoring"]["device"]},
            template=ANALOGIES["template"],
            **ANALOGIES_TRAINING,
        ),


# What analyses compute of all pairs by static vectors.
use rule comparing as analogies_vectors with:
    input:
        pairs=ANALOGIES_PAIRS,
        vectors=fetched("static_vectors"),
    output:
        tables("analogies", "vectors"),
    log:
        "<results>/logs/analogies/vectors.log",
    resources:
        mem_mb=VECTORS_MB,
    params:
        **step(
            "analogies",
            "vectors",
            also=analysis_parts("analogies", "tables_of_vectors"),
            **{key: value for key, value in ANALOGIES_SPLIT.items() if key != "draws"},
        ),


# The agents side by side, and what is shown: rules/frame.smk makes analogies_compare and analogies_show, which read what
# `in_run` says in studies/analogies/study.py.
