"""What the definitions study shows: its tables and figures, in the order of the page, and what their columns mean."""

from relprobe.report.shown import (
    AVERAGES,
    CONTROLS,
    PARTICIPANTS,
    PEOPLES_TASK,
    PUBLISHED,
    SCOPE,
    TAKERS,
    Exhibit,
    Figure,
    Table,
    tables_of_choices,
)

TITLE = "Do language models match words with their definitions?"
LEAD = (
    "A word and its taxonomic sisters, such as beckon, nod, wink and shrug, and their definitions: which definition is the "
    "word's (W2D), and which word is the definition's (D2W)? The words are those of WordNet or of an own dictionary. P@1 is "
    "the share of tasks in which the right candidate comes first; the rank score RS is 1 if it comes first, 0 if it comes "
    "last, and 0.5 on average for a guess. Method: Senel and Schütze, Does He Wink or Does He Nod? (WDLMPro)."
)
FRONT = ("precision",)
PICTURED = {"W2D P@1": "A definition for the word, P@1 in %", "D2W P@1": "A word for the definition, P@1 in %"}
MAY_LACK = {
    "wordnet": "WordNet, whose synsets have a depth (no dictionary of your own)",
    "people": "answers of people (resources.definition_answers)",
    "targets": "named targets (definitions.targets)",
    "static": "static vectors (resources.static_vectors)",
    "takers": TAKERS,
    "large": "groups of more than ten candidates for agents with people's task (definitions.large_groups)",
    "participants": PARTICIPANTS,
}
NOTICES = {
    "wordnet": "The dictionary is your own: what captions say of the paper, of its tables and of WordNet is about the "
    "published data and not about these."
}
COLUMNS = {
    "metric": "the task and the measure",
    "condition": "a part of speech, a band of frequency or depth, or another part of the groups",
    "part_of_speech": "the part of speech of the groups, or all of them",
    "task": "W2D: find the definition of a word; D2W: find the word of a definition",
    "W2D P@1": "the share of words whose right definition comes first",
    "W2D RS": "the rank of the right definition of a word as a score from 0 (last) to 1 (first)",
    "D2W P@1": "the share of definitions whose right word comes first",
    "D2W RS": "the rank of the right word of a definition as a score from 0 (last) to 1 (first)",
    "groups": "the number of groups that the averages are over",
    "families": "the number of families that these groups lie in; a family has the groups of one hypernym",
    "answered": "the number of groups that the agent has answered",
    "own_groups": "yes: the agent is averaged over other groups than the other agents",
    "word": "the target",
    "definition": "the definition of the target",
    "answer": "the candidate that the agent ranks first",
    "rank": "the rank of the right candidate",
    "candidates": "the number of candidates",
}
TESTS, CHOICES, DATA = "Tests", "Choices", "Data, and what was left out"

