# The pages above the studies' own: the index, and what the papers print beside what came out.


localrules:
    report,


rule report:
    input:
        pages=expand("<results>/{study}/report.html", study=ASKED),
        overviews=expand("<results>/{study}/tables/overview.csv", study=ASKED),
        published=expand("<results>/{study}/tables/published.csv", study=ASKED),
        manifests=expand(
            "<resources>/fetched/models/{model}.json", model=config["models"]
        ),
        template="workflow/report/page.html.j2",
        code=code("report"),
    output:
        index="<results>/report.html",
        published="<results>/published.html",
        sources="<results>/sources.csv",
        captions=directory("<results>/captions"),
    log:
        "<results>/logs/report.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        left_out=json.dumps(list(LEFT_OUT.values())),
        models=json.dumps(config["models"]),
        resources=json.dumps(config["resources"]),
        reported=all_reported,
    shell:
        """
        python workflow/scripts/report.py \
            --pages {input.pages} \
            --overviews {input.overviews} \
            --published {input.published} \
            --left-out {params.left_out:q} \
            --models {params.models:q} \
            --resources {params.resources:q} \
            --manifests {input.manifests} \
            --template {input.template} \
            --out {output.index} \
            --published-out {output.published} \
            --sources-out {output.sources} \
            --captions-of {params.reported} \
            --captions-out {output.captions} \
            --log {log}
        """
