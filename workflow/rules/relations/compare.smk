# The relations study: averages, tests, and what the paper printed.


use rule measuring as relations_metrics with:
    input:
        responses="<results>/relations/responses/{agent}.parquet",
        lists=["<results>/relations/lists.parquet" for _ in HUMANS[:1]],
        pairs="<results>/relations/relation_pairs.parquet",
        probes="<results>/relations/probes.parquet",
        relata="<results>/relations/relata.parquet",
        alternatives="<results>/relations/alternatives.parquet",
        tuples=RELATIONS_TUPLES,
        shared_lexicon=RELATIONS_LEXICON,
        relations=RELATIONS["relations"],
    output:
        metrics="<results>/relations/metrics/{agent}.parquet",
        sensitivity="<results>/relations/sensitivity/{agent}.parquet",
        top_words="<results>/relations/top_words/{agent}.parquet",
        chance="<results>/relations/chance/{agent}.parquet",
        use="<results>/relations/use/{agent}.parquet",
    log:
        "<results>/logs/relations/metrics/{agent}.log",
    wildcard_constraints:
        agent=one_of(RELATIONS_AGENTS),
    params:
        **step("relations", "metrics", **RELATIONS_CHOICES),


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
        lists="<results>/relations/lists.parquet",
        probes="<results>/relations/probes.parquet",
        relata="<results>/relations/relata.parquet",
        tuples=RELATIONS_TUPLES,
        shared_lexicon=RELATIONS_LEXICON,
        relations=RELATIONS["relations"],
    output:
        tables("relations", "ceiling"),
    log:
        "<results>/logs/relations/ceiling.log",
    params:
        **step("relations", "ceiling"),


use rule comparing as relations_averages with:
    input:
        metrics=metrics_of("relations", RELATIONS_AGENTS),
        probes="<results>/relations/probes.parquet",
        relata="<results>/relations/relata.parquet",
        tuples=RELATIONS_TUPLES,
        shared_lexicon=RELATIONS_LEXICON,
        pairs="<results>/relations/relation_pairs.parquet",
        writing=RELATIONS_WRITTEN,
        relations=RELATIONS["relations"],
    output:
        "<results>/relations/averages.parquet",
    log:
        "<results>/logs/relations/averages.log",
    params:
        **step(
            "relations",
            "averages",
            people=RELATIONS_PEOPLE,
            targets=config["targets"],
            crossed_prompts=RELATIONS["crossed_prompts"],
        ),


use rule comparing as relations_tests with:
    input:
        metrics=metrics_of("relations", RELATIONS_AGENTS),
        relata="<results>/relations/relata.parquet",
        pairs="<results>/relations/relation_pairs.parquet",
        relations=RELATIONS["relations"],
    output:
        "<results>/relations/tests.parquet",
    log:
        "<results>/logs/relations/tests.log",
    params:
        **step("relations", "tests", kinds=RELATIONS_KINDS, crossed_prompts=RELATIONS["crossed_prompts"]),


