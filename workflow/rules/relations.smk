# The relations study (Cao et al.), in the order of its method (studies/relations/method.py): items, scores, responses and values.
# Scores depend on the probes and the model alone; gold data, human answers and the shared lexicon enter after them, in jobs of
# seconds. What compares agents, analyses and what is shown: see the end.

from relprobe.studies.relations import run as relations_run

RELATIONS = config["relations"]
RELATIONS_AGENTS = relations_run.Agents(config, roles("relations"))
RELATIONS_EXPANSION = [prepared(name) for name in [RELATIONS["expansion"]] if name != "none"]
# The answers that count. Those of any length need no lexicon that tokenizers have in common: a list of words takes its place, or
# the words of all closed lists.
RELATIONS_COUNTED = relations_run.kind_of_answers(RELATIONS)
RELATIONS_CLOSED = RELATIONS["answers"] == "candidates"
RELATIONS_PANEL = config.get("lexicon", {}).get("panel", [])
RELATIONS_GOLD = relations_run.gold_files(RELATIONS)


# On a cluster the agents that only chat are asked where Snakemake runs: the nodes need not reach the network.
localrules:
    relations_replies,


# The items: tuples of the sources and the probes about them, the words that may be answers, and what counts as right.


use rule preparing as relations_probes with:
    input:
        sources=[prepared(name) for name in RELATIONS["tuples"]],
        prompts=RELATIONS["prompts"],
        relations=RELATIONS["relations"],
        language=RELATIONS["language"],
        # The words of closed lists are those of the tuples themselves.
        lexicon=[] if RELATIONS_CLOSED else RELATIONS_GOLD["shared_lexicon"],
        expansion=[] if RELATIONS.get("wordnet_sample", {}).get("shared_relata", True) else RELATIONS_EXPANSION,
    output:
        raw_tuples="<results>/relations/given.parquet",
        tuples="<results>/relations/tuples.parquet",
        out="<results>/relations/probes.parquet",
        premises="<results>/relations/premises.parquet",
    log:
        "<results>/logs/relations/probes.log",
    params:
        **step(
            "relations",
            "probes",
            exemplar_frequency=RELATIONS["exemplar_frequency"],
            wordnet_sample=RELATIONS.get("wordnet_sample"),
            prompt_parts=RELATIONS["prompt_parts"],
        ),


use rule preparing as relations_word_list with:
    input:
        wordnet=RELATIONS_EXPANSION,
        word_file=RELATIONS["word_list"].get("path", []),
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


use rule preparing as relations_candidates with:
    input:
        tuples="<results>/relations/tuples.parquet",
        wordnet=RELATIONS_EXPANSION,
        list_file=RELATIONS["candidates"].get("path", []),
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


use rule preparing as relations_resource_relata with:
    input:
        lexicon=RELATIONS_GOLD["shared_lexicon"],
        relations=RELATIONS["relations"],
        language=RELATIONS["language"],
        wordnet=RELATIONS_EXPANSION,
    output:
        "<results>/relations/resource_relata.parquet",
    log:
        "<results>/logs/relations/resource_relata.log",
    params:
        **step("relations", "resource_relata"),


# No network reads what this rule makes, so that other people's answers or another expansion ask none again.
use rule preparing as relations_gold with:
    input:
        raw_tuples="<results>/relations/given.parquet",
        tuples="<results>/relations/tuples.parquet",
        probes="<results>/relations/probes.parquet",
        prompts=RELATIONS["prompts"],
        shared_lexicon=RELATIONS_GOLD["shared_lexicon"],
        relations=RELATIONS["relations"],
        language=RELATIONS["language"],
        wordnet=RELATIONS_EXPANSION,
        panel=expand(
            "<results>/models/lexicon/{model}.parquet",
            model=RELATIONS_PANEL if RELATIONS_COUNTED == "scores" else [],
        ),
        candidates=["<results>/relations/candidates.parquet"] * RELATIONS_CLOSED,
        answers=[fetched("human_responses")] if RELATIONS_AGENTS.people else [],
    output:
        out="<results>/relations/relata.parquet",
        alternatives="<results>/relations/alternatives.parquet",
        losses="<results>/relations/losses.parquet",
        pairs="<results>/relations/relation_pairs.parquet",
        tables=tables("relations", "gold"),
        lists=RELATIONS_AGENTS.people_files("lists.parquet"),
        humans=RELATIONS_AGENTS.people_files("responses/humans.parquet"),
        annotator=RELATIONS_AGENTS.people_files("responses/annotator.parquet"),
    log:
        "<results>/logs/relations/gold.log",
    params:
        **step(
            "relations",
            "gold",
            minimum_targets=RELATIONS["choices"]["minimum_targets"],
            **layout_of("human_responses"),
        ),


