"""Which significant differences of the paper remain on the agents of this run.

## What remains of published significant differences, figure by figure

```yaml
table: claims
part: Tests
needs: [paper]
before: tests
empty: The agents of this run have no pair that the paper compares.
columns:
  where: the figure or table of the paper
  claim: what the paper says there, for the agents of this run
  pairs: the number of pairs that are compared
  tests: the number of these that have both tests
  paper: the number of these with p < 0.05 in the paper's way
  survives: the number of these with p < 0.05 in ours, too
  survives_holm: the number of these after Holm's adjustment
  new: the number that is significant in ours alone
  verdict: what remains of the claim
  lost: the differences that do not survive
```

For each figure and table of the paper that says what is significant: the same tests on the agents of this run, which
are the paper's only in a run of its models. Those of people are with people's pooled answers.

Agents that are asked in other ways than most (examples, chat) do not count as further models. tests: of the pairs,
those that have both tests; McNemar's needs values of 0 and 1, which people's soundness and symmetry are with `ties:
favourable`. paper: how many of them have p < 0.05 in the paper's way; survives: how many of these have it in ours,
too, and survives_holm after Holm's adjustment; new: significant in ours alone; lost: what does not survive.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from relprobe.core.prompting import BARE
from relprobe.core.words import amount, enumeration
from relprobe.stats import with_holm
from relprobe.stats.notes import reason_in
from relprobe.studies.relations.measures import AUDC

PLACE = 6

# The paper's tests take the probes of a target as independent, and symmetry counts each pair twice. Each row compares,
# on the agents of this run, the tests as the paper computes them (but for pairs that count once) with ours. What the
# paper says of its own models is tested only in a run of these (resources/studies/paper.yaml).


ALPHA = 0.05
CLAIMS = pl.Schema(
    {
        "where": pl.String(),  # in the paper
        "claim": pl.String(),
        "pairs": pl.UInt32(),  # that are compared
        "tests": pl.UInt32(),  # that can be computed in both ways
        "paper": pl.UInt32(),  # of these tests: p < 0.05 by the paper's test, not adjusted
        "survives": pl.UInt32(),  # of these: p < 0.05 over clusters, with a difference of the same sign
        "survives_holm": pl.UInt32(),  # of these: also after Holm's adjustment over the pairs of one metric, relation and k
        "new": pl.UInt32(),  # significant over clusters alone
        "verdict": pl.String(),
        "lost": pl.String(),  # the differences that do not survive
    }
)
PRINTED = {
    "soundness": "Figure 4",
    "completeness": "Figure 5",
    "symmetry@5": "Figure 6a",
    "asymmetry@5": "Figure 6b",
    "symmetry@1": "Figure B1",
    "asymmetry@1": "Figure B1",
    "symmetry@10": "Figure B2",
    "asymmetry@10": "Figure B2",
    "prototypicality": "Figure 7",
    AUDC.name: "Figure 8",
}
"""The metric, with its cut-off, behind a figure. The paper tests all but AuDC, the binary ones by McNemar's test."""
NAMED = 3
"""Up to this number, a claim names its models."""
PEOPLE = "humans"
"""The agent that the paper compares its models with: the answers of all people together."""


def claims(tests: pl.DataFrame, comparisons: Mapping[str, pl.DataFrame], models: Mapping[str, Any]) -> pl.DataFrame:
    """Return the paper's claims of significance, and what remains of them on the agents of this run (CLAIMS).

    First comes the paper's own comparison, people together (PEOPLE) and each model; then the models with each other.
    `comparisons`: by name, the tables best_by_type, prompt_variance and entropy_differences that the run has.
    `models`: the entries of the models. One model that is asked in three ways is not three models: only those count that are
    asked in the way of most, and in the first of equally common ways.
    """
    ways = Counter(entry.get("way", BARE) for entry in models.values())
    way = next((name for name, _ in ways.most_common(1)), BARE)
    agents = [agent for agent, entry in models.items() if entry.get("way", BARE) == way]
    rows = [*_agent_claims(tests, agents, way), *_table_claims(comparisons, agents, way)]
    return pl.DataFrame(rows, schema=CLAIMS)


