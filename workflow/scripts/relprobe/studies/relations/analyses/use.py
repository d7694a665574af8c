"""Whether an agent uses the relation that it is asked for, for this target.

## Does an agent use the relation that it is asked for, for this target?

```yaml
table: relation_use
before: soundness
empty: No target is asked for two relations and has relata of both.
without:
  typical: "The control typical is missing: it needs resources.static_vectors, and its name in relations.controls."
  nearest: "The control nearest is missing: it needs resources.static_vectors, and its name in relations.controls."
columns:
  measure: "for this target: the contrast less that of the answers about other targets; plain: the contrast"
  relation: "one relation of a pair; empty: all pairs together"
  versus: the other relation of the pair
  targets: the number of targets that were asked for both and have relata of both
  effective_n: the number of independent targets that they count as, if all that share a relatum are alike
  measured_n: the number of independent targets that they are worth as their contrasts vary
  differ: the number of targets whose contrast is not 0
  contrast: how much earlier relata of a relation come if it is asked for than if the other one is
  p: p of a contrast other than 0 (two-sided), where linked targets and prompts are samples
  family: the kind of the agent
  control: the control that the agent exceeds least
  control_contrast: the contrast of this control, on the probes that both have answered; missing for controls
  beyond: the agent's contrast minus that of the control, on these probes; missing for controls
  beyond_low: the lower bound of the 95 % interval of this difference; missing for controls
  beyond_high: the upper bound of the 95 % interval of this difference; missing for controls
  beyond_p: p of the claim that the agent is ahead of every control (the largest p of all) or behind this one (times
    their number); missing for controls
  beyond_p_holm: beyond_p, adjusted over the agent's own pairs of relations; missing for controls
  detectable: the smallest contrast that p_holm finds in 80 of 100 such studies
  beyond_detectable: the smallest difference that beyond_p_holm finds in 80 of 100 such studies; missing for controls
```

The contrast says how much earlier the relata of a relation come if it is asked for than if another one is, for this
target: it is 0 for an agent that names the same words whatever is asked, and for one that names common relata
whatever the target is. An agent uses the relation if its contrast is above 0 and above that of its best control.

Targets that were asked for two relations and have relata of both. The plain contrast is d_r(s) − d_r(r) + d_s(r) −
d_s(s), where d_r(s) is the relative rank of the best s-relatum among the first ten answers to r. The contrast for this
target is the plain one, less what the agent's own answers about the other targets get with this target's relata. An
agent that knows what relata of the relation look like, and which words are near, has some of it without knowing the
pair: the controls typical and nearest do. The rows without relations are over all pairs, the others over one pair. In p
(two-sided) and the intervals (95 %), targets and prompts are samples, and targets with a common relatum of one relation
are linked. The row over all pairs is the primary one of the agent and is adjusted over nothing; in the others p_holm
and beyond_p_holm are adjusted over the agent's own pairs of relations. No other agent changes them. Models answer trick
probes, too; people do not, so their targets are others.
"""

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from relprobe.core.files import ShownTables
from relprobe.core.relation import Relations
from relprobe.core.sums import ordered_mean, ordered_sum
from relprobe.core.words import amount, enumeration, first_few
from relprobe.report.words.readable import in_digits, interval_in_words, minus
from relprobe.report.words.summary import ALPHA, UNADJUSTED, found_size
from relprobe.sources.relations import RelationsFile
from relprobe.stats import (
    FEWEST,
    CrossedMean,
    Links,
    Values,
    crossed_mean,
    linked_items,
    linked_p,
    sign_flip,
    too_few,
    with_holm,
)
from relprobe.stats.averages import SEED
from relprobe.stats.comparisons import FAMILIES, family_of
from relprobe.stats.controls import comparable
from relprobe.stats.families import detectable
from relprobe.stats.item_tests import FEW_CLUSTERS, NOISE
from relprobe.stats.linked import too_linked
from relprobe.stats.notes import has_note, no_p
from relprobe.stats.schemas import AgentKind
from relprobe.studies.relations.claims import DEPENDS, USES
from relprobe.studies.relations.method import Choices, JudgedAnswers, rank_gaps, relative_ranks
from relprobe.studies.relations.ranks import best_ranks, mean_ranks, rank_bounds
from relprobe.studies.relations.results import AgentResults
from relprobe.studies.relations.schemas import RELATION_USE, UNIT, USE, Relata, Use

PLACE = 1

# What the answers about a target would be worth if they were about another one: they show what is read for this target.
# An agent may like some words for a relation, whatever the target is: "animal" for hypernyms. Its answers about one
# target then suit another one as well.


