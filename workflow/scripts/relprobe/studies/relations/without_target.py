"""A model's own control: its answers to a prompt without the target (premises.py), which stand for those to all its probes.

Probes of one prompt share the answer, so some forty requests are asked in place of thousands. Before a prompt stands what
stands before its probes: a prompt whose probes have different examples is asked once with each.
"""

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from relprobe.lm.requests import SlotProbe, Variant
from relprobe.studies.relations.answer_space import Space, rankings
from relprobe.studies.relations.candidates import premises_of
from relprobe.studies.relations.gold import GoldStandard
from relprobe.studies.relations.requests import answerable
from relprobe.studies.relations.requests import befores as befores_of
from relprobe.studies.relations.schemas import RESPONSES


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


def read(
    scores: Path,
    tokens: pl.DataFrame,
    gold: GoldStandard,
    answers: Space,
    examples: Path | None = None,
    shots: int = 0,
    *,
    spoken: bool = False,
) -> pl.DataFrame:
    """Return the responses of the control (RESPONSES) from the scores of its requests; none if no prompt could be asked.

    `tokens`: the model's LEXICON. `answers`: what counts as an answer. `examples`: what may stand before the model's probes,
    of which `shots` do. `spoken`: the model was asked in words.
    """
    if pq.read_metadata(scores).num_rows == 0:
        return pl.DataFrame(schema=RESPONSES)
    befores = None if examples is None else befores_of(examples, shots)
    own = rankings(scores, tokens, gold.lexicon, spoken=spoken)[answers].responses
    return responses(own, answerable(gold.probes, tokens), befores)


def responses(answers: pl.DataFrame, probes: pl.DataFrame, befores: Mapping[str, str] | None = None) -> pl.DataFrame:
    """Return the responses of the control (RESPONSES): to each probe those of its request, without the target itself.

    `answers`: RESPONSES, whose probe_id is the request's.
    """
    asked = probes.select("probe_id", "target", request=request_ids(probes, befores))
    rows = asked.join(answers.with_row_index("row"), left_on="request", right_on="probe_id", maintain_order="left")
    words = answers["words"].list.explode(keep_nulls=False, empty_as_null=False)
    weights = answers["weights"].list.explode(keep_nulls=False, empty_as_null=False).to_numpy()
    numbers = words.to_physical().to_numpy()
    targets = rows["target"].cast(pl.Categorical).to_physical().to_numpy()
    ends = answers["words"].list.len().cum_sum().to_numpy().astype(np.int64)
    starts = np.concatenate([[0], ends])[:-1]
    kept = [np.empty(0, np.int64)]
    for row, target in zip(rows["row"].to_numpy(), targets, strict=True):
        places = np.arange(starts[row], ends[row])
        kept.append(places[numbers[places] != target])
    offsets = pa.array(np.cumsum([len(places) for places in kept]), pa.int32())
    order = np.concatenate(kept)
    columns = {
        "probe_id": rows["probe_id"].to_arrow(),
        "words": pa.ListArray.from_arrays(offsets, words[order].to_arrow()),
        "weights": pa.ListArray.from_arrays(offsets, pa.array(weights[order])),
    }
    return pl.DataFrame(pl.from_arrow(pa.table(columns))).cast(RESPONSES)  # type: ignore[arg-type]
