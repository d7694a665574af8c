# The relations study: the words that may be answers.


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


use rule preparing as relations_resource_relata with:
    input:
        lexicon=RELATIONS_LEXICON,
        relations=RELATIONS["relations"],
        language=RELATIONS["language"],
        wordnet=RELATIONS_EXPANSION,
    output:
        "<results>/relations/resource_relata.parquet",
    log:
        "<results>/logs/relations/resource_relata.log",
    params:
        **step("relations", "resource_relata"),
