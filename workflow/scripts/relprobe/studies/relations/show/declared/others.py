"""The tables of the relations study on choices and prompts, data and what was left out, and those that are files alone."""

from relprobe.report.shown import Table

CHOICES, DATA, LEFT_OUT = "Choices and prompts", "Data", "Left out, and why"

FOLDED = (
    Table(
        "unequal_prompts",
        "Do the prompts of a relation differ?",
        "Agents whose values vary differently under different prompts (Table F4 of the paper). The paper's test is "
        "Levene's, centred on the median, which takes the prompts as independent groups, though all have the same "
        "targets. By default the same deviations are compared within targets (Hotelling's test); "
        "tables/prompt_variance.csv has both, with Holm's adjustment over the agents. On values of 0 and 1, which are "
        "mostly 0, this mainly says that the prompts differ in their average.",
        part=CHOICES,
        step="comparisons",
        columns={
            "agents": "the agents whose values vary differently under different prompts (p < 0.05)",
            "total": "the number of these",
            "tested": "the number of agents with a p",
        },
    ),
    Table(
        "left_out",
        "Left out",
        "What the models of this study do not allow to compare, and why.",
        part=LEFT_OUT,
        step="comparisons",
        columns={
            "table": "the table that lacks something",
            "reason": "what it lacks, and why",
        },
    ),
    Table(
        "sensitivity_ranges",
        "How much the results depend on open choices and on prompts",
        "The lowest and highest value if one choice that the paper leaves open is made otherwise (ties, recall, best or "
        "mean rank: relations.choices; relatum sets of the tuples alone, of one step, or of first senses), and if one "
        "prompt is left out. low_choice and high_choice name the choices that give these ends, low_prompt and high_prompt "
        "the prompts without which they come about. Each of them is in tables/sensitivity.csv.",
        part=CHOICES,
        columns={
            "configured": "the value with the choices of the configuration",
            "choice_low": "the lowest value under another choice",
            "low_choice": "the choice that gives it",
            "choice_high": "the highest value under another choice",
            "high_choice": "the choice that gives it",
            "prompt_low": "the lowest value if one prompt is left out",
            "low_prompt": "the prompt without which it comes about",
            "prompt_high": "the highest value if one prompt is left out",
            "high_prompt": "the prompt without which it comes about",
        },
    ),
    Table(
        "layers",
        "Layer by layer",
        "Agents that are asked after each of their layers (layers): soundness, completeness, and distinguishability as the "
        "distance between two relations. raw: the head reads the states of the layer as they are; a low value says that it "
        "cannot read them, and not that the layer lacks the answer. mapped: a linear map from the layer to the last one, "
        "which was fitted on other sentences, comes first; it learns, so its values say what a linear reader finds in the "
        "layer, and not what the network uses (Hewitt and Liang 2019). Three controls: layer 0, the embeddings, which know "
        "the last token of the prompt alone; shuffled, a map that was fitted on pairs that do not belong together; and "
        "untrained, the same map from the layers of an untrained network of the same shape (relations.layers.untrained).",
        part=CHOICES,
        step="layers",
        needs="layers",
        columns={
            "layer": "the layer: 0 is the embeddings, the greatest the last layer",
            "variant": "raw, mapped, shuffled or untrained: what comes between the layer and the head",
            "metric": "the metric; distinguishability is the distance between the two relations",
        },
    ),
    Table(
        "shots_draws",
        "How much the results depend on which examples were drawn",
        "Agents with solved examples (shots): the averages under three random draws of them, on the probes about a "
        "random sample of 12 targets of each relation; targets: how many of them are in the shared lexicon and have relata. "
        "Draw 1 is that of all other tables.",
        part=CHOICES,
        step="shots",
        needs="shots",
        columns={
            "draw": "the number of the draw of examples; 1 is that of all other tables",
        },
    ),
    Table(
        "answer_spaces",
        "Tokens, words of the lexicon, and words of any length",
        "A model's likeliest token may be a quote, a number or a piece of a word, which then counts as a wrong answer. If "
        "only words can be answers, the model's likeliest word counts, and words of any number of tokens can be compared "
        "between tokenizers. On the probes about random targets of each relation (relations.word_sample): no_word is the "
        "share of the probes whose first answer is no word, and outside the mean probability of all that is no word of the "
        "lexicon (tokens, lexicon) or of the word list (words).",
        part=CHOICES,
        step="spaces",
        needs="sample",
        columns={
            "answers": "what may be an answer: tokens, words of the lexicon, or words of any length",
            "outside": "the mean probability of all that is no word of the lexicon or, of words, of the word list",
        },
    ),
    Table(
        "writing",
        "What models have written",
        "Agents that write up to five words to a probe, as the participants did (task: list). words: the mean number of "
        "words of an answer; empty: the share of answers without any; unreadable: the share of all entries that are not "
        "one word; note: why an agent has no value, which is so if more than a fifth of its answers are empty.",
        part=DATA,
        needs="writers",
        columns={
            "answers": "the number of answers",
            "words": "the mean number of words of an answer",
            "empty": "the share of answers without any word",
            "unreadable": "the share of all entries that are not one word",
        },
    ),
    Table(
        "sent",
        "What exactly was sent",
        "The text that each model has read for one probe, special tokens included. The slot is at its end, or at the "
        "mask token.",
        part=DATA,
        columns={
            "text": "the text that the model has read",
        },
    ),
    Table(
        "data",
        "Prompts, targets, probes and relatum sets",
        "The study's size in the shared lexicon (the paper's Table 1; candidate targets are those of all tuples) and its "
        "relatum sets before and after the expansion with WordNet (Table 2 of the paper). ambiguous_tuples: tuples whose "
        "relatum has another relation to the target as well, so that it is in no relatum set; targets_without_relata: "
        "targets that have no relatum left, and so no metric but symmetry and asymmetry.",
        part=DATA,
        columns={
            "name": "the name of the relation",
            "prompts": "the number of prompts",
            "candidate_targets": "the number of targets of all tuples",
            "targets": "the number of these in the shared lexicon",
            "trick_probes": "the number of these that ask for the other word of a tuple",
            "ambiguous_tuples": "the number of tuples whose relatum has another relation to the target as well",
            "targets_without_relata": "the number of targets that have no relatum left",
            "*_mean": "the mean size of a relatum set, before or after the expansion",
            "*_sd": "the standard deviation of the sizes",
            "*_targets": "the number of targets with a relatum set",
        },
    ),
    Table(
        "counts",
        "Tuples, targets and relations",
        "In the shared lexicon. Tuples of the sources, and with the inverse of each (section 4.1 of the paper); different "
        "targets, each counted once whatever relations it has; how many relations a target has on average, by its tuples "
        "and by its relatum sets after the expansion (section 4.3 of the paper); and the targets that are asked for "
        "several relations and have relata of these, which the table of the use of the relation is about.",
        part=DATA,
        step="attrition",
        columns={
            "value": "the number",
        },
    ),
    Table(
        "relation_pairs",
        "Pairs of relations",
        "For each ordered pair: targets of the first relation that have relata of both, in the shared lexicon (and, "
        "where people take part, answered by them). asked_for_both: those of them that are also asked for the "
        "second relation, be it in trick probes. counted: AuDC counts the pair, as it has enough targets "
        "(relations.choices.minimum_targets).",
        part=DATA,
        step="relation_pairs",
        columns={
            "targets": "the number of targets of the relation that have relata of both",
            "asked_for_both": "the number of these that are also asked for the other relation, be it in trick probes",
            "counted": "yes: AuDC counts the pair, as it has enough targets",
        },
    ),
    Table(
        "attrition_counts",
        "What was lost on the way",
        "How many tuples, targets, relata, prompts, probes and answers were lost, in which step and why; each of them is "
        "named in tables/attrition.csv. lexicon: a word that is not one token of every model of the panel. relata: a word "
        "that is in two relations of a target, which exclude each other; its kind “form” is no loss: it counts the "
        "inflected targets that have the relata of their lemmas. scores: prompts whose slot is not "
        "last, and probes that a model was not asked because of a word, counted for each model. answers: probes that nobody "
        "answered, and answers to no probe of the study.",
        part=LEFT_OUT,
        step="attrition",
        columns={
            "step": "the step in which something was lost",
            "kind": "what was lost: a tuple, a target, a relatum, …",
            "reason": "why",
            "lost": "the number of what was lost",
        },
    ),
    Table(
        "coverage",
        "What the models' lexicons hold",
        "Words that are one token of a model, and the share they make up of the shared lexicon, of the candidate targets, "
        "and of the targets, tuples and relata in the shared lexicon. Models of the panel hold all of the latter; any "
        "other is measured on what it holds.",
        part=DATA,
        columns={
            "words": "the number of words that are one token of the model",
            "shared_lexicon": "the share of the shared lexicon that they make up",
            "candidate_targets": "the share of the candidate targets",
            "targets": "the share of the targets in the shared lexicon",
            "tuples": "the share of the tuples in the shared lexicon",
            "relata": "the share of the relata in the shared lexicon",
        },
    ),
    Table(
        "vocabularies",
        "How alike the models' vocabularies are",
        "The words that are one token of both models, as a share of the words of either (Jaccard; section 7.1 of the "
        "paper). tokens: the size of a model's whole vocabulary (Table 4 of the paper).",
        part=DATA,
        columns={
            "tokens_a": "the size of the whole vocabulary of a",
            "tokens_b": "the size of the whole vocabulary of b",
            "words_a": "the number of words that are one token of a",
            "words_b": "the number of words that are one token of b",
            "common": "the number of words that are one token of both",
            "jaccard": "these as a share of the words of either",
            "model_*": "a model of the pair",
        },
    ),
)
"""The tables that the page folds away, but those of tests."""
FILES = (
    Table(
        "averages",
        "Averages with their intervals",
        "The mean of every metric of every agent and relation, its 95 % interval, and the numbers of units and clusters.",
        on_page=False,
    ),
    Table(
        "sensitivity",
        "Averages under other choices",
        "The mean of every metric of every agent and relation under each choice, and without each prompt.",
        on_page=False,
    ),
    Table(
        "attrition",
        "What was lost, one by one",
        "Every tuple, target, relatum, prompt, probe and answer that was lost, in which step and why.",
        step="attrition",
        on_page=False,
    ),
    Table(
        "unmatched_answers",
        "Answers to no probe",
        "People's answers that are left out, and why: those to probes that the study does not have, and all answers of "
        "those who failed a catch item.",
        step="people",
        needs="people",
        on_page=False,
    ),
    Table(
        "first_related",
        "First related words",
        "The shares of the relations of the first related words, per agent and prompted relation.",
        step="comparisons",
        on_page=False,
    ),
    Table(
        "prompt_variance",
        "Do the prompts of a relation differ? Every agent",
        "The tests of unequal variance under different prompts, of every agent.",
        step="comparisons",
        on_page=False,
    ),
    Table(
        "response_entropies",
        "Entropy of the human answers",
        "The entropy of the humans' answers to every probe.",
        step="entropy",
        needs="people",
        on_page=False,
    ),
)
"""The tables that are files alone."""
