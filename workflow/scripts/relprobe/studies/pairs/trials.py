"""The trials of the pairs study: which word every agent ranks first for each target, and what it picked in words."""

from collections.abc import Iterator
from typing import Any

import polars as pl

from relprobe.paper.trials import TRIALS, Trials, as_trials
from relprobe.stats.controls import owner
from relprobe.studies.pairs.chat import PICK, absence
from relprobe.studies.pairs.method import by_prompt, pair_name
from relprobe.studies.pairs.prompts import PromptFile
from relprobe.studies.pairs.schemas import Items, Judgments, ReplyChoices

RANK = "rank"
"""The task of agents whose scores rank the pairs of a target."""
DASH = "–"


def trials(
    judgments: list[Judgments],
    item_table: Items,
    prompts: PromptFile,
    reply_choices: dict[str, ReplyChoices] | None = None,
) -> Trials:
    """Return a trial for each target that an agent ranks, per prompt, and for each question which word is related.

    The answer is the pair with the highest score, missing where several have it; it is right if the pair is, and
    between 0 and 1 if right and wrong ones tie. The rank is that of the best right pair. The controls of one model are
    left out.
    """
    rows: list[dict[str, Any]] = []
    for table in judgments:
        for (agent,), of_agent in table.group_by("agent", maintain_order=True):
            if owner(str(agent)) is None:
                rows += _ranked(str(agent), of_agent, item_table)
    for model, choices in (reply_choices or {}).items():
        picks = choices.filter(task=PICK)
        if picks.height and absence(picks) is None:
            rows += _picked(f"{model} {PICK}", picks, prompts)
    texts = {prompt.id: prompt.statement for of in prompts.of_relations.values() for prompt in of}
    columns = ("agent", "task", "relation", "condition", "prompt", "target", "respondent", "answer", "right", "rank")
    schema = {name: TRIALS[name] for name in (*columns, "candidates")}
    written = pl.col("prompt").replace_strict(
        {name: text.replace("[W]", DASH) for name, text in texts.items()}, return_dtype=pl.String
    )
    table = pl.DataFrame(rows, schema=schema).with_columns(
        prompt_text=written, relation_name="relation", item=pl.format("{}: {}", "condition", "target")
    )
    return as_trials(table.with_columns(cluster="target"), study="pairs", counted=True)


def _ranked(agent: str, judgments: Judgments, items: Items) -> Iterator[dict[str, Any]]:
    for (condition,), of_condition in items.group_by("condition", maintain_order=True):
        labelled = of_condition.filter(pl.col("label").is_not_null())
        for prompt, table in by_prompt(judgments, labelled):
            for (target,), pairs in table.group_by("target", maintain_order=True):
                if pairs["score"].null_count() or not 0 < pairs["label"].sum() < pairs.height:
                    continue
                best = pairs.filter(pl.col("score") == pl.col("score").max())
                right = pairs.filter("label")["score"].max()
                yield {
                    "agent": agent,
                    "task": RANK,
                    "relation": pairs["relation"][0],
                    "condition": condition,
                    "prompt": prompt,
                    "target": target,
                    "respondent": None,
                    "answer": best.select(pair_name()).item() if best.height == 1 else None,
                    "right": best["label"].mean(),
                    "rank": 1 + pairs.filter(pl.col("score") > right).height,
                    "candidates": pairs.height,
                }


def _picked(agent: str, picks: ReplyChoices, prompts: PromptFile) -> Iterator[dict[str, Any]]:
    for row in picks.iter_rows(named=True):
        yield {
            "agent": agent,
            "task": PICK,
            "relation": row["relation"],
            "condition": row["condition"],
            "prompt": prompts.of_relations[row["relation"]][0].id,
            "target": row["first"],
            "respondent": f"order {row['order']}, sample {row['sample']}",
            "answer": row["choice"] or None,
            "right": float(row["choice"] == row["second"]),
            "rank": None,
            "candidates": len(row["shown"]),
        }
