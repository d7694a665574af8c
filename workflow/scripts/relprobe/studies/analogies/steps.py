"""The analogies study (Rezaee and Camacho-Collados), step by step: its table of contents."""

STEPS = {
    "instances": (
        "data.build:build",
        "Split the tuples into training and test, and pair every positive with a negative per probe (sections 2.2, 2.3).",
    ),
    "sensitivity": (
        "compare.sensitivity:sensitivity",
        "Judge all tuples by static vectors, with the negatives of the study and with each other choice about them.",
    ),
    "probes": ("ask.probes:probes", "Put the instances into the sentence of the study."),
    "scores": ("ask.scoring:ask", "Score the sentences with a model, and embed their four words (section 2.4)."),
    "layer_embeddings": ("ask.layers:layer_embeddings", "Embed these words after each layer of a model."),
    "encoder": ("ask.encoder:encoder", "Embed every pair of words with an encoder, as RelBERT does."),
    "static": ("ask.static:static", "Embed every pair of words by the difference of its static vectors."),
    "supervised": (
        "measure.supervised:by_classifier",
        "Train an agent's classifiers on the training tuples, and let them judge the test tuples.",
    ),
    "layer_metrics": ("measure.layers:layer_metrics", "Train and measure classifiers on each layer's embeddings."),
    "unsupervised": ("measure.unsupervised:by_perplexity", "Let a model choose a tuple by perplexity (Eq. 1)."),
    "replies": ("ask.replies:replies", "Ask a model that only chats which of two pairs continues an analogy."),
    "writing": ("ask.writing:writing", "Let a model on this machine write its choices."),
    "reply_choices": ("ask.replies:reply_choices", "Read the choices in the replies of a model that only chats."),
    "reply_decisions": ("measure.choices:reply_decisions", "Turn such choices into decisions between two tuples."),
    "cosines": ("measure.unsupervised:by_cosine", "Let a baseline choose between two tuples, by cosine (section 3.1)."),
    "metrics": ("measure.metrics:agent_metrics", "Compute an agent's accuracies in both settings, per tuple."),
    "averages": ("compare.analyses:averages", "Average the accuracies of all agents, with intervals."),
    "tests": ("compare.analyses:comparisons", "Test the differences between agents."),
    "contrasts": (
        "compare.analyses:contrasts",
        "Test within every agent which probe is harder, and what the right query adds to a swapped one.",
    ),
    "frequency": ("compare.frequency:frequency", "Test whether the agents err on rare words (section 4)."),
    "layers": ("compare.layers:layers", "Average and test the classifiers after each layer, and find the half-depths."),
    "tables": ("show.tables:tables", "Write Tables 1 and 2, the tests, the frequencies, and the sizes of the sets."),
    "figures": ("show.figures:figures", "Draw the accuracies per group and per relation."),
    "answers": ("show.answers_page:answers", "Write the page of all agents' choices in the unsupervised setting."),
    "published": ("compare.published:published_figures", "Put the figures that the paper prints beside ours."),
    "template": ("data.template:template", "Write a template of own analogies, a CSV file with two relations."),
    "trials": ("show.trials:trials", "List the trials: every choice between two pairs."),
}
"""Step -> its function, as MODULE:NAME, and what it does."""
