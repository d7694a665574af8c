"""The tables that are the same in all studies: what was sent, and the ledgers of the agents that only chat."""

from collections.abc import Sequence
from typing import NamedTuple

import polars as pl

from relprobe.core.files import ShownTable
from relprobe.lm.chat_models.ledger import Ledger, join_ledgers
from relprobe.lm.chat_models.ledger import sources as models_of
from relprobe.lm.chat_models.replies import Replies
from relprobe.lm.score_files.reader import ScoreFile


def sent_texts(files: Sequence[ScoreFile]) -> pl.DataFrame:
    """Return what exactly was sent to each model for one probe, special tokens included: agent, probe, text.

    `files`: the files that the models have answered with.
    """
    rows = [(file.agent, probe, text) for file in files for probe, text in file.metadata["sent"].items()]
    return pl.DataFrame(rows, schema={"agent": pl.String, "probe": pl.String, "text": pl.String}, orient="row")


class Ledgers(NamedTuple):
    """The ledger of all agents of a study, and the models that have answered."""

    ledger: ShownTable
    sources: ShownTable


def ledger(ledgers: dict[str, Ledger], replies: dict[str, Replies]) -> Ledgers:
    """Write the ledgers of the agents of a study, and the models that have answered."""
    return Ledgers(join_ledgers(ledgers), models_of(replies))
