"""What the relations study shows: its tables and figures, in the order of the page."""

from relprobe.report.shown import CONTROLS, LEDGER, PARTICIPANTS, PUBLISHED, REPLY_SOURCES, Exhibit, Figure, Table
from relprobe.studies.relations.show.declared.columns import COLUMNS
from relprobe.studies.relations.show.declared.figures import (
    BARS_OF,
    FREQUENCIES_OF,
    LAYERS_OF,
    SIZES_OF,
    TRAINING_OF,
    WAYS,
)
from relprobe.studies.relations.show.declared.others import FILES, FOLDED
from relprobe.studies.relations.show.declared.relation_use import NOT_THERE, RELATION_USE
from relprobe.studies.relations.show.declared.tests import TESTS

__all__ = ["COLUMNS", "LEAD", "MAY_LACK", "SHOWN", "TITLE"]

TITLE = "What do language models know about semantic relations?"
LEAD = (
    "Each agent answers cloze probes such as “a robin is a kind of a …”; its ranked answers are compared with relatum sets "
    "from WordNet and the configured sources. Method and equations: Cao et al., A Comprehensive Evaluation of Semantic "
    "Relation Knowledge of Pretrained Language Models and Humans. All values lie between 0 and 1 (AuDC: 0 and the number "
    "of ordered pairs of relations); higher is better. A click on a marker, a bar or a number leads to the "
    "answers behind it."
)
FRONT = ("soundness",)
PICTURED = {"soundness": "Soundness", "completeness": "Completeness", "symmetry@5": "Symmetry at k = 5"}
MAY_LACK = {
    "people": "answers of people (resources.human_responses)",
    "sizes": "a family with models of two sizes",
    "series": "checkpoints of a training",
    "checkpoints": "checkpoints of a training that are asked after each of their layers (layers)",
    "ordered": "an order: checkpoints of a training, a family with models of two sizes, or layers of an agent (layers)",
    "writers": "agents that write lists (task: list or people)",
    "participants": PARTICIPANTS,
    "ways": "a model that is asked in several ways",
    "layers": "agents that are asked after each of their layers (layers)",
    "shots": "agents with solved examples (shots)",
    "sample": "agents that answer with words of any length (relations.word_sample)",
    "neighbours": "the control neighbours, where the control frequency is (relations.controls, static vectors)",
    "typical": "the control typical, where the control frequency is (relations.controls, static vectors)",
}

