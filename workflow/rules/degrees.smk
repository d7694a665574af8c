# The degrees study (SemEval-2012 Task 2). Scores depend on the probes and the model alone; people's answers enter after
# them. A model has several raters, each an agent; its files hold all of them.

from relprobe.studies.degrees.config import INSTEAD as DEGREES_OWN_DATA
from relprobe.studies.degrees.config import RATERS as DEGREES_KINDS

DEGREES = config["degrees"]
DEGREES_OWN = DEGREES_OWN_DATA in config["resources"]
DEGREES_RELATIONS = f"<resources>/fetched/{DEGREES_OWN_DATA if DEGREES_OWN else 'semeval2012'}.json"
# Own ratings need the description of their relations; the task's package has it.
DEGREES_DESCRIPTION = DEGREES["prompts"] if DEGREES_OWN else []
DEGREES_BASELINES = [
    *(name for name in DEGREES["baselines"] if name != "pmi" or not DEGREES_OWN),
    *STATIC,
]
CONTROLS["degrees"] = DEGREES_BASELINES
DEGREES_MODELS = models_of("degrees")
# Own ratings have no MaxDiff questions.
DEGREES_TAKERS = [] if DEGREES_OWN else takers_of("degrees")
DEGREES_AGENTS = DEGREES_MODELS + DEGREES_TAKERS + DEGREES_BASELINES
# Agents that are asked after each of their layers: their hidden states alone rate the pairs.
DEGREES_LAYERED = layered_of("degrees")
HAS["degrees"] = {
    "questions": not DEGREES_OWN,
    "static": bool(STATIC),
    "layers": bool(DEGREES_LAYERED),
    "takers": bool(DEGREES_TAKERS),
    "participants": bool(set(DEGREES_TAKERS) & set(PARTICIPANTS)),
}


use rule preparing as degrees_gold with:
    input:
        relations=DEGREES_RELATIONS,
        prompts=DEGREES_DESCRIPTION,
    output:
        gold="<results>/degrees/gold.parquet",
        questions="<results>/degrees/questions.parquet",
    log:
        "<results>/logs/degrees/gold.log",
    params:
        **step("degrees", "gold"),


use rule comparing as degrees_ceiling with:
    input:
        relations=DEGREES_RELATIONS,
        prompts=DEGREES_DESCRIPTION,
    output:
        "<results>/degrees/ceiling.parquet",
    log:
        "<results>/logs/degrees/ceiling.log",
    params:
        **step("degrees", "ceiling", seed=DEGREES["seed"]),


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
        "<results>/degrees/scores/{kind}/{model}.parquet",
    log:
        "<results>/logs/degrees/scores/{kind}/{model}.log",
    wildcard_constraints:
        kind="schema|analogy|pmi|hidden",
    params:
        **model_step(
            "degrees",
            "scores",
            kind=lambda wildcards: wildcards.kind,
            shots=lambda wildcards: (shots(wildcards) if wildcards.kind in ("schema", "pmi") else None),
            layer=lambda wildcards: (DEGREES["layer"] if wildcards.kind == "hidden" else None),
        ),


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


use rule measuring as degrees_layer_metrics with:
    input:
        scores="<results>/degrees/layer_scores/{model}.parquet",
        probes="<results>/degrees/probes.parquet",
        gold="<results>/degrees/gold.parquet",
        questions="<results>/degrees/questions.parquet",
    output:
        "<results>/degrees/layer_metrics/{model}.parquet",
    log:
        "<results>/logs/degrees/layer_metrics/{model}.log",
    params:
        **step("degrees", "layer_metrics", seed=DEGREES["seed"]),


use rule measuring as degrees_ratings with:
    input:
        scores=expand(
            "<results>/degrees/scores/{kind}/{{model}}.parquet",
            kind=[DEGREES_KINDS[rater] for rater in DEGREES["raters"]],
        ),
        probes="<results>/degrees/probes.parquet",
    output:
        "<results>/degrees/ratings/{model}.parquet",
    log:
        "<results>/logs/degrees/ratings/{model}.log",
    params:
        **step(
            "degrees",
            "ratings",
            model=lambda wildcards: wildcards.model,
            raters=DEGREES["raters"],
        ),


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


use rule measuring as degrees_reply_choices with:
    input:
        replies=reply_file("degrees"),
        relations=DEGREES_RELATIONS,
    output:
        "<results>/degrees/reply_choices/{agent}.parquet",
    log:
        "<results>/logs/degrees/reply_choices/{agent}.log",
    params:
        **step("degrees", "reply_choices", orders=orders),


use rule measuring as degrees_choice_metrics with:
    input:
        choices="<results>/degrees/reply_choices/{agent}.parquet",
        gold="<results>/degrees/gold.parquet",
        questions="<results>/degrees/questions.parquet",
    output:
        metrics="<results>/degrees/metrics/{agent}.parquet",
        sensitivity="<results>/degrees/sensitivity/{agent}.parquet",
    log:
        "<results>/logs/degrees/metrics/{agent}.log",
    wildcard_constraints:
        agent="|".join(map(re.escape, DEGREES_TAKERS)) or "none",
    params:
        **step("degrees", "choice_metrics", model=lambda wildcards: wildcards.agent),


