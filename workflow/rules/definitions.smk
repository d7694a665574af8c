# The definitions study (WDLMPro). Scores depend on the probes, the patterns and the model alone; groups and baselines
# enter after them, in jobs of seconds.

DEFINITIONS = config["definitions"]
DEFINITIONS_BASELINES = ["random"] + STATIC
DEFINITIONS_MODELS = models_of("definitions")
DEFINITIONS_AGENTS = DEFINITIONS_BASELINES + DEFINITIONS_MODELS
DEFINITIONS_TABLES = ["overview", "tests", "tasks", "frequency", "depth"]
DEFINITIONS_TABLES += ["confusions", "data"]
DEFINITIONS_FIGURES = ["precision", "rank_score", "frequency", "depth"]
PAGES["definitions"] = {"tables": DEFINITIONS_TABLES, "figures": DEFINITIONS_FIGURES}


use rule analysis as definitions_probes with:
    input:
        wordnet="<resources>/fetched/nltk_wordnet.json",
    output:
        groups="<results>/definitions/groups.parquet",
        probes="<results>/definitions/probes.parquet",
        sizes="<results>/definitions/sizes.parquet",
    log:
        "<results>/logs/definitions/probes.log",
    resources:
        mem_mb=megabytes(3000),
    params:
        **step("definitions", "probes", sample=DEFINITIONS["sample"]),


use rule scoring as definitions_scores with:
    input:
        model=MANIFEST,
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
            shots=shots,
            examples=examples_of("definitions"),
        ),


use rule analysis as definitions_responses with:
    input:
        scores="<results>/definitions/scores/{model}.parquet",
        groups="<results>/definitions/groups.parquet",
        probes="<results>/definitions/probes.parquet",
    output:
        "<results>/definitions/responses/{model}.parquet",
    log:
        "<results>/logs/definitions/responses/{model}.log",
    params:
        **step(
            "definitions",
            "responses",
            type=lambda wildcards: config["models"][wildcards.model]["type"],
        ),


use rule analysis as definitions_baseline with:
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
    resources:
        mem_mb=VECTORS_MB,
    params:
        **step("definitions", "baseline"),


use rule analysis as definitions_metrics with:
    input:
        responses="<results>/definitions/responses/{agent}.parquet",
        groups="<results>/definitions/groups.parquet",
    output:
        "<results>/definitions/metrics/{agent}.parquet",
    log:
        "<results>/logs/definitions/metrics/{agent}.log",
    wildcard_constraints:
        agent="|".join(DEFINITIONS_AGENTS),
    params:
        **step("definitions", "metrics"),


use rule analysis as definitions_averages with:
    input:
        metrics=metrics_of("definitions", DEFINITIONS_AGENTS),
    output:
        "<results>/definitions/averages.parquet",
    log:
        "<results>/logs/definitions/averages.log",
    params:
        **step("definitions", "averages", targets=config["targets"]),


use rule analysis as definitions_tests with:
    input:
        metrics=metrics_of("definitions", DEFINITIONS_AGENTS),
    output:
        agents="<results>/definitions/tests.parquet",
        tasks="<results>/definitions/tasks.parquet",
    log:
        "<results>/logs/definitions/tests.log",
    params:
        **step("definitions", "tests", controls=DEFINITIONS_BASELINES),


use rule analysis as definitions_tables with:
    input:
        averages="<results>/definitions/averages.parquet",
        agents="<results>/definitions/tests.parquet",
        tasks="<results>/definitions/tasks.parquet",
        sizes="<results>/definitions/sizes.parquet",
        groups="<results>/definitions/groups.parquet",
        responses=expand(
            "<results>/definitions/responses/{agent}.parquet", agent=DEFINITIONS_AGENTS
        ),
    output:
        tables=tables("definitions", DEFINITIONS_TABLES + ["averages"]),
    log:
        "<results>/logs/definitions/tables.log",
    params:
        **step("definitions", "tables"),


use rule analysis as definitions_figures with:
    input:
        averages="<results>/definitions/averages.parquet",
    output:
        prints("definitions", DEFINITIONS_FIGURES),
        figures=figures("definitions", DEFINITIONS_FIGURES),
    log:
        "<results>/logs/definitions/figures.log",
    params:
        **step(
            "definitions",
            "figures",
            kinds=kinds_of("definitions", DEFINITIONS_BASELINES),
        ),


use rule analysis as definitions_published with:
    input:
        published=shipped("resources/published/definitions.csv"),
        averages="<results>/definitions/averages.parquet",
        sizes="<results>/definitions/sizes.parquet",
    output:
        tables("definitions", ["published"]),
    log:
        "<results>/logs/definitions/published.log",
    params:
        **step("definitions", "published"),


use rule analysis as definitions_answers with:
    input:
        responses=expand(
            "<results>/definitions/responses/{agent}.parquet", agent=DEFINITIONS_AGENTS
        ),
        groups="<results>/definitions/groups.parquet",
        template=shipped("workflow/report/answers.html.j2"),
    output:
        report(
            "<results>/definitions/answers.html",
            category="Definitions",
            labels={"page": "answers"},
        ),
    log:
        "<results>/logs/definitions/answers.log",
    params:
        **step("definitions", "answers"),


PAGES["definitions"]["answers"] = True