SHOWN: tuple[Exhibit, ...] = (
    Figure(
        "overview",
        "All agents, relations and metrics",
        "A panel per metric, in it a block per relation, and in each block the same agents from top to bottom. A line is "
        "the 95 % interval, which takes targets with a common relatum as linked; n is the number of targets or tuples. The "
        "blocks of a panel have one scale, which ends at the highest bound. Grey agents are controls, which know nothing of "
        "the relation: what they reach is no sign that an agent knows it. Where people take part, all agents are averaged "
        "over the probes that people answered. Agents of one family have one colour, and each of them has a marker of its "
        "own, which are the same in all studies.",
    ),
    Table(
        "overview",
        "Metrics per agent and relation",
        "Averages over targets (over tuples for symmetry and asymmetry; @k is the cut-off of the answers). Where people "
        "take part, the probes are those that people answered, in the relations that they answered. Unrelated: the "
        "share of responses that have no relatum of the prompted relation among their first |Y| words; first related: the "
        "mean rank of the first word of any relatum set (section 8 of the paper), over the probes that have one; misses: "
        "the share of the probes that have none. targets: their number, for soundness; coverage: the share of the study's "
        "targets that the agent has answered; prototypicality_targets: those that people's answers can be compared on; "
        "own_targets: it lacks some of the study's, and is averaged over the others. A dash means that the metric is not "
        "defined there.",
        without=NOT_THERE,
    ),
    CONTROLS,
    RELATION_USE,
    Table(
        "top_words",
        "What the agents answer",
        "The first three words of each agent to one probe of each relation, or to those of relations.shown_probes; behind "
        "a word the relation whose relatum set of the target holds it (Table 5 of the paper, whose bold words are those "
        "with antonymy). Words that the same number of people named are in the order of `ties`, if this is favourable or "
        "unfavourable, and otherwise in the order in which they were first named.",
        columns={
            "prompted": "the relation that the probe asks for",
            "top_*": "the first, second and third word, and the relation whose relatum set holds it",
        },
    ),
    *BARS_OF,
    Figure(
        "distinguishability_curves",
        "Distinguishability",
        "Above: of the ordered pairs of relations, how many are told apart by more than p; a curve that stays high to the "
        "right is better (Eq. 27 of the paper). Each family has a panel, in which the others are grey. Below: AuDC, the "
        "sum of the distances with its 95 % interval over target words (Eq. 28; Figure 8 of the paper). Both are over the "
        "pairs with enough targets (relations.choices.minimum_targets); the axis says how many these are, and the table "
        "of the pairs of relations which. Distances below 0 count in the sum, but not in the area under the curve. Tests "
        "of the differences are in the table of tests, and what chance gives in the table of chance.",
    ),
    Figure(
        "distinguishability_kinds",
        "Which relations are confused, by kind of agent",
        "D(r, s), averaged over all agents of a kind: how much earlier relata of the prompted relation (row) come than "
        "those of another (column), on targets that have relata of both. Light cells are confusions; a light column "
        "of antonymy is the antonymy bias of section 8.5 of the paper (Eq. 26; Figure 9). The number below a distance is "
        "that of its targets; where it is under 10, both are grey and hatched.",
    ),
    Figure(
        "distinguishability_matrices",
        "Which relations are confused, by agent",
        "The same for every agent (Figures C3, C4 of the paper): a panel per prompted relation, a row per agent, a column "
        "per relation that it is told from. The number after a relation is that of its targets; an agent with another "
        "number has it in its cell.",
    ),
    Figure(
        "first_related",
        "First related words",
        "The first answer that is in any relatum set of the target: with its relation to the target (Figure 3 of the "
        "paper). The top bar is what was prompted for; a long antonymy part is the antonymy bias of section 8.5 of the "
        "paper.",
        table="first_related",
    ),
    Figure(
        "first_related_families",
        "First related words, by family",
        "The same, averaged over the models of a family, as in Figure 3 of the paper. An agent without a family has a bar "
        "of its own.",
        table="first_related",
    ),
    Figure(
        "response_entropy",
        "How prototypical the human answers are",
        "The entropy of the humans' answers to a probe, responses of one word (entropy 0) left out; low is prototypical, "
        "1 is no prototype at all (Eq. 19; Figure 2 of the paper). Orange: the mean; blue: the median.",
        table="response_entropies",
        needs="people",
    ),
    Table(
        "entropy",
        "Response entropy of the humans",
        "Responses of entropy 0 (one word) and 1 (no prototype), words per response, the mean entropy without the zeros "
        "(Table 3 and section 6.2 of the paper), and how many words were answered (section 6.1 of the paper). All answers "
        "to the study's prompts count. The last row is over all relations.",
        step="entropy",
        needs="people",
    ),
    Table(
        "writing_entropy",
        "Response entropy of models that write lists",
        "The same as for the humans, for agents with task: list. The words of all samples are pooled; entries that are "
        "not one word do not count. A probe with one list holds every word once, so its entropy is 1, or 0 with one "
        "word: only agents with samples compare with people.",
        needs="writers",
    ),
    Table(
        "ceiling",
        "How far people agree with each other",
        "Each probe's annotators are split: one against the rest, or random halves. Soundness: the correlation over targets "
        "of the soundness of both parts. Prototypicality: the mean likeness of one part's words to those of the other. Word "
        "shares: the correlation of the words' shares in the answers of both parts. spearman_brown: what follows from the "
        "halves for all annotators together; annotators: their mean number per probe.",
        step="ceiling",
        needs="people",
        columns={
            "one_against_rest": "one annotator of a probe against the others",
            "split_half": "random halves of a probe's annotators against each other",
            "spearman_brown": "what follows from the halves for all annotators together",
            "annotators": "the mean number of annotators of a probe",
        },
    ),
    Table(
        "outside",
        "How many of people's answers are in no relatum set",
        "Answers in no relatum set of any target (OOR), as often as they were given and as different words (section 6.1 "
        "of the paper). All answers to the study's prompts count. The last row is over all relations.",
        step="entropy",
        needs="people",
        columns={
            "answers": "the number of answers",
            "outside": "the number of these in no relatum set",
            "share": "the share of these",
            "different": "the number of different words among the answers",
            "different_outside": "the number of these in no relatum set",
            "different_share": "the share of these",
        },
    ),
    Table(
        "size_averages",
        "Largest minus smallest model of a family",
        "Macro: averaged over relations; micro: over targets or tuples (Table 6 of the paper).",
        step="comparisons",
        columns={
            "family": "the family of models",
            "larger": "the largest model of the family",
            "smaller": "the smallest model of the family",
            "average": "macro: the mean over relations; micro: the mean over targets or tuples",
            "relations": "the number of relations",
            "difference": "the largest minus the smallest model",
        },
    ),
    *WAYS,
    *SIZES_OF,
    *TRAINING_OF,
    *LAYERS_OF,
    Table(
        "trends",
        "Does a series rise or fall?",
        "A series is a number of agents in an order: the checkpoints of a training (series and step in the config, or "
        "revisions), the models of a family by their size, or the layers of an agent, raw and mapped. slope: by how much a "
        "target's value (a pair's or tuple's for symmetry and asymmetry) changes on average from one member to the next; "
        "first and last: the places of the first and the last member, such as training steps. All members are averaged over "
        "the units that they all have. low and high: the 95 % interval of the slope over clusters; p: as in the tests "
        "between agents, and none below six clusters; p_holm is over the relations of a series, metric and k.",
        step="trends",
        needs="ordered",
        columns={
            "first": "the place of the first member, such as its training step",
            "last": "the place of the last member",
            "members": "the number of members",
            "value_first": "the mean of the first member",
            "value_last": "the mean of the last member",
            "slope": "by how much the mean changes from one member to the next",
        },
    ),
    Table(
        "halves",
        "Where is half of the last value reached?",
        "half: the two members, such as layers, between which a series first reaches half of the last member's mean. What "
        "is between them is not known: half_at is where the line that is drawn from one to the other reaches it (between "
        "two checkpoints or sizes by the logarithm). low and high: the members that the 95 % interval begins and ends at, "
        "from the intervals of each member's mean less half of the last, over clusters. It is for one reader, whose fit is "
        "held fixed: another reader may find half elsewhere. It is half of the last mean, with which the model itself "
        "answers, and not of the highest: value_highest is chosen from all members, and so too high by chance. There is a "
        "place only where the last member is above the first (95 % interval) and above each control: p_holm of the two is "
        "below 0.05, and the lower bound of its mean is above the control's mean over all targets of the study.",
        step="trends",
        needs="ordered",
        columns={
            "reader": "what reads the layers: the head alone, or a linear map to the last layer and the head",
            "members": "the number of members",
            "value_last": "the mean of the last member",
            "value_highest": "the highest mean of a member",
            "highest_at": "the place of this member",
            "control": "the control that is best over all targets",
            "control_value": "its mean over all targets",
            "half": "between which members half of the last mean is reached first",
            "half_at": "where the line that is drawn between these two reaches it",
        },
    ),
    Table(
        "best_by_type",
        "Best masked minus best causal model",
        "Per metric and relation, with the models and the paired test between them (Table 7 of the paper). way: both are "
        "asked in this way (bare: with the probe alone); a model without one of the other type to compare with is in the "
        "table of what is left out. significant: as in the table of sizes per relation. The two models are the best of "
        "several, which no p accounts for.",
        step="comparisons",
        columns={
            "masked": "the best masked model",
            "causal": "the best causal model",
            "value_masked": "the mean of the masked model",
            "value_causal": "the mean of the causal model",
            "difference": "the masked minus the causal model",
        },
    ),
    Table(
        "frequency_medians",
        "Word frequency: the median over the models",
        "The median, the lowest and the highest of the models' correlations with word frequency, per metric, relation and "
        "frequency. In the paper all medians are below 0.3 (section 8.8 of the paper).",
        step="comparisons",
        columns={
            "agents": "the number of models with a correlation",
            "median": "the median of their correlations",
            "low": "the lowest correlation",
            "high": "the highest correlation",
        },
    ),
    *FREQUENCIES_OF,
    *TESTS,
    *FOLDED,
    LEDGER,
    REPLY_SOURCES,
    *FILES,
    PUBLISHED,
)
