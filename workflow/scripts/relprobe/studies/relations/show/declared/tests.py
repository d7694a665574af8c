"""The tables of tests of the relations study, which its page folds away."""

from relprobe.report.shown import SCOPE, Table

PART = "Tests"

TESTS = (
    Table(
        "entropy_differences",
        "Do the relations differ in entropy?",
        "Mann-Whitney's U test between the relations, zeros included (footnotes 15 and 16). Effect: rank-biserial. The "
        "paper compares responses (paper_…), but a target has one per prompt; p compares the targets' means. Holm's "
        "adjustment is over all pairs of relations.",
        part=PART,
        step="entropy",
        needs="people",
        columns={
            "targets": "the number of targets of both relations",
            "effect": "the rank-biserial correlation",
            "responses": "the number of responses of both relations",
        },
    ),
    Table(
        "claims",
        "What remains of the significant differences of these models, figure by figure of the paper",
        "For each figure and table of the paper that says what is significant: the same tests on the agents of this run, "
        "which are the paper's only in a run of its models. Those of people are with people's pooled answers. Agents that "
        "are asked in other ways than most (examples, chat) do not count as further models. "
        "tests: of the pairs, those that have both tests; McNemar's needs values of 0 and 1, which people's soundness and "
        "symmetry are with `ties: favourable`. "
        "paper: how many of them have p < 0.05 in the paper's way; survives: how many of these have it in ours, "
        "too, and survives_holm after Holm's adjustment; new: significant in ours alone; lost: what does not "
        "survive.",
        part=PART,
        step="claims",
        columns={
            "where": "the figure or table of the paper",
            "claim": "what the paper says there, for the agents of this run",
            "pairs": "the number of pairs that are compared",
            "tests": "the number of these that have both tests",
            "paper": "the number of these with p < 0.05 in the paper's way",
            "survives": "the number of these with p < 0.05 in ours, too",
            "survives_holm": "the number of these after Holm's adjustment",
            "new": "the number that is significant in ours alone",
            "verdict": "what remains of the claim",
            "lost": "the differences that do not survive",
        },
    ),
    Table(
        "tests",
        "Significance tests between agents",
        "Two agents are compared on the probes that both have answered, which may be more than those of the averages. "
        "p: two-sided, of a t test that takes targets with a common relatum as linked (for symmetry and asymmetry: pairs "
        "and tuples with a common word), and of sign flips over targets where none are linked; low and high: the 95 % "
        "interval of the difference. effective_n: how many independent targets they count as; below 6 there is no p. "
        "discordant_clusters: the targets (for symmetry the groups of pairs with common words) in which the two differ; p "
        "is never below that of all their signs if they are 15 or fewer. cluster_p: sign flips over these clusters, as if "
        "they were independent. The columns paper_… have the paper's tests: McNemar's for the binary metrics (exact "
        "below 25 discordant pairs; effect: Cohen's g), Wilcoxon's signed-rank test for the others (zeros dropped; effect: "
        "rank-biserial correlation). They take the probes of a target as independent, so their p is too small. p_holm and "
        "p_bh (Benjamini and Hochberg) are over the pairs of one metric, relation and k: all pairs of models are a family, "
        "and so are all pairs of a model and a person, all with pooled people, and all with a control. Of a series, such as "
        "the checkpoints of a training, the last member is one of the models. " + SCOPE,
        part=PART,
    ),
    Table(
        "contrasts",
        "Relation against relation",
        "Within each agent, on the targets that it has answered under both relations a and b: the values of a target "
        "averaged over prompts, p as in the tests between agents; targets with a common relatum of either are linked. "
        "p_holm is over the agents.",
        part=PART,
    ),
    Table(
        "chance",
        "AuDC compared with chance",
        "D(r, s) and, without relations, AuDC, on all targets that the agent has answered. chance: the mean if the "
        "relations of a target's relata are dealt out to them at random, which is what an agent reaches with the "
        "same words if they are related to the target, whatever their relation; p: how often this gives as much "
        "(one-sided, 500 deals); chance_high: the bound to this p, which one deal of twenty exceeds. A small p does not say "
        "that the agent uses the relation: near words have one "
        "relation more often than in another. pairs: how many pairs of relations AuDC is over, those with enough "
        "targets (relations.choices.minimum_targets); targets: their number, or that of the pair that has the "
        "fewest. Other pairs have no p. p_holm: p adjusted over all distances of the agents of a kind, and over "
        "their AuDC.",
        part=PART,
        step="relation_use",
        columns={
            "relation": "the prompted relation; empty: the row is about AuDC",
            "pairs": "the number of pairs of relations that AuDC is over",
            "targets": "the number of targets or, of AuDC, of targets of the pair that has the fewest",
            "value": "the distance, or AuDC",
            "chance": "the mean if the relations of a target's relata are dealt out to them at random",
            "chance_high": "what one such deal of twenty exceeds: the one-sided 95 % bound of chance",
            "p": "the probability that this gives as much (one-sided)",
            "family": "the distances, or the AuDC, of the agents of a kind",
        },
    ),
    Table(
        "against_last",
        "Which members of a series differ from its last?",
        "Each member of a series against the last one, on the units that all members have. difference: the member minus the "
        "last; p: sign flips over clusters; p_max_t is adjusted for the number of members by the step-down max-T method "
        "(Westfall and Young), which knows how alike they are, or where targets are linked by Holm's. A member differs if "
        "p_max_t is below 0.05. Where it is not, the member may differ all the same: the data do not show it. Among the "
        "models, the last member represents its series.",
        part=PART,
        step="trends",
        needs="ordered",
        columns={
            "place": "the place of the member, such as its training step",
            "last": "the last member of the series",
            "value_last": "the mean of the last member",
            "difference": "the member minus the last",
            "p_max_t": "p, adjusted for the number of members by the step-down max-T method",
        },
    ),
    Table(
        "series",
        "All values along series",
        "What the figures along series show: a row per member, metric and relation, over the study's units. The rows "
        "without a place are people, and the control with the highest value of those that the last member meets.",
        part=PART,
        step="series",
        needs="ordered",
        columns={
            "place": "the place of the member, such as its training step; empty: of people and controls",
            "label": "the place, as the figures write it",
            "variant": "raw: the member's own answers; mapped, shuffled and untrained: of a layer after a map; people; "
            "control",
        },
    ),
    Table(
        "size_differences",
        "Largest minus smallest model, per relation",
        "With the paired test between the two (Table D2 of the paper). significant: p < 0.05, not adjusted, by the test "
        "that the config's key inference names.",
        part=PART,
        step="comparisons",
        columns={
            "family": "the family of models",
            "larger": "the largest model of the family",
            "smaller": "the smallest model of the family",
            "value_larger": "the mean of the larger",
            "value_smaller": "the mean of the smaller",
            "difference": "the largest minus the smallest model",
        },
    ),
    Table(
        "size_reversals",
        "Where a smaller model beats the next larger",
        "Significantly better smaller models among neighbours in size (Table D3 of the paper): p < 0.05, raw and adjusted "
        "by the methods of Holm and of Benjamini and Hochberg, by the test that the config's key inference names; _paper: "
        "by the paper's test, raw.",
        part=PART,
        step="comparisons",
        columns={
            "family": "the family of models",
            "models": "the number of models of the family with a size",
            "pairs": "the number of pairs of a model and the next larger one",
            "smaller_wins": "the number of pairs that the smaller model wins (p < 0.05 by the test that inference names)",
        },
    ),
    Table(
        "wins_by_type",
        "Masked models that beat causal ones",
        "Pairs of a masked and a causal model, asked in one way, in which one is significantly better (Table 8 of the "
        "paper): p < 0.05, raw and adjusted by the methods of Holm and of Benjamini and Hochberg, by the test that the "
        "config's key inference names; _paper: by the paper's test, raw.",
        part=PART,
        step="comparisons",
        columns={
            "pairs": "the number of pairs of a masked and a causal model",
            "masked_wins": "the number of pairs that the masked model wins (p < 0.05 by the test that inference names)",
            "causal_wins": "the number of pairs that the causal model wins (p < 0.05 by the test that inference names)",
        },
    ),
    Table(
        "frequency",
        "Does word frequency explain the results?",
        "Spearman's correlation of values with frequencies (wordfreq): of the target, of its relata (mean, maximum), or "
        "of the tuple's two words (mean, absolute difference); Figure E5 of the paper. scale: raw, the share of the "
        "language's words, or zipf, its logarithm (relations.choices.frequency). p takes the tuples of a target as "
        "independent; p_holm is over the agents.",
        part=PART,
        step="comparisons",
        columns={
            "units": "the number of targets (of tuples for symmetry and asymmetry) with a frequency",
            "units_without": "the number of those without",
            "unknown_words": "the number of words without a frequency",
            "scale": "raw: the share of the language's words; zipf: its logarithm",
            "rho": "Spearman's correlation of values with frequencies",
        },
    ),
)
