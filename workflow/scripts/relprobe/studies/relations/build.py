"""What the study asks and what counts as right: tuples, relatum sets and probes (section 4 of Cao et al.)."""

import random

import polars as pl

from relprobe.core.errors import DataError
from relprobe.core.relation import REVERSE, SYMMETRIC, augment, in_lexicon, merge
from relprobe.studies.relations.prompts import Prompt
from relprobe.studies.relations.schemas import PROBES, RELATA
from relprobe.studies.relations.verbalise import verbalise


def sample(tuples: pl.DataFrame, sizes: dict[str, int], seed: int) -> pl.DataFrame:
    """Draw `sizes[relation]` tuples of each relation without replacement, the same ones for the same seed.

    A symmetric pair counts once, whichever way round it is written. DataError: fewer tuples than asked for.
    """
    samples = []
    for relation, size in sorted(sizes.items()):
        rows = tuples.filter(relation=relation).sort("target", "relatum")
        if relation in SYMMETRIC:
            rows = rows.with_columns(pair=pl.concat_list("target", "relatum").list.sort())
            rows = rows.unique("pair", keep="first", maintain_order=True).drop("pair")
        if rows.height < size:
            raise DataError(
                f"wordnet_sample: only {rows.height} {relation} tuples are there, but the config asks for {size}: "
                "take more `nouns` or fewer tuples."
            )
        samples.append(rows[sorted(random.Random(f"{seed} {relation}").sample(range(rows.height), size))])  # noqa: S311
    return pl.concat(samples)


def tuples(sources: list[pl.DataFrame]) -> pl.DataFrame:
    """Unite the sources' tuples and augment them (Eq. 4 to 7), whatever any model's lexicon holds."""
    united = augment(merge(pl.concat(sources)))
    return united.filter(pl.col("target") != pl.col("relatum"))


def relata(gold: pl.DataFrame, wordnet: pl.DataFrame, lexicon: pl.DataFrame) -> pl.DataFrame:
    """Return the relatum sets Y (section 4.3): the tuples and WordNet's relata of their targets, in the shared lexicon.

    A word that lands in two relations of one target is dropped from both, so the sets of a target are disjoint.
    """
    targets = in_lexicon(gold, lexicon).select("target").unique()
    expansion = wordnet.select("target", "relation", "relatum", sources=pl.lit(["wordnet"]))
    pairs = merge(pl.concat([gold, expansion])).join(targets, on="target", how="semi")
    pairs = in_lexicon(pairs, lexicon).filter(pl.col("target") != pl.col("relatum"))
    return pairs.filter(pl.len().over("target", "relatum") == 1).select(list(RELATA))


def probes(gold: pl.DataFrame, prompts: list[Prompt], weights: dict[str, float]) -> pl.DataFrame:
    """Verbalise every prompt with its targets: main probes, and trick probes for the asymmetric relations (section 5.2).

    The rows of one target stand together, so that its probes share what they begin with.
    """
    targets = {
        relation: set(gold.filter(relation=relation)["target"]) for relation in {prompt.relation for prompt in prompts}
    }
    rows = []
    for prompt in prompts:
        main = targets[prompt.relation]
        trick = set(gold.filter(relation=REVERSE[prompt.relation])["target"]) - main
        for target in main | trick:
            text, variants = verbalise(prompt, target, weights)
            kind = "main" if target in main else "trick"
            rows.append((f"{prompt.id}:{target}", prompt.relation, target, prompt.id, kind, text, variants))
    return pl.DataFrame(rows, schema=PROBES, orient="row").sort("target", "probe_id")
