# The relations study (Cao et al.). Scores depend on the probes and the model alone; gold data, human answers and the
# shared lexicon enter after them, in jobs of seconds.

from relprobe.core.series import along
from relprobe.core.ways import asked_in_several_ways

RELATIONS = config["relations"]
# Models are compared with one annotator; the answers of all annotators together stand beside it.
HUMANS = ["annotator", "humans"] if "human_responses" in config["resources"] else []
RELATIONS_SCORED = models_of("relations")
RELATIONS_WRITERS = takers_of("relations")
RELATIONS_WRITTEN = [f"<results>/relations/writing/{model}.parquet" for model in RELATIONS_WRITERS]
RELATIONS_MODELS = RELATIONS_SCORED + RELATIONS_WRITERS
# Norms of people who were asked without prompts.
RELATIONS_NORMS = [name for name in ("associations", "feature_norms") if name in config["resources"]]
# Agents that know nothing of the relation (docs/controls.md); neighbours need static vectors.
RELATIONS_BLIND = [
    name for name in RELATIONS["controls"] if name in ["majority", "frequency"] + ["neighbours"] * bool(STATIC)
]
# What a model answers to its prompts without a target is its own control, where its tokens are the answers.
RELATIONS_ALONE = {
    f"{model}+without-target": model
    for model in RELATIONS_SCORED
    if "without-target" in RELATIONS["controls"] and RELATIONS["answers"] in ("tokens", "lexicon")
}
RELATIONS_CONTROLS = RELATIONS_BLIND + list(RELATIONS_ALONE)
CONTROLS["relations"] = RELATIONS_CONTROLS
RELATIONS_ANSWERING = HUMANS + RELATIONS_NORMS + RELATIONS_MODELS
RELATIONS_AGENTS = RELATIONS_ANSWERING + RELATIONS_CONTROLS
# Agents with solved examples, and agents that are asked in words.
RELATIONS_SHOTS = [name for name in RELATIONS_SCORED if "shots" in config["models"][name]]
RELATIONS_ALONE_SHOTS = [name for name, model in RELATIONS_ALONE.items() if model in RELATIONS_SHOTS]
RELATIONS_SPOKEN = [name for name in RELATIONS_SCORED if config["models"][name].get("chat") == "answer"]
# Of all people together; models are compared with one of them.
RELATIONS_POOLED = [name for name in HUMANS if name == "humans"] + RELATIONS_NORMS
RELATIONS_KINDS = (
    dict.fromkeys(HUMANS, "person")
    | dict.fromkeys(RELATIONS_POOLED, "pooled")
    | dict.fromkeys(RELATIONS_MODELS, "model")
    | dict.fromkeys(RELATIONS_CONTROLS, "control")
)
# What a model has answered with, and where it lies; its own control is its answers without a target.
RELATIONS_ANSWERED = (
    dict.fromkeys(RELATIONS_SCORED, "scores")
    | dict.fromkeys(RELATIONS_WRITERS, "writing")
    | dict.fromkeys(RELATIONS_ALONE, "without_target")
)
# The agents whose answers are no rankings of a model or a control.
RELATIONS_FORMS = dict.fromkeys(RELATIONS_WRITERS + RELATIONS_NORMS, "lists") | {
    "humans": "people",
    "annotator": "annotator",
}
# Their targets are those that all agents are averaged over.
RELATIONS_PEOPLE = [agent for agent, kind in RELATIONS_KINDS.items() if kind == "person"]
RELATIONS_LAYERED = layered_of("relations")
# The scale of word frequencies and the pairs of relations that AuDC counts do not change a metric.
RELATIONS_CHOICES = {
    key: value for key, value in RELATIONS["choices"].items() if key not in ("frequency", "minimum_targets")
}
RELATIONS_ENTRIES = {model: place(config["models"][model]) for model in RELATIONS_MODELS}
# One model with the bare probe, with examples, in a chat and in lists.
RELATIONS_WAYS = asked_in_several_ways(config["models"], RELATIONS_MODELS)
# Checkpoints of a training and sizes of a family are tested as series. The last checkpoint is compared with other agents.
RELATIONS_ALONG = along(RELATIONS_ENTRIES)
RELATIONS_LAYERED_ENTRIES = {model: place(config["models"][model]) for model in RELATIONS_LAYERED}
RELATIONS_LAYERED_ALONG = along(RELATIONS_LAYERED_ENTRIES)
RELATIONS_KINDS |= {model: "member" for model in RELATIONS_MODELS if model not in standing(RELATIONS_ENTRIES)}
# The cut-off of symmetry and asymmetry in the comparisons: the paper's, if it is there.
RELATIONS_K = min(RELATIONS["choices"]["symmetry_k"], key=lambda k: (k != 5, -k))

