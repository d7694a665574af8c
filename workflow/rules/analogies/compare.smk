# The analogies study: averages, tests, and what the paper printed.


use rule comparing as analogies_sensitivity with:
    input:
        pairs=ANALOGIES_PAIRS,
        vectors="<resources>/fetched/static_vectors.json",
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


use rule comparing as analogies_averages with:
    input:
        metrics=metrics_of("analogies", ANALOGIES_AGENTS),
    output:
        "<results>/analogies/averages.parquet",
    log:
        "<results>/logs/analogies/averages.log",
    params:
        **step("analogies", "averages", targets=config["targets"]),


use rule comparing as analogies_tests with:
    input:
        metrics=metrics_of("analogies", ANALOGIES_AGENTS),
    output:
        "<results>/analogies/tests.parquet",
    log:
        "<results>/logs/analogies/tests.log",
    params:
        **step(
            "analogies",
            "tests",
            kinds=ANALOGIES_KINDS,
            members=members_of("analogies"),
        ),


use rule comparing as analogies_contrasts with:
    input:
        metrics=metrics_of("analogies", ANALOGIES_AGENTS),
    output:
        probes="<results>/analogies/contrasts.parquet",
        queries="<results>/analogies/swapped.parquet",
    log:
        "<results>/logs/analogies/contrasts.log",
    params:
        **step(
            "analogies",
            "contrasts",
            kinds=ANALOGIES_KINDS,
            members=members_of("analogies"),
        ),


use rule comparing as analogies_frequency with:
    input:
        decisions=expand("<results>/analogies/supervised/{agent}.parquet", agent=ANALOGIES_SUPERVISED),
        tuples="<results>/analogies/tuples.parquet",
    output:
        "<results>/analogies/frequency.parquet",
    log:
        "<results>/logs/analogies/frequency.log",
    params:
        **step("analogies", "frequency"),


if ANALOGIES_LAYERED:

    use rule comparing as analogies_layers with:
        input:
            layered=expand("<results>/analogies/layer_metrics/{model}.parquet", model=ANALOGIES_LAYERED),
            averages="<results>/analogies/averages.parquet",
            metrics=metrics_of("analogies", STATIC),
        output:
            out=tables("analogies", "layers"),
        log:
            "<results>/logs/analogies/layers.log",
        params:
            **step("analogies", "layers", targets=config["targets"]),


use rule comparing as analogies_published with:
    input:
        published=shipped("resources/published/analogies.csv") if ANALOGIES_DATA == "bats" else [],
        averages="<results>/analogies/averages.parquet",
        frequency="<results>/analogies/frequency.parquet",
    output:
        tables("analogies", "published"),
    log:
        "<results>/logs/analogies/published.log",
    params:
        **step("analogies", "published", inference=config["inference"]),
