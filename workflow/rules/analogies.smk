# The analogies study (Rezaee and Camacho-Collados). Scores and embeddings depend on the probes and the model alone;
# classifiers, choices and frequencies come after them.

from relprobe.studies.analogies.config import (
    DEMONSTRATION as ANALOGIES_DEMONSTRATION,
    INSTEAD as ANALOGIES_OWN_DATA,
    repeated as with_embeddings_of_others,
)

ANALOGIES = config["analogies"]
# Where the pairs come from: own analogies, else this project's demonstration, which is there only if BATS is not, else BATS.
ANALOGIES_DATA = next(
    (name for name in (ANALOGIES_OWN_DATA, ANALOGIES_DEMONSTRATION) if name in config["resources"]), "bats"
)
ANALOGIES_PAIRS = f"<resources>/fetched/{ANALOGIES_DATA}.json"
ANALOGIES_BASELINES = list(config["encoders"]) + STATIC
CONTROLS["analogies"] = STATIC
ANALOGIES_MODELS = models_of("analogies")
ANALOGIES_TAKERS = takers_of("analogies")
ANALOGIES_AGENTS = ANALOGIES_MODELS + ANALOGIES_TAKERS + ANALOGIES_BASELINES
ANALOGIES_KINDS = kinds_of("analogies", ANALOGIES_BASELINES) | types_of(ANALOGIES_TAKERS)
# An agent with examples embeds the bare sentences, so that its classifiers are those of the agent without examples.
ANALOGIES_REPEATED = with_embeddings_of_others(config, ANALOGIES_MODELS)
# Neither have the agents that answer in words.
ANALOGIES_SUPERVISED = [agent for agent in ANALOGIES_AGENTS if agent not in (*ANALOGIES_REPEATED, *ANALOGIES_TAKERS)]
# Agents that are asked after each of their layers: classifiers read their states, and they score no sentence.
ANALOGIES_LAYERED = layered_of("analogies")
# How classifiers are trained.
ANALOGIES_TRAINING = {
    key: value for key, value in ANALOGIES["supervised"].items() if key not in ("layer", "layers", "precision")
}
HAS["analogies"] = {
    "layers": bool(ANALOGIES_LAYERED),
    "static": bool(STATIC),
    "benchmark": ANALOGIES_DATA != ANALOGIES_DEMONSTRATION,
    "takers": bool(ANALOGIES_TAKERS),
    "participants": bool(participants_of("analogies")),
}
ANALOGIES_PARTITIONS = ANALOGIES["unsupervised"]["partitions"]


# On a cluster the agents that only chat are asked where Snakemake runs: the nodes need not reach the network.
localrules:
    analogies_replies,
    analogies_snapshot,


use rule preparing as analogies_instances with:
    input:
        pairs=ANALOGIES_PAIRS,
    output:
        tuples="<results>/analogies/tuples.parquet",
        instances="<results>/analogies/instances.parquet",
    log:
        "<results>/logs/analogies/instances.log",
    params:
        **step(
            "analogies",
            "instances",
            **ANALOGIES["split"],
            **ANALOGIES["negatives"],
            sample_tuples=ANALOGIES["sample"].get("tuples"),
            sample_instances=ANALOGIES["sample"].get("instances"),
            sample_swapped=ANALOGIES["sample"]["swapped"],
        ),


use rule comparing as analogies_sensitivity with:
    input:
        pairs=ANALOGIES_PAIRS,
        vectors="<resources>/fetched/static_vectors.json",
    output:
        tables("analogies", "sensitivity"),
    log:
        "<results>/logs/analogies/sensitivity.log",
    resources:
        mem_mb=VECTORS_MB,
    params:
        **step(
            "analogies",
            "sensitivity",
            **{key: value for key, value in ANALOGIES["split"].items() if key != "draws"},
            **ANALOGIES["negatives"],
        ),


use rule preparing as analogies_probes with:
    input:
        instances="<results>/analogies/instances.parquet",
    output:
        "<results>/analogies/probes.parquet",
    log:
        "<results>/logs/analogies/probes.log",
    params:
        **step("analogies", "probes", template=ANALOGIES["template"]),


use rule scoring as analogies_scores with:
    input:
        model=manifest_of,
        probes="<results>/analogies/probes.parquet",
    output:
        "<results>/analogies/scores/{model}.parquet",
    log:
        "<results>/logs/analogies/scores/{model}.log",
    params:
        **model_step(
            "analogies",
            "scores",
            partitions=ANALOGIES_PARTITIONS,
            shots=shots,
            examples=examples_of("analogies"),
            template=lambda wildcards: (ANALOGIES["template"] if shots(wildcards) else None),
        ),


