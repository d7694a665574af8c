"""A process that interviews, for tests that kill it: ENDPOINT FOLDER COUNT."""

import sys
from pathlib import Path

from relprobe.core.step import Call
from relprobe.lm.chat_models.interview import Question, interview
from relprobe.lm.chat_models.settings import ChatModel

CONCURRENCY = 4


def main(endpoint, folder, count):
    """Ask so many questions."""
    server = {"endpoint": endpoint, "concurrency": CONCURRENCY}
    who = ChatModel("chatty", server, {"system": "You know words."}, Path(folder) / "agent.jsonl")
    questions = [Question(f"q{number}", f"question {number}") for number in range(int(count))]
    out, _ = interview(who, "relations", questions, 48)
    out.write(Path(folder) / "replies.parquet", Call("relprobe.core.digest.digest", [], {}))


if __name__ == "__main__":
    main(*sys.argv[1:])
