"""The probes of the relations study as multiple-choice tasks of lm-evaluation-harness.

A question is a probe. Its choices are one relatum and words that stand in the same relation to other targets. The harness
takes the likeliest choice, and so does `relprobe score` with the file `candidates.csv`, so the two can be compared.
"""

import json
import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from relprobe.core.errors import DataError
from relprobe.core.files import Parquet, whole_file, whole_folder, write_csv
from relprobe.sources.language import LanguageFile

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
  version: 1.0
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
        write(questions(probes, relata, language.articles.before, seed), folder)


def questions(
    probes: pl.DataFrame, relata: pl.DataFrame, article: Callable[[str], str] | None, seed: int
) -> Iterator[dict[str, Any]]:
    """Yield the question of each main probe whose slot is its end: probe_id, relation, text, choices, and gold, an index.

    `probes` and `relata` are tables of the study. All prompts of a target and relation have the same choices. A wrong one is
    a relatum of another target in the same relation that is in no relatum set of this target; if these are too few, of any
    relation. `article`: word -> its indefinite article, where a probe leaves the article before the slot open: the article
    then belongs to the choice.
    """
    of_target = {
        (target, relation): sorted(words) for target, relation, words in _grouped(relata, "relation").iter_rows()
    }
    related = {target: set(words) for target, words in _grouped(relata).iter_rows()}
    everything = sorted(set(relata["relatum"]))
    pools = {relation: sorted(set(table["relatum"])) for (relation,), table in relata.group_by("relation")}
    for row in probes.filter(pl.col("kind") == "main").sort("probe_id").iter_rows(named=True):
        text, target, relation = row["text"], row["target"], row["relation"]
        right = of_target.get((target, relation))
        if not text.endswith(SLOT) or not right:
            continue
        excluded = related[target] | {target}
        fitting = ([word for word in pool if word not in excluded] for pool in (pools[relation], everything))
        wrong = next((words for words in fitting if len(words) >= OPTIONS - 1), None)
        if wrong is None:
            continue
        draw = random.Random(f"{seed} {relation} {target}")  # noqa: S311 (no cryptography)
        words = [draw.choice(right), *draw.sample(wrong, OPTIONS - 1)]
        order = draw.sample(range(OPTIONS), OPTIONS)
        before = text.removesuffix(SLOT)
        if before.endswith(DETERMINER) and article is not None:
            before = before.removesuffix(DETERMINER)
            words = [f"{article(word)} {word}" for word in words]
        yield {
            "probe_id": row["probe_id"],
            "relation": relation,
            "text": before.rstrip(" "),
            "choices": [words[i] for i in order],
            "gold": order.index(0),
        }


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
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        _write(folder / f"{relation}.jsonl", lines)
        _write(folder / f"relprobe_{relation.lower()}.yaml", TASK.format(name=relation.lower(), relation=relation))
    names = ", ".join(f"relprobe_{relation.lower()}" for relation in by_relation)
    _write(folder / "relprobe.yaml", GROUP.format(tasks=names))
    _write(folder / "utils.py", UTILS)
    write_csv(candidates(row for rows in by_relation.values() for row in rows), folder / "candidates.csv")


def candidates(asked: Iterable[Mapping[str, Any]]) -> pl.DataFrame:
    """Return a row per choice, as `relprobe score` reads them: probe_id, relation, text, candidate, right.

    >>> question = {"probe_id": "p", "relation": "HYP", "text": "a robin is", "choices": ["a bird", "a car"], "gold": 0}
    >>> candidates([question]).rows()
    [('p', 'HYP', 'a robin is', 'a bird', True), ('p', 'HYP', 'a robin is', 'a car', False)]
    """
    rows = [
        (one["probe_id"], one["relation"], one["text"], choice, number == one["gold"])
        for one in asked
        for number, choice in enumerate(one["choices"])
    ]
    return pl.DataFrame(rows, schema=["probe_id", "relation", "text", "candidate", "right"], orient="row")


def _write(path: Path, text: str) -> None:
    with whole_file(path) as partial:
        partial.write_text(text, encoding="utf-8")
