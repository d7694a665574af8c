# The relations study: averages, tests, and what the paper printed.


# What the answers of an agent are measured against, and what a rule of them writes.
RELATIONS_GOLD = {
    "probes": "<results>/relations/probes.parquet",
    "relata": "<results>/relations/relata.parquet",
    "tuples": RELATIONS_TUPLES,
    "shared_lexicon": RELATIONS_LEXICON,
    "relations": RELATIONS["relations"],
}
RELATIONS_REFERENCE = {
    "lists": ["<results>/relations/lists.parquet" for _ in HUMANS[:1]],
    "pairs": "<results>/relations/relation_pairs.parquet",
    "alternatives": "<results>/relations/alternatives.parquet",
    **RELATIONS_GOLD,
}
RELATIONS_BY_AGENT = [one.path.stem for one in analyses_of("relations") if "of_agent" in one.names]
RELATIONS_MEASURED = {
    **{name: f"<results>/relations/{name}/{{agent}}.parquet" for name in ("metrics", "top_words", "use")},
    "by_agent": [f"<results>/relations/{name}/{{agent}}.parquet" for name in RELATIONS_BY_AGENT],
}
RELATIONS_VALUES = {"responses": "<results>/relations/responses/{agent}.parquet", **RELATIONS_MEASURED}


use rule measuring as relations_metrics with:
    input:
        **RELATIONS_REFERENCE,
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
    output:
        **RELATIONS_VALUES,
    log:
        "<results>/logs/relations/metrics/{agent}.log",
    wildcard_constraints:
        agent=one_of([*RELATIONS_MODELS, *RELATIONS_ALONE]),
    params:
        **step(
            "relations",
            "metrics",
            also=of_analyses("relations", "of_agent"),
            kind=lambda wildcards: RELATIONS_ANSWERED[wildcards.agent],
            # What does not decide how an agent's answers are read re-runs nothing.
            answers=lambda wildcards: (None if wildcards.agent in RELATIONS_WRITERS else RELATIONS["answers"]),
            calibrate=lambda wildcards: (RELATIONS["calibrate"] if wildcards.agent in RELATIONS_SCORED else None),
            spoken=lambda wildcards: owner_of(wildcards) in RELATIONS_SPOKEN or None,
            shots=lambda wildcards: (
                config["models"][owner_of(wildcards)]["shots"] if wildcards.agent in RELATIONS_ALONE_SHOTS else None
            ),
            **RELATIONS_CHOICES,
        ),


use rule relations_metrics as relations_control_metrics with:
    input:
        **RELATIONS_REFERENCE,
        language=RELATIONS["language"],
        vectors=for_agents(RELATIONS_NEAR, fetched("static_vectors")),
        candidates=["<results>/relations/candidates.parquet"] * RELATIONS_CLOSED,
        resource=for_agents(
            RELATIONS_READ if RELATIONS_EXPANSION else [],
            "<results>/relations/resource_relata.parquet",
        ),
    wildcard_constraints:
        agent=one_of(RELATIONS_BLIND),
    params:
        **step(
            "relations",
            "control_metrics",
            also=of_analyses("relations", "of_agent"),
            agent=lambda wildcards: wildcards.agent,
            top_k=RELATIONS["top_k"],
            **RELATIONS_CHOICES,
        ),


use rule relations_metrics as relations_norm_metrics with:
    input:
        **RELATIONS_REFERENCE,
        norms=lambda wildcards: fetched(wildcards.agent),
    wildcard_constraints:
        agent=one_of(RELATIONS_NORMS),
    params:
        **step(
            "relations",
            "norm_metrics",
            also=of_analyses("relations", "of_agent"),
            form=lambda wildcards: wildcards.agent,
            **RELATIONS_CHOICES,
        ),


# The agents whose responses another rule writes, such as people.
use rule relations_metrics as relations_people_metrics with:
    input:
        **RELATIONS_REFERENCE,
        responses="<results>/relations/responses/{agent}.parquet",
    output:
        **RELATIONS_MEASURED,
    wildcard_constraints:
        agent=one_of(
            name
            for name in RELATIONS_AGENTS
            if name not in [*RELATIONS_MODELS, *RELATIONS_ALONE, *RELATIONS_BLIND, *RELATIONS_NORMS]
        ),
    params:
        **step(
            "relations",
            "people_metrics",
            also=of_analyses("relations", "of_agent"),
            **RELATIONS_CHOICES,
        ),


use rule comparing as relations_shots with:
    input:
        scores=expand("<results>/relations/scores/{model}.parquet", model=RELATIONS_SHOTS),
        draws=expand("<results>/relations/draws/{model}.parquet", model=RELATIONS_SHOTS),
        lexicons=[f"<results>/models/lexicon/{NETWORKS[model]}.parquet" for model in RELATIONS_SHOTS],
        probes="<results>/relations/probes.parquet",
        relata="<results>/relations/relata.parquet",
        tuples=RELATIONS_TUPLES,
        shared_lexicon=RELATIONS_LEXICON,
        relations=RELATIONS["relations"],
    output:
        tables("relations", "shots"),
    log:
        "<results>/logs/relations/shots.log",
    params:
        **step(
            "relations",
            "shots",
            spoken=[name for name in RELATIONS_SHOTS if name in RELATIONS_SPOKEN],
            **RELATIONS_CHOICES,
        ),


