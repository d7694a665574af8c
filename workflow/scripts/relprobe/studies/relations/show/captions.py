"""What the report says of each figure and table of the relations study: what to see, and where the paper has it.

Titles and captions of the metrics' own figures stand in measures.py.
"""

from relprobe.report import controls
from relprobe.studies.relations.measure.measures import AUDC, with_figures

BARS = (
    "Best agents on top; a line is the 95 % interval{linked}. A dotted line says that every agent above it differs "
    "significantly from every one below (p < 0.05, not adjusted, as in the paper; two controls are not compared); agents "
    "that no line parts may differ all the same (footnote 18). Grey agents are controls, which know nothing of the "
    "relation. The label below names the test, which the config's key inference chooses. All agents are averaged over the "
    "same {items} (n), which do not depend on who else is there. A star marks an agent that lacks some of them: its value "
    "is over the others, whose number stands beside it."
)
LINKED = ", which takes {items} that share {what} as linked"
CUTOFFS = " Each agent has a marker for every cut-off k of its answers, the fuller the larger k."

FIGURES = {
    **{
        one.name: (
            one.title,
            f"{one.caption} {BARS.format(items=one.items, linked=LINKED.format(items=one.items, what=one.linked_by))}"
            f"{CUTOFFS if one.cutoffs else ''}",
        )
        for one in with_figures()
    },
    "overview": (
        "All agents, relations and metrics",
        "A panel per metric, in it a block per relation, and in each block the same agents from top to bottom. A line is "
        "the 95 % interval, which takes targets with a common relatum as linked; n is the number of targets or tuples. The "
        "blocks of a panel have one scale, which ends at the highest bound. Grey agents are controls, which know nothing of "
        "the relation: what they reach is no sign that an agent knows it. Agents of one family have one colour, and each of "
        "them has a marker of its own, which are the same in all studies.",
    ),
    "distinguishability_curves": (
        "Distinguishability",
        "Above: of the ordered pairs of relations, how many are told apart by more than p; a curve that stays high "
        "to the right is better (Eq. 27). Each family has a panel, in which the others are grey. Below: AuDC, the "
        "sum of the distances with its 95 % interval over target words (Eq. 28; Figure 8). Both are over the pairs "
        "with enough targets (relations.choices.minimum_targets); the axis says how many these are, and the table "
        "of the pairs of relations which. Distances below 0 count in the sum, but not in the area under the curve. "
        "Tests of the differences are in the table of tests, and what chance gives in the table of chance.",
    ),
    "distinguishability_kinds": (
        "Which relations are confused, by kind of agent",
        "D(r, s), averaged over all agents of a kind: how much earlier relata of the prompted relation (row) come than "
        "those of another (column), on targets that have relata of both. Light cells are confusions; a light ANT column "
        "is the antonymy bias of section 8.5 (Eq. 26; Figure 9). Below a distance stands the number of targets; where it "
        "is under 10, both are grey on white.",
    ),
    "distinguishability_matrices": (
        "Which relations are confused, by agent",
        "The same for every agent (Figures C3, C4): a panel per prompted relation, a row per agent, a column "
        "per relation that "
        "it is told from. Below a relation stands the number of targets; where an agent has another number, "
        "it stands in its "
        "cell.",
    ),
    "first_related": (
        "First related words",
        "The first answer that is in any relatum set of the target: the relation it stands in (Figure 3). The top bar is "
        "what was prompted for; a long antonymy part is the antonymy bias of section 8.5.",
    ),
    "first_related_families": (
        "First related words, by family",
        "The same, averaged over the models of a family, as in Figure 3. Agents without a family stand for themselves.",
    ),
    "response_entropy": (
        "How prototypical the human answers are",
        "The entropy of the humans' answers to a probe, responses of one word (entropy 0) left out; low is prototypical, 1 "
        "is no prototype at all (Eq. 19; Figure 2). Orange: the mean; blue: the median.",
    ),
}
FIGURES |= {
    f"size_{one.name}": (
        f"{one.title} and the size of models",
        "A line joins the models of a family, whose name stands at its end, from the smallest to the "
        "largest: one that falls is a smaller model that "
        "does better than a larger (section 8.6). Models without family or size in the config are not shown.",
    )
    for one in [*with_figures(), AUDC]
}
FIGURES |= {
    f"training_{one.name}": (
        f"{one.title} over training",
        "A line joins the checkpoints of a training (series and step in the config, or revisions), which are asked in one "
        "way.",
    )
    for one in [*with_figures(), AUDC]
}
FIGURES |= {
    f"frequency_{one.name}": (
        f"{one.title} and word frequency",
        "Spearman's correlation of a model's values with word frequency; below 0.3 (pale) the paper calls it negligible "
        "(section 8.8; Figure E5). Below a relation stands its n. Empty cells could not be correlated; the table says why.",
    )
    for one in with_figures()
    if one.frequencies
}
BEHIND = {
    "first_related": "first_related",
    "first_related_families": "first_related",
    "response_entropy": "response_entropies",
    **{name: "frequency" for name in FIGURES if name.startswith("frequency_")},
}
"""The table behind a figure, where it is not that of the averages."""

