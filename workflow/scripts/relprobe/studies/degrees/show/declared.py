"""What the degrees study shows: its tables and figures, in the order of the page, and what their columns mean."""

from relprobe.report.shown import (
    CONTROLS,
    LEDGER,
    PARTICIPANTS,
    PEOPLES_TASK,
    PUBLISHED,
    REPLY_SOURCES,
    SCOPE,
    TAKERS,
    Exhibit,
    Figure,
    Table,
    sent_to_takers,
)
from relprobe.report.words.layers import layer_figure, of_layers

TITLE = "How prototypical is a pair of words for its relation?"
LEAD = (
    "SemEval-2012 Task 2 (Jurgens et al., Measuring Degrees of Relational Similarity): for 79 relations, people chose "
    "the most and the least illustrative of four word pairs; each agent rates the same pairs. A study of own ratings "
    "has the relations and pairs of its file in their place. An agent is a baseline "
    "or a model with a rater, a way to make ratings of its scores. schema: the log-probability of the relation's "
    "description with the pair in it (schema-mean: its mean per token); analogy: the log-probability of the pair as "
    "the end of an analogy with the paradigms (analogy-mean likewise); pmi: pointwise mutual information of the two "
    "words under the description; hidden: the similarity of the offset between their hidden states to those of the "
    "paradigms. An agent with examples (shots) has no raters analogy and hidden, as no example stands before an analogy or "
    "a sentence whose states are read: there it is the agent without examples. Baselines: random, pmi (co-occurrence in a "
    "corpus, ratings of the task's authors) and, where the run has vectors, static (offsets of static vectors) and typical "
    "(nearness of the words to those of the paradigms)."
)
TESTS, CHOICES, DATA = "Tests", "Choices and raters", "Data"
FRONT = ("rho",)
PICTURED = {"Spearman's rho": "Agreement with people: Spearman's ρ"}
MAY_LACK = {
    "questions": "the task's own data, whose people answered MaxDiff questions",
    "static": "static vectors (resources.static_vectors)",
    "layers": "agents that are asked after each of their layers (layers)",
    "takers": TAKERS,
    "participants": PARTICIPANTS,
}
NOTICES = {
    "questions": "The ratings are your own: what captions say of the task, of its tables and of its authors is about the "
    "published data and not about these."
}
BY_LAYER = (
    "How well the rater hidden, which compares the offsets of hidden states, agrees with people if it reads the states "
    "after each layer, over the test subcategories and over those of each class."
)
COLUMNS = {
    "from": "whose number it is: this run's, people's, or one that the paper prints",
    "condition": "the relation class of a test subcategory; of a test, what the two agents share",
    "subcategory": "number and letter of a relation, such as 1a",
    "subcategories": "the number of subcategories that the value is over",
    "own_subcategories": "yes: the agent lacks too many subcategories to be averaged over those of the others",
    "rho": "Spearman's correlation with people's ratings, averaged over subcategories",
    "rho_without_reversals": "rho without the pairs whose words the authors exchanged",
    "significant_05*": "the number of subcategories where rho has p < 0.05 (two-sided)",
    "significant_01*": "the number of subcategories where rho has p < 0.01 (two-sided)",
    "negative_05*": "the number of subcategories where rho has p < 0.05 and is negative",
    "maxdiff": "the percentage of MaxDiff questions that the agent answers as most people do: the mean of least and most",
    "maxdiff_without_reversals": "maxdiff without the questions about reversed pairs",
    "*_low": "lower bound of the 95 % interval of the column with this name",
    "*_high": "upper bound of the 95 % interval of the column with this name",
    "least": "the percentage of questions in which the agent picks the least illustrative pair as the majority does",
    "most": "the percentage of questions in which the agent picks the most illustrative pair as the majority does",
    "rated": "the share of pairs that the agent can rate",
    "pairs": "the number of pairs",
}

