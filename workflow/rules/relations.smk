# The relations study (Cao et al.). Scores depend on the probes and the model alone; gold data, human answers and the
# shared lexicon enter after them, in jobs of seconds.

STUDY = config["relations"]
HUMANS = ["humans"] if "human_responses" in config["resources"] else []
AGENTS = HUMANS + list(config["models"])
KINDS = {"humans": "humans"} | {
    name: entry["type"] for name, entry in config["models"].items()
}

FIGURES = (
    ["soundness", "completeness"]
    + expand(
        "{metric}_{k}",
        metric=["symmetry", "asymmetry"],
        k=STUDY["choices"]["symmetry_k"],
    )
    + ["prototypicality" for _ in HUMANS]
    + ["distinguishability_curves", "distinguishability_matrices", "first_related"]
)
COMPARISONS = [
    *(
        "size_differences",
        "size_averages",
        "size_reversals",
        "best_by_type",
        "wins_by_type",
    ),
    *("frequency", "prompt_variance", "unequal_prompts", "first_related", "left_out"),
]

ENTROPY = ["response_entropy" for _ in HUMANS]
TABLES = (
    ["overview", "tests"]
    + [name for name in COMPARISONS if name not in ("first_related", "prompt_variance")]
    + [name for _ in HUMANS for name in ("entropy", "entropy_differences")]
    + ["data"]
)


wildcard_constraints:
    agent="|".join(AGENTS),


rule relations_tuples:
    input:
        sources=expand(
            "<resources>/fetched/{name}.json",
            name=[
                "nltk_wordnet" if name == "wordnet" else name
                for name in STUDY["tuples"]
            ],
        ),
        code=code("relations_tuples"),
    output:
        "<results>/relations/tuples.parquet",
    log:
        "<results>/logs/relations/tuples.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        wordnet_sample=json.dumps(STUDY.get("wordnet_sample"), sort_keys=True),
    shell:
        """
        python workflow/scripts/relations_tuples.py \
            --sources {input.sources} \
            --wordnet-sample {params.wordnet_sample:q} \
            --out {output} \
            --log {log}
        """


rule relations_probes:
    input:
        tuples="<results>/relations/tuples.parquet",
        prompts=STUDY["prompts"],
        code=code("relations_probes"),
    output:
        "<results>/relations/probes.parquet",
    log:
        "<results>/logs/relations/probes.log",
    conda:
        "../../envs/analysis.yaml"
    shell:
        """
        python workflow/scripts/relations_probes.py \
            --tuples {input.tuples} \
            --prompts {input.prompts:q} \
            --out {output} \
            --log {log}
        """


rule relations_relata:
    input:
        tuples="<results>/relations/tuples.parquet",
        lexicon="<results>/shared_lexicon.parquet",
        wordnet="<resources>/fetched/nltk_wordnet.json",
        code=code("relations_relata"),
    output:
        "<results>/relations/relata.parquet",
    log:
        "<results>/logs/relations/relata.log",
    conda:
        "../../envs/analysis.yaml"
    shell:
        """
        python workflow/scripts/relations_relata.py \
            --tuples {input.tuples} \
            --lexicon {input.lexicon} \
            --wordnet {input.wordnet} \
            --out {output} \
            --log {log}
        """


rule relations_scores:
    input:
        model="<resources>/fetched/models/{model}.json",
        lexicon="<results>/lexicons/{model}.parquet",
        probes="<results>/relations/probes.parquet",
        code=code("relations_scores"),
    output:
        "<results>/relations/scores/{model}.parquet",
    log:
        "<results>/logs/relations/scores/{model}.log",
    conda:
        "../../envs/probe.yaml"
    threads: 8
    resources:
        mem_mb=4000,
        # How to compute, not what: as resources they re-run nothing.
        device=config["scoring"]["device"],
        batch_tokens=config["scoring"]["batch_tokens"],
    params:
        type=lookup(dpath="models/{model}/type", within=config),
        dtype=lookup(dpath="models/{model}/dtype", within=config, default="auto"),
        bos=lookup(dpath="models/{model}/bos", within=config, default="auto"),
        context=lookup(dpath="models/{model}/context", within=config, default=""),
        device_map=lookup(
            dpath="models/{model}/device_map", within=config, default="none"
        ),
        top_k=STUDY["top_k"],
        special_tokens=STUDY["special_tokens"],
    shell:
        """
        python workflow/scripts/relations_scores.py \
            --model {input.model} \
            --type {params.type} \
            --dtype {params.dtype} \
            --bos {params.bos} \
            --context={params.context:q} \
            --device-map {params.device_map} \
            --lexicon {input.lexicon} \
            --probes {input.probes} \
            --top-k {params.top_k} \
            --special-tokens {params.special_tokens} \
            --device {resources.device} \
            --batch-tokens {resources.batch_tokens} \
            --threads {threads} \
            --out {output} \
            --log {log}
        """


rule relations_responses:
    input:
        scores="<results>/relations/scores/{model}.parquet",
        lexicon="<results>/lexicons/{model}.parquet",
        code=code("relations_responses"),
    output:
        "<results>/relations/responses/{model}.parquet",
    log:
        "<results>/logs/relations/responses/{model}.log",
    conda:
        "../../envs/analysis.yaml"
    shell:
        """
        python workflow/scripts/relations_responses.py \
            --scores {input.scores} \
            --lexicon {input.lexicon} \
            --out {output} \
            --log {log}
        """


rule relations_human_responses:
    input:
        answers="<resources>/fetched/human_responses.json",
        probes="<results>/relations/probes.parquet",
        prompts=STUDY["prompts"],
        code=code("relations_human_responses"),
    output:
        "<results>/relations/responses/humans.parquet",
    log:
        "<results>/logs/relations/responses/humans.log",
    conda:
        "../../envs/analysis.yaml"
    shell:
        """
        python workflow/scripts/relations_human_responses.py \
            --answers {input.answers} \
            --probes {input.probes} \
            --prompts {input.prompts:q} \
            --out {output} \
            --log {log}
        """


rule relations_metrics:
    input:
        responses="<results>/relations/responses/{agent}.parquet",
        probes="<results>/relations/probes.parquet",
        relata="<results>/relations/relata.parquet",
        tuples="<results>/relations/tuples.parquet",
        lexicon="<results>/shared_lexicon.parquet",
        humans=expand("<results>/relations/responses/{humans}.parquet", humans=HUMANS),
        code=code("relations_metrics"),
    output:
        "<results>/relations/metrics/{agent}.parquet",
    log:
        "<results>/logs/relations/metrics/{agent}.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        humans=lambda wildcards, input: (
            f"--humans {input.humans}" if input.humans else ""
        ),
        choices=json.dumps(STUDY["choices"], sort_keys=True),
    shell:
        """
        python workflow/scripts/relations_metrics.py \
            --responses {input.responses} \
            --probes {input.probes} \
            --relata {input.relata} \
            --tuples {input.tuples} \
            --lexicon {input.lexicon} \
            --choices {params.choices:q} \
            --out {output} \
            --log {log} \
            {params.humans}
        """
