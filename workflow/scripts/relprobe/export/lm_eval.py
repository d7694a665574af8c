"""The probes of the relations study as multiple-choice tasks of lm-evaluation-harness.

A question is a probe. Its choices are one relatum and words that stand in the same relation to other targets. The harness
takes the likeliest choice, and so does `relprobe score` with the file `candidates.csv`, so the two can be compared.
"""

import json
import logging
import random
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from relprobe.core.errors import DataError
from relprobe.core.files import Parquet, whole_folder, write_csv, write_text
from relprobe.core.sums import ordered_sum
from relprobe.sources.language import Articles, LanguageFile

logger = logging.getLogger("relprobe")
OPTIONS = 4
"""The number of choices of a question."""
SLOT, DETERMINER = "[V]", "[DET] "
UTILS = '''"""Reads the questions of a task from the file beside this one."""

import json
from pathlib import Path

import datasets


def questions(relation, **_):
    lines = (Path(__file__).parent / f"{relation}.jsonl").read_text(encoding="utf-8").splitlines()
    return {"test": datasets.Dataset.from_list([json.loads(line) for line in lines])}
'''
TASK = """task: relprobe_{name}
custom_dataset: !function utils.questions
dataset_kwargs:
  relation: {relation}
test_split: test
output_type: multiple_choice
doc_to_text: "{{{{text}}}}"
doc_to_choice: choices
doc_to_target: gold
target_delimiter: " "
metric_list:
  - metric: acc
    aggregation: mean
    higher_is_better: true
  - metric: acc_norm
    aggregation: mean
    higher_is_better: true
metadata:
  version: 2.0
  blind_accuracy: {blind:.3f}
"""
GROUP = """group: relprobe
task: [{tasks}]
aggregate_metric_list:
  - metric: acc
    weight_by_size: true
metadata:
  version: 1.0
"""


def lm_eval(probes: Parquet, relata: Parquet, language: LanguageFile, out: Path, *, seed: int = 1) -> None:
    """Write the probes of the relations study as tasks of lm-evaluation-harness, with choices that the seed draws."""
    with whole_folder(out) as folder:
        write(questions(probes, relata, language.articles, seed), folder)


def questions(probes: pl.DataFrame, relata: pl.DataFrame, articles: Articles, seed: int) -> Iterator[dict[str, Any]]:
    """Yield the question of each main probe whose slot is its end.

    A question has probe_id, relation, text, choices, gold (an index), and targets, the number of targets that have each
    choice as a relatum.

    `probes` and `relata` are tables of the study. All prompts of a target and relation have the same choices. A wrong one is
    a relatum of another target in the same relation that is in no relatum set of this target; if these are too few, of any
    relation. A word is wrong as often as it is right (`commonness`), so that its frequency does not tell which it is.
    `articles`: those of the language. Where a probe leaves the article before the slot open, that of a word, in the case of
    the prompt, belongs to the choice.
    """
    right_words = {
        (target, relation): sorted(words) for target, relation, words in _grouped(relata, "relation").iter_rows()
    }
    related = {target: set(words) for target, words in _grouped(relata).iter_rows()}
    everything = commonness(relata)
    pools = {str(relation): commonness(table) for (relation,), table in relata.group_by("relation")}
    for row in probes.filter(pl.col("kind") == "main").sort("probe_id").iter_rows(named=True):
        text, target, relation = row["text"], row["target"], row["relation"]
        right = right_words.get((target, relation))
        if not text.endswith(SLOT) or not right:
            continue
        excluded = related[target] | {target}
        pool = next(
            (pool for pool in (pools[relation], everything) if len(pool.keys() - excluded) >= OPTIONS - 1), None
        )
        if pool is None:
            continue
        wrong = {word: entry for word, entry in pool.items() if word not in excluded}
        draw = random.Random(f"{seed} {relation} {target}")  # noqa: S311 (no cryptography)
        chosen = draw.choices(right, [1 / pools[relation][word].targets for word in right])
        words = [*chosen, *_weighted_sample(wrong, draw)]
        order = draw.sample(range(OPTIONS), OPTIONS)
        targets = [pool[words[i]].targets for i in order]
        head = text.removesuffix(SLOT)
        if head.endswith(DETERMINER) and articles.before is not None:
            head = head.removesuffix(DETERMINER)
            texts = [variant["text"].removeprefix(head).removesuffix(SLOT).strip() for variant in row["variants"]]
            forms = dict(
                zip(articles.weights, texts, strict=True)
            )  # each article makes a variant, in the prompt's case
            words = [f"{forms[articles.before(word)]} {word}" for word in words]
        yield {
            "probe_id": row["probe_id"],
            "relation": relation,
            "text": head.rstrip(" "),
            "choices": [words[i] for i in order],
            "gold": order.index(0),
            "targets": targets,
        }


