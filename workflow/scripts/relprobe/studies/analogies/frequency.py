"""Does an agent err on rare words? The Kolmogorov-Smirnov test of section 4.

The frequency of a tuple is the harmonic mean of its words' frequencies (Chiang et al. 2020), here of `wordfreq`, where the
paper counts Wikipedia and BooksCorpus.
"""

from collections.abc import Mapping
from typing import Any

import polars as pl
import wordfreq

from relprobe.core.stats import holm, kolmogorov_smirnov
from relprobe.studies.analogies.schemas import FREQUENCY

PER_MILLION = 1e6
NOT_JUDGED = "not testable: none of its tuples was judged"


def frequency_tests(decisions: Mapping[str, pl.DataFrame], names: Mapping[str, str]) -> pl.DataFrame:
    """Compare the frequencies of the tuples judged rightly and wrongly, per agent and relation (FREQUENCY).

    `decisions`: agent -> DECISIONS of the supervised setting, of which the random probe's count; right is what more than
    half of the classifiers get right. `names`: relation -> its name. Tuples with a word that wordfreq does not know are
    left out and counted; of a relation without any decision the note says so.
    """
    rows: list[dict[str, Any]] = []
    for agent, table in decisions.items():
        asked = table.filter(pl.col("probe").str.starts_with("random_"))
        known = asked.join(_frequencies(asked), on=["head", "tail"], how="left", maintain_order="left")
        results = [
            {"agent": agent, "relation": code, "name": names[str(code)], **_compare(of_relation)}
            for (code,), of_relation in known.group_by("relation", maintain_order=True)
        ]
        adjusted = holm([result["p"] for result in results])
        rows += [{**result, "p_holm": p} for result, p in zip(results, adjusted, strict=True)]
    return pl.DataFrame(rows, schema=FREQUENCY)


def _frequencies(asked: pl.DataFrame) -> pl.DataFrame:
    """Return the frequency of each different tuple: head, tail, frequency (per million words; null where unknown)."""
    pairs = asked.select("head", "tail").unique(maintain_order=True)
    return pairs.with_columns(
        frequency=pl.Series([harmonic_mean(*pair) for pair in pairs.iter_rows()], dtype=pl.Float64)
    )


def harmonic_mean(head: str, tail: str) -> float | None:
    """Return the harmonic mean of two words' frequencies per million words; None if wordfreq does not know one of them."""
    both = [wordfreq.word_frequency(word, "en") * PER_MILLION for word in (head, tail)]
    return 2 / sum(1 / frequency for frequency in both) if all(both) else None


def _compare(asked: pl.DataFrame) -> dict[str, Any]:
    rows = asked.drop_nulls("value")
    known = rows.drop_nulls("frequency")
    right = known.filter(pl.col("value") > 0.5)["frequency"]
    wrong = known.filter(pl.col("value") <= 0.5)["frequency"]
    test = kolmogorov_smirnov(right.to_numpy(), wrong.to_numpy())
    return {
        "right": len(right),
        "wrong": len(wrong),
        "unknown": rows.height - known.height,
        "median_right": right.median(),
        "median_wrong": wrong.median(),
        "effect": test.effect,
        "p": test.p,
        "note": NOT_JUDGED if rows.is_empty() else test.note,
    }


def summary(tests: pl.DataFrame) -> pl.DataFrame:
    """Return per agent in how many relations frequency plays no significant role (p > 0.05), and in which it does.

    A relation without a test, whose tuples were all judged rightly for example, counts in neither.
    """
    p = pl.col("p")
    return tests.group_by("agent", maintain_order=True).agg(
        relations=pl.len(),
        tested=p.is_not_null().sum(),
        without_effect=(p > 0.05).sum(),
        share_without_effect=(p > 0.05).mean(),
        with_effect=pl.col("name").filter(p <= 0.05).str.join(", "),
    )
