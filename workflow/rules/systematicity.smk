# The systematicity study (Ravichander et al. 2020): items and pairs, what the models make of them, the baselines, and the
# metrics. Gold categories, splits and the classifier's training come after the models, in jobs of the CPU.

SYSTEMATICITY = config["systematicity"]
# The optional resources: the authors' data, without which the items come from WordNet, and static vectors.
SYSTEMATICITY_OPTIONAL = [
    name for name in ("systematicity", "static_vectors") if name in config["resources"]
]
SYSTEMATICITY_RELEASED = expand(
    "<resources>/fetched/{name}.json",
    name=[name for name in SYSTEMATICITY_OPTIONAL if name == "systematicity"],
)
SYSTEMATICITY_STATIC = ["static"] if "static_vectors" in SYSTEMATICITY_OPTIONAL else []
SYSTEMATICITY_SETS = (
    ["diagnostic", "extended"] if SYSTEMATICITY_RELEASED else ["wordnet"]
)
SYSTEMATICITY_EMBEDDED = SYSTEMATICITY_STATIC + list(config["models"])
SYSTEMATICITY_KINDS = (
    {name: "baseline" for name in ["majority"] + SYSTEMATICITY_STATIC}
    | {f"{model}+control": "baseline" for model in config["models"]}
    | {model: entry["type"] for model, entry in config["models"].items()}
)
SYSTEMATICITY_CATEGORIES = json.dumps(SYSTEMATICITY["categories"])


rule systematicity_items:
    input:
        released=SYSTEMATICITY_RELEASED,
        wordnet="<resources>/fetched/nltk_wordnet.json",
        code=code("systematicity_items"),
    output:
        item_table="<results>/systematicity/items.parquet",
        probes="<results>/systematicity/probes.parquet",
    log:
        "<results>/logs/systematicity/items.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        released=lambda wildcards, input: (
            f"--released {input.released}" if input.released else ""
        ),
        minimum_zipf=SYSTEMATICITY["minimum_zipf"],
        categories=SYSTEMATICITY_CATEGORIES,
    shell:
        """
        python workflow/scripts/systematicity_items.py \
            --wordnet {input.wordnet} \
            --minimum-zipf {params.minimum_zipf} \
            --categories {params.categories:q} \
            --out {output.item_table} \
            --probes-out {output.probes} \
            --log {log} \
            {params.released}
        """


rule systematicity_pairs:
    input:
        released=SYSTEMATICITY_RELEASED,
        item_table="<results>/systematicity/items.parquet",
        code=code("systematicity_pairs"),
    output:
        pairs="<results>/systematicity/pairs.parquet",
        contexts="<results>/systematicity/contexts.parquet",
    log:
        "<results>/logs/systematicity/pairs.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        released=lambda wildcards, input: (
            f"--released {input.released}" if input.released else ""
        ),
        categories=SYSTEMATICITY_CATEGORIES,
        carriers=json.dumps(SYSTEMATICITY["carriers"]),
        folds=SYSTEMATICITY["folds"],
        seed=SYSTEMATICITY["seed"],
    shell:
        """
        python workflow/scripts/systematicity_pairs.py \
            --items {input.item_table} \
            --categories {params.categories:q} \
            --carriers {params.carriers:q} \
            --folds {params.folds} \
            --seed {params.seed} \
            --out {output.pairs} \
            --contexts-out {output.contexts} \
            --log {log} \
            {params.released}
        """


rule systematicity_responses:
    input:
        model="<resources>/fetched/models/{model}.json",
        lexicon="<results>/lexicons/{model}.parquet",
        probes="<results>/systematicity/probes.parquet",
        code=code("systematicity_responses"),
    output:
        "<results>/systematicity/responses/{model}.parquet",
    log:
        "<results>/logs/systematicity/responses/{model}.log",
    conda:
        "../../envs/probe.yaml"
    threads: 8
    resources:
        mem_mb=model_memory,
        runtime=model_minutes,
        # How to compute, not what: as resources they re-run nothing.
        device=config["scoring"]["device"],
        batch_tokens=config["scoring"]["batch_tokens"],
        compile=int(config["scoring"]["compile"]),
    params:
        model=model_flags,
        top_k=SYSTEMATICITY["top_k"],
    shell:
        """
        HF_HUB_OFFLINE=1 python workflow/scripts/systematicity_responses.py \
            --model {input.model} \
            --lexicon {input.lexicon} \
            --probes {input.probes} \
            {params.model} \
            --top-k {params.top_k} \
            --device {resources.device} \
            --batch-tokens {resources.batch_tokens} \
            --compile {resources.compile} \
            --threads {threads} \
            --out {output} \
            --log {log}
        """