use rule scoring as analogies_embeddings with:
    input:
        model=manifest_of,
        probes="<results>/analogies/probes.parquet",
    output:
        "<results>/analogies/embeddings/{model}.parquet",
    log:
        "<results>/logs/analogies/embeddings/{model}.log",
    params:
        **model_step(
            "analogies",
            "embeddings",
            template=ANALOGIES["template"],
            layer=lambda wildcards: ANALOGIES["supervised"]["layers"].get(
                wildcards.model, ANALOGIES["supervised"]["layer"]
            ),
            precision=ANALOGIES["supervised"]["precision"],
        ),


use rule scoring as analogies_layer_embeddings with:
    input:
        model=manifest_of,
        probes="<results>/analogies/probes.parquet",
    output:
        "<results>/analogies/layer_embeddings/{model}.parquet",
    log:
        "<results>/logs/analogies/layer_embeddings/{model}.log",
    params:
        **model_step(
            "analogies",
            "layer_embeddings",
            template=ANALOGIES["template"],
            layers=layers_of,
            precision=ANALOGIES["supervised"]["precision"],
        ),


use rule models_snapshot as analogies_snapshot with:
    input:
        local_files("encoders"),
    output:
        "<resources>/fetched/encoders/{encoder}.json",
    log:
        "<results>/logs/analogies/snapshot/{encoder}.log",
    params:
        **step(
            "models",
            "snapshot",
            name=lambda wildcards: f"encoders.{wildcards.encoder}",
            entry=entry_of("encoders", ORIGIN_KEYS),
        ),


use rule analysis as analogies_encoder with:
    input:
        encoder="<resources>/fetched/encoders/{encoder}.json",
        instances="<results>/analogies/instances.parquet",
    output:
        "<results>/analogies/pairs/{encoder}.parquet",
    log:
        "<results>/logs/analogies/pairs/{encoder}.log",
    wildcard_constraints:
        encoder="|".join(config["encoders"]) or "none",
    conda:
        "../../envs/models.yaml"
    threads: 8
    resources:
        **OF_MODELS,
        mem_mb=model_memory,
        runtime=model_minutes,
        device=config["scoring"]["device"],
    params:
        **step(
            "analogies",
            "encoder",
            unrecorded=reuse_of,
            **{
                key: lambda wildcards, key=key: config["encoders"][wildcards.encoder].get(key)
                for key in ("template", "pooling", "dtype", "device_map")
            },
        ),


use rule preparing as analogies_static with:
    input:
        vectors="<resources>/fetched/static_vectors.json",
        instances="<results>/analogies/instances.parquet",
    output:
        "<results>/analogies/pairs/static.parquet",
    log:
        "<results>/logs/analogies/pairs/static.log",
    resources:
        mem_mb=VECTORS_MB,
    params:
        **step("analogies", "static"),


