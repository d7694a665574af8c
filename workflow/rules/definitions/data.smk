# The definitions study: words, and what counts as right.


use rule preparing as definitions_properties with:
    input:
        benchmark="<results>/definitions/benchmark.parquet",
        probes="<results>/definitions/probes.parquet",
        counts=fetched(DEFINITIONS_COUNTS) if DEFINITIONS_COUNTS in config["resources"] else [],
        dictionary=DEFINITIONS_DICTIONARY if DEFINITIONS_OWN else [],
    output:
        properties="<results>/definitions/properties.parquet",
        words="<results>/definitions/words.parquet",
    log:
        "<results>/logs/definitions/properties.log",
    params:
        **step("definitions", "properties", phrases=DEFINITIONS_CHOICES["phrases"]),
