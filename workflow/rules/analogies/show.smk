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
        "families": FAMILIES,
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


use rule comparing as analogies_tables with:
    input:
        averages="<results>/analogies/averages.parquet",
        tests="<results>/analogies/tests.parquet",
        contrasts="<results>/analogies/contrasts.parquet",
        queries="<results>/analogies/swapped.parquet",
        frequency="<results>/analogies/frequency.parquet",
        unjudged=expand("<results>/analogies/unjudged/{agent}.parquet", agent=ANALOGIES_AGENTS),
        tuples="<results>/analogies/tuples.parquet",
        instances="<results>/analogies/instances.parquet",
        reply_choices=expand("<results>/analogies/reply_choices/{agent}.parquet", agent=ANALOGIES_TAKERS),
        replies=reply_files("analogies", ANALOGIES_TAKERS),
    output:
        tables("analogies", "tables"),
    log:
        "<results>/logs/analogies/tables.log",
    params:
        **step("analogies", "tables", inference=config["inference"]),


use rule comparing as analogies_answers with:
    input:
        decisions=expand("<results>/analogies/unsupervised/{agent}.parquet", agent=ANALOGIES_AGENTS),
        instances="<results>/analogies/instances.parquet",
        tuples="<results>/analogies/tuples.parquet",
        template=shipped("workflow/report/answers.html.j2"),
    output:
        report(
            "<results>/analogies/answers.html",
            category="Analogies",
            labels={"page": "answers"},
        ),
    log:
        "<results>/logs/analogies/answers.log",
    params:
        **step("analogies", "answers", notice=notice("analogies"), models=agents_of("analogies"), run=TITLE),


use rule comparing as analogies_figures with:
    input:
        **DRAWN["analogies"]["files"],
    output:
        prints("analogies", "figures"),
        out=figures("analogies", "figures"),
    log:
        "<results>/logs/analogies/figures.log",
    params:
        **step("analogies", "figures", **DRAWN["analogies"]["settings"]),
