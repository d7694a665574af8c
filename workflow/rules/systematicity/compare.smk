# The systematicity study: averages and tests.


use rule preparing as systematicity_occurrences with:
    input:
        corpus=fetched("corpus"),
        item_table="<results>/systematicity/items.parquet",
    output:
        "<results>/systematicity/occurrences.parquet",
    log:
        "<results>/logs/systematicity/occurrences.log",
    params:
        **step("systematicity", "occurrences", patterns=SYSTEMATICITY["patterns"]),


use rule comparing as systematicity_compare with:
    input:
        metrics=metrics_of("systematicity", SYSTEMATICITY_KINDS),
        detections=expand("<results>/systematicity/detections/{agent}.parquet", agent=SYSTEMATICITY_EMBEDDED),
        scores=expand("<results>/systematicity/scores/{agent}.parquet", agent=SYSTEMATICITY_ANSWERING),
        probes="<results>/systematicity/probes.parquet",
        item_table="<results>/systematicity/items.parquet",
        baselines=metrics_of("systematicity", ["majority", *VECTORS]) if SYSTEMATICITY_LAYERED else [],
        layered=expand("<results>/systematicity/layer_metrics/{model}.parquet", model=SYSTEMATICITY_LAYERED),
    output:
        averages="<results>/systematicity/averages.parquet",
        detection="<results>/systematicity/detection.parquet",
        tests="<results>/systematicity/tests.parquet",
        contrasts="<results>/systematicity/contrasts.parquet",
        tables=tables("systematicity", "compare"),
    log:
        "<results>/logs/systematicity/compare.log",
    params:
        **step(
            "systematicity",
            "compare",
            targets=config["targets"],
            controls=SYSTEMATICITY_NO_MODELS,
            members=members_of("systematicity"),
            declared=config["comparisons"],
            vectors=list(VECTORS),
        ),
