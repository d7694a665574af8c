"""Does an agent err on rare words? The Kolmogorov-Smirnov test of section 4.

The frequency of a tuple is the harmonic mean of its words' frequencies (Chiang et al. 2020). The frequencies here are those
of `wordfreq`; the paper counts words in Wikipedia and BooksCorpus.
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

    `decisions`: agent -> DECISIONS of the supervised setting; only the random probes count. A decision is right if more
    than half of the classifiers make it. `names`: relation -> its name. Tuples with a word that wordfreq does not know are
    counted but not compared. A note names a relation without any decision.
    """
    rows: list[dict[str, Any]] = []
    for agent, table in decisions.items():
        random = table.filter(pl.col("probe").str.starts_with("random_"))
        with_frequency = random.join(_frequencies(random), on=["head", "tail"], how="left", maintain_order="left")
        results = [
            {"agent": agent, "relation": code, "name": names[str(code)], **_compare(of_relation)}
            for (code,), of_relation in with_frequency.group_by("relation", maintain_order=True)
        ]
        adjusted = holm([result["p"] for result in results])
        rows += [{**result, "p_holm": p} for result, p in zip(results, adjusted, strict=True)]
    return pl.DataFrame(rows, schema=FREQUENCY)


def _frequencies(decisions: pl.DataFrame) -> pl.DataFrame:
    """Return the frequency of each different tuple: head, tail, frequency (per million words; null where unknown)."""
    pairs = decisions.select("head", "tail").unique(maintain_order=True)
    return pairs.with_columns(
        frequency=pl.Series([harmonic_mean(*pair) for pair in pairs.iter_rows()], dtype=pl.Float64)
    )


def harmonic_mean(head: str, tail: str) -> float | None:
    """Return the harmonic mean of two words' frequencies per million words; None if wordfreq does not know one of them.

    >>> harmonic_mean("dog", "dog") == wordfreq.word_frequency("dog", "en") * 1e6
    True
    >>> print(harmonic_mean("dog", "qxzzvk"))
    None
    """
    both = [wordfreq.word_frequency(word, "en") * PER_MILLION for word in (head, tail)]
    return 2 / sum(1 / frequency for frequency in both) if all(both) else None


def _compare(decisions: pl.DataFrame) -> dict[str, Any]:
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
        "effect": test.effect,
        "p": test.p,
        "note": NOT_JUDGED if judged.is_empty() else test.note,
    }
