"""What the configuration of the relations study must have beyond its schema."""

import difflib
from collections.abc import Set
from pathlib import Path
from typing import Any

from relprobe.core.errors import ConfigError, DataError
from relprobe.core.files import exists
from relprobe.core.relation import Relations
from relprobe.sources.language import has_articles
from relprobe.sources.relations import read as read_relations
from relprobe.studies.examples import read as read_examples
from relprobe.studies.relations import prompts
from relprobe.studies.relations.shots import of_relation


def check(config: dict[str, Any]) -> None:
    """Check that the resources and files that the relations study names are there."""
    study = config["relations"]
    if "lexicon" not in config and study["answers"] != "words":
        raise ConfigError("config: relations needs lexicon.panel, the models whose common words it asks for: add it.")
    needed = {study["expansion"], *study["tuples"]} - {"none"}
    for resource in sorted(needed - set(config["resources"])):
        raise ConfigError(f"config: relations needs resources.{resource}: add it, as config.yaml shows.")
    for source in ("wordnet", "wn_lmf"):
        if source in study["tuples"] and "wordnet_sample" not in study:
            raise ConfigError(
                f"config: relations.tuples names {source}, but there is no relations.wordnet_sample: add it."
            )
    if study["answers"] == "words":
        _check_words(config["models"])
    stored = "top_words" if study["answers"] == "words" else "top_k"
    if max(study["choices"]["symmetry_k"]) > study[stored]:
        raise ConfigError(
            f"config: relations.choices.symmetry_k goes beyond relations.{stored}: raise {stored} or lower it."
        )
    for key in ("prompts", "relations", "language"):
        if not exists(study[key]):
            raise ConfigError(f"config: relations.{key} names {study[key]}, which does not exist: correct it.")
    try:
        entries, asked = _read(*(Path(study[key]) for key in ("relations", "prompts", "language")))
        _check_examples(config, entries, {prompt.relation for prompt in asked})
    except DataError as error:
        raise ConfigError(f"config: {error}") from error
    _check_sample(study.get("wordnet_sample", {}).get("tuples", {}), entries, study["relations"])
    for probe in study["shown_probes"]:
        _check_shown(probe, study["prompts"], [prompt.id for prompt in asked])


def _read(relations: Path, prompts_file: Path, language: Path) -> tuple[Relations, list[prompts.Prompt]]:
    """Return the relations and the prompts, which must be about these relations, in words of the language."""
    entries, asked = read_relations(relations), prompts.read(prompts_file)
    prompts.check(prompts_file, asked, entries.codes, articles=has_articles(language))
    return entries, asked


def _check_examples(config: dict[str, Any], relations: Relations, asked: Set[str]) -> None:
    """Check that all relations with prompts have examples, if an agent has `shots`. DataError: one has none."""
    names = [name for name, entry in config["models"].items() if "shots" in entry and _answers(entry)]
    if names:
        file = Path(config["prompting"]["examples"])
        known = read_examples(file, "relations")
        for relation in sorted(asked):
            try:
                of_relation(known, relation, relations.inverse)
            except DataError as error:
                raise DataError(f"models.{names[0]} has `shots`, but {file} lacks examples: {error}") from error


def _answers(entry: dict[str, Any]) -> bool:
    """Say whether an agent answers the probes of this study."""
    return "relations" in entry.get("studies", ["relations"])


def _check_sample(sizes: dict[str, int], relations: Relations, file: str) -> None:
    """Check that WordNet gives tuples of the relations that are sampled."""
    sampled = [one.code for one in relations.entries if one.wordnet is not None and one.wordnet.tuples]
    for code in sizes:
        if code not in sampled:
            raise ConfigError(
                f"config: relations.wordnet_sample.tuples names {code}, which has no `wordnet: {{tuples: true}}` in "
                f"{file}: known are {', '.join(sampled)}."
            )


def _check_shown(probe: str, prompts: str, ids: list[str]) -> None:
    """Check the prompt of a shown probe; whether its target is asked about is known once the tuples are."""
    prompt = probe.rpartition(":")[0]
    if prompt not in ids:
        near = difflib.get_close_matches(prompt, ids, 1)
        hint = f"did you mean {near[0]}:…?" if near else f"write PROMPT:TARGET with a prompt of {prompts}."
        raise ConfigError(f"config: relations.shown_probes names {probe!r}, but there is no prompt {prompt!r}: {hint}")


def place(entry: dict[str, Any]) -> dict[str, Any]:
    """Return what the figures over size and over training need of an agent: type, family, size, series and step.

    Agents that are asked in other ways are families and series of their own, so that like is compared with like:

    >>> place({"model": "gpt2", "type": "causal", "family": "GPT-2", "shots": 3})
    {'type': 'causal', 'family': 'GPT-2, shots 3'}
    """
    placed: dict[str, Any] = {key: entry[key] for key in ("type", "family", "size", "series", "step") if key in entry}
    ways = [f"{key} {entry[key]}".lower() for key in ("shots", "chat", "task") if key in entry]
    ways += ["context"] if "context" in entry else []
    return placed | {key: ", ".join([placed[key], *ways]) for key in ("family", "series") if key in placed}


def sizes_differ(models: dict[str, Any]) -> bool:
    """Say whether any family of models has two sizes, so that there is something to compare.

    >>> sizes_differ({"base": {"family": "BERT", "size": 1.1e8}, "large": {"family": "BERT", "size": 3.4e8}})
    True
    """
    entries = [entry for entry in models.values() if {"family", "size"} <= set(entry)]
    sizes = {(entry["family"], float(entry["size"])) for entry in entries}
    return len(sizes) > len({family for family, _ in sizes})


def has_series(models: dict[str, Any]) -> bool:
    """Say whether any two agents are checkpoints of one training.

    >>> has_series({"one": {"series": "gpt", "step": 1}, "two": {"series": "gpt", "step": 2}})
    True
    """
    steps = {(entry["series"], entry["step"]) for entry in models.values() if {"series", "step"} <= set(entry)}
    return len(steps) > len({series for series, _ in steps})


def _check_words(models: dict[str, Any]) -> None:
    """Check that all models can rank words of any length. ConfigError: one is behind a server, or answers in words."""
    for name, entry in models.items():
        key = "endpoint" if "endpoint" in entry else "chat: answer" if entry.get("chat") == "answer" else None
        if key and _answers(entry):
            raise ConfigError(
                f"config: relations.answers is words, which needs the network and the slot in its sentence, but models."
                f"{name} has `{key}`: choose answers: tokens, or leave the study out of models.{name}.studies."
            )