PAIR = ["target", "relation", "versus"]
PROBE = ["relation", "asked_target", "prompt_id"]
"""What a response is the answer to; `asked_target` is its target, and `target` the one whose relata are looked up in it."""


def other_target_differences(
    respondents: Sequence[JudgedAnswers], pairs: pl.DataFrame, depth: int, choices: Choices
) -> pl.DataFrame:
    """Return d(s) - d(r) in the answers about other targets, with the relata of this one: PAIR, prompt_id and others.

    `respondents`, `choices`: as in `use`. `pairs`: PAIR, the targets that were asked for two relations and have
    relata of both. `depth`: the number of words of a response that count.

    The other targets of a row are those of the same pair of relations, without those that are relata of this target: no
    answer about a word names that word. `others` is the part of a prompt: its sum over all prompts of the relation is the
    mean over the other targets, of each of which the prompts count alike. So an agent with one list per target, whatever is
    asked, has the same sum both ways round. A prompt without such words in its answers has 0. A row without other targets
    is not there.
    """
    relata = respondents[0].relata.join(
        pairs.select("target", "relation").unique(), on=["target", "relation"], how="semi"
    )
    target_relata = _target_relata(pairs, relata)
    sums = _sums(respondents, pairs, relata, target_relata, depth, choices)
    asked = pl.concat([_asked(answers, pairs) for answers in respondents]).select("relation", "prompt_id").unique()
    rows = _numbers(pairs, target_relata).join(asked, on="relation").join(sums, on=[*PAIR, "prompt_id"], how="left")
    return rows.select(*PAIR, "prompt_id", others=pl.col("sum").fill_null(0.0) / pl.col("number"))


def _target_relata(pairs: pl.DataFrame, relata: pl.DataFrame) -> pl.DataFrame:
    """Return PAIR and asked_target: the words that are relata of the target, of one relation of the pair or of the other."""
    words = relata.select("target", of="relation", asked_target="relatum")
    is_of_pair = (pl.col("of") == pl.col("relation")) | (pl.col("of") == pl.col("versus"))
    return pairs.join(words, on="target").filter(is_of_pair).select(*PAIR, "asked_target").unique()


def _numbers(pairs: pl.DataFrame, target_relata: pl.DataFrame) -> pl.DataFrame:
    """Return PAIR and number, how many other targets a target has; without the rows that have none."""
    asked = pairs.rename({"target": "asked_target"})
    left_out = (
        target_relata.join(asked, on=["asked_target", "relation", "versus"], how="semi")
        .group_by(PAIR)
        .agg(out=pl.len())
    )
    counted = pairs.with_columns(all=pl.len().over("relation", "versus")).join(left_out, on=PAIR, how="left")
    number = pl.col("all").cast(pl.Int64) - 1 - pl.col("out").fill_null(0)
    return counted.select(*PAIR, number=number).filter(pl.col("number") > 0)


def _sums(
    respondents: Sequence[JudgedAnswers],
    pairs: pl.DataFrame,
    relata: pl.DataFrame,
    target_relata: pl.DataFrame,
    depth: int,
    choices: Choices,
) -> pl.DataFrame:
    """Return PAIR, prompt_id and sum: that of d(s) - d(r) over the answers about the other targets to one prompt."""
    lists = pl.concat([_asked(answers, pairs) for answers in respondents])
    weights = lists.with_columns(
        weight=1 / pl.len().over(PROBE) / pl.col("prompt_id").n_unique().over("relation", "asked_target")
    )
    weights = weights.unique(PROBE)
    credits = pl.concat([_credits(answers, pairs, relata, depth, choices) for answers in respondents]).join(
        weights, on=PROBE
    )
    asked_pairs = pairs.rename({"target": "asked_target"})
    asked_credits = credits.filter(pl.col("of") == pl.col("relation")).join(
        asked_pairs, on=["asked_target", "relation"]
    )
    versus_credits = credits.filter(pl.col("of") != pl.col("relation")).with_columns(
        credit=-pl.col("credit"), versus="of"
    )
    parts = pl.concat(
        [
            part.select(*PAIR, "asked_target", "prompt_id", "credit", "weight")
            for part in (asked_credits, versus_credits)
        ]
    )
    parts = parts.join(asked_pairs, on=["asked_target", "relation", "versus"], how="semi").join(
        pairs, on=PAIR, how="semi"
    )
    parts = parts.join(target_relata, on=[*PAIR, "asked_target"], how="anti")
    parts = parts.sort(*PAIR, "prompt_id", "asked_target", "credit")  # as the last digit of a sum depends on its order
    return parts.group_by(*PAIR, "prompt_id", maintain_order=True).agg(
        sum=ordered_sum(pl.col("credit") * pl.col("weight"))
    )