class Common(NamedTuple):
    """How common a word is: the targets that have it as a relatum, and its weight as a wrong choice."""

    targets: int
    weight: float


def commonness(relata: pl.DataFrame) -> dict[str, Common]:
    """Return word -> how common it is, in the order of the words.

    The right choice of a target is one of its relata, in proportion to 1 / targets, so that the commonest words are not the
    right ones of most targets. The sum of these chances says how often a word is right. It can be wrong only for the targets
    that do not have it: its weight is that sum over the share of these, so that it is wrong as often as three right words.

    >>> rows = [("robin", "bird"), ("wren", "bird"), ("wren", "animal"), ("oak", "tree")]
    >>> {word: tuple(one) for word, one in commonness(pl.DataFrame(rows, ["target", "relatum"], orient="row")).items()}
    {'animal': (1, 1.0), 'bird': (2, 4.0), 'tree': (1, 1.5)}
    """
    sets = relata.select("target", "relatum").unique().with_columns(targets=pl.len().over("relatum"))
    number = sets["target"].n_unique()
    chance = (1 / pl.col("targets")) / ordered_sum(1 / pl.col("targets")).over("target")
    words = sets.with_columns(right=chance).group_by("relatum").agg(ordered_sum("right"), pl.col("targets").first())
    return {
        word: Common(targets, right * number / max(number - targets, 1))  # what all targets have is wrong for none
        for word, right, targets in words.sort("relatum").iter_rows()
    }


def _weighted_sample(pool: Mapping[str, Common], draw: random.Random) -> list[str]:
    """Draw the wrong choices, different words, one after the other by their weights."""
    left, chosen = {word: entry.weight for word, entry in pool.items()}, []
    for _ in range(OPTIONS - 1):
        (word,) = draw.choices(list(left), list(left.values()))
        chosen.append(word)
        del left[word]
    return chosen


def blind_accuracy(asked: Collection[Mapping[str, Any]]) -> float:
    """Return how often the choice that most targets have is right: what an agent gets that never reads the question.

    Equally common choices share a question.

    >>> blind_accuracy([{"targets": [3, 1, 1, 1], "gold": 0}, {"targets": [2, 1, 2, 1], "gold": 2}])
    0.75
    """
    best = [(question["targets"], max(question["targets"]), question["gold"]) for question in asked]
    return sum((targets[gold] == most) / targets.count(most) for targets, most, gold in best) / len(best)


def _grouped(relata: pl.DataFrame, *more: str) -> pl.DataFrame:
    return relata.group_by("target", *more, maintain_order=True).agg("relatum")


def write(asked: Iterable[Mapping[str, Any]], folder: Path) -> None:
    """Write a task for each relation, the group `relprobe` of them, and candidates.csv. DataError: there is no question."""
    by_relation: dict[str, list[Mapping[str, Any]]] = {}
    for question in asked:
        by_relation.setdefault(question["relation"], []).append(question)
    if not by_relation:
        raise DataError(
            f"no probe of the study makes a multiple-choice question: its slot must be its end, and {OPTIONS - 1} words "
            "must be no relata of its target."
        )
    for relation, rows in by_relation.items():
        blind = blind_accuracy(rows)
        logger.info(
            "%s: who takes the commonest choice is right in %.3f, and who guesses in %.3f", relation, blind, 1 / OPTIONS
        )
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        write_text(lines, folder / f"{relation}.jsonl")
        write_text(
            TASK.format(name=relation.lower(), relation=relation, blind=blind),
            folder / f"relprobe_{relation.lower()}.yaml",
        )
    names = ", ".join(f"relprobe_{relation.lower()}" for relation in by_relation)
    write_text(GROUP.format(tasks=names), folder / "relprobe.yaml")
    write_text(UTILS, folder / "utils.py")
    write_csv(candidates(row for rows in by_relation.values() for row in rows), folder / "candidates.csv")


def candidates(asked: Iterable[Mapping[str, Any]]) -> pl.DataFrame:
    """Return a row per choice, as `relprobe score` reads them: probe_id, relation, text, candidate, right.

    >>> question = {"probe_id": "p", "relation": "HYP", "text": "a robin is", "choices": ["a bird", "a car"], "gold": 0}
    >>> candidates([question]).rows()
    [('p', 'HYP', 'a robin is', 'a bird', True), ('p', 'HYP', 'a robin is', 'a car', False)]
    """
    rows = [
        (question["probe_id"], question["relation"], question["text"], choice, number == question["gold"])
        for question in asked
        for number, choice in enumerate(question["choices"])
    ]
    return pl.DataFrame(rows, schema=["probe_id", "relation", "text", "candidate", "right"], orient="row")
