# The definitions study: probes, and what models answer.


localrules:
    definitions_replies,


use rule preparing as definitions_probes with:
    input:
        dictionary=DEFINITIONS_DICTIONARY,
    output:
        groups="<results>/definitions/groups.parquet",
        probes="<results>/definitions/probes.parquet",
        benchmark="<results>/definitions/benchmark.parquet",
    log:
        "<results>/logs/definitions/probes.log",
    resources:
        mem_mb=megabytes(3000),
    params:
        **step(
            "definitions",
            "probes",
            sample=DEFINITIONS["sample"],
            targets=DEFINITIONS["targets"],
            parts_of_speech=DEFINITIONS["parts_of_speech"],
            **DEFINITIONS["candidates"],
        ),


use rule scoring as definitions_scores with:
    input:
        model=manifest_of,
        probes="<results>/definitions/probes.parquet",
        prompts=DEFINITIONS["prompts"],
    output:
        "<results>/definitions/scores/{model}.parquet",
    log:
        "<results>/logs/definitions/scores/{model}.log",
    params:
        **model_step(
            "definitions",
            "scores",
            capitals=lambda wildcards: wildcards.model in DEFINITIONS["capitals"],
            word_boundary=lambda wildcards: wildcards.model in DEFINITIONS_ENDS,
            shots=shots,
            examples=examples_of("definitions"),
        ),


use rule asking as definitions_replies with:
    input:
        groups="<results>/definitions/groups.parquet",
        probes="<results>/definitions/probes.parquet",
    output:
        out="<results>/definitions/replies/{model}.parquet",
        ledger="<results>/definitions/ledger/{model}.parquet",
    log:
        "<results>/logs/definitions/replies/{model}.log",
    params:
        **participant_step("definitions", "replies", orders=orders, large=DEFINITIONS_LARGE),


use rule scoring as definitions_writing with:
    input:
        model=manifest_of,
        groups="<results>/definitions/groups.parquet",
        probes="<results>/definitions/probes.parquet",
    output:
        "<results>/definitions/writing/{model}.parquet",
    log:
        "<results>/logs/definitions/writing/{model}.log",
    params:
        **model_step("definitions", "writing", orders=orders, samples=samples, large=DEFINITIONS_LARGE),
