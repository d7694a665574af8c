"""A model's own control: its answers to the prompts without a target (premise_requests.py) stand for those to its probes."""

from collections.abc import Mapping

import numpy as np
import polars as pl
import pyarrow as pa

from relprobe.lm.score_files.reader import ScoreFile
from relprobe.studies.relations.ask.premise_requests import request_ids
from relprobe.studies.relations.ask.requests import answerable
from relprobe.studies.relations.data.gold import GoldStandard
from relprobe.studies.relations.measure.responses.answer_space import Space, rankings
from relprobe.studies.relations.schemas import RESPONSES


def read(
    scores: ScoreFile,
    tokens: pl.DataFrame,
    gold: GoldStandard,
    answers: Space,
    befores: Mapping[str, str] | None = None,
    *,
    spoken: bool = False,
) -> pl.DataFrame:
    """Return the responses of the control (RESPONSES) from the scores of its requests; none if no prompt could be asked.

    `tokens`: the model's LEXICON. `answers`: what counts as an answer. `befores`: probe -> what stands before
    it. `spoken`: the model was asked in words.
    """
    if scores.rows == 0:
        return pl.DataFrame(schema=RESPONSES)
    own = rankings(scores, tokens, gold.shared_lexicon, spoken=spoken)[answers].responses
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
