"""The figures of the relations study that there are for each metric: bars, ways of asking, sizes, training, frequency."""

from relprobe.report.shown import Figure, Table
from relprobe.studies.relations.measure.measures import AUDC, DISTINGUISHABILITY, MEASURES, Measure, with_figures

BARS = (
    "Best agents on top; a line is the 95 % interval{linked}. A dotted line says that every agent above it differs "
    "significantly from every one below (p < 0.05, not adjusted, as in the paper; two controls are not compared); agents "
    "that no line parts may differ all the same (the paper's footnote 18). Grey agents are controls, which know nothing of "
    "the relation. A white circle is the model's own control: the same probes without the target. The label below names "
    "the test, which the config's key inference chooses. All agents are averaged over the same {items} (n), which do not "
    "depend on who else is there. A star marks an agent that lacks some of them: its value is over the others, whose "
    "number is next to it."
)
LINKED = ", which takes {items} that share {what} as linked"
CUTOFFS = " Each agent has a marker for every cut-off k of its answers, the fuller the larger k."


def _bars(one: Measure) -> Figure:
    linked = LINKED.format(items=one.items, what=one.linked_by)
    caption = f"{one.caption} {BARS.format(items=one.items, linked=linked)}{CUTOFFS if one.cutoffs else ''}"
    return Figure(one.name, one.title, caption, needs=_people(one))


BESIDE = (
    " The black line is people, with their 95 % interval as a band; the grey dashed line is the best control, which knows "
    "nothing of the relation."
)
DISTANCES = (
    " A panel per prompted relation r, and in it a line per other relation s: how much earlier relata of r come than "
    "those of s, D(r, s) (Eq. 26 of the paper). A line near 0 is a confusion."
)
ALONG = {
    "size": (
        "and the size of models",
        "sizes",
        "A line joins the models of a family, whose name is at its end, from the smallest to the largest, on a "
        "logarithmic axis: one that falls is a smaller model that does better than a larger (section 8.6 of the paper). "
        "Families of one size are not shown.",
    ),
    "training": (
        "over training",
        "series",
        "A line joins the checkpoints of a training (series and step in the config, or revisions), which are asked in one "
        "way. The axis is logarithmic; it shows tokens where the names of all checkpoints say these (step1000-tokens4B), "
        "and else steps.",
    ),
    "layers": (
        "after each layer",
        "layers",
        "Answers after each layer of an agent with `layers`; layer 0 are the embeddings, and the last layer is the model as "
        "it is. Dotted: the states of a layer go to the last layer's norm and head as they are. Solid: a linear map brings "
        "them to those of the last layer before. The map is fitted on other text, and it learns: it shows what a linear map "
        "can find in a layer, not what the model uses there. It has three controls: the same map of shuffled pairs (grey, "
        "dash-dotted), the same map from the layers of an untrained network of the same shape, which says what the map and "
        "the words of the prompt give without what training has put into the layers (grey, long dashes), and layer 0.",
    ),
}
"""First word of a figure's name -> the end of its title, what a run needs for it, and what a line is."""


def _along(kind: str, one: Measure) -> Figure:
    """Return the figure of a metric along the series of a kind."""
    end, needs, line = ALONG[kind]
    distances = one.name == DISTINGUISHABILITY.name
    return Figure(
        f"{kind}_{one.name}",
        f"{'Distances between relations' if distances else one.title} {end}",
        line + (DISTANCES if distances else BESIDE),
        needs=f"{needs} {_people(one)}".strip(),
        table="series",
    )


def _over_both(one: Measure) -> Figure:
    """Return the figure of a metric over training and layers at once."""
    return Figure(
        f"training_layers_{one.name}",
        f"{one.title} over training and layers",
        "A row per checkpoint of a training that is asked layer by layer, the first at the bottom, and a column per layer; "
        "the darker, the higher. The answers are those after the map, as in the solid lines of the figure of layers.",
        needs="layers checkpoints",
        table="series",
    )


def _of_frequency(one: Measure) -> Figure:
    return Figure(
        f"frequency_{one.name}",
        f"{one.title} and word frequency",
        "Spearman's correlation of a model's values with word frequency; below 0.3 (pale) the paper calls it negligible "
        "(section 8.8; Figure E5 of the paper). The number after a relation is its n. Empty cells could not be "
        "correlated; the table says why.",
        table="frequency",
        needs=_people(one),
    )


def _people(one: Measure) -> str:
    return "people" if one.of_humans else ""


def _ways(one: Measure) -> Figure:
    return Figure(
        f"ways_{one.name}",
        f"{one.title} by the way of asking",
        "One model, asked in several ways: a row per way. With the bare probe, with examples and in a chat, its "
        "log-probabilities rank the words; as people's task, it writes lists that are read as people's are. A line is the "
        "95 % interval. The black line is people, with their interval as a band, and the grey dashed line is the best "
        f"control. All are averaged over the same {one.items} (n); the table of metrics names agents that lack some. "
        "A difference between two rows is one between ways of asking, and not between models.",
        needs=f"ways {_people(one)}".strip(),
    )


BARS_OF = tuple(_bars(one) for one in with_figures())
LAYERED = [one for one in MEASURES if one.name in ("soundness", "completeness")]
WAYS = (
    *(_ways(one) for one in LAYERED),
    Table(
        "ways",
        "What each way of asking can show",
        "The models that are asked in several ways. lacks: the metrics that another agent of the model has a value of, and "
        "this one has not.",
        needs="ways",
        columns={
            "model": "the model behind the agents",
            "way": "how it is asked",
            "shows": "what the answers can show",
            "cannot_show": "what they cannot show",
            "lacks": "the metrics that other ways of asking the model have values of, and this one has not",
        },
    ),
)
SIZES_OF, TRAINING_OF = (
    tuple(_along(kind, one) for one in (*with_figures(), AUDC, DISTINGUISHABILITY)) for kind in ("size", "training")
)
LAYERS_OF = (
    *(_along("layers", one) for one in (*LAYERED, DISTINGUISHABILITY)),
    *(_over_both(one) for one in LAYERED),
)
FREQUENCIES_OF = tuple(_of_frequency(one) for one in with_figures() if one.frequencies)
