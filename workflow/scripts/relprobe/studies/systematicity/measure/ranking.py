"""Which category an agent chooses: the likeliest one, and one that is drawn among several equal ones."""

import random

import polars as pl


def with_ranking(rows: pl.DataFrame, seed: int) -> pl.DataFrame:
    """Add the column `ranking` to rows with probe_id, words and scores: the words, the likeliest first.

    Words of equal scores have an order that is drawn by the seed and the probe, so that the first category of the
    configuration does not win all ties. All agents have the same draw.

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
    shuffled = draw.sample(list(zip(words, scores, strict=True)), len(words))
    return [word for word, _ in sorted(shuffled, key=lambda pair: -pair[1])]
