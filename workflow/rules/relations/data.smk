# The relations study: words, and what counts as right.


use rule preparing as relations_tuples with:
    input:
        sources=expand(
            "<resources>/fetched/{name}.json",
            name=[RELATIONS_PREPARED.get(name, name) for name in RELATIONS["tuples"]],
        ),
        relations=RELATIONS["relations"],
        language=RELATIONS["language"],
    output:
        given="<results>/relations/given.parquet",
        out="<results>/relations/tuples.parquet",
    log:
        "<results>/logs/relations/tuples.log",
    params:
        **step(
            "relations",
            "tuples",
            exemplar_frequency=RELATIONS["exemplar_frequency"],
            wordnet_sample=RELATIONS.get("wordnet_sample"),
        ),


use rule preparing as relations_relata with:
    input:
        given="<results>/relations/given.parquet",
        tuples="<results>/relations/tuples.parquet",
        shared_lexicon=RELATIONS_LEXICON,
        panel=expand(
            "<results>/models/lexicon/{model}.parquet",
            model=[] if RELATIONS_WORDS or RELATIONS_CLOSED else RELATIONS_PANEL,
        ),
        wordnet=RELATIONS_EXPANSION,
        candidates=["<results>/relations/candidates.parquet"] * RELATIONS_CLOSED,
        relations=RELATIONS["relations"],
        language=RELATIONS["language"],
    output:
        losses="<results>/relations/losses.parquet",
        alternatives="<results>/relations/alternatives.parquet",
        out="<results>/relations/relata.parquet",
    log:
        "<results>/logs/relations/relata.log",
    params:
        **step("relations", "relata"),


use rule preparing as relations_word_list with:
    input:
        wordnet=RELATIONS_EXPANSION,
        own=RELATIONS["word_list"].get("path", []),
        language=RELATIONS["language"],
    output:
        "<results>/relations/word_list.parquet",
    log:
        "<results>/logs/relations/word_list.log",
    params:
        **step(
            "relations",
            "word_list",
            **{key: value for key, value in RELATIONS["word_list"].items() if key != "path"},
        ),


use rule preparing as relations_candidates with:
    input:
        tuples="<results>/relations/tuples.parquet",
        wordnet=RELATIONS_EXPANSION,
        own=RELATIONS["candidates"].get("path", []),
        relations=RELATIONS["relations"],
        language=RELATIONS["language"],
    output:
        lists="<results>/relations/candidates.parquet",
        listed="<results>/relations/listed.parquet",
        words="<results>/relations/candidate_words.parquet",
    log:
        "<results>/logs/relations/candidates.log",
    params:
        **step("relations", "candidates"),
