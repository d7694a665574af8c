# The systematicity study (Ravichander et al. 2020), in the order of its method (studies/systematicity/method.py): items, scores,
# responses and values. Scores depend on the probes and the model alone; gold categories, splits and the classifiers' training
# enter after them, in jobs of the CPU. What compares agents and what is shown: see the end.

from relprobe.stats.controls import owner as systematicity_owner
from relprobe.studies.systematicity.hyponyms import RESOURCE as SYSTEMATICITY_OWN_DATA
from relprobe.studies.systematicity.hyponyms import words_of as category_words
from relprobe.studies.systematicity.study import choice_of_items
from relprobe.studies.systematicity.study import controls_of as systematicity_controls_of
from relprobe.studies.systematicity.study import embedding_agents as systematicity_embedding
from relprobe.studies.systematicity.study import nearest as systematicity_nearest

SYSTEMATICITY = config["systematicity"]
# A user's own hyponyms or the authors' data, without which the items come from WordNet.
SYSTEMATICITY_OWN = fetched(SYSTEMATICITY_OWN_DATA) if SYSTEMATICITY_OWN_DATA in config["resources"] else []
SYSTEMATICITY_RELEASED = (
    fetched("systematicity") if "systematicity" in config["resources"] and not SYSTEMATICITY_OWN else []
)
SYSTEMATICITY_CATEGORIES = category_words(SYSTEMATICITY["categories"])
# Agents: MODEL+control is what a model answers to prompts without a relation, and nearest what a look-up of similar words says.
SYSTEMATICITY_MODELS = models_of("systematicity")
SYSTEMATICITY_EMBEDDED = systematicity_embedding(config, roles("systematicity"))
SYSTEMATICITY_NEAREST = systematicity_nearest(config)
SYSTEMATICITY_CONTROLS = systematicity_controls_of(SYSTEMATICITY_MODELS)
SYSTEMATICITY_TASK_AGENTS = task_agents_of("systematicity")
SYSTEMATICITY_CHOOSING = {"categories": SYSTEMATICITY_CATEGORIES, "seed": SYSTEMATICITY["seed"], "orders": orders}


localrules:
    systematicity_replies,


# The items: hyponyms with their probes, and pairs with their contexts for the classifier.


# An input cannot be called `items`, as Snakemake's lists of files have a method of that name.
use rule preparing as systematicity_probes with:
    input:
        wordnet=[] if SYSTEMATICITY_OWN or SYSTEMATICITY_RELEASED else fetched("nltk_wordnet"),
        prompts=SYSTEMATICITY["prompts"],
        released=SYSTEMATICITY_RELEASED,
        user_items=SYSTEMATICITY_OWN,
    output:
        item_table="<results>/systematicity/items.parquet",
        probes="<results>/systematicity/probes.parquet",
    log:
        "<results>/logs/systematicity/probes.log",
    params:
        **step(
            "systematicity",
            "probes",
            **choice_of_items(config),
            plurals=SYSTEMATICITY["plurals"],
            contextual=SYSTEMATICITY["contextual"],
            wordings=SYSTEMATICITY["wordings"],
        ),


use rule preparing as systematicity_pairs with:
    input:
        item_table="<results>/systematicity/items.parquet",
        released=SYSTEMATICITY_RELEASED,
    output:
        pairs="<results>/systematicity/pairs.parquet",
        contexts="<results>/systematicity/contexts.parquet",
    log:
        "<results>/logs/systematicity/pairs.log",
    params:
        **step(
            "systematicity",
            "pairs",
            categories=SYSTEMATICITY_CATEGORIES,
            carriers=SYSTEMATICITY["carriers"],
            folds=SYSTEMATICITY["folds"],
            seed=SYSTEMATICITY["seed"],
        ),


# What a corpus holds of the items.