TESTS, CHOICES, DATA, LEFT_OUT = "Tests", "Choices and prompts", "Data", "Left out, and why"
PARTS = {
    **dict.fromkeys(("tests", "contrasts", "chance", "claims", "against_last"), TESTS),
    **dict.fromkeys(("size_differences", "size_reversals", "wins_by_type", "entropy_differences", "frequency"), TESTS),
    **dict.fromkeys(("sensitivity_ranges", "unequal_prompts", "shots_draws", "answer_spaces"), CHOICES),
    **dict.fromkeys(("sent", "writing", "data", "counts", "relation_pairs", "coverage", "vocabularies"), DATA),
    **dict.fromkeys(("left_out", "attrition_counts"), LEFT_OUT),
}
"""Table -> the part of the page that it is folded away in."""
ORDER = (
    *(
        "overview",
        "table-overview",
        "table-controls",
        "table-relation_use",
        "table-top_words",
        "soundness",
        "completeness",
        "symmetry",
        "asymmetry",
    ),
    *("prototypicality", "distinguishability", "first_related", "response_entropy", "table-entropy"),
    *("table-writing_entropy", "table-ceiling"),
    *(
        "table-outside",
        "table-size_averages",
        "size_",
        "training_",
        "table-trends",
        "table-best_by_type",
        "table-frequency_medians",
    ),
    "frequency_",
)
"""The beginnings of the ids of sections that are to be seen at once, in the order of the paper; others follow."""


def place(section: str) -> int:
    """Return where a section stands among those that are to be seen at once.

    >>> place("overview") < place("symmetry") < place("distinguishability_kinds") < place("table-tests")
    True
    """
    if section in ORDER:
        return ORDER.index(section)
    return next((i for i, start in enumerate(ORDER) if section.startswith(start)), len(ORDER))


