# The degrees study: tables, figures and pages.


# What figures are drawn from, on the page and for print, and what trials are listed from.
DRAWN["degrees"] = {
    "files": {
        "averages": "<results>/degrees/averages.parquet",
        "gold": "<results>/degrees/gold.parquet",
        "ceiling": "<results>/degrees/ceiling.parquet",
        "series": parquet("degrees", ["series"]) if DEGREES_LAYERED else [],
    },
    "settings": {
        "kinds": kinds_of("degrees", []) | types_of(DEGREES_TAKERS),
        "families": families_of("degrees"),
        "layered": types_of(DEGREES_LAYERED),
    },
}
TRIALS["degrees"] = {
    "files": {
        "ratings": expand("<results>/degrees/ratings/{agent}.parquet", agent=DEGREES_MODELS + DEGREES_BASELINES),
        "gold": "<results>/degrees/gold.parquet",
        "questions": "<results>/degrees/questions.parquet",
        "reply_choices": expand("<results>/degrees/reply_choices/{agent}.parquet", agent=DEGREES_TAKERS),
    },
    "settings": {},
}


use rule comparing as degrees_show with:
    input:
        **DRAWN["degrees"]["files"],
        metrics=metrics_of("degrees", DEGREES_AGENTS),
        tests="<results>/degrees/tests.parquet",
        published=[] if DEGREES_OWN else shipped("resources/published/degrees.csv"),
        questions="<results>/degrees/questions.parquet",
        sensitivity=expand("<results>/degrees/sensitivity/{agent}.parquet", agent=DEGREES_AGENTS),
        reply_choices=expand("<results>/degrees/reply_choices/{agent}.parquet", agent=DEGREES_TAKERS),
        replies=reply_files("degrees", DEGREES_TAKERS),
    output:
        prints("degrees", "show"),
        tables=tables("degrees", "show"),
        figures=figures("degrees", "show"),
    log:
        "<results>/logs/degrees/show.log",
    params:
        **step(
            "degrees",
            "show",
            controls=DEGREES_BASELINES,
            inference=config["inference"],
            **DRAWN["degrees"]["settings"],
        ),
