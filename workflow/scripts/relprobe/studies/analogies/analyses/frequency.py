"""Whether agents err on rare words (section 4 of the paper).

## Does frequency decide?

```yaml
table: frequency_summary
part: Tests
empty: No relation has enough decisions of both kinds.
columns:
  test: the test that decides
  relations: the number of relations
  tested: the number of relations with a p
  without_effect: the number of these with p > 0.05
  share_without_effect: the share of these with p > 0.05; missing where no relation has a p
  with_effect: the relations with p of at most 0.05
```

In how many relations the tuples that an agent judges rightly differ in frequency from the others (p ≤ 0.05), in the
random probe of the supervised setting *(section 4 of the paper)*. The column test says which test decides; the
config's key inference chooses it.

## Frequency of tuples judged rightly and wrongly

```yaml
table: frequency
part: Tests
empty: No relation has enough decisions of both kinds.
columns:
  tuples: the number of tuples that were judged and whose frequency is known
  clusters: the number of families of these tuples
  distance: the largest distance between the distributions of frequency of what is judged rightly and wrongly
  p: the probability of such a distance if families exchange their shares of right decisions at random
  right: the number of right decisions
  wrong: the number of wrong decisions
  unknown: the number of decisions on tuples with a word that wordfreq does not know
  median_right: the median frequency of tuples judged rightly, per million words
  median_wrong: the median frequency of tuples judged wrongly, per million words
  paper_effect: the Kolmogorov-Smirnov statistic of the decisions
  p_holm: p, adjusted by Holm's method over the agent's relations
```

The frequency of a tuple is the harmonic mean of its words' frequencies (wordfreq, per million words). distance: the
largest distance between the distributions of frequency of what is judged rightly and wrongly, where tuples that share
a word count once; p: its chance if these families exchange their shares of right decisions at random.

The columns paper_… hold the published method's Kolmogorov-Smirnov test. It takes each decision as independent, but a
tuple has up to a hundred of them: where frequency plays no role, it finds one in nine of ten relations. Tuples with a
word that wordfreq does not know are left out; unknown counts their decisions.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from relprobe.core.sums import ordered_mean
from relprobe.report.published import figures
from relprobe.sources import word_frequency
from relprobe.stats import Values, kolmogorov_smirnov, null_p, with_holm
from relprobe.stats.notes import untestable
from relprobe.stats.schemas import Inference
from relprobe.studies.analogies.relations import relation_names
from relprobe.studies.analogies.results import Results
from relprobe.studies.analogies.schemas import Decisions, Tuples

# The frequency of a tuple is the harmonic mean of its words' frequencies (Chiang et al. 2020). The frequencies here are
# those of `wordfreq`; the paper counts words in Wikipedia and BooksCorpus. The paper compares the frequencies of right
# and wrong decisions by the Kolmogorov-Smirnov test, which takes decisions as independent. But a relation has some 2,400
# decisions on 25 tuples: where tuples differ in difficulty, the test calls nearly every relation significant. Our test
# has one value per tuple, and takes tuples that share a word as one.


PLACE = 6
FREQUENCY = pl.Schema(
    {
        "agent": pl.String(),
        "relation": pl.String(),
        "name": pl.String(),
        "tuples": pl.UInt32(),  # tuples that were judged and whose frequency wordfreq knows
        "clusters": pl.UInt32(),  # families of these tuples
        "distance": pl.Float64(),  # between the frequencies of tuples judged rightly and wrongly, a tuple counting once
        "p": pl.Float64(),  # by permutation of the families
        "p_holm": pl.Float64(),  # Holm's adjustment over the agent's relations
        "note": pl.String(),  # the reason why p is missing
        "right": pl.UInt32(),  # decisions on tuples whose frequency wordfreq knows
        "wrong": pl.UInt32(),
        "unknown": pl.UInt32(),  # decisions on tuples with a word that wordfreq does not know
        "median_right": pl.Float64(),  # harmonic mean of the two words' frequencies, per million words
        "median_wrong": pl.Float64(),
        "paper_effect": pl.Float64(),  # the Kolmogorov-Smirnov statistic of the decisions
        "paper_p": pl.Float64(),
        "paper_p_holm": pl.Float64(),
        "paper_note": pl.String(),
    }
)
PER_MILLION = 1e6
SEED, PERMUTATIONS = 1, 10_000
NOT_JUDGED = untestable("none of its tuples was judged")
ALL_ALIKE = untestable("all tuples are judged alike")
FEW = untestable("fewer than three families of tuples")
FREQUENCY_TESTS: dict[Inference, str] = {
    "linked": "permutation of families of tuples",
    "clusters": "permutation of families of tuples",
    "paper": "Kolmogorov-Smirnov over decisions",
}
"""Choice of `inference` -> the test that decides whether frequency plays a role."""


def frequency(tuples: Tuples, decisions: Mapping[str, Decisions] | None = None) -> pl.DataFrame:
    """Compare the frequencies of the tuples that are judged rightly and wrongly, per agent and relation (section 4).

    `decisions`: agent -> those of the supervised setting, as far as there are any; only the random probes count.
    `distance` is the largest distance between two distribution functions of frequency: that of right and that of wrong
    decisions, where a family of tuples counts once, by the share of its decisions that are right. p is its chance if the
    shares are exchanged among the families at random. In the columns `paper_…` every decision counts, and it is right if
    more than half of the classifiers make it. Tuples with a word that wordfreq does not know are counted but not compared.
    A note names a relation without any decision.
    """
    family = tuples.select("relation", "head", "tail", "family").unique()
    family = family.with_columns(
        tuple=pl.format("{} : {}", "head", "tail"), tuple_frequency=_harmonic_means(family)
    ).drop("head", "tail")
    rows: list[dict[str, Any]] = []
    names = relation_names(tuples)
    for agent, table in (decisions or {}).items():
        random = table.filter(pl.col("probe").str.starts_with("random_"), pl.col("instead_of").is_null())
        with_frequency = random.join(_frequencies(random), on=["head", "tail"], how="left", maintain_order="left").join(
            family, on=["relation", "tuple"], how="left", maintain_order="left"
        )
        rows += [
            {"agent": agent, "relation": code, "name": names[str(code)], **_by_decision(part), **_by_tuple(part)}
            for (code,), part in with_frequency.group_by("relation", maintain_order=True)
        ]
    return with_holm(with_holm(pl.DataFrame(rows, schema=FREQUENCY), ["agent"]), ["agent"], "paper_p")


def _frequencies(decisions: pl.DataFrame) -> pl.DataFrame:
    """Return the frequency of each different tuple: head, tail, frequency (per million words; null where unknown)."""
    pairs = decisions.select("head", "tail").unique(maintain_order=True)
    return pairs.with_columns(frequency=_harmonic_means(pairs))


def _harmonic_means(pairs: pl.DataFrame) -> pl.Series:
    return pl.Series([harmonic_mean(*pair) for pair in pairs.select("head", "tail").iter_rows()], dtype=pl.Float64)


def harmonic_mean(head: str, tail: str) -> float | None:
    """Return the harmonic mean of two words' frequencies per million words; None if wordfreq does not know one of them.

    >>> harmonic_mean("dog", "dog") == word_frequency.frequency("dog", language="en") * 1e6
    True
    >>> print(harmonic_mean("dog", "qxzzvk"))
    None
    """
    frequencies = [word_frequency.frequency(word, language="en") * PER_MILLION for word in (head, tail)]
    return 2 / sum(1 / frequency for frequency in frequencies) if all(frequencies) else None


def _by_decision(decisions: pl.DataFrame) -> dict[str, Any]:
    """Return the paper's columns of FREQUENCY for one relation."""
    judged = decisions.drop_nulls("value")
    compared = judged.drop_nulls("frequency")
    right = compared.filter(pl.col("value") > 0.5)["frequency"]
    wrong = compared.filter(pl.col("value") <= 0.5)["frequency"]
    test = kolmogorov_smirnov(right.to_numpy(), wrong.to_numpy())
    return {
        "right": len(right),
        "wrong": len(wrong),
        "unknown": judged.height - compared.height,
        "median_right": right.median(),
        "median_wrong": wrong.median(),
        "paper_effect": test.effect,
        "paper_p": test.p,
        "paper_note": NOT_JUDGED if judged.is_empty() else test.note,
    }


