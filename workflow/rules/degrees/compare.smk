# The degrees study: values of each agent, averages and tests.


# What an agent's values are made of, and what a rule of them writes.
DEGREES_PEOPLE = {name: f"<results>/degrees/{name}.parquet" for name in ("gold", "questions")}
DEGREES_VALUES = {name: f"<results>/degrees/{name}/{{agent}}.parquet" for name in ("metrics", "sensitivity")}


use rule measuring as degrees_metrics with:
    input:
        **DEGREES_PEOPLE,
        scores=signed(
            lambda wildcards: [
                f"<results>/degrees/scores/{DEGREES_KINDS[rater]}/{wildcards.agent}.parquet"
                for rater in DEGREES_RATERS[wildcards.agent]
            ]
        ),
        probes="<results>/degrees/probes.parquet",
    output:
        **DEGREES_VALUES,
        ratings="<results>/degrees/ratings/{agent}.parquet",
    log:
        "<results>/logs/degrees/metrics/{agent}.log",
    wildcard_constraints:
        agent=one_of(DEGREES_MODELS),
    params:
        **step(
            "degrees",
            "metrics",
            model=lambda wildcards: wildcards.agent,
            raters=lambda wildcards: DEGREES_RATERS[wildcards.agent],
            seed=DEGREES["seed"],
        ),


use rule degrees_metrics as degrees_control_metrics with:
    input:
        **DEGREES_PEOPLE,
        relations=DEGREES_RELATIONS,
        prompts=DEGREES_DESCRIPTION,
        supplied=for_agents(["pmi"], DEGREES_RELATIONS),
        vectors=for_agents(["static", "typical"], fetched("static_vectors")),
        printed=for_agents([] if DEGREES_OWN else ["static"], DEGREES_RELATIONS),
    wildcard_constraints:
        agent=one_of(DEGREES_BASELINES),
    resources:
        mem_mb=VECTORS_MB,
    params:
        **step(
            "degrees",
            "control_metrics",
            agent=lambda wildcards: wildcards.agent,
            seed=DEGREES["seed"],
            paradigms=DEGREES["paradigms"],
        ),


use rule degrees_metrics as degrees_taker_metrics with:
    input:
        **DEGREES_PEOPLE,
        replies=reply_file("degrees"),
        relations=DEGREES_RELATIONS,
    output:
        **DEGREES_VALUES,
        reply_choices="<results>/degrees/reply_choices/{agent}.parquet",
    wildcard_constraints:
        agent=one_of(DEGREES_TAKERS),
    params:
        **step("degrees", "taker_metrics", model=lambda wildcards: wildcards.agent, orders=orders),


use rule comparing as degrees_compare with:
    input:
        metrics=metrics_of("degrees", DEGREES_AGENTS),
        relations=DEGREES_RELATIONS,
        prompts=DEGREES_DESCRIPTION,
        controls=metrics_of("degrees", DEGREES_BASELINES) if DEGREES_LAYERED else [],
        layered=expand("<results>/degrees/layer_metrics/{model}.parquet", model=DEGREES_LAYERED),
    output:
        averages="<results>/degrees/averages.parquet",
        tests="<results>/degrees/tests.parquet",
        ceiling="<results>/degrees/ceiling.parquet",
        tables=tables("degrees", "compare"),
    log:
        "<results>/logs/degrees/compare.log",
    params:
        **step(
            "degrees",
            "compare",
            targets=config["targets"],
            members=members_of("degrees"),
            declared=config["comparisons"],
            seed=DEGREES["seed"],
        ),
