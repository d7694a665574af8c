# The systematicity study: tables, figures and pages.


# What figures are drawn from, on the page and for print, and what trials are listed from.
DRAWN["systematicity"] = {
    "files": {
        "averages": "<results>/systematicity/averages.parquet",
        "category_logprobs": "<results>/systematicity/category_logprobs.parquet",
        "detection": "<results>/systematicity/detection.parquet",
        "series": parquet("systematicity", ["series"]) if SYSTEMATICITY_LAYERED else [],
    },
    "settings": {
        "sets": SYSTEMATICITY_SETS,
        "agents": list(SYSTEMATICITY_KINDS),
        "kinds": SYSTEMATICITY_KINDS,
        "inference": config["inference"],
        "families": FAMILIES,
        "layered": types_of(SYSTEMATICITY_LAYERED),
    },
}
TRIALS["systematicity"] = {
    "files": {
        "probes": "<results>/systematicity/probes.parquet",
        "item_table": "<results>/systematicity/items.parquet",
        "majority": "<results>/systematicity/metrics/majority.parquet",
        "scores": expand("<results>/systematicity/scores/{agent}.parquet", agent=SYSTEMATICITY_ANSWERING),
        "detections": expand("<results>/systematicity/detections/{agent}.parquet", agent=SYSTEMATICITY_EMBEDDED),
        "reply_choices": expand("<results>/systematicity/reply_choices/{agent}.parquet", agent=SYSTEMATICITY_TAKERS),
    },
    "settings": {"vectors": list(VECTORS), "controls": SYSTEMATICITY_CONTROLS},
}


use rule comparing as systematicity_tables with:
    input:
        metrics=metrics_of("systematicity", SYSTEMATICITY_KINDS),
        averages="<results>/systematicity/averages.parquet",
        detection="<results>/systematicity/detection.parquet",
        agents="<results>/systematicity/tests.parquet",
        contrasts="<results>/systematicity/contrasts.parquet",
        item_table="<results>/systematicity/items.parquet",
        pairs="<results>/systematicity/pairs.parquet",
        wordnet=SYSTEMATICITY_WORDNET if SYSTEMATICITY_RELEASED else [],
        occurrences=SYSTEMATICITY_OCCURRENCES,
        reply_choices=expand("<results>/systematicity/reply_choices/{agent}.parquet", agent=SYSTEMATICITY_TAKERS),
        replies=reply_files("systematicity", SYSTEMATICITY_TAKERS),
    output:
        tables("systematicity", "tables"),
    log:
        "<results>/logs/systematicity/tables.log",
    params:
        **step(
            "systematicity",
            "tables",
            **SYSTEMATICITY_ITEMS,
            controls=SYSTEMATICITY_NO_MODELS,
            scale=SYSTEMATICITY["frequency"],
            resources=sorted({*SYSTEMATICITY_OPTIONAL, *(["static_vectors"] if VECTORS else [])}),
        ),


use rule comparing as systematicity_answer_tables with:
    input:
        scores=expand(
            "<results>/systematicity/scores/{model}.parquet",
            model=SYSTEMATICITY_MODELS,
        ),
        probes="<results>/systematicity/probes.parquet",
        item_table="<results>/systematicity/items.parquet",
        wordnet=SYSTEMATICITY_WORDNET,
    output:
        tables=tables("systematicity", "answer_tables"),
        category_logprobs="<results>/systematicity/category_logprobs.parquet",
        errors="<results>/systematicity/errors.parquet",
    log:
        "<results>/logs/systematicity/answer_tables.log",
    params:
        **step("systematicity", "answer_tables", seed=SYSTEMATICITY["seed"]),


use rule comparing as systematicity_figures with:
    input:
        **DRAWN["systematicity"]["files"],
    output:
        prints("systematicity", "figures"),
        out=figures("systematicity", "figures"),
    log:
        "<results>/logs/systematicity/figures.log",
    params:
        **step("systematicity", "figures", **DRAWN["systematicity"]["settings"]),


use rule comparing as systematicity_answers with:
    input:
        scores=expand(
            "<results>/systematicity/scores/{agent}.parquet",
            agent=SYSTEMATICITY_ANSWERING,
        ),
        probes="<results>/systematicity/probes.parquet",
        item_table="<results>/systematicity/items.parquet",
        reply_choices=expand("<results>/systematicity/reply_choices/{agent}.parquet", agent=SYSTEMATICITY_TAKERS),
        template=shipped("workflow/report/answers.html.j2"),
    output:
        report(
            "<results>/systematicity/answers.html",
            category="Systematicity",
            labels={"page": "answers"},
        ),
    log:
        "<results>/logs/systematicity/answers.log",
    params:
        **step(
            "systematicity",
            "answers",
            models=agents_of("systematicity"),
            vectors=list(VECTORS),
            run=TITLE,
        ),
