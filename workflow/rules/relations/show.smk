# The relations study: tables, figures and pages.


# What figures are drawn from, on the page and for print, and what trials are listed from.
DRAWN["relations"] = {
    "files": {
        "averages": "<results>/relations/averages.parquet",
        "tests": "<results>/relations/tests.parquet",
        "first_related": "<results>/relations/tables/first_related.parquet",
        "frequency": "<results>/relations/tables/frequency.parquet",
        "response_entropies": ["<results>/relations/tables/response_entropies.parquet" for _ in HUMANS[:1]],
        "series": parquet("relations", ["series"] if HAS["relations"]["ordered"] else []),
        "relations": RELATIONS["relations"],
    },
    "settings": {
        "names": shown("relations", "figures", "show"),
        "agents": RELATIONS_AGENTS,
        "models": RELATIONS_ENTRIES,
        "k": RELATIONS_K,
        "inference": config["inference"],
        "families": families_of("relations"),
        "controls": RELATIONS_CONTROLS,
        "layered": {model: entry["type"] for model, entry in RELATIONS_LAYERED_ENTRIES.items()},
        "ways": RELATIONS_WAYS,
    },
}
TRIALS["relations"] = {
    "files": {
        "responses": expand("<results>/relations/responses/{agent}.parquet", agent=RELATIONS_AGENTS),
        "metrics": metrics_of("relations", RELATIONS_AGENTS),
        "top_words": expand("<results>/relations/top_words/{agent}.parquet", agent=RELATIONS_AGENTS),
        "probes": "<results>/relations/probes.parquet",
        "relata": "<results>/relations/relata.parquet",
        "tuples": RELATIONS_TUPLES,
        "shared_lexicon": RELATIONS_LEXICON,
        "relations": RELATIONS["relations"],
        "language": RELATIONS["language"],
    },
    "settings": {"people": RELATIONS_PEOPLE},
}


use rule comparing as relations_show with:
    input:
        **DRAWN["relations"]["files"],
        published=shipped("resources/published/relations.csv"),
        metrics=metrics_of("relations", RELATIONS_ANSWERING),
        compared=parquet(
            "relations",
            [name for name in shown("relations", "tables", "comparisons") if name != "claims"]
            + [name for name in shown("relations", "tables", "ceiling") if name != "ceiling"],
        ),
        contrasts="<results>/relations/contrasts.parquet",
        by_agent=expand(
            "<results>/relations/{name}/{agent}.parquet",
            name=RELATIONS_BY_AGENT,
            agent=RELATIONS_AGENTS,
        ),
        top_words=expand("<results>/relations/top_words/{agent}.parquet", agent=RELATIONS_AGENTS),
        probes="<results>/relations/probes.parquet",
        relata="<results>/relations/relata.parquet",
        tuples=RELATIONS_TUPLES,
        shared_lexicon=RELATIONS_LEXICON,
        language=RELATIONS["language"],
        prompts=RELATIONS["prompts"],
        given="<results>/relations/given.parquet",
        losses="<results>/relations/losses.parquet",
        unmatched=["<results>/relations/tables/unmatched_answers.parquet" for _ in HUMANS[:1]],
        lists=["<results>/relations/lists.parquet" for _ in HUMANS[:1]],
        lexicons=expand(
            "<results>/models/lexicon/{model}.parquet",
            model=dict.fromkeys(NETWORKS[model] for model in RELATIONS_SCORED),
        ),
        scores=expand("<results>/relations/scores/{model}.parquet", model=RELATIONS_SCORED),
        counted=expand("<results>/relations/{kind}/{model}.parquet", kind=RELATIONS_COUNTED, model=RELATIONS_SCORED),
        writing=RELATIONS_WRITTEN,
        replies=expand("<results>/relations/replies/{model}.parquet", model=participants_of("relations")),
        template=shipped("workflow/report/answers.html.j2"),
    output:
        prints("relations", "show"),
        tables=tables("relations", "show"),
        figures=figures("relations", "show"),
        answers=answers_page("relations"),
    log:
        "<results>/logs/relations/show.log",
    params:
        **step(
            "relations",
            "show",
            also=of_analyses("relations", "TABLES", "FIGURES"),
            table_names=shown("relations", "tables", "show"),
            shown=RELATIONS["shown_probes"],
            kinds=RELATIONS_KINDS,
            causal=[name for name, entry in config["models"].items() if entry["type"] == "causal"],
            people=HUMANS,
            panel=RELATIONS_PANEL,
            sources=RELATIONS["tuples"],
            run=TITLE,
            closed=RELATIONS_CLOSED,
            **DRAWN["relations"]["settings"],
        ),