TABLES = {
    "controls": controls.TABLE,
    "overview": (
        "Metrics per agent and relation",
        "Averages over targets (over tuples for symmetry and asymmetry; @k is the cut-off of the answers). Unrelated: "
        "the share of responses that have no relatum of the prompted relation among their first |Y| words; first "
        "related: the mean rank of the first word of any relatum set (section 8), over the probes that have one; misses: "
        "the share of the probes that have none. targets: their number, for soundness; coverage: the share "
        "of the study's targets that the agent has answered; prototypicality_targets: those that people's answers can be "
        "compared on; own_targets: it lacks some of the study's, and is averaged over the others. A dash means that the "
        "metric is not defined there.",
    ),
    "relation_use": (
        "Does an agent use the relation that it is asked for?",
        "Targets that were asked for two relations and have relata of both. contrast: how much earlier the relata of "
        "a relation come among the first ten answers if this relation is asked for than if the other one is: d_r(s) − "
        "d_r(r) + d_s(r) − d_s(s), where d_r(s) is the relative rank of the best s-relatum in the answers to r. It is "
        "0 for an agent that names the same words whatever is asked, however near they are to the target. The rows "
        "without relations are over all pairs, the others over one pair. differ: targets whose contrast is not 0. p: "
        "of a contrast above 0 (one-sided), where targets and prompts are samples, as in the interval from low to "
        "high (95 %, two-sided). p_targets: the same for these prompts alone, by sign flips over targets. p_holm: p "
        "adjusted over the agents. Models answer trick probes, too; people do not, so their targets are others. An "
        "agent that names frequent relata of the relation, whatever the target, uses the relation: compare with the "
        "controls.",
    ),
    "tests": (
        "Significance tests between agents",
        "p: two-sided, of a t test that takes targets with a common relatum as linked (for symmetry and asymmetry: pairs "
        "and tuples with a common word), and of sign flips over targets where none are linked; low and high: the 95 % "
        "interval of the difference. effective_n: how many independent targets they count as; below 6 there is no p. "
        "discordant_clusters: the targets (for symmetry the groups of pairs with common words) in which the two differ; p "
        "is never below that of all their signs if they are 15 or fewer. cluster_p: sign flips over these clusters, as if "
        "they were independent. The paper's tests stand beside it, in paper_…: McNemar's for the binary metrics (exact "
        "below 25 discordant pairs; effect: Cohen's g), Wilcoxon's signed-rank test for the others (zeros dropped; effect: "
        "rank-biserial correlation). They take the probes of a target as independent, so their p is too small. p_holm and "
        "p_bh (Benjamini and Hochberg) are over the pairs of one metric, relation and k: all pairs of models are a family, "
        "and so are all pairs of a model and a person, all with pooled people, and all with a control. Of a series, such as "
        "the checkpoints of a training, the last member is one of the models.",
    ),
    "claims": (
        "What remains of the significant differences of these models, figure by figure of the paper",
        "For each figure and table of the paper that says what is significant: the same tests on the agents of this run, "
        "which are the paper's only in a run of its models. Those of people are with people's pooled answers. Agents that "
        "are asked in other ways than most (examples, chat) do not count as further models. "
        "tests: of the pairs, those that have both tests; McNemar's needs values of 0 and 1, which people's soundness and "
        "symmetry are with `ties: favourable`. "
        "paper: how many of them have p < 0.05 in the paper's way; survives: how many of these have it in ours, "
        "too, and survives_holm after Holm's adjustment; new: significant in ours alone; lost: what does not "
        "survive.",
    ),
    "trends": (
        "Does a series rise or fall?",
        "A series is a number of agents in an order, such as the checkpoints of a training (series and step in the config, "
        "or revisions). slope: by how much the value of a target (of a pair or tuple for symmetry and asymmetry) changes on "
        "average from one member to the next; first and last: the places of the first and the last member, such as training "
        "steps. All members are averaged over the units that they all have. low and high: the 95 % interval of the slope "
        "over clusters; p: sign flips over clusters, two-sided; p_holm is over the series of one metric, relation and k.",
    ),
    "against_last": (
        "From which member on does a series not differ from its last?",
        "Each member of a series against the last one, on the units that all members have. difference: the member minus the "
        "last; p: sign flips over clusters; p_max_t is adjusted for the number of members by the step-down max-T method "
        "(Westfall and Young), which knows how alike they are. The last member stands for its series among the models.",
    ),
    "contrasts": (
        "Relation against relation",
        "Within each agent, on the targets that it has answered under both relations a and b: the values of a target "
        "averaged over prompts, p as in the tests between agents; targets with a common relatum of either are linked. "
        "p_holm is over the agents.",
    ),
    "chance": (
        "AuDC beside that of chance",
        "D(r, s) and, without relations, AuDC, on all targets that the agent has answered. chance: the mean if the "
        "relations of a target's relata are dealt out to them at random, which is what an agent reaches with the "
        "same words if they are related to the target, whatever their relation; p: how often this gives as much "
        "(one-sided, 500 deals). A small p does not say that the agent uses the relation: near words stand more "
        "often in one relation than in another. pairs: how many pairs of relations AuDC is over, those with enough "
        "targets (relations.choices.minimum_targets); targets: their number, or that of the pair that has the "
        "fewest. Other pairs have no p. p_holm: p adjusted over all distances of the agents of a kind, and over "
        "their AuDC.",
    ),
    "top_words": (
        "What the agents answer",
        "The first three words of each agent to one probe of each relation, or to those of relations.shown_probes; "
        "behind a word the relation whose relatum set of the target holds it (Table 5, whose bold words are those with "
        "ANT). Words that equally many people named stand in the order of `ties`, if this is favourable or unfavourable, "
        "and otherwise as they were first named.",
    ),
    "data": (
        "Prompts, targets, probes and relatum sets",
        "The study's size in the shared lexicon (the paper's Table 1; candidate targets are those of all tuples) and its "
        "relatum sets before and after the expansion with WordNet (Table 2). ambiguous_tuples: tuples whose relatum "
        "stands in another relation to the target as well, so that it is in no relatum set; targets_without_relata: "
        "targets that have no relatum left, and so no metric but symmetry and asymmetry.",
    ),
    "counts": (
        "Tuples, targets and relations",
        "In the shared lexicon. Tuples of the sources, and with the inverse of each (section 4.1); different targets, each "
        "counted once whatever relations it has; how many relations a target has on average, by its tuples and by its "
        "relatum sets after the expansion (section 4.3); and the targets that are asked for several relations of which they "
        "have relata, which the table of the use of the relation is about.",
    ),
    "relation_pairs": (
        "Pairs of relations",
        "For each ordered pair: targets of the first relation that have relata of both, in the shared lexicon (and, "
        "where people take part, answered by them). asked_for_both: those of them that are also asked for the "
        "second relation, be it in trick probes. counted: AuDC counts the pair, as it has enough targets "
        "(relations.choices.minimum_targets).",
    ),
    "attrition_counts": (
        "What was lost on the way",
        "How many tuples, targets, relata, prompts, probes and answers were lost, in which step and why; each of them is "
        "named in tables/attrition.csv. lexicon: a word that is not one token of every model of the panel. relata: a word "
        "that stands in two relations of a target, which exclude each other. scores: prompts whose slot is not last. "
        "answers: probes that nobody answered, and answers to no probe of the study.",
    ),
    "coverage": (
        "What the models' lexicons hold",
        "Words that are one token of a model, and the share they make up of the shared lexicon, of the candidate targets, "
        "and of the targets, tuples and relata in the shared lexicon. Models of the panel hold all of the latter; any "
        "other is measured on what it holds.",
    ),
    "sensitivity_ranges": (
        "How much the results depend on open choices and on prompts",
        "The lowest and highest value if one choice that the paper leaves open is made otherwise (ties, recall, best or "
        "mean rank: relations.choices; relatum sets of the tuples alone, of one step, or of first senses), and if one "
        "prompt is left out. low_choice and high_choice name the choices that give these ends, low_prompt and high_prompt "
        "the prompts without which they come about. Each of them is in tables/sensitivity.csv.",
    ),
    "shots_draws": (
        "How much the results depend on which examples were drawn",
        "Agents with solved examples (shots): the averages under three random draws of them, on the probes about a "
        "random sample of 12 targets of each relation; targets: how many of them are in the shared lexicon and have relata. "
        "Draw 1 is that of all other tables.",
    ),
    "answer_spaces": (
        "Tokens, words of the lexicon, and words of any length",
        "A model's likeliest token may be a quote, a number or a piece of a word, which then counts as a wrong answer. If "
        "only words can be answers, the model's likeliest word counts, and words of any number of tokens can be compared "
        "between tokenizers. On the probes about random targets of each relation (relations.word_sample): no_word is the "
        "share of the probes whose first answer is no word, and outside the mean probability of all that is no word of the "
        "lexicon (tokens, lexicon) or of the word list (words).",
    ),
    "sent": (
        "What exactly was sent",
        "The text that each model has read for one probe, special tokens included. The slot is at its end, or where the "
        "mask token stands.",
    ),
    "writing": (
        "What models have written",
        "Agents that write up to five words to a probe, as the participants did (task: list). words: the mean number of "
        "words of an answer; empty: the share of answers without any; unreadable: the share of all entries that are not "
        "one word; note: why an agent has no value, which is so if more than a fifth of its answers are empty.",
    ),
    "entropy": (
        "Response entropy of the humans",
        "Responses of entropy 0 (one word) and 1 (no prototype), words per response, the mean entropy without the zeros "
        "(Table 3 and section 6.2), and how many words were answered (section 6.1). All answers to the study's prompts "
        "count. The last row is over all relations.",
    ),
    "writing_entropy": (
        "Response entropy of models that write lists",
        "The same as for the humans, for agents with task: list. The words of all samples are pooled; entries that are "
        "not one word do not count. A probe with one list holds every word once, so its entropy is 1, or 0 with one "
        "word: only agents with samples compare with people.",
    ),
    "ceiling": (
        "How far people agree with each other",
        "Each probe's annotators are split: one against the rest, or random halves. Soundness: the correlation over targets "
        "of the soundness of both parts. Prototypicality: the mean likeness of one part's words to those of the other. Word "
        "shares: the correlation of the words' shares in the answers of both parts. spearman_brown: what follows from the "
        "halves for all annotators together; annotators: their mean number per probe.",
    ),
    "entropy_differences": (
        "Do the relations differ in entropy?",
        "Mann-Whitney's U test between the relations, zeros included (footnotes 15 and 16). Effect: rank-biserial. The "
        "paper compares responses (paper_…), but a target has one per prompt; p compares the targets' means. Holm's "
        "adjustment is over all pairs of relations.",
    ),
    "size_averages": (
        "Largest minus smallest model of a family",
        "Macro: averaged over relations; micro: over targets or tuples (Table 6).",
    ),
    "size_differences": (
        "Largest minus smallest model, per relation",
        "With the paired test between the two (Table D2). significant: p < 0.05, not adjusted, by the test that the "
        "config's key inference names.",
    ),
    "size_reversals": (
        "Where a smaller model beats the next larger",
        "Significantly better smaller models among neighbours in size (Table D3): p < 0.05, raw and adjusted by the "
        "methods of Holm and of Benjamini and Hochberg, by the test that the config's key inference names; _paper: by the "
        "paper's test, raw.",
    ),
    "best_by_type": (
        "Best masked minus best causal model",
        "Per metric and relation, with the models and the paired test between them (Table 7). way: both are asked in this "
        "way (bare: with the probe alone); what has no model of the other type to compare with stands in the table of what "
        "is left out. significant: as in the table of sizes per relation. The two models are the best of several, which no "
        "p accounts for.",
    ),
    "wins_by_type": (
        "Masked models that beat causal ones",
        "Pairs of a masked and a causal model, asked in one way, in which one is significantly better (Table 8): p < 0.05, "
        "raw and adjusted "
        "by the methods of Holm and of Benjamini and Hochberg, by the test that the config's key inference names; _paper: "
        "by the paper's test, raw.",
    ),
    "frequency": (
        "Does word frequency explain the results?",
        "Spearman's correlation of values with frequencies (wordfreq): of the target, of its relata (mean, maximum), or "
        "of the tuple's two words (mean, absolute difference); Figure E5. scale: raw, the share of the language's words, "
        "or zipf, its logarithm (relations.choices.frequency). p takes the tuples of a target as independent; p_holm is "
        "over the agents.",
    ),
    "frequency_medians": (
        "Word frequency: the median over the models",
        "The median, the lowest and the highest of the models' correlations with word frequency, per metric, relation and "
        "frequency. In the paper all medians are below 0.3 (section 8.8).",
    ),
    "outside": (
        "How many of people's answers are in no relatum set",
        "Answers in no relatum set of any target (OOR), as often as they were given and as different words (section 6.1). "
        "All answers to the study's prompts count. The last row is over all relations.",
    ),
    "vocabularies": (
        "How alike the models' vocabularies are",
        "The words that are one token of both models, as a share of the words of either (Jaccard; section 7.1). tokens: the "
        "size of a model's whole vocabulary (Table 4).",
    ),
    "unequal_prompts": (
        "Do the prompts of a relation differ?",
        "Agents whose values vary differently under different prompts (Table F4). The paper's test is Levene's, centred "
        "on the median, which takes the prompts as independent groups, though all have the same targets. By default the "
        "same deviations are compared within targets (Hotelling's test); tables/prompt_variance.csv has both, with "
        "Holm's adjustment over the agents. On values of 0 and 1, which are mostly 0, this mainly says that the prompts "
        "differ in their average.",
    ),
    "left_out": (
        "Left out",
        "What the models of this study do not allow to compare, and why.",
    ),
}
