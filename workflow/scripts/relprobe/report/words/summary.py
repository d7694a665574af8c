"""Sentences of a study's page: what came out, in sentences made from its numbers and tests."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import inf
from typing import Any, NamedTuple

import polars as pl

from relprobe.core.claim import Claim
from relprobe.core.metric import Metric
from relprobe.core.sums import ordered_mean
from relprobe.core.words import amount_of, enumeration, first_few
from relprobe.report.words.readable import decimals_of, in_digits, interval_in_words, minus
from relprobe.stats import ALL_VALUES, Interval, within
from relprobe.stats.families import detectable, holm
from relprobe.stats.notes import has_note
from relprobe.stats.schemas import DECLARED, SAME

ALPHA = 0.05
LISTED = 30
"""The words of a list in a sentence, at most; a longer one is in the tables."""
SHOWN = 2
"""The differences that a sentence names at most."""
CONTROL = "its best control"
P, FOUND = "p_holm_all", "detectable_all"
"""The columns of TESTS and CONTROLS that a sentence goes by: the adjusted p, and the smallest difference that it finds."""
SPAN = "span"
"""The column of CONTROLS with the largest difference that can be in a metric, either way (`with_span`)."""
BEHIND = "behind some control"
"""The claim whose p is adjusted for the number of controls."""
UNADJUSTED = "intervals are not adjusted"
"""What a sentence says if its intervals are of one difference each, beside a p that is adjusted for several."""


class InCommon(NamedTuple):
    """The conditions that people have answered, where these are not all, and the means of people and of a model there."""

    conditions: list[str]
    people: float
    model: str
    value: float

    def sentence(self, claim: Claim) -> str:
        """Return in words both means: "90 in ANT alone (m: 40)"."""
        theirs, own_value = (in_words(claim, mean, short=True) for mean in (self.people, self.value))
        return f"{theirs} in {', '.join(self.conditions)} alone ({self.model}: {own_value})"


def in_words(claim: Claim, value: float, *, short: bool = False) -> str:
    """Return in words a value of a claim. `short`: without "of 100" and the unit.

    >>> in_words(Claim("P@1", verb="chooses rightly in", unit="cases"), 0.314)
    '31 of 100 cases'
    """
    words = amount(value, claim.unit)
    return words.partition(" ")[0] if short else words


def adjustment(rows: Sequence[Mapping[str, Any]], claim: Claim) -> str:
    """Return in words over what the p of some tests is adjusted; rows of a choice among several agents have it (`over`).

    >>> adjustment([{"p_holm_all": 0.2}], Claim("sound", each="relations"))
    "after Holm's adjustment over all relations"
    """
    for row in rows:
        if row.get("over") is not None:
            return str(row["over"])
    return f"after Holm's adjustment over all {claim.each}"


def by_p(sign: str, over: str) -> str:
    """Return in words on which side of 0.05 the p of a test is, and over what it is adjusted.

    >>> by_p("<", ""), by_p("≥", "after adjustment")
    ('p < 0.05', 'p ≥ 0.05 after adjustment')
    """
    return f"p {sign} {ALPHA}{f' {over}' if over else ''}"


def amount(value: float, unit: str) -> str:
    """Return in words a share as a number of 100, or a value without a unit as a number.

    >>> amount(0.314, "probes"), amount(0.004, "probes"), amount(4.62, "")
    ('31 of 100 probes', '0.4 of 100 probes', '4.62')
    """
    if not unit:
        return in_digits(value, 2)
    return f"{100 * value:.1f} of 100 {unit}" if 0 < value < 0.0995 else f"{100 * value:.0f} of 100 {unit}"


def sentences_on(
    averages: pl.DataFrame,
    tests: pl.DataFrame,
    claim: Claim,
    models: Collection[str],
    people: str = "",
    controls: pl.DataFrame | None = None,
    pooled: pl.DataFrame | None = None,
) -> list[str]:
    """Return the sentences on one claim: the best model and its best control, people, the next model, and what holds.

    The first one says the values; each of the others says where the best model differs from another agent, and may be of
    two sentences.

    `averages`: agent, metric, value and the column of conditions, and, if some agents are averaged over other units than
    the others, own (true for these); `tests`: TESTS with the column of conditions, and `controls`: so CONTROLS. The value of
    an agent is its mean over the conditions that all models have. `models`: the agents that are models. `people`: the agent
    that stands for people; others are not named. `pooled`: the tests of the primary claim (CONTROLS without conditions),
    where it is pooled over conditions. A difference holds if p is below 0.05, adjusted over the family of the claim, and for
    the choice of the best of the models.
    """
    shown = averages.filter(pl.col("metric") == claim.metric, pl.col(claim.column).is_in(list(claim.conditions)))
    means = means_of(shown, claim.column, models)
    ranked = sorted((agent for agent in means if agent in models), key=lambda agent: -means[agent])
    if not ranked:
        return [nobody(shown, claim, models)]
    best = ranked[0]
    some = None if people in means else common_means(shown, claim, people, best)
    compared = [*([people] if people in means or some else []), *ranked[1:2]]
    primary, secondary = (
        rows_of_best(rows, claim, len(ranked)) for rows in control_rows(controls, pooled, claim, best)
    )
    over = primary or secondary
    value = f"{in_words(claim, means[best])}{value_range(shown, best, claim)}"
    sentence = f"{subject(best, over)} {claim.verb} {value}{best_control(over, claim)}"
    sentence += common_units(over, best, means[best], claim)
    if compared:
        sentence += f"; {enumeration(_other_value(agent, means, shown, claim, people, some) for agent in compared)}"
    if claim.chance is not None:
        sentence += f" (guessing: {in_words(claim, claim.chance)})"
    pairs = {CONTROL: over}
    for rival in compared:
        rows = pair_tests(tests, claim, best, rival)
        pairs[_name(rival, people)] = rows_of_best(rows, claim, len(ranked), two_best=rival != people)
    if primary and len(secondary) > 1:
        pairs[_in_each(claim)] = secondary
    verdicts = [
        verdict(rows, claim, best, CONTROL if name == _in_each(claim) else name) for name, rows in pairs.items()
    ]
    verdicts.append(_alike(best, [name for name, rows in pairs.items() if rows and all(map(are_same, rows))]))
    verdicts.append(_left_open(claim, best, {name: rows for name, rows in pairs.items() if _open(rows, claim)}))
    return [f"{sentence}.", *filter(None, verdicts)]


def nobody(shown: pl.DataFrame, claim: Claim, models: Collection[str]) -> str:
    """Return why no model is named: none has a value, or there is no condition under which all of them have one.

    >>> rows = pl.DataFrame({"agent": ["m", "n"], "condition": ["HYP", "ANT"], "value": [0.3, 0.4]})
    >>> nobody(rows, Claim("right", ("HYP", "ANT"), "", each="relations"), ["m", "n"])
    'None of the relations has answers of all models (m: HYP; n: ANT), so that none is said to be the best.'
    >>> nobody(rows.clear(), Claim("right", ("HYP",), ""), ["m"])
    'No model has an answer to the probes of this study.'
    """
    values = shown.drop_nulls("value").filter(pl.col("agent").is_in(list(models)))
    if values.is_empty():
        return "No model has an answer to the probes of this study."
    agent_conditions = values.group_by("agent", maintain_order=True).agg(pl.col(claim.column).cast(pl.String))
    listed = "; ".join(f"{agent}: {', '.join(conditions)}" for agent, conditions in agent_conditions.iter_rows())
    which = f" ({listed})" if len(listed.split()) <= LISTED else ""
    return f"None of the {claim.each} has answers of all {claim.agents}{which}, so that none is said to be the best."


def beyond(controls: pl.DataFrame, claim: Claim, agent: str) -> list[dict[str, Any]]:
    """Return the rows of an agent in CONTROLS, in the order of the claim's conditions."""
    rows = _claim_rows(controls, claim).filter(agent=agent)
    return rows.sort(pl.col(claim.column).cast(pl.Enum(list(dict.fromkeys(claim.conditions))))).to_dicts()


