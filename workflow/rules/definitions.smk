# The definitions study (WDLMPro). Scores depend on the probes, the patterns and the model alone; groups, frequencies and
# baselines enter after them, in jobs of seconds.

from relprobe.studies.definitions.config import ANSWERS as DEFINITIONS_ANSWERS
from relprobe.studies.definitions.config import COUNTS as DEFINITIONS_COUNTS
from relprobe.studies.definitions.data.synsets import OWN as DEFINITIONS_OWN_DATA

DEFINITIONS = config["definitions"]
DEFINITIONS_CHOICES = DEFINITIONS["choices"]
DEFINITIONS_READING = {key: DEFINITIONS_CHOICES[key] for key in ("causal_d2w", "masked_d2w", "patterns")}
DEFINITIONS_OWN = DEFINITIONS_OWN_DATA in config["resources"]
DEFINITIONS_DICTIONARY = f"<resources>/fetched/{DEFINITIONS_OWN_DATA if DEFINITIONS_OWN else 'nltk_wordnet'}.json"
DEFINITIONS_VECTORS = {
    **{name: f"<resources>/fetched/vectors/{name}.json" for name in config["vectors"]},
    **dict.fromkeys(STATIC, "<resources>/fetched/static_vectors.json"),
}
DEFINITIONS_BASELINES = ["random", "length", "frequency", *DEFINITIONS_VECTORS]
CONTROLS["definitions"] = DEFINITIONS_BASELINES
DEFINITIONS_PEOPLE = ["humans"] if DEFINITIONS_ANSWERS in config["resources"] else []
DEFINITIONS_MODELS = models_of("definitions")
# The models that score the ends of words: those that are not masked, and on this machine.
DEFINITIONS_ENDS = [
    name
    for name in DEFINITIONS_MODELS
    if DEFINITIONS["word_boundary"] and config["models"][name]["type"] != "masked" and not served(name)
]
DEFINITIONS_TAKERS = takers_of("definitions")
DEFINITIONS_LARGE = bool(DEFINITIONS_TAKERS) and DEFINITIONS["large_groups"] == "sampled"
DEFINITIONS_AGENTS = DEFINITIONS_PEOPLE + DEFINITIONS_BASELINES + DEFINITIONS_MODELS + DEFINITIONS_TAKERS
HAS["definitions"] = {
    "wordnet": not DEFINITIONS_OWN,
    "people": bool(DEFINITIONS_PEOPLE),
    "targets": bool(DEFINITIONS["targets"]),
    "static": bool(STATIC),
    "takers": bool(DEFINITIONS_TAKERS),
    "large": DEFINITIONS_LARGE,
    "participants": bool(participants_of("definitions")),
}
# Of all 59,747 groups, worked out: the millions of pairs of a model, and the values of a dozen agents, a million rows each.
DEFINITIONS_PAIRS_MB = megabytes(3000)
DEFINITIONS_VALUES_MB = megabytes(4000)


localrules:
    definitions_replies,
    definitions_vectors,


use rule preparing as definitions_probes with:
    input:
        dictionary=DEFINITIONS_DICTIONARY,
    output:
        groups="<results>/definitions/groups.parquet",
        probes="<results>/definitions/probes.parquet",
        benchmark="<results>/definitions/benchmark.parquet",
    log:
        "<results>/logs/definitions/probes.log",
    resources:
        mem_mb=megabytes(3000),
    params:
        **step(
            "definitions",
            "probes",
            sample=DEFINITIONS["sample"],
            targets=DEFINITIONS["targets"],
            parts_of_speech=DEFINITIONS["parts_of_speech"],
            **DEFINITIONS["candidates"],
        ),


use rule preparing as definitions_properties with:
    input:
        benchmark="<results>/definitions/benchmark.parquet",
        probes="<results>/definitions/probes.parquet",
        counts=(f"<resources>/fetched/{DEFINITIONS_COUNTS}.json" if DEFINITIONS_COUNTS in config["resources"] else []),
        dictionary=DEFINITIONS_DICTIONARY if DEFINITIONS_OWN else [],
    output:
        properties="<results>/definitions/properties.parquet",
        words="<results>/definitions/words.parquet",
    log:
        "<results>/logs/definitions/properties.log",
    params:
        **step("definitions", "properties", phrases=DEFINITIONS_CHOICES["phrases"]),


