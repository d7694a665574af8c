# The analogies study: tables, figures and pages.


# What figures are drawn from, on the page and for print, and what trials are listed from.
DRAWN["analogies"] = {
    "files": {
        "averages": "<results>/analogies/averages.parquet",
        "tuples": "<results>/analogies/tuples.parquet",
        "series": parquet("analogies", ["series"]) if ANALOGIES_LAYERED else [],
    },
    "settings": {
        "kinds": ANALOGIES_KINDS,
        "families": families_of("analogies"),
        "layered": types_of(ANALOGIES_LAYERED),
    },
}
TRIALS["analogies"] = {
    "files": {
        "unsupervised": expand("<results>/analogies/unsupervised/{agent}.parquet", agent=ANALOGIES_AGENTS),
        "supervised": expand("<results>/analogies/supervised/{agent}.parquet", agent=ANALOGIES_SUPERVISED),
        "instances": "<results>/analogies/instances.parquet",
        "tuples": "<results>/analogies/tuples.parquet",
    },
    "settings": {},
}


use rule comparing as analogies_show with:
    input:
        **DRAWN["analogies"]["files"],
        tests="<results>/analogies/tests.parquet",
        contrasts="<results>/analogies/contrasts.parquet",
        queries="<results>/analogies/swapped.parquet",
        frequency="<results>/analogies/frequency.parquet",
        unjudged=expand("<results>/analogies/unjudged/{agent}.parquet", agent=ANALOGIES_AGENTS),
        instances="<results>/analogies/instances.parquet",
        decisions=expand("<results>/analogies/unsupervised/{agent}.parquet", agent=ANALOGIES_AGENTS),
        reply_choices=expand("<results>/analogies/reply_choices/{agent}.parquet", agent=ANALOGIES_TAKERS),
        replies=reply_files("analogies", ANALOGIES_TAKERS),
        template=shipped("workflow/report/answers.html.j2"),
    output:
        prints("analogies", "show"),
        tables=tables("analogies", "show"),
        figures=figures("analogies", "show"),
        answers=answers_page("analogies"),
    log:
        "<results>/logs/analogies/show.log",
    params:
        **step(
            "analogies",
            "show",
            controls=STATIC,
            inference=config["inference"],
            notice=notice("analogies"),
            models=agents_of("analogies"),
            run=TITLE,
            **DRAWN["analogies"]["settings"],
        ),
