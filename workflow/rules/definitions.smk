# The definitions study (WDLMPro). Scores depend on the probes, the patterns and the model alone; groups and baselines
# enter after them, in jobs of seconds.

DEFINITIONS = config["definitions"]
DEFINITIONS_BASELINES = ["random"] + STATIC
DEFINITIONS_AGENTS = DEFINITIONS_BASELINES + MODELS
DEFINITIONS_TABLES = ["overview", "tests", "frequency", "depth", "confusions", "data"]
DEFINITIONS_FIGURES = ["precision", "rank_score", "frequency", "depth"]
PAGES["definitions"] = {"tables": DEFINITIONS_TABLES, "figures": DEFINITIONS_FIGURES}


rule definitions_probes:
    input:
        wordnet="<resources>/fetched/nltk_wordnet.json",
    output:
        groups="<results>/definitions/groups.parquet",
        probes="<results>/definitions/probes.parquet",
        sizes="<results>/definitions/sizes.parquet",
    log:
        "<results>/logs/definitions/probes.log",
    conda:
        "../../envs/analysis.yaml"
    resources:
        mem_mb=megabytes(3000),
    params:
        **step("definitions", "probes", sample=DEFINITIONS["sample"]),
    shell:
        STEP


use rule models_score as definitions_scores with:
    input:
        model="<resources>/fetched/models/{model}.json",
        probes="<results>/definitions/probes.parquet",
        prompts=DEFINITIONS["prompts"],
    output:
        "<results>/definitions/scores/{model}.parquet",
    log:
        "<results>/logs/definitions/scores/{model}.log",
    params:
        **model_step(
            "definitions",
            "scores",
            capitals=lambda wildcards: wildcards.model in DEFINITIONS["capitals"],
        ),


rule definitions_responses:
    input:
        scores="<results>/definitions/scores/{model}.parquet",
        groups="<results>/definitions/groups.parquet",
        probes="<results>/definitions/probes.parquet",
    output:
        "<results>/definitions/responses/{model}.parquet",
    log:
        "<results>/logs/definitions/responses/{model}.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        **step(
            "definitions",
            "responses",
            type=lambda wildcards: config["models"][wildcards.model]["type"],
        ),
    shell:
        STEP


rule definitions_baseline:
    input:
        groups="<results>/definitions/groups.parquet",
        probes="<results>/definitions/probes.parquet",
        vectors=branch(
            lambda wildcards: wildcards.agent == "static",
            then="<resources>/fetched/static_vectors.json",
        ),
    output:
        "<results>/definitions/responses/{agent}.parquet",
    log:
        "<results>/logs/definitions/responses/{agent}.log",
    wildcard_constraints:
        agent="|".join(DEFINITIONS_BASELINES),
    conda:
        "../../envs/analysis.yaml"
    resources:
        mem_mb=VECTORS_MB,
    params:
        **step("definitions", "baseline"),
    shell:
        STEP


rule definitions_metrics:
    input:
        responses="<results>/definitions/responses/{agent}.parquet",
        groups="<results>/definitions/groups.parquet",
    output:
        "<results>/definitions/metrics/{agent}.parquet",
    log:
        "<results>/logs/definitions/metrics/{agent}.log",
    wildcard_constraints:
        agent="|".join(DEFINITIONS_AGENTS),
    conda:
        "../../envs/analysis.yaml"
    params:
        **step("definitions", "metrics"),
    shell:
        STEP


rule definitions_averages:
    input:
        metrics=metrics_of("definitions", DEFINITIONS_AGENTS),
    output:
        "<results>/definitions/averages.parquet",
    log:
        "<results>/logs/definitions/averages.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        **step("definitions", "averages"),
    shell:
        STEP


rule definitions_tests:
    input:
        metrics=metrics_of("definitions", DEFINITIONS_AGENTS),
    output:
        "<results>/definitions/tests.parquet",
    log:
        "<results>/logs/definitions/tests.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        **step("definitions", "tests"),
    shell:
        STEP


rule definitions_tables:
    input:
        averages="<results>/definitions/averages.parquet",
        tests="<results>/definitions/tests.parquet",
        sizes="<results>/definitions/sizes.parquet",
        groups="<results>/definitions/groups.parquet",
        responses=expand(
            "<results>/definitions/responses/{agent}.parquet", agent=DEFINITIONS_AGENTS
        ),
    output:
        tables=tables("definitions", DEFINITIONS_TABLES + ["averages"]),
    log:
        "<results>/logs/definitions/tables.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        **step("definitions", "tables"),
    shell:
        STEP


rule definitions_figures:
    input:
        averages="<results>/definitions/averages.parquet",
    output:
        prints("definitions", DEFINITIONS_FIGURES),
        figures=figures("definitions", DEFINITIONS_FIGURES),
    log:
        "<results>/logs/definitions/figures.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        **step("definitions", "figures", kinds=kinds_of(DEFINITIONS_BASELINES)),
    shell:
        STEP


rule definitions_published:
    input:
        published=shipped("resources/published/definitions.csv"),
        averages="<results>/definitions/averages.parquet",
        sizes="<results>/definitions/sizes.parquet",
    output:
        tables("definitions", ["published"]),
    log:
        "<results>/logs/definitions/published.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        **step("definitions", "published"),
    shell:
        STEP