# Only where two agents, or two layers, are of one series.
if RELATIONS_ALONG or RELATIONS_LAYERED:
    RELATIONS_MEMBERS = {
        agent: NETWORKS[agent] for series in RELATIONS_ALONG.values() for places in series.values() for agent in places
    }

    use rule comparing as relations_trends with:
        input:
            metrics=metrics_of("relations", RELATIONS_MEMBERS),
            manifests=expand(
                "<resources>/fetched/models/{model}.json",
                model=dict.fromkeys(RELATIONS_MEMBERS.values()),
            ),
            relata="<results>/relations/relata.parquet",
            tests="<results>/relations/tests.parquet",
            relations=RELATIONS["relations"],
            layered=expand("<results>/relations/layer_metrics/{model}.parquet", model=RELATIONS_LAYERED),
            blind=metrics_of("relations", RELATIONS_BLIND if RELATIONS_LAYERED else []),
        output:
            out=tables("relations", "trends"),
        log:
            "<results>/logs/relations/trends.log",
        params:
            **step(
                "relations",
                "trends",
                along=RELATIONS_ALONG,
                networks=RELATIONS_MEMBERS,
                controls=RELATIONS_CONTROLS,
                map_text=LAYERS["map"],
            ),

    use rule comparing as relations_layers with:
        input:
            layered=expand("<results>/relations/layer_metrics/{model}.parquet", model=RELATIONS_LAYERED),
            people=metrics_of("relations", RELATIONS_PEOPLE),
            probes="<results>/relations/probes.parquet",
            relata="<results>/relations/relata.parquet",
            tuples=RELATIONS_TUPLES,
            shared_lexicon=RELATIONS_LEXICON,
            pairs="<results>/relations/relation_pairs.parquet",
            relations=RELATIONS["relations"],
        output:
            out=tables("relations", "layers"),
        log:
            "<results>/logs/relations/layers.log",
        params:
            **step("relations", "layers", targets=config["targets"]),

    use rule comparing as relations_series with:
        input:
            averages="<results>/relations/averages.parquet",
            layers=parquet("relations", "layers") if RELATIONS_LAYERED else [],
            relations=RELATIONS["relations"],
        output:
            out=tables("relations", "series"),
        log:
            "<results>/logs/relations/series.log",
        params:
            **step(
                "relations",
                "series",
                along=RELATIONS_ALONG,
                people=HUMANS,
                controls=RELATIONS_CONTROLS,
                checkpoints=RELATIONS_LAYERED_ALONG,
            ),


use rule comparing as relations_contrasts with:
    input:
        metrics=metrics_of("relations", RELATIONS_ANSWERING),
        relata="<results>/relations/relata.parquet",
        relations=RELATIONS["relations"],
    output:
        "<results>/relations/contrasts.parquet",
    log:
        "<results>/logs/relations/contrasts.log",
    params:
        **step("relations", "contrasts", kinds=RELATIONS_KINDS),


use rule comparing as relations_relation_use with:
    input:
        use=expand("<results>/relations/use/{agent}.parquet", agent=RELATIONS_AGENTS),
        chance=expand("<results>/relations/chance/{agent}.parquet", agent=RELATIONS_AGENTS),
        relata="<results>/relations/relata.parquet",
        relations=RELATIONS["relations"],
    output:
        out=tables("relations", "relation_use"),
    log:
        "<results>/logs/relations/relation_use.log",
    params:
        **step("relations", "relation_use", kinds=RELATIONS_KINDS),


use rule comparing as relations_entropy with:
    input:
        answers="<resources>/fetched/human_responses.json",
        prompts=RELATIONS["prompts"],
        relata="<results>/relations/relata.parquet",
        relations=RELATIONS["relations"],
        language=RELATIONS["language"],
    output:
        out=tables("relations", "entropy"),
    log:
        "<results>/logs/relations/entropy.log",
    params:
        **step("relations", "entropy"),


use rule comparing as relations_comparisons with:
    input:
        metrics=metrics_of("relations", RELATIONS_ANSWERING),
        averages="<results>/relations/averages.parquet",
        tests="<results>/relations/tests.parquet",
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
        ),


use rule comparing as relations_claims with:
    input:
        tests="<results>/relations/tests.parquet",
        comparisons=parquet(
            "relations", ["best_by_type", "prompt_variance"] + ["entropy_differences" for _ in HUMANS[:1]]
        ),
    output:
        tables("relations", "claims"),
    log:
        "<results>/logs/relations/claims.log",
    params:
        **step("relations", "claims", models=RELATIONS_ENTRIES),


use rule comparing as relations_published with:
    input:
        published=shipped("resources/published/relations.csv"),
        averages="<results>/relations/averages.parquet",
        metrics=metrics_of("relations", RELATIONS_ANSWERING),
        top_words=expand("<results>/relations/top_words/{agent}.parquet", agent=RELATIONS_ANSWERING),
        tables=parquet(
            "relations",
            ["data", "counts", "vocabularies"]
            + shown("relations", "tables", "comparisons")
            + shown("relations", "tables", "entropy"),
        ),
    output:
        tables("relations", "published"),
    log:
        "<results>/logs/relations/published.log",
    params:
        **step("relations", "published", models=RELATIONS_MODELS, panel=RELATIONS_PANEL, tuples=RELATIONS["tuples"]),
