# The systematicity study: values of each agent, unit by unit.


use rule preparing as systematicity_static with:
    input:
        vectors=lambda wildcards: VECTORS[wildcards.agent],
        probes="<results>/systematicity/probes.parquet",
        contexts="<results>/systematicity/contexts.parquet",
    output:
        scores="<results>/systematicity/scores/{agent}.parquet",
        embeddings="<results>/systematicity/embeddings/{agent}.parquet",
    log:
        "<results>/logs/systematicity/static/{agent}.log",
    wildcard_constraints:
        agent=one_of(VECTORS),
    resources:
        mem_mb=megabytes(5000),  # the 3,000,000 words of word2vec in 300 dimensions take 3,600, and their names more
    params:
        **step("systematicity", "static", top_k=SYSTEMATICITY["top_k"]),


use rule measuring as systematicity_detections with:
    input:
        pairs="<results>/systematicity/pairs.parquet",
        embeddings="<results>/systematicity/embeddings/{agent}.parquet",
    output:
        "<results>/systematicity/detections/{agent}.parquet",
    log:
        "<results>/logs/systematicity/detections/{agent}.log",
    wildcard_constraints:
        agent=one_of(SYSTEMATICITY_EMBEDDED),
    priority: 50
    conda:
        ENVS / "models.yaml"
    threads: model_threads
    resources:
        mem_mb=megabytes(2000),
    params:
        **step("systematicity", "detections", parallel=True, **SYSTEMATICITY["training"]),


use rule systematicity_detections as systematicity_layer_metrics with:
    input:
        pairs="<results>/systematicity/pairs.parquet",
        embeddings="<results>/systematicity/layer_embeddings/{model}.parquet",
    output:
        "<results>/systematicity/layer_metrics/{model}.parquet",
    log:
        "<results>/logs/systematicity/layer_metrics/{model}.log",
    params:
        **step("systematicity", "layer_metrics", parallel=True, **SYSTEMATICITY["training"]),


use rule measuring as systematicity_metrics with:
    input:
        scores="<results>/systematicity/scores/{agent}.parquet",
        probes="<results>/systematicity/probes.parquet",
        item_table="<results>/systematicity/items.parquet",
        detections=for_agents(SYSTEMATICITY_EMBEDDED, "<results>/systematicity/detections/{agent}.parquet"),
    output:
        "<results>/systematicity/metrics/{agent}.parquet",
    log:
        "<results>/logs/systematicity/metrics/{agent}.log",
    wildcard_constraints:
        agent=one_of(SYSTEMATICITY_ANSWERING),
    params:
        **step("systematicity", "metrics"),


use rule systematicity_metrics as systematicity_control_metrics with:
    input:
        item_table="<results>/systematicity/items.parquet",
        # A control of a model is what it answers to prompts without a relation.
        scores=for_agents(
            SYSTEMATICITY_CONTROLS,
            lambda wildcards: f"<results>/systematicity/scores/{wildcards.agent.removesuffix('+control')}.parquet",
        ),
        probes=for_agents(
            [*SYSTEMATICITY_NEAREST, *SYSTEMATICITY_CONTROLS],
            "<results>/systematicity/probes.parquet",
        ),
        vectors=for_agents(SYSTEMATICITY_NEAREST, VECTORS.get("static", [])),
        pairs=for_agents(["majority"], "<results>/systematicity/pairs.parquet"),
    wildcard_constraints:
        agent=one_of(["majority", *SYSTEMATICITY_NEAREST, *SYSTEMATICITY_CONTROLS]),
    resources:
        mem_mb=VECTORS_MB,
    params:
        **step("systematicity", "control_metrics"),


use rule systematicity_metrics as systematicity_taker_metrics with:
    input:
        replies=reply_file("systematicity"),
        item_table="<results>/systematicity/items.parquet",
        probes="<results>/systematicity/probes.parquet",
    output:
        reply_choices="<results>/systematicity/reply_choices/{agent}.parquet",
        metrics="<results>/systematicity/metrics/{agent}.parquet",
    wildcard_constraints:
        agent=one_of(SYSTEMATICITY_TAKERS),
    params:
        **step("systematicity", "taker_metrics", **SYSTEMATICITY_CHOOSING),
