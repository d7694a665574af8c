# The analogies study (Rezaee and Camacho-Collados). Scores and embeddings depend on the probes and the model alone;
# classifiers, choices and frequencies come after them.

ANALOGIES = config["analogies"]
ANALOGIES_BASELINES = list(config["encoders"]) + STATIC
ANALOGIES_AGENTS = MODELS + ANALOGIES_BASELINES
ANALOGIES_FIGURES = [
    "groups_supervised",
    "groups_unsupervised",
    "relations_supervised",
    "relations_unsupervised",
]
ANALOGIES_TABLES = [
    *("overview", "relations", "tests", "frequency_summary", "frequency"),
    *("unjudged", "data"),
]
PAGES["analogies"] = {"tables": ANALOGIES_TABLES, "figures": ANALOGIES_FIGURES}


def classifier_memory(wildcards, attempt):
    """Megabytes of training on one relation's embeddings, of four words in each of about 6,000 sentences."""
    return attempt * (2000 + model_width(wildcards))


def classifier_minutes(wildcards, attempt):
    """Minutes of training all relations' classifiers, generous."""
    return attempt * (30 + model_width(wildcards) // 64)


def analogies_vectors(wildcards):
    """The vectors that an agent's classifiers read: a baseline embeds pairs, a model the words in a sentence."""
    folder = "pairs" if wildcards.agent in ANALOGIES_BASELINES else "embeddings"
    return f"<results>/analogies/{folder}/{wildcards.agent}.parquet"


localrules:
    analogies_snapshot,


rule analogies_instances:
    input:
        bats="<resources>/fetched/bats.json",
    output:
        tuples="<results>/analogies/tuples.parquet",
        instances="<results>/analogies/instances.parquet",
    log:
        "<results>/logs/analogies/instances.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        **step(
            "analogies",
            "instances",
            **ANALOGIES["split"],
            sample_tuples=ANALOGIES["sample"].get("tuples"),
            sample_instances=ANALOGIES["sample"].get("instances"),
        ),
    shell:
        STEP


rule analogies_probes:
    input:
        instances="<results>/analogies/instances.parquet",
    output:
        "<results>/analogies/probes.parquet",
    log:
        "<results>/logs/analogies/probes.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        **step("analogies", "probes", template=ANALOGIES["template"]),
    shell:
        STEP


use rule models_score as analogies_scores with:
    input:
        model="<resources>/fetched/models/{model}.json",
        probes="<results>/analogies/probes.parquet",
    output:
        "<results>/analogies/scores/{model}.parquet",
    log:
        "<results>/logs/analogies/scores/{model}.log",
    params:
        **model_step(
            "analogies",
            "scores",
            partitions=ANALOGIES["unsupervised"]["partitions"],
        ),


use rule models_score as analogies_embeddings with:
    input:
        model="<resources>/fetched/models/{model}.json",
        probes="<results>/analogies/probes.parquet",
    output:
        "<results>/analogies/embeddings/{model}.parquet",
    log:
        "<results>/logs/analogies/embeddings/{model}.log",
    params:
        **model_step(
            "analogies",
            "embeddings",
            template=ANALOGIES["template"],
            layer=ANALOGIES["supervised"]["layer"],
        ),


rule analogies_snapshot:
    input:
        local_files("encoders"),
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
        **step(
            "models",
            "snapshot",
            name=lambda wildcards: f"encoders.{wildcards.encoder}",
            entry=entry_of("encoders", ORIGIN_KEYS),
        ),
    shell:
        STEP


rule analogies_encoder:
    input:
        encoder="<resources>/fetched/encoders/{encoder}.json",
        instances="<results>/analogies/instances.parquet",
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
        **step(
            "analogies",
            "encoder",
            template=lambda wildcards: (
                config["encoders"][wildcards.encoder].get("template")
            ),
            pooling=lambda wildcards: (
                config["encoders"][wildcards.encoder].get("pooling")
            ),
        ),
    shell:
        OFFLINE_STEP


rule analogies_static:
    input:
        vectors="<resources>/fetched/static_vectors.json",
        instances="<results>/analogies/instances.parquet",
    output:
        "<results>/analogies/pairs/static.parquet",
    log:
        "<results>/logs/analogies/pairs/static.log",
    conda:
        "../../envs/analysis.yaml"
    resources:
        mem_mb=VECTORS_MB,
    params:
        **step("analogies", "static"),
    shell:
        STEP


