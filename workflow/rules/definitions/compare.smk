# The definitions study: averages, tests, and what the paper printed.


use rule measuring as definitions_metrics with:
    input:
        responses="<results>/definitions/responses/{agent}.parquet",
        groups="<results>/definitions/groups.parquet",
        probes="<results>/definitions/probes.parquet",
        properties="<results>/definitions/properties.parquet",
        scores=for_agents(DEFINITIONS_MODELS, "<results>/definitions/scores/{agent}.parquet"),
    output:
        metrics="<results>/definitions/metrics/{agent}.parquet",
        sensitivity="<results>/definitions/sensitivity/{agent}.parquet",
    log:
        "<results>/logs/definitions/metrics/{agent}.log",
    wildcard_constraints:
        agent=one_of(DEFINITIONS_AGENTS),
    resources:
        mem_mb=DEFINITIONS_PAIRS_MB,
    params:
        **step(
            "definitions",
            "metrics",
            agent=lambda wildcards: wildcards.agent,
            type=lambda wildcards: config["models"].get(wildcards.agent, {}).get("type"),
            ties=lambda wildcards: (
                # All scores of a guess are equal.
                "expected"
                if wildcards.agent == "random"
                else DEFINITIONS_CHOICES["ties"]
            ),
            **DEFINITIONS_READING,
            phrases=DEFINITIONS_CHOICES["phrases"],
            bands=DEFINITIONS_CHOICES["bands"],
        ),


use rule comparing as definitions_sizes with:
    input:
        properties="<results>/definitions/properties.parquet",
    output:
        "<results>/definitions/sizes.parquet",
    log:
        "<results>/logs/definitions/sizes.log",
    params:
        **step(
            "definitions",
            "sizes",
            minimum=DEFINITIONS["candidates"]["minimum"],
            bands=DEFINITIONS_CHOICES["bands"],
        ),


use rule comparing as definitions_averages with:
    input:
        metrics=metrics_of("definitions", DEFINITIONS_AGENTS),
    output:
        "<results>/definitions/averages.parquet",
    log:
        "<results>/logs/definitions/averages.log",
    resources:
        mem_mb=DEFINITIONS_VALUES_MB,
    params:
        **step("definitions", "averages", targets=config["targets"]),


use rule comparing as definitions_people with:
    input:
        metrics=metrics_of("definitions", DEFINITIONS_AGENTS),
    output:
        "<results>/definitions/people.parquet",
    log:
        "<results>/logs/definitions/people.log",
    resources:
        mem_mb=DEFINITIONS_VALUES_MB,
    params:
        **step("definitions", "people"),


use rule comparing as definitions_tests with:
    input:
        metrics=metrics_of("definitions", DEFINITIONS_AGENTS),
    output:
        agents="<results>/definitions/tests.parquet",
        tasks="<results>/definitions/tasks.parquet",
    log:
        "<results>/logs/definitions/tests.log",
    resources:
        mem_mb=DEFINITIONS_VALUES_MB,
    params:
        **step("definitions", "tests", controls=DEFINITIONS_BASELINES, members=members_of("definitions")),


use rule comparing as definitions_published with:
    input:
        published=[] if DEFINITIONS_OWN else shipped("resources/published/definitions.csv"),
        averages="<results>/definitions/averages.parquet",
        sizes="<results>/definitions/sizes.parquet",
        people="<results>/definitions/people.parquet" if DEFINITIONS_PEOPLE else [],
    output:
        tables("definitions", "published"),
    log:
        "<results>/logs/definitions/published.log",
    params:
        **step("definitions", "published"),