# The manifest of a resource, where it is not the one of its files as they were fetched.
RELATIONS_PREPARED = {"wordnet": "nltk_wordnet", "wn_lmf": "wn_database"}
RELATIONS_EXPANSION = [
    f"<resources>/fetched/{RELATIONS_PREPARED[name]}.json" for name in [RELATIONS["expansion"]] if name != "none"
]

# Words of any length need no common lexicon: the list of words takes its place, or the words of all closed lists.
RELATIONS_WORDS = RELATIONS["answers"] == "words"
RELATIONS_CLOSED = RELATIONS["answers"] == "candidates"
RELATIONS_LEXICON = {
    "words": "<results>/relations/word_list.parquet",
    "candidates": "<results>/relations/candidate_words.parquet",
}.get(RELATIONS["answers"], "<results>/models/shared_lexicon.parquet")
# The agents that answer a sample of the probes with words of any length too.
RELATIONS_SAMPLE = RELATIONS.get("word_sample", {"models": []})
RELATIONS_SAMPLED = RELATIONS_SAMPLE.get("models", RELATIONS_SCORED)
# The tuples whose words may be answers; closed lists limit them beside the lexicon.
RELATIONS_TUPLES = "<results>/relations/listed.parquet" if RELATIONS_CLOSED else "<results>/relations/tuples.parquet"

RELATIONS_PANEL = config.get("lexicon", {}).get("panel", [])
HAS["relations"] = {
    "people": bool(HUMANS),
    # Where no family has two sizes there is nothing to see; the table left_out says so.
    "sizes": "size" in RELATIONS_ALONG,
    "series": bool({"step", "tokens"} & {*RELATIONS_ALONG, *RELATIONS_LAYERED_ALONG}),
    "checkpoints": bool({"step", "tokens"} & set(RELATIONS_LAYERED_ALONG)),
    "ordered": bool(RELATIONS_ALONG or RELATIONS_LAYERED),
    "writers": bool(RELATIONS_WRITERS),
    "participants": bool(participants_of("relations")),
    "layers": bool(RELATIONS_LAYERED),
    "ways": bool(RELATIONS_WAYS),
    "shots": bool(RELATIONS_SHOTS),
    "sample": bool(RELATIONS_SAMPLED),
    "neighbours": "neighbours" in RELATIONS_BLIND or "frequency" not in RELATIONS_BLIND,
}


use rule preparing as relations_tuples with:
    input:
        sources=expand(
            "<resources>/fetched/{name}.json",
            name=[RELATIONS_PREPARED.get(name, name) for name in RELATIONS["tuples"]],
        ),
        relations=RELATIONS["relations"],
        language=RELATIONS["language"],
    output:
        given="<results>/relations/given.parquet",
        out="<results>/relations/tuples.parquet",
    log:
        "<results>/logs/relations/tuples.log",
    params:
        **step(
            "relations",
            "tuples",
            exemplar_frequency=RELATIONS["exemplar_frequency"],
            wordnet_sample=RELATIONS.get("wordnet_sample"),
        ),


use rule preparing as relations_probes with:
    input:
        tuples="<results>/relations/tuples.parquet",
        prompts=RELATIONS["prompts"],
        relations=RELATIONS["relations"],
        language=RELATIONS["language"],
    output:
        out="<results>/relations/probes.parquet",
        premises="<results>/relations/premises.parquet",
    log:
        "<results>/logs/relations/probes.log",
    params:
        **step("relations", "probes"),


use rule preparing as relations_relata with:
    input:
        given="<results>/relations/given.parquet",
        tuples="<results>/relations/tuples.parquet",
        shared_lexicon=RELATIONS_LEXICON,
        panel=expand(
            "<results>/models/lexicon/{model}.parquet",
            model=[] if RELATIONS_WORDS or RELATIONS_CLOSED else RELATIONS_PANEL,
        ),
        wordnet=RELATIONS_EXPANSION,
        candidates=["<results>/relations/candidates.parquet"] * RELATIONS_CLOSED,
        relations=RELATIONS["relations"],
        language=RELATIONS["language"],
    output:
        losses="<results>/relations/losses.parquet",
        alternatives="<results>/relations/alternatives.parquet",
        out="<results>/relations/relata.parquet",
    log:
        "<results>/logs/relations/relata.log",
    params:
        **step("relations", "relata"),


