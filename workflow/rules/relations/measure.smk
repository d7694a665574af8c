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


use rule preparing as relations_norms with:
    input:
        norms="<resources>/fetched/{norms}.json",
        probes="<results>/relations/probes.parquet",
    output:
        "<results>/relations/responses/{norms}.parquet",
    log:
        "<results>/logs/relations/responses/{norms}.log",
    wildcard_constraints:
        norms="associations|feature_norms",
    params:
        **step("relations", "norms", form=lambda wildcards: wildcards.norms),


use rule preparing as relations_control with:
    input:
        probes="<results>/relations/probes.parquet",
        relata="<results>/relations/relata.parquet",
        tuples=RELATIONS_TUPLES,
        shared_lexicon=RELATIONS_LEXICON,
        relations=RELATIONS["relations"],
        language=RELATIONS["language"],
        vectors=for_agents(RELATIONS_NEAR, "<resources>/fetched/static_vectors.json"),
        candidates=["<results>/relations/candidates.parquet"] * RELATIONS_CLOSED,
    output:
        "<results>/relations/responses/{agent}.parquet",
    log:
        "<results>/logs/relations/responses/{agent}.log",
    wildcard_constraints:
        agent="majority|neighbours|typical|frequency",
    params:
        **step("relations", "control", agent=lambda wildcards: wildcards.agent, top_k=RELATIONS["top_k"]),


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


use rule measuring as relations_responses with:
    input:
        scores=answered,
        lexicon=for_agents(RELATIONS_SCORED + list(RELATIONS_ALONE), lexicon_of_owner),
        words=for_agents(
            RELATIONS_SCORED if RELATIONS_WORDS else [],
            "<results>/relations/words/{agent}.parquet",
        ),
        candidates=for_agents(
            RELATIONS_SCORED if RELATIONS_CLOSED else [],
            "<results>/relations/candidate_scores/{agent}.parquet",
        ),
        examples=for_agents(RELATIONS_ALONE_SHOTS, "<results>/relations/examples.parquet"),
        probes="<results>/relations/probes.parquet",
        relata="<results>/relations/relata.parquet",
        tuples=RELATIONS_TUPLES,
        shared_lexicon=RELATIONS_LEXICON,
        relations=RELATIONS["relations"],
    output:
        "<results>/relations/responses/{agent}.parquet",
    log:
        "<results>/logs/relations/responses/{agent}.log",
    wildcard_constraints:
        agent=one_of([*RELATIONS_MODELS, *RELATIONS_ALONE]),
    params:
        **step(
            "relations",
            "responses",
            kind=lambda wildcards: RELATIONS_ANSWERED[wildcards.agent],
            # What does not decide how an agent's answers are read re-runs nothing.
            answers=lambda wildcards: (None if wildcards.agent in RELATIONS_WRITERS else RELATIONS["answers"]),
            calibrate=lambda wildcards: (RELATIONS["calibrate"] if wildcards.agent in RELATIONS_SCORED else None),
            spoken=lambda wildcards: owner_of(wildcards) in RELATIONS_SPOKEN or None,
            shots=lambda wildcards: (
                config["models"][owner_of(wildcards)]["shots"] if wildcards.agent in RELATIONS_ALONE_SHOTS else None
            ),
        ),
