"""What the relations study is, and what its configuration must have beyond its schema."""

import difflib
from collections import Counter
from collections.abc import Mapping, Set
from pathlib import Path
from typing import Any

import polars as pl

from relprobe.core.errors import ConfigError, DataError
from relprobe.core.files import exists, read_parquet, single_file
from relprobe.core.relation import Relations, augment
from relprobe.core.study import Config, Study, Targets, Task
from relprobe.core.values import ValueColumns
from relprobe.sources import human_responses
from relprobe.sources.exported import Layout
from relprobe.sources.language import cases, has_articles
from relprobe.sources.own import tuples as own_tuples
from relprobe.sources.relations import read as read_relations
from relprobe.studies.examples import read as read_examples
from relprobe.studies.relations import prompts as prompt_files
from relprobe.studies.relations.claims import CLAIMS
from relprobe.studies.relations.probes import premise
from relprobe.studies.relations.prompts import Prompt
from relprobe.studies.relations.run import in_run
from relprobe.studies.relations.shots import relation_examples
from relprobe.studies.relations.tuples import default_candidates, probes_and_answers, read_candidates, read_words

EXAMPLE = 2
"""The number of words of a solved example: target and relatum."""
LISTED = ("words", "candidates")
"""The answers that are words of lists, of any number of tokens."""


def check(config: Config) -> None:
    """Check that the resources and files that the relations study names are there."""
    study = config["relations"]
    _check_sources(config)
    _check_answers_asked(config)
    for key in ("prompts", "relations", "language"):
        if not exists(study[key]):
            raise ConfigError(f"config: relations.{key} names {study[key]}, which does not exist: correct it.")
    try:
        entries, asked = _read(*(Path(study[key]) for key in ("relations", "prompts", "language")))
        _check_examples(config, entries, {prompt.relation for prompt in asked})
        _check_answers(study, entries, asked)
        _check_own_tuples(config, entries)
        _check_people(config, entries, asked)
    except DataError as error:
        raise ConfigError(f"config: {error}") from error
    _check_sample(study.get("wordnet_sample", {}).get("tuples", {}), entries, study["relations"])
    for probe in study["shown_probes"]:
        _check_shown(probe, study["prompts"], [prompt.id for prompt in asked])


def _check_sources(config: Config) -> None:
    """Check that the panel of the lexicon, and the resources of the tuples and of their expansion, are there."""
    study = config["relations"]
    if "lexicon" not in config and study["answers"] not in LISTED:
        raise ConfigError("config: relations needs lexicon.panel, the models whose common words it asks for: add it.")
    needed = {study["expansion"], *study["tuples"]} - {"none"}
    for resource in sorted(needed - set(config["resources"])):
        raise ConfigError(f"config: relations needs resources.{resource}: add it, as config.yaml shows.")
    for source in ("wordnet", "wn_lmf"):
        if source in study["tuples"] and "wordnet_sample" not in study:
            raise ConfigError(
                f"config: relations.tuples names {source}, but there is no relations.wordnet_sample: add it."
            )


def _check_answers_asked(config: Config) -> None:
    """Check that the models can be asked for the answers that are chosen, and that these go with the other choices."""
    study = config["relations"]
    if study["answers"] in LISTED:
        remedy = "choose answers: tokens, or leave the study out of its `studies`"
        _check_words(config["models"], f"answers is {study['answers']}", remedy)
    if "word_sample" in study:
        _check_word_sample(config)
    if study["calibrate"] == "premise" and study["answers"] != "candidates":
        raise ConfigError(
            "config: relations.calibrate is premise, but models are asked the prompts without their targets for "
            "`answers: candidates` alone: choose that, or calibrate: prior."
        )
    _check_layers(config)
    stored = "top_words" if study["answers"] == "words" else "top_k"
    if study["answers"] != "candidates" and max(study["choices"]["symmetry_k"]) > study[stored]:
        raise ConfigError(
            f"config: relations.choices.symmetry_k goes beyond relations.{stored}: raise {stored} or lower it."
        )


