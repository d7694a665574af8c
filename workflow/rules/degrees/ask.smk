# The degrees study: probes, and what models answer.


use rule preparing as degrees_probes with:
    input:
        relations=DEGREES_RELATIONS,
        prompts=DEGREES["prompts"],
    output:
        "<results>/degrees/probes.parquet",
    log:
        "<results>/logs/degrees/probes.log",
    params:
        **step("degrees", "probes", paradigms=DEGREES["paradigms"]),


use rule scoring as degrees_scores with:
    input:
        model=manifest_of,
        probes="<results>/degrees/probes.parquet",
    output:
        **DEGREES_SCORES,
    log:
        "<results>/logs/degrees/scores/{model}.log",
    wildcard_constraints:
        model=one_of(DEGREES_WHOLE),
    params:
        **model_step("degrees", "scores", shots=shots, layer=DEGREES["layer"]),


# An agent with examples is asked what it does not share with the agent without them.
if DEGREES_PROMPTED_SCORES:

    use rule scoring as degrees_scores_alone with:
        input:
            model=manifest_of,
            probes="<results>/degrees/probes.parquet",
        output:
            **DEGREES_PROMPTED_SCORES,
        log:
            "<results>/logs/degrees/scores/{model}.log",
        wildcard_constraints:
            model=one_of(name for name in DEGREES_MODELS if name not in DEGREES_WHOLE),
        params:
            **model_step("degrees", "scores", shots=shots),


use rule scoring as degrees_layer_scores with:
    input:
        model=manifest_of,
        probes="<results>/degrees/probes.parquet",
    output:
        "<results>/degrees/layer_scores/{model}.parquet",
    log:
        "<results>/logs/degrees/layer_scores/{model}.log",
    params:
        **model_step("degrees", "layer_scores", layers=layers_of),


# On a cluster the agents that only chat are asked where Snakemake runs: the nodes need not reach the network.
localrules:
    degrees_replies,


use rule asking as degrees_replies with:
    input:
        relations=DEGREES_RELATIONS,
    output:
        out="<results>/degrees/replies/{model}.parquet",
        ledger="<results>/degrees/ledger/{model}.parquet",
    log:
        "<results>/logs/degrees/replies/{model}.log",
    params:
        # People saw the paradigms as the package writes them.
        **participant_step("degrees", "replies", orders=orders, paradigms="printed"),


use rule scoring as degrees_writing with:
    input:
        model=manifest_of,
        relations=DEGREES_RELATIONS,
    output:
        "<results>/degrees/writing/{model}.parquet",
    log:
        "<results>/logs/degrees/writing/{model}.log",
    params:
        **model_step("degrees", "writing", orders=orders, samples=samples, paradigms="printed"),
