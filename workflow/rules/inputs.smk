# External files, pinned in the configuration. A manifest stands for the folder of its name beside it.
# On a cluster these run where Snakemake does: the nodes need not reach the network.


localrules:
    inputs_fetch,
    inputs_vectors,
    inputs_wordnet,
    inputs_wn_lmf,


use rule analysis as inputs_fetch with:
    input:
        with_origin("<resources>/fetched/{key}{resource}.json", local_files("resources")),
    output:
        written_once("<resources>/fetched/{key}{resource}.json"),
    log:
        "<results>/logs/inputs/fetch/{key}{resource}.log",
    priority: 100
    params:
        **step(
            "inputs",
            "fetch",
            name=lambda wildcards: wildcards.resource,
            entry=entry_of("resources", ORIGIN_KEYS),
        ),
        local=local_identity("resources"),


use rule analysis as inputs_vectors with:
    input:
        with_origin("<resources>/fetched/vectors/{key}{vector}.json", local_files("vectors")),
    output:
        written_once("<resources>/fetched/vectors/{key}{vector}.json"),
    log:
        "<results>/logs/inputs/vectors/{key}{vector}.log",
    wildcard_constraints:
        vector=one_of(config["vectors"]),
    priority: 100
    params:
        **step(
            "inputs",
            "vectors",
            name=lambda wildcards: wildcards.vector,
            entry=entry_of("vectors", ORIGIN_KEYS),
        ),
        local=local_identity("vectors"),


use rule analysis as inputs_wordnet with:
    input:
        fetched="<resources>/fetched/{key}wordnet.json",
    output:
        written_once("<resources>/fetched/{key}nltk_wordnet.json"),
    log:
        "<results>/logs/inputs/wordnet/{key}wordnet.log",
    params:
        **step("inputs", "wordnet"),


use rule analysis as inputs_wn_lmf with:
    input:
        fetched="<resources>/fetched/{key}wn_lmf.json",
    output:
        written_once("<resources>/fetched/{key}wn_database.json"),
    log:
        "<results>/logs/inputs/wn_lmf/{key}wn_lmf.log",
    params:
        **step("inputs", "wn_lmf"),
