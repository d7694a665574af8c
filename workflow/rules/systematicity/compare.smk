# The systematicity study: averages, tests, and what the paper printed.


use rule preparing as systematicity_occurrences with:
    input:
        corpus="<resources>/fetched/corpus.json",
        item_table="<results>/systematicity/items.parquet",
    output:
        "<results>/systematicity/occurrences.parquet",
    log:
        "<results>/logs/systematicity/occurrences.log",
    params:
        **step("systematicity", "occurrences", patterns=SYSTEMATICITY["patterns"]),


use rule comparing as systematicity_averages with:
    input:
        metrics=metrics_of("systematicity", SYSTEMATICITY_KINDS),
        detections=expand(
            "<results>/systematicity/detections/{agent}.parquet",
            agent=SYSTEMATICITY_EMBEDDED,
        ),
    output:
        averages="<results>/systematicity/averages.parquet",
        detection="<results>/systematicity/detection.parquet",
    log:
        "<results>/logs/systematicity/averages.log",
    params:
        **step("systematicity", "averages", targets=config["targets"]),


use rule comparing as systematicity_tests with:
    input:
        metrics=metrics_of("systematicity", SYSTEMATICITY_KINDS),
    output:
        agents="<results>/systematicity/tests.parquet",
        contrasts="<results>/systematicity/contrasts.parquet",
    log:
        "<results>/logs/systematicity/tests.log",
    params:
        **step("systematicity", "tests", controls=SYSTEMATICITY_NO_MODELS, members=members_of("systematicity")),


if SYSTEMATICITY_LAYERED:

    use rule comparing as systematicity_layers with:
        input:
            layered=expand("<results>/systematicity/layer_metrics/{model}.parquet", model=SYSTEMATICITY_LAYERED),
            metrics=metrics_of("systematicity", ["majority", *VECTORS]),
            averages="<results>/systematicity/averages.parquet",
        output:
            out=tables("systematicity", "layers"),
        log:
            "<results>/logs/systematicity/layers.log",
        params:
            **step("systematicity", "layers", targets=config["targets"]),


use rule comparing as systematicity_choices with:
    input:
        scores=expand(
            "<results>/systematicity/scores/{agent}.parquet",
            agent=SYSTEMATICITY_ANSWERING,
        ),
        probes="<results>/systematicity/probes.parquet",
        item_table="<results>/systematicity/items.parquet",
    output:
        tables("systematicity", "choices"),
    log:
        "<results>/logs/systematicity/choices.log",
    params:
        **step("systematicity", "choices", vectors=list(VECTORS)),


use rule comparing as systematicity_published with:
    input:
        published=shipped("resources/published/systematicity.csv"),
        metrics=metrics_of("systematicity", SYSTEMATICITY_KINDS),
        averages="<results>/systematicity/averages.parquet",
        detection="<results>/systematicity/detection.parquet",
        errors="<results>/systematicity/errors.parquet",
        item_table="<results>/systematicity/items.parquet",
        pairs="<results>/systematicity/pairs.parquet",
        occurrences=SYSTEMATICITY_OCCURRENCES,
    output:
        tables("systematicity", "published"),
    log:
        "<results>/logs/systematicity/published.log",
    params:
        **step("systematicity", "published"),
