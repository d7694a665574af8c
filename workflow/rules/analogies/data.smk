# The analogies study: words, and what counts as right.


use rule preparing as analogies_instances with:
    input:
        pairs=ANALOGIES_PAIRS,
    output:
        tuples="<results>/analogies/tuples.parquet",
        instances="<results>/analogies/instances.parquet",
    log:
        "<results>/logs/analogies/instances.log",
    params:
        **step(
            "analogies",
            "instances",
            **ANALOGIES["split"],
            **ANALOGIES["negatives"],
            sample_tuples=ANALOGIES["sample"].get("tuples"),
            sample_instances=ANALOGIES["sample"].get("instances"),
            sample_swapped=ANALOGIES["sample"]["swapped"],
        ),
