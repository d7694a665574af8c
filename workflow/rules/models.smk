# Models: fetched once into a folder that loads offline, and the words that are one token of each.


localrules:
    models_snapshot,


rule models_snapshot:
    input:
        local_files("models"),
    output:
        manifest="<resources>/fetched/models/{model}.json",
    log:
        "<results>/logs/models/snapshot/{model}.log",
    priority: 100
    conda:
        "../../envs/models.yaml"
    resources:
        mem_mb=model_memory,
    params:
        **step(
            "models",
            "snapshot",
            name=lambda wildcards: f"models.{wildcards.model}",
            entry=entry_of("models", ORIGIN_KEYS),
        ),
    shell:
        STEP


rule models_lexicon:
    input:
        model="<resources>/fetched/models/{model}.json",
    output:
        "<results>/models/lexicon/{model}.parquet",
    log:
        "<results>/logs/models/lexicon/{model}.log",
    conda:
        "../../envs/models.yaml"
    params:
        **step("models", "lexicon"),
    shell:
        OFFLINE_STEP


rule models_shared_lexicon:
    input:
        lexicons=expand(
            "<results>/models/lexicon/{model}.parquet",
            model=config.get("lexicon", {}).get("panel", []),
        ),
    output:
        "<results>/models/shared_lexicon.parquet",
    log:
        "<results>/logs/models/shared_lexicon.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        **step("models", "shared_lexicon"),
    shell:
        STEP


# What every rule shares that scores or embeds with a model; each is this one with its own files and params.
rule models_score:
    log:
        "<results>/logs/models/score/{model}.log",
    conda:
        "../../envs/models.yaml"
    threads: 8
    resources:
        mem_mb=model_memory,
        runtime=model_minutes,
        device=config["scoring"]["device"],
        batch_tokens=config["scoring"]["batch_tokens"],
        compile=int(config["scoring"]["compile"]),
    shell:
        OFFLINE_STEP
