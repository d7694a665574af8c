"""The people's task for models on this machine, which write their choices."""

from relprobe.lm.participants.here import write_replies
from relprobe.lm.score_files.parts import Scoring
from relprobe.lm.settings import ModelSettings
from relprobe.studies.definitions.ask.replies import questions
from relprobe.studies.definitions.schemas import Groups, Probes
from relprobe.studies.letters import TOKENS


def writing(
    model: ModelSettings,
    groups: Groups,
    probes: Probes,
    *,
    orders: int = 1,
    samples: int | None = None,
    large: bool = False,
) -> Scoring:
    """Let a model write which definition is a word's and which word is a definition's, as people were asked."""
    asked = questions(model.conversation or {}, groups, probes, orders, large=large)
    return write_replies(model, asked, TOKENS, samples)
