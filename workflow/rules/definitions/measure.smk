# The definitions study: values of each agent, unit by unit.


use rule measuring as definitions_responses with:
    input:
        scores="<results>/definitions/scores/{model}.parquet",
        groups="<results>/definitions/groups.parquet",
        probes="<results>/definitions/probes.parquet",
    output:
        "<results>/definitions/responses/{model}.parquet",
    log:
        "<results>/logs/definitions/responses/{model}.log",
    wildcard_constraints:
        model=one_of(DEFINITIONS_MODELS),
    resources:
        mem_mb=DEFINITIONS_PAIRS_MB,
    params:
        **step(
            "definitions",
            "responses",
            type=lambda wildcards: config["models"][wildcards.model]["type"],
            **DEFINITIONS_READING,
        ),


use rule measuring as definitions_baseline with:
    input:
        groups="<results>/definitions/groups.parquet",
        probes="<results>/definitions/probes.parquet",
        vectors=lambda wildcards: VECTORS.get(wildcards.agent, []),
        words=for_agents(["frequency"], "<results>/definitions/words.parquet"),
    output:
        "<results>/definitions/responses/{agent}.parquet",
    log:
        "<results>/logs/definitions/responses/{agent}.log",
    wildcard_constraints:
        agent=one_of(DEFINITIONS_BASELINES),
    resources:
        mem_mb=megabytes(5000),  # the 3,000,000 words of word2vec in 300 dimensions take 3,600, and their names more
    params:
        **step("definitions", "baseline", agent=lambda wildcards: wildcards.agent),


use rule measuring as definitions_participants with:
    input:
        answers=f"<resources>/fetched/{DEFINITIONS_ANSWERS}.json",
        groups="<results>/definitions/groups.parquet",
        probes="<results>/definitions/probes.parquet",
    output:
        "<results>/definitions/responses/humans.parquet",
    log:
        "<results>/logs/definitions/responses/humans.log",
    params:
        **step("definitions", "participants"),


use rule measuring as definitions_reply_responses with:
    input:
        choices="<results>/definitions/reply_choices/{agent}.parquet",
    output:
        "<results>/definitions/responses/{agent}.parquet",
    log:
        "<results>/logs/definitions/responses/{agent}.log",
    wildcard_constraints:
        agent=one_of(DEFINITIONS_TAKERS),
    params:
        **step("definitions", "reply_responses"),