use rule measuring as analogies_supervised with:
    input:
        vectors=lambda wildcards: (
            f"<results>/analogies/pairs/{wildcards.agent}.parquet"
            if wildcards.agent in ANALOGIES_BASELINES
            else f"<results>/analogies/embeddings/{wildcards.agent}.parquet"
        ),
        instances="<results>/analogies/instances.parquet",
    output:
        "<results>/analogies/supervised/{agent}.parquet",
    log:
        "<results>/logs/analogies/supervised/{agent}.log",
    wildcard_constraints:
        agent="|".join(ANALOGIES_SUPERVISED) or "none",
    resources:
        # Of one relation's embeddings: four words in each of some 4,000 sentences of a draw.
        mem_mb=lambda wildcards, attempt: (attempt * (2000 + model_width(wildcards) * ANALOGIES["split"]["draws"] // 4)),
        runtime=lambda wildcards, attempt: (
            attempt * ANALOGIES["split"]["draws"] * (10 + model_width(wildcards) // 128)
        ),
    params:
        **step(
            "analogies",
            "supervised",
            parallel=True,
            # Not as a resource: jobs of a group on a cluster must agree in resources that are words.
            unrecorded=lambda wildcards: {"device": config["scoring"]["device"]},
            template=lambda wildcards: (None if wildcards.agent in ANALOGIES_BASELINES else ANALOGIES["template"]),
            **ANALOGIES_TRAINING,
        ),


use rule measuring as analogies_layer_metrics with:
    input:
        vectors="<results>/analogies/layer_embeddings/{model}.parquet",
        instances="<results>/analogies/instances.parquet",
        tuples="<results>/analogies/tuples.parquet",
    output:
        "<results>/analogies/layer_metrics/{model}.parquet",
    log:
        "<results>/logs/analogies/layer_metrics/{model}.log",
    resources:
        mem_mb=lambda wildcards, attempt: (attempt * (2000 + model_width(wildcards) * ANALOGIES["split"]["draws"] // 4)),
        # Of ten layers; a job that takes longer is tried again with more.
        runtime=lambda wildcards, attempt: (
            attempt * 10 * ANALOGIES["split"]["draws"] * (10 + model_width(wildcards) // 128)
        ),
    params:
        **step(
            "analogies",
            "layer_metrics",
            parallel=True,
            unrecorded=lambda wildcards: {"device": config["scoring"]["device"]},
            template=ANALOGIES["template"],
            **ANALOGIES_TRAINING,
        ),


use rule measuring as analogies_unsupervised with:
    input:
        scores="<results>/analogies/scores/{model}.parquet",
        instances="<results>/analogies/instances.parquet",
    output:
        "<results>/analogies/unsupervised/{model}.parquet",
    log:
        "<results>/logs/analogies/unsupervised/{model}.log",
    wildcard_constraints:
        model="|".join(map(re.escape, ANALOGIES_MODELS)) or "none",
    params:
        **step(
            "analogies",
            "unsupervised",
            template=ANALOGIES["template"],
            **ANALOGIES["unsupervised"],
        ),


use rule measuring as analogies_cosines with:
    input:
        vectors="<results>/analogies/pairs/{agent}.parquet",
        instances="<results>/analogies/instances.parquet",
    output:
        "<results>/analogies/unsupervised/{agent}.parquet",
    log:
        "<results>/logs/analogies/unsupervised/{agent}.log",
    wildcard_constraints:
        agent="|".join(ANALOGIES_BASELINES) or "none",
    params:
        **step("analogies", "cosines", partitions=ANALOGIES_PARTITIONS),


use rule asking as analogies_replies with:
    input:
        instances="<results>/analogies/instances.parquet",
    output:
        out="<results>/analogies/replies/{model}.parquet",
        ledger="<results>/analogies/ledger/{model}.parquet",
    log:
        "<results>/logs/analogies/replies/{model}.log",
    params:
        **participant_step("analogies", "replies", orders=orders, partitions=ANALOGIES_PARTITIONS),


use rule scoring as analogies_writing with:
    input:
        model=manifest_of,
        instances="<results>/analogies/instances.parquet",
    output:
        "<results>/analogies/writing/{model}.parquet",
    log:
        "<results>/logs/analogies/writing/{model}.log",
    params:
        **model_step(
            "analogies",
            "writing",
            orders=orders,
            samples=samples,
            partitions=ANALOGIES_PARTITIONS,
        ),


use rule measuring as analogies_reply_choices with:
    input:
        replies=reply_file("analogies"),
        instances="<results>/analogies/instances.parquet",
    output:
        "<results>/analogies/reply_choices/{agent}.parquet",
    log:
        "<results>/logs/analogies/reply_choices/{agent}.log",
    params:
        **step(
            "analogies",
            "reply_choices",
            orders=orders,
            partitions=ANALOGIES_PARTITIONS,
            line=lambda wildcards: conversation("analogies")["continue"],
        ),


use rule measuring as analogies_reply_decisions with:
    input:
        choices="<results>/analogies/reply_choices/{agent}.parquet",
        instances="<results>/analogies/instances.parquet",
    output:
        "<results>/analogies/unsupervised/{agent}.parquet",
    log:
        "<results>/logs/analogies/unsupervised/{agent}.log",
    wildcard_constraints:
        agent="|".join(map(re.escape, ANALOGIES_TAKERS)) or "none",
    params:
        **step("analogies", "reply_decisions", partitions=ANALOGIES_PARTITIONS),


use rule measuring as analogies_metrics with:
    input:
        decisions=for_agents(ANALOGIES_SUPERVISED, "<results>/analogies/supervised/{agent}.parquet"),
        choices="<results>/analogies/unsupervised/{agent}.parquet",
        tuples="<results>/analogies/tuples.parquet",
    output:
        metrics="<results>/analogies/metrics/{agent}.parquet",
        unjudged="<results>/analogies/unjudged/{agent}.parquet",
    log:
        "<results>/logs/analogies/metrics/{agent}.log",
    wildcard_constraints:
        agent="|".join(ANALOGIES_AGENTS),
    params:
        **step("analogies", "metrics"),


use rule comparing as analogies_averages with:
    input:
        metrics=metrics_of("analogies", ANALOGIES_AGENTS),
    output:
        "<results>/analogies/averages.parquet",
    log:
        "<results>/logs/analogies/averages.log",
    params:
        **step("analogies", "averages", targets=config["targets"]),


use rule comparing as analogies_tests with:
    input:
        metrics=metrics_of("analogies", ANALOGIES_AGENTS),
    output:
        "<results>/analogies/tests.parquet",
    log:
        "<results>/logs/analogies/tests.log",
    params:
        **step(
            "analogies",
            "tests",
            kinds=ANALOGIES_KINDS,
            members=members_of("analogies"),
        ),


use rule comparing as analogies_contrasts with:
    input:
        metrics=metrics_of("analogies", ANALOGIES_AGENTS),
    output:
        probes="<results>/analogies/contrasts.parquet",
        queries="<results>/analogies/swapped.parquet",
    log:
        "<results>/logs/analogies/contrasts.log",
    params:
        **step(
            "analogies",
            "contrasts",
            kinds=ANALOGIES_KINDS,
            members=members_of("analogies"),
        ),


use rule comparing as analogies_frequency with:
    input:
        decisions=expand("<results>/analogies/supervised/{agent}.parquet", agent=ANALOGIES_SUPERVISED),
        tuples="<results>/analogies/tuples.parquet",
    output:
        "<results>/analogies/frequency.parquet",
    log:
        "<results>/logs/analogies/frequency.log",
    params:
        **step("analogies", "frequency"),


if ANALOGIES_LAYERED:

    use rule comparing as analogies_layers with:
        input:
            layered=expand("<results>/analogies/layer_metrics/{model}.parquet", model=ANALOGIES_LAYERED),
            averages="<results>/analogies/averages.parquet",
            metrics=metrics_of("analogies", STATIC),
        output:
            out=tables("analogies", "layers") + parquet("analogies", ["series"]),
        log:
            "<results>/logs/analogies/layers.log",
        params:
            **step("analogies", "layers", targets=config["targets"]),


use rule comparing as analogies_tables with:
    input:
        averages="<results>/analogies/averages.parquet",
        tests="<results>/analogies/tests.parquet",
        contrasts="<results>/analogies/contrasts.parquet",
        queries="<results>/analogies/swapped.parquet",
        frequency="<results>/analogies/frequency.parquet",
        unjudged=expand("<results>/analogies/unjudged/{agent}.parquet", agent=ANALOGIES_AGENTS),
        tuples="<results>/analogies/tuples.parquet",
        instances="<results>/analogies/instances.parquet",
        reply_choices=expand("<results>/analogies/reply_choices/{agent}.parquet", agent=ANALOGIES_TAKERS),
        replies=reply_files("analogies", ANALOGIES_TAKERS),
    output:
        tables("analogies", "tables"),
    log:
        "<results>/logs/analogies/tables.log",
    params:
        **step("analogies", "tables", inference=config["inference"]),


use rule comparing as analogies_answers with:
    input:
        decisions=expand("<results>/analogies/unsupervised/{agent}.parquet", agent=ANALOGIES_AGENTS),
        instances="<results>/analogies/instances.parquet",
        tuples="<results>/analogies/tuples.parquet",
        template=shipped("workflow/report/answers.html.j2"),
    output:
        report(
            "<results>/analogies/answers.html",
            category="Analogies",
            labels={"page": "answers"},
        ),
    log:
        "<results>/logs/analogies/answers.log",
    params:
        **step("analogies", "answers", notice=notice("analogies")),


use rule comparing as analogies_figures with:
    input:
        averages="<results>/analogies/averages.parquet",
        tuples="<results>/analogies/tuples.parquet",
        series=parquet("analogies", ["series"]) if ANALOGIES_LAYERED else [],
    output:
        prints("analogies", "figures"),
        out=figures("analogies", "figures"),
    log:
        "<results>/logs/analogies/figures.log",
    params:
        **step(
            "analogies",
            "figures",
            kinds=ANALOGIES_KINDS,
            families=FAMILIES,
            layered=types_of(ANALOGIES_LAYERED),
        ),


use rule comparing as analogies_published with:
    input:
        published=shipped("resources/published/analogies.csv"),
        averages="<results>/analogies/averages.parquet",
        frequency="<results>/analogies/frequency.parquet",
    output:
        tables("analogies", "published"),
    log:
        "<results>/logs/analogies/published.log",
    params:
        **step(
            "analogies",
            "published",
            inference=config["inference"],
            paper=ANALOGIES_DATA == "bats",
        ),