rule analogies_supervised:
    input:
        vectors=analogies_vectors,
        instances="<results>/analogies/instances.parquet",
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
        **step(
            "analogies",
            "supervised",
            template=lambda wildcards: (
                None
                if wildcards.agent in ANALOGIES_BASELINES
                else ANALOGIES["template"]
            ),
            **{
                key: value
                for key, value in ANALOGIES["supervised"].items()
                if key != "layer"
            },
        ),
    shell:
        STEP


rule analogies_unsupervised:
    input:
        scores="<results>/analogies/scores/{model}.parquet",
        instances="<results>/analogies/instances.parquet",
    output:
        "<results>/analogies/unsupervised/{model}.parquet",
    log:
        "<results>/logs/analogies/unsupervised/{model}.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        **step(
            "analogies",
            "unsupervised",
            template=ANALOGIES["template"],
            **ANALOGIES["unsupervised"],
        ),
    shell:
        STEP


rule analogies_cosines:
    input:
        vectors="<results>/analogies/pairs/{agent}.parquet",
        instances="<results>/analogies/instances.parquet",
    output:
        "<results>/analogies/unsupervised/{agent}.parquet",
    log:
        "<results>/logs/analogies/unsupervised/{agent}.log",
    wildcard_constraints:
        agent="|".join(ANALOGIES_BASELINES) or "none",
    conda:
        "../../envs/analysis.yaml"
    params:
        **step(
            "analogies",
            "cosines",
            partitions=ANALOGIES["unsupervised"]["partitions"],
        ),
    shell:
        STEP


rule analogies_metrics:
    input:
        decisions=[
            "<results>/analogies/supervised/{agent}.parquet",
            "<results>/analogies/unsupervised/{agent}.parquet",
        ],
    output:
        "<results>/analogies/metrics/{agent}.parquet",
    log:
        "<results>/logs/analogies/metrics/{agent}.log",
    wildcard_constraints:
        agent="|".join(ANALOGIES_AGENTS),
    conda:
        "../../envs/analysis.yaml"
    params:
        **step("analogies", "metrics"),
    shell:
        STEP


rule analogies_averages:
    input:
        metrics=metrics_of("analogies", ANALOGIES_AGENTS),
    output:
        "<results>/analogies/averages.parquet",
    log:
        "<results>/logs/analogies/averages.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        **step("analogies", "averages"),
    shell:
        STEP


rule analogies_tests:
    input:
        metrics=metrics_of("analogies", ANALOGIES_AGENTS),
    output:
        "<results>/analogies/tests.parquet",
    log:
        "<results>/logs/analogies/tests.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        **step("analogies", "tests"),
    shell:
        STEP


rule analogies_frequency:
    input:
        decisions=expand(
            "<results>/analogies/supervised/{agent}.parquet", agent=ANALOGIES_AGENTS
        ),
        tuples="<results>/analogies/tuples.parquet",
    output:
        "<results>/analogies/frequency.parquet",
    log:
        "<results>/logs/analogies/frequency.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        **step("analogies", "frequency"),
    shell:
        STEP


rule analogies_tables:
    input:
        averages="<results>/analogies/averages.parquet",
        tests="<results>/analogies/tests.parquet",
        frequency="<results>/analogies/frequency.parquet",
        decisions=expand(
            "<results>/analogies/{setting}/{agent}.parquet",
            setting=["supervised", "unsupervised"],
            agent=ANALOGIES_AGENTS,
        ),
        tuples="<results>/analogies/tuples.parquet",
        instances="<results>/analogies/instances.parquet",
    output:
        tables=tables("analogies", ANALOGIES_TABLES + ["averages"]),
    log:
        "<results>/logs/analogies/tables.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        **step("analogies", "tables"),
    shell:
        STEP


rule analogies_figures:
    input:
        averages="<results>/analogies/averages.parquet",
        tuples="<results>/analogies/tuples.parquet",
    output:
        prints("analogies", ANALOGIES_FIGURES),
        figures=figures("analogies", ANALOGIES_FIGURES),
    log:
        "<results>/logs/analogies/figures.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        **step("analogies", "figures", kinds=kinds_of(ANALOGIES_BASELINES)),
    shell:
        STEP


rule analogies_published:
    input:
        published=shipped("resources/published/analogies.csv"),
        averages="<results>/analogies/averages.parquet",
        frequency="<results>/analogies/frequency.parquet",
    output:
        tables("analogies", ["published"]),
    log:
        "<results>/logs/analogies/published.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        **step("analogies", "published"),
    shell:
        STEP
