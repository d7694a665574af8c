# The degrees study (SemEval-2012 Task 2). Scores depend on the probes and the model alone; people's answers enter after
# them. A model has several raters, each an agent; its files hold all of them.

from relprobe.degrees.config import RATERS as DEGREES_KINDS

DEGREES = config["degrees"]
DEGREES_STATIC = ["static"] if "static_vectors" in config["resources"] else []
DEGREES_BASELINES = DEGREES["baselines"] + DEGREES_STATIC
DEGREES_RATED = list(config["models"]) + DEGREES_BASELINES


rule degrees_gold:
    input:
        package="<resources>/fetched/semeval2012.json",
        code=code("degrees_gold"),
    output:
        gold="<results>/degrees/gold.parquet",
        questions="<results>/degrees/questions.parquet",
    log:
        "<results>/logs/degrees/gold.log",
    conda:
        "../../envs/analysis.yaml"
    shell:
        """
        python workflow/scripts/degrees_gold.py \
            --package {input.package} \
            --gold {output.gold} \
            --questions {output.questions} \
            --log {log}
        """


rule degrees_probes:
    input:
        package="<resources>/fetched/semeval2012.json",
        prompts=DEGREES["prompts"],
        code=code("degrees_probes"),
    output:
        "<results>/degrees/probes.parquet",
    log:
        "<results>/logs/degrees/probes.log",
    conda:
        "../../envs/analysis.yaml"
    shell:
        """
        python workflow/scripts/degrees_probes.py \
            --package {input.package} \
            --prompts {input.prompts:q} \
            --out {output} \
            --log {log}
        """


rule degrees_scores:
    input:
        model="<resources>/fetched/models/{model}.json",
        probes="<results>/degrees/probes.parquet",
        code=code("degrees_scores"),
    output:
        "<results>/degrees/scores/{kind}/{model}.parquet",
    log:
        "<results>/logs/degrees/scores/{kind}/{model}.log",
    wildcard_constraints:
        kind="schema|analogy|pmi|hidden",
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
        layer=lambda wildcards: (
            f"--layer={DEGREES['layer']}" if wildcards.kind == "hidden" else ""
        ),
    shell:
        """
        HF_HUB_OFFLINE=1 python workflow/scripts/degrees_scores.py \
            --model {input.model} \
            {params.model} \
            --probes {input.probes} \
            --kind {wildcards.kind} \
            {params.layer} \
            --device {resources.device} \
            --batch-tokens {resources.batch_tokens} \
            --compile {resources.compile} \
            --threads {threads} \
            --out {output} \
            --log {log}
        """


rule degrees_ratings:
    input:
        scores=expand(
            "<results>/degrees/scores/{kind}/{{model}}.parquet",
            kind=[DEGREES_KINDS[rater] for rater in DEGREES["raters"]],
        ),
        probes="<results>/degrees/probes.parquet",
        code=code("degrees_ratings"),
    output:
        "<results>/degrees/ratings/{model}.parquet",
    log:
        "<results>/logs/degrees/ratings/{model}.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        raters=DEGREES["raters"],
    shell:
        """
        python workflow/scripts/degrees_ratings.py \
            --model {wildcards.model} \
            --raters {params.raters} \
            --scores {input.scores} \
            --probes {input.probes} \
            --out {output} \
            --log {log}
        """


rule degrees_baseline:
    input:
        package="<resources>/fetched/semeval2012.json",
        vectors=lambda wildcards: (
            "<resources>/fetched/static_vectors.json"
            if wildcards.baseline == "static"
            else []
        ),
        code=code("degrees_baseline"),
    output:
        "<results>/degrees/ratings/{baseline}.parquet",
    log:
        "<results>/logs/degrees/ratings/{baseline}.log",
    wildcard_constraints:
        baseline="random|pmi|static",
    conda:
        "../../envs/analysis.yaml"
    resources:
        mem_mb=vectors_memory,
    params:
        vectors=lambda wildcards, input: (
            f"--vectors {input.vectors}" if input.vectors else ""
        ),
        seed=DEGREES["seed"],
    shell:
        """
        python workflow/scripts/degrees_baseline.py \
            --agent {wildcards.baseline} \
            --package {input.package} \
            {params.vectors} \
            --seed {params.seed} \
            --out {output} \
            --log {log}
        """


rule degrees_metrics:
    input:
        ratings="<results>/degrees/ratings/{rated}.parquet",
        gold="<results>/degrees/gold.parquet",
        questions="<results>/degrees/questions.parquet",
        code=code("degrees_metrics"),
    output:
        "<results>/degrees/metrics/{rated}.parquet",
    log:
        "<results>/logs/degrees/metrics/{rated}.log",
    wildcard_constraints:
        rated="|".join(DEGREES_RATED),
    conda:
        "../../envs/analysis.yaml"
    params:
        seed=DEGREES["seed"],
    shell:
        """
        python workflow/scripts/degrees_metrics.py \
            --ratings {input.ratings} \
            --gold {input.gold} \
            --questions {input.questions} \
            --seed {params.seed} \
            --out {output} \
            --log {log}
        """
