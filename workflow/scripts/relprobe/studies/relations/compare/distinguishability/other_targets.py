"""What the answers about a target would be worth if they were about another one: they show what is read for this target.

An agent may like some words for a relation, whatever the target is: "animal" for hypernyms. Its answers about one target
then suit another one as well.
"""

from collections.abc import Sequence

import numpy as np
import polars as pl

from relprobe.studies.relations.measure.hits import Answers, places
from relprobe.studies.relations.measure.metrics import Choices, best_ranks, mean_ranks

PAIR = ["target", "relation", "versus"]
PROBE = ["relation", "about", "prompt_id"]
"""What a response is the answer to; `about` is its target, and `target` the one whose relata are looked up in it."""


def of_other_targets(each: Sequence[Answers], pairs: pl.DataFrame, depth: int, choices: Choices) -> pl.DataFrame:
    """Return d(s) - d(r) in the answers about other targets, with the relata of this one: PAIR, prompt_id and others.

    `each`, `choices`: as in `relation_use.use`. `pairs`: PAIR, the targets that were asked for two relations and have
    relata of both. `depth`: the number of words of a response that count.

    The other targets of a row are those of the same pair of relations, without those that are relata of this target: no
    answer about a word names that word. `others` is the part of a prompt: its sum over all prompts of the relation is the
    mean over the other targets, of each of which the prompts count alike. So an agent with one list per target, whatever is
    asked, has the same sum both ways round. A prompt without such words in its answers has 0. A row without other targets
    is not there.
    """
    relata = each[0].relata.join(pairs.select("target", "relation").unique(), on=["target", "relation"], how="semi")
    own = _own_relata(pairs, relata)
    sums = _sums(each, pairs, relata, own, depth, choices)
    asked = pl.concat([_asked(one, pairs) for one in each]).select("relation", "prompt_id").unique()
    rows = _numbers(pairs, own).join(asked, on="relation").join(sums, on=[*PAIR, "prompt_id"], how="left")
    return rows.select(*PAIR, "prompt_id", others=pl.col("sum").fill_null(0.0) / pl.col("number"))


def _own_relata(pairs: pl.DataFrame, relata: pl.DataFrame) -> pl.DataFrame:
    """Return PAIR and about: the words that are relata of the target, of one relation of the pair or of the other."""
    words = relata.select("target", of="relation", about="relatum")
    of_pair = (pl.col("of") == pl.col("relation")) | (pl.col("of") == pl.col("versus"))
    return pairs.join(words, on="target").filter(of_pair).select(*PAIR, "about").unique()


def _numbers(pairs: pl.DataFrame, own: pl.DataFrame) -> pl.DataFrame:
    """Return PAIR and number, how many other targets a target has; without the rows that have none."""
    about = pairs.rename({"target": "about"})
    left_out = own.join(about, on=["about", "relation", "versus"], how="semi").group_by(PAIR).agg(out=pl.len())
    counted = pairs.with_columns(all=pl.len().over("relation", "versus")).join(left_out, on=PAIR, how="left")
    number = pl.col("all").cast(pl.Int64) - 1 - pl.col("out").fill_null(0)
    return counted.select(*PAIR, number=number).filter(pl.col("number") > 0)


