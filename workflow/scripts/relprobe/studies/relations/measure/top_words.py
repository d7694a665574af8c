"""The best words of each response, and the relation each stands in to the target."""

import polars as pl

from relprobe.studies.relations.schemas import TOP_WORDS

FIRST = 10
"""The words of a response that the answers page shows."""


def top_words(
    responses: pl.DataFrame,
    probes: pl.DataFrame,
    relata: pl.DataFrame,
    ties: str = "listed",
    lists: pl.DataFrame | None = None,
) -> pl.DataFrame:
    """Return the first words of each response to a main probe and the relations they stand in (TOP_WORDS).

    `lists`: the lists of the people who have answered (LISTS); a weight is then the share of the people asked who named the
    word, however often. A response has their share of all answers, which is small where people name many words.

    `ties`: the order of words of equal weight (`metrics.Choices`). "favourable" and "unfavourable" put relata of the
    prompted relation before or after their equals, so that the first word is the one that counts as the answer; otherwise
    the words keep the order of the response.

    >>> from relprobe.studies.relations.measure.example import example
    >>> people = example(hyp_robin="x bird")
    >>> tied = people.responses.with_columns(weights=pl.lit([0.5, 0.5], pl.List(pl.Float32)))
    >>> top_words(tied, people.probes, people.relata, "favourable")["word"].to_list()
    ['bird', 'x']
    """
    if ties in ("favourable", "unfavourable"):
        responses = _ordered(responses, probes, relata, first=ties == "favourable")
    main = probes.filter(kind="main").select("probe_id", "target")
    first = responses.select(
        "probe_id", word=pl.col("words").list.head(FIRST), weight=pl.col("weights").list.head(FIRST)
    )
    words = first.join(main, on="probe_id").explode("word", "weight")
    words = words.with_columns(pl.col("word").cast(pl.String)).drop_nulls("word")
    ranked = words.with_columns(rank=pl.int_range(1, pl.len() + 1, dtype=pl.UInt8).over("probe_id"))
    shared = relata.group_by("target", word="relatum", maintain_order=True)
    sets = shared.agg(pl.col("relation").str.join("/"))
    if lists is not None:
        ranked = ranked.drop("weight").join(_named(lists), on=["probe_id", "word"], how="left", maintain_order="left")
    table = ranked.join(sets, on=["target", "word"], how="left", maintain_order="left")
    return table.select(list(TOP_WORDS)).cast(TOP_WORDS)


def _named(lists: pl.DataFrame) -> pl.DataFrame:
    """Return probe_id, word and weight: the share of the people asked who named the word.

    >>> rows = [("hyp:robin", "anna", ["bird", "pet", "bird"]), ("hyp:robin", "ben", ["bird"])]
    >>> sorted(_named(pl.DataFrame(rows, ["probe_id", "annotator", "words"], orient="row")).select("word", "weight").rows())
    [('bird', 1.0), ('pet', 0.5)]
    """
    people = lists.with_columns(people=pl.col("annotator").n_unique().over("probe_id"))
    words = people.explode("words").with_columns(word=pl.col("words").cast(pl.String))
    named = words.group_by("probe_id", "word", "people").agg(pl.col("annotator").n_unique())
    return named.select("probe_id", "word", weight=pl.col("annotator") / pl.col("people"))


def _ordered(responses: pl.DataFrame, probes: pl.DataFrame, relata: pl.DataFrame, *, first: bool) -> pl.DataFrame:
    """Return responses with the relata of the prompted relation before (`first`) or after the words of equal weight."""
    right = relata.select("target", "relation", word="relatum", right=pl.lit(True)).unique()
    words = (
        responses.with_row_index("row").explode("words", "weights").with_columns(word=pl.col("words").cast(pl.String))
    )
    about = words.join(
        probes.select("probe_id", "target", "relation"), on="probe_id", how="left", maintain_order="left"
    )
    about = about.join(right, on=["target", "relation", "word"], how="left", maintain_order="left")
    keys = about.with_columns(pl.col("right").fill_null(value=False))
    ranked = keys.sort("row", "weights", "right", descending=[False, True, first], maintain_order=True)
    return ranked.group_by("row", "probe_id", maintain_order=True).agg("words", "weights").drop("row")
