"""What the analogies study shows: its tables and figures, in the order of the page, and what their columns mean."""

from relprobe.report.shown import (
    AVERAGES,
    CONTROLS,
    PARTICIPANTS,
    PUBLISHED,
    SCOPE,
    TAKERS,
    Exhibit,
    Figure,
    Table,
    tables_of_choices,
)
from relprobe.report.words.layers import layer_figure, of_layers

TITLE = "Do language models tell analogies from look-alikes?"
LEAD = (
    "Each agent tells pairs of words of a relation, such as countries and their capitals, from pairs that miss it: one word "
    "comes from another pair (random), another pair is turned round (reverse), or both words are heads or both are "
    "tails (type). In "
    "the supervised setting a classifier judges the words' embeddings in “What paris is to france, rome is to "
    "italy.”; in the unsupervised setting the sentence with the lower perplexity wins, or an agent says in words which "
    "of two pairs continues the analogy. All values are accuracies from 0 to 1; guessing, or a tie, gives 1/2. Method: "
    "Rezaee and Camacho-Collados, Probing Relational Knowledge in Language Models via Word Analogies."
)
FRONT = ("groups_unsupervised", "groups_supervised")
PICTURED = {
    f"{setting} {probe} (%)": f"{probe}, {setting}, %"
    for setting in ("supervised", "unsupervised")
    for probe in ("random", "reverse", "type")
}
MAY_LACK = {
    "static": "static vectors (resources.static_vectors)",
    "benchmark": "BATS (resources.bats), or your own analogies (resources.own_analogies)",
    "layers": "agents that are asked after each of their layers (layers)",
    "takers": TAKERS,
    "participants": PARTICIPANTS,
}
NOTICES = {
    "benchmark": "This is a demonstration and no benchmark: as BATS is not there, the pairs are those of ten small "
    "relations, written by hand for this project. The numbers cannot be compared with those of the paper."
}
BY_LAYER = (
    "The accuracy of classifiers that are trained anew on the words' embeddings after each layer, over the tuples of all "
    "relations and of each group."
)
COLUMNS = {
    "metric": "the setting and the probe that are compared",
    "condition": "a group of relations, or a relation",
    "group": "a group of relations, such as LS (lexical semantics), or all of them",
    "relation": "the code of a relation",
    "name": "the name of the relation",
    "marks": "∗ one/many-to-many relations, † bidirectional ones",
    "probe": "random, reverse or type: how a negative misses the relation",
    "supervised *, swapped query": "accuracy of the classifier in this probe, on a sample with a query of another relation",
    "unsupervised *, swapped query": "accuracy of choices in this probe, on a sample with a query of another relation",
    "supervised *": "accuracy of the classifier in this probe",
    "unsupervised *": "accuracy of choices between two pairs in this probe: by perplexity, by cosine, or in words",
    "tuples": "the number of tuples that accuracies are over",
    "relations": "the number of relations that accuracies are over",
    "families": "the number of sets of tuples that are linked by shared words",
    "own_tuples": "yes: the agent lacks too many tuples to be averaged over those of the others",
    "tails_seen": "the share of the test tuples whose tail is a word of a training tuple",
}
TESTS, CHOICES, DATA, LEFT_OUT = "Tests", "Choices", "Data", "Left out, and why"
SETTINGS = ("supervised", "unsupervised")