use rule preparing as relations_examples with:
    input:
        probes="<results>/relations/probes.parquet",
        prompts=RELATIONS["prompts"],
        tuples="<results>/relations/tuples.parquet",
        wordnet=RELATIONS_EXPANSION,
        relations=RELATIONS["relations"],
        language=RELATIONS["language"],
        file=config["prompting"]["examples"],
    output:
        "<results>/relations/examples.parquet",
    log:
        "<results>/logs/relations/examples.log",
    params:
        **step("relations", "examples"),


use rule scoring as relations_scores with:
    input:
        model=manifest_of,
        probes="<results>/relations/probes.parquet",
        lexicon=LEXICON,
        premises="<results>/relations/premises.parquet",
        examples=for_agents(RELATIONS_SHOTS, "<results>/relations/examples.parquet"),
    output:
        out="<results>/relations/scores/{model}.parquet",
        # Made whether relations.controls names it or not: a changed list of controls scores nothing again.
        without_target="<results>/relations/without_target/{model}.parquet",
    log:
        "<results>/logs/relations/scores/{model}.log",
    params:
        **model_step(
            "relations",
            "scores",
            top_k=RELATIONS["top_k"],
            special_tokens=RELATIONS["special_tokens"],
            shots=shots,
        ),


use rule scoring as relations_draws with:
    input:
        model=manifest_of,
        probes="<results>/relations/probes.parquet",
        lexicon=LEXICON,
        examples="<results>/relations/examples.parquet",
    output:
        "<results>/relations/draws/{model}.parquet",
    log:
        "<results>/logs/relations/draws/{model}.log",
    params:
        **model_step(
            "relations",
            "draws",
            top_k=RELATIONS["top_k"],
            special_tokens=RELATIONS["special_tokens"],
            shots=shots,
        ),


use rule scoring as relations_layer_scores with:
    input:
        model=manifest_of,
        probes="<results>/relations/probes.parquet",
        lexicon=LEXICON,
        examples=for_agents(
            [name for name in RELATIONS_LAYERED if "shots" in config["models"][name]],
            "<results>/relations/examples.parquet",
        ),
        maps=for_agents(MAPPED, lambda wildcards: f"<results>/models/layer_map/{MAPPED[wildcards.model]}.safetensors"),
    output:
        "<results>/relations/layer_scores/{model}.parquet",
    log:
        "<results>/logs/relations/layer_scores/{model}.log",
    params:
        **model_step(
            "relations",
            "layer_scores",
            layers=layers_of,
            top_k=LAYERS["top_k"],
            special_tokens=RELATIONS["special_tokens"],
            shots=shots,
            sample=LAYERS.get("targets"),
        ),


use rule measuring as relations_layer_metrics with:
    input:
        scores="<results>/relations/layer_scores/{model}.parquet",
        lexicon=LEXICON,
        probes="<results>/relations/probes.parquet",
        relata="<results>/relations/relata.parquet",
        tuples=RELATIONS_TUPLES,
        shared_lexicon=RELATIONS_LEXICON,
        relations=RELATIONS["relations"],
    output:
        "<results>/relations/layer_metrics/{model}.parquet",
    log:
        "<results>/logs/relations/layer_metrics/{model}.log",
    params:
        **step("relations", "layer_metrics", answer_space=RELATIONS["answers"], **RELATIONS_CHOICES),


use rule scoring as relations_writing with:
    input:
        model=manifest_of,
        probes="<results>/relations/probes.parquet",
        lexicon=LEXICON,
    output:
        "<results>/relations/writing/{model}.parquet",
    log:
        "<results>/logs/relations/writing/{model}.log",
    wildcard_constraints:
        model="|".join(map(re.escape, [name for name in RELATIONS_WRITERS if name not in PARTICIPANTS])) or "none",
    params:
        **model_step(
            "relations",
            "writing",
            samples=lambda wildcards: config["models"][wildcards.model].get("samples"),
        ),


# On a cluster the agents that only chat are asked where Snakemake runs: the nodes need not reach the network.
localrules:
    relations_replies,


