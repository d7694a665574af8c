"""Which words an agent ranks first, where several may have equal scores."""

import random

import polars as pl


def first_share(rows: pl.DataFrame, k: int = 1) -> pl.Series:
    """Return how often the word `gold` is among the k likeliest of `words`, as a share of all orders of equal words.

    `rows` has words, scores and gold. Where b words are likelier than the right one and n are as likely, itself among
    them, it is among the first k in (k - b) of n orders. The value is 1 or 0 where no other word has its score, and 0 where
    it is not among the words.

    >>> scores = [[-1.0, -1.0, -2.0], [-3.0, -1.0, -1.0]]
    >>> rows = pl.DataFrame({"words": [["bird", "fish", "tool"]] * 2, "scores": scores, "gold": ["fish", "bird"]})
    >>> first_share(rows).to_list(), first_share(rows, k=3).to_list()
    ([0.5, 0.0], [1.0, 1.0])
    """
    long = rows.select("words", "scores", "gold").with_row_index("row").explode("words", "scores")
    own = long.filter(pl.col("words") == pl.col("gold")).select("row", own="scores")
    above, beside = (pl.col("scores") > pl.col("own")).sum(), (pl.col("scores") == pl.col("own")).sum()
    counts = long.join(own, on="row").group_by("row").agg(share=((k - above.cast(pl.Float64)) / beside).clip(0, 1))
    every = pl.DataFrame({"row": pl.int_range(rows.height, dtype=pl.UInt32, eager=True)})
    return every.join(counts, on="row", how="left", maintain_order="left")["share"].fill_null(0.0)


def with_ranking(rows: pl.DataFrame, seed: int) -> pl.DataFrame:
    """Add the column `ranking` to rows with probe_id, words and scores: the likeliest word first, to show answers.

    Words of equal scores have an order that is drawn by the seed and the probe, whatever their order in the
    configuration. All agents have the same draw. Values come from no draw (`first_share`).

    >>> rows = pl.DataFrame({"probe_id": ["p"], "words": [["bird", "fish", "tool"]], "scores": [[-2.0, -3.0, -1.0]]})
    >>> with_ranking(rows, seed=1)["ranking"].to_list()
    [['tool', 'bird', 'fish']]
    """
    order = pl.col("scores").list.eval(pl.element().arg_sort(descending=True))
    ranked = rows.with_columns(ranking=pl.col("words").list.gather(order))
    tied = ranked.select(pl.col("scores").list.n_unique() < pl.col("scores").list.len()).to_series()
    if not tied.any():
        return ranked
    columns = rows.select("probe_id", "words", "scores").iter_rows()
    drawn = [
        _drawn(probe_id, words, scores, seed) if is_tied else ranking
        for is_tied, ranking, (probe_id, words, scores) in zip(tied, ranked["ranking"], columns, strict=True)
    ]
    return ranked.with_columns(ranking=pl.Series(drawn, dtype=pl.List(pl.String)))


def _drawn(probe_id: str, words: list[str], scores: list[float], seed: int) -> list[str]:
    draw = random.Random(f"{seed} {probe_id}")  # noqa: S311
    in_order = sorted(zip(words, scores, strict=True))
    shuffled = draw.sample(in_order, len(words))
    return [word for word, _ in sorted(shuffled, key=lambda pair: -pair[1])]