SHOWN: tuple[Exhibit, ...] = (
    Figure(
        "rho",
        "Agreement with the gold ratings",
        "Spearman's correlation of an agent's ratings with people's, averaged over the test subcategories, with 95 % "
        "intervals by resampling these (Table 3 of the paper). A panel per rater; the baselines, in grey, are the same in "
        "each. The diamond is the average without the pairs whose words the authors exchanged: an agent that only knows "
        "which pairs are the wrong way round falls there. The dashed line is the noise ceiling: the correlation that "
        "ratings without any noise can expect with ratings by five people. °: the agent lacks too many subcategories, and "
        "its value is over its own.",
        table="overview",
    ),
    Figure(
        "maxdiff",
        "MaxDiff accuracy",
        "The percentage of questions in which the agent picks as most and as least illustrative what the majority picks "
        "(Table 3 of the paper), with 95 % intervals by resampling subcategories. Guessing gets some 31 %, since several "
        "picks count where the majority ties. The diamond is without questions about reversed pairs. The dashed line is "
        "one person, who is compared with the majority of the others.",
        table="overview",
        needs="questions",
    ),
    Figure(
        "classes",
        "Agreement per relation class",
        "Spearman's correlation averaged over the test subcategories of a class (Table 4 of the paper); in brackets the "
        "number of subcategories. Fewer than ten of them say little: table classes has the noise ceiling and the averages "
        "without reversed pairs.",
        table="classes",
    ),
    layer_figure("rho", "Agreement with the gold ratings", BY_LAYER),
    layer_figure("maxdiff", "MaxDiff accuracy", BY_LAYER, "questions"),
    Table(
        "overview",
        "Agreement with people",
        "The test subcategories (Table 3 of the paper): average Spearman's rho, the number of subcategories where it is "
        "significant (two-sided, at 0.05 and 0.01; of the former, those where it is negative), and MaxDiff accuracy in "
        "percent; all of them also without the reversed pairs. Intervals are by resampling subcategories. The counts are "
        "the paper's: no p in them is adjusted, and a pair and its reversal count as independent, which only those "
        "without reversals are. A subcategory in which an agent rates all pairs alike has a rho of 0. rated is the share "
        "of pairs that the agent can rate; own_subcategories: the agent lacks too many subcategories, and its averages "
        "are over others than those of the other agents. The last rows are people: the noise ceiling, the agreement of "
        "two halves of the people, and one person; then the paper's systems and baselines.",
        without={
            "static": " The baselines static and typical are left out, as the configuration has no resources.static_vectors."
        },
    ),
    CONTROLS,
    *of_layers(BY_LAYER, "the test subcategories", "the last layer's rho"),
    Table(
        "choice",
        "Choosing a rater on the training data",
        "The agent with the best average on the training subcategories, per model and over all. Cross-validated: the "
        "average where each training subcategory is rated by the agent that is best on the others; gain: by how much "
        "this exceeds the mean of all agents, with its 95 % interval by resampling training subcategories. The test "
        "subcategories decide nothing.",
        part=CHOICES,
        columns={
            "among": "the model whose raters the best one is chosen from, or all models",
            "chosen": "the best agent on the training subcategories",
            "training": "the average of the chosen agent on the training subcategories",
            "cross_validated": "the average if each training subcategory is rated by the agent that is best on the others",
            "mean_training": "the mean of all agents on the training subcategories",
            "gain": "cross_validated minus mean_training",
            "test": "the average of the chosen agent on the test subcategories",
            "mean_test": "the mean of all agents on the test subcategories",
        },
    ),
    Table(
        "sensitivity",
        "What the open choices change",
        "Every agent's average over the test subcategories as this study computes it (value), and with another choice "
        "(other_value): where all ratings are equal, where pairs are reversed, where people's choices or an agent's "
        "ratings tie, if ratings are rounded before they are ranked, and if a paradigm of 2b keeps the package's "
        "typing error. The last choice is the config's key degrees.paradigms; a model scores its sentences again for "
        "it, so that this table has the last choice for static vectors only. The numbers of subcategories differ where "
        "a choice leaves some out.",
        part=CHOICES,
        columns={
            "value": "the average over the test subcategories as this study computes it",
            "other_subcategories": "the number of subcategories that other_value is over",
        },
    ),
    Table(
        "classes",
        "Spearman's rho per relation class",
        "Averages over the test subcategories of each class (Table 4 of the paper), with and without the reversed pairs, "
        "and the noise ceiling.",
        columns={
            "pairs": "all pairs, or those without the pairs whose words the authors exchanged",
            "*": "a relation class: the average rho over its test subcategories",
        },
    ),
    Table(
        "reversals",
        "Reversed pairs",
        "Average rho without and with the pairs whose words the authors exchanged (Table 5 of the paper). The difference "
        "has its 95 % interval and the p of a sign-flip test over subcategories (clusters), adjusted by Holm's method "
        "over the models' agents, or over the baselines. The root mean squared error in the difference of ranks between a "
        "pair and its reversal (Table 6 of the paper), ranks being within the subcategory. The scale of the paper's Table "
        "6 could not be reproduced: its errors, of 210 to 257, are beyond what ranks among at most 45 pairs can reach, "
        "and the paper does not say what they count.",
        part=TESTS,
        columns={
            "difference": "rho minus rho_without_reversals",
            "reversal_rmse": "the root mean squared error in the difference of ranks between a pair and its reversal",
        },
    ),
    Table(
        "difficulty",
        "Which subcategories are hard, and what a reversal costs",
        "drop: by how many ranks a reversed pair lies below the pair that it reverses, by people's ratings; a mean over "
        "the reversed pairs (section 6 of the paper). The paper names the largest drops (Sequence, Functional) and the "
        "smallest (Attribute Similarity, Contrary) without figures; in its package Sequence has the largest and the "
        "latter two are among the smallest, but Functional is in the middle. range and deviation: the spread of the gold "
        "ratings. mean_rho: the mean over all agents but random.",
        part=TESTS,
        columns={
            "name": "the name of the subcategory",
            "reversed": "the number of pairs that reverse another one",
            "drop": "by how many ranks reversed pairs lie below the pairs that they reverse, by people's ratings; mean",
            "range": "the largest minus the smallest gold rating",
            "deviation": "the standard deviation of the gold ratings",
            "mean_rho": "the mean rho of all agents but random",
        },
    ),
    Table(
        "spread",
        "Does the spread of the gold ratings decide?",
        "Spearman's correlation of an agent's rho with the range and with the standard deviation of the gold ratings, "
        "over the test subcategories. The paper says that difficulty is correlated with neither (section 6 of the paper).",
        part=TESTS,
        columns={
            "spread": "how the spread of the gold ratings is measured",
            "spearman": "Spearman's correlation of the agent's rho with the spread, over subcategories",
        },
    ),
    Table(
        "ceiling",
        "How well people agree",
        "Each question has about five answers. split_half: Spearman's rho between the ratings of two random halves of "
        "them; reliability: that of all answers together, by Spearman and Brown; ceiling: its square root, the rho "
        "with the gold ratings that ratings without noise can expect. annotator_maxdiff: how often one person picks "
        "what the majority of the others picks, in per cent; as for the agents, each pick of a tied majority counts. "
        "reversals: whether the reversed pairs take part.",
        part=DATA,
        columns={
            "reversals": "yes: the reversed pairs, and the questions about them, take part",
            "people": "the mean number of answers to a question",
            "split_half": "the mean of Spearman's rho between the ratings of random halves of the answers",
            "reliability": "the reliability of all answers together, by Spearman and Brown",
            "ceiling": "the square root of reliability: the rho that ratings without noise can expect",
            "annotator_maxdiff": "per cent of one person's choices that are those of the majority of the others",
        },
    ),
    Table(
        "tests",
        "Significance tests",
        "The difference of every pair of agents, but those of two controls, over the test subcategories that both have, "
        "with its 95 % interval, and the two-sided p of a sign-flip test over subcategories. The condition is the model "
        "whose raters, and the baselines, are compared, or the rater whose models are. Holm's adjustment, and that of "
        "Benjamini and Hochberg (p_bh), are within a family: pairs of models' agents, or pairs with a control. The paper "
        "tests no such difference; the columns paper_… have Wilcoxon's signed-rank test, which takes the differences "
        "as symmetric (paper_effect: rank-biserial, positive for agent a). " + SCOPE,
        part=TESTS,
    ),
    Table(
        "data",
        "Data",
        "The size of the task (section 3 of the paper), and in how many test subcategories at least one agent but random "
        "correlates significantly with people (section 5 of the paper). The paper takes the least p of all agents, which "
        "falls with their number; the next row is the count with Holm's adjustment over the agents. Both are also without "
        "the reversed pairs.",
        part=DATA,
        columns={
            "value": "the number",
        },
    ),
    Table(
        "maxdiff_answers",
        "What agents with people's task have chosen",
        "Such an agent answers the MaxDiff questions of the task, as people did, and rates no pairs: it has MaxDiff "
        "accuracy, and no rho. unreadable: the share of answers that do not name two of the four pairs as most and least "
        "illustrative; each missing choice is a wrong one. note: why an agent has no value, which is so if more than a "
        "fifth are unreadable.",
        part=PEOPLES_TASK,
        needs="takers",
        columns={
            "questions": "the number of questions",
            "answers": "the number of answers, with all orders and samples",
            "unreadable": "the share of answers that do not name both pairs",
        },
    ),
    Table(
        "orders",
        "What the place of a pair earns",
        "How often an agent with people's task chooses the pair at each place, over all orders in which it saw the "
        "questions (orders). Without a preference for a place each share is near 0.25; with one order alone, that of the "
        "task, the pairs themselves may differ.",
        part=PEOPLES_TASK,
        needs="takers",
        columns={
            "place": "the place of a pair in the question, from 1",
            "orders": "the number of orders of a question",
            "answers": "the number of answers",
            "least": "the share of answers that choose the pair at this place as least illustrative",
            "most": "the share that choose it as most illustrative",
        },
    ),
    sent_to_takers("the subcategory, the number of the question, and that of the order"),
    LEDGER,
    REPLY_SOURCES,
    Table(
        "subcategories",
        "Every agent on every subcategory",
        "rho, its p and MaxDiff accuracy of each agent on each subcategory, with and without the reversed pairs.",
        on_page=False,
    ),
    Table(
        "differences",
        "All pairs against those without reversals",
        "The difference between all pairs and those without reversals within each agent, over the test subcategories.",
        on_page=False,
    ),
    PUBLISHED,
)
