"""The tables of the agents that only chat: what they were sent, and which models have answered."""

from typing import NamedTuple

from relprobe.core.files import Csv
from relprobe.lm.participants.ledger import Ledger, of_agents
from relprobe.lm.participants.ledger import sources as models_of
from relprobe.lm.participants.replies import Replies


class Tables(NamedTuple):
    """The ledger of all agents of a study, and the models that have answered."""

    ledger: Csv
    sources: Csv


def tables(ledgers: dict[str, Ledger], replies: dict[str, Replies]) -> Tables:
    """Write the ledgers of the agents of a study, and the models that have answered."""
    return Tables(of_agents(ledgers), models_of(replies))