use rule asking as relations_replies with:
    input:
        probes="<results>/relations/probes.parquet",
    output:
        out="<results>/relations/replies/{model}.parquet",
        ledger="<results>/relations/ledger/{model}.parquet",
    log:
        "<results>/logs/relations/replies/{model}.log",
    params:
        **participant_step("relations", "replies"),


use rule measuring as relations_reply_lists with:
    input:
        replies="<results>/relations/replies/{agent}.parquet",
    output:
        "<results>/relations/writing/{agent}.parquet",
    log:
        "<results>/logs/relations/reply_lists/{agent}.log",
    wildcard_constraints:
        agent="|".join(map(re.escape, participants_of("relations"))) or "none",
    params:
        **step("relations", "reply_lists"),


use rule preparing as relations_word_list with:
    input:
        wordnet=RELATIONS_EXPANSION,
        own=RELATIONS["word_list"].get("path", []),
        language=RELATIONS["language"],
    output:
        "<results>/relations/word_list.parquet",
    log:
        "<results>/logs/relations/word_list.log",
    params:
        **step(
            "relations",
            "word_list",
            **{key: value for key, value in RELATIONS["word_list"].items() if key != "path"},
        ),


use rule scoring as relations_words with:
    input:
        model=manifest_of,
        probes="<results>/relations/probes.parquet",
        word_list="<results>/relations/word_list.parquet",
        language=RELATIONS["language"],
        examples=for_agents(RELATIONS_SHOTS, "<results>/relations/examples.parquet"),
        lexicon=for_agents(RELATIONS_SAMPLED, LEXICON),
    output:
        "<results>/relations/words/{model}.parquet",
    log:
        "<results>/logs/relations/words/{model}.log",
    params:
        **model_step(
            "relations",
            "words",
            top_words=RELATIONS["top_words"],
            shots=shots,
            **{"sample": RELATIONS_SAMPLE["targets"] for _ in RELATIONS_SAMPLED[:1]},
        ),


use rule preparing as relations_candidates with:
    input:
        tuples="<results>/relations/tuples.parquet",
        wordnet=RELATIONS_EXPANSION,
        own=RELATIONS["candidates"].get("path", []),
        relations=RELATIONS["relations"],
        language=RELATIONS["language"],
    output:
        lists="<results>/relations/candidates.parquet",
        listed="<results>/relations/listed.parquet",
        words="<results>/relations/candidate_words.parquet",
    log:
        "<results>/logs/relations/candidates.log",
    params:
        **step("relations", "candidates"),


use rule scoring as relations_candidate_scores with:
    input:
        model=manifest_of,
        probes="<results>/relations/probes.parquet",
        candidates="<results>/relations/candidates.parquet",
        words="<results>/relations/candidate_words.parquet",
        premises="<results>/relations/premises.parquet",
        language=RELATIONS["language"],
        examples=for_agents(RELATIONS_SHOTS, "<results>/relations/examples.parquet"),
    output:
        "<results>/relations/candidate_scores/{model}.parquet",
    log:
        "<results>/logs/relations/candidate_scores/{model}.log",
    params:
        **model_step("relations", "candidate_scores", shots=shots),


use rule preparing as relations_people with:
    input:
        answers="<resources>/fetched/human_responses.json",
        probes="<results>/relations/probes.parquet",
        prompts=RELATIONS["prompts"],
        relations=RELATIONS["relations"],
        language=RELATIONS["language"],
    output:
        lists="<results>/relations/lists.parquet",
        out="<results>/relations/responses/humans.parquet",
        tables=tables("relations", "people") + parquet("relations", "people"),
    log:
        "<results>/logs/relations/responses/humans.log",
    params:
        **step("relations", "people"),


use rule preparing as relations_norms with:
    input:
        norms="<resources>/fetched/{norms}.json",
        probes="<results>/relations/probes.parquet",
    output:
        "<results>/relations/responses/{norms}.parquet",
    log:
        "<results>/logs/relations/responses/{norms}.log",
    wildcard_constraints:
        norms="associations|feature_norms",
    params:
        **step("relations", "norms", form=lambda wildcards: wildcards.norms),


