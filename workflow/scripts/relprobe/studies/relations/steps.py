"""The relations study (Cao et al.), step by step: its table of contents."""

STEPS = {
    "tuples": (
        "data.tuple_sources:tuples",
        "Unite the tuples of the sources, and add the reverse of each (section 4.1).",
    ),
    "probes": ("ask.probes:asked", "Put the targets of the tuples into the prompts (sections 4.2 and 5.2)."),
    "relata": ("data.relata:relata", "Build the relatum sets in the shared lexicon (section 4.3)."),
    "examples": ("ask.shots:examples", "List the solved instances that may stand before every probe."),
    "scores": ("ask.scoring:scores", "Score the probes with a model: its best tokens at every slot."),
    "draws": ("ask.scoring:draws", "Score a sample of the probes with other draws of their examples."),
    "writing": ("ask.writing:writing", "Let a model write up to five words to every main probe (section 6.1)."),
    "word_list": ("data.word_list:word_list", "List the words that may be answers of any length."),
    "words": ("ask.scoring:words", "Score the probes with a model: its likeliest words of any length."),
    "candidates": ("data.candidates:candidates", "Make the closed lists of candidates."),
    "candidate_scores": ("ask.scoring:candidate_scores", "Score the closed lists with a model."),
    "questionnaire": ("ask.questionnaire:form", "Write the empty form of a CSV file of people's answers."),
    "people": ("measure.responses.people:people", "Turn the annotators' answers into lists and responses (section 5)."),
    "norms": ("measure.responses.norms:norms", "Turn norms of people into the responses of an agent."),
    "control": ("measure.responses.controls:control", "Answer the probes as a control that knows no relation."),
    "responses": ("measure.responses.agents:responses", "Bring what a model has answered into the form of all agents."),
    "relation_pairs": ("measure.relation_pairs:pairs", "Count the targets of each pair of relations."),
    "metrics": (
        "compare.agent_tables:measured",
        "Compute the metrics of one agent, and what other choices would give.",
    ),
    "shots": ("compare.draws:shots", "Compare the draws of examples."),
    "spaces": ("compare.answer_spaces:spaces", "Compare what counts as an answer."),
    "ceiling": ("compare.lists.human_ceiling:ceiling", "Measure how far annotators agree: the noise ceiling."),
    "averages": ("compare.analyses:averages", "Average the metrics of all agents per relation (section 5.3)."),
    "tests": ("compare.analyses:between_agents", "Test the differences between all pairs of agents (section 7.3)."),
    "contrasts": (
        "compare.analyses:between_relations",
        "Test the differences between all pairs of relations within each agent.",
    ),
    "trends": (
        "compare.trends:trends",
        "Test the trend of each series, and its members against the last, and find where half of the last is reached.",
    ),
    "series": ("compare.series:series", "List the values along all series, such as checkpoints and sizes."),
    "relation_use": (
        "compare.relation_use:relation_use",
        "Test whether each agent uses the relation that it is asked for.",
    ),
    "entropy": ("compare.lists.entropy:entropy", "Analyse the entropy of all human answers (section 6.2)."),
    "comparisons": (
        "compare.comparisons:comparisons",
        "Compare sizes and types of models, and prompts (section 8).",
    ),
    "claims": ("compare.claims:claims", "Count which significant differences remain, figure by figure of the paper."),
    "attrition": ("show.attrition:attrition", "Name and count what was lost, and count what is left."),
    "tables": (
        "show.tables:tables",
        "Write the size of the study, and the averages, tests and best words of all agents.",
    ),
    "answers": ("show.answers_page:answers", "Write the page of all agents' first answers to each probe."),
    "figures": ("show.figures:figures", "Draw the metrics, the distances between relations, and what they depend on."),
    "published": ("compare.published:published", "Put the figures that the paper prints beside ours."),
}
"""Step -> its function, as MODULE:NAME, and what it does."""
