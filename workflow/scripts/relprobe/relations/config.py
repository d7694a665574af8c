"""What the configuration of the relations study must have beyond its schema."""

from typing import Any

from relprobe.errors import ConfigError
from relprobe.files import exists


def check(config: dict[str, Any]) -> None:
    """Check that the resources and files that the relations study names are there."""
    study = config["relations"]
    if "lexicon" not in config:
        raise ConfigError("config: relations needs lexicon.panel, the models whose common words it asks for: add it.")
    for resource in sorted({"wordnet", *study["tuples"]} - set(config["resources"])):
        raise ConfigError(f"config: relations needs resources.{resource}: add it, as config.yaml shows.")
    if "wordnet" in study["tuples"] and "wordnet_sample" not in study:
        raise ConfigError("config: relations.tuples names wordnet, but there is no relations.wordnet_sample: add it.")
    if max(study["choices"]["symmetry_k"]) > study["top_k"]:
        raise ConfigError("config: relations.choices.symmetry_k goes beyond relations.top_k: raise top_k or lower it.")
    if not exists(study["prompts"]):
        raise ConfigError(f"config: relations.prompts names {study['prompts']}, which does not exist: correct it.")
