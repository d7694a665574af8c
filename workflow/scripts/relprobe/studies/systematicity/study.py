"""What the systematicity study is, and what its configuration must have beyond its schema."""

from collections.abc import Sequence
from pathlib import Path

from relprobe.core.errors import ConfigError, DataError
from relprobe.core.files import exists, single_file
from relprobe.core.metric import Metric
from relprobe.core.study import Config, Study, Task
from relprobe.sources.own import hyponyms as own_hyponyms
from relprobe.studies.asking import takes_task
from relprobe.studies.entries import check_vectors
from relprobe.studies.letters import LETTERS
from relprobe.studies.systematicity import ask
from relprobe.studies.systematicity.claims import CLAIMS
from relprobe.studies.systematicity.data import RESOURCE, Pattern, flat, own_items, words_of
from relprobe.studies.systematicity.measure import OPEN


def check(config: Config) -> None:
    """Check the categories, carriers, patterns and prompts of the study, and own hyponyms on this machine.

    ConfigError: there is no WordNet or file of prompts; a category is named twice; a carrier, a pattern or a prompt has
    another form; top_k is too low; agents with a task get more categories than there are letters; or a line of own data
    is wrong.
    """
    study = config["systematicity"]
    if "wordnet" not in config["resources"]:
        raise ConfigError("config: systematicity needs resources.wordnet: add it, as config.yaml shows.")
    check_vectors(config)
    names = flat(words_of(study["categories"]))
    twice = next((category for category in names if names.count(category) > 1), None)
    if twice is not None:
        raise ConfigError(f"config: systematicity.categories names {twice!r} twice: leave it out once.")
    if len(names) > len(LETTERS) and any(takes_task(entry, "systematicity") for entry in config["models"].values()):
        raise ConfigError(
            f"config: systematicity.categories has {len(names)} categories, but a choice (`task`) has letters for "
            f"{len(LETTERS)}: leave some out, or name other studies in `studies` of the agents with a task."
        )
    for carrier in study["carriers"]:
        if carrier.count("[W]") != 1:
            raise ConfigError(f"config: systematicity.carriers holds {carrier!r}, which must have one [W]: correct it.")
    for pattern in study["patterns"]:
        Pattern.of(pattern)
    longest = max(OPEN.values())
    if study["top_k"] < longest:
        raise ConfigError(
            f"config: systematicity.top_k is below {longest}, the cut-off of open-vocabulary precision: raise it."
        )
    _check_files(config)


def _check_files(config: Config) -> None:
    """Check the prompts, and own hyponyms where their file is on this machine. ConfigError: a line is wrong."""
    study = config["systematicity"]
    if not exists(study["prompts"]):
        raise ConfigError(f"config: systematicity.prompts names {study['prompts']}, which does not exist: correct it.")
    try:
        ask.read(Path(study["prompts"]))
        if (own := single_file(config["resources"].get(RESOURCE, {}).get("path"))) is not None:
            own_items(own_hyponyms.read(own), words_of(study["categories"]), own, study["plurals"])
    except DataError as error:
        raise ConfigError(str(error)) from None


def metrics() -> Sequence[Metric]:
    """Return the metrics of the study."""
    from relprobe.studies.systematicity.measure import MEASURES

    return MEASURES


STUDY = Study(
    check=check,
    metrics=metrics,
    claims=CLAIMS,
    controls=("majority", "static", "nearest", "control"),
    task=Task("complete", ("complete", "verify", "verify_plural")),
    example=4,  # a hyponym and its category, in the singular and in the plural
    sentences=True,
    layers=True,
    unread={"embeddings": ("shots",), "layers": ("shots",)},  # contexts are embedded without examples before them
    hidden_states=lambda _config: True,  # which the classifiers of every model read
)
