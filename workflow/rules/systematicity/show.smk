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
        "kinds": SYSTEMATICITY_KINDS,
        "inference": config["inference"],
        "families": families_of("systematicity"),
        "layered": types_of(SYSTEMATICITY_LAYERED),
    },
}
TRIALS["systematicity"] = {
    "files": {
        "probes": "<results>/systematicity/probes.parquet",
        "item_table": "<results>/systematicity/items.parquet",
        "values": expand("<results>/systematicity/metrics/{agent}.parquet", agent=["majority", *SYSTEMATICITY_NEAREST]),
        "scores": expand("<results>/systematicity/scores/{agent}.parquet", agent=SYSTEMATICITY_ANSWERING),
        "detections": expand("<results>/systematicity/detections/{agent}.parquet", agent=SYSTEMATICITY_EMBEDDED),
        "reply_choices": expand("<results>/systematicity/reply_choices/{agent}.parquet", agent=SYSTEMATICITY_TAKERS),
    },
    "settings": {"vectors": list(VECTORS), "controls": SYSTEMATICITY_CONTROLS},
}


use rule comparing as systematicity_show with:
    input:
        # What is drawn of the models' answers is a table that this step writes.
        **{name: file for name, file in DRAWN["systematicity"]["files"].items() if name != "category_logprobs"},
        metrics=metrics_of("systematicity", SYSTEMATICITY_KINDS),
        tests="<results>/systematicity/tests.parquet",
        contrasts="<results>/systematicity/contrasts.parquet",
        probes="<results>/systematicity/probes.parquet",
        item_table="<results>/systematicity/items.parquet",
        pairs="<results>/systematicity/pairs.parquet",
        scores=expand("<results>/systematicity/scores/{agent}.parquet", agent=SYSTEMATICITY_ANSWERING),
        wordnet=SYSTEMATICITY_WORDNET,
        occurrences=SYSTEMATICITY_OCCURRENCES,
        published=shipped("resources/published/systematicity.csv"),
        reply_choices=expand("<results>/systematicity/reply_choices/{agent}.parquet", agent=SYSTEMATICITY_TAKERS),
        replies=reply_files("systematicity", SYSTEMATICITY_TAKERS),
        template=shipped("workflow/report/answers.html.j2"),
    output:
        prints("systematicity", "show"),
        tables=tables("systematicity", "show"),
        figures=figures("systematicity", "show"),
        category_logprobs="<results>/systematicity/category_logprobs.parquet",
        errors="<results>/systematicity/errors.parquet",
        answers=answers_page("systematicity"),
    log:
        "<results>/logs/systematicity/show.log",
    params:
        **step(
            "systematicity",
            "show",
            **SYSTEMATICITY_ITEMS,
            controls=SYSTEMATICITY_NO_MODELS,
            scale=SYSTEMATICITY["frequency"],
            resources=sorted({*SYSTEMATICITY_OPTIONAL, *(["static_vectors"] if VECTORS else [])}),
            seed=SYSTEMATICITY["seed"],
            vectors=list(VECTORS),
            models=agents_of("systematicity"),
            run=TITLE,
            **DRAWN["systematicity"]["settings"],
        ),
