# The systematicity study (Ravichander et al. 2020). A model is asked the probes and embeds the contexts; gold categories,
# splits and the classifier's training come after the models, in jobs of the CPU.

from relprobe.studies.systematicity.data.categories import senses_of, words_of as category_words
from relprobe.studies.systematicity.data.own import RESOURCE as SYSTEMATICITY_OWN_DATA

SYSTEMATICITY = config["systematicity"]
# The optional resources: a user's own hyponyms or the authors' data, without which the items come from WordNet; static
# vectors; a corpus.
SYSTEMATICITY_OPTIONAL = [
    name
    for name in (SYSTEMATICITY_OWN_DATA, "systematicity", "static_vectors", "corpus")
    if name in config["resources"]
]
SYSTEMATICITY_FETCHED = {name: f"<resources>/fetched/{name}.json" for name in SYSTEMATICITY_OPTIONAL}
SYSTEMATICITY_OWN = SYSTEMATICITY_FETCHED.get(SYSTEMATICITY_OWN_DATA, [])
SYSTEMATICITY_RELEASED = [] if SYSTEMATICITY_OWN else SYSTEMATICITY_FETCHED.get("systematicity", [])
SYSTEMATICITY_OCCURRENCES = "<results>/systematicity/occurrences.parquet" if "corpus" in SYSTEMATICITY_FETCHED else []
SYSTEMATICITY_SETS = (
    ["own"] if SYSTEMATICITY_OWN else ["diagnostic", "extended"] if SYSTEMATICITY_RELEASED else ["wordnet"]
)
SYSTEMATICITY_CATEGORIES = category_words(SYSTEMATICITY["categories"])
SYSTEMATICITY_ITEMS = {
    "categories": SYSTEMATICITY_CATEGORIES,
    "senses": senses_of(SYSTEMATICITY["categories"]),
    "minimum_zipf": SYSTEMATICITY["minimum_zipf"],
    "minimum_hyponyms": SYSTEMATICITY["minimum_hyponyms"],
    "phrases": SYSTEMATICITY["phrases"],
}
SYSTEMATICITY_WORDNET = "<resources>/fetched/nltk_wordnet.json"
# Agents: MODEL+control is what a model answers to prompts without a relation.
SYSTEMATICITY_MODELS = models_of("systematicity")
SYSTEMATICITY_EMBEDDED = STATIC + SYSTEMATICITY_MODELS
SYSTEMATICITY_CONTROLS = expand("{model}+control", model=SYSTEMATICITY_MODELS)
SYSTEMATICITY_NO_MODELS = ["majority"] + STATIC + SYSTEMATICITY_CONTROLS
CONTROLS["systematicity"] = SYSTEMATICITY_NO_MODELS
# Agents that take people's task choose among the categories.
SYSTEMATICITY_TAKERS = takers_of("systematicity")
SYSTEMATICITY_KINDS = kinds_of("systematicity", SYSTEMATICITY_NO_MODELS) | types_of(SYSTEMATICITY_TAKERS)
SYSTEMATICITY_CHOOSING = {"categories": SYSTEMATICITY_CATEGORIES, "seed": SYSTEMATICITY["seed"], "orders": orders}
# Agents that are asked after each of their layers: classifiers read their states, and they answer no sentence.
SYSTEMATICITY_LAYERED = layered_of("systematicity")
HAS["systematicity"] = {
    "layers": bool(SYSTEMATICITY_LAYERED),
    "released": bool(SYSTEMATICITY_RELEASED),
    "wordnet": "wordnet" in SYSTEMATICITY_SETS,
    "own": bool(SYSTEMATICITY_OWN),
    "corpus": bool(SYSTEMATICITY_OCCURRENCES),
    "takers": bool(SYSTEMATICITY_TAKERS),
    "participants": bool(participants_of("systematicity")),
}


localrules:
    systematicity_replies,


