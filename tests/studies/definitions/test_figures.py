import polars as pl
from relprobe.studies.definitions.conditions import names
from relprobe.studies.definitions.figures import draw
from relprobe.studies.definitions.metrics import MEASURES, METRICS
from relprobe.studies.definitions.schemas import AVERAGES

AVERAGES_ = pl.DataFrame(
    [
        (agent, metric.name, condition, 0.5, 0.25, 0.75, 2, 2, 2, False, None)
        for metric in METRICS
        for condition in names()
        for agent in ("random", "bert")
    ],
    schema=AVERAGES,
    orient="row",
)


def test_agents_are_drawn_in_the_order_of_the_averages_and_without_values_last():
    figures = dict(draw(AVERAGES_, {"bert": "masked", "late": "causal", "random": "baseline"}))
    assert list(figures) == [*(measure.figure for measure in MEASURES), "frequency", "depth"]
    bars, *_ = figures["precision"].axes
    assert [label.get_text() for label in bars.get_yticklabels()] == ["random", "bert", "late"]
    assert [text.get_text() for text in bars.texts] == ["0.50", "0.50", "missing"]
    (legend,) = figures["depth"].legends
    assert [text.get_text() for text in legend.get_texts()] == ["random", "bert", "late"]
    assert [axis.get_title(loc="left") for axis in figures["depth"].axes] == [metric.name for metric in METRICS]


def test_parts_of_speech_without_values_have_no_panel():
    verbs = AVERAGES_.filter(pl.col("condition").str.starts_with("verb"))
    figures = dict(draw(verbs, {"bert": "masked", "random": "baseline"}, ["precision", "frequency"]))
    assert list(figures) == ["precision", "frequency"]
    assert [axis.get_title(loc="left") for axis in figures["precision"].axes] == ["W2D, verbs", "D2W, verbs"]
    assert figures["frequency"].get_supxlabel() == "frequency of the verb"
