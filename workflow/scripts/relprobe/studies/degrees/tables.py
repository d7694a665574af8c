"""The tables of the report: Tables 3 to 6 of the paper for every agent, with the paper's systems below."""

from collections.abc import Mapping, Sequence

import polars as pl

from relprobe.core.files import ShownTables
from relprobe.core.sums import ordered_mean
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.report.published import Published, figures_of_paper
from relprobe.report.tables import sent_texts
from relprobe.stats import with_holm
from relprobe.stats.controls import beyond_controls
from relprobe.stats.schemas import Averages, Tests
from relprobe.studies.degrees.compare import (
    CORRECTED,
    QUANTITIES,
    TEST,
    UNCORRECTED,
    by_agent,
    choices,
    correlate_with_spread,
    differences,
    difficulty,
    mean_ceiling,
)
from relprobe.studies.degrees.measure import COUNTED, WITHOUT
from relprobe.studies.degrees.schemas import Ceilings, Gold, Metrics, Questions, ReplyChoices, Sensitivity
from relprobe.studies.degrees.sensitivity import places, reply_counts, unite

HERE, PAPER, PEOPLE = "this run", "the paper", "people"
KEY = ["agent", "from"]
LEVELS = (0.05, 0.01)
ALONE, ALL_PAIRS = ", without reversals", ", all pairs"
"""Endings of the quantities that are counted on other pairs than the paper's figure and ours beside it."""
CEILING_ROWS = {"ceiling": "noise ceiling", "split_half": "half of the people"}
"""Column of CEILING -> the name of its row in a table of rho."""


def tables(
    metrics: list[Metrics],
    averages: Averages,
    tests: Tests,
    gold: Gold,
    questions: Questions,
    ceiling: Ceilings,
    sensitivity: list[Sensitivity],
    published: Published | None = None,
    reply_choices: dict[str, ReplyChoices] | None = None,
    replies: list[ScoreFile] | None = None,
    *,
    controls: list[str] | None = None,
) -> ShownTables:
    """Write Tables 3 to 6 beside the paper's systems, the choice of a rater, all subcategories, and the size of the data.

    `reply_choices`: what the agents that only chat have chosen, and `replies` the files of what they have said.
    `published`: none on own data, where nothing stands beside ours. `controls`: the agents that do not know what is asked.
    """
    values, order, theirs = by_agent(metrics), class_order(gold), figures_of_paper(published)
    of_subcategories, within = difficulty(gold, values), differences(values)
    chosen = (
        {} if not reply_choices else {"maxdiff_answers": reply_counts(reply_choices), "orders": places(reply_choices)}
    )
    said = {"sent": sent_texts(replies)} if replies else {}
    return {
        **chosen,
        **said,
        "overview": overview(averages, theirs, ceiling, order),
        "choice": choices(values),
        "sensitivity": unite(sensitivity),
        "classes": classes(averages, theirs, ceiling, order),
        "reversals": reversals(averages, theirs, within),
        "difficulty": of_subcategories,
        "spread": correlate_with_spread(of_subcategories, values),
        "ceiling": ceiling,
        "tests": tests,
        "controls": beyond_controls(tests, controls or []),
        "data": pl.concat([data(gold, questions), significance(values)], how="diagonal"),
        "subcategories": subcategories(values),
        "differences": within,
    }


def class_order(gold: Gold) -> list[str]:
    """Return the relation classes of the test subcategories in the order of the task."""
    return gold.filter(~pl.col("training"))["relation_class"].unique(maintain_order=True).to_list()


