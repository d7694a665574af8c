"""The tables of the systematicity study that its page folds away: tests, choices and prompts, data, and what is left out."""

from relprobe.report.shown import SCOPE, Table

TESTS, CHOICES, DATA, LEFT_OUT = "Tests", "Choices and prompts", "Data", "Left out, and why"

FOLDED = (
    Table(
        "tests",
        "Significance tests between agents",
        "All pairs of agents but those of two controls, on the units that both have. p is that of a sign-flip test over "
        "clusters; the 95 % interval of the difference comes from resampled clusters. The clusters are the categories: "
        "their hyponyms share the right answer, and a classifier judges them alike. With nine categories p cannot be below "
        "0.004, and only a difference that nearly all large categories have can be told from chance; one between single "
        "hyponyms cannot be tested. p is adjusted by the methods of Holm and of Benjamini and Hochberg over the pairs of "
        "one family, metric and set: pairs of models, or pairs with a control. discordant counts units in which the agents "
        "differ. The columns paper … have McNemar's test (exact below 25 discordant hyponyms; effect: Cohen's g) and, for "
        "the classifier, Wilcoxon's on the share of the seeds that are right on a pair (effect: rank-biserial correlation). "
        "They take all units as independent. The paper itself compares without a test. " + SCOPE,
        part=TESTS,
    ),
    Table(
        "contrasts",
        "Singular and plural, seen and unseen, both words and one",
        "Differences within each agent: the singular minus the plural on the same hyponyms; hypernyms seen in training "
        "minus unseen ones, on the means of the categories; both words minus the hypernym alone on the same pairs. "
        "The test and the intervals are those of the table above; p is adjusted over the agents of one family.",
        part=TESTS,
    ),
    Table(
        "frequency",
        "Are recognised hyponyms more frequent?",
        "Mean frequency of the hyponyms answered rightly and wrongly, by wordfreq: per million words or, with "
        "systematicity.frequency: zipf, as zipf values. Hyponyms that wordfreq does not know have the frequency 0 (zero). "
        "p-values of the Shapiro-Wilk test of normality in both groups, and the paper's Kruskal-Wallis test between them "
        "with its effect, epsilon squared (section 3.4 of the paper). A hyponym is one observation. p is adjusted by "
        "Holm's method over the agents of one family, set and metric.",
        part=TESTS,
        columns={
            "recognised": "the number of hyponyms that are answered rightly",
            "unrecognised": "the number of the others",
            "zero": "the number of hyponyms that wordfreq does not know",
            "frequency_recognised": "the mean frequency of hyponyms that are answered rightly",
            "frequency_unrecognised": "the mean frequency of the others",
            "normal_p_recognised": "p of the Shapiro-Wilk test of normality, of hyponyms answered rightly",
            "normal_p_unrecognised": "p of the Shapiro-Wilk test of normality, of the others",
            "effect": "epsilon squared, the effect size of the Kruskal-Wallis test",
            "p": "p of the Kruskal-Wallis test",
        },
    ),
    Table(
        "patterns",
        "Recognised because the corpus says so?",
        "The share of hyponyms that are right in the singular among those that the corpus holds with their category in "
        "one of the patterns of systematicity.patterns (in), and among the others (out), with Wilson's interval (section "
        "3.4 of the paper).",
        part=TESTS,
        needs="corpus",
        columns={
            "pairs_in": "the number of hyponyms that the corpus holds in a pattern with their category",
            "recognised_in": "the share of these that are right in the singular",
            "pairs_out": "the number of the other hyponyms",
            "recognised_out": "the share of these that are right in the singular",
        },
    ),
    Table(
        "prompt_spread",
        "What a prompt changes",
        "The accuracy at the slot under the first prompt of each number, which makes the main results, and its mean, "
        "standard deviation and range over all prompts that were asked.",
        part=CHOICES,
        step="choices",
        columns={
            "prompts": "the number of prompts that were asked",
            "first": "the accuracy under the first prompt",
            "mean": "the mean accuracy over all prompts",
            "sd": "its standard deviation over prompts",
            "lowest": "the lowest accuracy",
            "highest": "the highest accuracy",
            "lowest_prompt": "the prompt with the lowest accuracy",
            "highest_prompt": "the prompt with the highest accuracy",
        },
    ),
    Table(
        "prompts",
        "Accuracy under each prompt",
        "The share of hyponyms whose category is right at the slot, with the 95 % interval over categories.",
        part=CHOICES,
        step="choices",
        columns={
            "prompt": "the prompt",
            "example": "the prompt with a hyponym",
            "accuracy": "the share of hyponyms whose category is right at the slot",
        },
    ),
    Table(
        "prompt_pairs",
        "Do answers under two prompts agree?",
        "b if a: the share of the hyponyms that are right under prompt a that are right under prompt b, too, with the 95 % "
        "interval over categories; both: the share of all hyponyms; phi: the correlation. Two prompts of one number say "
        "how consistent the model is where the number stays the same.",
        part=CHOICES,
        step="choices",
        columns={
            "a": "the first prompt",
            "b": "the second prompt",
            "right_a": "the number of hyponyms that are right under a",
            "both": "the share of hyponyms that are right under both",
            "b_if_a": "the share of those right under a that are right under b, too",
            "phi": "the correlation of right under a with right under b",
        },
    ),
    Table(
        "sensitivity",
        "What other choices would change",
        "The paper leaves some choices open. A row has the accuracy with the choice of this study, that with another one, "
        "and their difference. An agent has a row where the choice can change an answer: for example, only sentences that "
        "hold their hyponym twice, or have another article than the category needs, have two readings.",
        part=CHOICES,
        step="choices",
        columns={
            "diagnostic": "what is asked: open, singular, plural, and others",
            "value": "the accuracy with the choice of this study",
            "other_hyponyms": "the number of hyponyms that other_value is over",
        },
    ),
    Table(
        "averages",
        "Averages with their intervals",
        "The mean of each metric over its units (hyponyms, or the classifier's pairs), the 95 % interval over the clusters "
        "(the categories of both), and both numbers.",
        part=DATA,
    ),
    Table(
        "category_logprobs",
        "Categories in the singular and the plural, as numbers",
        "The mean log-probability (natural) of the right category at the slot, and its hyponyms.",
        part=DATA,
        step="answer_tables",
        columns={
            "kind": "the diagnostic: singular, plural or contextual",
            "logprob": "the mean log-probability (natural) of the right category at the slot",
        },
    ),
    Table(
        "diagnostics",
        "Diagnostics",
        "Items of each set, in all and per category (Table 1 of the paper).",
        part=DATA,
        columns={
            "category": "a category, or all of them",
            "singular": "the number of items in the singular",
            "plural": "the number of items in the plural",
            "contextual": "the number of items in context",
        },
    ),
    Table(
        "parts",
        "Pairs of the classifier",
        "Training, development and test pairs per fold, the share of true ones in the test, and the hyponyms that have "
        "pairs (Tables 5 and 6 of the paper). Built pairs leave out hyponyms, drawn at random, of a category with more of "
        "them than the others of its superordinate one have together: its hypernym could not be as often untrue as true.",
        part=DATA,
        columns={
            "fold": "the number of the fold",
            "train": "the number of training pairs",
            "dev": "the number of development pairs",
            "test": "the number of test pairs",
            "true_in_test": "the share of true pairs in the test",
            "hyponyms": "the number of hyponyms that have pairs",
        },
    ),
    Table(
        "overlap",
        "WordNet's hyponyms and the released ones",
        "Hyponyms that the builder finds, those of LM Diagnostic Extended, and those of both, in all and per category.",
        part=DATA,
        needs="released",
        columns={
            "category": "a category, or all of them",
            "built": "the number of hyponyms that the builder finds",
            "released": "the number of hyponyms of LM Diagnostic Extended",
            "both": "the number of hyponyms in both",
        },
    ),
    Table(
        "tokens",
        "Categories of several tokens",
        "They are scored by the sum over their tokens (of a masked model, over as many masks) and cannot be answered where "
        "the vocabulary is open.",
        part=LEFT_OUT,
        step="answer_tables",
        columns={"word": "the category", "tokens": "its number of tokens"},
    ),
    Table(
        "left_out",
        "Left out",
        "What this run does not have, and why.",
        part=LEFT_OUT,
        columns={"what": "what is left out", "reason": "why"},
    ),
)