use rule scoring as definitions_scores with:
    input:
        model=manifest_of,
        probes="<results>/definitions/probes.parquet",
        prompts=DEFINITIONS["prompts"],
    output:
        "<results>/definitions/scores/{model}.parquet",
    log:
        "<results>/logs/definitions/scores/{model}.log",
    params:
        **model_step(
            "definitions",
            "scores",
            capitals=lambda wildcards: wildcards.model in DEFINITIONS["capitals"],
            word_boundary=lambda wildcards: wildcards.model in DEFINITIONS_ENDS,
            shots=shots,
            examples=examples_of("definitions"),
        ),


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
        model="|".join(map(re.escape, DEFINITIONS_MODELS)) or "none",
    resources:
        mem_mb=DEFINITIONS_PAIRS_MB,
    params:
        **step(
            "definitions",
            "responses",
            type=lambda wildcards: config["models"][wildcards.model]["type"],
            **DEFINITIONS_READING,
        ),


use rule analysis as definitions_vectors with:
    input:
        local_files("vectors"),
    output:
        "<resources>/fetched/vectors/{vector}.json",
    log:
        "<results>/logs/definitions/vectors/{vector}.log",
    wildcard_constraints:
        vector="|".join(config["vectors"]) or "none",
    params:
        **step(
            "definitions",
            "vectors",
            name=lambda wildcards: wildcards.vector,
            entry=entry_of("vectors", ORIGIN_KEYS),
        ),


use rule measuring as definitions_baseline with:
    input:
        groups="<results>/definitions/groups.parquet",
        probes="<results>/definitions/probes.parquet",
        vectors=lambda wildcards: DEFINITIONS_VECTORS.get(wildcards.agent, []),
        words=for_agents(["frequency"], "<results>/definitions/words.parquet"),
    output:
        "<results>/definitions/responses/{agent}.parquet",
    log:
        "<results>/logs/definitions/responses/{agent}.log",
    wildcard_constraints:
        agent="|".join(DEFINITIONS_BASELINES),
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


use rule asking as definitions_replies with:
    input:
        groups="<results>/definitions/groups.parquet",
        probes="<results>/definitions/probes.parquet",
    output:
        out="<results>/definitions/replies/{model}.parquet",
        ledger="<results>/definitions/ledger/{model}.parquet",
    log:
        "<results>/logs/definitions/replies/{model}.log",
    params:
        **participant_step("definitions", "replies", orders=orders, large=DEFINITIONS_LARGE),


use rule scoring as definitions_writing with:
    input:
        model=manifest_of,
        groups="<results>/definitions/groups.parquet",
        probes="<results>/definitions/probes.parquet",
    output:
        "<results>/definitions/writing/{model}.parquet",
    log:
        "<results>/logs/definitions/writing/{model}.log",
    params:
        **model_step("definitions", "writing", orders=orders, samples=samples, large=DEFINITIONS_LARGE),


use rule measuring as definitions_reply_choices with:
    input:
        replies=reply_file("definitions"),
        groups="<results>/definitions/groups.parquet",
        probes="<results>/definitions/probes.parquet",
    output:
        "<results>/definitions/reply_choices/{agent}.parquet",
    log:
        "<results>/logs/definitions/reply_choices/{agent}.log",
    params:
        **step("definitions", "reply_choices", orders=orders, large=DEFINITIONS_LARGE),


use rule measuring as definitions_reply_responses with:
    input:
        choices="<results>/definitions/reply_choices/{agent}.parquet",
    output:
        "<results>/definitions/responses/{agent}.parquet",
    log:
        "<results>/logs/definitions/responses/{agent}.log",
    wildcard_constraints:
        agent="|".join(map(re.escape, DEFINITIONS_TAKERS)) or "none",
    params:
        **step("definitions", "reply_responses"),


use rule measuring as definitions_metrics with:
    input:
        responses="<results>/definitions/responses/{agent}.parquet",
        groups="<results>/definitions/groups.parquet",
        probes="<results>/definitions/probes.parquet",
        properties="<results>/definitions/properties.parquet",
        scores=for_agents(DEFINITIONS_MODELS, "<results>/definitions/scores/{agent}.parquet"),
    output:
        metrics="<results>/definitions/metrics/{agent}.parquet",
        sensitivity="<results>/definitions/sensitivity/{agent}.parquet",
    log:
        "<results>/logs/definitions/metrics/{agent}.log",
    wildcard_constraints:
        agent="|".join(DEFINITIONS_AGENTS),
    resources:
        mem_mb=DEFINITIONS_PAIRS_MB,
    params:
        **step(
            "definitions",
            "metrics",
            agent=lambda wildcards: wildcards.agent,
            type=lambda wildcards: config["models"].get(wildcards.agent, {}).get("type"),
            ties=lambda wildcards: (
                # All scores of a guess are equal.
                "expected"
                if wildcards.agent == "random"
                else DEFINITIONS_CHOICES["ties"]
            ),
            **DEFINITIONS_READING,
            phrases=DEFINITIONS_CHOICES["phrases"],
            bands=DEFINITIONS_CHOICES["bands"],
        ),


