# Models: fetched once into a folder that loads offline, the words that are one token of each, and the maps of its layers.

# How agents are asked layer by layer in the relations study, whose answers go through maps.
LAYERS = config.get("relations", {}).get("layers", {"map": "none"})
# Those that have the same states share their maps: agent -> the first of them.
LAYERED = layered_of("relations") if LAYERS["map"] != "none" else []
MAPPED = {name: next(other for other in LAYERED if have_same_states(name, other)) for name in LAYERED}


localrules:
    models_adapter,
    models_snapshot,


rule models_snapshot:
    input:
        with_origin(f"<resources>/fetched/models/{KEYED}{{model}}.json", local_files("models")),
    output:
        written_once(f"<resources>/fetched/models/{KEYED}{{model}}.json"),
    log:
        f"<results>/logs/models/snapshot/{KEYED}{{model}}.log",
    priority: 100
    # A step that fetches tries again itself what may pass, and a wrong name stays wrong.
    retries: 0
    conda:
        ENVS / "models.yaml"
    resources:
        mem_mb=snapshot_memory,
        disk_mb=snapshot_disk,
    params:
        **step(
            "models",
            "snapshot",
            name=lambda wildcards: f"models.{wildcards.model}",
            entry=entry_of("models", ORIGIN_KEYS),
            weights=needs_weights,
        ),
        local=local_identity("models"),
    shell:
        ONLINE_STEP


rule models_adapter:
    input:
        with_origin(f"<resources>/fetched/adapters/{KEYED}{{model}}.json", local_adapter),
        base=base_of,
    output:
        written_once(f"<resources>/fetched/adapters/{KEYED}{{model}}.json"),
    log:
        f"<results>/logs/models/adapter/{KEYED}{{model}}.log",
    priority: 100
    # A step that fetches tries again itself what may pass, and a wrong name stays wrong.
    retries: 0
    conda:
        ENVS / "models.yaml"
    params:
        **step(
            "models",
            "adapter",
            name=lambda wildcards: f"models.{wildcards.model}.peft",
            entry=adapter_entry,
        ),
        local=adapter_identity,
    shell:
        ONLINE_STEP


use rule preparing as models_lexicon with:
    input:
        model=lambda wildcards: fetched_model(wildcards.model),
    output:
        "<results>/models/lexicon/{model}.parquet",
    log:
        "<results>/logs/models/lexicon/{model}.log",
    conda:
        ENVS / "models.yaml"
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


use rule preparing as models_layer_text with:
    input:
        wordnet=[fetched("nltk_wordnet") for name in [LAYERS["map"]] if name == "wordnet"],
        file=[name for name in [LAYERS["map"]] if name not in ("wordnet", "none")],
    output:
        "<results>/models/layer_text.parquet",
    log:
        "<results>/logs/models/layer_text.log",
    params:
        **step("models", "layer_text", sentences=LAYERS.get("sentences")),


use rule scoring as models_layer_map with:
    input:
        model=manifest_of,
        text="<results>/models/layer_text.parquet",
    output:
        "<results>/models/layer_map/{model}.safetensors",
    log:
        "<results>/logs/models/layer_map/{model}.log",
    params:
        **model_step(
            "models",
            "layer_map",
            layers=lambda wildcards: [
                json.dumps(config["models"][agent]["layers"])
                for agent, owner in MAPPED.items()
                if owner == wildcards.model
            ],
            control_network=LAYERS.get("untrained"),
        ),