def _asked(answers: JudgedAnswers, pairs: pl.DataFrame) -> pl.DataFrame:
    """Return PROBE of each response about a target of the pairs."""
    probes = answers.responses.select("probe_id").join(answers.probes, on="probe_id").rename({"target": "asked_target"})
    asked = pairs.select("relation", asked_target="target").unique()
    return probes.join(asked, on=["relation", "asked_target"], how="semi").select(PROBE)


def _credits(
    answers: JudgedAnswers, pairs: pl.DataFrame, relata: pl.DataFrame, depth: int, choices: Choices
) -> pl.DataFrame:
    """Return 1 - d of each other target's relata in each response, where it is above 0: PROBE, target, of and credit."""
    words = relata.select("target", of="relation", word="relatum")
    listed = _listed(answers, pairs, depth).join(words, on="word").filter(pl.col("asked_target") != pl.col("target"))
    near = listed.with_columns(rank_bounds(choices.ties, [], pl.lit(value=False)), k=pl.lit(depth)).filter(
        pl.col("low") <= depth
    )
    key = [*PROBE, "response", "target", "of"]
    if choices.rank == "best":
        return best_ranks(near, key).select(*PROBE, "target", "of", credit=1 - pl.col("relative"))
    sizes = words.group_by("target", "of").agg(relata=pl.len())
    means = mean_ranks(near, key).join(sizes, on=["target", "of"])
    return means.select(*PROBE, "target", "of", credit=(pl.col("seen") - pl.col("relative")) / pl.col("relata"))


def _listed(answers: JudgedAnswers, pairs: pl.DataFrame, depth: int) -> pl.DataFrame:
    """Return the words that may be among the first `depth` of each response: PROBE, response, word and their ranks.

    The ranks are position, first and last, as in `ranks.hits`. A word that ties with the last of them is there, too.
    """
    asked = answers.probes.rename({"target": "asked_target"}).join(
        pairs.select("relation", asked_target="target").unique(), on=["relation", "asked_target"], how="semi"
    )
    responses = answers.responses.select("probe_id", "words", "weights").join(
        asked.select("probe_id", *PROBE), on="probe_id"
    )
    responses = responses.with_row_index("response")
    lengths = responses["words"].list.len().to_numpy().astype(np.int64)
    words, weights = (
        responses[name].list.explode(keep_nulls=False, empty_as_null=False) for name in ("words", "weights")
    )
    least = responses["weights"].list.get(depth - 1, null_on_oob=True).fill_null(-np.inf).to_numpy()
    rows = np.repeat(np.arange(len(lengths)), lengths)
    indices = np.flatnonzero(weights.to_numpy() >= least[rows])
    listed = pl.DataFrame({"response": rows[indices], "word": words.gather(indices).cast(pl.String)})
    listed = listed.with_columns(
        weight=weights.gather(indices), position=pl.Series(indices - (np.cumsum(lengths) - lengths)[rows[indices]] + 1)
    )
    ranked = listed.with_columns(
        first=pl.col("position").min().over("response", "weight"),
        last=pl.col("position").max().over("response", "weight"),
    )
    once = ranked.unique(["response", "word"], keep="first", maintain_order=True)  # two tokens can be one word
    response_probes = responses.select(*PROBE, pl.col("response").cast(pl.Int64))
    return once.drop("weight").join(response_probes, on="response")


# The tests of the use of a relation: the mean contrast of each agent, and what it has beyond its best control.


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
CONTROL_COLUMNS = (
    *("control", "control_contrast", "beyond", "beyond_low", "beyond_high", "beyond_p", "beyond_p_holm"),
    "beyond_detectable",
)
ERROR_COLUMNS = {"error": pl.Float64(), "freedom": pl.Float64()}
"""What `detectable` is made of: the error and its degrees of freedom."""
CONTRAST = ["measure", "relation", "versus"]
PROMPT = ["target", "relation", "prompt_id"]
Linker = Callable[[Sequence[str]], Links]
"""A function from targets to their links."""