use rule comparing as definitions_sizes with:
    input:
        properties="<results>/definitions/properties.parquet",
    output:
        "<results>/definitions/sizes.parquet",
    log:
        "<results>/logs/definitions/sizes.log",
    params:
        **step(
            "definitions",
            "sizes",
            minimum=DEFINITIONS["candidates"]["minimum"],
            bands=DEFINITIONS_CHOICES["bands"],
        ),


use rule comparing as definitions_averages with:
    input:
        metrics=metrics_of("definitions", DEFINITIONS_AGENTS),
    output:
        "<results>/definitions/averages.parquet",
    log:
        "<results>/logs/definitions/averages.log",
    resources:
        mem_mb=DEFINITIONS_VALUES_MB,
    params:
        **step("definitions", "averages", targets=config["targets"]),


use rule comparing as definitions_people with:
    input:
        metrics=metrics_of("definitions", DEFINITIONS_AGENTS),
    output:
        "<results>/definitions/people.parquet",
    log:
        "<results>/logs/definitions/people.log",
    resources:
        mem_mb=DEFINITIONS_VALUES_MB,
    params:
        **step("definitions", "people"),


use rule comparing as definitions_tests with:
    input:
        metrics=metrics_of("definitions", DEFINITIONS_AGENTS),
    output:
        agents="<results>/definitions/tests.parquet",
        tasks="<results>/definitions/tasks.parquet",
    log:
        "<results>/logs/definitions/tests.log",
    resources:
        mem_mb=DEFINITIONS_VALUES_MB,
    params:
        **step("definitions", "tests", controls=DEFINITIONS_BASELINES, members=members_of("definitions")),


use rule comparing as definitions_tables with:
    input:
        averages="<results>/definitions/averages.parquet",
        agents="<results>/definitions/tests.parquet",
        tasks="<results>/definitions/tasks.parquet",
        sizes="<results>/definitions/sizes.parquet",
        groups="<results>/definitions/groups.parquet",
        properties="<results>/definitions/properties.parquet",
        people="<results>/definitions/people.parquet" if DEFINITIONS_PEOPLE else [],
        responses=expand("<results>/definitions/responses/{agent}.parquet", agent=DEFINITIONS_AGENTS),
        sensitivity=expand(
            "<results>/definitions/sensitivity/{agent}.parquet",
            agent=[name for name in DEFINITIONS_AGENTS if name not in ("humans", "random")],
        ),
        reply_choices=expand("<results>/definitions/reply_choices/{agent}.parquet", agent=DEFINITIONS_TAKERS),
        replies=reply_files("definitions", DEFINITIONS_TAKERS),
    output:
        tables("definitions", "tables"),
    log:
        "<results>/logs/definitions/tables.log",
    resources:
        mem_mb=DEFINITIONS_VALUES_MB,
    params:
        **step(
            "definitions",
            "tables",
            targets=DEFINITIONS["targets"],
            depth=not DEFINITIONS_OWN,
            large=DEFINITIONS_LARGE,
        ),


use rule comparing as definitions_figures with:
    input:
        averages="<results>/definitions/averages.parquet",
    output:
        prints("definitions", "figures"),
        out=figures("definitions", "figures"),
    log:
        "<results>/logs/definitions/figures.log",
    params:
        **step(
            "definitions",
            "figures",
            kinds=dict.fromkeys(DEFINITIONS_PEOPLE, "humans")
            | kinds_of("definitions", DEFINITIONS_BASELINES)
            | types_of(DEFINITIONS_TAKERS),
            families=FAMILIES,
            depth=not DEFINITIONS_OWN,
        ),


use rule comparing as definitions_published with:
    input:
        published=shipped("resources/published/definitions.csv"),
        averages="<results>/definitions/averages.parquet",
        sizes="<results>/definitions/sizes.parquet",
        people="<results>/definitions/people.parquet" if DEFINITIONS_PEOPLE else [],
    output:
        tables("definitions", "published"),
    log:
        "<results>/logs/definitions/published.log",
    params:
        **step("definitions", "published", paper=not DEFINITIONS_OWN),


use rule comparing as definitions_answers with:
    input:
        responses=expand("<results>/definitions/responses/{agent}.parquet", agent=DEFINITIONS_AGENTS),
        groups="<results>/definitions/groups.parquet",
        properties="<results>/definitions/properties.parquet",
        template=shipped("workflow/report/answers.html.j2"),
    output:
        report(
            "<results>/definitions/answers.html",
            category="Definitions",
            labels={"page": "answers"},
        ),
    log:
        "<results>/logs/definitions/answers.log",
    params:
        **step(
            "definitions",
            "answers",
            source="your dictionary" if DEFINITIONS_OWN else "WordNet",
        ),