use rule measuring as degrees_baseline with:
    input:
        relations=DEGREES_RELATIONS,
        prompts=DEGREES_DESCRIPTION,
        supplied=for_agents(["pmi"], DEGREES_RELATIONS),
        vectors=for_agents(["static"], "<resources>/fetched/static_vectors.json"),
    output:
        "<results>/degrees/ratings/{agent}.parquet",
    log:
        "<results>/logs/degrees/ratings/{agent}.log",
    wildcard_constraints:
        agent="random|pmi|static",
    resources:
        mem_mb=VECTORS_MB,
    params:
        **step(
            "degrees",
            "baseline",
            agent=lambda wildcards: wildcards.agent,
            seed=DEGREES["seed"],
            paradigms=DEGREES["paradigms"],
        ),


use rule degrees_baseline as degrees_printed with:
    input:
        relations=DEGREES_RELATIONS,
        vectors="<resources>/fetched/static_vectors.json",
    output:
        "<results>/degrees/printed/static.parquet",
    log:
        "<results>/logs/degrees/printed.log",
    params:
        **step(
            "degrees",
            "baseline",
            agent="static",
            seed=DEGREES["seed"],
            paradigms="printed",
        ),


use rule measuring as degrees_metrics with:
    input:
        ratings="<results>/degrees/ratings/{agent}.parquet",
        gold="<results>/degrees/gold.parquet",
        questions="<results>/degrees/questions.parquet",
        printed=for_agents(
            [] if DEGREES_OWN else ["static"],
            "<results>/degrees/printed/static.parquet",
        ),
    output:
        metrics="<results>/degrees/metrics/{agent}.parquet",
        sensitivity="<results>/degrees/sensitivity/{agent}.parquet",
    log:
        "<results>/logs/degrees/metrics/{agent}.log",
    wildcard_constraints:
        agent="|".join(map(re.escape, DEGREES_MODELS + DEGREES_BASELINES)),
    params:
        **step("degrees", "metrics", seed=DEGREES["seed"]),


use rule comparing as degrees_averages with:
    input:
        metrics=metrics_of("degrees", DEGREES_AGENTS),
    output:
        "<results>/degrees/averages.parquet",
    log:
        "<results>/logs/degrees/averages.log",
    params:
        **step("degrees", "averages", targets=config["targets"]),


use rule comparing as degrees_tests with:
    input:
        metrics=metrics_of("degrees", DEGREES_AGENTS),
    output:
        "<results>/degrees/tests.parquet",
    log:
        "<results>/logs/degrees/tests.log",
    params:
        **step("degrees", "tests", members=members_of("degrees")),


if DEGREES_LAYERED:

    use rule comparing as degrees_layers with:
        input:
            layered=expand("<results>/degrees/layer_metrics/{model}.parquet", model=DEGREES_LAYERED),
            metrics=metrics_of("degrees", DEGREES_BASELINES),
            averages="<results>/degrees/averages.parquet",
        output:
            out=tables("degrees", "layers") + parquet("degrees", ["series"]),
        log:
            "<results>/logs/degrees/layers.log",
        params:
            **step("degrees", "layers", targets=config["targets"]),


use rule comparing as degrees_tables with:
    input:
        metrics=metrics_of("degrees", DEGREES_AGENTS),
        averages="<results>/degrees/averages.parquet",
        tests="<results>/degrees/tests.parquet",
        published=shipped("resources/published/degrees.csv"),
        gold="<results>/degrees/gold.parquet",
        questions="<results>/degrees/questions.parquet",
        ceiling="<results>/degrees/ceiling.parquet",
        sensitivity=expand("<results>/degrees/sensitivity/{agent}.parquet", agent=DEGREES_AGENTS),
        reply_choices=expand("<results>/degrees/reply_choices/{agent}.parquet", agent=DEGREES_TAKERS),
        replies=reply_files("degrees", DEGREES_TAKERS),
    output:
        tables("degrees", "tables"),
    log:
        "<results>/logs/degrees/tables.log",
    params:
        **step("degrees", "tables", paper=not DEGREES_OWN),


use rule comparing as degrees_figures with:
    input:
        averages="<results>/degrees/averages.parquet",
        gold="<results>/degrees/gold.parquet",
        ceiling="<results>/degrees/ceiling.parquet",
        series=parquet("degrees", ["series"]) if DEGREES_LAYERED else [],
    output:
        prints("degrees", "figures"),
        out=figures("degrees", "figures"),
    log:
        "<results>/logs/degrees/figures.log",
    params:
        **step(
            "degrees",
            "figures",
            kinds=kinds_of("degrees", []) | types_of(DEGREES_TAKERS),
            families=FAMILIES,
            layered=types_of(DEGREES_LAYERED),
        ),


use rule comparing as degrees_published with:
    input:
        published=shipped("resources/published/degrees.csv"),
        averages="<results>/degrees/averages.parquet",
        data="<results>/degrees/tables/data.csv",
    output:
        tables("degrees", "published"),
    log:
        "<results>/logs/degrees/published.log",
    params:
        **step(
            "degrees",
            "published",
            inference=config["inference"],
            paper=not DEGREES_OWN,
        ),