def overview(averages: Averages, published: Published, ceilings: Ceilings, order: Sequence[str]) -> pl.DataFrame:
    """Return Table 3: rho, the number of subcategories where it is significant, and MaxDiff accuracy.

    Each of them stands with and without the reversed pairs. Below the agents stand people and the paper's systems.
    """
    names = ["rho", "significant_05", "significant_01", "maxdiff"]
    test = averages.filter(condition=TEST)
    headlines = [name + pairs for name in ("rho", "maxdiff") for pairs in ("", WITHOUT)]
    bounds = test.filter(pl.col("metric").is_in(headlines))
    ours = _wide(test, "metric", "value")
    for other in (_wide(bounds, "metric", "low", "_low"), _wide(bounds, "metric", "high", "_high"), _rho_counts(test)):
        ours = ours.join(other, on="agent", how="left", maintain_order="left")
    with_bounds = {name: [name, f"{name}_low", f"{name}_high"] for name in headlines}
    columns = [*with_bounds["rho"], *with_bounds[f"rho{WITHOUT}"]]
    columns += [name + pairs for name in COUNTED for pairs in ("", WITHOUT)]
    columns += [*with_bounds["maxdiff"], *with_bounds[f"maxdiff{WITHOUT}"], "least", "most"]
    columns += ["subcategories", "own_subcategories", "rated", "note"]
    paper = _paper(published.filter(pl.col("condition").is_null()), names)
    table = _stacked({HERE: _columns(ours, columns), PEOPLE: _people(ceilings, order), PAPER: paper})
    counts = pl.col(f"^(significant|negative)_0.({WITHOUT})?$")
    return table.with_columns(counts.round().cast(pl.UInt32))


def _people(ceilings: Ceilings, order: Sequence[str]) -> pl.DataFrame:
    """Return the rows of Table 3 that say how well people agree: the noise ceiling, half of the people, and one person."""
    whole, without = (mean_ceiling(ceilings, order, reversals=reversals) for reversals in (True, False))
    rows: list[dict[str, object]] = [
        {"agent": name, "rho": whole[column], f"rho{WITHOUT}": without[column]} for column, name in CEILING_ROWS.items()
    ]
    choices = {"maxdiff": whole["annotator_maxdiff"], f"maxdiff{WITHOUT}": without["annotator_maxdiff"]}
    numbers = ["rho", f"rho{WITHOUT}", *choices]
    schema = {"agent": pl.String(), **dict.fromkeys(numbers, pl.Float64())}
    return pl.DataFrame([*rows, {"agent": "one person", **choices}], schema=schema)


def _rho_counts(test: pl.DataFrame) -> pl.DataFrame:
    """Return the number of subcategories behind rho: agent, subcategories, own_subcategories, note.

    The note says how many subcategories have no rho, and how many have equal ratings, whose rho is 0.
    """
    whole = test.filter(metric="rated").select("agent", all="answered")
    rho = test.filter(metric="rho").select("agent", "answered", subcategories="units", own_subcategories="own_units")
    both = whole.join(rho, on="agent", how="left", maintain_order="left").with_columns(
        pl.col("subcategories", "answered").fill_null(0)
    )
    missing = pl.col("all") - pl.col("answered")
    equal = test.filter(metric="constant").select(
        "agent", equal=(pl.col("value") * pl.col("units")).round().cast(pl.UInt32)
    )
    none = pl.format("{} subcategories have no rho: fewer than three pairs rated, or equal gold ratings", missing)
    zero = pl.format("{} subcategories have equal ratings, which is a rho of 0", pl.col("equal"))
    notes = [pl.when(missing > 0).then(none), pl.when(pl.col("equal") > 0).then(zero)]
    joined = both.join(equal, on="agent", how="left", maintain_order="left").with_columns(
        note=pl.concat_str(notes, separator="; ", ignore_nulls=True)
    )
    return joined.select("agent", "subcategories", "own_subcategories", pl.col("note").replace("", None))


def classes(averages: Averages, published: Published, ceilings: Ceilings, order: Sequence[str]) -> pl.DataFrame:
    """Return Table 4: the average rho per relation class, the classes in this `order`, with and without reversed pairs."""
    tables = {}
    for pairs, ending in (("all", ""), ("without reversals", WITHOUT)):
        rows = averages.filter(pl.col("condition").is_in(order), metric=f"rho{ending}")
        values = {name: mean_ceiling(ceilings, [name], reversals=not ending)["ceiling"] for name in order}
        people = pl.DataFrame(
            [{"agent": CEILING_ROWS["ceiling"], **values}], schema_overrides=dict.fromkeys(order, pl.Float64)
        )
        theirs = published.filter(pl.col("condition").is_in(order), quantity=QUANTITIES["rho"])
        paper = theirs.pivot("condition", index="agent", values="value", maintain_order=True)
        parts = {HERE: _columns(_wide(rows, "condition", "value"), order), PEOPLE: people}
        tables[pairs] = _stacked(parts if ending else {**parts, PAPER: paper})
    table = pl.concat(
        [part.with_columns(pairs=pl.lit(pairs)) for pairs, part in tables.items()], how="diagonal_relaxed"
    )
    return table.select(*KEY, "pairs", pl.exclude(*KEY, "pairs"))


