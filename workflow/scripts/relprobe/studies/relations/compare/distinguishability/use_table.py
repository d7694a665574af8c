"""The tests of the use of a relation: the mean contrast of each agent, and what it has beyond its best control."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from relprobe.core.relation import Relations
from relprobe.stats import (
    FEWEST,
    CrossedMean,
    Links,
    Values,
    crossed_mean,
    linked_items,
    linked_p,
    sign_flip,
    with_holm,
)
from relprobe.stats.averages import SEED
from relprobe.stats.comparisons import FAMILIES, family_of
from relprobe.stats.controls import comparable
from relprobe.stats.families import detectable
from relprobe.stats.item_tests import FEW_CLUSTERS, NOISE
from relprobe.stats.linked import too_linked
from relprobe.stats.results import DECIMALS
from relprobe.stats.schemas import AgentKind
from relprobe.studies.relations.compare.distinguishability.other_targets import PAIR
from relprobe.studies.relations.schemas import RELATION_USE

THIS_TARGET, PLAIN = "for this target", "plain"
NEEDED = {THIS_TARGET: "others", PLAIN: "value"}
"""Measure -> the column of USE that a row must have."""
NOTHING = {
    THIS_TARGET: "no target with answers shares two relations that it was asked for with another one",
    PLAIN: "no target with answers was asked for two relations that it has relata of",
}
ALL_ALIKE = {
    THIS_TARGET: "no contrast differs from 0: the answers do not depend on the relation and the target together",
    PLAIN: "the answers about a target are the same, whatever it is asked for",
}
"""Measure -> what its note says if there is no target, and if no contrast differs from 0."""
CONSTANT = "no interval: the contrast is the same for all targets and prompts"
ONE_PROMPT = "a relation has one prompt: how much another prompt would change is not known"
BESIDE = (
    *("control", "control_contrast", "beyond", "beyond_low", "beyond_high", "beyond_p", "beyond_p_holm"),
    "beyond_detectable",
)
OF_TEST = {"error": pl.Float64(), "freedom": pl.Float64(), "test": pl.String()}
"""What the adjusted p and `detectable` are made of: the error, its degrees of freedom, and which test it is."""
ABOUT = ["measure", "relation", "versus"]
PROMPT = ["target", "relation", "prompt_id"]
Linker = Callable[[Sequence[str]], Links]
"""A function from targets to their links."""


def use_table(
    uses: Mapping[str, pl.DataFrame], kinds: Mapping[str, AgentKind], relations: Relations, relata: pl.DataFrame
) -> pl.DataFrame:
    """Return the mean contrasts of every agent, with intervals, tests and the best control (RELATION_USE).

    `uses`: agent -> USE. `relata`: RELATA. For a target that was asked for r and s, with d_r(s) the mean of d(s) over the
    prompts of r:

        plain contrast = d_r(s) - d_r(r) + d_s(r) - d_s(s)

    It lies between -2 and 2. It is above 0 if relata of a relation come earlier when this relation is asked for. If the
    answers do not depend on what is asked for, it is 0 on average, and exactly 0 for an agent with one list per target. An
    agent that names common relata of the relation has it, too, whatever the target is. So the contrast *for this target* is
    the plain one, less its mean over the answers about the other targets (`other_targets`), which is 0 on average for an
    agent with one list per relation, too.

    A row without relations is over all pairs of relations: a target counts once, with the mean of its contrasts. The others
    are over one pair, in either order. p is two-sided. In p and the interval, targets and prompts are samples, and targets
    that share a relatum of a relation are linked (`stats.crossed_mean`). With fewer than six effective targets there is no
    p; where at most 15 targets differ from 0, p is at least that of their signs. p_holm is p adjusted over the agents of a
    kind (`kinds`), for each measure and pair; agents with equal contrasts in all prompts, such as a copy, count once. The
    columns detectable say which contrast, or difference, the adjusted p finds in 80 % of such studies.

    control is the control that the agent exceeds least on the probes that both have answered, and beyond what it has beyond
    this one, tested in the same way. beyond_p_holm is adjusted over all pairs with a control.

    >>> rows = [("robin", "HYP", "MER", "a", 1.0, None), ("robin", "MER", "HYP", "b", 0.5, None)]
    >>> from relprobe.studies.relations.measure.example import RELATIONS, TUPLE_ROWS
    >>> from relprobe.studies.relations.schemas import USE
    >>> table = use_table({"m": pl.DataFrame(rows, schema=USE, orient="row")}, {"m": "model"}, RELATIONS, TUPLE_ROWS)
    >>> table.filter(measure="plain").select("agent", "relation", "versus", "targets", "contrast", "p").rows()[1]
    ('m', 'HYP', 'MER', 1, 1.5, None)
    """
    rows: list[dict[str, Any]] = []
    beside: list[dict[str, Any]] = []
    for names, parts in _parts(uses, relations):
        linker = _linker(parts.values(), relata)
        for measure in (THIS_TARGET, PLAIN):
            about = {**names, "measure": measure}
            for agent, table in parts.items():
                tested = _tested(_shares(table, measure), linker, measure)
                rows.append({"agent": agent, **about, "family": FAMILIES[kinds[agent]], **tested})
            beside += [{**about, **row} for row in _beside_controls(parts, kinds, linker, measure)]
    own = _with_adjusted(pl.DataFrame(rows, schema={**RELATION_USE, **OF_TEST})).select(pl.exclude(*BESIDE))
    best = _best_controls(beside, list(uses))
    own = own.join(best, on=["agent", *ABOUT], how="left", nulls_equal=True)
    order = [pl.col(name).cast(relations.order) for name in ("relation", "versus")]
    agents = pl.col("agent").cast(pl.Enum(list(uses)))
    measures = pl.col("measure").cast(pl.Enum([THIS_TARGET, PLAIN]))
    return own.select(RELATION_USE.names()).sort(*order, measures, agents, nulls_last=False)


def _with_adjusted(table: pl.DataFrame, before: str = "") -> pl.DataFrame:
    """Fill p_holm and detectable of a table of tests (with OF_TEST); their names begin with `before`."""
    family = [*ABOUT, "family"]
    adjusted = with_holm(table.drop(f"{before}p_holm", strict=False), family, f"{before}p", once="test")
    tested = pl.col("test").filter(pl.col(f"{before}p").is_not_null())
    counted = adjusted.with_columns(tests=tested.n_unique().over(family))
    columns = counted.select(f"{before}p", "error", "freedom", "tests").iter_rows()
    found = [
        None if p is None else detectable(error, freedom + 1, max(tests, 1)) for p, error, freedom, tests in columns
    ]
    return counted.with_columns(pl.Series(f"{before}detectable", found, pl.Float64)).drop("tests")


def _parts(
    uses: Mapping[str, pl.DataFrame], relations: Relations
) -> Iterator[tuple[dict[str, str], dict[str, pl.DataFrame]]]:
    """Yield all tables, and then the names and the rows of each pair of relations, in either order."""
    yield {}, dict(uses)
    codes = relations.codes
    for pair in [(one, other) for place, one in enumerate(codes) for other in codes[place + 1 :]]:
        of_pair = pl.col("relation").is_in(pair), pl.col("versus").is_in(pair)
        tables = {agent: table.filter(*of_pair) for agent, table in uses.items()}
        parts = {agent: table for agent, table in tables.items() if table.height}
        if parts:
            yield {"relation": pair[0], "versus": pair[1]}, parts


def _linker(tables: Iterable[pl.DataFrame], relata: pl.DataFrame) -> Linker:
    """Return a function from targets to their links: two are linked if they share a relatum of one relation."""
    asked = pl.concat([table.select("target", "relation") for table in tables]).unique().sort("target", "relation")
    names = asked["target"].unique().sort()
    numbers = pl.DataFrame({"target": names}).with_row_index("number")
    words = asked.join(relata, on=["target", "relation"]).join(numbers, on="target")
    values = words.select(pl.struct("relation", "relatum").rank("dense").cast(pl.Int64) - 1).to_series()
    whole = linked_items(words["number"].cast(pl.Int64).to_numpy(), values.to_numpy(), len(names))
    return lambda targets: whole.among(names.is_in(list(targets)).to_numpy())


def _shares(table: pl.DataFrame, measure: str) -> pl.DataFrame:
    """Return the share of each prompt in the contrast of each target: PROMPT and share. `table`: USE."""
    rows = table.drop_nulls(NEEDED[measure])
    pairs = pl.struct("relation", "versus").n_unique().over("target") / 2
    own = pl.col("value").fill_null(0.0) / pl.col("value").count().over(PAIR)
    others = pl.col("others") if measure == THIS_TARGET else pl.lit(0.0)
    of_pairs = rows.with_columns(share=(own - others) / pairs).sort(*PROMPT, "versus")
    return of_pairs.group_by(PROMPT, maintain_order=True).agg(pl.col("share").sum())


def _matrix(shares: pl.DataFrame) -> tuple[list[str], Values, pl.Series]:
    """Return the targets, their shares (targets, prompts), NaN where there is none, and the relation of each prompt."""
    prompts = shares.select("relation", "prompt_id").unique().sort("relation", "prompt_id")
    rows = shares.join(prompts.with_row_index("column"), on=["relation", "prompt_id"])
    rows = rows.with_columns(row=pl.col("target").rank("dense") - 1)
    targets = shares["target"].unique().sort().to_list()
    values = np.full((len(targets), prompts.height), np.nan)
    values[rows["row"].to_numpy(), rows["column"].to_numpy()] = rows["share"].to_numpy()
    return targets, values, prompts["relation"]


def _tested(shares: pl.DataFrame, linker: Linker, measure: str) -> dict[str, Any]:
    """Return the columns targets to p of RELATION_USE, and the note."""
    if shares.is_empty():
        return {"targets": 0, "differ": 0, "note": NOTHING[measure]}
    targets, values, relations = _matrix(shares)
    links = linker(targets)
    of_targets = np.nansum(values, axis=1)
    differ = int((np.abs(of_targets) > NOISE).sum())
    row = {
        "targets": len(targets),
        "effective_n": links.effective,
        "differ": differ,
        "contrast": float(of_targets.mean()),
    }
    if links.effective < 2:
        return {**row, "note": too_linked(links)}
    strata = relations.rank("dense").cast(pl.Int64).to_numpy()
    mean = crossed_mean(values, strata, links)
    low, high = mean.interval() or (None, None)
    p = p_of(mean, of_targets, links)
    count = f"the linked targets count as {links.effective:.1f} independent ones"
    few = f"no p: {count}, and below {FEWEST} the data cannot tell"
    single = 1 in relations.value_counts()["count"]
    of_test = {"error": mean.error or None, "freedom": mean.freedom, "test": _name(shares)}
    alike = ALL_ALIKE[measure] if not differ else CONSTANT if mean.error == 0 else None
    note = alike or (few if p is None else ONE_PROMPT if single else None)
    return {**row, **of_test, "contrast": mean.value, "low": low, "high": high, "p": p, "note": note}


def _name(shares: pl.DataFrame) -> str:
    """Name a test by the values that it is of, so that tests of equal values have one name."""
    rounded = shares.select(*PROMPT, (pl.col("share").round(DECIMALS) + 0.0).alias("share")).sort(PROMPT)
    return hashlib.sha256(rounded.write_csv().encode()).hexdigest()


def p_of(mean: CrossedMean, of_targets: Values, links: Links) -> float | None:
    """Return p of a mean contrast; None if the targets count as too few. `of_targets`: the contrast of each."""
    if links.effective < FEWEST:
        return None
    p = mean.p()
    if p is None:
        return linked_p(of_targets, links)
    few = (np.abs(of_targets) > NOISE).sum() <= FEW_CLUSTERS
    return max(p, float(sign_flip(of_targets[:, None], SEED)[0])) if few else p


def _beside_controls(
    parts: Mapping[str, pl.DataFrame], kinds: Mapping[str, AgentKind], linker: Linker, measure: str
) -> Iterator[dict[str, Any]]:
    """Yield a row per agent and control: both names, the family, the control's contrast, and the test of the difference."""
    for agent, table in parts.items():
        controls = [name for name in parts if kinds[name] == "control" and comparable(agent, name, kinds)]
        for control in controls if kinds[agent] != "control" else ():
            of_agent, of_control = (_shares(part, measure) for part in _in_common(table, parts[control], measure))
            if of_agent.is_empty():
                continue
            both = of_agent.join(of_control, on=PROMPT, how="full", coalesce=True, suffix="_control")
            shares = both.with_columns(share=pl.col("share").fill_null(0.0) - pl.col("share_control").fill_null(0.0))
            tested = _tested(shares.sort(PROMPT), linker, measure)
            number = of_control["target"].n_unique()
            yield {
                "agent": agent,
                "control": control,
                "control_contrast": of_control["share"].sum() / number,
                "beyond": tested["contrast"],
                **{f"beyond_{name}": tested.get(name) for name in ("low", "high", "p")},
                **{name: tested.get(name) for name in OF_TEST},
                **({} if tested["differ"] else {"test": None}),  # of equal answers there is nothing to find
                "family": family_of(agent, control, kinds),
            }


