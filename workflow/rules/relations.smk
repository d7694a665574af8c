# The relations study (Cao et al.). Scores depend on the probes and the model alone; gold data, human answers and the
# shared lexicon enter after them, in jobs of seconds.

from relprobe.studies.relations.config import sizes_differ
from relprobe.studies.relations.measures import figure_names

RELATIONS = config["relations"]
# Models are compared with one annotator; the answers of all annotators together stand beside it.
HUMANS = ["annotator", "humans"] if "human_responses" in config["resources"] else []
RELATIONS_AGENTS = HUMANS + MODELS
RELATIONS_KINDS = {
    agent: "control" if agent == "humans" else "person" for agent in HUMANS
} | {model: "model" for model in MODELS}
# The scale of word frequencies does not change a metric.
RELATIONS_CHOICES = {
    key: value for key, value in RELATIONS["choices"].items() if key != "frequency"
}
RELATIONS_ENTRIES = {
    model: {key: entry[key] for key in ("type", "family", "size") if key in entry}
    for model, entry in config["models"].items()
}
# The cut-off of symmetry and asymmetry in the comparisons: the paper's, if it is there.
RELATIONS_K = min(RELATIONS["choices"]["symmetry_k"], key=lambda k: (k != 5, -k))


def answers_of(wildcards):
    """What counts as an answer of a model; people's answers are words."""
    return RELATIONS["answers"] if wildcards.agent in MODELS else None


# Words of any length need no common lexicon: the list of words takes its place.
RELATIONS_WORDS = RELATIONS["answers"] == "words"
RELATIONS_LEXICON = (
    "<results>/relations/word_list.parquet"
    if RELATIONS_WORDS
    else "<results>/models/shared_lexicon.parquet"
)

RELATIONS_TABLES = "data overview averages tests contrasts chance coverage".split() + (
    "sensitivity sensitivity_ranges top_words".split()
)
RELATIONS_COMPARISONS = (
    "size_differences size_averages size_reversals best_by_type wins_by_type".split()
    + "frequency prompt_variance unequal_prompts first_related left_out".split()
)
RELATIONS_ENTROPY = ["entropy", "entropy_differences"] if HUMANS else []
RELATIONS_FIGURES = figure_names(
    RELATIONS["choices"]["symmetry_k"],
    humans=bool(HUMANS),
    # Where no family has two sizes there is nothing to see; the table left_out says so.
    sizes=sizes_differ(config["models"]),
)
PAGES["relations"] = {
    "tables": ["overview", "claims", "tests", "contrasts", "chance", "top_words"]
    + [
        name
        for name in RELATIONS_COMPARISONS
        if name not in ("first_related", "prompt_variance")
    ]
    + RELATIONS_ENTROPY
    + ["ceiling" for _ in HUMANS[:1]]
    + ["sensitivity_ranges", "data", "coverage"],
    "figures": RELATIONS_FIGURES,
}


use rule analysis as relations_tuples with:
    input:
        sources=expand(
            "<resources>/fetched/{name}.json",
            name=[
                "nltk_wordnet" if name == "wordnet" else name
                for name in RELATIONS["tuples"]
            ],
        ),
    output:
        "<results>/relations/tuples.parquet",
    log:
        "<results>/logs/relations/tuples.log",
    params:
        **step(
            "relations",
            "tuples",
            exemplar_frequency=RELATIONS["exemplar_frequency"],
            wordnet_sample=RELATIONS.get("wordnet_sample"),
        ),


use rule analysis as relations_probes with:
    input:
        tuples="<results>/relations/tuples.parquet",
        prompts=RELATIONS["prompts"],
    output:
        "<results>/relations/probes.parquet",
    log:
        "<results>/logs/relations/probes.log",
    params:
        **step("relations", "probes"),


use rule analysis as relations_relata with:
    input:
        tuples="<results>/relations/tuples.parquet",
        shared_lexicon=RELATIONS_LEXICON,
        wordnet="<resources>/fetched/nltk_wordnet.json",
    output:
        "<results>/relations/relata.parquet",
    log:
        "<results>/logs/relations/relata.log",
    params:
        **step("relations", "relata"),


