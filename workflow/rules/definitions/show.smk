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
        "families": families_of("definitions"),
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


use rule comparing as definitions_show with:
    input:
        **DRAWN["definitions"]["files"],
        tests="<results>/definitions/tests.parquet",
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
        template=shipped("workflow/report/answers.html.j2"),
    output:
        prints("definitions", "show"),
        tables=tables("definitions", "show"),
        figures=figures("definitions", "show"),
        answers=answers_page("definitions"),
    log:
        "<results>/logs/definitions/show.log",
    resources:
        mem_mb=DEFINITIONS_VALUES_MB,
    params:
        **step(
            "definitions",
            "show",
            controls=DEFINITIONS_BASELINES,
            targets=DEFINITIONS["targets"],
            large=DEFINITIONS_LARGE,
            source="your dictionary" if DEFINITIONS_OWN else "WordNet",
            models=agents_of("definitions"),
            run=TITLE,
            **DRAWN["definitions"]["settings"],
        ),
