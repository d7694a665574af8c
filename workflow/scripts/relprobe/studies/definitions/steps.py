"""The definitions study (WDLMPro), step by step: its table of contents."""

STEPS = {
    "probes": (
        "ask:probe_tables",
        "Build the groups of sister synsets, and the probes of their tasks (section 2.1).",
    ),
    "properties": (
        "data:property_tables",
        "Look up how frequent words are, and which definitions tell theirs.",
    ),
    "scores": ("scoring:scores", "Score the words of every probe with a model (section 2.2.1)."),
    "responses": ("measure:responses", "Rank the candidates by the scores of one model (section 2.3)."),
    "baseline": ("measure:baseline", "Rank the candidates without a language model (section 2.3)."),
    "participants": ("measure:people", "Read people's answers as those of one more agent."),
    "replies": ("ask:replies", "Ask a model that only chats to choose, as people were asked."),
    "writing": ("scoring:writing", "Let a model on this machine write its choices."),
    "reply_choices": ("ask:reply_choices", "Read the choices in the replies of a model that only chats."),
    "reply_responses": ("measure:reply_responses", "Turn such choices into the answers of one more agent."),
    "metrics": (
        "compare:agent_metrics",
        "Compute precision at 1 and the rank score, here and under other choices (section 2.4).",
    ),
    "sizes": (
        "compare:sizes",
        "Count the groups and their candidates, and how often a guess is right (Table 2).",
    ),
    "averages": ("compare:averages", "Average the metrics of every agent, with intervals over families."),
    "people": ("compare:beside_people", "Average all agents over the groups that people answered (Table 8)."),
    "tests": ("compare:comparisons", "Test the differences between agents, and between the tasks."),
    "tables": ("tables:tables", "Write Tables 4 to 8 and 10, tests, confusions, effects of choices, and sizes."),
    "figures": ("figures:figures", "Draw the averages per task, frequency and depth."),
    "published": ("compare:published_figures", "Put the figures that the paper prints beside ours."),
    "template": ("data:template", "Write an example of an own dictionary, and of a file of counts."),
    "questionnaire": ("ask:questionnaire", "Write the empty form of people's answers."),
    "answers": ("tables:answers", "Write the page of all agents' answers to each task."),
    "trials": ("trials:trials", "List the trials: which candidate every agent ranked first."),
}
"""Step -> its function, as MODULE:NAME, and what it does."""
