# The analogies study (Rezaee and Camacho-Collados). Scores and embeddings depend on the sentences and the model alone;
# classifiers, choices and frequencies come after them.

ANALOGIES = config["analogies"]
ANALOGIES_STATIC = ["static"] if "static_vectors" in config["resources"] else []
ANALOGIES_BASELINES = list(config["encoders"]) + ANALOGIES_STATIC
ANALOGIES_AGENTS = list(config["models"]) + ANALOGIES_BASELINES
ANALOGIES_SAMPLE = [
    f"--{key}={size}" for key, size in sorted(ANALOGIES["sample"].items())
]


localrules:
    analogies_snapshot,


rule analogies_instances:
    input:
        bats="<resources>/fetched/bats.json",
        code=code("analogies_instances"),
    output:
        tuples="<results>/analogies/tuples.parquet",
        instances="<results>/analogies/instances.parquet",
    log:
        "<results>/logs/analogies/instances.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        sample=" ".join(ANALOGIES_SAMPLE),
        train_share=ANALOGIES["split"]["train_share"],
        seed=ANALOGIES["split"]["seed"],
    shell:
        """
        python workflow/scripts/analogies_instances.py \
            --bats {input.bats} \
            --train-share {params.train_share} \
            --seed {params.seed} \
            --tuples-out {output.tuples} \
            --instances-out {output.instances} \
            --log {log} \
            {params.sample}
        """


rule analogies_sentences:
    input:
        instances="<results>/analogies/instances.parquet",
        code=code("analogies_sentences"),
    output:
        "<results>/analogies/sentences.parquet",
    log:
        "<results>/logs/analogies/sentences.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        # Of a function: Snakemake would take the braces of a string for wildcards.
        template=lambda wildcards: ANALOGIES["template"],
    shell:
        """
        python workflow/scripts/analogies_sentences.py \
            --instances {input.instances} \
            --template {params.template:q} \
            --out {output} \
            --log {log}
        """


rule analogies_scores:
    input:
        model="<resources>/fetched/models/{model}.json",
        sentences="<results>/analogies/sentences.parquet",
        code=code("analogies_scores"),
    output:
        "<results>/analogies/scores/{model}.parquet",
    log:
        "<results>/logs/analogies/scores/{model}.log",
    conda:
        "../../envs/probe.yaml"
    threads: 8
    resources:
        mem_mb=model_memory,
        runtime=model_minutes,
        device=config["scoring"]["device"],
        batch_tokens=config["scoring"]["batch_tokens"],
        compile=int(config["scoring"]["compile"]),
    params:
        model=model_flags,
        partitions=ANALOGIES["unsupervised"]["partitions"],
    shell:
        """
        HF_HUB_OFFLINE=1 python workflow/scripts/analogies_scores.py \
            --model {input.model} \
            {params.model} \
            --sentences {input.sentences} \
            --partitions {params.partitions} \
            --device {resources.device} \
            --batch-tokens {resources.batch_tokens} \
            --compile {resources.compile} \
            --threads {threads} \
            --out {output} \
            --log {log}
        """


rule analogies_embeddings:
    input:
        model="<resources>/fetched/models/{model}.json",
        sentences="<results>/analogies/sentences.parquet",
        code=code("analogies_embeddings"),
    output:
        "<results>/analogies/embeddings/{model}.parquet",
    log:
        "<results>/logs/analogies/embeddings/{model}.log",
    conda:
        "../../envs/probe.yaml"
    threads: 8
    resources:
        mem_mb=model_memory,
        runtime=model_minutes,
        device=config["scoring"]["device"],
        batch_tokens=config["scoring"]["batch_tokens"],
        compile=int(config["scoring"]["compile"]),
    params:
        model=model_flags,
        # Of a function: Snakemake would take the braces of a string for wildcards.
        template=lambda wildcards: ANALOGIES["template"],
        layer=ANALOGIES["supervised"]["layer"],
    shell:
        """
        HF_HUB_OFFLINE=1 python workflow/scripts/analogies_embeddings.py \
            --model {input.model} \
            {params.model} \
            --sentences {input.sentences} \
            --template {params.template:q} \
            --layer {params.layer} \
            --device {resources.device} \
            --batch-tokens {resources.batch_tokens} \
            --compile {resources.compile} \
            --threads {threads} \
            --out {output} \
            --log {log}
        """


rule analogies_snapshot:
    input:
        local=local_files("encoder"),
        code=code("snapshot"),
    output:
        manifest="<resources>/fetched/encoders/{encoder}.json",
    log:
        "<results>/logs/analogies/snapshot/{encoder}.log",
    priority: 100
    conda:
        "../../envs/probe.yaml"
    resources:
        mem_mb=model_memory,
    params:
        entry=origin("encoder"),
    shell:
        """
        python workflow/scripts/snapshot.py \
            --name encoders.{wildcards.encoder} \
            --entry {params.entry:q} \
            --manifest {output.manifest} \
            --log {log}
        """


