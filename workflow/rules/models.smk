# Models: fetched once into a folder that loads offline, and the words that are one token of each.


localrules:
    models_adapter,
    models_snapshot,


rule models_snapshot:
    input:
        local_files("models"),
    output:
        "<resources>/fetched/models/{model}.json",
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
            weights=needs_weights,
        ),
    shell:
        ONLINE_STEP


rule models_adapter:
    input:
        local_adapter,
        base=of_network("<resources>/fetched/models/{model}.json"),
    output:
        "<resources>/fetched/adapters/{model}.json",
    log:
        "<results>/logs/models/adapter/{model}.log",
    priority: 100
    conda:
        "../../envs/models.yaml"
    params:
        **step(
            "models",
            "adapter",
            name=lambda wildcards: f"models.{wildcards.model}.peft",
            entry=adapter_entry,
        ),
    shell:
        ONLINE_STEP


use rule preparing as models_lexicon with:
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


use rule preparing as models_shared_lexicon with:
    input:
        lexicons=expand(
            "<results>/models/lexicon/{model}.parquet",
            model=config.get("lexicon", {}).get("panel", []),
        ),
    output:
        "<results>/models/shared_lexicon.parquet",
    log:
        "<results>/logs/models/shared_lexicon.log",
    params:
        **step("models", "shared_lexicon"),
