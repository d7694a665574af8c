"""What studies show of agents with layers, where these are vectors: the declarations of their figures and tables."""

from relprobe.report.shown import Figure, Table

LAYERS = "layers_"
"""The beginning of the name of a figure along layers; its metric follows."""
LAYER_BY_LAYER = "Layer by layer"
"""The part of a page that has the tables of agents with layers."""
RAW_STATES = "raw: the states of the layer, as they are"
_TREND = {
    "series": "the agent with layers",
    "members": "the number of layers that were asked",
    "first": "the first layer",
    "last": "the last layer",
    "value_first": "the mean after the first layer",
    "value_last": "the mean after the last layer",
    "slope": "by how much the mean changes from one layer to the next that was asked",
}
"""The columns of tests along layers."""


def _table(name: str, title: str, caption: str, columns: dict[str, str]) -> Table:
    return Table(name, title, caption, part=LAYER_BY_LAYER, columns=columns, step="layers", needs="layers")


AGAINST_LAST = _table(
    "against_last",
    "Which layers differ from the last?",
    "Each layer against the last one. difference: the layer minus the last; p_max_t is adjusted for the number of "
    "layers by the step-down max-T method (Westfall and Young), which knows how alike they are. A layer differs if p_max_t "
    "is below 0.05. Where it is not, the layer may differ all the same: the data do not show it.",
    {
        **_TREND,
        "place": "the layer",
        "last": "the agent of the last layer",
        "difference": "the layer minus the last",
        "p_max_t": "p, adjusted for the number of layers by the step-down max-T method",
    },
)
ALL_VALUES = _table(
    "series",
    "All values along the layers",
    "What the figures of layers show. The rows without a place are the control with the highest value.",
    {
        "axis": "what the places are: layers",
        "place": "the layer; empty: of a control",
        "label": "the layer, as the figures write it",
        "variant": f"{RAW_STATES}; or control",
    },
)


def layer_figure(metric: str, title: str, what: str, needs: str = "") -> Figure:
    """Return the figure of a metric along the layers. `what`: what is measured; `needs`: what a run needs besides layers."""
    return Figure(
        f"{LAYERS}{metric}",
        f"{title} after each layer",
        f"{what} A line per agent with layers; layer 0 is the embeddings, which know nothing of the words around a word. "
        "The grey dashed line is the best control. A line says what can be read from the states of a layer, and not that "
        "the network uses it.",
        table="series",
        needs=f"layers {needs}".strip(),
    )


def of_layers(what: str, units: str, halves: str) -> tuple[Table, ...]:
    """Return the tables of agents with layers (`stats.series.layer_tables`), for studies that read vectors of layers.

    `what`: what is measured after each layer; `units`: what values are over; `halves`: what a half is of.
    """
    return (
        _table(
            "layers",
            "Layer by layer",
            f"{what} Layer 0 is the embeddings, which know nothing of the words around a word: a control. A value says what "
            "can be read from the states of a layer, and not that the network uses it.",
            {"layer": "the layer: 0 is the embeddings, the greatest the last layer", "variant": RAW_STATES},
        ),
        _table(
            "trends",
            "Does the value rise or fall along the layers?",
            f"slope: by how much the value changes on average from one layer to the next that was asked, over {units} that "
            "all layers have, with its 95 % interval and p, as in the tests between agents; there is no p below six "
            "clusters. first and last: the numbers of the first and the last layer.",
            _TREND,
        ),
        _table(
            "halves",
            "After which layer is half of the last value reached?",
            f"half: the two asked layers between which half of {halves} is reached first. What is between them is not "
            "known: half_at is where the line that is drawn from one to the other reaches it. low and high: the layers that "
            "the 95 % interval begins and ends at, for this reader. It is half of the last value, with which the model "
            "itself goes on, and not of the highest: value_highest is chosen from all layers, and so too high by chance. "
            "There is a place only where the last layer is above the first (95 % interval) and above each control: p_holm "
            "of the two is below 0.05, and the lower bound of its mean is above the control's mean over all items; note "
            "says what is missing.",
            {
                **_TREND,
                "reader": "what reads the states of a layer",
                "value_highest": "the highest mean of a layer",
                "highest_at": "the layer that has it",
                "control": "the control that is best over all items",
                "control_value": "its mean over all items",
                "half": "between which layers half is reached first",
                "half_at": "where the line that is drawn between these two reaches it",
            },
        ),
        AGAINST_LAST,
        ALL_VALUES,
    )
