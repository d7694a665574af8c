# Models: brought once into a folder that loads offline, and the words that are one token of each.


localrules:
    snapshot,


rule snapshot:
    input:
        local=local_files("model"),
        code=code("snapshot"),
    output:
        manifest="<resources>/fetched/models/{model}.json",
    log:
        "<results>/logs/snapshot/{model}.log",
    priority: 100
    conda:
        "../../envs/probe.yaml"
    resources:
        mem_mb=model_memory,
    params:
        entry=origin("model"),
    shell:
        """
        python workflow/scripts/snapshot.py \
            --name models.{wildcards.model} \
            --entry {params.entry:q} \
            --manifest {output.manifest} \
            --log {log}
        """


rule lexicon:
    input:
        model="<resources>/fetched/models/{model}.json",
        code=code("lexicon"),
    output:
        "<results>/lexicons/{model}.parquet",
    log:
        "<results>/logs/lexicon/{model}.log",
    conda:
        "../../envs/probe.yaml"
    shell:
        """
        HF_HUB_OFFLINE=1 python workflow/scripts/lexicon.py \
            --model {input.model} \
            --out {output} \
            --log {log}
        """