def control_rows(
    controls: pl.DataFrame | None, pooled: pl.DataFrame | None, claim: Claim, agent: str
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the row of an agent in the primary test, if the claim is that, and its rows under each condition.

    The primary test is pooled over conditions (`pooled`) or, of a claim with one condition, that under this condition. It is
    adjusted over nothing.
    """
    secondary = [] if controls is None else beyond(controls, claim, agent)
    rows: list[dict[str, Any]] = []
    if claim.primary and pooled is not None and pooled.height:
        rows = pooled.filter(metric=claim.metric, agent=agent).to_dicts()
        rows = [{**row, claim.column: f"all {claim.each}", "pooled": True} for row in rows]
    if not rows and claim.primary and len(claim.conditions) == 1:
        rows = secondary
    primary = [
        {**row, P: row.get("p", row[P]), FOUND: row.get("detectable", row.get(FOUND)), "over": ""} for row in rows
    ]
    return primary, _adjusted(secondary)


def _adjusted(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Adjust the tests of an agent over those that the claim is of; the table may have further conditions of the metric."""
    tested = [row for row in rows if row.get("p") is not None]
    if not tested or tested[0].get("family_size") in (None, len(tested)):
        return rows
    adjusted = iter(holm([row["p"] for row in tested]))
    return [row if row.get("p") is None else {**row, P: next(adjusted), "family_size": len(tested)} for row in rows]


def rows_of_best(
    rows: Sequence[Mapping[str, Any]], claim: Claim, number: int, *, two_best: bool = False
) -> list[dict[str, Any]]:
    """Return tests of the best of some agents, with p times their `number`, as the best was chosen among them.

    `two_best`: the tests are those of the two best, so that p is times the number of pairs; the pairs that the configuration
    declares are one family, whose p is adjusted already.

    >>> (row,) = rows_of_best([{"p_holm_all": 0.01, "over": ""}], Claim("right"), 4)
    >>> row["p_holm_all"], row["over"]
    (0.04, 'after adjustment for the choice of the best of 4 models')
    >>> rows_of_best([{"p_holm_all": 0.01, "over": ""}], Claim("right"), 4, two_best=True)[0]["over"]
    'after adjustment for the choice of one of 6 pairs of models'
    """
    choice = f"for the choice of the best of {number} {claim.agents}"
    if two_best:
        number = number * (number - 1) // 2
        choice = f"for the choice of one of {number} pairs of {claim.agents}"
    if number <= 1 or (two_best and rows and rows[0].get("family_of") == DECLARED):
        return [dict(row) for row in rows]
    over = adjustment(rows, claim)
    over_all = f"{over} and {choice}" if over else f"after adjustment {choice}"
    adjusted = []
    tested = max(sum(row[P] is not None for row in rows), 1)
    for row in rows:
        p, size = row[P], row.get(FOUND)
        if p is not None:
            p = min(1.0, p * number)
        if size is not None and row.get("error") is not None:
            tests = number * (1 if not over else tested)
            size = detectable(row["error"], row["freedom"] + 1, tests, gain=row["gain"], room=row["room"])
        adjusted.append({**row, P: p, FOUND: size, "over": over_all})
    return adjusted


def tests_together(row: Mapping[str, Any]) -> float:
    """Return for how many tests the adjusted p of a test makes up, of which it is one.

    A model that may be behind some of its controls has a p that makes up for their number already.

    >>> tests_together({"p": 0.01, "p_holm_all": 0.03})
    3.0
    >>> tests_together({"p": 0.01, "p_holm_all": 0.03, "claim": "behind some control", "controls": 6})
    18.0
    >>> tests_together({"p": 0.4, "p_holm_all": 1.0, "family_size": 6})
    6.0
    """
    p, adjusted = row.get("p"), row[P]
    number = float(row.get("family_size") or 1)
    if p and adjusted is not None and adjusted < 1:
        number = max(1.0, round(adjusted / p, 9))
    return number * (row["controls"] if row.get("claim") == BEHIND and row.get("controls") else 1)


def adjusted_interval(row: Mapping[str, Any]) -> tuple[float, float] | None:
    """Return the interval of a difference that is adjusted as its p is; None if it is unknown.

    It holds all k differences whose p are adjusted together with 95 %: t of 1 - 0.025 / k errors either way (Bonferroni).
    It ends where no difference can be larger (SPAN), and one that holds all that can be is none.
    Signs of a few clusters may leave open what their resampled mean would not: such an interval is too narrow, and none.

    >>> row = {"difference": 0.3, "low": 0.2, "high": 0.4, "error": 0.05, "freedom": 1e6, "p": 0.01, "p_holm_all": 0.01}
    >>> adjusted_interval(row)  # one test: as it is
    (0.2, 0.4)
    >>> [round(bound, 2) for bound in adjusted_interval({**row, "p_holm_all": 0.04})]  # 2.50 errors
    [0.18, 0.42]
    >>> [round(bound, 2) for bound in adjusted_interval({**row, "p_holm_all": 0.04, "span": 0.4})]
    [0.18, 0.4]
    """
    from scipy.stats import t

    number, low = tests_together(row), row.get("low")
    if low is None:
        return None
    bounds = low, row["high"]
    if number > 1:
        if not row.get("error") or not row.get("freedom"):
            return None
        half_width = float(t.ppf(1 - ALPHA / (2 * number), row["freedom"])) * row["error"]
        bounds = row["difference"] - half_width, row["difference"] + half_width
    around = within(Interval(0, *bounds), -row.get(SPAN, inf), row.get(SPAN, inf))
    if around.note or around.low is None or around.high is None:
        return None
    bounds = around.low, around.high
    is_open = row[P] is not None and row[P] >= ALPHA
    return None if is_open and not bounds[0] <= 0 <= bounds[1] else bounds


def with_span(table: pl.DataFrame, metrics: Iterable[Metric]) -> pl.DataFrame:
    """Return a table with the column span, of each row's metric.

    >>> with_span(pl.DataFrame({"metric": ["rho", "rank"]}), [Metric("rho", bounds=(-1, 1))])["span"].to_list()
    [2.0, inf]
    """
    spans = {metric.name: float(metric.span) for metric in metrics}
    return table.with_columns(pl.col("metric").replace_strict(spans, default=inf, return_dtype=pl.Float64).alias(SPAN))


def subject(name: str, over: Sequence[Mapping[str, Any]]) -> str:
    """Begin a sentence on the value of an agent: with its name, or with what the data do not show of it.

    `over`: its rows of CONTROLS. Where a control may do as well, what the agent does is no sign of what is asked about.

    >>> [subject("m", [{"p_holm_all": p, "difference": 0.2}]) for p in (0.01, 0.4)]
    ['m', 'The data do not show that m is ahead of its best control: it']
    >>> subject("m", [{"p_holm_all": 0.01, "difference": -0.2}])
    'm is behind its best control: it'
    """
    if not over or any(map(is_ahead, over)):
        return name
    if len(over) == 1 and over[0][P] is not None and over[0][P] < ALPHA:
        return f"{name} is behind {CONTROL}: it"
    return f"The data do not show that {name} is ahead of {CONTROL}: it"


def is_ahead(row: Mapping[str, Any], p: str = P) -> bool:
    """Return whether the first agent of a test has a larger value than the second, with the adjusted `p` below 0.05."""
    return row[p] is not None and row[p] < ALPHA and row["difference"] > 0


def best_control(rows: Sequence[Mapping[str, Any]], claim: Claim) -> str:
    """Return in words the mean of an agent's best control: ", and its best control, frequency, in 14".

    Where several controls are the best of some conditions, their mean would be that of no agent, and nothing is said.
    """
    values = [row["control_value"] for row in rows if row["control_value"] is not None]
    names = dict.fromkeys(row["control"] for row in rows)
    if not values or len(names) > 1:
        return ""
    name = f", {next(iter(names))},"
    verb = f" {claim.verb.split()[-1]}" if claim.unit else " has"
    return f", and {CONTROL}{name}{verb} {in_words(claim, sum(values) / len(values), short=True)}"


def common_units(rows: Sequence[Mapping[str, Any]], agent: str, mean: float, claim: Claim) -> str:
    """Return in words the mean of an agent over the units that its control has, too, if that is written as another one.

    >>> claim = Claim("right", ("noun",), "is right in", "cases")
    >>> common_units([{"value": 0.5, "control_value": 0.4}], "m", 0.3, claim)
    ' (where both have an answer, m has 50)'
    >>> common_units([{"value": 0.301}], "m", 0.3, claim)
    ''
    """
    values = [row["value"] for row in rows if row.get("value") is not None]
    if not values:
        return ""
    common_words, mean_words = (in_words(claim, value, short=True) for value in (sum(values) / len(values), mean))
    return "" if common_words == mean_words else f" (where both have an answer, {agent} has {common_words})"


def are_same(row: Mapping[str, Any]) -> bool:
    """Return whether a test is of two agents that have equal values in all units.

    >>> are_same({"units": 3, "discordant": 0}), are_same({"units": 3, "discordant": 1}), are_same({"units": 0})
    (True, False, False)
    """
    return bool(row.get("units")) and row.get("discordant") == 0


def _open(rows: Sequence[Mapping[str, Any]], claim: Claim) -> bool:
    """Return whether there are tests, and none of them finds a difference, although the agents differ."""
    adjusted = [row[P] for row in rows if row[P] is not None]
    return bool(adjusted) and min(adjusted) >= ALPHA and not all(map(are_same, rows))


def _alike(best: str, equals: Sequence[str]) -> str:
    """Return the words that an agent and its `equals` have equal values; "" without any."""
    return f"{first_few([best, *equals])} have {SAME}." if equals else ""


def _left_open(claim: Claim, best: str, tests_by_name: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    """Return the words that the tests of two agents decide nothing, which is no sign of likeness; "" without tests."""
    if not tests_by_name:
        return ""
    rows = [row for tests in tests_by_name.values() for row in tests]
    few = sum(not can_hold(row) for row in rows)
    which = (
        ""
        if len(rows) == 1
        else "all of these comparisons "
        if few == len(rows)
        else f"{few} of {amount_of(len(rows), 'comparisons')} "
    )
    reason = f"; in {which or 'this comparison '}too little differs for any p below {ALPHA}" if few else ""
    return (
        f"The data leave open whether {best} differs from {_from_any(claim, list(tests_by_name))} ({claim.test}: "
        f"{by_p('≥', adjustment(rows, claim))}{reason}{found_size(rows)})."
    )


def _in_each(claim: Claim) -> str:
    """Return what the best controls of the single conditions are called, beside that of all conditions together."""
    return f"{CONTROL} in any of the {claim.each}"


def _from_any(claim: Claim, names: Sequence[str]) -> str:
    """Return in words that an agent differs from any of some others.

    >>> claim = Claim("right", each="relations")
    >>> _from_any(claim, ["its best control", "n", "its best control in any of the relations"])
    'its best control, in all relations together or in any of them, or from n'
    >>> _from_any(claim, ["its best control", "n"])
    'its best control or n'
    """
    if not {CONTROL, _in_each(claim)} <= set(names):
        return " or ".join(names)
    further_names = [name for name in names if name not in (CONTROL, _in_each(claim))]
    in_both = f"{CONTROL}, in all {claim.each} together or in any of them"
    return in_both + (f", or from {' or '.join(further_names)}" if further_names else "")


def found_size(rows: Sequence[Mapping[str, Any]], column: str = FOUND) -> str:
    """Return in words how large a difference some tests would have found in most studies. `column`: the column that has it.

    >>> found_size([{"detectable_all": 0.12}, {"detectable_all": 0.31}, {"detectable_all": None}])
    '; a test of this size finds a difference of 0.12 to 0.31 in 80 of 100 studies'
    >>> found_size([{"detectable": 0.1, "detectable_all": None}])
    ''
    """
    sizes = sorted(row[column] for row in rows if row.get(column) is not None)
    if not sizes:
        return ""
    ends = list(dict.fromkeys(in_digits(value, 2) for value in (sizes[0], sizes[-1])))
    return f"; a test of this size finds a difference of {' to '.join(ends)} in 80 of 100 studies"


def can_hold(row: Mapping[str, Any]) -> bool:
    """Return whether a test could find a difference: so few clusters may differ that its smallest p is not below 0.05.

    >>> can_hold({"least_p": 0.125}), can_hold({"least_p": None})
    (False, True)
    """
    return (row.get("least_p") or 0.0) < ALPHA


def _other_value(
    agent: str, means: Mapping[str, float], shown: pl.DataFrame, claim: Claim, people: str, some: InCommon | None
) -> str:
    """Return in words another agent's value: "people in 75". `some`: that of people who answered some conditions alone."""
    verb = f" {claim.verb.split()[-1]}" if claim.unit else ""
    if agent not in means and some is not None:
        return f"{_name(agent, people)}{verb} {some.sentence(claim)}"
    has_own_units = "own" in shown.columns and bool(shown.filter(agent=agent)["own"].any())
    units_phrase = (
        f" of the {claim.unit or 'probes'} that {'they' if agent == people else 'it'} answered" if has_own_units else ""
    )
    return f"{_name(agent, people)}{verb} {in_words(claim, means[agent], short=True)}{units_phrase}"


def _name(agent: str, people: str) -> str:
    return "one person" if agent == people and agent == "annotator" else "people" if agent == people else agent


def means_of(shown: pl.DataFrame, column: str, models: Collection[str]) -> dict[str, float]:
    """Return the mean of each agent over the conditions that all models have; one that lacks some is left out."""
    values = shown.drop_nulls("value")
    conditions = [set(rows[column]) for (agent,), rows in values.group_by("agent") if agent in models]
    common = set.intersection(*conditions) if conditions else set()
    rows = values.filter(pl.col(column).is_in(common or set(values[column])))
    all_conditions = rows[column].n_unique()
    means = rows.group_by("agent", maintain_order=True).agg(ordered_mean("value"), count=pl.len())
    return dict(means.filter(pl.col("count") == all_conditions).select("agent", "value").iter_rows())


def common_means(shown: pl.DataFrame, claim: Claim, people: str, model: str) -> InCommon | None:
    """Return the means of people who have answered some conditions alone, and of a model there; None if there are none.

    >>> rows = [("m", "HYP", 0.2), ("m", "ANT", 0.4), ("annotator", "ANT", 0.9)]
    >>> table = pl.DataFrame(rows, ["agent", "condition", "value"], orient="row")
    >>> common_means(table, Claim("right", ("HYP", "ANT"), "is right in", "cases"), "annotator", "m")
    InCommon(conditions=['ANT'], people=0.9, model='m', value=0.4)
    """
    values = shown.drop_nulls("value").select("agent", claim.column, "value")
    common_rows = values.filter(agent=people).join(values.filter(agent=model), on=claim.column, suffix="_of_model")
    if common_rows.is_empty():
        return None
    conditions = [name for name in dict.fromkeys(claim.conditions) if name in set(common_rows[claim.column])]
    theirs, model_mean = (float(common_rows[name].to_numpy().mean()) for name in ("value", "value_of_model"))
    return InCommon(conditions, theirs, model, model_mean)


def value_range(shown: pl.DataFrame, agent: str, claim: Claim) -> str:
    """Return in words the lowest and the highest value of an agent: " on average, from 30 (hypernymy) to 50 (antonymy)"."""
    rows = shown.filter(agent=agent).drop_nulls("value").sort("value", maintain_order=True)
    if rows.height < 2 or rows[0, "value"] == rows[-1, "value"]:
        return ""
    ends = [(rows[index, "value"], rows[index, claim.column]) for index in (0, -1)]
    low, high = (f"{in_words(claim, value, short=True)} ({name})" for value, name in ends)
    return f" on average, from {low} to {high}"


def comparison(between: Sequence[Mapping[str, Any]], claim: Claim, best: str, name: str) -> str:
    """Return whether and where an agent differs from another one (as `verdict`); "" without a test of the two."""
    if between and all(map(are_same, between)):
        return _alike(best, [name])
    return _left_open(claim, best, {name: between}) if _open(between, claim) else verdict(between, claim, best, name)


def verdict(between: Sequence[Mapping[str, Any]], claim: Claim, best: str, name: str) -> str:
    """Return in words where an agent differs from another (adjusted p < 0.05), with difference and interval; "" if nowhere.

    `between`: the tests of the two, the first minus the second. `name`: what the second is called.
    """
    rows = [row for row in between if row[P] is not None]
    clear = [row for row in rows if row[P] < ALPHA]
    if not clear:
        return ""
    largest = sorted(clear, key=lambda row: -abs(row["difference"]))[:SHOWN]
    names = [_where(row, claim) for row in largest]
    listed = "; ".join(f"{name}{adjusted_difference(row)}" for name, row in zip(names, largest, strict=True))
    more = f" and {len(clear) - SHOWN} more" if len(clear) > SHOWN else ""
    extent = f"{len(clear)} of {len(rows)} {claim.each}" if len(rows) > 1 else "this comparison"
    extent = f"all {claim.each} together" if rows[0].get("pooled") else extent
    behind = [row[claim.column] for row in clear if row["difference"] < 0]
    turned = f", but is behind in {first_few(behind)}" if behind and len(behind) < len(clear) else ""
    way = "differs from" if turned else "is behind" if behind else "is ahead of"
    test = f"{claim.test}: {by_p('<', adjustment(rows, claim))}"
    open_rows = [row for row in rows if row not in clear]
    ending = (
        f" In the others they have {SAME}." if all(map(are_same, open_rows)) else " The data leave the others open."
    )
    return f"{best} {way} {name} in {extent}{turned} ({test}): {listed}{more}.{ending if open_rows else ''}"


def _where(row: Mapping[str, Any], claim: Claim) -> str:
    """Return in words the condition of a difference and, of one to a best control, which control that is."""
    words = [
        row[claim.column] if len(claim.conditions) > 1 and not row.get("pooled") else "",
        f"over {row['control']}" if "control" in row else "",
    ]
    return "".join(f"{word} " for word in words if word)


def adjusted_difference(row: Mapping[str, Any]) -> str:
    """Return in words a difference with the interval that is adjusted as its p is, if that is known.

    >>> adjusted_difference({"difference": 0.4, "low": 0.3, "high": 0.5, "p": 0.01, "p_holm_all": 0.01})
    '+0.40 (95 % interval 0.30 to 0.50)'
    >>> adjusted_difference({"difference": 0.4, "low": 0.3, "high": 0.5, "p": 0.01, "p_holm_all": 0.02})
    '+0.40'
    """
    low, high = adjusted_interval(row) or (None, None)
    return difference_of({**row, "low": low, "high": high})


def difference_of(row: Mapping[str, Any]) -> str:
    """Return in words a difference with its interval, if that says something: "+0.40 (95 % interval 0.30 to 0.50)".

    >>> difference_of({"difference": 0.4, "low": -1.0, "high": 1.0, "note": ALL_VALUES})
    '+0.40'
    """
    if row["low"] is None or has_note(row.get("note"), ALL_VALUES):
        return minus(f"{row['difference']:+.2f}")
    digits = decimals_of(row["low"], row["high"])
    return minus(f"{row['difference']:+.{digits}f}") + f" ({interval_in_words(row['low'], row['high'])})"


def pair_tests(tests: pl.DataFrame, claim: Claim, best: str, rival: str) -> list[dict[str, Any]]:
    """Return the tests of a pair, the first agent minus the second, whichever TESTS names first."""
    claim_rows = _claim_rows(tests, claim)
    turned = claim_rows.with_columns(
        agent_a="agent_b",
        agent_b="agent_a",
        difference=-pl.col("difference"),
        low=-pl.col("high"),
        high=-pl.col("low"),
    )
    rows = pl.concat([claim_rows, turned]).filter(agent_a=best, agent_b=rival).to_dicts()
    over = f"after Holm's adjustment over {DECLARED} and all {claim.each}"
    return [{**row, "over": over} if row.get("family_of") == DECLARED else row for row in rows]


def _claim_rows(table: pl.DataFrame, claim: Claim) -> pl.DataFrame:
    """Return the rows of a claim's metric and conditions."""
    return table.filter(pl.col("metric") == claim.metric, pl.col(claim.column).is_in(list(claim.conditions)))
