"""The figures of the relations study that there are for each metric: bars, sizes of models, training, and word frequency."""

from relprobe.report.shown import Figure
from relprobe.studies.relations.measure.measures import AUDC, Measure, with_figures

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


def _bars(one: Measure) -> Figure:
    linked = LINKED.format(items=one.items, what=one.linked_by)
    caption = f"{one.caption} {BARS.format(items=one.items, linked=linked)}{CUTOFFS if one.cutoffs else ''}"
    return Figure(one.name, one.title, caption, needs=_people(one))


def _of_sizes(one: Measure) -> Figure:
    return Figure(
        f"size_{one.name}",
        f"{one.title} and the size of models",
        "A line joins the models of a family, whose name stands at its end, from the smallest to the largest: one that "
        "falls is a smaller model that does better than a larger (section 8.6). Models without family or size in the "
        "config are not shown.",
        needs=f"sizes {_people(one)}".strip(),
    )


def _of_training(one: Measure) -> Figure:
    return Figure(
        f"training_{one.name}",
        f"{one.title} over training",
        "A line joins the checkpoints of a training (series and step in the config, or revisions), which are asked in one "
        "way.",
        needs=f"series {_people(one)}".strip(),
    )


def _of_frequency(one: Measure) -> Figure:
    return Figure(
        f"frequency_{one.name}",
        f"{one.title} and word frequency",
        "Spearman's correlation of a model's values with word frequency; below 0.3 (pale) the paper calls it negligible "
        "(section 8.8; Figure E5). Below a relation stands its n. Empty cells could not be correlated; the table says why.",
        table="frequency",
        needs=_people(one),
    )


def _people(one: Measure) -> str:
    return "people" if one.of_humans else ""


BARS_OF = tuple(_bars(one) for one in with_figures())
SIZES_OF = tuple(_of_sizes(one) for one in (*with_figures(), AUDC))
TRAINING_OF = tuple(_of_training(one) for one in (*with_figures(), AUDC))
FREQUENCIES_OF = tuple(_of_frequency(one) for one in with_figures() if one.frequencies)
