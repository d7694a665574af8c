# The definitions study: values of each agent, averages, tests, and what the paper printed.


# What an agent's values are made of beside its answers, and what a rule of them writes.
DEFINITIONS_ASKED = {name: f"<results>/definitions/{name}.parquet" for name in ("groups", "probes", "properties")}
DEFINITIONS_VALUES = {
    name: f"<results>/definitions/{name}/{{agent}}.parquet" for name in ("responses", "metrics", "sensitivity")
}


use rule measuring as definitions_metrics with:
    input:
        **DEFINITIONS_ASKED,
        scores="<results>/definitions/scores/{agent}.parquet",
    output:
        **DEFINITIONS_VALUES,
    log:
        "<results>/logs/definitions/metrics/{agent}.log",
    wildcard_constraints:
        agent=one_of(DEFINITIONS_MODELS),
    resources:
        mem_mb=DEFINITIONS_PAIRS_MB,
    params:
        **definitions_values("metrics", type=lambda wildcards: config["models"][wildcards.agent]["type"]),


use rule definitions_metrics as definitions_control_metrics with:
    input:
        **DEFINITIONS_ASKED,
        vectors=lambda wildcards: VECTORS.get(wildcards.agent, []),
        words=for_agents(["frequency"], "<results>/definitions/words.parquet"),
    wildcard_constraints:
        agent=one_of(DEFINITIONS_BASELINES),
    resources:
        mem_mb=megabytes(5000),  # the 3,000,000 words of word2vec in 300 dimensions take 3,600, and their names more
    params:
        **definitions_values("control_metrics"),


use rule definitions_metrics as definitions_people_metrics with:
    input:
        **DEFINITIONS_ASKED,
        answers=fetched(DEFINITIONS_ANSWERS),
    wildcard_constraints:
        agent=one_of(DEFINITIONS_PEOPLE),
    params:
        **definitions_values("people_metrics", **layout_of(DEFINITIONS_ANSWERS)),


use rule definitions_metrics as definitions_taker_metrics with:
    input:
        **DEFINITIONS_ASKED,
        replies=reply_file("definitions"),
    output:
        **DEFINITIONS_VALUES,
        reply_choices="<results>/definitions/reply_choices/{agent}.parquet",
    wildcard_constraints:
        agent=one_of(DEFINITIONS_TAKERS),
    params:
        **definitions_values("taker_metrics", orders=orders, large=DEFINITIONS_LARGE),


use rule comparing as definitions_compare with:
    input:
        metrics=metrics_of("definitions", DEFINITIONS_AGENTS),
        properties="<results>/definitions/properties.parquet",
        published=[] if DEFINITIONS_OWN else shipped("resources/published/definitions.csv"),
    output:
        averages="<results>/definitions/averages.parquet",
        tests="<results>/definitions/tests.parquet",
        tasks="<results>/definitions/tasks.parquet",
        sizes="<results>/definitions/sizes.parquet",
        people=["<results>/definitions/people.parquet" for _ in DEFINITIONS_PEOPLE],
        tables=tables("definitions", "compare"),
    log:
        "<results>/logs/definitions/compare.log",
    resources:
        mem_mb=DEFINITIONS_VALUES_MB,
    params:
        **step(
            "definitions",
            "compare",
            targets=config["targets"],
            controls=DEFINITIONS_BASELINES,
            members=members_of("definitions"),
            declared=config["comparisons"],
            minimum=DEFINITIONS["candidates"]["minimum"],
            bands=DEFINITIONS_CHOICES["bands"],
        ),