# The scores: what models answer to the probes, with examples before them, layer by layer, in lists and in words of any length.


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
        examples=for_agents(RELATIONS_AGENTS.with_shots, "<results>/relations/examples.parquet"),
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
            sample=RELATIONS["draws"]["targets"],
        ),


use rule scoring as relations_layer_scores with:
    input:
        model=manifest_of,
        probes="<results>/relations/probes.parquet",
        lexicon=LEXICON,
        examples=for_agents(
            [name for name in layered_of("relations") if "shots" in config["models"][name]],
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


use rule scoring as relations_writing with:
    input:
        model=manifest_of,
        probes="<results>/relations/probes.parquet",
        lexicon=LEXICON,
        language=RELATIONS["language"],
    output:
        "<results>/relations/writing/{model}.parquet",
    log:
        "<results>/logs/relations/writing/{model}.log",
    wildcard_constraints:
        model=one_of([name for name in RELATIONS_AGENTS.task_agents if name not in CHAT_MODELS]),
    params:
        **model_step(
            "relations",
            "writing",
            samples=lambda wildcards: config["models"][wildcards.model].get("samples"),
        ),


use rule asking as relations_replies with:
    input:
        probes="<results>/relations/probes.parquet",
    output:
        out="<results>/relations/replies/{model}.parquet",
        ledger="<results>/relations/ledger/{model}.parquet",
    log:
        "<results>/logs/relations/replies/{model}.log",
    params:
        **chat_model_step("relations", "replies"),


use rule measuring as relations_reply_lists with:
    input:
        replies="<results>/relations/replies/{agent}.parquet",
        language=RELATIONS["language"],
    output:
        "<results>/relations/writing/{agent}.parquet",
    log:
        "<results>/logs/relations/reply_lists/{agent}.log",
    wildcard_constraints:
        agent=one_of(chat_models_of("relations")),
    params:
        **step("relations", "reply_lists"),


use rule scoring as relations_words with:
    input:
        model=manifest_of,
        probes="<results>/relations/probes.parquet",
        word_list="<results>/relations/word_list.parquet",
        language=RELATIONS["language"],
        examples=for_agents(RELATIONS_AGENTS.with_shots, "<results>/relations/examples.parquet"),
        lexicon=for_agents(RELATIONS_AGENTS.sampled, LEXICON),
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
            **({"sample": RELATIONS["word_sample"]["targets"]} if RELATIONS_AGENTS.sampled else {}),
        ),


use rule scoring as relations_candidate_scores with:
    input:
        model=manifest_of,
        probes="<results>/relations/probes.parquet",
        candidates="<results>/relations/candidates.parquet",
        words="<results>/relations/candidate_words.parquet",
        premises="<results>/relations/premises.parquet",
        language=RELATIONS["language"],
        examples=for_agents(RELATIONS_AGENTS.with_shots, "<results>/relations/examples.parquet"),
    output:
        "<results>/relations/candidate_scores/{model}.parquet",
    log:
        "<results>/logs/relations/candidate_scores/{model}.log",
    params:
        **model_step("relations", "candidate_scores", shots=shots),


# The responses and values of each agent.


# What its answers are measured against, how, and what is made of them.
RELATIONS_REFERENCE = {
    "lists": RELATIONS_AGENTS.people_files("lists.parquet"),
    "pairs": "<results>/relations/relation_pairs.parquet",
    "alternatives": "<results>/relations/alternatives.parquet",
    **RELATIONS_GOLD,
}
# The scale of word frequencies and the pairs of relations that AuDC counts do not change a metric.
RELATIONS_CHOICES = {
    key: value for key, value in RELATIONS["choices"].items() if key not in ("frequency", "minimum_targets")
}
RELATIONS_MEASURED = {
    **{name: f"<results>/relations/{name}/{{agent}}.parquet" for name in ("metrics", "top_words")},
    "by_agent": by_agent("relations"),
}
RELATIONS_VALUES = {"responses": "<results>/relations/responses/{agent}.parquet", **RELATIONS_MEASURED}


