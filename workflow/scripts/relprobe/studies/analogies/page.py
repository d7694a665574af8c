"""What the page of the study says: names, sentences, and where its answers stand."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

import polars as pl

from relprobe.core.claim import Claim
from relprobe.core.words import first_few
from relprobe.report.addresses import agents_of_difference
from relprobe.report.page import Address
from relprobe.report.page_words import PageWords
from relprobe.report.words.finding import Finding, control_verdict, times_as_many
from relprobe.report.words.finding import finding as found_by
from relprobe.report.words.headline import ROWS, VERDICTS, Headline, Verdict, verdict_row, verdicts_of
from relprobe.report.words.headline import headline as first_of
from relprobe.report.words.readable import p_in_words
from relprobe.report.words.summary import (
    CONTROL,
    FOUND,
    P,
    adjusted_difference,
    amount,
    control_rows,
    found_size,
    is_ahead,
    rows_of_best,
    sentences_on,
)
from relprobe.studies.analogies.addresses import answers
from relprobe.studies.analogies.claims import CLAIMS
from relprobe.studies.analogies.method import ALL, COLUMNS, UNMARKED
from relprobe.studies.analogies.relations import GROUP_NAMES
from relprobe.studies.analogies.schemas import SETTINGS
from relprobe.studies.analogies.tables import probes_in_words

# What codes in the tables of the analogies study are called on its page.


HALVES = {"random_head": "random (head)", "random_tail": "random (tail)"}
NAMES = {
    **HALVES,
    **{f"{setting} {probe}": f"{setting} {name}" for setting in SETTINGS for probe, name in HALVES.items()},
    ALL: "all",
    **GROUP_NAMES,
    **{f"{code} {UNMARKED}": f"{name}, {UNMARKED}" for code, name in GROUP_NAMES.items()},
}


def code_names(tables: Mapping[str, pl.DataFrame]) -> dict[str, str]:
    """Return the code of each relation -> its name; relations of own data have names alone.

    >>> rows = {"relation": ["E01", "capital"], "name": ["country - capital", "capital"]}
    >>> code_names({"data": pl.DataFrame(rows)}), code_names({})
    ({'E01': 'country - capital'}, {})
    """
    if "data" not in tables:
        return {}
    return {code: name for code, name in tables["data"].select("relation", "name").iter_rows() if code != name}


# The page of the analogies study: the paragraph that says what came out, figures in words, and where cells lead to.


PROBE = "reverse"
READS = {
    "supervised": "A classifier of the embeddings of {agent} uses the query",
    "unsupervised": "{agent} uses the query to choose between a pair and a reversed one",
}
DEPENDS = {
    "supervised": "What a classifier of the embeddings of {agent} decides depends on the query",
    "unsupervised": "What {agent} chooses between a pair and a reversed one depends on the query",
}
"""What is said of an agent that is ahead of the swapped query, and not of its best control."""
MAY_BE_ALIKE = "but the data do not show that it is ahead of its best control, which compares words alone"
ON_QUERY = "depends on the query; not ahead of its control"
READS_NOT = {
    "supervised": "For no model do the data show that a classifier of its embeddings uses the query",
    "unsupervised": "For no model do the data show that it uses the query to choose between a pair and a reversed one",
}
NO_CHOICE = "No model has made a choice in this study."
NO_SWAP = "The study has no swapped queries (sample.swapped), so that nothing says whether the query is read."


def headline(tables: Mapping[str, pl.DataFrame], models: Collection[str]) -> Headline:
    """Return the headline on both settings: which models use the query, and the best of these against its best control.

    An accuracy alone is no sign of an analogy, as an agent may know the usual order of the two words. So a model is praised
    only if it has more with the right query than with one of two other tuples, its control. `models`: the agents that are
    models; the others are controls and encoders.
    """
    sentences: list[str] = []
    more: list[str] = []
    for setting, claim, values in reversed(_claims(tables)):
        readers, statement = query_use(tables, setting, models)
        named = readers if _is_swapped(tables, setting, models) else models
        best = sentences_on(values, tables["tests"], claim, named, controls=tables["controls"]) if named else []
        over_control = [
            difference for difference in best[1:] if CONTROL in difference
        ]  # who uses the query may still be behind static vectors
        sentences += [*[" ".join([*best[:1], *over_control])] * bool(best), statement]
        more += [difference for difference in best[1:] if difference not in over_control]
    return first_of(sentences or [NO_CHOICE], more, _verdicts(tables, models))


def _verdicts(tables: Mapping[str, pl.DataFrame], models: Collection[str]) -> pl.DataFrame:
    """Return the small table of the headline: settings against best controls, and the right query against a swapped one.

    An agent that is ahead of one of them alone, as by the letters of words, shows no analogy.
    """
    claims = [(claim, values) for _, claim, values in reversed(_claims(tables))]
    table = verdicts_of(claims, tables["controls"], models) if claims else pl.DataFrame(schema=VERDICTS)
    if "swapped" not in tables:
        return table
    rows = tables["swapped"].filter(pl.col("agent").is_in(list(models)), probe=PROBE, condition=ALL)
    tested = rows.drop_nulls("difference").sort("difference", descending=True)
    tested = tested.rename({"right_query": "value", "swapped_query": "control_value"})
    tested = tested.with_columns(control=pl.lit("a query of two other tuples"))
    shown = [
        verdict_row({"note": None, **row, P: row["p_holm"], FOUND: row.get("detectable")}, f"{row['setting']}, query")
        | (
            {"verdict": ON_QUERY, "kind": Verdict.OPEN}
            if is_ahead(row, "p_holm") and not _beats_control(tables, row)
            else {}
        )
        for row in tested.to_dicts()
    ]
    return pl.concat([table, pl.DataFrame(shown, schema=VERDICTS)]).head(ROWS)


def finding(tables: Mapping[str, pl.DataFrame], models: Collection[str]) -> Finding:
    """Return the finding of the last setting, unsupervised. `tables`, `models`: as for `headline`."""
    claims = _claims(tables)
    if not claims:
        return Finding((NO_CHOICE,))
    setting, claim, values = claims[-1]
    readers, _ = query_use(tables, setting, models)
    if _is_swapped(tables, setting, models) and not readers:  # an accuracy that is no sign of an analogy is no praise
        return _no_use(_query_rows(tables, setting, models), claim, tables["controls"])
    if readers and len(readers) < len(set(models) & set(values["agent"])):
        claim = replace(claim, agents="models that read the query")
    result = found_by(values, claim, readers or models, tables["controls"], tests=tables["tests"])
    last = NO_SWAP
    if readers:
        row = _query_rows(tables, setting, [result.agent]).row(0, named=True)
        shown = f"{result.it} uses the query"
        if not _beats_control(tables, row) or not (is_ahead(result.row) if result.row else True):
            shown = f"{'its' if result.it == 'it' else 'the'} choices depend on the query"
        last = f"{_with_both_queries(row, result.it, values)}: {shown}."
    return replace(result, sentences=(*result.sentences[:2], last))


def _with_both_queries(row: Mapping[str, Any], it: str, values: pl.DataFrame) -> str:
    """Return in words in how many of 100 choices a model is right with its query, and with one of two other tuples.

    They are those of a sample, in which the first share may be another one than in all choices (`values`).
    """
    right, swapped = _query_shares(row)
    (mean,) = values.filter(agent=row["agent"], condition=ALL)["value"]
    if amount(mean, "choices") == f"{right} of 100 choices":
        return f"With a query of two other tuples {it} is right in {swapped}, not {right}"
    return f"On a sample {it} is right in {right}, and with another query in {swapped}"


def _no_use(rows: pl.DataFrame, claim: Claim, controls: pl.DataFrame) -> Finding:
    """Return the finding that no model is known to use the query: of the one with the smallest p, and what would tell."""
    row = rows.sort(pl.col("p_holm").fill_null(1.0), maintain_order=True).row(0, named=True)
    number = rows["agent"].n_unique()
    right, swapped = _query_shares(row)
    over = rows_of_best(control_rows(controls, None, claim, row["agent"])[0], claim, number)
    times = times_as_many({**row, P: row["p_holm"]})
    statement = "that it uses" if number == 1 else f"that any of {number} models uses"
    sentences = (
        f"{row['agent']} is right in {right} of 100 choices with the query, and in {swapped} with another query: the data "
        f"do not show {statement} it.",
        control_verdict(row["right_query"], over, claim),
        "" if times is None else f"About {times} times as many {claim.sample} would tell.",
    )
    statistics = f"Difference {_query_difference(row)}; {claim.test}."
    return Finding(tuple(filter(None, sentences)), statistics, row["agent"])


def _query_shares(row: Mapping[str, Any]) -> tuple[str, str]:
    """Return in how many of 100 choices a model is right with the right query, and with one of two other tuples."""
    right, swapped = (amount(row[f"{query}_query"], "choices").partition(" ")[0] for query in ("right", "swapped"))
    return right, swapped


def _query_rows(tables: Mapping[str, pl.DataFrame], setting: str, models: Collection[str]) -> pl.DataFrame:
    """Return the rows of models in a setting with the right query and with one of two other tuples."""
    rows = tables["swapped"].filter(pl.col("agent").is_in(list(models)), setting=setting, probe=PROBE, condition=ALL)
    return rows.drop_nulls("difference").sort("difference", descending=True, maintain_order=True)


def _is_swapped(tables: Mapping[str, pl.DataFrame], setting: str, models: Collection[str]) -> bool:
    """Return whether models were asked with queries of other tuples in a setting."""
    return "swapped" in tables and not _query_rows(tables, setting, models).is_empty()


def query_use(tables: Mapping[str, pl.DataFrame], setting: str, models: Collection[str]) -> tuple[list[str], str]:
    """Return the models that use the query in a setting, and the sentence that says so.

    A model uses it if it is right more often with the right query than with one of two other tuples, on the same instances
    (the table `swapped`), with p_holm < 0.05, and is ahead of its best control, where there is one: the claim holds only
    if both tests do. Of one that is ahead of the swapped query alone, such as one that is behind static vectors, it is said
    that its choices depend on the query. The sentence has the largest difference; without such a model, that of the model
    with the smallest p, and it says that the data show nothing.

    >>> row = {"setting": "supervised", "probe": "reverse", "condition": "All", "agent": "m", "right_query": 0.88}
    >>> row |= {"swapped_query": 0.904, "difference": -0.024, "low": -0.06, "high": 0.01, "p_holm": 0.19}
    >>> readers, statement = query_use({"swapped": pl.DataFrame([row])}, "supervised", ["m"])
    >>> print(readers, statement)
    [] For no model do the data show that a classifier of its embeddings uses the query: m is right in 88 of 100 choices \