def _in_common(one: pl.DataFrame, other: pl.DataFrame, measure: str) -> Iterator[pl.DataFrame]:
    """Yield the rows of two agents (USE) about the pairs of relations of targets, and the probes, that both have."""
    key = [*PAIR, "prompt_id"]
    probes = one.drop_nulls("value").join(other.drop_nulls("value"), on=key, how="semi").select(key)
    pairs = probes.select(PAIR).unique()
    for table in (one, other):
        pairs = pairs.join(table.drop_nulls(NEEDED[measure]), on=PAIR, how="semi")
    pairs = pairs.join(pairs.rename({"relation": "versus", "versus": "relation"}), on=PAIR, how="semi")
    for table in (one, other):
        rows = table.join(pairs, on=PAIR, how="semi").join(probes.with_columns(both=True), on=key, how="left")
        yield rows.with_columns(value=pl.when("both").then("value")).drop("both")


def _best_controls(rows: Sequence[dict[str, Any]], agents: Sequence[str]) -> pl.DataFrame:
    """Return the control that each agent exceeds least, per measure and pair of relations; the first of equal ones."""
    schema = {name: RELATION_USE[name] for name in ("agent", *ABOUT, "family", *BESIDE)}
    adjusted = _with_adjusted(pl.DataFrame(rows, schema={**schema, **OF_TEST}), "beyond_")
    order = pl.col("control").cast(pl.Enum(agents))
    ranked = adjusted.sort("beyond", order, maintain_order=True)
    return ranked.unique(["agent", *ABOUT], keep="first", maintain_order=True).select("agent", *ABOUT, *BESIDE)
