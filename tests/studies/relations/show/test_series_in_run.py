"""The tables and figures along series that the step of a run makes of its files."""

from dataclasses import replace

import polars as pl
from relprobe.studies.relations.analyses.series import (
    SeriesFiles,
    SeriesSettings,
    figures,
    last_layers_with_controls,
    make_exhibits,
)
from relprobe.studies.relations.averages import averages_of
from relprobe.studies.relations.figures import Drawing
from relprobe.studies.relations.method import GoldStandard
from relprobe.studies.relations.schemas import AVERAGES, PAIRS, PROBES

from tests.studies.relations.compare.test_analyses import NOTHING_SHARED
from tests.studies.relations.compare.test_layers import GPT, right
from tests.studies.relations.compare.test_series_figures import (
    FAMILIES,
    LAYERS,
    MODELS,
    SIZES,
    lines,
    table_of,
    with_layers,
)
from tests.studies.relations.six import SIX


def test_the_step_draws_and_lists_agents_layers_and_trends_of_a_run():
    """The last layer of a checkpoint stands for it along the training, beside people and the best control."""
    averages = averages_of({"humans": right(8), "frequency": right(2)}, relations=SIX)
    gold = GoldStandard(
        pl.DataFrame(schema=PROBES),
        NOTHING_SHARED,
        pl.DataFrame(schema=NOTHING_SHARED.schema),
        pl.DataFrame({"word": []}),
        SIX,
    )
    tests = last_layers_with_controls({}, {}, {}, NOTHING_SHARED)
    files = SeriesFiles(
        gold=gold, pairs=pl.DataFrame(schema=PAIRS), tests=tests, averages=averages, metrics_by_layer={"gpt": GPT}
    )
    settings = SeriesSettings(
        along={},
        networks={},
        checkpoints={"step": {"gpt": {"gpt": 9.0}}},
        people=["humans"],
        controls=["frequency"],
        targets="own",
    )
    drawing = Drawing(
        averages, tests, SIX, ["layers_soundness"], ["humans"], {}, 5, controls=["frequency"], layered={"gpt": "causal"}
    )
    made = make_exhibits(files, drawing, settings)
    assert set(made.tables) == {"layers", "trends", "against_last", "halves", "series"}
    sounds = made.tables["layers"].filter(metric="soundness", variant="mapped").sort("layer")
    assert sounds["value"].to_list() == [1 / 8, 0.5, 1.0]
    training = made.tables["series"].filter(axis="step", metric="soundness")
    assert training.select("agent", "variant", "place", "value").rows() == [
        *(("gpt", "raw", 9.0, 1.0), ("humans", "people", None, 1.0), ("frequency", "control", None, 0.25))
    ]
    ((name, draw),) = made.figures
    assert name == "layers_soundness"
    assert [axis.get_title("left") for axis in draw().axes] == ["hypernymy"]
    alone = make_exhibits(replace(files, metrics_by_layer=None), drawing, replace(settings, checkpoints=None))
    assert "layers" not in alone.tables
    assert alone.tables["series"].is_empty()


def test_the_figures_of_a_run_are_drawn_from_its_table_with_its_relations_cutoff_and_looks():
    """The table has the values; a name has the axis and the metric. Agents that are asked layer by layer have a look too."""
    layers = with_layers(*(row for row in LAYERS if row[1] == "raw"))
    training = table_of(
        *(("m-0", metric, "HYP", k, value) for metric, k, value in (("soundness", None, 0.1), ("symmetry", 5, 0.2))),
        ("m-0", "symmetry", "HYP", 1, 0.9),
        ("m-0", "soundness", "SYN", None, 0.3),
    )
    names = ["size_symmetry", "size_soundness", "training_soundness", "training_symmetry", "layers_soundness"]
    names += ["training_layers_soundness", "training_layers_audc"]
    drawing = Drawing(
        *(pl.DataFrame(schema=AVERAGES), None, SIX, names, ["o", "m-0"], MODELS),
        k=5,
        families=FAMILIES,
        layered={"m-1000": "causal"},
    )
    table = pl.concat([SIZES.filter(agent="o"), training, layers])
    made = {name: make() for name, make in figures(drawing, {"series": table})}
    assert list(made) == names
    said = {name: [text.get_text() for text in figure.texts] for name, figure in made.items() if not figure.axes}
    assert said == {
        "size_symmetry": ["No member of a series has values of symmetry."],
        "training_layers_audc": ["No checkpoint that is asked layer by layer has values of audc."],
    }
    assert [lines(axis) for axis in made["size_soundness"].axes] == [{"O": ([1.3e9], [0.2])}, {"O": ([1.3e9], [0.6])}]
    colour = next(line.get_color() for line in made["size_soundness"].axes[0].get_lines() if line.get_label() == "O")
    assert colour == made["size_soundness"].axes[1].get_lines()[-1].get_color()
    assert [axis.get_title("left") for axis in made["training_soundness"].axes] == ["hypernymy", "synonymy"]
    assert lines(made["training_soundness"].axes[0]) == {"m": ([0, 1000], [0.1, 0.4])}  # 0.4 is that of the last layer
    assert lines(made["training_symmetry"].axes[0]) == {"m": ([0], [0.2])}  # at k = 5, not at 1
    assert lines(made["layers_soundness"].axes[0]) == {"m-1000": ([0, 3, 30], [0.0, 0.1, 0.4])}
    assert [text.get_text() for text in made["training_layers_soundness"].axes[0].texts] == [".00", ".10", ".40"]
