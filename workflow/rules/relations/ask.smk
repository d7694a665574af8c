# The relations study: probes, and what models answer.


use rule preparing as relations_probes with:
    input:
        sources=[fetched(RELATIONS_PREPARED.get(name, name)) for name in RELATIONS["tuples"]],
        prompts=RELATIONS["prompts"],
        relations=RELATIONS["relations"],
        language=RELATIONS["language"],
        # The words of closed lists are those of the tuples themselves.
        lexicon=[] if RELATIONS_CLOSED else RELATIONS_LEXICON,
        expansion=[] if RELATIONS.get("wordnet_sample", {}).get("shared_relata", True) else RELATIONS_EXPANSION,
    output:
        given="<results>/relations/given.parquet",
        tuples="<results>/relations/tuples.parquet",
        out="<results>/relations/probes.parquet",
        premises="<results>/relations/premises.parquet",
    log:
        "<results>/logs/relations/probes.log",
    params:
        **step(
            "relations",
            "probes",
            exemplar_frequency=RELATIONS["exemplar_frequency"],
            wordnet_sample=RELATIONS.get("wordnet_sample"),
            prompt_parts=RELATIONS["prompt_parts"],
        ),


use rule preparing as relations_examples with:
    input:
        probes="<results>/relations/probes.parquet",
        prompts=RELATIONS["prompts"],
        tuples="<results>/relations/tuples.parquet",
        wordnet=RELATIONS_EXPANSION,
        relations=RELATIONS["relations"],
        language=RELATIONS["language"],
        file=config["prompting"]["examples"],
    output:
        "<results>/relations/examples.parquet",
    log:
        "<results>/logs/relations/examples.log",
    params:
        **step("relations", "examples"),


use rule scoring as relations_scores with:
    input:
        model=manifest_of,
        probes="<results>/relations/probes.parquet",
        lexicon=LEXICON,
        premises="<results>/relations/premises.parquet",
        examples=for_agents(RELATIONS_SHOTS, "<results>/relations/examples.parquet"),
    output:
        out="<results>/relations/scores/{model}.parquet",
        # Made whether relations.controls names it or not: a changed list of controls scores nothing again.
        without_target="<results>/relations/without_target/{model}.parquet",
    log:
        "<results>/logs/relations/scores/{model}.log",
    params:
        **model_step(
            "relations",
            "scores",
            top_k=RELATIONS["top_k"],
            special_tokens=RELATIONS["special_tokens"],
            shots=shots,
        ),


use rule scoring as relations_draws with:
    input:
        model=manifest_of,
        probes="<results>/relations/probes.parquet",
        lexicon=LEXICON,
        examples="<results>/relations/examples.parquet",
    output:
        "<results>/relations/draws/{model}.parquet",
    log:
        "<results>/logs/relations/draws/{model}.log",
    params:
        **model_step(
            "relations",
            "draws",
            top_k=RELATIONS["top_k"],
            special_tokens=RELATIONS["special_tokens"],
            shots=shots,
            sample=RELATIONS["draws"]["targets"],
        ),


use rule scoring as relations_layer_scores with:
    input:
        model=manifest_of,
        probes="<results>/relations/probes.parquet",
        lexicon=LEXICON,
        examples=for_agents(
            [name for name in RELATIONS_LAYERED if "shots" in config["models"][name]],
            "<results>/relations/examples.parquet",
        ),
        maps=for_agents(MAPPED, lambda wildcards: f"<results>/models/layer_map/{MAPPED[wildcards.model]}.safetensors"),
    output:
        "<results>/relations/layer_scores/{model}.parquet",
    log:
        "<results>/logs/relations/layer_scores/{model}.log",
    params:
        **model_step(
            "relations",
            "layer_scores",
            layers=layers_of,
            top_k=LAYERS["top_k"],
            special_tokens=RELATIONS["special_tokens"],
            shots=shots,
            sample=LAYERS.get("targets"),
        ),


use rule scoring as relations_writing with:
    input:
        model=manifest_of,
        probes="<results>/relations/probes.parquet",
        lexicon=LEXICON,
        language=RELATIONS["language"],
    output:
        "<results>/relations/writing/{model}.parquet",
    log:
        "<results>/logs/relations/writing/{model}.log",
    wildcard_constraints:
        model=one_of([name for name in RELATIONS_WRITERS if name not in PARTICIPANTS]),
    params:
        **model_step(
            "relations",
            "writing",
            samples=lambda wildcards: config["models"][wildcards.model].get("samples"),
        ),


# On a cluster the agents that only chat are asked where Snakemake runs: the nodes need not reach the network.
localrules:
    relations_replies,


use rule asking as relations_replies with:
    input:
        probes="<results>/relations/probes.parquet",
    output:
        out="<results>/relations/replies/{model}.parquet",
        ledger="<results>/relations/ledger/{model}.parquet",
    log:
        "<results>/logs/relations/replies/{model}.log",
    params:
        **participant_step("relations", "replies"),


use rule measuring as relations_reply_lists with:
    input:
        replies="<results>/relations/replies/{agent}.parquet",
        language=RELATIONS["language"],
    output:
        "<results>/relations/writing/{agent}.parquet",
    log:
        "<results>/logs/relations/reply_lists/{agent}.log",
    wildcard_constraints:
        agent=one_of(participants_of("relations")),
    params:
        **step("relations", "reply_lists"),


use rule scoring as relations_words with:
    input:
        model=manifest_of,
        probes="<results>/relations/probes.parquet",
        word_list="<results>/relations/word_list.parquet",
        language=RELATIONS["language"],
        examples=for_agents(RELATIONS_SHOTS, "<results>/relations/examples.parquet"),
        lexicon=for_agents(RELATIONS_SAMPLED, LEXICON),
    output:
        "<results>/relations/words/{model}.parquet",
    log:
        "<results>/logs/relations/words/{model}.log",
    params:
        **model_step(
            "relations",
            "words",
            top_words=RELATIONS["top_words"],
            shots=shots,
            **{"sample": RELATIONS_SAMPLE["targets"] for _ in RELATIONS_SAMPLED[:1]},
        ),


use rule scoring as relations_candidate_scores with:
    input:
        model=manifest_of,
        probes="<results>/relations/probes.parquet",
        candidates="<results>/relations/candidates.parquet",
        words="<results>/relations/candidate_words.parquet",
        premises="<results>/relations/premises.parquet",
        language=RELATIONS["language"],
        examples=for_agents(RELATIONS_SHOTS, "<results>/relations/examples.parquet"),
    output:
        "<results>/relations/candidate_scores/{model}.parquet",
    log:
        "<results>/logs/relations/candidate_scores/{model}.log",
    params:
        **model_step("relations", "candidate_scores", shots=shots),
