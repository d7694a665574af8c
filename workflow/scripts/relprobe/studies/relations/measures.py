"""What the metrics of the study are: a Measure for each that method.py or counts.py computes, for all that read it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import polars as pl

from relprobe.core.metric import Metric
from relprobe.studies.relations.counts import first_related, left_out, misses, unrelated
from relprobe.studies.relations.method import completeness, distinguishability, prototypicality, reciprocity, soundness

RECIPROCITY = "[as/s]ymmetry"
"""The paper's name for symmetry on symmetric relations and asymmetry on the others, merged into one metric."""


@dataclass(frozen=True)
class Measure(Metric):
    """A metric of this study.

    Every metric has averages and a column of the overview. A metric with a title also has a figure of bars, a figure of
    model sizes, and rows in the sensitivity tables; with a test as well, it enters the comparisons between models.
    `choices`: the fields of method.Choices that change the values, and RELATA if the relatum sets do. `has_human_gold`: the
    gold standard is the responses of humans, so that only a run with these has the metric, and not for every prompt of a
    target. `compared_as`: the name in comparisons between models, where these merge several metrics. `printed`: the
    paper's name of the average over all probes alike, if the paper prints that.
    """

    choices: tuple[str, ...] = ()
    has_human_gold: bool = False
    compared_as: str = ""
    printed: str = ""

    @property
    def needs(self) -> str:
        """What a run must have for its figures: people's answers, if the metric compares with them."""
        return "people" if self.has_human_gold else ""


RELATA = "relata"
"""The choice of a metric whose values change with the relatum sets."""
TARGET_KEY = ("target",)
PROMPTS = "prompt_id"
PROBE_KEY = ("target", PROMPTS)
TUPLE_KEY = ("target", "relatum")
SET_FREQUENCIES = ("target", "relata_mean", "relata_max")
PAIR_FREQUENCIES = ("pair_mean", "pair_difference")
SHARED_RELATA = "relata"
"""Links of targets: the relata of the prompted relation."""
RELATED_WORDS = "related words"
"""Links of targets: the relata of any relation."""

FREQUENCIES = {
    "target": "target",
    "relata_mean": "mean of the relata",
    "relata_max": "most frequent relatum",
    "pair_mean": "mean of target and relatum",
    "pair_difference": "difference of target and relatum",
}
"""What a metric can be correlated with -> its name in figures: the frequency of the target; the mean and the maximum over
its relatum set; the mean of a tuple's two words, as two common words may be easier, and their absolute difference, as a word
that is far more common may be. A metric says which of these it is correlated with."""

DISTINGUISHABILITY = Measure(
    "distinguishability",
    test=None,
    unit=PROBE_KEY,
    crossed=PROMPTS,
    item=TARGET_KEY,
    items="targets",
    links=(SHARED_RELATA,),
    linked_by="a relatum",
    choices=("ties", "rank", RELATA),
)
"""Its values are ranks of other relations' relata. distances.py makes distances between relations of them (Eq. 26)."""
AUDC = Measure("audc", title="AuDC", test=None, items="target words", clusters="target words")
"""The sum of the distances: one number per agent (Eq. 28). The paper has no test of it (section 7.3); areas.py has."""
AUDC_PRINTED = Measure("audc_printed", title="AuDC as printed", test=None)
"""AuDC of distances that are cut off at 0 and compare means over different targets, as Eq. 26 is printed."""

