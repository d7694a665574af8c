"""What the analogies study is, and what its configuration must have beyond its schema."""

from collections.abc import Mapping, Sequence
from typing import Any

from relprobe.core.errors import ConfigError, DataError
from relprobe.core.files import single_file
from relprobe.core.metric import Metric
from relprobe.core.study import Config, Needs, StandIn, Study, Task
from relprobe.studies.analogies.ask import Template, check_pair_template
from relprobe.studies.analogies.claims import CLAIMS
from relprobe.studies.analogies.data import DEMONSTRATION, OWN, own


def check(config: Config) -> None:
    """Check the templates of the analogies study, the names of the encoders, and own analogies on this machine.

    ConfigError: a template has another form, an encoder has the name of a model, or a line of own data is wrong.
    """
    for name in (OWN, DEMONSTRATION):
        try:
            if (file := single_file(config["resources"].get(name, {}).get("path"))) is not None:
                own(file)
        except DataError as error:
            raise ConfigError(str(error)) from None
    Template.of(config["analogies"]["template"])
    for name in config["analogies"].get("supervised", {}).get("layers", {}):
        if name not in config["models"]:
            raise ConfigError(f"config: analogies.supervised.layers names {name!r}, which is no model: correct it.")
    for name, entry in config["encoders"].items():
        if name in config["models"]:
            raise ConfigError(f"config: encoders.{name} has the name of a model: rename one of them.")
        if "template" in entry:
            check_pair_template(entry["template"], entry.get("pooling", ""), f"config: encoders.{name}.template")


def classifier_layer(config: Mapping[str, Any], agent: str) -> Any:
    """Return what the section says of an agent by its name: the layer that its classifiers read."""
    return config.get("analogies", {}).get("supervised", {}).get("layers", {}).get(agent)


def metrics() -> Sequence[Metric]:
    """Return the metrics of the study."""
    from relprobe.studies.analogies.measure import MEASURES

    return MEASURES


STUDY = Study(
    check=check,
    metrics=metrics,
    claims=CLAIMS,
    controls=("static",),
    task=Task("continue"),
    needs=Needs(
        "bats",
        "get BATS 3.0 at https://vecto.space/projects/BATS and name its folder, or the archive's url and sha256, "
        "under resources.bats, or a CSV file of your own analogies as resources.own_analogies.path",
        own=OWN,
        stand_in=StandIn("demonstration", DEMONSTRATION, "BATS 3.0"),
    ),
    example=4,  # two pairs that are related alike
    sentences=True,
    layers=True,
    unread={"embeddings": ("shots",), "layers": ("shots",)},  # sentences are embedded without examples before them
    agent_settings=classifier_layer,
    hidden_states=lambda _config: True,  # which the classifiers of every model read
)
