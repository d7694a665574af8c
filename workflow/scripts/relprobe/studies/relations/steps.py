"""The relations study (Cao et al.), step by step: its table of contents."""

STEPS = {
    "probes": (
        "ask:probe_tables",
        "Unite the tuples of all sources with their reverses, and put their targets into the prompts (sections 4 and 5.2).",
    ),
    "examples": ("shots:examples", "List the solved instances that may stand before every probe."),
    "scores": ("scoring:scores", "Score the probes with a model: its best tokens at every slot."),
    "draws": ("scoring:draws", "Score a sample of the probes with other draws of their examples."),
    "layer_scores": ("scoring:layer_scores", "Score the probes with a model after each of its layers."),
    "writing": ("scoring:writing", "Let a model write up to five words to every main probe (section 6.1)."),
    "replies": ("replies:replies", "Ask a model that only chats for up to five words to every main probe."),
    "reply_lists": ("replies:reply_lists", "Read the lists in the replies of a model that only chats."),
    "word_list": ("data:word_list", "List the words that may be answers of any length."),
    "words": ("scoring:words", "Score the probes with a model: its likeliest words of any length."),
    "resource_relata": ("data:resource_relata", "List what a lexical resource knows of all words, for the controls."),
    "candidates": ("data:candidates", "Make the closed lists of candidates."),
    "candidate_scores": ("scoring:candidate_scores", "Score the closed lists with a model."),
    "questionnaire": ("replies:form", "Write the empty form of a CSV file of people's answers."),
    "gold": (
        "measure.gold:gold",
        "Build the relatum sets (section 4.3), read people's answers, and count the targets of pairs of relations.",
    ),
    "metrics": (
        "compare.agent_tables:model_metrics",
        "Read what a model has answered, and compute its metrics (section 5).",
    ),
    "control_metrics": (
        "compare.agent_tables:control_metrics",
        "Answer as a control that knows nothing of the pair, and compute the same.",
    ),
    "norm_metrics": ("compare.agent_tables:norm_metrics", "Turn norms of people into responses, and compute the same."),
    "people_metrics": (
        "compare.agent_tables:agent_metrics",
        "Compute the same of agents whose responses are there, as people's.",
    ),
    "layer_metrics": ("measure.values:layer_metrics", "Compute the metrics of one agent after each layer."),
    "shots": ("compare.series:shots", "Compare the draws of examples."),
    "spaces": ("compare.series:spaces", "Compare what counts as an answer."),
    "ceiling": (
        "compare.ceiling:of_people",
        "Measure how far annotators agree, and the entropy of their answers (section 6.2).",
    ),
    "compare": (
        "compare.all_agents:compare",
        "Average and test the metrics of all agents, and their use of the relation (section 7.3).",
    ),
    "series": (
        "compare.series:of_members",
        "Average agents after each of their layers, test agents along series, such as checkpoints, and list their values.",
    ),
    "comparisons": (
        "compare.comparisons:comparisons",
        "Compare sizes and types of models, and prompts, and count what remains of the paper's claims (section 8).",
    ),
    "show": (
        "show.exhibits:show",
        "Write the tables, what was lost, and the page of all agents' first answers, and draw the figures.",
    ),
    "figures": ("show.figures:figures", "Draw the figures alone, as for print: the metrics, and what they depend on."),
    "trials": ("show.trials:trials", "List the trials: what every agent answered first to each main probe."),
}
"""Step -> its function, as MODULE:NAME, and what it does."""
