# The relations study: what the answers are measured against, and values of each agent, unit by unit.


# No network reads what this rule makes, so that other people's answers or another expansion ask none again.
use rule preparing as relations_gold with:
    input:
        given="<results>/relations/given.parquet",
        tuples="<results>/relations/tuples.parquet",
        probes="<results>/relations/probes.parquet",
        prompts=RELATIONS["prompts"],
        shared_lexicon=RELATIONS_LEXICON,
        relations=RELATIONS["relations"],
        language=RELATIONS["language"],
        wordnet=RELATIONS_EXPANSION,
        panel=expand(
            "<results>/models/lexicon/{model}.parquet",
            model=[] if RELATIONS_WORDS or RELATIONS_CLOSED else RELATIONS_PANEL,
        ),
        candidates=["<results>/relations/candidates.parquet"] * RELATIONS_CLOSED,
        answers=[fetched("human_responses") for _ in HUMANS[:1]],
    output:
        out="<results>/relations/relata.parquet",
        alternatives="<results>/relations/alternatives.parquet",
        losses="<results>/relations/losses.parquet",
        pairs="<results>/relations/relation_pairs.parquet",
        tables=tables("relations", "gold"),
        lists=["<results>/relations/lists.parquet" for _ in HUMANS[:1]],
        humans=["<results>/relations/responses/humans.parquet" for _ in HUMANS[:1]],
        annotator=["<results>/relations/responses/annotator.parquet" for _ in HUMANS[:1]],
    log:
        "<results>/logs/relations/gold.log",
    params:
        **step("relations", "gold", minimum_targets=RELATIONS["choices"]["minimum_targets"], **RELATIONS_LAYOUT),


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
