"""The trials of the pairs study: which word every agent picks for each target, by its scores, in words, or as people do."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl

from relprobe.core.manifest import only_file
from relprobe.paper.trials import TRIALS, Trials, as_trials
from relprobe.sources.exported import Layout
from relprobe.sources.own import judged_pairs
from relprobe.studies.pairs.chat import JUDGE, PICK, absence
from relprobe.studies.pairs.data import PEOPLE
from relprobe.studies.pairs.method import by_prompt, chosen_share, options
from relprobe.studies.pairs.people import HUMANS
from relprobe.studies.pairs.prompts import PromptFile
from relprobe.studies.pairs.schemas import Items, Judgments, ReplyChoices

DASH = "–"
RATERS_NAME = "raters"
"""The agent of the trials of those whose judgments say what is right."""


def trials(
    judgments: list[Judgments],
    item_table: Items,
    prompts: PromptFile,
    reply_choices: dict[str, ReplyChoices] | None = None,
    answers: Path | None = None,
    *,
    layout: dict[str, Any] | None = None,
) -> Trials:
    """Return a trial for each choice that a target gives (`method.choices`), per prompt, and for each answer in words.

    The answer of an agent with scores is the word with the highest one, missing where several have it; it is right if the
    word is, and between 0 and 1 if right and wrong ones tie. The rank is that of the right word. `answers` and `layout`:
    the manifest of people's table and what the configuration says of it, where it has further columns; each of their
    judgments is a trial then.
    """
    rows: list[dict[str, Any]] = []
    picked = {name: table.filter(task=PICK) for name, table in (reply_choices or {}).items()}
    picked = {name: table for name, table in picked.items() if table.height and absence(table) is None}
    for table in judgments:
        for (agent,), agent_judgments in table.group_by("agent", maintain_order=True):
            if agent not in picked:  # people who have chosen words
                rows += _by_scores(str(agent), agent_judgments, item_table)
    for name, picks in picked.items():
        rows += _picked(HUMANS if name == HUMANS else f"{name} {PICK}", picks, prompts)
    texts = {prompt.id: prompt.statement for of in prompts.relation_prompts.values() for prompt in of}
    columns = ("agent", "relation", "condition", "prompt", "target", "respondent", "answer", "right", "rank")
    schema = {name: TRIALS[name] for name in (*columns, "candidates")}
    written = pl.col("prompt").replace_strict(
        {name: text.replace("[W]", DASH) for name, text in texts.items()}, return_dtype=pl.String
    )
    table = pl.DataFrame(rows, schema=schema).with_columns(
        prompt_text=written, relation_name="relation", item=pl.format("{}: {}", "condition", "target")
    )
    chosen = table.with_columns(cluster="target", task=pl.lit(PICK))
    form = Layout.of(layout)
    if answers is None or form is None:
        return as_trials(chosen, study="pairs", counted=True)
    named, judged = _by_people(answers, form, item_table)
    chosen = chosen.join(named, on=["agent", "relation", "target", "respondent"], how="left", maintain_order="left")
    tables = [as_trials(part, study="pairs", counted=True) for part in (chosen, judged)]
    return pl.concat(tables)


def _by_people(manifest: Path, layout: Layout, items: Items) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return what further columns say of people's choices, and the trials of their judgments.

    The number of a person is that of his or her name, in the order of names (`people_choices`).
    """
    resource, with_choices = manifest.stem, manifest.stem == PEOPLE
    rows = [*judged_pairs.read_further(only_file(manifest), resource, layout, answers=with_choices)]
    numbers = {name: number for number, name in enumerate(sorted({answer.rater for answer, _ in rows}), 1)}
    agent = HUMANS if with_choices else RATERS_NAME
    labels = dict(zip(items.select("relation", "first", "second").rows(), items["label"], strict=True))
    chosen, judged = [], []
    for answer, cells in rows:
        answer_columns = {
            "agent": agent,
            "relation": answer.relation,
            "target": answer.target,
            "respondent": f"person {numbers[answer.rater]}",
            "further": json.dumps(cells, ensure_ascii=False),
        }
        if answer.chosen:
            chosen.append(answer_columns)
        pair = answer.relation, answer.target, answer.candidate
        if pair not in labels or (answer.label is None and answer.rating is None):
            continue
        judgment = answer.rating if answer.label is None else ("no", "yes")[answer.label]
        right = None if answer.label is None or labels[pair] is None else float(answer.label == labels[pair])
        words = {"answer": str(judgment), "right": right, "relation_name": answer.relation, "cluster": answer.target}
        item = f"{answer.relation}: {answer.target}, {answer.candidate}"
        judged.append({**answer_columns, **words, "item": item, "task": JUDGE})
    texts = dict.fromkeys(("agent", "relation", "target", "respondent", "further"), pl.String())
    schema = {name: TRIALS[name] for name in (*texts, "answer", "right", "relation_name", "cluster", "item", "task")}
    return pl.DataFrame(chosen, schema=texts), pl.DataFrame(judged, schema=schema)


def _by_scores(agent: str, judgments: Judgments, items: Items) -> Iterator[dict[str, Any]]:
    for (condition,), condition_items in items.group_by("condition", maintain_order=True):
        labelled = condition_items.filter(pl.col("label").is_not_null())
        for prompt, table in by_prompt(judgments, labelled):
            for (target,), pairs in table.group_by("target", maintain_order=True):
                if pairs["score"].null_count() or not 0 < pairs["label"].sum() < pairs.height:
                    continue
                shown = options(pairs)
                if shown.height < 2:
                    continue
                best = shown.filter(pl.col("score") == pl.col("score").max())
                right = shown.filter("label")["score"].max()
                yield {
                    "agent": agent,
                    "relation": pairs["relation"][0],
                    "condition": condition,
                    "prompt": prompt,
                    "target": target,
                    "respondent": None,
                    "answer": best["second"].item() if best.height == 1 else None,
                    "right": chosen_share(shown),
                    "rank": 1 + shown.filter(pl.col("score") > right).height,
                    "candidates": shown.height,
                }


def _picked(agent: str, picks: ReplyChoices, prompts: PromptFile) -> Iterator[dict[str, Any]]:
    for row in picks.iter_rows(named=True):
        yield {
            "agent": agent,
            "relation": row["relation"],
            "condition": row["condition"],
            "prompt": prompts.relation_prompts[row["relation"]][0].id,
            "target": row["first"],
            "respondent": f"person {row['sample']}"
            if agent == HUMANS
            else f"order {row['order']}, sample {row['sample']}",
            "answer": row["choice"] or None,
            "right": float(row["choice"] == row["second"]),
            "rank": None,
            "candidates": len(row["shown"]),
        }
