# The analogies study: values of each agent, unit by unit.


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


# What the values of each agent are made of, and what a rule of them writes.
ANALOGIES_JUDGED = {
    "instances": "<results>/analogies/instances.parquet",
    "tuples": "<results>/analogies/tuples.parquet",
    "decisions": for_agents(ANALOGIES_SUPERVISED, "<results>/analogies/supervised/{agent}.parquet"),
}
ANALOGIES_VALUES = {
    name: f"<results>/analogies/{name}/{{agent}}.parquet" for name in ("unsupervised", "metrics", "unjudged")
}


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
        **step("analogies", "metrics", template=ANALOGIES["template"], **ANALOGIES["unsupervised"]),


use rule analogies_metrics as analogies_control_metrics with:
    input:
        **ANALOGIES_JUDGED,
        vectors="<results>/analogies/pairs/{agent}.parquet",
    wildcard_constraints:
        agent=one_of(ANALOGIES_BASELINES),
    params:
        **step("analogies", "control_metrics", partitions=ANALOGIES_PARTITIONS),


use rule analogies_metrics as analogies_taker_metrics with:
    input:
        replies=reply_file("analogies"),
        instances="<results>/analogies/instances.parquet",
        tuples="<results>/analogies/tuples.parquet",
    output:
        **ANALOGIES_VALUES,
        reply_choices="<results>/analogies/reply_choices/{agent}.parquet",
    wildcard_constraints:
        agent=one_of(ANALOGIES_TAKERS),
    params:
        **step(
            "analogies",
            "taker_metrics",
            orders=orders,
            partitions=ANALOGIES_PARTITIONS,
            line=lambda wildcards: conversation("analogies")["continue"],
        ),
