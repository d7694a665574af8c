# The systematicity study: probes, and what models answer.


localrules:
    systematicity_replies,


# An input cannot be called `items`, as Snakemake's lists of files have a method of that name.
use rule preparing as systematicity_probes with:
    input:
        wordnet=[] if SYSTEMATICITY_OWN or SYSTEMATICITY_RELEASED else SYSTEMATICITY_WORDNET,
        prompts=SYSTEMATICITY["prompts"],
        released=SYSTEMATICITY_RELEASED,
        own=SYSTEMATICITY_OWN,
    output:
        item_table="<results>/systematicity/items.parquet",
        probes="<results>/systematicity/probes.parquet",
    log:
        "<results>/logs/systematicity/probes.log",
    params:
        **step(
            "systematicity",
            "probes",
            **SYSTEMATICITY_ITEMS,
            plurals=SYSTEMATICITY["plurals"],
            contextual=SYSTEMATICITY["contextual"],
            wordings=SYSTEMATICITY["wordings"],
        ),


use rule scoring as systematicity_scores with:
    input:
        model=manifest_of,
        lexicon=LEXICON,
        probes="<results>/systematicity/probes.parquet",
        contexts="<results>/systematicity/contexts.parquet",
    output:
        scores="<results>/systematicity/scores/{model}.parquet",
        embeddings="<results>/systematicity/embeddings/{model}.parquet",
    log:
        "<results>/logs/systematicity/scores/{model}.log",
    wildcard_constraints:
        model=one_of(own_in("systematicity", "embeddings")),
    params:
        **model_step(
            "systematicity",
            "scores",
            top_k=SYSTEMATICITY["top_k"],
            layer=SYSTEMATICITY["layer"],
            shots=shots,
            examples=examples_of("systematicity"),
        ),


# An agent that would embed what another one has embedded.
use rule scoring as systematicity_scores_alone with:
    input:
        model=manifest_of,
        lexicon=LEXICON,
        probes="<results>/systematicity/probes.parquet",
    output:
        scores="<results>/systematicity/scores/{model}.parquet",
    log:
        "<results>/logs/systematicity/scores/{model}.log",
    wildcard_constraints:
        model=one_of(repeating_in("systematicity", "embeddings")),
    params:
        **model_step(
            "systematicity",
            "scores",
            top_k=SYSTEMATICITY["top_k"],
            shots=shots,
            examples=examples_of("systematicity"),
        ),


use rule asking as systematicity_replies with:
    input:
        item_table="<results>/systematicity/items.parquet",
        probes="<results>/systematicity/probes.parquet",
    output:
        out="<results>/systematicity/replies/{model}.parquet",
        ledger="<results>/systematicity/ledger/{model}.parquet",
    log:
        "<results>/logs/systematicity/replies/{model}.log",
    params:
        **participant_step("systematicity", "replies", **SYSTEMATICITY_CHOOSING),


use rule scoring as systematicity_writing with:
    input:
        model=manifest_of,
        item_table="<results>/systematicity/items.parquet",
        probes="<results>/systematicity/probes.parquet",
    output:
        "<results>/systematicity/writing/{model}.parquet",
    log:
        "<results>/logs/systematicity/writing/{model}.log",
    params:
        **model_step("systematicity", "writing", samples=samples, **SYSTEMATICITY_CHOOSING),


use rule scoring as systematicity_layer_embeddings with:
    input:
        model=manifest_of,
        contexts="<results>/systematicity/contexts.parquet",
    output:
        "<results>/systematicity/layer_embeddings/{model}.parquet",
    log:
        "<results>/logs/systematicity/layer_embeddings/{model}.log",
    params:
        **model_step("systematicity", "layer_embeddings", layers=layers_of),
