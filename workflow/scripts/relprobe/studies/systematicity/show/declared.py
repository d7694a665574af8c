"""What the systematicity study shows: its tables and figures, in the order of the page, and what their columns mean."""

from relprobe.report.shown import (
    CONTROLS,
    PARTICIPANTS,
    PEOPLES_TASK,
    PUBLISHED,
    TAKERS,
    Exhibit,
    Figure,
    Table,
    tables_of_choices,
)
from relprobe.report.words.layers import layer_figure, of_layers
from relprobe.studies.systematicity.show.folded import FOLDED

TITLE = "Is knowledge of hypernymy consistent?"
LEAD = (
    "A model that completes “A robin is a …” with “bird” should complete “robins are …” with “birds”, and a classifier that "
    "has learnt hypernymy from its embeddings should recognise it in words that it has not seen. Method: Ravichander et al. "
    "2020, On the Systematicity of Probing Contextualized Word Representations: The Case of Hypernymy in BERT. The sets: "
    "diagnostic and extended are the authors', wordnet is built from WordNet as the extended one was, and own is yours. The "
    "main results are those of the first prompt of each number, which is the paper's; the others say how far they depend on "
    "it."
)
SETS = {
    "diagnostic": ("LM Diagnostic", "released"),
    "extended": ("LM Diagnostic Extended", "released"),
    "wordnet": ("WordNet's hyponyms", "wordnet"),
    "own": ("own hyponyms", "own"),
}
"""Set of items -> its name in titles, and what a run must have to have it (MAY_LACK)."""
FRONT = ("accuracy_wordnet", "accuracy_own", "accuracy_extended", "accuracy_diagnostic")
PICTURED = {
    "singular accuracy (%)": "Right in the singular, %",
    "paired singular-plural accuracy (%)": "Right in both numbers, %",
}
MAY_LACK = {
    "released": "the authors' data (resources.systematicity)",
    "wordnet": "items from WordNet, as there are neither the authors' data nor your own",
    "own": "your own hyponyms (resources.own_hyponyms)",
    "corpus": "a corpus (resources.corpus)",
    "layers": "agents that are asked after each of their layers (layers)",
    "takers": TAKERS,
    "participants": PARTICIPANTS,
}
BY_LAYER = (
    "The accuracy of classifiers that are trained anew on the states after each layer, on pairs whose hyponyms are new, "
    "and whose hypernyms are new as well."
)
BY_LAYER_PARTIAL = f"{BY_LAYER} They read the hypernym alone and should be at chance: a control of the classifier."
COLUMNS = {
    "metric": "the diagnostic, or the accuracy of the classifier",
    "condition": "a set of items, or the setting of the classifier",
    "set": "the set of items: diagnostic, extended, wordnet or own",
    "setting": "seen or unseen: whether the hypernyms of the test occur in training",
    "open@*": "the share of hyponyms whose category is among the first k words of the whole vocabulary (@k)",
    "singular": "the share of hyponyms whose category is right in the singular, among the categories",
    "plural": "the share of hyponyms whose category is right in the plural, among the categories",
    "contextual": "the share of hyponyms whose category is right in context, among the categories",
    "singular_plural": "the share of hyponyms whose category is right in the singular and in the plural",
    "aggregate": "the share of hyponyms whose category is right in the singular, in the plural and in context",
    "*_sentence": "the same as the column without “sentence”, by the score of the full sentence",
    "verified_singular": "the share of hyponyms with yes to the right category and no to a false one, in the singular",
    "verified_plural": "the share of hyponyms with yes to the right category and no to a false one, in the plural",
    "hyponyms": "the number of hyponyms that the value is over",
    "answered": "the number of hyponyms that the agent has answered",
    "own_hyponyms": "yes: some average of the agent is over other hyponyms than those of the other agents",
    "hyponym": "a hyponym",
    "category": "the category of the hyponyms",
    "number": "singular or plural",
    "*_low": "lower bound of the 95 % interval of the column with this name",
    "*_high": "upper bound of the 95 % interval of the column with this name",
}
SHOWN: tuple[Exhibit, ...] = (
    *(
        Figure(
            f"accuracy_{name}",
            f"Accuracy: {title}",
            "The share of hyponyms with the right answer: where the vocabulary is open, among the categories in each "
            "diagnostic, and in several at once (Table 2 of the paper). The lines are 95 % intervals over categories, "
            "whose hyponyms share an answer (resampled categories, or Wilson's interval below 30 of them). The outline of "
            "a marker is the model's control (MODEL+control in the tables), whose prompt is the hyponym alone (“robin "
            "…”). All agents choose by the score at the slot.",
            needs=needs,
            table="averages",
        )
        for name, (title, needs) in SETS.items()
    ),
    Table(
        "overview",
        "Accuracy per agent",
        "Table 2 of the paper: open@k is the precision where the whole vocabulary is the list of candidates, the others "
        "choose among the categories. All agents of a column choose by one score. It is that of the category at the slot: "
        "a masked or encoder-decoder model reads the text on both sides of it, and a causal model the text before it. In "
        "the columns “sentence” it is that of the full sentence, which causal models alone have. Between equal scores, a "
        "draw decides. A dash means that the agent was not asked or cannot answer. hyponyms: those in the average of the "
        "singular; answered: those that the agent has answered; own hyponyms: some average of the agent is over other "
        "hyponyms than those of the other agents. An agent with people's task chooses a category where the others have "
        "scores, and its values are shares of its answers; the columns “verified” are of such agents alone.",
    ),
    CONTROLS,
    Table(
        "examples",
        "Examples of answers",
        "The first three answers to each diagnostic (Table 3 of the paper). The file answers.csv has all of them.",
        step="answer_tables",
        columns={
            "open": "the first three words where the vocabulary is open",
            "singular": "the first three categories in the singular",
            "plural": "the first three categories in the plural",
            "contextual": "the first three categories in context",
            "consistent": "whether the singular and the plural have the same first category",
        },
    ),
    Table(
        "errors",
        "Kinds of errors where the vocabulary is open",
        "The first answer where it is not the category (section 3.3 of the paper, decided by WordNet's hypernyms and a "
        "list of empty words): the hyponym itself, another hypernym, a generic one (at most four steps below WordNet's "
        "root, or “noun”, “type”), a fragment of the hyponym, or none of these; with the two most frequent such answers "
        "and their shares.",
        step="answer_tables",
        columns={
            "kind": "the first answer, which is not the category",
            "errors": "the number of wrong answers of this kind",
            "share": "the share of all wrong answers",
            "frequent": "the most frequent of these answers",
            "frequent_share": "its share",
            "second": "the next most frequent one",
            "second_share": "its share",
            "examples": "some hyponyms with these answers",
        },
    ),
    Table(
        "consistency",
        "Right in which number?",
        "The share of hyponyms whose category is recognised in both numbers, in one alone, or in neither (section 3.5 of "
        "the paper). phi is the correlation of right in the singular with right in the plural (its interval: categories "
        "are resampled): 0 where one number says nothing about the other. plural if singular is the share of right "
        "answers in the plural among the hyponyms that are right in the singular, with the 95 % interval over categories. "
        "Of an agent that answers several times, the shares are over its answers, and right singulars are hyponyms with "
        "most answers right.",
        columns={
            "both": "the share of hyponyms whose category is right in both numbers",
            "singular_only": "the share right in the singular alone",
            "plural_only": "the share right in the plural alone",
            "neither": "the share right in neither number",
            "phi": "the correlation of right in the singular with right in the plural",
            "right_singulars": "the number of hyponyms that are right in the singular",
            "plural_if_singular": "the share of these that are right in the plural, too",
        },
    ),
    *(
        Figure(
            f"category_logprobs_{name}",
            f"Categories in the singular and the plural: {title}",
            "How probable the right category is at the slot, averaged over its hyponyms (Figure 2 of the paper): the "
            "lighter, the more probable. An empty cell has no probe.",
            needs=needs,
            table="category_logprobs",
        )
        for name, (title, needs) in SETS.items()
    ),
    Figure(
        "detection",
        "Does hypernymy carry over to new words?",
        "A classifier on the embeddings of both words, or of the hypernym alone (the partial baseline, which should be at "
        "chance): accuracy on test pairs whose hyponyms are new, and whose hypernyms are new as well (Table 4 of the "
        "paper). Every fold has several classifiers, which differ in the seed of their training. An agent with examples "
        "(shots) has none, as the contexts are embedded without them: its classifiers are those of the agent without "
        "examples. The label below the panels says what the lines are.",
        table="detection",
    ),
    Table(
        "detection",
        "Hypernymy detection",
        "Mean accuracy over folds and seeds. sd: standard deviation over the folds (the paper's ±); sd seeds: over the "
        "seeds of the classifier. low and high: 95 % interval in the table of averages, over the categories of the "
        "hyponyms. errors: their number per seed; false positives: the share of them in which a pair is falsely taken for "
        "hypernymy (Table 4 and section 4 of the paper).",
        columns={
            "input": "what the classifier reads: both words, or the hypernym alone",
            "accuracy": "the mean accuracy over folds and seeds",
            "sd": "its standard deviation over folds",
            "folds": "the number of folds",
            "sd_seeds": "its standard deviation over seeds",
            "seeds": "the number of seeds of the classifier",
            "pairs": "the number of test pairs",
            "false_positives": "the share of errors in which a pair is falsely taken for hypernymy",
            "errors": "the mean number of errors per seed",
            "categories": "the number of categories of the hyponyms",
        },
    ),
    layer_figure("detection", "Accuracy of the classifier", BY_LAYER),
    layer_figure("detection_partial", "Accuracy of the classifier of the hypernym alone", BY_LAYER_PARTIAL),
    *of_layers(BY_LAYER, "the test pairs", "what the last layer's accuracy has beyond chance, 0.5"),
    *FOLDED,
    Table(
        "verification",
        "Is a robin a bird?",
        "What agents with people's task say to “Is a robin a bird?” and “Are robins birds?”, with the right category and "
        "with a foil: another category below the same superordinate one, the same for all agents. verified is the share of "
        "hyponyms with yes to the right category and no to the foil; who always says the same has 0, and who guesses 0.25. "
        "The intervals are over the categories of the hyponyms.",
        part=PEOPLES_TASK,
        needs="takers",
        columns={
            "hits": "the share of hyponyms with yes to the right category",
            "false_alarms": "the share of hyponyms with yes to the foil",
            "verified": "the share of hyponyms with yes to the right category and no to the foil",
            "note": "why the agent has no value, or an interval is missing",
        },
    ),
    *tables_of_choices(
        "complete: the agent chooses the category that completes the main sentence of a diagnostic, among all categories; "
        "verify: it says whether a hyponym is of a category.",
        place=", if all options are right as often",
        questions="the number of questions",
        probe="the task, the set, the kind, the hyponym, the category, and the number of the order",
        columns={"task": "complete: choose a category; verify: say yes or no"},
    ),
    Table(
        "answers",
        "All answers",
        "The first answers to each diagnostic, of every hyponym.",
        step="answer_tables",
        on_page=False,
    ),
    PUBLISHED,
)
