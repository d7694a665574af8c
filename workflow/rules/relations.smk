# The relations study (Cao et al.). Scores depend on the probes and the model alone; gold data, human answers and the
# shared lexicon enter after them, in jobs of seconds.

RELATIONS = config["relations"]
HUMANS = ["humans"] if "human_responses" in config["resources"] else []
RELATIONS_AGENTS = HUMANS + list(config["models"])
# What an agent answered: the humans' responses, or a model's scores and the words of its tokens.
RELATIONS_ANSWERS = {
    model: [
        f"<results>/relations/scores/{model}.parquet",
        f"<results>/lexicons/{model}.parquet",
    ]
    for model in config["models"]
} | {humans: ["<results>/relations/responses/humans.parquet"] for humans in HUMANS}
RELATIONS_KINDS = {"humans": "humans"} | {
    name: entry["type"] for name, entry in config["models"].items()
}


rule shared_lexicon:
    input:
        lexicons=expand(
            "<results>/lexicons/{model}.parquet", model=config["lexicon"]["panel"]
        ),
        code=code("shared_lexicon"),
    output:
        "<results>/shared_lexicon.parquet",
    log:
        "<results>/logs/shared_lexicon.log",
    conda:
        "../../envs/analysis.yaml"
    shell:
        """
        python workflow/scripts/shared_lexicon.py \
            --lexicons {input.lexicons} \
            --out {output} \
            --log {log}
        """


rule relations_tuples:
    input:
        sources=expand(
            "<resources>/fetched/{name}.json",
            name=[
                "nltk_wordnet" if name == "wordnet" else name
                for name in RELATIONS["tuples"]
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
        exemplar_frequency=RELATIONS["exemplar_frequency"],
        wordnet_sample=json.dumps(RELATIONS.get("wordnet_sample"), sort_keys=True),
    shell:
        """
        python workflow/scripts/relations_tuples.py \
            --sources {input.sources} \
            --exemplar-frequency {params.exemplar_frequency} \
            --wordnet-sample {params.wordnet_sample:q} \
            --out {output} \
            --log {log}
        """


rule relations_probes:
    input:
        tuples="<results>/relations/tuples.parquet",
        prompts=RELATIONS["prompts"],
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
        mem_mb=model_memory,
        runtime=model_minutes,
        # How to compute, not what: as resources they re-run nothing.
        device=config["scoring"]["device"],
        batch_tokens=config["scoring"]["batch_tokens"],
        compile=int(config["scoring"]["compile"]),
    params:
        model=model_flags,
        top_k=RELATIONS["top_k"],
        special_tokens=RELATIONS["special_tokens"],
    shell:
        """
        HF_HUB_OFFLINE=1 python workflow/scripts/relations_scores.py \
            --model {input.model} \
            {params.model} \
            --lexicon {input.lexicon} \
            --probes {input.probes} \
            --top-k {params.top_k} \
            --special-tokens {params.special_tokens} \
            --device {resources.device} \
            --batch-tokens {resources.batch_tokens} \
            --compile {resources.compile} \
            --threads {threads} \
            --out {output} \
            --log {log}
        """


rule relations_human_responses:
    input:
        answers="<resources>/fetched/human_responses.json",
        probes="<results>/relations/probes.parquet",
        prompts=RELATIONS["prompts"],
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
        answers=lambda wildcards: RELATIONS_ANSWERS[wildcards.agent],
        probes="<results>/relations/probes.parquet",
        relata="<results>/relations/relata.parquet",
        tuples="<results>/relations/tuples.parquet",
        lexicon="<results>/shared_lexicon.parquet",
        humans=expand("<results>/relations/responses/{humans}.parquet", humans=HUMANS),
        code=code("relations_metrics"),
    output:
        metrics="<results>/relations/metrics/{agent}.parquet",
        sensitivity="<results>/relations/sensitivity/{agent}.parquet",
        top_words="<results>/relations/top_words/{agent}.parquet",
    log:
        "<results>/logs/relations/metrics/{agent}.log",
    wildcard_constraints:
        agent="|".join(RELATIONS_AGENTS),
    conda:
        "../../envs/analysis.yaml"
    params:
        humans=lambda wildcards, input: (
            f"--humans {input.humans}" if input.humans else ""
        ),
        choices=json.dumps(RELATIONS["choices"], sort_keys=True),
    shell:
        """
        python workflow/scripts/relations_metrics.py \
            --answers {input.answers} \
            --probes {input.probes} \
            --relata {input.relata} \
            --tuples {input.tuples} \
            --lexicon {input.lexicon} \
            --choices {params.choices:q} \
            --out {output.metrics} \
            --sensitivity {output.sensitivity} \
            --top-words {output.top_words} \
            --log {log} \
            {params.humans}
        """
