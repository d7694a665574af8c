# The pages: one per study, and above them the index and what the papers print beside what came out.


# The studies that are those of a paper which prints figures: each has a picture of them beside ours.
PICTURED = [study for study in RUN_STUDIES if "published" in shown_tables(study) and IN_RUN[study].has.get("paper")]


# The settings of the page of a study, and the code of its words.
PAGE_OF_STUDY = {
    "also": lambda wildcards: code_of(wildcards.study),
    "pages": lambda wildcards: [wildcards.study],
    "study": lambda wildcards: wildcards.study,
    "has": lambda wildcards: IN_RUN[wildcards.study].has,
    "models": lambda wildcards: agents_of(wildcards.study),
    "missing": lambda wildcards: missing.missing_agents(MISSING, wildcards.study) or None,
    "run": TITLE,
    "margin": config["margin"],
}


localrules:
    report_ledger,
    report_first,
    report_study,
    report_index,


use rule analysis as report_ledger with:
    input:
        ledgers=lambda wildcards: expand(
            "<results>/{study}/ledger/{agent}.parquet",
            study=wildcards.study,
            agent=chat_models_of(wildcards.study),
        ),
        replies=lambda wildcards: expand(
            "<results>/{study}/replies/{agent}.parquet",
            study=wildcards.study,
            agent=chat_models_of(wildcards.study),
        ),
    output:
        ledger=in_all_studies("ledger"),
        sources=in_all_studies("reply_sources"),
    log:
        "<results>/logs/{study}/ledger.log",
    params:
        **step("report", "ledger"),


# The first page of a study does without what waits for agents that are asked layer by layer. It is there while the run goes on,
# until the whole page takes its place.
use rule analysis as report_first with:
    input:
        tables=lambda wildcards: parquet(wildcards.study, early(wildcards.study, "tables")),
        figures=lambda wildcards: expand(
            "<results>/{study}/figures/{name}.svg",
            study=wildcards.study,
            name=early(wildcards.study, "figures"),
        ),
        answers=lambda wildcards: expand(
            "<results>/{study}/answers.html",
            study=wildcards.study if has_answers(wildcards.study) else [],
        ),
        template=shipped("workflow/report/page.html.j2"),
    output:
        out=temp("<results>/{study}/first.html"),
        card=temp("<results>/{study}/first.json"),
    log:
        "<results>/logs/{study}/first.log",
    wildcard_constraints:
        study=one_of(study for study in RUN_STUDIES if IN_RUN[study].late),
    params:
        **step("report", "study", late=lambda wildcards: IN_RUN[wildcards.study].late, **PAGE_OF_STUDY),


use rule analysis as report_study with:
    input:
        # No step reads it.
        lambda wildcards: expand(
            "<results>/{study}/first.{form}",
            study=wildcards.study if IN_RUN[wildcards.study].late else [],
            form=["html", "json"],
        ),
        tables=lambda wildcards: parquet(wildcards.study, shown(wildcards.study, "tables")),
        figures=lambda wildcards: expand(
            "<results>/{study}/figures/{name}.svg",
            study=wildcards.study,
            name=shown(wildcards.study, "figures"),
        ),
        answers=lambda wildcards: expand(
            "<results>/{study}/answers.html",
            study=wildcards.study if has_answers(wildcards.study) else [],
        ),
        template=shipped("workflow/report/page.html.j2"),
    output:
        out=report(
            "<results>/{study}/report.html",
            category=lambda wildcards: wildcards.study.capitalize(),
            labels={"page": "study"},
        ),
        card="<results>/{study}/card.json",
    log:
        "<results>/logs/{study}/report.log",
    params:
        **step("report", "study", **PAGE_OF_STUDY),


use rule analysis as report_index with:
    input:
        # The pages that it leads to; no step reads them.
        expand("<results>/{study}/report.html", study=RUN_STUDIES),
        cards=expand("<results>/{study}/card.json", study=RUN_STUDIES),
        published=expand(
            "<results>/{study}/tables/published.parquet",
            study=PICTURED,
        ),
        manifests=[fetched_model(model) for model in models_here()],
        adapters=[fetched_adapter(agent) for agent in adapters_here()],
        tables=[
            expand("<results>/{study}/{name}.parquet", study=study, name=["averages", "tests"])
            + parquet(study, shown_tables(study))
            for study in RUN_STUDIES
        ],
        template=shipped("workflow/report/page.html.j2"),
    output:
        # Beside the named SVG files.
        expand("<results>/published/{study}.png", study=PICTURED),
        index="<results>/report.html",
        published_index="<results>/published.html",
        sources="<results>/sources.csv",
        captions=directory("<results>/captions"),
        pictures=expand("<results>/published/{study}.svg", study=PICTURED),
        configuration_out="<results>/configuration.json",
        package="<results>/datapackage.json",
        ro_crate="<results>/ro-crate-metadata.json",
    log:
        "<results>/logs/report/index.log",
    params:
        **step(
            "report",
            "index",
            unrecorded=lambda wildcards: {"configuration": config},
            pages=lambda wildcards: STUDIES,
            run=TITLE,
            has={study: study_run.has for study, study_run in IN_RUN.items()},
            missing=LEFT_OUT | LOST | absent(config),
            notes=[*stand_ins(config, remedies=True).values(), *DUPLICATES],
            families={study: families_of(study) for study in RUN_STUDIES},
            compared="compare" in config,
            models={name: config["models"][name] for name in models_here()},
            adapter_entries={name: config["models"][name]["peft"] for name in adapters_here()},
            resources=config["resources"] | {f"vectors.{name}": entry for name, entry in config["vectors"].items()},
        ),


# Only where the config names another results folder.
if "compare" in config:

    COMPARED = Path(config["compare"]["before"])

    localrules:
        report_compare,

    use rule analysis as report_compare with:
        input:
            # Tests are made of all metrics, and after them; the other folder's files are as they are.
            inputs=expand("<results>/{study}/tests.parquet", study=RUN_STUDIES)
            + sorted(map(str, COMPARED.glob("*/metrics/*.parquet"))),
            template=shipped("workflow/report/page.html.j2"),
        output:
            page=report("<results>/compare.html", category="Runs", labels={"page": "compare"}),
            differences="<results>/differences.csv",
            changed="<results>/changed.csv",
        log:
            "<results>/logs/report/compare.log",
        params:
            **step(
                "report",
                "compare",
                unrecorded=lambda wildcards: {"configuration": config},
                also=lambda wildcards: [name for study in RUN_STUDIES for name in code_of(study)],
                studies=RUN_STUDIES,
                before=str(COMPARED),
                after=locate("<results>"),
                renamed=config["compare"].get("renamed", {}),
                run=TITLE,
            ),