use rule preparing as systematicity_occurrences with:
    input:
        corpus=fetched("corpus"),
        item_table="<results>/systematicity/items.parquet",
    output:
        "<results>/systematicity/occurrences.parquet",
    log:
        "<results>/logs/systematicity/occurrences.log",
    params:
        **step("systematicity", "occurrences", patterns=SYSTEMATICITY["patterns"]),


# The scores: what models answer to the probes, and their embeddings of words; and what those that take people's task choose.


use rule scoring as systematicity_scores with:
    input:
        model=manifest_of,
        lexicon=LEXICON,
        probes="<results>/systematicity/probes.parquet",
        contexts="<results>/systematicity/contexts.parquet",
    output:
        scores="<results>/systematicity/scores/{model}.parquet",
        embeddings="<results>/systematicity/embeddings/{model}.parquet",
    log:
        "<results>/logs/systematicity/scores/{model}.log",
    wildcard_constraints:
        model=one_of(own_in("systematicity", "embeddings")),
    params:
        **model_step(
            "systematicity",
            "scores",
            top_k=SYSTEMATICITY["top_k"],
            layer=SYSTEMATICITY["layer"],
            shots=shots,
            examples=examples_of("systematicity"),
        ),


# An agent that would embed what another one has embedded.
use rule scoring as systematicity_scores_alone with:
    input:
        model=manifest_of,
        lexicon=LEXICON,
        probes="<results>/systematicity/probes.parquet",
    output:
        scores="<results>/systematicity/scores/{model}.parquet",
    log:
        "<results>/logs/systematicity/scores/{model}.log",
    wildcard_constraints:
        model=one_of(repeating_in("systematicity", "embeddings")),
    params:
        **model_step(
            "systematicity",
            "scores",
            top_k=SYSTEMATICITY["top_k"],
            shots=shots,
            examples=examples_of("systematicity"),
        ),


use rule scoring as systematicity_layer_embeddings with:
    input:
        model=manifest_of,
        contexts="<results>/systematicity/contexts.parquet",
    output:
        "<results>/systematicity/layer_embeddings/{model}.parquet",
    log:
        "<results>/logs/systematicity/layer_embeddings/{model}.log",
    params:
        **model_step("systematicity", "layer_embeddings", layers=layers_of),


use rule preparing as systematicity_static with:
    input:
        vectors=lambda wildcards: VECTORS[wildcards.agent],
        probes="<results>/systematicity/probes.parquet",
        contexts="<results>/systematicity/contexts.parquet",
    output:
        scores="<results>/systematicity/scores/{agent}.parquet",
        embeddings="<results>/systematicity/embeddings/{agent}.parquet",
    log:
        "<results>/logs/systematicity/static/{agent}.log",
    wildcard_constraints:
        agent=one_of(VECTORS),
    resources:
        mem_mb=megabytes(5000),  # the 3,000,000 words of word2vec in 300 dimensions take 3,600, and their names more
    params:
        **step("systematicity", "static", top_k=SYSTEMATICITY["top_k"]),


use rule asking as systematicity_replies with:
    input:
        item_table="<results>/systematicity/items.parquet",
        probes="<results>/systematicity/probes.parquet",
    output:
        out="<results>/systematicity/replies/{model}.parquet",
        ledger="<results>/systematicity/ledger/{model}.parquet",
    log:
        "<results>/logs/systematicity/replies/{model}.log",
    params:
        **chat_model_step("systematicity", "replies", **SYSTEMATICITY_CHOOSING),


use rule scoring as systematicity_writing with:
    input:
        model=manifest_of,
        item_table="<results>/systematicity/items.parquet",
        probes="<results>/systematicity/probes.parquet",
    output:
        "<results>/systematicity/writing/{model}.parquet",
    log:
        "<results>/logs/systematicity/writing/{model}.log",
    params:
        **model_step("systematicity", "writing", samples=samples, **SYSTEMATICITY_CHOOSING),


# The responses and values of each agent.