def _check_layers(config: Config) -> None:
    """Check that agents with `layers` can be asked, and have text for their maps. ConfigError: see the sentences."""
    study = config["relations"]
    names = [name for name, entry in config["models"].items() if "layers" in entry and _answers(entry)]
    if names and study["answers"] in LISTED:
        raise ConfigError(
            f"config: models.{names[0]} has `layers`, but relations.answers is {study['answers']}, and words of any length "
            "are not asked layer by layer: choose answers: tokens or lexicon, or leave the agent out."
        )
    source = study["layers"]["map"]
    if names and source == "wordnet" and "wordnet" not in config["resources"]:
        raise ConfigError(
            f"config: models.{names[0]} has `layers`, whose maps are fitted on the glosses of resources.wordnet, which is "
            "missing: add it, or name a text file or none in relations.layers.map."
        )
    if source not in ("wordnet", "none") and not (exists(source) and Path(source).is_file()):
        raise ConfigError(f"config: relations.layers.map names {source}, which is no file: correct it, or write none.")


def _check_word_sample(config: Config) -> None:
    """Check the sample of probes that are answered with words of any length, too. ConfigError: it cannot be."""
    study, sample = config["relations"], config["relations"]["word_sample"]
    if study["answers"] in LISTED:
        raise ConfigError(
            f"config: relations.word_sample stands beside answers: tokens or lexicon, but answers is {study['answers']}: "
            "take word_sample out."
        )
    models = config["models"]
    for name in sample.get("models", []):
        if name not in models or not _answers(models[name]) or "task" in models[name]:
            raise ConfigError(
                f"config: relations.word_sample.models names {name!r}, which is no model that answers the probes of this "
                "study: correct it."
            )
    asked = {name: models[name] for name in sample.get("models", models)}
    _check_words(asked, "word_sample is there", "name other models in word_sample.models")
    _check_word_list(study["word_list"], lemmas=study["expansion"] != "none")


def _read(relations: Path, prompts_file: Path, language: Path) -> tuple[Relations, list[Prompt]]:
    """Return the relations and the prompts, which must be about these relations, in words of the language."""
    entries, asked = read_relations(relations), prompt_files.read(prompts_file)
    prompt_files.check(prompts_file, asked, entries.codes, articles=has_articles(language), cases=cases(language))
    return entries, asked


def _check_own_tuples(config: Config, relations: Relations) -> None:
    """Check own tuples that lie on this machine, under the path that the user wrote. DataError: a line is wrong."""
    file = single_file(config["resources"].get("own_tuples", {}).get("path"))
    if "own_tuples" in config["relations"]["tuples"] and file is not None:
        own_tuples.read(file, relations.codes)


def _check_people(config: Config, relations: Relations, asked: list[Prompt]) -> None:
    """Check people's answers in a file on this machine. DataError: a line is wrong, or its prompt is unknown."""
    entry = config["resources"].get("human_responses", {})
    file, layout = single_file(entry.get("path")), Layout.of(entry)
    if file is None:
        if layout is not None:
            layout.check(human_responses.ANSWER_TABLE)
        return
    if "sha256" in entry and not human_responses.is_table(file):
        return  # it is the file that was read when its checksum was written
    human_responses.read(file, relations.answer_keys, layout=layout)
    if human_responses.is_table(file):
        human_responses.check_prompts(file, relations, prompt_files.names_of(asked), layout)


