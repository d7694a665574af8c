"""Compare what a chat endpoint writes with what `generate` writes here, on the same weights and in the tasks of all studies.

`python -m benchmarks.chat ENDPOINT NAME [--degrees FOLDER]`, after the default study has run. ENDPOINT is a server of
SmolLM2-135M-Instruct, such as llama-cpp-python's, and FOLDER the unpacked data of SemEval-2012 Task 2. Both take the
likeliest token at every step. Printed is how many texts of each study are the same, how many begin with the same word, and
how much less likely, in natural log, the server's token is here where two texts part. If both compute the same but round
differently, that is little.
"""

import argparse
import random
import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import torch
import yaml
from relprobe.lm.chat_models.client import ChatClient
from relprobe.lm.chat_models.here import write_replies
from relprobe.lm.chat_models.interview import Question
from relprobe.lm.chat_models.settings import ChatModel
from relprobe.lm.chat_models.spending import Spending
from relprobe.lm.loading.load import load
from relprobe.lm.settings import ModelSettings
from relprobe.sources import semeval2012
from relprobe.studies import letters
from relprobe.studies.analogies import chat as analogies
from relprobe.studies.conversations import PROBE, read
from relprobe.studies.definitions import chat as definitions
from relprobe.studies.degrees import chat
from relprobe.studies.relations import replies
from relprobe.studies.systematicity import chat as systematicity

from benchmarks.probes import CAUSAL, ROOT

RESULTS = ROOT / "results"
LINES = ROOT / "resources" / "prompts" / "chat.yaml"
TOKENS = {"relations": replies.TOKENS, "degrees": chat.TOKENS}
"""The most tokens of an answer, where it is not that of a letter."""
FAR = 0.5
"""A difference of log-probabilities that rounding hardly makes."""


def main(args: argparse.Namespace) -> None:
    """Print a line for each study."""
    for study, questions in studies(args.degrees):
        drawn = random.Random(1).sample(questions, min(args.questions, len(questions)))  # noqa: S311
        tokens, lines = TOKENS.get(study, letters.TOKENS), {"system": read(LINES, study)["system"]}
        theirs, ours = served(args, lines, drawn, tokens), written(lines, drawn, tokens)
        same = sum(text.strip() == other.strip() for text, other in zip(theirs, ours, strict=True))
        first = sum(text.split()[:1] == other.split()[:1] for text, other in zip(theirs, ours, strict=True))
        print(f"{study:14} {same:3} of {len(drawn)} texts are the same, {first} begin with the same word", flush=True)
        if apart := gaps(lines, drawn, theirs, ours):
            far = sum(gap > FAR for gap in apart)
            print(
                f"{'':14} where {len(apart)} part, the server's token is less likely here by {statistics.median(apart):.2f}"
            )
            print(f"{'':14} in the median (natural log), and in {far} by more than {FAR}", flush=True)
        if args.show:
            print(*(f"  {text!r} | {other!r}" for text, other in zip(theirs, ours, strict=True)), sep="\n")


def studies(degrees: Path | None) -> Iterator[tuple[str, list[Question]]]:
    """Yield the questions of each study: those of the main probes, in one order of the options."""
    table = {name: pl.read_parquet(RESULTS / f"{name}.parquet") for name in TABLES}
    lines = {
        study: read(LINES, study) for study in ("relations", "definitions", "systematicity", "analogies", "degrees")
    }
    texts = replies.unfinished_texts(table["relations/probes"])
    yield "relations", [Question(name, lines["relations"]["list"].replace(PROBE, text)) for name, text in texts]
    groups = table["definitions/groups"], table["definitions/probes"]
    yield "definitions", definitions.questions(lines["definitions"], *groups, 1)
    sheets = systematicity.sheets(table["systematicity/items"], table["systematicity/probes"], categories(), 1, 1)
    yield "systematicity", systematicity.questions(lines["systematicity"], list(sheets))
    yield "analogies", analogies.questions(lines["analogies"], table["analogies/instances"], ["test"], 1)
    if degrees is not None:
        yield (
            "degrees",
            list(chat.questions(semeval2012.read(degrees, mended=False), lines["degrees"]["maxdiff"], 1)),
        )


TABLES = (
    *("relations/probes", "definitions/groups", "definitions/probes"),
    *("systematicity/items", "systematicity/probes", "analogies/instances"),
)
"""The tables of the default study that the questions are made of."""


def categories() -> dict[str, list[str]]:
    """Return the categories of systematicity in the default study: superordinate -> categories."""
    schema = yaml.safe_load((ROOT / "workflow/schemas/systematicity.schema.yaml").read_text("utf-8"))
    config = yaml.safe_load((ROOT / "config.yaml").read_text("utf-8"))
    categories: dict[str, list[str]] | None = config["systematicity"].get("categories")
    return categories or schema["properties"]["categories"]["default"]


def served(args: argparse.Namespace, lines: dict[str, str], questions: list[Question], tokens: int) -> list[str]:
    """Return what the server writes."""
    with tempfile.TemporaryDirectory() as folder:
        who = ChatModel(args.name, {}, lines, Path(folder) / "spending.jsonl")
        more = {"repeat_penalty": args.repeat_penalty}
        with ChatClient(args.endpoint, None, args.name, Spending(who.spending, "benchmark"), more=more) as client:
            return [client.reply(who.messages(question.text), tokens, 0.0).text for question in questions]


def written(lines: dict[str, str], questions: list[Question], tokens: int) -> list[str]:
    """Return what the same weights write here."""
    settings = ModelSettings(CAUSAL, "causal", chat="true", conversation={**lines, "instruction": ""})
    scoring = write_replies(settings, questions, tokens, None)
    texts: list[str] = scoring.table(list(scoring.answer(scoring.requests)))["text"].to_pylist()
    return texts


@torch.inference_mode()
def gaps(lines: dict[str, str], questions: list[Question], theirs: list[str], ours: list[str]) -> list[float]:
    """Return how much less likely, in natural log, their token is here than ours, where two texts part.

    A text that is the beginning of the other one may have been cut off, and does not count. The tokens are those that the
    tokenizer makes of the texts; a model may have written a word in other ones, such as " uns" and "afe", so single gaps may
    be wrong.
    """
    model = load(CAUSAL, masked=False)
    tokenizer, apart = model.encoder.tokenizer, []
    for question, *texts in zip(questions, theirs, ours, strict=True):
        turns = [{"role": "system", "content": lines["system"]}, {"role": "user", "content": question.text}]
        before = tokenizer.apply_chat_template(turns, add_generation_prompt=True, tokenize=False)
        token_ids, other = (tokenizer(before + text, add_special_tokens=False).input_ids for text in texts)
        pairs = enumerate(zip(token_ids, other, strict=False))
        same = next((place for place, (their, our) in pairs if their != our), None)
        if same is not None:
            logits = model.net(torch.tensor([token_ids[:same]])).logits[0, -1].double()
            apart.append(float(logits[other[same]] - logits[token_ids[same]]))
    return apart


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("endpoint", help="such as http://127.0.0.1:8000/v1")
    parser.add_argument("name", help="the server's name of the model")
    parser.add_argument("--degrees", type=Path, help="the folder of the data of SemEval-2012 Task 2")
    parser.add_argument("--questions", type=int, default=40, help="questions of each study (default: 40)")
    parser.add_argument("--repeat-penalty", type=float, default=1.0, help="1.1 is llama-cpp-python's own")
    parser.add_argument("--show", action="store_true", help="print the texts, too")
    main(parser.parse_args())
