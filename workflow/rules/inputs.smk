# External files, pinned in the configuration. A manifest stands for the folder of its name beside it.
# On a cluster these run where Snakemake does: the nodes need not reach the network.


localrules:
    inputs_fetch,
    inputs_vectors,
    inputs_wordnet,
    inputs_wn_lmf,


use rule analysis as inputs_fetch with:
    input:
        with_origin(f"<resources>/fetched/{KEYED}{{resource}}.json", local_files("resources")),
    output:
        written_once(f"<resources>/fetched/{KEYED}{{resource}}.json"),
    log:
        f"<results>/logs/inputs/fetch/{KEYED}{{resource}}.log",
    priority: 100
    # As in models.smk.
    retries: 0
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
        with_origin(f"<resources>/fetched/vectors/{KEYED}{{vector}}.json", local_files("vectors")),
    output:
        written_once(f"<resources>/fetched/vectors/{KEYED}{{vector}}.json"),
    log:
        f"<results>/logs/inputs/vectors/{KEYED}{{vector}}.log",
    wildcard_constraints:
        vector=one_of(config["vectors"]),
    priority: 100
    # As in models.smk.
    retries: 0
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
        fetched=f"<resources>/fetched/{KEYED}wordnet.json",
    output:
        written_once(f"<resources>/fetched/{KEYED}nltk_wordnet.json"),
    log:
        f"<results>/logs/inputs/wordnet/{KEYED}wordnet.log",
    params:
        **step("inputs", "wordnet"),


use rule analysis as inputs_wn_lmf with:
    input:
        fetched=f"<resources>/fetched/{KEYED}wn_lmf.json",
    output:
        written_once(f"<resources>/fetched/{KEYED}wn_database.json"),
    log:
        f"<results>/logs/inputs/wn_lmf/{KEYED}wn_lmf.log",
    params:
        **step("inputs", "wn_lmf"),