use rule comparing as relations_spaces with:
    input:
        scores=expand("<results>/relations/scores/{model}.parquet", model=RELATIONS_SAMPLED),
        words=expand("<results>/relations/words/{model}.parquet", model=RELATIONS_SAMPLED),
        lexicons=[f"<results>/models/lexicon/{NETWORKS[model]}.parquet" for model in RELATIONS_SAMPLED],
        word_list="<results>/relations/word_list.parquet",
        probes="<results>/relations/probes.parquet",
        relata="<results>/relations/relata.parquet",
        tuples=RELATIONS_TUPLES,
        shared_lexicon=RELATIONS_LEXICON,
        relations=RELATIONS["relations"],
    output:
        tables("relations", "spaces"),
    log:
        "<results>/logs/relations/spaces.log",
    params:
        **step("relations", "spaces", **RELATIONS_CHOICES),


use rule comparing as relations_ceiling with:
    input:
        **RELATIONS_GOLD,
        answers=fetched("human_responses"),
        prompts=RELATIONS["prompts"],
        language=RELATIONS["language"],
        lists="<results>/relations/lists.parquet",
    output:
        out=tables("relations", "ceiling"),
    log:
        "<results>/logs/relations/ceiling.log",
    params:
        **step("relations", "ceiling", **RELATIONS_LAYOUT),


use rule comparing as relations_compare with:
    input:
        **RELATIONS_GOLD,
        metrics=metrics_of("relations", RELATIONS_AGENTS),
        use=expand("<results>/relations/use/{agent}.parquet", agent=RELATIONS_AGENTS),
        pairs="<results>/relations/relation_pairs.parquet",
        writing=RELATIONS_WRITTEN,
    output:
        averages="<results>/relations/averages.parquet",
        tests="<results>/relations/tests.parquet",
        contrasts="<results>/relations/contrasts.parquet",
        tables=tables("relations", "compare"),
    log:
        "<results>/logs/relations/compare.log",
    params:
        **step(
            "relations",
            "compare",
            kinds=RELATIONS_KINDS,
            controls=RELATIONS_CONTROLS,
            people=RELATIONS_PEOPLE,
            targets=config["targets"],
            declared=config["comparisons"],
        ),


# Only where two agents, or two layers, are of one series.
if RELATIONS_ALONG or RELATIONS_LAYERED:
    RELATIONS_MEMBERS = {
        agent: NETWORKS[agent] for series in RELATIONS_ALONG.values() for places in series.values() for agent in places
    }

    use rule comparing as relations_series with:
        input:
            **RELATIONS_GOLD,
            pairs="<results>/relations/relation_pairs.parquet",
            metrics=metrics_of("relations", RELATIONS_MEMBERS),
            manifests=[fetched_model(model) for model in dict.fromkeys(RELATIONS_MEMBERS.values())],
            layered=expand("<results>/relations/layer_metrics/{model}.parquet", model=RELATIONS_LAYERED),
            blind=metrics_of("relations", RELATIONS_BLIND if RELATIONS_LAYERED else []),
            people_metrics=metrics_of("relations", RELATIONS_PEOPLE if RELATIONS_LAYERED else []),
            tests="<results>/relations/tests.parquet",
            averages="<results>/relations/averages.parquet",
        output:
            out=tables("relations", "series"),
        log:
            "<results>/logs/relations/series.log",
        params:
            **step(
                "relations",
                "series",
                along=RELATIONS_ALONG,
                networks=RELATIONS_MEMBERS,
                checkpoints=RELATIONS_LAYERED_ALONG,
                people=HUMANS,
                controls=RELATIONS_CONTROLS,
                targets=config["targets"],
                map_text=LAYERS["map"],
            ),


use rule comparing as relations_comparisons with:
    input:
        metrics=metrics_of("relations", RELATIONS_ANSWERING),
        averages="<results>/relations/averages.parquet",
        tests="<results>/relations/tests.parquet",
        entropy_differences=parquet("relations", ["entropy_differences" for _ in HUMANS[:1] if RELATIONS_OF_PAPER]),
        relata="<results>/relations/relata.parquet",
        relations=RELATIONS["relations"],
        language=RELATIONS["language"],
    output:
        out=tables("relations", "comparisons"),
    log:
        "<results>/logs/relations/comparisons.log",
    params:
        **step(
            "relations",
            "comparisons",
            models=RELATIONS_ENTRIES,
            k=RELATIONS_K,
            inference=config["inference"],
            frequency=RELATIONS["choices"]["frequency"],
            paper=RELATIONS_OF_PAPER,
        ),
