# External files, pinned in the configuration. A manifest stands for the folder of its name beside it.
# On a cluster these run where Snakemake does: the nodes need not reach the network.


localrules:
    fetch,
    wordnet,


rule fetch:
    input:
        local=local_files("resource"),
        code=code("fetch"),
    output:
        manifest="<resources>/fetched/{resource}.json",
    log:
        "<results>/logs/fetch/{resource}.log",
    priority: 100
    conda:
        "../../envs/analysis.yaml"
    params:
        entry=origin("resource"),
    shell:
        """
        python workflow/scripts/fetch.py \
            --name {wildcards.resource} \
            --entry {params.entry:q} \
            --manifest {output.manifest} \
            --log {log}
        """


rule wordnet:
    input:
        fetched="<resources>/fetched/wordnet.json",
        code=code("wordnet"),
    output:
        manifest="<resources>/fetched/nltk_wordnet.json",
    log:
        "<results>/logs/wordnet.log",
    conda:
        "../../envs/analysis.yaml"
    shell:
        """
        python workflow/scripts/wordnet.py \
            --fetched {input.fetched} \
            --manifest {output.manifest} \
            --log {log}
        """