use rule scoring as relations_scores with:
    input:
        model="<resources>/fetched/models/{model}.json",
        probes="<results>/relations/probes.parquet",
        lexicon="<results>/models/lexicon/{model}.parquet",
    output:
        "<results>/relations/scores/{model}.parquet",
    log:
        "<results>/logs/relations/scores/{model}.log",
    params:
        **model_step(
            "relations",
            "scores",
            top_k=RELATIONS["top_k"],
            special_tokens=RELATIONS["special_tokens"],
        ),


use rule analysis as relations_word_list with:
    input:
        wordnet="<resources>/fetched/nltk_wordnet.json",
    output:
        "<results>/relations/word_list.parquet",
    log:
        "<results>/logs/relations/word_list.log",
    params:
        **step("relations", "word_list", **RELATIONS["word_list"]),


use rule scoring as relations_words with:
    input:
        model="<resources>/fetched/models/{model}.json",
        probes="<results>/relations/probes.parquet",
        word_list="<results>/relations/word_list.parquet",
    output:
        "<results>/relations/words/{model}.parquet",
    log:
        "<results>/logs/relations/words/{model}.log",
    params:
        **model_step("relations", "words", top_words=RELATIONS["top_words"]),


use rule analysis as relations_responses with:
    input:
        answers="<resources>/fetched/human_responses.json",
        probes="<results>/relations/probes.parquet",
        prompts=RELATIONS["prompts"],
    output:
        lists="<results>/relations/lists.parquet",
        out="<results>/relations/responses/humans.parquet",
    log:
        "<results>/logs/relations/responses/humans.log",
    params:
        **step("relations", "responses"),


use rule analysis as relations_metrics with:
    input:
        scores=branch(
            lambda wildcards: wildcards.agent in MODELS,
            then="<results>/relations/scores/{agent}.parquet",
        ),
        lexicon=branch(
            lambda wildcards: wildcards.agent in MODELS,
            then="<results>/models/lexicon/{agent}.parquet",
        ),
        responses=branch(
            lambda wildcards: wildcards.agent == "humans",
            then="<results>/relations/responses/{agent}.parquet",
        ),
        lists=["<results>/relations/lists.parquet" for _ in HUMANS[:1]],
        words=branch(
            lambda wildcards: RELATIONS_WORDS and wildcards.agent in MODELS,
            then="<results>/relations/words/{agent}.parquet",
        ),
        probes="<results>/relations/probes.parquet",
        relata="<results>/relations/relata.parquet",
        tuples="<results>/relations/tuples.parquet",
        shared_lexicon=RELATIONS_LEXICON,
    output:
        metrics="<results>/relations/metrics/{agent}.parquet",
        sensitivity="<results>/relations/sensitivity/{agent}.parquet",
        top_words="<results>/relations/top_words/{agent}.parquet",
        chance="<results>/relations/chance/{agent}.parquet",
    log:
        "<results>/logs/relations/metrics/{agent}.log",
    wildcard_constraints:
        agent="|".join(RELATIONS_AGENTS),
    params:
        **step(
            "relations",
            "metrics",
            choices=RELATIONS_CHOICES,
            answers=answers_of,
        ),


use rule analysis as relations_ceiling with:
    input:
        lists="<results>/relations/lists.parquet",
        probes="<results>/relations/probes.parquet",
        relata="<results>/relations/relata.parquet",
        tuples="<results>/relations/tuples.parquet",
        shared_lexicon=RELATIONS_LEXICON,
    output:
        tables=tables("relations", ["ceiling"]),
    log:
        "<results>/logs/relations/ceiling.log",
    params:
        **step("relations", "ceiling"),


use rule analysis as relations_averages with:
    input:
        metrics=metrics_of("relations", RELATIONS_AGENTS),
    output:
        "<results>/relations/averages.parquet",
    log:
        "<results>/logs/relations/averages.log",
    params:
        **step(
            "relations",
            "averages",
            targets=config["targets"],
            crossed_prompts=RELATIONS["crossed_prompts"],
        ),


use rule analysis as relations_tests with:
    input:
        metrics=metrics_of("relations", RELATIONS_AGENTS),
    output:
        "<results>/relations/tests.parquet",
    log:
        "<results>/logs/relations/tests.log",
    params:
        **step(
            "relations",
            "tests",
            kinds=RELATIONS_KINDS,
            crossed_prompts=RELATIONS["crossed_prompts"],
        ),


