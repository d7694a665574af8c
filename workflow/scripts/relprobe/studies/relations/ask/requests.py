"""The table of probes, and its rows as requests to the scoring engine: all that scoring knows of the study."""

import logging
import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import polars as pl

from relprobe.core.files import Format, parquet
from relprobe.lm.requests import SLOT, SlotProbe, Variant
from relprobe.lm.words.unknown import keep_known, writes_everything
from relprobe.studies.examples import DRAWS, before

if TYPE_CHECKING:
    from relprobe.lm.settings import Model

logger = logging.getLogger("relprobe")


EXAMPLES = pl.Schema(
    {
        "probe_id": pl.String(),
        "draw": pl.UInt8(),  # from 1; the first draw is that of the scores
        "texts": pl.List(pl.Categorical()),  # solved instances of the probe's prompt; n shots are the first n
    }
)
Examples = Annotated[pl.DataFrame, parquet(EXAMPLES, "probe_id", "draw")]

SAMPLE = 8
"""The targets of each relation on which the draws of examples are compared."""
SEED = 1


def answerable(probes: pl.DataFrame, lexicon: pl.DataFrame, kind: str = "masked") -> pl.DataFrame:
    """Keep the probes whose target is one token of the model: the paper's condition, per model.

    `kind`: see `predictable`.
    """
    return predictable(probes.filter(pl.col("target").is_in(lexicon["word"].drop_nulls().implode())), kind)


def predictable(probes: pl.DataFrame, kind: str) -> pl.DataFrame:
    """Keep the probes that a model of this kind, masked or causal, can answer: a causal one needs the slot at the end.

    The log counts the others.
    """
    last = probes["text"].str.ends_with(SLOT)
    if kind != "causal" or last.all():
        return probes
    logger.warning("%d probes are left out: their slot is not last.", (~last).sum())
    return probes.filter(last)


def readable(probes: pl.DataFrame, model: "Model", befores: Mapping[str, str] | None = None) -> pl.DataFrame:
    """Keep the probes whose words the tokenizer of a model can write; a warning names the other words.

    `befores`: probe -> the text before it.
    """
    tokenizer = model.encoder.tokenizer
    if writes_everything(tokenizer):
        return probes
    kept = [request.id for request in keep_known(tokenizer, requests(probes, befores))]
    return probes.filter(pl.col("probe_id").is_in(kept))


def in_prompts(probes: pl.DataFrame) -> pl.DataFrame:
    """Put the probes of a prompt together: with examples they share their beginning, and those of a target do not."""
    return probes.sort("prompt_id", maintain_order=True)


def befores(examples: Path, shots: int, draw: int = 1) -> dict[str, str]:
    """Return probe -> what stands before it: the first `shots` examples of a draw, from a file of EXAMPLES.

    DataError: a probe has fewer examples.
    """
    own = pl.scan_parquet(examples).filter(pl.col("draw") == draw)
    rows = own.select("probe_id", pl.col("texts").list.head(shots)).collect()
    texts_before: dict[tuple[str, ...], str] = {}  # most probes of a prompt share theirs
    result = {}
    for probe_id, texts in rows.iter_rows():
        key = tuple(texts)
        if key not in texts_before:
            texts_before[key] = before(texts, shots, probe_id)
        result[probe_id] = texts_before[key]
    return result


def read_befores(examples: Path, *, shots: int = 0) -> dict[str, str]:
    """Return probe -> what stands before it, as `befores` does; `shots`: how many of its examples stand before a probe."""
    return befores(examples, shots)


Befores = Annotated[dict[str, str], Format(read_befores)]


def requests(probes: pl.DataFrame, befores: Mapping[str, str] | None = None, draw: int = 1) -> Iterator[SlotProbe]:
    """Turn rows of PROBES into requests to the engine.

    `befores`: probe -> the text before it. The id of a request is that of its probe, after the number of another draw than
    the first ("2 hyp-kind:robin").
    """
    start = "" if draw == 1 else f"{draw} "
    for probe_id, variants in probes.select("probe_id", "variants").iter_rows():
        text = befores[probe_id] if befores else ""
        wordings = tuple(Variant(text + variant["text"], variant["weight"]) for variant in variants)
        yield SlotProbe(f"{start}{probe_id}", wordings)


def sample(probes: pl.DataFrame, size: int = SAMPLE) -> pl.DataFrame:
    """Return the main probes about `size` random targets of each relation, or about all of them if there are fewer."""
    main = probes.filter(kind="main")
    parts = []
    for (relation,), rows in main.group_by("relation", maintain_order=True):
        targets = sorted(rows["target"].unique())
        draw = random.Random(f"{SEED} {relation}")  # noqa: S311
        parts.append(rows.filter(pl.col("target").is_in(draw.sample(targets, min(size, len(targets))))))
    return in_prompts(pl.concat([main.clear(), *parts]))


def draw_requests(probes: pl.DataFrame, examples: Path, shots: int) -> Iterator[SlotProbe]:
    """Yield the requests of the sample under every draw but the first, whose answers the scores hold."""
    for draw in range(2, DRAWS + 1):
        yield from requests(probes, befores(examples, shots, draw), draw)
