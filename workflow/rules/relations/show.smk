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
        "families": FAMILIES,
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


use rule comparing as relations_attrition with:
    input:
        losses="<results>/relations/losses.parquet",
        given="<results>/relations/given.parquet",
        tuples=RELATIONS_TUPLES,
        relata="<results>/relations/relata.parquet",
        shared_lexicon=RELATIONS_LEXICON,
        probes="<results>/relations/probes.parquet",
        unmatched=["<results>/relations/tables/unmatched_answers.parquet" for _ in HUMANS[:1]],
        lists=["<results>/relations/lists.parquet" for _ in HUMANS[:1]],
        scores=expand("<results>/relations/{kind}/{model}.parquet", kind=RELATIONS_COUNTED, model=RELATIONS_SCORED),
        prompts=RELATIONS["prompts"],
        relations=RELATIONS["relations"],
    output:
        out=tables("relations", "attrition"),
    log:
        "<results>/logs/relations/attrition.log",
    params:
        **step(
            "relations",
            "attrition",
            causal=[name for name, entry in config["models"].items() if entry["type"] == "causal"],
        ),


use rule comparing as relations_tables with:
    input:
        averages="<results>/relations/averages.parquet",
        tests="<results>/relations/tests.parquet",
        contrasts="<results>/relations/contrasts.parquet",
        sensitivity=expand("<results>/relations/sensitivity/{agent}.parquet", agent=RELATIONS_ANSWERING),
        top_words=expand("<results>/relations/top_words/{agent}.parquet", agent=RELATIONS_AGENTS),
        tuples=RELATIONS_TUPLES,
        probes="<results>/relations/probes.parquet",
        relata="<results>/relations/relata.parquet",
        shared_lexicon=RELATIONS_LEXICON,
        relations=RELATIONS["relations"],
        language=RELATIONS["language"],
        lexicons=expand(
            "<results>/models/lexicon/{model}.parquet",
            model=dict.fromkeys(NETWORKS[model] for model in RELATIONS_SCORED),
        ),
        scores=expand("<results>/relations/scores/{model}.parquet", model=RELATIONS_SCORED),
        writing=RELATIONS_WRITTEN,
        replies=expand("<results>/relations/replies/{model}.parquet", model=participants_of("relations")),
    output:
        out=tables("relations", "show"),
    log:
        "<results>/logs/relations/tables.log",
    params:
        **step("relations", "tables", controls=RELATIONS_CONTROLS, shown=RELATIONS["shown_probes"], ways=RELATIONS_WAYS),


use rule comparing as relations_answers with:
    input:
        top_words=expand("<results>/relations/top_words/{agent}.parquet", agent=RELATIONS_AGENTS),
        probes="<results>/relations/probes.parquet",
        relata="<results>/relations/relata.parquet",
        language=RELATIONS["language"],
        relations=RELATIONS["relations"],
        template=shipped("workflow/report/answers.html.j2"),
    output:
        answers_page("relations"),
    log:
        "<results>/logs/relations/answers.log",
    params:
        **step(
            "relations",
            "answers",
            people=HUMANS,
            models=agents_of("relations"),
            run=TITLE,
            closed=RELATIONS_CLOSED,
        ),


use rule comparing as relations_figures with:
    input:
        **DRAWN["relations"]["files"],
    output:
        prints("relations", "show"),
        out=figures("relations", "show"),
    log:
        "<results>/logs/relations/figures.log",
    params:
        **step("relations", "figures", **DRAWN["relations"]["settings"]),