use rule analysis as relations_contrasts with:
    input:
        metrics=metrics_of("relations", RELATIONS_AGENTS),
    output:
        "<results>/relations/contrasts.parquet",
    log:
        "<results>/logs/relations/contrasts.log",
    params:
        **step("relations", "contrasts", kinds=RELATIONS_KINDS),


use rule analysis as relations_entropy with:
    input:
        answers="<resources>/fetched/human_responses.json",
        prompts=RELATIONS["prompts"],
    output:
        tables=tables("relations", RELATIONS_ENTROPY + ["response_entropies"]),
    log:
        "<results>/logs/relations/entropy.log",
    params:
        **step("relations", "entropy"),


use rule analysis as relations_comparisons with:
    input:
        metrics=metrics_of("relations", RELATIONS_AGENTS),
        averages="<results>/relations/averages.parquet",
        tests="<results>/relations/tests.parquet",
        relata="<results>/relations/relata.parquet",
    output:
        tables=tables("relations", RELATIONS_COMPARISONS),
    log:
        "<results>/logs/relations/comparisons.log",
    params:
        **step(
            "relations",
            "comparisons",
            models=RELATIONS_ENTRIES,
            k=RELATIONS_K,
            inference=config["inference"],
            frequency=RELATIONS["choices"]["frequency"],
        ),


use rule analysis as relations_claims with:
    input:
        tests="<results>/relations/tests.parquet",
        comparisons=expand(
            "<results>/relations/tables/{name}.csv",
            name=["best_by_type", "prompt_variance"] + RELATIONS_ENTROPY[1:],
        ),
    output:
        tables=tables("relations", ["claims"]),
    log:
        "<results>/logs/relations/claims.log",
    params:
        **step("relations", "claims"),


use rule analysis as relations_tables with:
    input:
        averages="<results>/relations/averages.parquet",
        tests="<results>/relations/tests.parquet",
        contrasts="<results>/relations/contrasts.parquet",
        chance=expand(
            "<results>/relations/chance/{agent}.parquet", agent=RELATIONS_AGENTS
        ),
        sensitivity=expand(
            "<results>/relations/sensitivity/{agent}.parquet", agent=RELATIONS_AGENTS
        ),
        top_words=expand(
            "<results>/relations/top_words/{agent}.parquet", agent=RELATIONS_AGENTS
        ),
        tuples="<results>/relations/tuples.parquet",
        probes="<results>/relations/probes.parquet",
        relata="<results>/relations/relata.parquet",
        shared_lexicon=RELATIONS_LEXICON,
        lexicons=expand("<results>/models/lexicon/{model}.parquet", model=MODELS),
    output:
        tables=tables("relations", RELATIONS_TABLES),
    log:
        "<results>/logs/relations/tables.log",
    params:
        **step("relations", "tables", shown=RELATIONS["shown_probes"]),


use rule analysis as relations_figures with:
    input:
        averages="<results>/relations/averages.parquet",
        tests="<results>/relations/tests.parquet",
        first_related="<results>/relations/tables/first_related.csv",
        frequency="<results>/relations/tables/frequency.csv",
        response_entropies=[
            "<results>/relations/tables/response_entropies.csv" for _ in HUMANS[:1]
        ],
    output:
        prints("relations", RELATIONS_FIGURES),
        figures=figures("relations", RELATIONS_FIGURES),
    log:
        "<results>/logs/relations/figures.log",
    params:
        **step(
            "relations",
            "figures",
            agents=RELATIONS_AGENTS,
            models=RELATIONS_ENTRIES,
            k=RELATIONS_K,
            inference=config["inference"],
        ),


use rule analysis as relations_published with:
    input:
        published=shipped("resources/published/relations.csv"),
        averages="<results>/relations/averages.parquet",
        metrics=metrics_of("relations", RELATIONS_AGENTS),
        tables=expand(
            "<results>/relations/tables/{name}.csv",
            name=["data"] + RELATIONS_COMPARISONS + RELATIONS_ENTROPY,
        ),
    output:
        tables("relations", ["published"]),
    log:
        "<results>/logs/relations/published.log",
    params:
        **step(
            "relations",
            "published",
            models=MODELS,
            panel=config.get("lexicon", {}).get("panel", []),
        ),