# An input cannot be called `items`, as Snakemake's lists of files have a method of that name.
use rule preparing as systematicity_probes with:
    input:
        wordnet=[] if SYSTEMATICITY_OWN or SYSTEMATICITY_RELEASED else SYSTEMATICITY_WORDNET,
        prompts=SYSTEMATICITY["prompts"],
        released=SYSTEMATICITY_RELEASED,
        own=SYSTEMATICITY_OWN,
    output:
        item_table="<results>/systematicity/items.parquet",
        probes="<results>/systematicity/probes.parquet",
    log:
        "<results>/logs/systematicity/probes.log",
    params:
        **step(
            "systematicity",
            "probes",
            **SYSTEMATICITY_ITEMS,
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


use rule preparing as systematicity_occurrences with:
    input:
        corpus="<resources>/fetched/corpus.json",
        item_table="<results>/systematicity/items.parquet",
    output:
        "<results>/systematicity/occurrences.parquet",
    log:
        "<results>/logs/systematicity/occurrences.log",
    params:
        **step("systematicity", "occurrences", patterns=SYSTEMATICITY["patterns"]),


use rule scoring as systematicity_scores with:
    input:
        model=manifest_of,
        lexicon=LEXICON,
        probes="<results>/systematicity/probes.parquet",
    output:
        "<results>/systematicity/scores/{model}.parquet",
    log:
        "<results>/logs/systematicity/scores/{model}.log",
    params:
        **model_step(
            "systematicity",
            "scores",
            top_k=SYSTEMATICITY["top_k"],
            shots=shots,
            examples=examples_of("systematicity"),
        ),


use rule scoring as systematicity_embeddings with:
    input:
        model=manifest_of,
        contexts="<results>/systematicity/contexts.parquet",
    output:
        "<results>/systematicity/embeddings/{model}.parquet",
    log:
        "<results>/logs/systematicity/embeddings/{model}.log",
    params:
        **model_step("systematicity", "embeddings", layer=SYSTEMATICITY["layer"]),


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
        **participant_step("systematicity", "replies", **SYSTEMATICITY_CHOOSING),


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


use rule measuring as systematicity_reply_choices with:
    input:
        replies=reply_file("systematicity"),
        item_table="<results>/systematicity/items.parquet",
        probes="<results>/systematicity/probes.parquet",
    output:
        "<results>/systematicity/reply_choices/{agent}.parquet",
    log:
        "<results>/logs/systematicity/reply_choices/{agent}.log",
    params:
        **step("systematicity", "reply_choices", **SYSTEMATICITY_CHOOSING),


use rule measuring as systematicity_choice_metrics with:
    input:
        choices="<results>/systematicity/reply_choices/{agent}.parquet",
        item_table="<results>/systematicity/items.parquet",
    output:
        "<results>/systematicity/metrics/{agent}.parquet",
    log:
        "<results>/logs/systematicity/metrics/{agent}.log",
    wildcard_constraints:
        agent="|".join(map(re.escape, SYSTEMATICITY_TAKERS)) or "none",
    params:
        **step("systematicity", "choice_metrics"),


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
        vectors="<resources>/fetched/static_vectors.json",
        probes="<results>/systematicity/probes.parquet",
        contexts="<results>/systematicity/contexts.parquet",
    output:
        scores="<results>/systematicity/scores/static.parquet",
        embeddings="<results>/systematicity/embeddings/static.parquet",
    log:
        "<results>/logs/systematicity/static.log",
    resources:
        mem_mb=VECTORS_MB,
    params:
        **step("systematicity", "static", top_k=SYSTEMATICITY["top_k"]),


use rule measuring as systematicity_detections with:
    input:
        pairs="<results>/systematicity/pairs.parquet",
        embeddings="<results>/systematicity/embeddings/{agent}.parquet",
    output:
        "<results>/systematicity/detections/{agent}.parquet",
    log:
        "<results>/logs/systematicity/detections/{agent}.log",
    wildcard_constraints:
        agent="|".join(SYSTEMATICITY_EMBEDDED),
    priority: 50
    conda:
        "../../envs/models.yaml"
    threads: 8
    resources:
        mem_mb=megabytes(2000),
    params:
        **step(
            "systematicity",
            "detections",
            parallel=True,
            **SYSTEMATICITY["training"],
        ),


use rule systematicity_detections as systematicity_layer_metrics with:
    input:
        pairs="<results>/systematicity/pairs.parquet",
        embeddings="<results>/systematicity/layer_embeddings/{model}.parquet",
    output:
        "<results>/systematicity/layer_metrics/{model}.parquet",
    log:
        "<results>/logs/systematicity/layer_metrics/{model}.log",
    params:
        **step(
            "systematicity",
            "layer_metrics",
            parallel=True,
            **SYSTEMATICITY["training"],
        ),


use rule measuring as systematicity_metrics with:
    input:
        scores="<results>/systematicity/scores/{agent}.parquet",
        probes="<results>/systematicity/probes.parquet",
        item_table="<results>/systematicity/items.parquet",
        detections="<results>/systematicity/detections/{agent}.parquet",
    output:
        "<results>/systematicity/metrics/{agent}.parquet",
    log:
        "<results>/logs/systematicity/metrics/{agent}.log",
    wildcard_constraints:
        agent="|".join(SYSTEMATICITY_EMBEDDED),
    params:
        **step("systematicity", "metrics", seed=SYSTEMATICITY["seed"]),


use rule systematicity_metrics as systematicity_control with:
    input:
        scores="<results>/systematicity/scores/{model}.parquet",
        probes="<results>/systematicity/probes.parquet",
        item_table="<results>/systematicity/items.parquet",
    output:
        "<results>/systematicity/metrics/{model}+control.parquet",
    log:
        "<results>/logs/systematicity/metrics/{model}+control.log",
    params:
        **step("systematicity", "metrics", seed=SYSTEMATICITY["seed"], control=True),


use rule measuring as systematicity_majority with:
    input:
        item_table="<results>/systematicity/items.parquet",
        pairs="<results>/systematicity/pairs.parquet",
    output:
        "<results>/systematicity/metrics/majority.parquet",
    log:
        "<results>/logs/systematicity/metrics/majority.log",
    params:
        **step("systematicity", "majority", seed=SYSTEMATICITY["seed"]),


use rule comparing as systematicity_averages with:
    input:
        metrics=metrics_of("systematicity", SYSTEMATICITY_KINDS),
        detections=expand(
            "<results>/systematicity/detections/{agent}.parquet",
            agent=SYSTEMATICITY_EMBEDDED,
        ),
    output:
        averages="<results>/systematicity/averages.parquet",
        detection="<results>/systematicity/detection.parquet",
    log:
        "<results>/logs/systematicity/averages.log",
    params:
        **step("systematicity", "averages", targets=config["targets"]),


use rule comparing as systematicity_tests with:
    input:
        metrics=metrics_of("systematicity", SYSTEMATICITY_KINDS),
    output:
        agents="<results>/systematicity/tests.parquet",
        contrasts="<results>/systematicity/contrasts.parquet",
    log:
        "<results>/logs/systematicity/tests.log",
    params:
        **step("systematicity", "tests", controls=SYSTEMATICITY_NO_MODELS, members=members_of("systematicity")),


if SYSTEMATICITY_LAYERED:

    use rule comparing as systematicity_layers with:
        input:
            layered=expand("<results>/systematicity/layer_metrics/{model}.parquet", model=SYSTEMATICITY_LAYERED),
            metrics=metrics_of("systematicity", ["majority"] + STATIC),
            averages="<results>/systematicity/averages.parquet",
        output:
            out=tables("systematicity", "layers") + parquet("systematicity", ["series"]),
        log:
            "<results>/logs/systematicity/layers.log",
        params:
            **step("systematicity", "layers", targets=config["targets"]),


use rule comparing as systematicity_tables with:
    input:
        metrics=metrics_of("systematicity", SYSTEMATICITY_KINDS),
        averages="<results>/systematicity/averages.parquet",
        detection="<results>/systematicity/detection.parquet",
        agents="<results>/systematicity/tests.parquet",
        contrasts="<results>/systematicity/contrasts.parquet",
        item_table="<results>/systematicity/items.parquet",
        pairs="<results>/systematicity/pairs.parquet",
        wordnet=SYSTEMATICITY_WORDNET if SYSTEMATICITY_RELEASED else [],
        occurrences=SYSTEMATICITY_OCCURRENCES,
        reply_choices=expand("<results>/systematicity/reply_choices/{agent}.parquet", agent=SYSTEMATICITY_TAKERS),
        replies=reply_files("systematicity", SYSTEMATICITY_TAKERS),
    output:
        tables("systematicity", "tables"),
    log:
        "<results>/logs/systematicity/tables.log",
    params:
        **step(
            "systematicity",
            "tables",
            **SYSTEMATICITY_ITEMS,
            controls=SYSTEMATICITY_NO_MODELS,
            scale=SYSTEMATICITY["frequency"],
            resources=SYSTEMATICITY_OPTIONAL,
        ),


use rule comparing as systematicity_choices with:
    input:
        scores=expand(
            "<results>/systematicity/scores/{agent}.parquet",
            agent=SYSTEMATICITY_EMBEDDED,
        ),
        probes="<results>/systematicity/probes.parquet",
        item_table="<results>/systematicity/items.parquet",
    output:
        tables("systematicity", "choices"),
    log:
        "<results>/logs/systematicity/choices.log",
    params:
        **step("systematicity", "choices", seed=SYSTEMATICITY["seed"]),


use rule comparing as systematicity_answer_tables with:
    input:
        scores=expand(
            "<results>/systematicity/scores/{model}.parquet",
            model=SYSTEMATICITY_MODELS,
        ),
        probes="<results>/systematicity/probes.parquet",
        item_table="<results>/systematicity/items.parquet",
        wordnet=SYSTEMATICITY_WORDNET,
    output:
        tables=tables("systematicity", "answer_tables"),
        category_logprobs="<results>/systematicity/category_logprobs.parquet",
        errors="<results>/systematicity/errors.parquet",
    log:
        "<results>/logs/systematicity/answer_tables.log",
    params:
        **step("systematicity", "answer_tables", seed=SYSTEMATICITY["seed"]),


use rule comparing as systematicity_figures with:
    input:
        averages="<results>/systematicity/averages.parquet",
        category_logprobs="<results>/systematicity/category_logprobs.parquet",
        detection="<results>/systematicity/detection.parquet",
        series=parquet("systematicity", ["series"]) if SYSTEMATICITY_LAYERED else [],
    output:
        prints("systematicity", "figures"),
        out=figures("systematicity", "figures"),
    log:
        "<results>/logs/systematicity/figures.log",
    params:
        **step(
            "systematicity",
            "figures",
            sets=SYSTEMATICITY_SETS,
            agents=list(SYSTEMATICITY_KINDS),
            kinds=SYSTEMATICITY_KINDS,
            inference=config["inference"],
            families=FAMILIES,
            layered=types_of(SYSTEMATICITY_LAYERED),
        ),


use rule comparing as systematicity_published with:
    input:
        published=shipped("resources/published/systematicity.csv"),
        metrics=metrics_of("systematicity", SYSTEMATICITY_KINDS),
        averages="<results>/systematicity/averages.parquet",
        detection="<results>/systematicity/detection.parquet",
        errors="<results>/systematicity/errors.parquet",
        item_table="<results>/systematicity/items.parquet",
        pairs="<results>/systematicity/pairs.parquet",
        occurrences=SYSTEMATICITY_OCCURRENCES,
    output:
        tables("systematicity", "published"),
    log:
        "<results>/logs/systematicity/published.log",
    params:
        **step("systematicity", "published"),


use rule comparing as systematicity_answers with:
    input:
        scores=expand(
            "<results>/systematicity/scores/{agent}.parquet",
            agent=SYSTEMATICITY_EMBEDDED,
        ),
        probes="<results>/systematicity/probes.parquet",
        item_table="<results>/systematicity/items.parquet",
        reply_choices=expand("<results>/systematicity/reply_choices/{agent}.parquet", agent=SYSTEMATICITY_TAKERS),
        template=shipped("workflow/report/answers.html.j2"),
    output:
        report(
            "<results>/systematicity/answers.html",
            category="Systematicity",
            labels={"page": "answers"},
        ),
    log:
        "<results>/logs/systematicity/answers.log",
    params:
        **step("systematicity", "answers"),