between a pair and a reversed one, and in 90 of the same choices with a query of two other tuples (−0.02, 95 % interval \
−0.06 to 0.01; p = 0.19 after Holm's adjustment).
    """
    if not _is_swapped(tables, setting, models):
        return [], NO_SWAP
    rows = _query_rows(tables, setting, models)
    ahead = [row for row in rows.to_dicts() if is_ahead(row, "p_holm")]
    used = [row for row in ahead if _beats_control(tables, row)]
    if ahead:
        named = used or ahead
        further_agents = [row["agent"] for row in named[1:]]
        so_do = (
            f"; so {'does' if len(further_agents) == 1 else 'do'} {first_few(further_agents)}"
            if further_agents and used
            else ""
        )
        statement = (READS if used else DEPENDS)[setting].format(agent=named[0]["agent"])
        end = so_do if used else f", {MAY_BE_ALIKE}"
        return [row["agent"] for row in ahead], f"{statement}: it {_query_sentence(named[0])}{end}."
    nearest = rows.sort(pl.col("p_holm").fill_null(1.0), maintain_order=True).row(0, named=True)
    return (
        [],
        f"{READS_NOT[setting]}: {nearest['agent']} {_query_sentence(nearest)}{found_size([nearest], 'detectable')}.",
    )


def _beats_control(tables: Mapping[str, pl.DataFrame], row: Mapping[str, Any]) -> bool:
    """Return whether the agent of a row of `swapped` is ahead of its best control in the setting, or has none."""
    controls = tables.get("controls", pl.DataFrame(schema={"metric": pl.String()}))
    comparisons = controls.filter(pl.col("metric") == f"{row['setting']} {PROBE}")
    if comparisons.is_empty():
        return True
    differences = comparisons.filter(agent=row["agent"], condition=ALL).to_dicts()
    return not differences or is_ahead(differences[0], "p" if "p" in differences[0] else P)


def _query_sentence(row: Mapping[str, Any]) -> str:
    """Return the accuracies of a model with both queries, and their difference."""
    right, swapped = (amount(row[f"{query}_query"], "choices") for query in ("right", "swapped"))
    return (
        f"is right in {right} between a pair and a reversed one, and in {swapped.partition(' ')[0]} of the same choices "
        f"with a query of two other tuples ({_query_difference(row)})"
    )


def _query_difference(row: Mapping[str, Any]) -> str:
    """Return in words the difference of both queries, its interval and its p, adjusted alike."""
    p = row["p_holm"]
    test = "no test" if p is None else f"{p_in_words(p)} after Holm's adjustment"
    return f"{adjusted_difference({**row, P: p}).replace(' (', ', ').removesuffix(')')}; {test}"


def _claims(tables: Mapping[str, pl.DataFrame]) -> list[tuple[str, Claim, pl.DataFrame]]:
    """Return what the sentences are about: each setting, a claim and its averages."""
    claims = []
    for setting, declared in zip(SETTINGS, CLAIMS, strict=True):
        claim = declared.under([ALL])
        if claim.metric in tables["overview"].columns:
            columns = {"condition": "group", "value": claim.metric, "own": "own_tuples"}
            values = tables["overview"].select("agent", metric=pl.lit(claim.metric), **columns)
            claims.append((setting, claim, values))
    return claims


def words(name: str, tables: Mapping[str, pl.DataFrame]) -> str:
    """Return the values of a figure in words, from the table behind it; "" if that is not on the page."""
    if "overview" not in tables or not name.startswith("groups_"):
        return ""
    return probes_in_words(tables["overview"], name.removeprefix("groups_"), "group")


def _agent_address(row: Mapping[str, Any], column: str) -> str | None:
    """Return the address of the choices behind an accuracy; those of a group are those of all relations."""
    setting, _, probe = column.partition(" ")
    if setting not in SETTINGS or probe not in COLUMNS or row[column] is None:
        return None
    return answers(row["agent"], setting, probe, row.get("relation"))


def _pair_address(row: Mapping[str, Any], column: str) -> str | None:
    """Return the address of the choices that one agent makes rightly and the other wrongly, at a difference."""
    agents = agents_of_difference(row, column)
    setting, _, probe = row["metric"].partition(" ")
    return None if agents is None else answers(agents[0], setting, probe, against=agents[1])


ADDRESSES: dict[str, Address] = {"overview": _agent_address, "tests": _pair_address}
"""Table -> what its cells lead to."""


WORDS = PageWords(headline, words, finding=finding, names=NAMES, code_names=code_names, addresses=ADDRESSES)
