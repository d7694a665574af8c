"""The degrees study (SemEval-2012 Task 2), step by step: its table of contents."""

STEPS = {
    "gold": ("data:people", "Count the answers of people: gold ratings and MaxDiff questions (section 3.1)."),
    "ceiling": ("compare:ceiling", "Measure how well people agree: the noise ceiling of the agents."),
    "probes": ("ask:probes", "Put the pairs and paradigms into sentences and analogies."),
    "scores": ("scoring:ask", "Score the probes with a model, for all kinds of raters."),
    "ratings": ("measure:ratings", "Turn the scores of a model into the ratings of its raters."),
    "replies": ("ask:replies", "Ask a model that only chats the MaxDiff questions that people answered."),
    "writing": ("scoring:writing", "Let a model on this machine write its choices."),
    "reply_choices": ("ask:reply_choices", "Read the choices in the replies of a model that only chats."),
    "choice_metrics": ("sensitivity:choice_metrics", "Compare the choices of such a model with people's."),
    "baseline": ("measure:baseline", "Rate the pairs without a language model."),
    "layer_scores": ("scoring:layer_scores", "Take the hidden states of the pairs after each layer of a model."),
    "layer_metrics": ("measure:layer_metrics", "Compare the ratings after each layer with people's."),
    "metrics": (
        "sensitivity:agent_metrics",
        "Compare ratings with people's, here and under other choices than this study's.",
    ),
    "averages": ("compare:averages", "Average the metrics of all agents, and count where rho is significant."),
    "tests": ("compare:comparisons", "Test the differences between raters, models and baselines."),
    "layers": ("compare:layers", "Average and test the agreement after each layer, and find its half-depth."),
    "tables": ("tables:tables", "Write Tables 3 to 6, the choice of a rater, and the size of the data."),
    "figures": ("figures:figures", "Draw agreement per rater and per relation class."),
    "published": ("compare:published_figures", "Put the figures that the paper prints beside ours."),
    "template": (
        "data:template",
        "Write a template of own ratings, and of the relations that they are about.",
    ),
    "evaluate": ("evaluate:evaluate", "Score files of ratings or of MaxDiff answers without a model."),
    "trials": ("trials:trials", "List the trials: which pair every agent chose in each question."),
}
"""Step -> its function, as MODULE:NAME, and what it does."""