def _by_tuple(decisions: pl.DataFrame) -> dict[str, Any]:
    """Return our columns of FREQUENCY for one relation."""
    judged = decisions.drop_nulls("value")
    mean = ordered_mean("value")
    by_tuple = judged.drop_nulls("tuple_frequency").group_by("tuple", "family", "tuple_frequency").agg(mean)
    by_family = (
        by_tuple.group_by("family").agg(mean, frequency=ordered_mean(pl.col("tuple_frequency").log())).sort("family")
    )
    shares, frequencies = by_family["value"].to_numpy(), by_family["frequency"].to_numpy()
    columns = {"tuples": by_tuple.height, "clusters": by_family.height, "distance": None, "p": None}
    if by_family.height < 3:
        return {**columns, "note": NOT_JUDGED if judged.is_empty() else FEW}
    if np.ptp(np.round(shares, 9)) == 0:
        return {**columns, "note": ALL_ALIKE}
    distance, p = permutation_test(shares, frequencies)
    return {**columns, "distance": distance, "p": p, "note": None}


def permutation_test(shares: Values, frequencies: Values) -> tuple[float, float]:
    """Return the distance between the frequencies of the tuples judged rightly and wrongly, and its p by permutation.

    `shares`: the share of right decisions of each family, (families,), which are not all equal; `frequencies`: theirs.

    Two are judged rightly, and they are the rarest of four: 2 of the 4! / (2! 2!) = 6 orders are as far apart.

    >>> distance, p = permutation_test(np.array([1.0, 1.0, 0.0, 0.0]), np.array([1.0, 2.0, 3.0, 4.0]))
    >>> distance, abs(p - 2 / 6) < 0.02
    (1.0, True)
    """
    order = np.argsort(frequencies, kind="stable")
    last = np.flatnonzero(np.diff(frequencies[order], append=np.inf))  # the last family of each frequency
    sorted_shares = shares[order]
    orders = np.random.default_rng(SEED).permuted(np.tile(sorted_shares, (PERMUTATIONS, 1)), axis=1)
    distance = float(distances(sorted_shares[None], last)[0])
    return distance, null_p(distance, distances(orders, last))


