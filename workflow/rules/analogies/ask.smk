# The analogies study: probes, and what models answer.


# On a cluster the agents that only chat are asked where Snakemake runs: the nodes need not reach the network.
localrules:
    analogies_replies,
    analogies_snapshot,


use rule preparing as analogies_probes with:
    input:
        instances="<results>/analogies/instances.parquet",
    output:
        "<results>/analogies/probes.parquet",
    log:
        "<results>/logs/analogies/probes.log",
    params:
        **step("analogies", "probes", template=ANALOGIES["template"]),


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
        model=one_of(own_in("analogies", "embeddings")),
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
        model=one_of(repeating_in("analogies", "embeddings")),
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
        **OF_MODELS,
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
        **participant_step("analogies", "replies", orders=orders, partitions=ANALOGIES_PARTITIONS),


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
