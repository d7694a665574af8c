"""What the configuration of the relations study must have beyond its schema."""

import difflib
from pathlib import Path
from typing import Any

from relprobe.core.errors import ConfigError, DataError
from relprobe.core.files import exists
from relprobe.studies.relations.prompts import read


def check(config: dict[str, Any]) -> None:
    """Check that the resources and files that the relations study names are there."""
    study = config["relations"]
    if "lexicon" not in config and study["answers"] != "words":
        raise ConfigError("config: relations needs lexicon.panel, the models whose common words it asks for: add it.")
    for resource in sorted({"wordnet", *study["tuples"]} - set(config["resources"])):
        raise ConfigError(f"config: relations needs resources.{resource}: add it, as config.yaml shows.")
    if "wordnet" in study["tuples"] and "wordnet_sample" not in study:
        raise ConfigError("config: relations.tuples names wordnet, but there is no relations.wordnet_sample: add it.")
    stored = "top_words" if study["answers"] == "words" else "top_k"
    if max(study["choices"]["symmetry_k"]) > study[stored]:
        raise ConfigError(
            f"config: relations.choices.symmetry_k goes beyond relations.{stored}: raise {stored} or lower it."
        )
    if not exists(study["prompts"]):
        raise ConfigError(f"config: relations.prompts names {study['prompts']}, which does not exist: correct it.")
    for probe in study["shown_probes"]:
        _check_shown(probe, study["prompts"])


def _check_shown(probe: str, prompts: str) -> None:
    """Check the prompt of a shown probe; whether its target is asked about is known once the tuples are."""
    try:
        ids = [prompt.id for prompt in read(Path(prompts))]
    except DataError as error:
        raise ConfigError(f"config: {error}") from error
    prompt = probe.rpartition(":")[0]
    if prompt not in ids:
        near = difflib.get_close_matches(prompt, ids, 1)
        hint = f"did you mean {near[0]}:…?" if near else f"write PROMPT:TARGET with a prompt of {prompts}."
        raise ConfigError(f"config: relations.shown_probes names {probe!r}, but there is no prompt {prompt!r}: {hint}")


def sizes_differ(models: dict[str, Any]) -> bool:
    """Say whether any family of models has two sizes, so that there is something to compare.

    >>> sizes_differ({"base": {"family": "BERT", "size": 1.1e8}, "large": {"family": "BERT", "size": 3.4e8}})
    True
    """
    entries = [entry for entry in models.values() if {"family", "size"} <= set(entry)]
    sizes = {(entry["family"], float(entry["size"])) for entry in entries}
    return len(sizes) > len({family for family, _ in sizes})