SHOWN: tuple[Exhibit, ...] = (
    *(
        Figure(
            f"groups_{setting}",
            f"Accuracy by group, {setting}",
            "The mean over the tuples of a group's relations, with its 95 % interval by resampling relations (Table 1 of "
            "the paper). random is the mean of random-head and random-tail. °: the agent lacks too many tuples, and its "
            "values are over its own. missing: the agent has no value here; the next table says why.",
        )
        for setting in SETTINGS
    ),
    Table(
        "overview",
        "Accuracy by group",
        "Table 1 of the paper, and below it the means without the one/many-to-many and the bidirectional relations "
        "(section 4 of the paper). Baselines: static is the difference of two words' static vectors, and encoders such as "
        "RelBERT embed a pair; both choose by cosine and feed the same classifier. Without static vectors in the config "
        "there is no agent static. tuples and relations: what the accuracies are over; own_tuples: the agent lacks too "
        "many tuples, and its averages are over others than those of the other agents. swapped query: the accuracy with a "
        "query of another relation, on a sample; the next table compares it on the same instances. An agent with examples "
        "(shots) has no supervised accuracy, as the embeddings are those of the bare sentences, and so those of the agent "
        "without examples. An agent that answers in words has none either, as it gives no embeddings; its unsupervised "
        "accuracy is the share of its right answers over all orders of the two pairs.",
    ),
    CONTROLS,
    Table(
        "swapped",
        "Is the query read?",
        "A control: in a sample of the test instances a tuple of another relation takes the place of the query, so that "
        "what an agent still gets right comes from the two tuples that it judges. right_query and swapped_query: the "
        "accuracies on the same instances; difference: what the right query adds, with its 95 % interval, and p by a "
        "sign-flip test over relations (in a relation: over families of tuples). A classifier has learnt one relation, so "
        "it may judge well without its query. p_holm is adjusted over the models, or the baselines, in one probe and "
        "condition; detectable is the smallest difference that it finds in 80 of 100 such studies.",
        columns={
            "condition": "a group of relations, or a relation",
            "setting": "supervised (a classifier) or unsupervised (a choice between two pairs)",
            "right_query": "the accuracy on the sampled instances",
            "swapped_query": "the accuracy on the same instances with a query of another relation",
            "difference": "right_query minus swapped_query",
            "clusters": "the number of relations or, in a relation, of families of tuples",
            "p_holm": "p, adjusted by Holm's method over the models, or the baselines, in one probe and condition",
        },
    ),
    *(
        layer_figure(probe, f"Accuracy of the classifier, {probe},", BY_LAYER)
        for probe in ("random", "reverse", "type")
    ),
    *of_layers(BY_LAYER, "the tuples", "what the last layer's accuracy has beyond chance, 0.5"),
    *(
        Figure(
            f"relations_{setting}",
            f"Accuracy by relation, {setting}",
            "Every relation of the data. In the random probe of a relation marked ∗, and in the reverse probe of one "
            "marked †, a negative may be right although the data do not list it (Table 2 of the paper); none is one that "
            "they list.",
        )
        for setting in SETTINGS
    ),
    Table(
        "relations",
        "Accuracy by relation",
        "Table 2 of the paper for every agent and both settings, with its marks: ∗ one/many-to-many relations, † "
        "bidirectional ones. tails_seen: the share of the test tuples whose tail is a word of a training tuple, so that a "
        "classifier may know the tail rather than the relation; split.lexical in the config keeps such tuples together.",
    ),
    Table(
        "samples",
        "Sample pairs",
        "What the probes ask, for one query, as in Figure 1 of the paper: two positives of each probe with their "
        "negatives.",
        part=DATA,
        columns={
            "query": "the tuple that the others are compared with",
            "positive": "a tuple of the same relation",
            "negative": "a pair that misses the relation",
        },
    ),
    Table(
        "sensitivity",
        "What the choices about negatives change",
        "The accuracy of static vectors with this study's negatives (value), and with another choice (other_value): the "
        "tuple in which a word is replaced (random), whether another tuple or the positive is reversed (reverse), whether "
        "two other tuples give the words (type, as the paper prints it), and whether negatives that the data list as "
        "right are left out (filter). Unsupervised, one draw, all tuples. Other agents would have to embed or score other "
        "sentences: set analogies.negatives in the config for them. The means are over tuples, as in Table 1 of the paper.",
        part=CHOICES,
        step="sensitivity",
        needs="static",
        columns={"value": "the accuracy with this study's negatives"},
    ),
    Table(
        "contrasts",
        "Which probe is harder?",
        "The difference between two probes within an agent, on the same tuples: the paper's claim that random is "
        "harder than reverse and type. The columns are those of the tests between agents; a family is all models, or "
        "all baselines, in one contrast and condition.",
        part=TESTS,
        columns={"a": "the first probe", "b": "the second probe", "condition": "a group of relations, or a relation"},
    ),
    Table(
        "tests",
        "Tests between agents",
        "The difference of every pair of agents, but those of two controls, on the tuples that both judged, with its 95 % "
        "interval. p is that of a sign-flip test in which tuples that share a word are one observation and, for groups, the "
        "tuples of a relation. Holm's adjustment, and that of Benjamini and Hochberg (p_bh), are within a family: pairs of "
        "models, or pairs with a control. The paper tests no such difference; the columns paper_… have Wilcoxon's "
        "signed-rank test, which takes tuples as independent. " + SCOPE,
        part=TESTS,
    ),
    Table(
        "frequency_summary",
        "Does frequency decide?",
        "In how many relations the tuples that an agent judges rightly differ in frequency from the others (p ≤ 0.05), in "
        "the random probe of the supervised setting (section 4 of the paper). The column test says which test decides; "
        "the config's key inference chooses it.",
        part=TESTS,
        columns={
            "test": "the test that decides",
            "relations": "the number of relations",
            "tested": "the number of relations with a p",
            "without_effect": "the number of these with p > 0.05",
            "share_without_effect": "the share of these with p > 0.05",
            "with_effect": "the relations with p of at most 0.05",
        },
    ),
    Table(
        "frequency",
        "Frequency of tuples judged rightly and wrongly",
        "The frequency of a tuple is the harmonic mean of its words' frequencies (wordfreq, per million words). "
        "distance: the largest distance between the distributions of frequency of what is judged rightly and wrongly, "
        "where tuples that share a word count once; p: its chance if these families exchange their shares of right "
        "decisions at random. The columns paper_… hold the paper's Kolmogorov-Smirnov test. It takes each decision as "
        "independent, but a tuple has up to a hundred of them: where frequency plays no role, it finds one in nine of "
        "ten relations. Tuples with a word that wordfreq does not know are left out; unknown counts their decisions.",
        part=TESTS,
        columns={
            "tuples": "the number of tuples that were judged and whose frequency is known",
            "clusters": "the number of families of these tuples",
            "distance": "the largest distance between the distributions of frequency of what is judged rightly and wrongly",
            "p": "the probability of such a distance if families exchange their shares of right decisions at random",
            "right": "the number of right decisions",
            "wrong": "the number of wrong decisions",
            "unknown": "the number of decisions on tuples with a word that wordfreq does not know",
            "median_right": "the median frequency of tuples judged rightly, per million words",
            "median_wrong": "the median frequency of tuples judged wrongly, per million words",
            "paper_effect": "the Kolmogorov-Smirnov statistic of the decisions",
            "p_holm": "p, adjusted by Holm's method over the agent's relations",
        },
    ),
    Table(
        "unjudged",
        "What could not be judged",
        "Decisions that an agent could not make because a word has no static vector; they take no part in any accuracy.",
        part=LEFT_OUT,
        columns={
            "setting": "supervised (a classifier) or unsupervised (a choice between two pairs)",
            "decisions": "the number of decisions",
            "unjudged": "the number of these that could not be made",
        },
    ),
    Table(
        "data",
        "The probe sets",
        "Tuples per relation and, for each probe, positives; there are as many negatives. Every draw divides the "
        "tuples anew and draws other negatives; the numbers are means over the draws. families: sets of tuples that "
        "are linked by shared words. heads_seen, tails_seen: the shares of the test tuples whose head or tail is a "
        "word of a training tuple. Within a draw no pair of words is judged both in training and in test; the same "
        "two words in the other order may be, most often in the type probe (such as french : chinese).",
        part=DATA,
        columns={
            "draws": "the number of draws, over which the other numbers are means",
            "train_tuples": "the number of training tuples",
            "test_tuples": "the number of test tuples",
            "different_tails": "the number of different tails of the tuples",
            "heads_seen": "the share of test tuples whose head is a word of a training tuple",
            "tails_seen": "the share of test tuples whose tail is a word of a training tuple",
            "*_positives": "the number of positive instances in training or test; there are as many negatives",
        },
    ),
    AVERAGES,
    *tables_of_choices(
        "Such an agent is shown the query and the two pairs of a choice of the unsupervised setting, each after a letter, "
        "and says which pair continues the analogy.",
        place="",
        questions="the number of choices, with those of the swapped queries",
        probe="the probe, the number of the order, the query, and the right and the wrong pair",
        option="pair",
    ),
    PUBLISHED,
)
