"""The choices of an agent that takes people's task, in the metrics of the study."""

import polars as pl

from relprobe.studies.letters import readable
from relprobe.studies.systematicity.measure.metrics import PAIRED, VERIFIED
from relprobe.studies.systematicity.schemas import COMPLETE, METRICS, VERIFY, Items, Metrics, ReplyChoices

ANSWER = ["set", "hyponym", "order", "sample"]
"""What answers of a hyponym in several diagnostics share, which are measured together."""


def choice_metrics(choices: ReplyChoices, item_table: Items) -> Metrics:
    """Measure the choices of an agent. A value is the share of right answers of a hyponym, over all orders and samples.

    - singular, plural, contextual: the category that completes the sentence is the right one.
    - singular_plural, aggregate: the answers of all parts are right, in the same order and sample (Table 2).
    - verified_singular, verified_plural: yes to the right category and no to the foil, in the same order and sample. Who
      always says the same has 0.

    The agent chooses among the categories, so that it has no open answers, no scores of sentences, and no states for a
    classifier. An answer that cannot be read is a wrong one; a task of which too many cannot be read (`letters.readable`)
    has no values.

    >>> about = {"set": "own", "hyponym": "robin", "task": "complete", "sample": 1, "choice": "bird"}
    >>> answers = [("singular", 1, True), ("plural", 1, True), ("singular", 2, True), ("plural", 2, False)]
    >>> rows = [{**about, "kind": kind, "order": order, "right": right} for kind, order, right in answers]
    >>> items = pl.DataFrame({"set": ["own"], "hyponym": ["robin"], "category": ["bird"]})
    >>> choice_metrics(pl.DataFrame(rows), items).select("metric", "unit", "value").rows()
    [('singular', 'robin', 1.0), ('plural', 'robin', 0.5), ('singular_plural', 'robin', 0.5)]
    """
    choices = readable(choices)
    if choices.is_empty():
        return pl.DataFrame(schema=METRICS)
    complete, verify = (choices.filter(task=task) for task in (COMPLETE, VERIFY))
    parts = [(str(kind), rows) for (kind,), rows in complete.group_by("kind", maintain_order=True)]
    kinds = {kind for kind, _ in parts}
    parts += [
        (name, _all_right(complete.filter(pl.col("kind").is_in(of)), len(of)))
        for name, of in PAIRED.items()
        if set(of) <= kinds
    ]
    parts += [
        (VERIFIED[str(kind)], _all_right(rows, 2)) for (kind,), rows in verify.group_by("kind", maintain_order=True)
    ]
    shares = [
        rows.group_by("set", "hyponym", maintain_order=True).agg(metric=pl.lit(name), value=pl.col("right").mean())
        for name, rows in parts
    ]
    table = pl.concat(shares).join(
        item_table.select("set", "hyponym", "category"), on=["set", "hyponym"], how="left", maintain_order="left"
    )
    return table.select("metric", condition="set", unit="hyponym", cluster="category", value="value").cast(METRICS)  # type: ignore[arg-type]


def _all_right(rows: pl.DataFrame, answers: int) -> pl.DataFrame:
    """Return whether all of so many answers in one order and sample are right, where the agent was asked for all of them."""
    together = rows.group_by(ANSWER, maintain_order=True).agg(pl.col("right").all(), pl.len())
    return together.filter(len=answers).drop("len")
