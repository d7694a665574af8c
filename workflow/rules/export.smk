# Results in the forms of others, docs/exchange.md: `snakemake --cores all export` writes them into <results>/export.
# Every step of a study ends in averages; only the relations study has probes with one right answer each.


localrules:
    export,
    export_every_eval_ever,
    export_dataset,
    export_lm_eval,


use rule analysis as export_every_eval_ever with:
    input:
        averages="<results>/{study}/averages.parquet",
        metrics=exported("metrics"),
        top_words=exported("top_words"),
        probes=exported("probes"),
        relata=exported("relata"),
    output:
        directory("<results>/export/every_eval_ever/{study}"),
    log:
        "<results>/logs/export/every_eval_ever/{study}.log",
    params:
        **step(
            "export",
            "every_eval_ever",
            also=lambda wildcards: code_of(wildcards.study),
            study=lambda wildcards: wildcards.study,
            models=config["models"],
            answers=config.get("relations", {}).get("answers", "tokens"),
            **config["export"],
        ),


use rule analysis as export_dataset with:
    input:
        tables=lambda wildcards: [
            *expand("<results>/{study}/{table}.parquet", study=wildcards.study, table=["averages", "tests"]),
            *exported("probes", "relata")(wildcards),
        ],
        agents=exported_metrics,
        answers=exported("top_words"),
        language=exported("language"),
    output:
        directory("<results>/export/dataset/{study}"),
    log:
        "<results>/logs/export/dataset/{study}.log",
    params:
        **step(
            "export",
            "dataset",
            study=lambda wildcards: wildcards.study,
            sources=sorted(config["resources"]),
        ),


use rule analysis as export_lm_eval with:
    input:
        probes="<results>/relations/probes.parquet",
        relata="<results>/relations/relata.parquet",
        language=config.get("relations", {}).get("language", []),
    output:
        directory("<results>/export/lm_eval"),
    log:
        "<results>/logs/export/lm_eval.log",
    params:
        **step("export", "lm_eval"),


rule export:
    input:
        expand(
            "<results>/export/{form}/{study}",
            form=["every_eval_ever", "dataset"],
            study=RUN_STUDIES,
        ),
        ["<results>/export/lm_eval"] if "relations" in RUN_STUDIES else [],
