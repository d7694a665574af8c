# The relations study: values of each agent, unit by unit.


use rule measuring as relations_layer_metrics with:
    input:
        scores="<results>/relations/layer_scores/{model}.parquet",
        lexicon=LEXICON,
        probes="<results>/relations/probes.parquet",
        relata="<results>/relations/relata.parquet",
        tuples=RELATIONS_TUPLES,
        shared_lexicon=RELATIONS_LEXICON,
        relations=RELATIONS["relations"],
    output:
        "<results>/relations/layer_metrics/{model}.parquet",
    log:
        "<results>/logs/relations/layer_metrics/{model}.log",
    params:
        **step("relations", "layer_metrics", answer_space=RELATIONS["answers"], **RELATIONS_CHOICES),


use rule preparing as relations_people with:
    input:
        answers="<resources>/fetched/human_responses.json",
        probes="<results>/relations/probes.parquet",
        prompts=RELATIONS["prompts"],
        relations=RELATIONS["relations"],
        language=RELATIONS["language"],
    output:
        lists="<results>/relations/lists.parquet",
        humans="<results>/relations/responses/humans.parquet",
        annotator="<results>/relations/responses/annotator.parquet",
        tables=tables("relations", "people"),
    log:
        "<results>/logs/relations/responses/humans.log",
    params:
        **step("relations", "people"),


use rule preparing as relations_relation_pairs with:
    input:
        probes="<results>/relations/probes.parquet",
        relata="<results>/relations/relata.parquet",
        tuples=RELATIONS_TUPLES,
        shared_lexicon=RELATIONS_LEXICON,
        lists=["<results>/relations/lists.parquet" for _ in HUMANS[:1]],
        relations=RELATIONS["relations"],
    output:
        out="<results>/relations/relation_pairs.parquet",
        table=tables("relations", "relation_pairs"),
    log:
        "<results>/logs/relations/relation_pairs.log",
    params:
        **step("relations", "relation_pairs", minimum_targets=RELATIONS["choices"]["minimum_targets"]),
