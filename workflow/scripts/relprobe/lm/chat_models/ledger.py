"""The ledger of a chat model: a line for every way in which a reply ends, and for every way in which an attempt fails."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated

import polars as pl

from relprobe.core.files import parquet
from relprobe.lm.chat_models.client import FAILURES
from relprobe.lm.chat_models.replies import OUTCOMES
from relprobe.lm.chat_models.spending import Request

UNSEEN, ALL = "no answer seen", "all requests"
"""A request whose job was killed before it was answered; and the sum of all lines."""
COUNTS = ("prompt_tokens", "reply_tokens", "thought_tokens")

LEDGER = pl.Schema(
    {
        "what": pl.String(),  # one of OUTCOMES, FAILURES and UNSEEN, and ALL
        "requests": pl.UInt32(),
        "prompt_tokens": pl.UInt64(),  # as the server counts them
        "reply_tokens": pl.UInt64(),  # thoughts included
        "thought_tokens": pl.UInt64(),
    }
)
Ledger = Annotated[pl.DataFrame, parquet(LEDGER, "what", per_agent=True)]


def ledger(sent: Iterable[Request]) -> pl.DataFrame:
    """Return the ledger (LEDGER) of some requests; a line without any request stands there with 0.

    >>> counts = {"prompt_tokens": 20, "reply_tokens": 3, "thought_tokens": 0}
    >>> table = ledger([Request("relations", 99, "answer", counts, 23), Request("relations", 99)])
    >>> table.filter(pl.col("requests") > 0).rows()
    [('answer', 1, 20, 3, 0), ('no answer seen', 1, 0, 0, 0), ('all requests', 2, 20, 3, 0)]
    """
    lines: dict[str, list[int]] = {name: [0, 0, 0, 0] for name in (*OUTCOMES, *FAILURES, UNSEEN)}
    for request in sent:
        line = lines[request.outcome or UNSEEN]
        line[0] += 1
        for column, name in enumerate(COUNTS, 1):
            line[column] += request.counts.get(name, 0)
    lines[ALL] = [sum(column) for column in zip(*lines.values(), strict=True)]
    return pl.DataFrame([(name, *line) for name, line in lines.items()], schema=LEDGER, orient="row")


def join_ledgers(ledgers: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return the ledgers of several agents as one table: agent -> LEDGER."""
    return pl.concat([table.select(pl.lit(agent).alias("agent"), pl.all()) for agent, table in ledgers.items()])


def sources(replies: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return which model has answered, of which fingerprint, how often and between which dates: agent -> REPLIES."""
    parts = [
        table.filter(pl.col("model").is_not_null())
        .group_by("model", "fingerprint", maintain_order=True)
        .agg(pl.len().alias("replies"), first=pl.col("date").min().dt.date(), last=pl.col("date").max().dt.date())
        .select(pl.lit(agent).alias("agent"), pl.all())
        for agent, table in replies.items()
    ]
    return pl.concat(parts)