rule analogies_encoder:
    input:
        encoder="<resources>/fetched/encoders/{encoder}.json",
        instances="<results>/analogies/instances.parquet",
        code=code("analogies_encoder"),
    output:
        "<results>/analogies/pairs/{encoder}.parquet",
    log:
        "<results>/logs/analogies/pairs/{encoder}.log",
    wildcard_constraints:
        encoder="|".join(config["encoders"]) or "none",
    conda:
        "../../envs/probe.yaml"
    threads: 8
    resources:
        mem_mb=model_memory,
        runtime=model_minutes,
        device=config["scoring"]["device"],
    params:
        encoder=encoder_flags,
    shell:
        """
        HF_HUB_OFFLINE=1 python workflow/scripts/analogies_encoder.py \
            --encoder {input.encoder} \
            {params.encoder} \
            --instances {input.instances} \
            --device {resources.device} \
            --threads {threads} \
            --out {output} \
            --log {log}
        """


rule analogies_static:
    input:
        vectors="<resources>/fetched/static_vectors.json",
        instances="<results>/analogies/instances.parquet",
        code=code("analogies_static"),
    output:
        "<results>/analogies/pairs/static.parquet",
    log:
        "<results>/logs/analogies/pairs/static.log",
    conda:
        "../../envs/analysis.yaml"
    resources:
        mem_mb=vectors_memory,
    shell:
        """
        python workflow/scripts/analogies_static.py \
            --vectors {input.vectors} \
            --instances {input.instances} \
            --out {output} \
            --log {log}
        """


rule analogies_supervised:
    input:
        vectors=lambda wildcards: (
            f"<results>/analogies/pairs/{wildcards.agent}.parquet"
            if wildcards.agent in ANALOGIES_BASELINES
            else f"<results>/analogies/embeddings/{wildcards.agent}.parquet"
        ),
        instances="<results>/analogies/instances.parquet",
        code=code("analogies_supervised"),
    output:
        "<results>/analogies/supervised/{agent}.parquet",
    log:
        "<results>/logs/analogies/supervised/{agent}.log",
    wildcard_constraints:
        agent="|".join(ANALOGIES_AGENTS),
    conda:
        "../../envs/analysis.yaml"
    resources:
        mem_mb=classifier_memory,
        runtime=classifier_minutes,
    params:
        template=lambda wildcards: shlex.join(
            []
            if wildcards.agent in ANALOGIES_BASELINES
            else ["--template", ANALOGIES["template"]]
        ),
        settings=json.dumps(
            {
                key: value
                for key, value in ANALOGIES["supervised"].items()
                if key != "layer"
            },
            sort_keys=True,
        ),
    shell:
        """
        python workflow/scripts/analogies_supervised.py \
            --instances {input.instances} \
            --vectors {input.vectors} \
            --settings {params.settings:q} \
            --threads {threads} \
            --out {output} \
            --log {log} \
            {params.template}
        """


rule analogies_unsupervised:
    input:
        scores="<results>/analogies/scores/{model}.parquet",
        instances="<results>/analogies/instances.parquet",
        code=code("analogies_unsupervised"),
    output:
        "<results>/analogies/unsupervised/{model}.parquet",
    log:
        "<results>/logs/analogies/unsupervised/{model}.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        # Of a function: Snakemake would take the braces of a string for wildcards.
        template=lambda wildcards: ANALOGIES["template"],
        partitions=ANALOGIES["unsupervised"]["partitions"],
        perplexity=ANALOGIES["unsupervised"]["perplexity"],
    shell:
        """
        python workflow/scripts/analogies_unsupervised.py \
            --instances {input.instances} \
            --scores {input.scores} \
            --template {params.template:q} \
            --partitions {params.partitions} \
            --perplexity {params.perplexity} \
            --out {output} \
            --log {log}
        """


rule analogies_cosines:
    input:
        vectors="<results>/analogies/pairs/{baseline}.parquet",
        instances="<results>/analogies/instances.parquet",
        code=code("analogies_cosines"),
    output:
        "<results>/analogies/unsupervised/{baseline}.parquet",
    log:
        "<results>/logs/analogies/unsupervised/{baseline}.log",
    wildcard_constraints:
        baseline="|".join(ANALOGIES_BASELINES) or "none",
    conda:
        "../../envs/analysis.yaml"
    params:
        partitions=ANALOGIES["unsupervised"]["partitions"],
    shell:
        """
        python workflow/scripts/analogies_cosines.py \
            --instances {input.instances} \
            --vectors {input.vectors} \
            --partitions {params.partitions} \
            --out {output} \
            --log {log}
        """


rule analogies_metrics:
    input:
        decisions=[
            "<results>/analogies/supervised/{agent}.parquet",
            "<results>/analogies/unsupervised/{agent}.parquet",
        ],
        code=code("analogies_metrics"),
    output:
        "<results>/analogies/metrics/{agent}.parquet",
    log:
        "<results>/logs/analogies/metrics/{agent}.log",
    wildcard_constraints:
        agent="|".join(ANALOGIES_AGENTS),
    conda:
        "../../envs/analysis.yaml"
    shell:
        """
        python workflow/scripts/analogies_metrics.py \
            --decisions {input.decisions} \
            --out {output} \
            --log {log}
        """
