# The degrees study: averages, tests, and what the paper printed.


use rule comparing as degrees_ceiling with:
    input:
        relations=DEGREES_RELATIONS,
        prompts=DEGREES_DESCRIPTION,
    output:
        "<results>/degrees/ceiling.parquet",
    log:
        "<results>/logs/degrees/ceiling.log",
    params:
        **step("degrees", "ceiling", seed=DEGREES["seed"]),


use rule measuring as degrees_choice_metrics with:
    input:
        choices="<results>/degrees/reply_choices/{agent}.parquet",
        gold="<results>/degrees/gold.parquet",
        questions="<results>/degrees/questions.parquet",
    output:
        metrics="<results>/degrees/metrics/{agent}.parquet",
        sensitivity="<results>/degrees/sensitivity/{agent}.parquet",
    log:
        "<results>/logs/degrees/metrics/{agent}.log",
    wildcard_constraints:
        agent=one_of(DEGREES_TAKERS),
    params:
        **step("degrees", "choice_metrics", model=lambda wildcards: wildcards.agent),


use rule measuring as degrees_metrics with:
    input:
        ratings="<results>/degrees/ratings/{agent}.parquet",
        gold="<results>/degrees/gold.parquet",
        questions="<results>/degrees/questions.parquet",
        printed=for_agents(
            [] if DEGREES_OWN else ["static"],
            "<results>/degrees/printed/static.parquet",
        ),
    output:
        metrics="<results>/degrees/metrics/{agent}.parquet",
        sensitivity="<results>/degrees/sensitivity/{agent}.parquet",
    log:
        "<results>/logs/degrees/metrics/{agent}.log",
    wildcard_constraints:
        agent=one_of(DEGREES_MODELS + DEGREES_BASELINES),
    params:
        **step("degrees", "metrics", seed=DEGREES["seed"]),


use rule comparing as degrees_averages with:
    input:
        metrics=metrics_of("degrees", DEGREES_AGENTS),
    output:
        "<results>/degrees/averages.parquet",
    log:
        "<results>/logs/degrees/averages.log",
    params:
        **step("degrees", "averages", targets=config["targets"]),


use rule comparing as degrees_tests with:
    input:
        metrics=metrics_of("degrees", DEGREES_AGENTS),
    output:
        "<results>/degrees/tests.parquet",
    log:
        "<results>/logs/degrees/tests.log",
    params:
        **step("degrees", "tests", members=members_of("degrees")),


if DEGREES_LAYERED:

    use rule comparing as degrees_layers with:
        input:
            layered=expand("<results>/degrees/layer_metrics/{model}.parquet", model=DEGREES_LAYERED),
            metrics=metrics_of("degrees", DEGREES_BASELINES),
            averages="<results>/degrees/averages.parquet",
        output:
            out=tables("degrees", "layers"),
        log:
            "<results>/logs/degrees/layers.log",
        params:
            **step("degrees", "layers", targets=config["targets"]),


use rule comparing as degrees_published with:
    input:
        published=[] if DEGREES_OWN else shipped("resources/published/degrees.csv"),
        averages="<results>/degrees/averages.parquet",
        data=parquet("degrees", ["data"]),
        difficulty=parquet("degrees", ["difficulty"]),
        spread=parquet("degrees", ["spread"]),
    output:
        tables("degrees", "published"),
    log:
        "<results>/logs/degrees/published.log",
    params:
        **step("degrees", "published", inference=config["inference"]),