def _agent_claims(tests: pl.DataFrame, agents: Sequence[str], way: str) -> Iterator[dict[str, Any]]:
    """Yield a row per figure for people with each model, and then for the models with each other."""
    name = pl.when(pl.col("k").is_null()).then("metric").otherwise(pl.format("{}@{}", "metric", "k"))
    what = pl.format("{} {}–{}", pl.col("relation").fill_null(""), "agent_a", "agent_b").str.strip_chars()
    rows = tests.with_columns(name=name, what=what, same=_same_sign())
    a, b = (pl.col(column).is_in(agents) for column in ("agent_a", "agent_b"))
    people = ((pl.col("agent_a") == PEOPLE) & b) | ((pl.col("agent_b") == PEOPLE) & a)
    asked = "" if way == BARE else f" ({way})"
    whom = f"{enumeration(agents)}{asked}" if len(agents) <= NAMED else f"{amount(len(agents), 'model')}{asked}"
    for pairs, claim in ((people, f"people differ from each of {whom}"), (a & b, f"{whom} differ")):
        pair_tests = with_holm(rows.filter(pairs), ["metric", "relation", "k"])
        for metric, where in PRINTED.items():
            claim_tests = pair_tests.filter(name=metric)
            if claim_tests.height:
                yield _row(where, f"{metric}: {claim}", claim_tests)


def _same_sign() -> pl.Expr:
    """Return whether the paper's effect has the sign of the difference; where one is 0 or missing, it does."""
    product = pl.col("difference") * pl.col("paper_effect").fill_null(0.0)
    return (product >= 0).fill_null(value=True)


def _table_claims(tables: Mapping[str, pl.DataFrame], agents: Sequence[str], way: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of the claims that are no dotted lines."""
    true = pl.lit(True).alias("same")
    if "entropy_differences" in tables:
        pairs = tables["entropy_differences"].with_columns(true, what=pl.format("{}–{}", "relation", "versus"))
        yield _row("Figure 2", "the relations differ in the entropy of the answers", pairs)
    if "best_by_type" in tables:
        best = tables["best_by_type"].filter(pl.col("metric") != AUDC.name, way=way)
        named = best.with_columns(_same_sign().alias("same"), what=pl.format("{} {}", "metric", "relation"))
        if named.height:
            yield _row("Table 7", "the best masked and the best causal model differ", named)
    if "prompt_variance" in tables:
        variances = tables["prompt_variance"].filter(pl.col("agent").is_in([PEOPLE, *agents]))
        name = pl.format("{} {} {}", "metric", "relation", "agent")
        yield _row("Table F4", "the variance differs between prompts", variances.with_columns(true, what=name))


def _row(where: str, claim: str, rows: pl.DataFrame) -> dict[str, Any]:
    """Count the tests of a claim. `rows` have what, same, p, p_holm and paper_p."""
    significant = (pl.col("p") < ALPHA).fill_null(value=False)
    paper = (pl.col("paper_p") < ALPHA).fill_null(value=False)
    survives = paper & significant & pl.col("same")
    holds = survives & (pl.col("p_holm") < ALPHA)
    lost = rows.filter(paper & ~survives)["what"].to_list()
    counts = rows.select(
        pairs=pl.len(),
        tests=(pl.col("p").is_not_null() & pl.col("paper_p").is_not_null()).sum(),
        paper=paper.sum(),
        survives=survives.sum(),
        survives_holm=holds.sum(),
        new=(significant & ~paper).sum(),
    ).row(0, named=True)
    return {
        "where": where,
        "claim": claim,
        **counts,
        "verdict": _verdict(counts, _reason(rows)),
        "lost": ", ".join(lost),
    }


def _reason(rows: pl.DataFrame) -> str:
    """Return the commonest reason why the paper's test is missing, "" if none is known."""
    column = next((name for name in ("paper_note", "note") if name in rows.columns), None)
    reasons = Counter([] if column is None else rows[column].drop_nulls().to_list())
    return next((reason_in(str(reason)) for reason, _ in reasons.most_common(1)), "")


def _verdict(counts: Mapping[str, int], reason: str) -> str:
    """Return the sentence on what remains of a claim. `reason`: why the paper's test is missing, where it is.

    >>> _verdict({"tests": 9, "paper": 5, "survives": 3}, "")
    '3 of 5 survive'
    >>> _verdict({"tests": 0, "paper": 0, "survives": 0}, "values other than 0 and 1")
    "no test in the paper's way: values other than 0 and 1"
    """
    if counts["tests"] == 0:
        return ": ".join(filter(None, ["no test in the paper's way", reason]))
    if counts["paper"] == 0:
        return "nothing is significant in the paper's way"
    if counts["survives"] == counts["paper"]:
        return "survives"
    return f"{counts['survives']} of {counts['paper']} survive" if counts["survives"] else "does not survive"


TABLES_READ = ("entropy_differences", "best_by_type", "prompt_variance")
DERIVED_TABLES = {"claims": lambda results, tables: claims(results.tests, tables, results.settings.models)}