use rule preparing as relations_control with:
    input:
        probes="<results>/relations/probes.parquet",
        relata="<results>/relations/relata.parquet",
        tuples=RELATIONS_TUPLES,
        shared_lexicon=RELATIONS_LEXICON,
        relations=RELATIONS["relations"],
        language=RELATIONS["language"],
        vectors=for_agents(["neighbours"], "<resources>/fetched/static_vectors.json"),
        candidates=["<results>/relations/candidates.parquet"] * RELATIONS_CLOSED,
    output:
        "<results>/relations/responses/{agent}.parquet",
    log:
        "<results>/logs/relations/responses/{agent}.log",
    wildcard_constraints:
        agent="majority|neighbours|frequency",
    params:
        **step("relations", "control", agent=lambda wildcards: wildcards.agent, top_k=RELATIONS["top_k"]),


use rule preparing as relations_relation_pairs with:
    input:
        probes="<results>/relations/probes.parquet",
        relata="<results>/relations/relata.parquet",
        tuples=RELATIONS_TUPLES,
        shared_lexicon=RELATIONS_LEXICON,
        lists=["<results>/relations/lists.parquet" for _ in HUMANS[:1]],
        relations=RELATIONS["relations"],
    output:
        out="<results>/relations/relation_pairs.parquet",
        table=tables("relations", "relation_pairs"),
    log:
        "<results>/logs/relations/relation_pairs.log",
    params:
        **step("relations", "relation_pairs", minimum_targets=RELATIONS["choices"]["minimum_targets"]),


use rule measuring as relations_responses with:
    input:
        scores=answered,
        lexicon=for_agents(RELATIONS_SCORED + list(RELATIONS_ALONE), lexicon_of_owner),
        words=for_agents(
            RELATIONS_SCORED if RELATIONS_WORDS else [],
            "<results>/relations/words/{agent}.parquet",
        ),
        candidates=for_agents(
            RELATIONS_SCORED if RELATIONS_CLOSED else [],
            "<results>/relations/candidate_scores/{agent}.parquet",
        ),
        examples=for_agents(RELATIONS_ALONE_SHOTS, "<results>/relations/examples.parquet"),
        probes="<results>/relations/probes.parquet",
        relata="<results>/relations/relata.parquet",
        tuples=RELATIONS_TUPLES,
        shared_lexicon=RELATIONS_LEXICON,
        relations=RELATIONS["relations"],
    output:
        "<results>/relations/responses/{agent}.parquet",
    log:
        "<results>/logs/relations/responses/{agent}.log",
    wildcard_constraints:
        agent="|".join(map(re.escape, [*RELATIONS_MODELS, *RELATIONS_ALONE])),
    params:
        **step(
            "relations",
            "responses",
            kind=lambda wildcards: RELATIONS_ANSWERED[wildcards.agent],
            # What does not decide how an agent's answers are read re-runs nothing.
            answers=lambda wildcards: (None if wildcards.agent in RELATIONS_WRITERS else RELATIONS["answers"]),
            calibrate=lambda wildcards: (RELATIONS["calibrate"] if wildcards.agent in RELATIONS_SCORED else None),
            spoken=lambda wildcards: owner_of(wildcards) in RELATIONS_SPOKEN or None,
            shots=lambda wildcards: (
                config["models"][owner_of(wildcards)]["shots"] if wildcards.agent in RELATIONS_ALONE_SHOTS else None
            ),
        ),


use rule measuring as relations_metrics with:
    input:
        responses=for_agents(
            [name for name in RELATIONS_AGENTS if name != "annotator"],
            "<results>/relations/responses/{agent}.parquet",
        ),
        lists=["<results>/relations/lists.parquet" for _ in HUMANS[:1]],
        writing=for_agents(RELATIONS_WRITERS, "<results>/relations/writing/{agent}.parquet"),
        pairs="<results>/relations/relation_pairs.parquet",
        probes="<results>/relations/probes.parquet",
        relata="<results>/relations/relata.parquet",
        alternatives="<results>/relations/alternatives.parquet",
        tuples=RELATIONS_TUPLES,
        shared_lexicon=RELATIONS_LEXICON,
        relations=RELATIONS["relations"],
    output:
        metrics="<results>/relations/metrics/{agent}.parquet",
        sensitivity="<results>/relations/sensitivity/{agent}.parquet",
        top_words="<results>/relations/top_words/{agent}.parquet",
        chance="<results>/relations/chance/{agent}.parquet",
        use="<results>/relations/use/{agent}.parquet",
    log:
        "<results>/logs/relations/metrics/{agent}.log",
    wildcard_constraints:
        agent="|".join(map(re.escape, RELATIONS_AGENTS)),
    params:
        **step(
            "relations",
            "metrics",
            kind=lambda wildcards: RELATIONS_FORMS.get(wildcards.agent, "ranking"),
            **RELATIONS_CHOICES,
        ),


