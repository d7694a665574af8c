"""The people's task for models that only chat: their replies to the main probes, and the lists in these."""

import polars as pl

from relprobe.lm.participants.interview import InterviewResults, Question, interview
from relprobe.lm.participants.replies import ANSWER, LENGTH, Replies
from relprobe.lm.participants.settings import Participant
from relprobe.studies.conversations import PROBE
from relprobe.studies.relations.ask.lists import LINE, TOKENS, beginnings, read_words
from relprobe.studies.relations.ask.requests import predictable
from relprobe.studies.relations.schemas import WRITING, Probes, Writing


def replies(participant: Participant, probes: Probes) -> InterviewResults:
    """Ask a model that only chats for up to five words to every main probe, as the participants were (section 6.1)."""
    line = participant.conversation[LINE]
    texts = beginnings(predictable(probes, "causal"))
    questions = [Question(probe_id, line.replace(PROBE, text)) for probe_id, text in texts]
    return interview(participant, "relations", questions, TOKENS)


def reply_lists(replies: Replies) -> Writing:
    """Read the lists in replies, as those of models on this machine are read; a refusal has no words.

    >>> from relprobe.lm.participants.replies import REPLIES
    >>> row = {"question_id": "hyp:robin", "sample": 1, "outcome": "answer", "text": "1. Bird"}
    >>> reply_lists(pl.DataFrame([row], schema=REPLIES)).row(0)
    ('hyp:robin', 1, '1. Bird', ['bird'], 0)
    """
    rows = []
    for probe_id, sample, outcome, text in replies.select("question_id", "sample", "outcome", "text").iter_rows():
        readable = text if outcome in (ANSWER, LENGTH) else ""
        rows.append((probe_id, sample, text, *read_words(readable, whole=outcome == ANSWER)))
    return pl.DataFrame(rows, schema=WRITING, orient="row")