MEASURES_OF: Mapping[Callable[..., pl.DataFrame], tuple[Measure, ...]] = {
    soundness: (
        Measure(
            "soundness",
            title="Soundness",
            caption="The share of probes whose top answer has the prompted relation to the target *(Eq. 11 and 12; Figure 4 "
            "of the paper)*.",
            test="McNemar",
            unit=PROBE_KEY,
            crossed=PROMPTS,
            item=TARGET_KEY,
            items="targets",
            links=(SHARED_RELATA,),
            linked_by="a relatum",
            frequencies=SET_FREQUENCIES,
            choices=("ties", RELATA),
        ),
    ),
    completeness: (
        Measure(
            "completeness",
            share=True,
            title="Completeness",
            caption="The share of the relatum set found among the first |Y| answers *(Eq. 13 and 14; Figure 5 of the "
            "paper)*.",
            unit=TARGET_KEY,
            crossed=PROMPTS,
            item=TARGET_KEY,
            items="targets",
            links=(SHARED_RELATA,),
            linked_by="a relatum",
            frequencies=SET_FREQUENCIES,
            choices=("ties", "recall", RELATA),
        ),
    ),
    reciprocity: (
        Measure(
            "symmetry",
            title="Symmetry",
            caption="How often the agent answers v to w and w to v, for pairs of the symmetric relations *(Eq. 15 and 16; "
            "Figures 6a, B1, B2 of the paper)*. A pair counts once, whichever way round it is written.",
            test="McNemar",
            unit=("target", "relatum", PROMPTS),
            crossed=PROMPTS,
            item=TUPLE_KEY,
            items="pairs",
            cluster=("cluster",),
            clusters="groups of linked pairs",
            links=TUPLE_KEY,
            linked_by="a word",
            cutoffs=True,
            frequencies=PAIR_FREQUENCIES,
            choices=("ties",),
            compared_as=RECIPROCITY,
        ),
        Measure(
            "asymmetry",
            title="Asymmetry",
            caption="How often it answers v to w but not w to v, for tuples of the other relations, whose reverse probe is "
            "a trick *(Eq. 17 and 18; Figures 6b, B1, B2 of the paper)*. An agent that never finds v has none.",
            test="McNemar",
            unit=("target", "relatum", PROMPTS),
            crossed=PROMPTS,
            item=TUPLE_KEY,
            items="tuples",
            cluster=TARGET_KEY,
            clusters="targets",
            links=TUPLE_KEY,
            linked_by="a word",
            cutoffs=True,
            frequencies=PAIR_FREQUENCIES,
            choices=("ties",),
            compared_as=RECIPROCITY,
        ),
    ),
    prototypicality: (
        Measure(
            "prototypicality",
            share=True,
            title="Prototypicality",
            caption="How near the ranking comes to the humans': half for the same top word, half for the edit similarity "
            "*(Eq. 20 to 23; Figure 7 of the paper)*.",
            unit=TARGET_KEY,
            crossed=PROMPTS,
            item=TARGET_KEY,
            items="targets",
            links=(SHARED_RELATA,),
            linked_by="a relatum",
            frequencies=("target",),  # the gold standard is no relatum set (footnote 24)
            choices=("gold",),
            has_human_gold=True,
        ),
    ),
    unrelated: (
        Measure(
            "unrelated",
            less_is_better=True,
            share=True,
            test=None,
            unit=PROBE_KEY,
            crossed=PROMPTS,
            item=TARGET_KEY,
            items="targets",
            links=(SHARED_RELATA,),
            linked_by="a relatum",
            printed="responses of unrelated words alone (share)",
        ),
    ),
    first_related: (
        Measure(
            "first_related",
            less_is_better=True,
            test=None,
            unit=PROBE_KEY,
            crossed=PROMPTS,
            item=TARGET_KEY,
            items="targets",
            links=(RELATED_WORDS,),
            linked_by="a related word",
            printed="rank of the first related word",
        ),
    ),
    misses: (
        Measure(
            "misses",
            less_is_better=True,
            share=True,
            test=None,
            unit=PROBE_KEY,
            crossed=PROMPTS,
            item=TARGET_KEY,
            items="targets",
            links=(RELATED_WORDS,),
            linked_by="a related word",
        ),
    ),
    left_out: tuple(
        Measure(
            name,
            less_is_better=True,
            share=True,
            test=None,
            unit=PROBE_KEY,
            crossed=PROMPTS,
            item=TARGET_KEY,
            items="targets",
        )
        for name in ("no_word", "outside")
    ),
    distinguishability: (DISTINGUISHABILITY,),
}
"""Function -> the metrics that it computes, in the order of tables and pages. A new one is named here."""
MEASURES = tuple(measure for group in MEASURES_OF.values() for measure in group if measure is not DISTINGUISHABILITY)
"""The metrics with a value per probe or tuple, in the order of tables and pages. The `unit` of the paper's test is a probe,
or a tuple under one prompt, where values are 0 or 1; elsewhere it is a target (the averages over prompts, Eq. 13 and 22).
Two targets that share a right answer are not independent of each other, and neither are two pairs or tuples that share a
word, as they share a probe: our tests and intervals know these links (stats/linked.py). The clusters of the sign-flip
test that stands beside them are targets. For symmetry they are groups of pairs that hang together by common words, as a pair
has no first word; the tuples of the other relations would all hang together by a few frequent words."""


def measures_of(function: Callable[..., pl.DataFrame]) -> tuple[Measure, ...]:
    """Return the metrics whose values a function returns."""
    return MEASURES_OF[function]


def with_figures(humans: bool = True) -> list[Measure]:
    """Return the metrics with a title; without those of humans if there are no human responses.

    >>> {measure.name for measure in with_figures()} - {measure.name for measure in with_figures(humans=False)}
    {'prototypicality'}
    """
    return [measure for measure in MEASURES if measure.title and (humans or not measure.has_human_gold)]
