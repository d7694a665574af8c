# The definitions study (WDLMPro). Scores depend on the probes, the patterns and the model alone; groups and baselines
# enter after them, in jobs of seconds.

DEFINITIONS = config["definitions"]
DEFINITIONS_BASELINES = ["random"] + (
    ["static"] if "static_vectors" in config["resources"] else []
)
DEFINITIONS_AGENTS = DEFINITIONS_BASELINES + list(config["models"])


rule definitions_groups:
    input:
        wordnet="<resources>/fetched/nltk_wordnet.json",
        code=code("definitions_groups"),
    output:
        groups="<results>/definitions/groups.parquet",
        probes="<results>/definitions/probes.parquet",
        sizes="<results>/definitions/sizes.parquet",
    log:
        "<results>/logs/definitions/groups.log",
    conda:
        "../../envs/analysis.yaml"
    resources:
        mem_mb=megabytes(3000),
    params:
        sample=json.dumps(DEFINITIONS["sample"], sort_keys=True),
    shell:
        """
        python workflow/scripts/definitions_groups.py \
            --wordnet {input.wordnet} \
            --sample {params.sample:q} \
            --groups {output.groups} \
            --probes {output.probes} \
            --sizes {output.sizes} \
            --log {log}
        """


rule definitions_scores:
    input:
        model="<resources>/fetched/models/{model}.json",
        probes="<results>/definitions/probes.parquet",
        prompts=DEFINITIONS["prompts"],
        code=code("definitions_scores"),
    output:
        "<results>/definitions/scores/{model}.parquet",
    log:
        "<results>/logs/definitions/scores/{model}.log",
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
        capitals=lambda wildcards: (
            "yes" if wildcards.model in DEFINITIONS["capitals"] else "no"
        ),
    shell:
        """
        HF_HUB_OFFLINE=1 python workflow/scripts/definitions_scores.py \
            --model {input.model} \
            {params.model} \
            --probes {input.probes} \
            --prompts {input.prompts:q} \
            --capitals {params.capitals} \
            --device {resources.device} \
            --batch-tokens {resources.batch_tokens} \
            --compile {resources.compile} \
            --threads {threads} \
            --out {output} \
            --log {log}
        """


rule definitions_responses:
    input:
        scores="<results>/definitions/scores/{model}.parquet",
        groups="<results>/definitions/groups.parquet",
        probes="<results>/definitions/probes.parquet",
        code=code("definitions_responses"),
    output:
        "<results>/definitions/responses/{model}.parquet",
    log:
        "<results>/logs/definitions/responses/{model}.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        type=lookup(within=config, dpath="models/{model}/type"),
    shell:
        """
        python workflow/scripts/definitions_responses.py \
            --type {params.type} \
            --scores {input.scores} \
            --groups {input.groups} \
            --probes {input.probes} \
            --out {output} \
            --log {log}
        """


rule definitions_baseline:
    input:
        groups="<results>/definitions/groups.parquet",
        probes="<results>/definitions/probes.parquet",
        vectors=branch(
            lambda wildcards: wildcards.agent == "static",
            then="<resources>/fetched/static_vectors.json",
        ),
        code=code("definitions_baseline"),
    output:
        "<results>/definitions/responses/{agent}.parquet",
    log:
        "<results>/logs/definitions/responses/{agent}.log",
    wildcard_constraints:
        agent="|".join(DEFINITIONS_BASELINES),
    conda:
        "../../envs/analysis.yaml"
    resources:
        mem_mb=vectors_memory,
    params:
        vectors=lambda wildcards, input: (
            f"--vectors {input.vectors}" if input.vectors else ""
        ),
    shell:
        """
        python workflow/scripts/definitions_baseline.py \
            --groups {input.groups} \
            --probes {input.probes} \
            --out {output} \
            --log {log} \
            {params.vectors}
        """


rule definitions_metrics:
    input:
        responses="<results>/definitions/responses/{agent}.parquet",
        groups="<results>/definitions/groups.parquet",
        code=code("definitions_metrics"),
    output:
        "<results>/definitions/metrics/{agent}.parquet",
    log:
        "<results>/logs/definitions/metrics/{agent}.log",
    wildcard_constraints:
        agent="|".join(DEFINITIONS_AGENTS),
    conda:
        "../../envs/analysis.yaml"
    shell:
        """
        python workflow/scripts/definitions_metrics.py \
            --responses {input.responses} \
            --groups {input.groups} \
            --out {output} \
            --log {log}
        """
