# The degrees study (SemEval-2012 Task 2), in the order of its method (studies/degrees/method.py): items, scores, responses and
# values. Scores depend on the probes and the model alone; people's answers enter after them, in jobs of seconds. A model has
# several raters, each an agent; its files hold all of them. What compares agents and what is shown: see the end.

from relprobe.studies.degrees.study import KINDS as DEGREES_KINDS
from relprobe.studies.degrees.study import STUDY as DEGREES_STUDY
from relprobe.studies.degrees.study import description as degrees_description
from relprobe.studies.degrees.study import has_own_ratings as degrees_has_own_ratings
from relprobe.studies.degrees.study import raters as degrees_raters
from relprobe.studies.degrees.study import resource as degrees_resource
from relprobe.studies.degrees.study import task_agents as degrees_task_agents

DEGREES = config["degrees"]
DEGREES_OWN = degrees_has_own_ratings(config)
DEGREES_RELATIONS = fetched(degrees_resource(config))
DEGREES_DESCRIPTION = degrees_description(config)
DEGREES_BASELINES = IN_RUN["degrees"].controls
DEGREES_RATERS = degrees_raters(config, models_of("degrees"))
DEGREES_TASK_AGENTS = degrees_task_agents(config, roles("degrees"))
# Kind -> the file with the scores of a model, of the kinds that the raters read; those that examples change; and the agents
# that are asked all of them.
DEGREES_SCORES = {
    kind: f"<results>/degrees/scores/{kind}/{{model}}.parquet"
    for kind in dict.fromkeys(DEGREES_KINDS[rater] for rater in DEGREES["raters"])
}
DEGREES_PROMPTED_SCORES = {
    kind: file for kind, file in DEGREES_SCORES.items() if "shots" not in DEGREES_STUDY.unread.get(kind, ())
}
DEGREES_WHOLE = [name for name, model_raters in DEGREES_RATERS.items() if len(model_raters) == len(DEGREES["raters"])]


# On a cluster the agents that only chat are asked where Snakemake runs: the nodes need not reach the network.
localrules:
    degrees_replies,


# The items: pairs with people's ratings, MaxDiff questions with their choices, and what models are asked about the pairs.


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


# The scores: what models answer to the probes; and what those that take people's task choose.


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
            model=one_of(name for name in DEGREES_RATERS if name not in DEGREES_WHOLE),
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
        **chat_model_step("degrees", "replies", orders=orders, paradigms="printed"),


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


# The responses, which are ratings, and the values of each agent.


# What these are compared with, and which files there are for each agent.
DEGREES_PEOPLE = {name: f"<results>/degrees/{name}.parquet" for name in ("gold", "questions")}
DEGREES_VALUES = {
    "metrics": "<results>/degrees/metrics/{agent}.parquet",
    "by_agent": by_agent("degrees"),
}
DEGREES_MEASURED = {"also": analysis_parts("degrees", "agent_table"), "seed": DEGREES["seed"]}


use rule measuring as degrees_metrics with:
    input:
        **DEGREES_PEOPLE,
        scores=with_signature(
            lambda wildcards: [
                f"<results>/degrees/scores/{DEGREES_KINDS[rater]}/{wildcards.agent}.parquet"
                for rater in DEGREES_RATERS[wildcards.agent]
            ]
        ),
        probes="<results>/degrees/probes.parquet",
    output:
        **DEGREES_VALUES,
        ratings="<results>/degrees/ratings/{agent}.parquet",
    log:
        "<results>/logs/degrees/metrics/{agent}.log",
    wildcard_constraints:
        agent=one_of(DEGREES_RATERS),
    params:
        **step(
            "degrees",
            "metrics",
            model=lambda wildcards: wildcards.agent,
            raters=lambda wildcards: DEGREES_RATERS[wildcards.agent],
            **DEGREES_MEASURED,
        ),


use rule measuring as degrees_control_metrics with:
    input:
        **DEGREES_PEOPLE,
        relations=DEGREES_RELATIONS,
        prompts=DEGREES_DESCRIPTION,
        supplied=for_agents(["pmi"], DEGREES_RELATIONS),
        vectors=for_agents(["static", "typical"], fetched("static_vectors")),
        printed=for_agents([] if DEGREES_OWN else ["static"], DEGREES_RELATIONS),
    output:
        **DEGREES_VALUES,
        ratings="<results>/degrees/ratings/{agent}.parquet",
    log:
        "<results>/logs/degrees/metrics/{agent}.log",
    wildcard_constraints:
        agent=one_of(DEGREES_BASELINES),
    resources:
        mem_mb=VECTORS_MB,
    params:
        **step(
            "degrees",
            "control_metrics",
            agent=lambda wildcards: wildcards.agent,
            paradigms=DEGREES["paradigms"],
            **DEGREES_MEASURED,
        ),


use rule measuring as degrees_task_metrics with:
    input:
        **DEGREES_PEOPLE,
        replies=reply_file("degrees"),
        relations=DEGREES_RELATIONS,
    output:
        **DEGREES_VALUES,
        reply_choices="<results>/degrees/reply_choices/{agent}.parquet",
    log:
        "<results>/logs/degrees/metrics/{agent}.log",
    wildcard_constraints:
        agent=one_of(DEGREES_TASK_AGENTS),
    params:
        **step(
            "degrees",
            "task_metrics",
            model=lambda wildcards: wildcards.agent,
            orders=orders,
            **DEGREES_MEASURED,
        ),


use rule measuring as degrees_layer_metrics with:
    input:
        **DEGREES_PEOPLE,
        scores="<results>/degrees/layer_scores/{model}.parquet",
        probes="<results>/degrees/probes.parquet",
    output:
        "<results>/degrees/layer_metrics/{model}.parquet",
    log:
        "<results>/logs/degrees/layer_metrics/{model}.log",
    params:
        **step("degrees", "layer_metrics"),


# The agents side by side, and what is shown: rules/frame.smk makes degrees_compare and degrees_show, which read what
# `in_run` says in studies/degrees/study.py.