use rule measuring as systematicity_detections with:
    input:
        pairs="<results>/systematicity/pairs.parquet",
        embeddings="<results>/systematicity/embeddings/{agent}.parquet",
    output:
        "<results>/systematicity/detections/{agent}.parquet",
    log:
        "<results>/logs/systematicity/detections/{agent}.log",
    wildcard_constraints:
        agent=one_of(SYSTEMATICITY_EMBEDDED),
    priority: 50
    conda:
        ENVS / "models.yaml"
    threads: model_threads
    resources:
        mem_mb=megabytes(2000),
    params:
        **step("systematicity", "detections", parallel=True, **SYSTEMATICITY["training"]),


use rule measuring as systematicity_layer_metrics with:
    input:
        pairs="<results>/systematicity/pairs.parquet",
        embeddings="<results>/systematicity/layer_embeddings/{model}.parquet",
    output:
        "<results>/systematicity/layer_metrics/{model}.parquet",
    log:
        "<results>/logs/systematicity/layer_metrics/{model}.log",
    priority: 50
    conda:
        ENVS / "models.yaml"
    threads: model_threads
    resources:
        mem_mb=megabytes(2000),
    params:
        **step("systematicity", "layer_metrics", parallel=True, **SYSTEMATICITY["training"]),


use rule measuring as systematicity_metrics with:
    input:
        scores="<results>/systematicity/scores/{agent}.parquet",
        probes="<results>/systematicity/probes.parquet",
        item_table="<results>/systematicity/items.parquet",
        detections=for_agents(SYSTEMATICITY_EMBEDDED, "<results>/systematicity/detections/{agent}.parquet"),
    output:
        "<results>/systematicity/metrics/{agent}.parquet",
    log:
        "<results>/logs/systematicity/metrics/{agent}.log",
    wildcard_constraints:
        agent=one_of([*VECTORS, *SYSTEMATICITY_MODELS]),
    params:
        **step("systematicity", "metrics"),


use rule measuring as systematicity_control_metrics with:
    input:
        item_table="<results>/systematicity/items.parquet",
        # A control of a model is what it answers to prompts without a relation.
        scores=for_agents(
            SYSTEMATICITY_CONTROLS,
            lambda wildcards: f"<results>/systematicity/scores/{systematicity_owner(wildcards.agent)}.parquet",
        ),
        probes=for_agents(
            [*SYSTEMATICITY_NEAREST, *SYSTEMATICITY_CONTROLS],
            "<results>/systematicity/probes.parquet",
        ),
        vectors=for_agents(SYSTEMATICITY_NEAREST, VECTORS.get("static", [])),
        pairs=for_agents(["majority"], "<results>/systematicity/pairs.parquet"),
    output:
        "<results>/systematicity/metrics/{agent}.parquet",
    log:
        "<results>/logs/systematicity/metrics/{agent}.log",
    wildcard_constraints:
        agent=one_of(["majority", *SYSTEMATICITY_NEAREST, *SYSTEMATICITY_CONTROLS]),
    resources:
        mem_mb=VECTORS_MB,
    params:
        **step("systematicity", "control_metrics"),


use rule measuring as systematicity_task_metrics with:
    input:
        replies=reply_file("systematicity"),
        item_table="<results>/systematicity/items.parquet",
        probes="<results>/systematicity/probes.parquet",
    output:
        reply_choices="<results>/systematicity/reply_choices/{agent}.parquet",
        metrics="<results>/systematicity/metrics/{agent}.parquet",
    log:
        "<results>/logs/systematicity/metrics/{agent}.log",
    wildcard_constraints:
        agent=one_of(SYSTEMATICITY_TASK_AGENTS),
    params:
        **step("systematicity", "task_metrics", **SYSTEMATICITY_CHOOSING),


# The agents side by side, and what is shown: rules/frame.smk makes systematicity_compare and systematicity_show, which read what
# `in_run` says in studies/systematicity/study.py.