SHOWN: tuple[Exhibit, ...] = (
    Figure(
        "precision",
        "Precision at 1",
        "W2D asks a word for its definition, D2W a definition for its word (Tables 4 and 5 of the paper). Lines are 95 % "
        "intervals: families of sister groups are resampled (Wilson's interval below 30 families).",
    ),
    Table(
        "overview",
        "Both tasks per part of speech and agent",
        "Averages over groups (Tables 4 and 5 of the paper). families: their number of families; the groups of one "
        "hypernym are a family, as they have nearly the same candidates. The file averages.csv has the intervals. own "
        "groups: the agent is averaged over other groups than the other agents. random is what a guess can expect, and no "
        "draw of it. length takes the shortest candidate. frequency takes the most frequent word (D2W), or the definition "
        "with the most frequent words (W2D). W2D ranks definitions by the probability of the word, D2W words by the mean "
        "log-probability of their tokens (masked models, all tokens masked) or the probability of the first token (causal "
        "and encoder-decoder models), unless definitions.choices in the config says otherwise. Equal scores count "
        "by the mean over all their orders; tables and pages of single answers show one order, which is drawn. Words that "
        "a model's vocabulary cannot write, and texts without any static vector, come last.",
        without={"static": " There is no static baseline, as the configuration has no resources.static_vectors."},
    ),
    CONTROLS,
    Figure(
        "rank_score",
        "Rank score",
        "The rank of the right candidate as a score: 1 if it comes first, 0 if it comes last (Tables 4 and 5 of the "
        "paper). The lines are 95 % intervals: families are resampled.",
    ),
    Table(
        "leaks",
        "Without definitions that tell their word",
        "noun, leak-free has the nouns whose definition neither names the word nor holds another form of it nor, for a "
        "phrase, one of its content words. “express or signify by nodding” tells nod. Such tasks ask for no knowledge of "
        "the meaning. The candidates are the same as in the whole.",
    ),
    Figure(
        "depth",
        "Are deep synsets harder?",
        "Nouns by the depth of the target: the synsets on the shortest path to entity.n.01, both ends included (Table 6 "
        "of the paper). Deep groups are smaller, so that a guess is right more often. A line is broken where there is no "
        "group.",
        needs="wordnet",
    ),
    Table(
        "depth",
        "Results by depth",
        "Table 6 of the paper, for both tasks and all agents; nouns.",
        needs="wordnet",
    ),
    Figure(
        "frequency",
        "Are rare words known less well?",
        "Targets by frequency: rare below 10 uses, medium below 100 (Tables 7 and 10 of the paper; choices.bands sets "
        "other limits). The paper counts in a Wikipedia corpus of a billion words. The uses are those of the file "
        "word_counts; without it, they are wordfreq's in a billion words, which has no phrases. Targets of more than "
        "three tokens are rare, as in the paper. Words of unknown frequency are in the table alone.",
    ),
    Table(
        "frequency",
        "Results by frequency",
        "Tables 7 and 10 of the paper, for all parts of speech. unknown: no source says how frequent the word is, most "
        "often a phrase.",
    ),
    Table(
        "people",
        "People and models on the same groups",
        "All agents on the groups that people answered (Table 8 of the paper, whose groups have up to ten candidates). Of "
        "several people a group counts the mean. Candidates that somebody did not rank share the places after the others, "
        "and each of them counts as the mean of these places: who ranks at random has a rank score of 0.5.",
        needs="people",
    ),
    Table(
        "small",
        "Groups of up to ten candidates",
        "The groups that Table 8 of the paper draws from, in which a guess is right more often; all parts of speech "
        "together.",
    ),
    Table(
        "targets",
        "Named targets",
        "What each agent answers in the groups that definitions.targets names, and the rank of the right candidate. A dash "
        "says that a person did not rank it.",
        needs="targets",
    ),
    Table(
        "confusions",
        "What is taken for right",
        "The most frequent targets that an agent misses, with its first choice and the rank of the right candidate. A dash "
        "says that a person did not rank it.",
    ),
    Table(
        "tests",
        "Significance tests between agents",
        "All pairs of agents but those of two controls. p is that of a sign-flip test whose observations are families, and "
        "the 95 % interval of the difference comes from resampled families. p is adjusted by the methods of Holm and of "
        "Benjamini and Hochberg over the pairs of one family of tests, metric and part of speech: pairs of models, pairs "
        "with people, or pairs with a control. discordant counts groups in which the agents differ. The columns paper … "
        "have McNemar's test on P@1 (exact below 25 discordant groups; effect: Cohen's g) and Wilcoxon's signed-rank test "
        "on RS (zeros dropped; effect: rank-biserial correlation), which take all groups as independent of each other. "
        "McNemar's test takes answers that are right or wrong; random and people have shares, so it has no p for them. "
        "random is a chance level of 1 / L: its p and interval are those of the number of right answers that a guess has. "
        "All tests are two-sided. " + SCOPE,
        part=TESTS,
    ),
    Table(
        "tasks",
        "Is a definition easier to find than a word?",
        "W2D minus D2W within each agent, on the same groups (section 3 of the paper). The test and the interval are "
        "those of the table above; p is adjusted over the agents of one kind. A guess has nearly the same P@1 in both "
        "tasks (see the table of groups and candidates).",
        part=TESTS,
        columns={"a": "W2D", "b": "D2W"},
    ),
    Table(
        "sensitivity",
        "What the choices change",
        "The paper leaves some choices open, and others can be read in another way. value is the average as everywhere on "
        "this page, other_value the average under the other choice, both over the drawn groups that the agent has "
        "answered. D2W reads of a word: the paper takes the first token of a causal model and the mean of a masked model's "
        "tokens; an encoder-decoder model is read as a causal one; all are read off the stored scores. The word's end is "
        "there if word_boundary is set. The frequency of phrases moves groups from band to band, so the numbers of groups "
        "differ. definitions.choices sets the choices.",
        part=CHOICES,
        columns={
            "groups": "the number of groups that value is over",
            "other_groups": "the number of groups that other_value is over",
        },
    ),
    Table(
        "data",
        "Groups, candidates, and how often a guess is right",
        "The paper's Table 2 gives the number of groups with at least five different words and definitions (the "
        "benchmark), but the average size of those with at least five synsets. The candidates of W2D are the different "
        "definitions of the sisters whose string is not the target's own, those of D2W the different strings of the "
        "sisters whose definition is another; w2d random and d2w random are the P@1 to be expected of a guess. A family "
        "has the groups of one hypernym (of several the first by name). Large families weigh more, so all families count "
        "as much as the effective number of families of one size.",
        part=DATA,
        columns={
            "groups_of": "which groups are counted",
            "condition": "a part of speech, or all of them",
            "groups": "the number of groups",
            "families": "the number of families",
            "effective_families": "the number of families of one size that would count as much",
            "candidates": "the mean number of synsets in a group",
            "smallest": "the number of synsets in the smallest group",
            "largest": "the number of synsets in the largest group",
            "w2d_candidates": "the mean number of different definitions in a group",
            "d2w_candidates": "the mean number of different words in a group",
            "*_random": "P@1 that a guess can expect in this task",
        },
    ),
    Table(
        "told",
        "How many definitions tell their word",
        "The groups of the benchmark whose definition names the word, inflects it (has another form of it) or, for a "
        "phrase, shares a content word; each is counted once, in this order.",
        part=DATA,
        columns={
            "groups": "the number of groups",
            "names": "the number of these whose definition names the word",
            "inflects": "the number of these whose definition has another form of the word",
            "shares": "the number of these whose definition shares a content word with the phrase",
            "leak_free": "the number of the others",
        },
    ),
    AVERAGES,
    *tables_of_choices(
        "Such an agent chooses a definition or a word, as people did, in the groups that people get: those of up to ten "
        "candidates. A wrong choice leaves the right candidate somewhere among the others.",
        place="",
        questions="the number of groups",
        probe="the task, the number of the order, and the group",
    ),
    Table(
        "large_groups",
        "Groups of more than ten candidates, in samples of ten",
        "How often agents with people's task choose rightly in the groups that people did not get. They saw the right "
        "candidate and nine others, drawn once for all agents and orders. The right one is easier to find among "
        "ten than among all, so these values are in no other table, and cannot be compared with those of agents that choose "
        "among all candidates. The intervals are over families.",
        part=PEOPLES_TASK,
        needs="takers large",
        columns={
            "candidates": "the mean number of candidates of a group",
            "shown": "the mean number of those that an agent saw",
            "p@1": "the share of right answers",
            "expected": "the share of right answers of a guess among those shown",
            "unreadable": "the share of answers that name no option, which count as wrong",
            "note": "why the agent has no value, or an interval is missing",
        },
    ),
    PUBLISHED,
)
