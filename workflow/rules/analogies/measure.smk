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


use rule measuring as analogies_unsupervised with:
    input:
        scores="<results>/analogies/scores/{model}.parquet",
        instances="<results>/analogies/instances.parquet",
    output:
        "<results>/analogies/unsupervised/{model}.parquet",
    log:
        "<results>/logs/analogies/unsupervised/{model}.log",
    wildcard_constraints:
        model=one_of(ANALOGIES_MODELS),
    params:
        **step("analogies", "unsupervised", template=ANALOGIES["template"], **ANALOGIES["unsupervised"]),


use rule measuring as analogies_cosines with:
    input:
        vectors="<results>/analogies/pairs/{agent}.parquet",
        instances="<results>/analogies/instances.parquet",
    output:
        "<results>/analogies/unsupervised/{agent}.parquet",
    log:
        "<results>/logs/analogies/unsupervised/{agent}.log",
    wildcard_constraints:
        agent=one_of(ANALOGIES_BASELINES),
    params:
        **step("analogies", "cosines", partitions=ANALOGIES_PARTITIONS),


use rule measuring as analogies_reply_decisions with:
    input:
        choices="<results>/analogies/reply_choices/{agent}.parquet",
        instances="<results>/analogies/instances.parquet",
    output:
        "<results>/analogies/unsupervised/{agent}.parquet",
    log:
        "<results>/logs/analogies/unsupervised/{agent}.log",
    wildcard_constraints:
        agent=one_of(ANALOGIES_TAKERS),
    params:
        **step("analogies", "reply_decisions", partitions=ANALOGIES_PARTITIONS),


use rule measuring as analogies_metrics with:
    input:
        decisions=for_agents(ANALOGIES_SUPERVISED, "<results>/analogies/supervised/{agent}.parquet"),
        choices="<results>/analogies/unsupervised/{agent}.parquet",
        tuples="<results>/analogies/tuples.parquet",
    output:
        metrics="<results>/analogies/metrics/{agent}.parquet",
        unjudged="<results>/analogies/unjudged/{agent}.parquet",
    log:
        "<results>/logs/analogies/metrics/{agent}.log",
    wildcard_constraints:
        agent=one_of(ANALOGIES_AGENTS),
    params:
        **step("analogies", "metrics"),
