# The pages above the studies' own: the index, and what the papers print beside what came out.


localrules:
    report,


rule report:
    input:
        pages=expand("<results>/{study}/report.html", study=ASKED),
        overviews=expand("<results>/{study}/tables/overview.csv", study=ASKED),
        published=expand("<results>/{study}/tables/published.csv", study=ASKED),
        template="workflow/report/page.html.j2",
        code=code("report"),
    output:
        index="<results>/report.html",
        published="<results>/published.html",
    log:
        "<results>/logs/report.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        left_out=json.dumps(list(LEFT_OUT.values())),
    shell:
        """
        python workflow/scripts/report.py \
            --overviews {input.overviews} \
            --published {input.published} \
            --left-out {params.left_out:q} \
            --template {input.template} \
            --out {output.index} \
            --published-out {output.published} \
            --log {log}
        """
