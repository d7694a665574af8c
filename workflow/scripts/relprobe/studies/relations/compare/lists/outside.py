"""People's answers that are in no relatum set of any target: OOR (section 6.1)."""

import polars as pl

from relprobe.core.relation import Relations

OUTSIDE = pl.Schema(
    {
        "relation": pl.String(),  # that was prompted for; missing: all of them
        "answers": pl.UInt32(),
        "outside": pl.UInt32(),  # answers that are in no relatum set
        "share": pl.Float64(),
        "different": pl.UInt32(),
        "different_outside": pl.UInt32(),
        "different_share": pl.Float64(),
    }
)


def outside(words: pl.DataFrame, relata: pl.DataFrame, *, relations: Relations) -> pl.DataFrame:
    """Return how many of people's answers are in no relatum set of any target (OUTSIDE; OOR in section 6.1).

    Answers are counted as often as they were given, and as different words. `words`: a row per answer
    (`ranked_lists.answered_words`). `relata`: the relatum sets (RELATA). A word that is a relatum of one target is inside
    wherever it is answered. So read, and with the paper's tokenizers, 10,909 of the 93,120 published answers are outside
    (11.7 %), and 3,689 different ones (51.1 %). The paper prints 10,895 and 3,691 (51 %); its 18 % for the first number is
    an error. In no relatum set of their own target are more than half of the answers.

    >>> from relprobe.studies.relations.measure.example import RELATIONS
    >>> words = pl.DataFrame({"relation": ["HYP", "HYP", "ANT"], "word": ["bird", "pet", "bird"]})
    >>> relata = pl.DataFrame({"target": ["robin"], "relation": ["HYP"], "relatum": ["bird"]})
    >>> outside(words, relata, relations=RELATIONS).select("relation", "answers", "outside").rows()
    [('HYP', 2, 1), ('ANT', 1, 0), (None, 3, 1)]
    """
    rows = words.with_columns(outside=~pl.col("word").is_in(relata["relatum"].unique().implode()))
    counts = {
        "answers": pl.len(),
        "outside": pl.col("outside").sum(),
        "share": pl.col("outside").mean(),
        "different": pl.col("word").n_unique(),
        "different_outside": pl.col("word").filter(pl.col("outside")).n_unique(),
    }
    by_relation = rows.group_by("relation").agg(**counts).sort(pl.col("relation").cast(relations.order))
    table = pl.concat([by_relation, rows.select(**counts)], how="diagonal_relaxed")
    table = table.with_columns(different_share=pl.col("different_outside") / pl.col("different"))
    return table.select(list(OUTSIDE)).cast(OUTSIDE)