use rule measuring as relations_metrics with:
    input:
        **RELATIONS_REFERENCE,
        scores=with_signature(lambda wildcards: RELATIONS_AGENTS.answers_file(wildcards.agent)),
        lexicon=for_agents(
            [*RELATIONS_AGENTS.scored, *RELATIONS_AGENTS.own_controls],
            lambda wildcards: f"<results>/models/lexicon/{NETWORKS[RELATIONS_AGENTS.model(wildcards.agent)]}.parquet",
        ),
        words=for_agents(
            RELATIONS_AGENTS.scored if RELATIONS_COUNTED == "words" else [],
            "<results>/relations/words/{agent}.parquet",
        ),
        candidates=for_agents(
            RELATIONS_AGENTS.scored if RELATIONS_CLOSED else [],
            "<results>/relations/candidate_scores/{agent}.parquet",
        ),
        examples=for_agents(
            [name for name, model in RELATIONS_AGENTS.own_controls.items() if model in RELATIONS_AGENTS.with_shots],
            "<results>/relations/examples.parquet",
        ),
    output:
        **RELATIONS_VALUES,
    log:
        "<results>/logs/relations/metrics/{agent}.log",
    wildcard_constraints:
        agent=one_of(RELATIONS_AGENTS.answers),
    params:
        **step(
            "relations",
            "metrics",
            also=analysis_parts("relations", "agent_table"),
            kind=lambda wildcards: RELATIONS_AGENTS.answers[wildcards.agent],
            # What does not decide how an agent's answers are read re-runs nothing.
            answers=lambda wildcards: (
                None if wildcards.agent in RELATIONS_AGENTS.task_agents else RELATIONS["answers"]
            ),
            calibrate=lambda wildcards: RELATIONS["calibrate"] if wildcards.agent in RELATIONS_AGENTS.scored else None,
            chat_formatted=lambda wildcards: RELATIONS_AGENTS.model(wildcards.agent) in RELATIONS_AGENTS.asked_in_words
            or None,
            shots=lambda wildcards: config["models"]
            .get(RELATIONS_AGENTS.own_controls.get(wildcards.agent), {})
            .get("shots"),
            **RELATIONS_CHOICES,
        ),


use rule measuring as relations_control_metrics with:
    input:
        **RELATIONS_REFERENCE,
        language=RELATIONS["language"],
        vectors=for_agents(relations_run.NEAR, fetched("static_vectors")),
        candidates=["<results>/relations/candidates.parquet"] * RELATIONS_CLOSED,
        resource=for_agents(
            relations_run.TAUGHT if RELATIONS_EXPANSION else [],
            "<results>/relations/resource_relata.parquet",
        ),
    output:
        **RELATIONS_VALUES,
    log:
        "<results>/logs/relations/metrics/{agent}.log",
    wildcard_constraints:
        agent=one_of(RELATIONS_AGENTS.shared_controls),
    params:
        **step(
            "relations",
            "control_metrics",
            also=analysis_parts("relations", "agent_table"),
            agent=lambda wildcards: wildcards.agent,
            top_k=RELATIONS["top_k"],
            **RELATIONS_CHOICES,
        ),


use rule measuring as relations_norm_metrics with:
    input:
        **RELATIONS_REFERENCE,
        norms=lambda wildcards: fetched(wildcards.agent),
    output:
        **RELATIONS_VALUES,
    log:
        "<results>/logs/relations/metrics/{agent}.log",
    wildcard_constraints:
        agent=one_of(RELATIONS_AGENTS.norms),
    params:
        **step(
            "relations",
            "norm_metrics",
            also=analysis_parts("relations", "agent_table"),
            form=lambda wildcards: wildcards.agent,
            **RELATIONS_CHOICES,
        ),


# The agents whose responses another rule writes, such as people.
use rule measuring as relations_people_metrics with:
    input:
        **RELATIONS_REFERENCE,
        responses="<results>/relations/responses/{agent}.parquet",
    output:
        **RELATIONS_MEASURED,
    log:
        "<results>/logs/relations/metrics/{agent}.log",
    wildcard_constraints:
        agent=one_of(RELATIONS_AGENTS.with_responses),
    params:
        **step(
            "relations",
            "people_metrics",
            also=analysis_parts("relations", "agent_table"),
            **RELATIONS_CHOICES,
        ),


use rule measuring as relations_layer_metrics with:
    input:
        scores="<results>/relations/layer_scores/{model}.parquet",
        lexicon=LEXICON,
        probes="<results>/relations/probes.parquet",
        relata="<results>/relations/relata.parquet",
        tuples=RELATIONS_GOLD["tuples"],
        shared_lexicon=RELATIONS_GOLD["shared_lexicon"],
        relations=RELATIONS["relations"],
    output:
        "<results>/relations/layer_metrics/{model}.parquet",
    log:
        "<results>/logs/relations/layer_metrics/{model}.log",
    params:
        **step("relations", "layer_metrics", answer_space=RELATIONS["answers"], **RELATIONS_CHOICES),


# The agents side by side, and what is shown: rules/frame.smk makes relations_compare and relations_show, which read what
# `in_run` says in studies/relations/run.py; rules/analyses.smk makes the steps of analyses.