def size(config: Config) -> tuple[int, int] | None:
    """Return the probes of a study, and the answers that a model gives to all of them, where they are known before a run.

    They are known of own tuples alone, and, as the most that there can be, of a sample of WordNet whose targets share no
    relatum. `config`: a validated one. With closed lists a model gives an answer for each candidate of a probe; the words
    that WordNet adds to such lists do not count.
    """
    study, path = config["relations"], single_file(config["resources"].get("own_tuples", {}).get("path"))
    relations, asked = read_relations(Path(study["relations"])), prompt_files.read(Path(study["prompts"]))
    numbers = Counter(prompt.relation for prompt in asked)
    per_target = {relation: -(-number // study["prompt_parts"]) for relation, number in numbers.items()}
    if study["tuples"] == ["own_tuples"] and path is not None:
        tuples = own_tuples.read(path, relations.codes)
        words = None
        if study["answers"] == "candidates":
            file = study["candidates"].get("path")
            table = default_candidates(augment(tuples, relations.inverse), tuples.clear())
            listed = read_candidates(Path(file), relations.codes) if file else table
            words = dict(listed.group_by("relation").agg(pl.col("word").n_unique()).iter_rows())
        return probes_and_answers(tuples, relations, Counter(per_target).elements(), words)
    if study["answers"] == "candidates" or not _is_disjoint(study):
        return None
    drawn = _disjoint_targets(study["wordnet_sample"]["tuples"], relations)
    number_of_targets = {code: row.number for code, row in drawn.items()}
    most = sum(
        number * sum(number_of_targets.get(code, 0) for code in {relation, relations.inverse[relation]})
        for relation, number in per_target.items()
    )
    return most, most


def targets(config: Config) -> Mapping[str, Targets]:
    """Return relation -> its targets, of own tuples alone, or of a sample whose targets share no relatum; else none.

    Own targets count as `linked_items` of the file's relata; what a lexical resource adds to these may link more of them.
    `config`: a validated one.
    """
    study, path = config["relations"], single_file(config["resources"].get("own_tuples", {}).get("path"))
    relations, asked = read_relations(Path(study["relations"])), prompt_files.read(Path(study["prompts"]))
    if study["tuples"] == ["own_tuples"] and path is not None:
        numbers = _own_targets(augment(own_tuples.read(path, relations.codes), relations.inverse))
    elif _is_disjoint(study):
        numbers = _disjoint_targets(study["wordnet_sample"]["tuples"], relations)
    else:
        numbers = {}
    return {code: numbers[code] for code in dict.fromkeys(prompt.relation for prompt in asked) if code in numbers}


def _is_disjoint(study: Mapping[str, Any]) -> bool:
    """Return whether the tuples of a section are a sample of one source whose targets share no relatum."""
    return len(study["tuples"]) == 1 and not study.get("wordnet_sample", {}).get("shared_relata", True)


def _own_targets(tuples: pl.DataFrame) -> dict[str, Targets]:
    """Return relation -> its targets in TUPLES, with their reverses."""
    from relprobe.stats import linked_items

    counts = {}
    for (relation,), rows in tuples.group_by("relation"):
        items, words = (rows[name].rank("dense").cast(pl.Int64).to_numpy() - 1 for name in ("target", "relatum"))
        number = rows["target"].n_unique()
        counts[str(relation)] = Targets(number, linked_items(items, words, number).effective)
    return counts


def _disjoint_targets(sizes: Mapping[str, int], relations: Relations) -> dict[str, Targets]:
    """Return relation -> the targets of so many tuples that share no relatum, in the relation and its inverse.

    Both words of a symmetric pair are targets; they may share relata, so that a pair counts as one at least.
    """
    counts = {}
    for relation, size in sizes.items():
        for code in (relation, relations.inverse[relation]):
            counts[code] = Targets(2 * size if code in relations.symmetric else size, size)
    return counts


def _check_examples(config: Config, relations: Relations, asked: Set[str]) -> None:
    """Check that all relations with prompts have examples, if an agent has `shots`. DataError: one has none."""
    names = [name for name, entry in config["models"].items() if "shots" in entry and _answers(entry)]
    if names:
        file = Path(config["prompting"]["examples"])
        examples = read_examples(file, "relations", EXAMPLE)
        for relation in sorted(asked):
            try:
                relation_examples(examples, relation, relations.inverse)
            except DataError as error:
                raise DataError(f"models.{names[0]} has `shots`, but {file} lacks examples: {error}") from error


def _answers(entry: dict[str, Any]) -> bool:
    """Return whether an agent answers the probes of this study."""
    return "relations" in entry.get("studies", ["relations"])


def _check_sample(sizes: dict[str, int], relations: Relations, file: str) -> None:
    """Check that WordNet gives tuples of the relations that are sampled."""
    sampled = [
        relation.code for relation in relations.entries if relation.wordnet is not None and relation.wordnet.tuples
    ]
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


def _check_answers(study: dict[str, Any], relations: Relations, asked: list[Prompt]) -> None:
    """Check the words that may be answers. ConfigError, DataError: there are none, or a file is wrong."""
    if study["answers"] == "words":
        _check_word_list(study["word_list"], lemmas=study["expansion"] != "none")
    if study["answers"] == "candidates" and "path" in study["candidates"]:
        path = _existing("candidates.path", study["candidates"]["path"])
        listed = set(read_candidates(path, relations.codes)["relation"])
        for prompt in asked:
            if prompt.relation not in listed:
                raise DataError(
                    f"{path} has no candidates for {prompt.relation}, which has prompts: add lines, or take its prompts out."
                )
    if study["calibrate"] == "premise":
        for prompt in asked:
            if premise(prompt) is None:
                raise DataError(
                    f"relations.calibrate is premise, but the prompt {prompt.id!r} has no words beside its target: take it "
                    "out, or choose calibrate: prior."
                )


def _check_word_list(entry: dict[str, Any], *, lemmas: bool) -> None:
    """Check the word list. ConfigError, DataError: it is empty, or its file is wrong.

    `lemmas`: there is a lexical resource.
    """
    if "path" in entry:
        read_words(_existing("word_list.path", entry["path"]))
    elif not entry["frequent"] and not (entry["lemmas"] and lemmas):
        raise ConfigError(
            "config: relations.word_list has no words: name a file with `path`, or take `frequent` words or lemmas."
        )
    if entry["expressions"] and not entry["lemmas"]:
        raise ConfigError(
            "config: relations.word_list.expressions takes lemmas of several words, but `lemmas` is false: make it true, or "
            "write your expressions into a file that `path` names."
        )


def _existing(key: str, path: str) -> Path:
    """Return the path of a file. ConfigError: it does not exist."""
    if not Path(path).is_file():
        raise ConfigError(f"config: relations.{key} names {path}, which is no file: correct it.")
    return Path(path)


def _check_words(models: dict[str, Any], reason: str, remedy: str) -> None:
    """Check that all models can rank words of any length. ConfigError: one is behind a server, or answers in words.

    `reason` and `remedy`: what the error says of why they must, and what to do.
    """
    for name, entry in models.items():
        key = "endpoint" if "endpoint" in entry else "chat: answer" if entry.get("chat") == "answer" else None
        if key and _answers(entry) and "task" not in entry:
            raise ConfigError(
                f"config: relations.{reason}, which needs the network and the slot in its sentence, but models.{name} has "
                f"`{key}`: {remedy}."
            )


def links(folder: Path) -> Mapping[str, pl.DataFrame]:
    """Return the tables of links of targets that share a relatum. `folder`: the study's folder of results."""
    from relprobe.studies.relations.averages import linked_by

    return linked_by(read_parquet(folder / "relata.parquet")).links


STUDY = Study(
    check=check,
    claims=CLAIMS,
    controls=("majority", "frequency", "neighbours", "without-target", "typical", "nearest"),
    takes=("agent_table", "DERIVED_TABLES", "TABLES_READ", "left_out", "published"),
    task=Task("list"),
    example=EXAMPLE,
    layers=True,
    unread={"task": ("orders",)},  # lists of words have no options that have an order
    size=size,
    targets=targets,
    groups=("relation", "k"),
    values=ValueColumns(("relation", "versus", "k"), ("target", "relatum", "prompt_id"), ("cluster", "target")),
    links=links,
    in_run=in_run,
)
