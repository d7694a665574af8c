# The degrees study: values of each agent, unit by unit.


use rule measuring as degrees_layer_metrics with:
    input:
        scores="<results>/degrees/layer_scores/{model}.parquet",
        probes="<results>/degrees/probes.parquet",
        gold="<results>/degrees/gold.parquet",
        questions="<results>/degrees/questions.parquet",
    output:
        "<results>/degrees/layer_metrics/{model}.parquet",
    log:
        "<results>/logs/degrees/layer_metrics/{model}.log",
    params:
        **step("degrees", "layer_metrics"),


use rule measuring as degrees_ratings with:
    input:
        scores=signed(
            lambda wildcards: [
                f"<results>/degrees/scores/{DEGREES_KINDS[rater]}/{wildcards.model}.parquet"
                for rater in DEGREES_RATERS[wildcards.model]
            ]
        ),
        probes="<results>/degrees/probes.parquet",
    output:
        "<results>/degrees/ratings/{model}.parquet",
    log:
        "<results>/logs/degrees/ratings/{model}.log",
    wildcard_constraints:
        model=one_of(DEGREES_MODELS),
    params:
        **step(
            "degrees",
            "ratings",
            model=lambda wildcards: wildcards.model,
            raters=lambda wildcards: DEGREES_RATERS[wildcards.model],
        ),


use rule measuring as degrees_baseline with:
    input:
        relations=DEGREES_RELATIONS,
        prompts=DEGREES_DESCRIPTION,
        supplied=for_agents(["pmi"], DEGREES_RELATIONS),
        vectors=for_agents(["static", "typical"], "<resources>/fetched/static_vectors.json"),
    output:
        "<results>/degrees/ratings/{agent}.parquet",
    log:
        "<results>/logs/degrees/ratings/{agent}.log",
    wildcard_constraints:
        agent="random|pmi|static|typical",
    resources:
        mem_mb=VECTORS_MB,
    params:
        **step(
            "degrees",
            "baseline",
            agent=lambda wildcards: wildcards.agent,
            seed=DEGREES["seed"],
            paradigms=DEGREES["paradigms"],
        ),


use rule degrees_baseline as degrees_printed with:
    input:
        relations=DEGREES_RELATIONS,
        vectors="<resources>/fetched/static_vectors.json",
    output:
        "<results>/degrees/printed/static.parquet",
    log:
        "<results>/logs/degrees/printed.log",
    params:
        **step("degrees", "baseline", agent="static", seed=DEGREES["seed"], paradigms="printed"),
