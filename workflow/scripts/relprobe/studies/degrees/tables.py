"""The tables of the report: Tables 3 to 6 of the paper for every agent, with the paper's systems below."""

from collections.abc import Iterator, Mapping, Sequence

import polars as pl

from relprobe.studies.degrees.analyses import TEST
from relprobe.studies.degrees.published import QUANTITIES

HERE, PAPER = "this run", "the paper"
KEY = ["agent", "from"]


def all_tables(
    values: Mapping[str, pl.DataFrame],
    summary: pl.DataFrame,
    published: pl.DataFrame,
    gold: pl.DataFrame,
    questions: pl.DataFrame,
) -> Iterator[tuple[str, pl.DataFrame]]:
    """Yield every table by its name."""
    yield "overview", overview(summary, published)
    yield "classes", classes(summary, published, class_order(gold))
    yield "reversals", reversals(summary, published)
    yield "subcategories", subcategories(values)
    yield "data", pl.concat([data(gold, questions), significance(values)])


def class_order(gold: pl.DataFrame) -> list[str]:
    """Return the relation classes of the test subcategories in the order of the task."""
    return gold.filter(~pl.col("training"))["relation_class"].unique(maintain_order=True).to_list()


def overview(summary: pl.DataFrame, published: pl.DataFrame) -> pl.DataFrame:
    """Return Table 3: rho, the number of subcategories where it is significant, and MaxDiff accuracy."""
    names = ["rho", "significant_05", "significant_01", "maxdiff"]
    test = summary.filter(condition=TEST)
    bounds = test.filter(pl.col("metric").is_in(["rho", "maxdiff"]))
    ours = _wide(test, "metric", "value")
    for other in (_wide(bounds, "metric", "low", "_low"), _wide(bounds, "metric", "high", "_high"), _rho_counts(test)):
        ours = ours.join(other, on="agent", how="left", maintain_order="left")
    columns = ["rho", "rho_low", "rho_high", "significant_05", "significant_01", "negative_05", "maxdiff"]
    columns += ["maxdiff_low", "maxdiff_high", "least", "most", "subcategories", "rated", "note"]
    paper = _paper(published.filter(pl.col("condition").is_null()), names)
    table = _with_paper(_columns(ours, columns), paper)
    return table.with_columns(pl.col("^(significant|negative)_0.$").cast(pl.UInt32))


def _rho_counts(test: pl.DataFrame) -> pl.DataFrame:
    """Return how many subcategories have a rho, and a note if some have none: agent, subcategories, note."""
    whole = test.filter(metric="rated").select("agent", all="units")
    with_rho = test.filter(metric="rho").select("agent", subcategories="units")
    both = whole.join(with_rho, on="agent", how="left", maintain_order="left").with_columns(
        pl.col("subcategories").fill_null(0)
    )
    missing = pl.col("all") - pl.col("subcategories")
    note = pl.format("{} subcategories have no rho: equal ratings, or fewer than three pairs rated", missing)
    return both.select("agent", "subcategories", note=pl.when(missing > 0).then(note))


def classes(summary: pl.DataFrame, published: pl.DataFrame, order: Sequence[str]) -> pl.DataFrame:
    """Return Table 4: the average rho per relation class, the classes in this `order`."""
    rows = summary.filter(pl.col("condition").is_in(order), metric="rho")
    theirs = published.filter(pl.col("condition").is_in(order), quantity=QUANTITIES["rho"])
    return _with_paper(
        _columns(_wide(rows, "condition", "value"), order),
        theirs.pivot("condition", index="agent", values="value", maintain_order=True),
    )


def reversals(summary: pl.DataFrame, published: pl.DataFrame) -> pl.DataFrame:
    """Return Tables 5 and 6: rho without and with reversed pairs, and the error in the ranks of reversed pairs."""
    names = ["rho_without_reversals", "rho", "reversal_rmse"]
    ours = _wide(summary.filter(condition=TEST), "metric", "value")
    return _with_paper(_columns(ours, names), _paper(published.filter(pl.col("condition").is_null()), names))


def subcategories(values: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return rho, p and MaxDiff accuracy of every agent on every subcategory."""
    names = ["rho", "p", "maxdiff"]
    parts = []
    for agent, table in values.items():
        rows = table.filter(pl.col("metric").is_in(names), pl.col("condition") != TEST)
        wide = rows.pivot("metric", index=["unit", "condition"], values="value", maintain_order=True)
        about = [pl.lit(agent).alias("agent"), pl.col("unit").alias("subcategory"), pl.col("condition")]
        parts.append(wide.select(*about, *_or_null(names, wide)))
    return pl.concat(parts)


def data(gold: pl.DataFrame, questions: pl.DataFrame) -> pl.DataFrame:
    """Return the size of the data (section 3)."""
    examples = gold.filter(pl.col("reverses").is_null()).group_by("subcategory").len()["len"]
    per_question = questions.group_by("subcategory").agg(pl.col("answers").mean())["answers"]
    kinds = gold.unique(["subcategory", "training"])
    rows = {
        "subcategories": kinds.height,
        "training subcategories": kinds["training"].sum(),
        "pairs": gold.height,
        "reversed pairs": gold["reverses"].count(),
        "pairs per subcategory without reversals, median": examples.median(),
        "pairs per subcategory without reversals, least": examples.min(),
        "pairs per subcategory without reversals, most": examples.max(),
        "MaxDiff questions": questions.height,
        "answers": questions["answers"].sum(),
        "answers per question": questions["answers"].mean(),
        "answers per question, least of a subcategory": per_question.min(),
    }
    return pl.DataFrame({"quantity": list(rows), "value": [float(value) for value in rows.values()]})  # type: ignore[arg-type]


def significance(values: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return in how many test subcategories an agent other than random has a significant rho (section 5)."""
    agents = [table.filter(condition=TEST, metric="p") for agent, table in values.items() if agent != "random"]
    p = pl.concat(agents).group_by("unit").agg(pl.col("value").min())["value"]
    rows = {f"subcategories where an agent has p < {level}": float((p < level).sum()) for level in (0.05, 0.01)}
    return pl.DataFrame({"quantity": list(rows), "value": list(rows.values())})


def _wide(rows: pl.DataFrame, on: str, values: str, suffix: str = "") -> pl.DataFrame:
    wide = rows.pivot(on, index="agent", values=values, maintain_order=True)
    return wide.rename(lambda name: name if name == "agent" else name + suffix)


def _paper(published: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    """Return the paper's systems, a column per metric."""
    metrics = {QUANTITIES[name]: name for name in names}
    rows = published.filter(pl.col("quantity").is_in(list(metrics))).unique(
        ["agent", "quantity"], keep="first", maintain_order=True
    )
    wide = rows.with_columns(pl.col("quantity").replace(metrics))
    return wide.pivot("quantity", index="agent", values="value", maintain_order=True)


def _columns(table: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    return table.select("agent", *_or_null(names, table))


def _or_null(names: Sequence[str], table: pl.DataFrame) -> list[pl.Expr]:
    return [pl.col(n) if n in table.columns else pl.lit(None, pl.Float64).alias(n) for n in names]


def _with_paper(ours: pl.DataFrame, paper: pl.DataFrame) -> pl.DataFrame:
    parts = [table.with_columns(pl.lit(where).alias("from")) for table, where in ((ours, HERE), (paper, PAPER))]
    table = pl.concat(parts, how="diagonal_relaxed")
    return table.select(*KEY, pl.exclude(KEY))