def distances(shares: Values, last: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Values:
    """Return the largest distance between the distribution functions that are weighted by shares and by 1 - shares.

    `shares`: (k, families), each row in the order of frequency; `last`: the places at which the functions are compared.

    >>> distances(np.array([[1.0, 0.5, 0.0]]), np.array([0, 1, 2])).round(3).tolist()  # at the first: 1/1.5 and 0/1.5
    [0.667]
    """
    right, wrong = (np.cumsum(part, axis=1) / part.sum(axis=1, keepdims=True) for part in (shares, 1 - shares))
    largest: Values = np.abs(right - wrong)[:, last].max(axis=1)
    return largest


def frequency_summary(tests: pl.DataFrame, inference: Inference) -> pl.DataFrame:
    """Return per agent in how many relations frequency plays no significant role (p > 0.05), and in which it does.

    `inference` chooses the test. A relation without a test counts in neither, for example one whose
    tuples were all judged rightly.
    """
    p = pl.col("paper_p" if inference == "paper" else "p")
    return tests.group_by("agent", maintain_order=True).agg(
        test=pl.lit(FREQUENCY_TESTS[inference]),
        relations=pl.len(),
        tested=p.is_not_null().sum(),
        without_effect=(p > 0.05).sum(),
        share_without_effect=(p > 0.05).mean(),
        with_effect=pl.col("name").filter(p <= 0.05).str.join(", "),
    )


def _frequency(results: Results) -> pl.DataFrame:
    return frequency(results.tuples, results.supervised)


def _summary(results: Results) -> pl.DataFrame:
    return frequency_summary(_frequency(results), results.inference)


def published(results: Results) -> list[pl.DataFrame]:
    """Return our values of what the paper prints (OURS)."""
    return [share_without_effect(_summary(results))]


def share_without_effect(summary: pl.DataFrame) -> pl.DataFrame:
    """Return in how many of the relations that could be tested frequency plays no role, in per cent (OURS)."""
    share = summary.select(
        quantity=pl.lit("relations where frequency plays no role (%)"),
        agent="agent",
        ours=100 * pl.col("share_without_effect").cast(pl.Float64),
        n="tested",
        units=pl.lit("relations"),
    )
    return figures(share)


TABLES = {"frequency_summary": _summary, "frequency": _frequency}
