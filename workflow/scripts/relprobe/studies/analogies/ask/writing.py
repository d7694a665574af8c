"""The choice in words for models on this machine, which write which of two pairs continues an analogy."""

from relprobe.lm.participants.here import write_replies
from relprobe.lm.score_files.parts import Scoring
from relprobe.lm.settings import ModelSettings
from relprobe.studies.analogies.ask.replies import questions
from relprobe.studies.analogies.schemas import Instances, Partition
from relprobe.studies.letters import TOKENS


def writing(
    model: ModelSettings,
    instances: Instances,
    *,
    partitions: list[Partition],
    orders: int = 1,
    samples: int | None = None,
) -> Scoring:
    """Let a model write which of two pairs continues an analogy: the instances of some partitions."""
    asked = questions(model.conversation or {}, instances, partitions, orders)
    return write_replies(model, asked, TOKENS, samples)