use rule comparing as relations_shots with:
    input:
        scores=expand("<results>/relations/scores/{model}.parquet", model=RELATIONS_SHOTS),
        draws=expand("<results>/relations/draws/{model}.parquet", model=RELATIONS_SHOTS),
        lexicons=[f"<results>/models/lexicon/{NETWORKS[model]}.parquet" for model in RELATIONS_SHOTS],
        probes="<results>/relations/probes.parquet",
        relata="<results>/relations/relata.parquet",
        tuples=RELATIONS_TUPLES,
        shared_lexicon=RELATIONS_LEXICON,
        relations=RELATIONS["relations"],
    output:
        tables("relations", "shots"),
    log:
        "<results>/logs/relations/shots.log",
    params:
        **step(
            "relations",
            "shots",
            spoken=[name for name in RELATIONS_SHOTS if name in RELATIONS_SPOKEN],
            **RELATIONS_CHOICES,
        ),


use rule comparing as relations_spaces with:
    input:
        scores=expand("<results>/relations/scores/{model}.parquet", model=RELATIONS_SAMPLED),
        words=expand("<results>/relations/words/{model}.parquet", model=RELATIONS_SAMPLED),
        lexicons=[f"<results>/models/lexicon/{NETWORKS[model]}.parquet" for model in RELATIONS_SAMPLED],
        word_list="<results>/relations/word_list.parquet",
        probes="<results>/relations/probes.parquet",
        relata="<results>/relations/relata.parquet",
        tuples=RELATIONS_TUPLES,
        shared_lexicon=RELATIONS_LEXICON,
        relations=RELATIONS["relations"],
    output:
        tables("relations", "spaces"),
    log:
        "<results>/logs/relations/spaces.log",
    params:
        **step("relations", "spaces", **RELATIONS_CHOICES),


use rule comparing as relations_ceiling with:
    input:
        lists="<results>/relations/lists.parquet",
        probes="<results>/relations/probes.parquet",
        relata="<results>/relations/relata.parquet",
        tuples=RELATIONS_TUPLES,
        shared_lexicon=RELATIONS_LEXICON,
        relations=RELATIONS["relations"],
    output:
        tables("relations", "ceiling"),
    log:
        "<results>/logs/relations/ceiling.log",
    params:
        **step("relations", "ceiling"),


use rule comparing as relations_averages with:
    input:
        metrics=metrics_of("relations", RELATIONS_AGENTS),
        probes="<results>/relations/probes.parquet",
        relata="<results>/relations/relata.parquet",
        tuples=RELATIONS_TUPLES,
        shared_lexicon=RELATIONS_LEXICON,
        pairs="<results>/relations/relation_pairs.parquet",
        writing=RELATIONS_WRITTEN,
        relations=RELATIONS["relations"],
    output:
        "<results>/relations/averages.parquet",
    log:
        "<results>/logs/relations/averages.log",
    params:
        **step(
            "relations",
            "averages",
            people=RELATIONS_PEOPLE,
            targets=config["targets"],
            crossed_prompts=RELATIONS["crossed_prompts"],
        ),


use rule comparing as relations_tests with:
    input:
        metrics=metrics_of("relations", RELATIONS_AGENTS),
        relata="<results>/relations/relata.parquet",
        pairs="<results>/relations/relation_pairs.parquet",
        relations=RELATIONS["relations"],
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


