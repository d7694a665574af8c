"""The score file: what a model answered at the slot of each probe, streamed to Parquet in constant memory."""

import importlib.metadata
import itertools
import json
import logging
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from relprobe.files import read_json, sha256, whole_file
from relprobe.lm.model import LanguageModel
from relprobe.lm.requests import SlotResponse
from relprobe.lm.stream import batched

logger = logging.getLogger("relprobe")

SCORES = pa.schema(
    [
        ("probe_id", pa.string()),
        ("tokens", pa.list_(pa.dictionary(pa.int32(), pa.string()))),  # best first
        ("token_ids", pa.list_(pa.int32())),
        ("logprobs", pa.list_(pa.float32())),  # natural log
    ]
)
ROW_GROUP = 1024
LIBRARIES = ("torch", "transformers", "tokenizers")


def write_scores(responses: Iterable[SlotResponse], tokens: Sequence[str], about: dict[str, Any], path: Path) -> None:
    """Write the responses as they come; `tokens` is the vocabulary by id, `about` goes into the file's metadata."""
    schema = SCORES.with_metadata({"relprobe": json.dumps(about)})
    dictionary = pa.array(tokens, pa.string())
    with whole_file(path) as partial, pq.ParquetWriter(partial, schema, compression="zstd") as writer:
        for group in batched(responses, ROW_GROUP):
            writer.write_table(_table(group, dictionary, schema))
    logger.info("wrote %s", path)


def provenance(model: LanguageModel, manifest: Path, probes: Path, k: int) -> dict[str, Any]:
    """Say what a score file was made of: the model's files by hash, the probes' hash, K, dtype and library versions."""
    return {
        "model_files": read_json(manifest)["files"],
        "probes_sha256": sha256(probes),
        "k": k,
        "dtype": str(model.net.dtype).removeprefix("torch."),
        "path": model.path,
        "libraries": {name: importlib.metadata.version(name) for name in LIBRARIES},
    }


def _table(group: list[SlotResponse], dictionary: pa.Array, schema: pa.Schema) -> pa.Table:
    offsets = pa.array([0, *itertools.accumulate(len(response.token_ids) for response in group)], pa.int32())
    ids = pa.concat_arrays([pa.array(response.token_ids) for response in group])
    logprobs = pa.concat_arrays([pa.array(response.logprobs) for response in group])
    tokens = pa.DictionaryArray.from_arrays(ids, dictionary)
    columns = [pa.ListArray.from_arrays(offsets, values) for values in (tokens, ids, logprobs)]
    return pa.table([pa.array([response.id for response in group]), *columns], schema=schema)
