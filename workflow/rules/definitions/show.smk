# The definitions study: tables, figures and pages.


# What figures are drawn from, on the page and for print, and what trials are listed from.
DRAWN["definitions"] = {
    "files": {
        "averages": "<results>/definitions/averages.parquet",
    },
    "settings": {
        "kinds": dict.fromkeys(DEFINITIONS_PEOPLE, "humans")
        | kinds_of("definitions", DEFINITIONS_BASELINES)
        | types_of(DEFINITIONS_TAKERS),
        "families": FAMILIES,
        "depth": not DEFINITIONS_OWN,
    },
}
TRIALS["definitions"] = {
    "files": {
        "responses": expand("<results>/definitions/responses/{agent}.parquet", agent=DEFINITIONS_AGENTS),
        "properties": "<results>/definitions/properties.parquet",
    },
    "settings": {"ties": DEFINITIONS_CHOICES["ties"], "expected": ["random"]},
}


use rule comparing as definitions_tables with:
    input:
        averages="<results>/definitions/averages.parquet",
        agents="<results>/definitions/tests.parquet",
        tasks="<results>/definitions/tasks.parquet",
        sizes="<results>/definitions/sizes.parquet",
        groups="<results>/definitions/groups.parquet",
        properties="<results>/definitions/properties.parquet",
        people="<results>/definitions/people.parquet" if DEFINITIONS_PEOPLE else [],
        responses=expand("<results>/definitions/responses/{agent}.parquet", agent=DEFINITIONS_AGENTS),
        sensitivity=expand(
            "<results>/definitions/sensitivity/{agent}.parquet",
            agent=[name for name in DEFINITIONS_AGENTS if name not in ("humans", "random")],
        ),
        reply_choices=expand("<results>/definitions/reply_choices/{agent}.parquet", agent=DEFINITIONS_TAKERS),
        replies=reply_files("definitions", DEFINITIONS_TAKERS),
    output:
        tables("definitions", "tables"),
    log:
        "<results>/logs/definitions/tables.log",
    resources:
        mem_mb=DEFINITIONS_VALUES_MB,
    params:
        **step(
            "definitions",
            "tables",
            targets=DEFINITIONS["targets"],
            depth=not DEFINITIONS_OWN,
            large=DEFINITIONS_LARGE,
        ),


use rule comparing as definitions_figures with:
    input:
        **DRAWN["definitions"]["files"],
    output:
        prints("definitions", "figures"),
        out=figures("definitions", "figures"),
    log:
        "<results>/logs/definitions/figures.log",
    params:
        **step("definitions", "figures", **DRAWN["definitions"]["settings"]),


use rule comparing as definitions_answers with:
    input:
        responses=expand("<results>/definitions/responses/{agent}.parquet", agent=DEFINITIONS_AGENTS),
        groups="<results>/definitions/groups.parquet",
        properties="<results>/definitions/properties.parquet",
        template=shipped("workflow/report/answers.html.j2"),
    output:
        report(
            "<results>/definitions/answers.html",
            category="Definitions",
            labels={"page": "answers"},
        ),
    log:
        "<results>/logs/definitions/answers.log",
    params:
        **step(
            "definitions",
            "answers",
            source="your dictionary" if DEFINITIONS_OWN else "WordNet",
            models=agents_of("definitions"),
            run=TITLE,
        ),