# Only where two agents, or two layers, are of one series.
if RELATIONS_ALONG or RELATIONS_LAYERED:
    RELATIONS_MEMBERS = {
        agent: NETWORKS[agent] for series in RELATIONS_ALONG.values() for places in series.values() for agent in places
    }

    use rule comparing as relations_trends with:
        input:
            metrics=metrics_of("relations", RELATIONS_MEMBERS),
            manifests=expand(
                "<resources>/fetched/models/{model}.json",
                model=dict.fromkeys(RELATIONS_MEMBERS.values()),
            ),
            relata="<results>/relations/relata.parquet",
            tests="<results>/relations/tests.parquet",
            relations=RELATIONS["relations"],
            layered=expand("<results>/relations/layer_metrics/{model}.parquet", model=RELATIONS_LAYERED),
            blind=metrics_of("relations", RELATIONS_BLIND if RELATIONS_LAYERED else []),
        output:
            out=tables("relations", "trends"),
        log:
            "<results>/logs/relations/trends.log",
        params:
            **step(
                "relations",
                "trends",
                along=RELATIONS_ALONG,
                networks=RELATIONS_MEMBERS,
                controls=RELATIONS_CONTROLS,
            ),

    use rule comparing as relations_layers with:
        input:
            layered=expand("<results>/relations/layer_metrics/{model}.parquet", model=RELATIONS_LAYERED),
            people=metrics_of("relations", RELATIONS_PEOPLE),
            probes="<results>/relations/probes.parquet",
            relata="<results>/relations/relata.parquet",
            tuples=RELATIONS_TUPLES,
            shared_lexicon=RELATIONS_LEXICON,
            pairs="<results>/relations/relation_pairs.parquet",
            relations=RELATIONS["relations"],
        output:
            out=tables("relations", "layers") + parquet("relations", "layers"),
        log:
            "<results>/logs/relations/layers.log",
        params:
            **step("relations", "layers", targets=config["targets"]),

    use rule comparing as relations_series with:
        input:
            averages="<results>/relations/averages.parquet",
            layers=parquet("relations", "layers") if RELATIONS_LAYERED else [],
            relations=RELATIONS["relations"],
        output:
            out=tables("relations", "series") + parquet("relations", "series"),
        log:
            "<results>/logs/relations/series.log",
        params:
            **step(
                "relations",
                "series",
                along=RELATIONS_ALONG,
                people=HUMANS,
                controls=RELATIONS_CONTROLS,
                checkpoints=RELATIONS_LAYERED_ALONG,
            ),


use rule comparing as relations_contrasts with:
    input:
        metrics=metrics_of("relations", RELATIONS_ANSWERING),
        relata="<results>/relations/relata.parquet",
        relations=RELATIONS["relations"],
    output:
        "<results>/relations/contrasts.parquet",
    log:
        "<results>/logs/relations/contrasts.log",
    params:
        **step("relations", "contrasts", kinds=RELATIONS_KINDS),


use rule comparing as relations_relation_use with:
    input:
        use=expand("<results>/relations/use/{agent}.parquet", agent=RELATIONS_AGENTS),
        chance=expand("<results>/relations/chance/{agent}.parquet", agent=RELATIONS_AGENTS),
        relations=RELATIONS["relations"],
    output:
        out=tables("relations", "relation_use"),
    log:
        "<results>/logs/relations/relation_use.log",
    params:
        **step("relations", "relation_use", kinds=RELATIONS_KINDS),


use rule comparing as relations_entropy with:
    input:
        answers="<resources>/fetched/human_responses.json",
        prompts=RELATIONS["prompts"],
        relata="<results>/relations/relata.parquet",
        relations=RELATIONS["relations"],
        language=RELATIONS["language"],
    output:
        out=tables("relations", "entropy") + parquet("relations", "entropy"),
    log:
        "<results>/logs/relations/entropy.log",
    params:
        **step("relations", "entropy"),


use rule comparing as relations_comparisons with:
    input:
        metrics=metrics_of("relations", RELATIONS_ANSWERING),
        averages="<results>/relations/averages.parquet",
        tests="<results>/relations/tests.parquet",
        relata="<results>/relations/relata.parquet",
        relations=RELATIONS["relations"],
        language=RELATIONS["language"],
    output:
        out=tables("relations", "comparisons") + parquet("relations", "comparisons"),
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


use rule comparing as relations_claims with:
    input:
        tests="<results>/relations/tests.parquet",
        comparisons=parquet(
            "relations", ["best_by_type", "prompt_variance"] + ["entropy_differences" for _ in HUMANS[:1]]
        ),
    output:
        tables("relations", "claims"),
    log:
        "<results>/logs/relations/claims.log",
    params:
        **step("relations", "claims", models=RELATIONS_ENTRIES),