rule systematicity_embeddings:
    input:
        model="<resources>/fetched/models/{model}.json",
        contexts="<results>/systematicity/contexts.parquet",
        code=code("systematicity_embeddings"),
    output:
        "<results>/systematicity/embeddings/{model}.parquet",
    log:
        "<results>/logs/systematicity/embeddings/{model}.log",
    conda:
        "../../envs/probe.yaml"
    threads: 8
    resources:
        mem_mb=model_memory,
        runtime=model_minutes,
        # How to compute, not what: as resources they re-run nothing.
        device=config["scoring"]["device"],
        batch_tokens=config["scoring"]["batch_tokens"],
        compile=int(config["scoring"]["compile"]),
    params:
        model=model_flags,
        layer=SYSTEMATICITY["layer"],
    shell:
        """
        HF_HUB_OFFLINE=1 python workflow/scripts/systematicity_embeddings.py \
            --model {input.model} \
            --contexts {input.contexts} \
            {params.model} \
            --layer {params.layer} \
            --device {resources.device} \
            --batch-tokens {resources.batch_tokens} \
            --compile {resources.compile} \
            --threads {threads} \
            --out {output} \
            --log {log}
        """


rule systematicity_static:
    input:
        vectors="<resources>/fetched/static_vectors.json",
        probes="<results>/systematicity/probes.parquet",
        contexts="<results>/systematicity/contexts.parquet",
        code=code("systematicity_static"),
    output:
        responses="<results>/systematicity/responses/static.parquet",
        embeddings="<results>/systematicity/embeddings/static.parquet",
    log:
        "<results>/logs/systematicity/static.log",
    conda:
        "../../envs/analysis.yaml"
    resources:
        mem_mb=vectors_memory,
    params:
        top_k=SYSTEMATICITY["top_k"],
    shell:
        """
        python workflow/scripts/systematicity_static.py \
            --vectors {input.vectors} \
            --probes {input.probes} \
            --contexts {input.contexts} \
            --top-k {params.top_k} \
            --out {output.responses} \
            --embeddings-out {output.embeddings} \
            --log {log}
        """


rule systematicity_detections:
    input:
        pairs="<results>/systematicity/pairs.parquet",
        embeddings="<results>/systematicity/embeddings/{agent}.parquet",
        code=code("systematicity_detections"),
    output:
        "<results>/systematicity/detections/{agent}.parquet",
    log:
        "<results>/logs/systematicity/detections/{agent}.log",
    wildcard_constraints:
        agent="|".join(SYSTEMATICITY_EMBEDDED),
    conda:
        "../../envs/probe.yaml"
    resources:
        mem_mb=megabytes(2000),
    params:
        training=json.dumps(SYSTEMATICITY["training"], sort_keys=True),
    shell:
        """
        python workflow/scripts/systematicity_detections.py \
            --pairs {input.pairs} \
            --embeddings {input.embeddings} \
            --training {params.training:q} \
            --out {output} \
            --log {log}
        """


rule systematicity_metrics:
    input:
        responses="<results>/systematicity/responses/{agent}.parquet",
        probes="<results>/systematicity/probes.parquet",
        item_table="<results>/systematicity/items.parquet",
        detections="<results>/systematicity/detections/{agent}.parquet",
        code=code("systematicity_metrics"),
    output:
        "<results>/systematicity/metrics/{agent}.parquet",
    log:
        "<results>/logs/systematicity/metrics/{agent}.log",
    wildcard_constraints:
        agent="|".join(SYSTEMATICITY_EMBEDDED),
    conda:
        "../../envs/analysis.yaml"
    shell:
        """
        python workflow/scripts/systematicity_metrics.py \
            --responses {input.responses} \
            --probes {input.probes} \
            --items {input.item_table} \
            --detections {input.detections} \
            --out {output} \
            --log {log}
        """


rule systematicity_control:
    input:
        responses="<results>/systematicity/responses/{model}.parquet",
        probes="<results>/systematicity/probes.parquet",
        item_table="<results>/systematicity/items.parquet",
        code=code("systematicity_metrics"),
    output:
        "<results>/systematicity/metrics/{model}+control.parquet",
    log:
        "<results>/logs/systematicity/metrics/{model}+control.log",
    conda:
        "../../envs/analysis.yaml"
    shell:
        """
        python workflow/scripts/systematicity_metrics.py \
            --responses {input.responses} \
            --probes {input.probes} \
            --items {input.item_table} \
            --control \
            --out {output} \
            --log {log}
        """


rule systematicity_majority:
    input:
        item_table="<results>/systematicity/items.parquet",
        pairs="<results>/systematicity/pairs.parquet",
        code=code("systematicity_majority"),
    output:
        "<results>/systematicity/metrics/majority.parquet",
    log:
        "<results>/logs/systematicity/metrics/majority.log",
    conda:
        "../../envs/analysis.yaml"
    shell:
        """
        python workflow/scripts/systematicity_majority.py \
            --items {input.item_table} \
            --pairs {input.pairs} \
            --out {output} \
            --log {log}
        """
