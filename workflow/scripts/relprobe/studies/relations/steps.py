"""The relations study (Cao et al.), step by step: its table of contents."""

STEPS = {
    "probes": (
        "probes:probe_tables",
        "Unite the tuples of all sources with their reverses, and put their targets into the prompts (sections 4 and 5.2).",
    ),
    "word_list": ("tuples:word_list", "List the words that may be answers of any length."),
    "candidates": ("tuples:candidates", "Make the closed lists of candidates."),
    "resource_relata": ("tuples:resource_relata", "List what a lexical resource knows of all words, for the controls."),
    "gold": (
        "gold:gold",
        "Build the relatum sets (section 4.3), read people's answers, and count the targets of pairs of relations.",
    ),
    "questionnaire": ("replies:form", "Write the empty form of a CSV file of people's answers."),
    "examples": ("shots:examples", "List the solved instances that may stand before every probe."),
    "scores": ("scoring:scores", "Score the probes with a model: its best tokens at every slot."),
    "draws": ("scoring:draws", "Score a sample of the probes with other draws of their examples."),
    "layer_scores": ("scoring:layer_scores", "Score the probes with a model after each of its layers."),
    "writing": ("scoring:writing", "Let a model write up to five words to every main probe (section 6.1)."),
    "replies": ("replies:replies", "Ask a model that only chats for up to five words to every main probe."),
    "reply_lists": ("replies:reply_lists", "Read the lists in the replies of a model that only chats."),
    "words": ("scoring:words", "Score the probes with a model: its likeliest words of any length."),
    "candidate_scores": ("scoring:candidate_scores", "Score the closed lists with a model."),
    "metrics": ("agents:model_metrics", "Read what a model has answered, and compute its metrics (section 5)."),
    "control_metrics": (
        "agents:control_metrics",
        "Answer as a control that knows nothing of the pair, and compute the same.",
    ),
    "norm_metrics": ("agents:norm_metrics", "Turn norms of people into responses, and compute the same."),
    "people_metrics": (
        "agents:agent_metrics",
        "Compute the same of agents whose responses are there, as people's.",
    ),
    "layer_metrics": ("values:layer_metrics", "Compute the metrics of one agent after each layer."),
    "compare": ("compare:compare", "Average and test the metrics of all agents."),
    "show": (
        "show:show",
        "Write the tables, what was lost, and the page of all agents' first answers, and draw the figures.",
    ),
    "figures": ("figures:figures", "Draw the figures alone, as for print."),
    "trials": ("trials:trials", "List the trials: what every agent answered first to each main probe."),
}
"""Step -> its function, as MODULE:NAME, and what it does. Some of the further analyses have steps, too."""