def reversals(averages: Averages, published: Published, differences: pl.DataFrame) -> pl.DataFrame:
    """Return Tables 5 and 6: rho without and with reversed pairs, and the error in the ranks of reversed pairs.

    `differences`: DIFFERENCES, whose test of the difference between the two rhos stands beside them.
    """
    names = ["rho_without_reversals", "rho", "reversal_rmse"]
    ours = _wide(averages.filter(condition=TEST), "metric", "value")
    tested = differences.filter(a="rho").select(
        "agent", "difference", "low", "high", "clusters", "p", "p_holm", "family"
    )
    ours = _columns(ours, names).join(tested, on="agent", how="left", maintain_order="left")
    return _stacked({HERE: ours, PAPER: _paper(published.filter(pl.col("condition").is_null()), names)})


def subcategories(values: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return rho, p and MaxDiff accuracy of every agent on every subcategory."""
    names = ["rho", "p", f"rho{WITHOUT}", f"p{WITHOUT}", "maxdiff", f"maxdiff{WITHOUT}"]
    parts = []
    for agent, table in values.items():
        rows = table.filter(pl.col("metric").is_in(names), pl.col("condition") != TEST)
        wide = rows.pivot("metric", index=["unit", "condition"], values="value", maintain_order=True)
        about = [pl.lit(agent).alias("agent"), pl.col("unit").alias("subcategory"), pl.col("condition")]
        parts.append(wide.select(*about, *_or_null(names, wide)))
    return pl.concat(parts)


def data(gold: Gold, questions: Questions) -> pl.DataFrame:
    """Return the size of the data (section 3); own ratings have no questions."""
    examples = gold.filter(pl.col("reverses").is_null()).group_by("subcategory").len()["len"]
    per_question = questions.group_by("subcategory").agg(ordered_mean("answers"))["answers"]
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
    sizes = {name: float(value) for name, value in rows.items() if value is not None}  # type: ignore[arg-type]
    return pl.DataFrame({"quantity": list(sizes), "value": list(sizes.values())})


def significance(values: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return in how many test subcategories an agent other than random has a significant rho (section 5).

    The paper takes the least p of all agents, which is below 0.05 in 46 % of subcategories if twelve independent agents rate
    at random. Beside it stands the least p after Holm's adjustment over the agents. Both stand with and without the reversed
    pairs; a pair and its reversal are not independent.
    """
    agents = {agent: table.filter(condition=TEST) for agent, table in values.items() if agent != "random"}
    agents = {agent: table for agent, table in agents.items() if "p" in set(table["metric"])}
    rows: list[dict[str, object]] = []
    counts = (
        (UNCORRECTED, "p", False, "the paper's count: the least p of {} agents"),
        (UNCORRECTED + ALONE, f"p{WITHOUT}", False, "the least p of {} agents"),
        (CORRECTED + ALL_PAIRS, "p", True, "Holm's adjustment over {} agents"),
        (CORRECTED, f"p{WITHOUT}", True, "Holm's adjustment over {} agents, pairs without reversals"),
    )
    for name, metric, adjusted, note in counts if agents else ():
        of_agents = pl.concat([table.filter(metric=metric) for table in agents.values()])
        of_agents = with_holm(of_agents, ["unit"], "value") if adjusted else of_agents
        least = of_agents.group_by("unit").agg(p=pl.col("value_holm" if adjusted else "value").min())
        rows += [
            {
                "quantity": name.format(level),
                "value": float(least.filter(pl.col("p") < level).height),
                "note": note.format(len(agents)),
            }
            for level in LEVELS
        ]
    return pl.DataFrame(rows, schema={"quantity": pl.String(), "value": pl.Float64(), "note": pl.String()})


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


def _stacked(parts: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Put tables below each other; the column `from` holds their names."""
    table = pl.concat(
        [part.with_columns(pl.lit(name).alias("from")) for name, part in parts.items()], how="diagonal_relaxed"
    )
    return table.select(*KEY, pl.exclude(KEY))