def use_table(
    uses: Mapping[str, pl.DataFrame],
    kinds: Mapping[str, AgentKind],
    relations: Relations,
    relata: pl.DataFrame,
    *,
    pairs: bool = True,
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
    are over one pair, in either order; without `pairs` they are not there.

    p is two-sided. In p and the interval, targets and prompts are samples, and targets that share a relatum of a relation
    are linked (`stats.crossed_mean`). With fewer than six effective targets there is no p; where at most 15 targets differ
    from 0, p is at least that of their signs. p_holm is p adjusted over the agent's own pairs of relations, for each
    measure; that over all pairs is the agent's primary test, and is adjusted over nothing. So no other agent changes it. The
    columns detectable say which contrast, or difference, the adjusted p finds in 80 % of such studies.

    control is the control that the agent exceeds least on the probes that both have answered, and beyond what it has beyond
    this one, tested in the same way. Where the agent exceeds all controls, beyond_p is the largest of its p beside each, as
    it is ahead of every control only if each of these holds; else it is p beside this one, times the number of controls.
    beyond_p_holm is adjusted as p_holm.

    >>> rows = [("robin", "HYP", "MER", "a", 1.0, None), ("robin", "MER", "HYP", "b", 0.5, None)]
    >>> from relprobe.studies.relations.values import RELATIONS, TUPLE_ROWS
    >>> from relprobe.studies.relations.schemas import USE
    >>> table = use_table({"m": pl.DataFrame(rows, schema=USE, orient="row")}, {"m": "model"}, RELATIONS, TUPLE_ROWS)
    >>> table.filter(measure="plain").select("agent", "relation", "versus", "targets", "contrast", "p").rows()[1]
    ('m', 'HYP', 'MER', 1, 1.5, None)
    """
    rows: list[dict[str, Any]] = []
    control_rows: list[dict[str, Any]] = []
    for names, parts in _parts(uses, relations) if pairs else [({}, dict(uses))]:
        linker = _linker(parts.values(), relata)
        for measure in (THIS_TARGET, PLAIN):
            keys = {**names, "measure": measure}
            for agent, table in parts.items():
                tested = _tested(_shares(table, measure), linker, measure)
                rows.append({"agent": agent, **keys, "family": FAMILIES[kinds[agent]], **tested})
            control_rows += [{**keys, **row} for row in _control_tests(parts, kinds, linker, measure)]
    contrasts = _with_adjusted(pl.DataFrame(rows, schema={**RELATION_USE, **ERROR_COLUMNS})).select(
        pl.exclude(*CONTROL_COLUMNS)
    )
    best = _best_controls(control_rows, list(uses))
    contrasts = contrasts.join(best, on=["agent", *CONTRAST], how="left", nulls_equal=True)
    order = [pl.col(name).cast(relations.order) for name in ("relation", "versus")]
    agents = pl.col("agent").cast(pl.Enum(list(uses)))
    measures = pl.col("measure").cast(pl.Enum([THIS_TARGET, PLAIN]))
    return contrasts.select(RELATION_USE.names()).sort(*order, measures, agents, nulls_last=False)


def _with_adjusted(table: pl.DataFrame, prefix: str = "") -> pl.DataFrame:
    """Fill p_holm and detectable of a table of tests (with ERROR_COLUMNS); their names begin with `prefix`."""
    family = ["agent", "measure", "whole"]
    rows = table.drop(f"{prefix}p_holm", strict=False).with_columns(whole=pl.col("relation").is_null())
    adjusted = with_holm(rows, family, f"{prefix}p")
    counted = adjusted.with_columns(tests=pl.col(f"{prefix}p").count().over(family)).drop("whole")
    columns = counted.select(f"{prefix}p", "error", "freedom", "tests").iter_rows()
    effects = [
        None if p is None or freedom is None else detectable(error, freedom + 1, max(tests, 1))
        for p, error, freedom, tests in columns
    ]
    return counted.with_columns(pl.Series(f"{prefix}detectable", effects, pl.Float64)).drop("tests")


def _parts(
    uses: Mapping[str, pl.DataFrame], relations: Relations
) -> Iterator[tuple[dict[str, str], dict[str, pl.DataFrame]]]:
    """Yield all tables, and then the names and the rows of each pair of relations, in either order."""
    yield {}, dict(uses)
    codes = relations.codes
    for pair in itertools.combinations(codes, 2):
        are_of_pair = pl.col("relation").is_in(pair), pl.col("versus").is_in(pair)
        tables = {agent: table.filter(*are_of_pair) for agent, table in uses.items()}
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
    links = linked_items(words["number"].cast(pl.Int64).to_numpy(), values.to_numpy(), len(names))
    return lambda targets: links.among(names.is_in(list(targets)).to_numpy())


def _shares(table: pl.DataFrame, measure: str) -> pl.DataFrame:
    """Return the share of each prompt in the contrast of each target: PROMPT and share. `table`: USE."""
    rows = table.drop_nulls(NEEDED[measure])
    pairs = pl.struct("relation", "versus").n_unique().over("target") / 2
    plain = pl.col("value").fill_null(0.0) / pl.col("value").count().over(PAIR)
    other_targets = pl.col("others") if measure == THIS_TARGET else pl.lit(0.0)
    pair_shares = rows.with_columns(share=(plain - other_targets) / pairs).sort(*PROMPT, "versus")
    return pair_shares.group_by(PROMPT, maintain_order=True).agg(ordered_sum("share"))


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
    target_contrasts = np.nansum(values, axis=1)
    differ = int((np.abs(target_contrasts) > NOISE).sum())
    row = {
        "targets": len(targets),
        "effective_n": links.effective,
        "differ": differ,
        "contrast": float(target_contrasts.mean()),
    }
    if links.effective < 2:
        return {**row, "note": too_linked(links)}
    strata = relations.rank("dense").cast(pl.Int64).to_numpy()
    mean = crossed_mean(values, strata, links)
    low, high = mean.interval() or (None, None)
    p = p_of(mean, target_contrasts, links)
    count = f"the linked targets count as {links.effective:.1f} independent ones"
    few = no_p(f"{count}, and below {FEWEST} the data cannot tell")
    single = 1 in relations.value_counts()["count"]
    test_columns = {"error": mean.error or None, "freedom": mean.freedom, "measured_n": mean.measured}
    alike = ALL_ALIKE[measure] if not differ else CONSTANT if mean.error == 0 else None
    note = alike or (few if p is None else ONE_PROMPT if single else None)
    return {**row, **test_columns, "contrast": mean.value, "low": low, "high": high, "p": p, "note": note}


def p_of(mean: CrossedMean, target_contrasts: Values, links: Links) -> float | None:
    """Return p of a mean contrast; None if the targets count as too few. `target_contrasts`: that of each."""
    if too_few(links.effective):
        return None
    p = mean.p()
    if p is None:
        return linked_p(target_contrasts, links)
    few = (np.abs(target_contrasts) > NOISE).sum() <= FEW_CLUSTERS
    return max(p, float(sign_flip(target_contrasts[:, None], SEED)[0])) if few else p


def _control_tests(
    parts: Mapping[str, pl.DataFrame], kinds: Mapping[str, AgentKind], linker: Linker, measure: str
) -> Iterator[dict[str, Any]]:
    """Yield a row per agent and control: both names, the family, the control's contrast, and the test of the difference."""
    for agent, table in parts.items():
        controls = [name for name in parts if kinds[name] == "control" and comparable(agent, name, kinds)]
        for control in controls if kinds[agent] != "control" else ():
            agent_shares, control_shares = (
                _shares(part, measure) for part in _common_rows(table, parts[control], measure)
            )
            if agent_shares.is_empty():
                continue
            joined = agent_shares.join(control_shares, on=PROMPT, how="full", coalesce=True, suffix="_control")
            shares = joined.with_columns(share=pl.col("share").fill_null(0.0) - pl.col("share_control").fill_null(0.0))
            tested = _tested(shares.sort(PROMPT), linker, measure)
            number = control_shares["target"].n_unique()
            yield {
                "agent": agent,
                "control": control,
                "control_contrast": ordered_sum(control_shares["share"]) / number,
                "beyond": tested["contrast"],
                **{f"beyond_{name}": tested.get(name) for name in ("low", "high", "p")},
                **{name: tested.get(name) for name in ERROR_COLUMNS},
                "family": family_of(agent, control, kinds),
            }


def _common_rows(agent_rows: pl.DataFrame, control_rows: pl.DataFrame, measure: str) -> Iterator[pl.DataFrame]:
    """Yield the rows of two agents (USE) about the pairs of relations of targets, and the probes, that both have."""
    key = [*PAIR, "prompt_id"]
    probes = agent_rows.drop_nulls("value").join(control_rows.drop_nulls("value"), on=key, how="semi").select(key)
    pairs = probes.select(PAIR).unique()
    for table in (agent_rows, control_rows):
        pairs = pairs.join(table.drop_nulls(NEEDED[measure]), on=PAIR, how="semi")
    pairs = pairs.join(pairs.rename({"relation": "versus", "versus": "relation"}), on=PAIR, how="semi")
    for table in (agent_rows, control_rows):
        rows = table.join(pairs, on=PAIR, how="semi").join(probes.with_columns(both=True), on=key, how="left")
        yield rows.with_columns(value=pl.when("both").then("value")).drop("both")


def _best_controls(rows: Sequence[dict[str, Any]], agents: Sequence[str]) -> pl.DataFrame:
    """Return the control that each agent exceeds least, per measure and pair of relations; the first of equal ones."""
    schema = {name: RELATION_USE[name] for name in ("agent", *CONTRAST, "family", *CONTROL_COLUMNS)}
    order = pl.col("control").cast(pl.Enum(agents))
    ranked = pl.DataFrame(rows, schema={**schema, **ERROR_COLUMNS}).sort("beyond", order, maintain_order=True)
    contrast_key = ["agent", *CONTRAST]
    number, tested = pl.len().over(contrast_key), pl.col("beyond_p").count().over(contrast_key)
    largest = pl.when(tested == number).then(pl.col("beyond_p").max().over(contrast_key))
    behind = pl.min_horizontal(pl.col("beyond_p") * number, pl.lit(1.0))
    by_rule = pl.when(pl.col("beyond").min().over(contrast_key) > 0).then(largest).otherwise(behind)
    best = ranked.with_columns(beyond_p=by_rule).unique(contrast_key, keep="first", maintain_order=True)
    return _with_adjusted(best, "beyond_").select("agent", *CONTRAST, *CONTROL_COLUMNS)


# Does an agent use the relation that it is asked for? A contrast that is 0 for one that does not, and its test.
# An agent may name words that are near to the target, or frequent, whatever it is asked for. If such words stand more
# often in one relation than in another, its distances D(r, s) are above 0, and AuDC is, too. The contrast exchanges the
# relations that a target was asked for, so all of this cancels out.


DEPTH = 10
"""How many words of a response count, for all relations alike, unless the choice `k` says it."""


def use(respondents: Sequence[JudgedAnswers], choices: Choices) -> pl.DataFrame:
    """Return how much later relata of s come than those of r in answers to r, where the target is asked for s too (USE).

    `value` is about the answers to the target's own probes, `others` about those to the probes of other targets
    (`other_target_differences`). A prompt that only other targets were asked has no value.

    `respondents`: the answers of an agent, or those of several annotators, whose values are averaged per probe. The value is
    d(s) - d(r), where d is the relative rank of a relation's best relatum in the answer (Eq. 24; 1 if there is none). It
    differs from that of D(r, s) in three points, so that the two relations have equal chances. The same number of words
    counts for both: `choices.k`, or 10. Trick probes count as well, for they ask for a relation of their target. Ties of
    people's words count by their expected value, also where the choice is "favourable" or "unfavourable", as these look at
    the relation that is asked for. `choices.rank` is as for D(r, s).

    Asked for hypernyms, the agent names bird first; asked for meronyms, it names wing first and bird second:

    >>> from relprobe.studies.relations.values import example  # robin: bird and animal, and as a meronym wing
    >>> use([example(hyp_robin="bird x", mer_robin="wing bird")], Choices()).select("relation", "versus", "value").rows()
    [('HYP', 'MER', 1.0), ('MER', 'HYP', 0.1)]
    """
    ranks = pl.concat([_ranks(answers, choices) for answers in respondents])
    values = ranks.group_by(*UNIT, "versus", maintain_order=True).agg(ordered_mean("value"))
    later = rank_gaps(values.with_columns(metric=pl.lit("distinguishability")))
    exchanged = later.select("target", relation="versus", versus="relation").unique()
    exchanged_rows = later.join(exchanged, on=PAIR, how="semi").select(*PAIR, "prompt_id", "value")
    other_targets = other_target_differences(
        respondents, exchanged_rows.select(PAIR).unique(), choices.k or DEPTH, _neutral(respondents[0], choices)
    )
    rows = exchanged_rows.join(other_targets, on=[*PAIR, "prompt_id"], how="full", coalesce=True)
    order = respondents[0].relations.order
    return rows.select(USE.names()).sort(
        "target", *(pl.col(name).cast(order) for name in ("relation", "versus")), "prompt_id"
    )


def _ranks(answers: JudgedAnswers, choices: Choices) -> pl.DataFrame:
    """Return the relative rank of each relation in the responses whose probe has relata: UNIT, versus and value."""
    answered = answers.probes.join(answers.responses.select("probe_id"), on="probe_id", how="semi")
    asked = answered.join(answers.relata, on=["target", "relation"], how="semi")
    probes = asked.select(*UNIT, k=pl.lit(choices.k or DEPTH))
    return relative_ranks(answers.hits, probes, answers.relata, _neutral(answers, choices))


def _neutral(answers: JudgedAnswers, choices: Choices) -> Choices:
    """Return the choices with ties that favour no relation."""
    return replace(choices, ties="listed" if answers.people and choices.ties == "listed" else "expected")


def agent_table(agent: AgentResults) -> pl.DataFrame:
    """Return how much later relata of other relations come in the answers of an agent (USE)."""
    return use(agent.respondents, agent.choices)


def make_exhibits(
    use: dict[str, Use], relations: RelationsFile, relata: Relata, *, kinds: dict[str, AgentKind]
) -> ShownTables:
    """Test whether each agent uses the relation that it is asked for.

    `use`: agent -> USE. `kinds`: agent -> model, person or control.
    """
    return {"relation_use": use_table(use, kinds, relations, relata)}


# The sentences on whether models use the relation that they are asked for, for the target that they are asked about.


NEAR = "near words of the kind that the relation asks for may have as much, without the pair"
Row = Mapping[str, Any]


def relation_used(table: pl.DataFrame, models: Collection[str]) -> str:
    """Return the sentences on which models use the relation that they are asked for, for this target.

    A model does so if its contrast for this target is above 0, and above that of its best control: both p are below 0.05
    after adjustment for the number of models that the sentence speaks of. A model whose contrast is above 0 alone may know
    what relata of the relation look like, and which words are near to the target, and nothing of the pair. The plain
    contrast stands behind, with its best control.
    """
    rows = table.filter(pl.col("relation").is_null(), pl.col("agent").is_in(list(models)))
    tested = _ranked(rows, THIS_TARGET)
    if not tested:
        few = "Too few targets are asked for several relations to say whether a model uses the relation for its target."
        return few if rows.height else ""
    used = [row for row in tested if _uses(row)]
    near, unused = ([row for row in tested if _is_above(row) is up and row not in used] for up in (True, False))
    sentences = [_best(used, USES.missing(table["agent"])), _not_beyond(near)]
    if unused:
        names = first_few([str(row["agent"]) for row in unused])
        size = found_size([row for row in unused if row["p_holm"] >= ALPHA], "detectable")
        none = f"For no model ({names}) do the data show that it uses the relation for its target"
        some = f"The data do not show that {names} {'uses' if len(unused) == 1 else 'use'} the relation for the target"
        sentences.append(f"{none if len(unused) == len(tested) > 1 else some}{size}.")
    plain = {row["agent"]: row for row in rows.filter(measure=PLAIN).drop_nulls("contrast").to_dicts()}
    best = (used or tested)[0]["agent"]
    return " ".join([*filter(None, sentences), *([_plain(plain[best])] if best in plain else [])])


def relation_used_in_short(table: pl.DataFrame, models: Collection[str]) -> str:
    """Return one sentence on whether models use the relation that they are asked for, for this target (`relation_used`)."""
    rows = table.filter(pl.col("relation").is_null(), pl.col("agent").is_in(list(models)))
    tested = _ranked(rows, THIS_TARGET)
    used = [row for row in tested if _uses(row)]
    if not tested:
        return relation_used(table, models)
    if not used:
        sizes = [{"detectable": row["beyond_detectable" if _is_above(row) else "detectable"]} for row in tested]
        none = "For no model do the data show that it uses"
        if len(tested) == 1:
            none = f"The data do not show that {tested[0]['agent']} uses"
        return f"{none} the relation that it is asked for, for its target{found_size(sizes, 'detectable')}."
    best, other_models = used[0], [str(row["agent"]) for row in used[1:]]
    missing = USES.missing(table["agent"])
    parts = [
        f"{best['agent']} {(DEPENDS if missing else USES).verb} (contrast for this target {_number(best)}; {_control(best)})"
    ]
    if other_models:
        parts.append(f"so {'does' if len(other_models) == 1 else 'do'} {first_few(other_models)}")
    if any(has_note(row["note"], ONE_PROMPT) for row in used):
        parts.append(f"but {ONE_PROMPT}")
    if missing:
        parts.append(f"the control {enumeration(missing)} is missing: {NEAR}")
    return "; ".join(parts) + "."


def _ranked(rows: pl.DataFrame, measure: str) -> list[dict[str, Any]]:
    """Return the tested rows of a measure, the highest contrast first; p is adjusted over them (`models`, their number)."""
    tested = rows.filter(measure=measure).drop_nulls("p_holm")
    for name in ("p_holm", "beyond_p_holm"):
        tested = tested.with_columns(pl.min_horizontal(pl.col(name) * tested.height, pl.lit(1.0)).alias(name))
    tested = tested.with_columns(models=pl.lit(tested.height))
    return tested.sort("contrast", descending=True, maintain_order=True).to_dicts()


def _is_above(row: Row) -> bool:
    """Return whether a contrast is above 0."""
    return bool(row["p_holm"] < ALPHA and row["contrast"] > 0)


def _uses(row: Row) -> bool:
    """Return whether a contrast is above 0 and above that of its best control, if there is one."""
    if row["control"] is None:
        return _is_above(row)
    beyond = row["beyond_p_holm"]
    return _is_above(row) and beyond is not None and beyond < ALPHA and row["beyond"] > 0


def _best(used: Sequence[Row], missing: Sequence[str]) -> str:
    """Return the sentence that the first of some models uses the relation, with its numbers; it names the other models.

    `missing`: the controls that the claim needs and the run lacks. Then near words of the right kind may do as well, and
    nothing says "uses".
    """
    if not used:
        return ""
    row, other_models = used[0], [str(further["agent"]) for further in used[1:]]
    sentence = (
        f"{row['agent']} {(DEPENDS if missing else USES).verb}: relata of a relation come earlier when it is asked for than "
        "when another one is, and more so than in its answers about other targets (contrast for this target "
        f"{_number(row)}, {amount(row['targets'], 'target')}{_counted(row)}; {_control(row)}; p < {ALPHA}{_adjusted(row)})."
    )
    more = f" So {'does' if len(other_models) == 1 else 'do'} {first_few(other_models)}." if other_models else ""
    lone = f" The control {enumeration(missing)} is missing: {NEAR}." if missing else ""
    single = f" But {ONE_PROMPT}." if any(has_note(row["note"], ONE_PROMPT) for row in used) else ""
    return f"{sentence}{more}{single}{lone}"


def _counted(row: Row) -> str:
    """Return the number of independent targets that the targets are worth, by their contrasts and at worst, in words."""
    measured = "" if row["measured_n"] is None else f"are worth {row['measured_n']:.1f} independent ones, and "
    return f", which {measured}count as {row['effective_n']:.1f} if all that share a relatum are alike"


def _adjusted(row: Row) -> str:
    """Return for how many models p is adjusted, in words."""
    return f", adjusted for the {row['models']} models; {UNADJUSTED}" if row["models"] > 1 else ""


def _control(row: Row) -> str:
    """Return the difference of a contrast from that of the best control in words, or that there is no control."""
    if row["control"] is None:
        return "this run has no control to compare it with"
    return f"{_beyond(row)} over its best control, {row['control']}"


def _not_beyond(rows: Sequence[Row]) -> str:
    """Return the sentence on contrasts above 0 that are not shown to be above their best control's; "" without a model."""
    if not rows:
        return ""
    size = found_size([{"detectable": row["beyond_detectable"]} for row in rows], "detectable")
    listed = [
        f"{row['agent']} ({in_digits(row['contrast'], 2)}; {row['control']}: {in_digits(row['control_contrast'], 2)})"
        for row in rows
    ]
    controls = "its best control" if len(rows) == 1 else "their best controls"
    return (
        f"For {first_few(listed)} the contrast for this target is above 0, but the data do not show that it is above that "
        f"of {controls}: {NEAR}{size}."
    )


def _plain(row: Row) -> str:
    """Return the sentence on the plain contrast of a model and of its best control."""
    control = row["control"]
    control_text = f" and {in_digits(row['control_contrast'], 2)} for its best control, {control}" if control else ""
    return (
        f"The plain contrast, which common relata have whatever the target is, is {_number(row)}, for {row['agent']}"
        f"{control_text}."
    )


def _number(row: Row) -> str:
    """Return a contrast with its interval in words: "0.30, 95 % interval 0.20 to 0.40"."""
    bounds = "" if row["low"] is None else f", {interval_in_words(row['low'], row['high'])}"
    return f"{in_digits(row['contrast'], 2)}{bounds}"


def _beyond(row: Row) -> str:
    """Return the difference of a contrast from that of the best control in words: "+0.10, 95 % interval 0.05 to 0.15,"."""
    bounds = "" if row["beyond_low"] is None else f", {interval_in_words(row['beyond_low'], row['beyond_high'])},"
    return minus(f"{row['beyond']:+.2f}{bounds}")


def headline(tables: Mapping[str, pl.DataFrame], models: Collection[str]) -> tuple[str, str]:
    """Return what the page says first of the use of relations: in one sentence, and in several."""
    table = tables["relation_use"]
    return relation_used_in_short(table, models), relation_used(table, models)
