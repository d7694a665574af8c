"""The same task for models on this machine, which write their choices."""

from relprobe.lm.participants.here import write_replies
from relprobe.lm.score_files.parts import Scoring
from relprobe.lm.settings import ModelSettings
from relprobe.studies.letters import TOKENS
from relprobe.studies.systematicity.ask.replies import questions, sheets
from relprobe.studies.systematicity.schemas import Items, Probes


def writing(
    model: ModelSettings,
    item_table: Items,
    probes: Probes,
    *,
    categories: dict[str, list[str]],
    seed: int,
    orders: int = 1,
    samples: int | None = None,
) -> Scoring:
    """Let a model write which category completes a sentence, and whether a hyponym is of a category."""
    asked = list(sheets(item_table, probes, categories, seed, orders))
    return write_replies(model, questions(model.conversation or {}, asked), TOKENS, samples)
