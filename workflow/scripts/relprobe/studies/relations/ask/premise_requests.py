"""The prompts without their targets (premises.py) as requests: all that scoring knows of them.

Probes of one prompt share the request, so some forty requests are asked in place of thousands. Before a prompt stands what
stands before its probes: a prompt whose probes have different examples is asked once with each.
"""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Annotated

import polars as pl

from relprobe.core.files import parquet
from relprobe.lm.requests import SlotProbe, Variant
from relprobe.studies.relations.schemas import PROBES

PREMISES = pl.Schema({"prompt_id": pl.String(), "variants": PROBES["variants"]})
"""The wordings of the premise of each prompt; none where no word is left."""
Premises = Annotated[pl.DataFrame, parquet(PREMISES, "prompt_id")]


def premises_of(table: pl.DataFrame) -> dict[str, tuple[Variant, ...]]:
    """Return prompt -> the wordings of its premise, from a table of PREMISES."""
    return {
        prompt_id: tuple(Variant(variant["text"], variant["weight"]) for variant in variants)
        for prompt_id, variants in table.iter_rows()
    }


def request_ids(probes: pl.DataFrame, befores: Mapping[str, str] | None = None) -> pl.Series:
    """Return the id of the request without a target that stands for each probe (PROBES): its prompt, and what is before it.

    >>> probes = pl.DataFrame({"probe_id": ["hyp:oak", "hyp:owl"], "prompt_id": ["hyp", "hyp"]})
    >>> request_ids(probes).to_list(), request_ids(probes, {"hyp:oak": "a", "hyp:owl": "b"}).n_unique()
    (['hyp', 'hyp'], 2)
    """
    if befores is None:
        return probes["prompt_id"]
    texts = {text: hashlib.sha256(text.encode()).hexdigest()[:12] for text in set(befores.values())}
    ids = [f"{prompt} {texts[befores[probe]]}" for probe, prompt in probes.select("probe_id", "prompt_id").iter_rows()]
    return pl.Series("prompt_id", ids, pl.String)


def requests(
    probes: pl.DataFrame, premises: pl.DataFrame, befores: Mapping[str, str] | None = None
) -> Iterator[SlotProbe]:
    """Yield the requests without a target that stand for the probes; a prompt without a word beside its slot has none.

    `premises`: PREMISES. `befores`: probe -> what stands before it.
    """
    wordings = premises_of(premises)
    rows = probes.select("probe_id", "prompt_id", request=request_ids(probes, befores)).unique(
        "request", maintain_order=True
    )
    for probe, prompt, request in rows.iter_rows():
        before = befores[probe] if befores else ""
        variants = tuple(Variant(before + variant.text, variant.weight) for variant in wordings[prompt])
        if variants:
            yield SlotProbe(request, variants)