use rule comparing as relations_attrition with:
    input:
        losses="<results>/relations/losses.parquet",
        given="<results>/relations/given.parquet",
        tuples=RELATIONS_TUPLES,
        relata="<results>/relations/relata.parquet",
        shared_lexicon=RELATIONS_LEXICON,
        probes="<results>/relations/probes.parquet",
        unmatched=["<results>/relations/tables/unmatched_answers.parquet" for _ in HUMANS[:1]],
        lists=["<results>/relations/lists.parquet" for _ in HUMANS[:1]],
        prompts=RELATIONS["prompts"],
        relations=RELATIONS["relations"],
    output:
        out=tables("relations", "attrition") + parquet("relations", ["counts"]),
    log:
        "<results>/logs/relations/attrition.log",
    params:
        **step(
            "relations",
            "attrition",
            causal=any(entry["type"] == "causal" for entry in config["models"].values()),
        ),


use rule comparing as relations_tables with:
    input:
        averages="<results>/relations/averages.parquet",
        tests="<results>/relations/tests.parquet",
        contrasts="<results>/relations/contrasts.parquet",
        sensitivity=expand("<results>/relations/sensitivity/{agent}.parquet", agent=RELATIONS_ANSWERING),
        top_words=expand("<results>/relations/top_words/{agent}.parquet", agent=RELATIONS_AGENTS),
        tuples=RELATIONS_TUPLES,
        probes="<results>/relations/probes.parquet",
        relata="<results>/relations/relata.parquet",
        shared_lexicon=RELATIONS_LEXICON,
        relations=RELATIONS["relations"],
        language=RELATIONS["language"],
        lexicons=expand(
            "<results>/models/lexicon/{model}.parquet",
            model=dict.fromkeys(NETWORKS[model] for model in RELATIONS_SCORED),
        ),
        scores=expand("<results>/relations/scores/{model}.parquet", model=RELATIONS_SCORED),
        writing=RELATIONS_WRITTEN,
        replies=expand("<results>/relations/replies/{model}.parquet", model=participants_of("relations")),
    output:
        out=tables("relations", "tables") + parquet("relations", ["data", "vocabularies"]),
    log:
        "<results>/logs/relations/tables.log",
    params:
        **step("relations", "tables", shown=RELATIONS["shown_probes"], ways=RELATIONS_WAYS),


use rule comparing as relations_answers with:
    input:
        top_words=expand("<results>/relations/top_words/{agent}.parquet", agent=RELATIONS_AGENTS),
        probes="<results>/relations/probes.parquet",
        relata="<results>/relations/relata.parquet",
        language=RELATIONS["language"],
        relations=RELATIONS["relations"],
        template=shipped("workflow/report/answers.html.j2"),
    output:
        report(
            "<results>/relations/answers.html",
            category="Relations",
            labels={"page": "answers"},
        ),
    log:
        "<results>/logs/relations/answers.log",
    params:
        **step("relations", "answers", people=HUMANS),


use rule comparing as relations_figures with:
    input:
        averages="<results>/relations/averages.parquet",
        tests="<results>/relations/tests.parquet",
        first_related="<results>/relations/tables/first_related.parquet",
        frequency="<results>/relations/tables/frequency.parquet",
        response_entropies=["<results>/relations/tables/response_entropies.parquet" for _ in HUMANS[:1]],
        series=parquet("relations", "series"),
        relations=RELATIONS["relations"],
    output:
        prints("relations", "figures"),
        out=figures("relations", "figures"),
    log:
        "<results>/logs/relations/figures.log",
    params:
        **step(
            "relations",
            "figures",
            names=shown("relations", "figures"),
            agents=RELATIONS_AGENTS,
            models=RELATIONS_ENTRIES,
            k=RELATIONS_K,
            inference=config["inference"],
            families=FAMILIES,
            controls=RELATIONS_CONTROLS,
            layered={model: entry["type"] for model, entry in RELATIONS_LAYERED_ENTRIES.items()},
            ways=RELATIONS_WAYS,
        ),


use rule comparing as relations_published with:
    input:
        published=shipped("resources/published/relations.csv"),
        averages="<results>/relations/averages.parquet",
        metrics=metrics_of("relations", RELATIONS_ANSWERING),
        tables=parquet(
            "relations",
            ["data", "counts", "vocabularies"]
            + shown("relations", "tables", "comparisons")
            + shown("relations", "tables", "entropy"),
        ),
    output:
        tables("relations", "published"),
    log:
        "<results>/logs/relations/published.log",
    params:
        **step(
            "relations",
            "published",
            models=RELATIONS_MODELS,
            panel=RELATIONS_PANEL,
            tuples=RELATIONS["tuples"],
        ),