def _sums(
    each: Sequence[Answers], pairs: pl.DataFrame, relata: pl.DataFrame, own: pl.DataFrame, depth: int, choices: Choices
) -> pl.DataFrame:
    """Return PAIR, prompt_id and sum: that of d(s) - d(r) over the answers about the other targets to one prompt."""
    lists = pl.concat([_asked(one, pairs) for one in each])
    weights = lists.with_columns(
        weight=1 / pl.len().over(PROBE) / pl.col("prompt_id").n_unique().over("relation", "about")
    )
    weights = weights.unique(PROBE)
    credits = pl.concat([_credits(one, pairs, relata, depth, choices) for one in each]).join(weights, on=PROBE)
    about = pairs.rename({"target": "about"})
    of_asked = credits.filter(pl.col("of") == pl.col("relation")).join(about, on=["about", "relation"])
    of_versus = credits.filter(pl.col("of") != pl.col("relation")).with_columns(credit=-pl.col("credit"), versus="of")
    both = pl.concat([part.select(*PAIR, "about", "prompt_id", "credit", "weight") for part in (of_asked, of_versus)])
    both = both.join(about, on=["about", "relation", "versus"], how="semi").join(pairs, on=PAIR, how="semi")
    both = both.join(own, on=[*PAIR, "about"], how="anti")
    both = both.sort(*PAIR, "prompt_id", "about", "credit")  # as the last digit of a sum depends on its order
    return both.group_by(*PAIR, "prompt_id", maintain_order=True).agg(sum=(pl.col("credit") * pl.col("weight")).sum())


def _asked(answers: Answers, pairs: pl.DataFrame) -> pl.DataFrame:
    """Return PROBE of each response about a target of the pairs."""
    about = answers.responses.select("probe_id").join(answers.probes, on="probe_id").rename({"target": "about"})
    asked = pairs.select("relation", about="target").unique()
    return about.join(asked, on=["relation", "about"], how="semi").select(PROBE)


def _credits(answers: Answers, pairs: pl.DataFrame, relata: pl.DataFrame, depth: int, choices: Choices) -> pl.DataFrame:
    """Return 1 - d of each other target's relata in each response, where it is above 0: PROBE, target, of and credit."""
    words = relata.select("target", of="relation", word="relatum")
    listed = _listed(answers, pairs, depth).join(words, on="word").filter(pl.col("about") != pl.col("target"))
    near = listed.with_columns(places(choices.ties, [], pl.lit(value=False)), k=pl.lit(depth)).filter(
        pl.col("low") <= depth
    )
    key = [*PROBE, "response", "target", "of"]
    if choices.rank == "best":
        return best_ranks(near, key).select(*PROBE, "target", "of", credit=1 - pl.col("relative"))
    sizes = words.group_by("target", "of").agg(relata=pl.len())
    means = mean_ranks(near, key).join(sizes, on=["target", "of"])
    return means.select(*PROBE, "target", "of", credit=(pl.col("seen") - pl.col("relative")) / pl.col("relata"))


def _listed(answers: Answers, pairs: pl.DataFrame, depth: int) -> pl.DataFrame:
    """Return the words that may be among the first `depth` of each response: PROBE, response, word and their ranks.

    The ranks are position, first and last, as in `hits.hits`. A word that ties with the last of them is there, too.
    """
    about = answers.probes.rename({"target": "about"}).join(
        pairs.select("relation", about="target").unique(), on=["relation", "about"], how="semi"
    )
    kept = answers.responses.select("probe_id", "words", "weights").join(
        about.select("probe_id", *PROBE), on="probe_id"
    )
    kept = kept.with_row_index("response")
    lengths = kept["words"].list.len().to_numpy().astype(np.int64)
    words, weights = (kept[name].list.explode(keep_nulls=False, empty_as_null=False) for name in ("words", "weights"))
    least = kept["weights"].list.get(depth - 1, null_on_oob=True).fill_null(-np.inf).to_numpy()
    rows = np.repeat(np.arange(len(lengths)), lengths)
    places = np.flatnonzero(weights.to_numpy() >= least[rows])
    listed = pl.DataFrame({"response": rows[places], "word": words.gather(places).cast(pl.String)})
    listed = listed.with_columns(
        weight=weights.gather(places), position=pl.Series(places - (np.cumsum(lengths) - lengths)[rows[places]] + 1)
    )
    ranked = listed.with_columns(
        first=pl.col("position").min().over("response", "weight"),
        last=pl.col("position").max().over("response", "weight"),
    )
    once = ranked.unique(["response", "word"], keep="first", maintain_order=True)  # two tokens can be one word
    of_probes = kept.select(*PROBE, pl.col("response").cast(pl.Int64))
    return once.drop("weight").join(of_probes, on="response")
