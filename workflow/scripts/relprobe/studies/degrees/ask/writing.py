"""The people's task for models on this machine, which write their choices."""

from relprobe.lm.participants.here import write_replies
from relprobe.lm.score_files.parts import Scoring
from relprobe.lm.settings import ModelSettings
from relprobe.studies.degrees.ask.replies import LINE, TOKENS, questions
from relprobe.studies.degrees.data.subcategories import Relations


def writing(model: ModelSettings, relations: Relations, *, orders: int = 1, samples: int | None = None) -> Scoring:
    """Let a model write its choices in the MaxDiff questions that people answered (section 3.1)."""
    return write_replies(model, list(questions(relations, (model.conversation or {})[LINE], orders)), TOKENS, samples)
