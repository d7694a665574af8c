# The analogies study: averages, tests, and what the paper printed.


use rule comparing as analogies_sensitivity with:
    input:
        pairs=ANALOGIES_PAIRS,
        vectors=fetched("static_vectors"),
    output:
        tables("analogies", "sensitivity"),
    log:
        "<results>/logs/analogies/sensitivity.log",
    resources:
        mem_mb=VECTORS_MB,
    params:
        **step(
            "analogies",
            "sensitivity",
            **{key: value for key, value in ANALOGIES["split"].items() if key != "draws"},
            **ANALOGIES["negatives"],
        ),


use rule comparing as analogies_compare with:
    input:
        metrics=metrics_of("analogies", ANALOGIES_AGENTS),
        tuples="<results>/analogies/tuples.parquet",
        decisions=expand("<results>/analogies/supervised/{agent}.parquet", agent=ANALOGIES_SUPERVISED),
        controls=metrics_of("analogies", STATIC) if ANALOGIES_LAYERED else [],
        layered=expand("<results>/analogies/layer_metrics/{model}.parquet", model=ANALOGIES_LAYERED),
        published=shipped("resources/published/analogies.csv") if ANALOGIES_DATA == "bats" else [],
    output:
        averages="<results>/analogies/averages.parquet",
        tests="<results>/analogies/tests.parquet",
        contrasts="<results>/analogies/contrasts.parquet",
        swapped="<results>/analogies/swapped.parquet",
        frequency="<results>/analogies/frequency.parquet",
        tables=tables("analogies", "compare"),
    log:
        "<results>/logs/analogies/compare.log",
    params:
        **step(
            "analogies",
            "compare",
            targets=config["targets"],
            kinds=ANALOGIES_KINDS,
            members=members_of("analogies"),
            declared=config["comparisons"],
            inference=config["inference"],
        ),
