"""The answers page: what each agent answered to each probe, in one HTML file that opens without a connection.

The file holds the answers as bytes (`pack`), which the page's script reads. A study says what its probes, its correct
answers and its agents' answers are.
"""

import base64
import gzip
import html
import json
import logging
import struct
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, ParamSpec

import jinja2
import numpy as np
import polars as pl
from numpy.typing import NDArray

from relprobe.core.files import write_text
from relprobe.core.software import made_with
from relprobe.core.unmade import REFUSED, unshown
from relprobe.report.page import ABOVE, run_line
from relprobe.report.words.readable import PIECES, unlike

logger = logging.getLogger("relprobe")
Of = ParamSpec("Of")
SHOWN = 10
"""The answers of an agent to a probe that the page shows."""
MOST_ANSWERS = 3_100_000
"""The answers that a page holds at most; they take some 10 MB. Above that, the page has a random sample of the probes."""
STEPS = 128
"""A probability p is stored as round(-128 ln p), which is at most 0.4 % off."""
SMALLEST = 2047
"""The largest number that stands for a probability: exp(-2047 / 128) = 1.1e-7, or less."""
NO_WEIGHT = 2048
"""The number that stands for a weight that is missing."""
UNKNOWN = 255
"""In the page's bytes: the target's frequency is not known, or the agent did not answer the probe."""

PROBES = pl.Schema(
    {
        "probe_id": pl.String(),
        "group": pl.String(),  # such as the relation; the answers of one group are right, those of others are marked
        "prompt_id": pl.String(),
        "target": pl.String(),
        "text": pl.String(),
        "zipf": pl.Float64(),  # the target's frequency; missing where it is not known
    }
)
FIRST_ANSWERS = pl.Schema({"probe_id": pl.String(), "rank": pl.UInt8(), "word": pl.String(), "weight": pl.Float32()})
GOLD = pl.Schema({"target": pl.String(), "group": pl.String(), "word": pl.String(), "source": pl.String()})


@dataclass(frozen=True)
class Labels:
    """What a page calls its parts.

    `weight`: the name of the numbers behind the answers in a download; empty if there are none. `gold`: that of the group
    whose set holds an answer. `first`: the name of the metric that the first answer decides. `others`: whether an answer
    may be right for another group than that of its probe. `prompt_texts`: whether a prompt is shown by its text with a dash
    for the target, or by its id. `names`: group -> what it is called, if that is not its own name. `head`: what stands above
    the answers in the table of a probe, such as what their numbers are shares of; empty: their ranks alone.
    """

    group: str = "Relation"
    prompt: str = "Prompt"
    target: str = "Target"
    weight: str = "probability"
    gold: str = "in_relatum_set_of"
    first: str = "soundness"
    others: bool = True
    prompt_texts: bool = True
    names: Mapping[str, str] = field(default_factory=dict)
    head: str = ""


RELATIONS = Labels()
"""The labels of a page about relations and prompts."""


@dataclass(frozen=True)
class Texts:
    """What a page says.

    `lead`: the paragraph below the title. `notice`: what stands in a box below the lead. `run`: the title of the run; empty:
    the name of its folder.
    """

    title: str
    lead: str
    labels: Labels = RELATIONS
    notice: str = ""
    run: str = ""


@dataclass(frozen=True)
class Agent:
    """An agent's first answers to each probe (ANSWERS).

    The weight is a probability, or the share of people's answers; it may be missing. Ranks may be left out. The page
    compares two of the agents that are a `model` at first.
    """

    name: str
    answers: pl.DataFrame
    people: bool = False
    model: bool = False


def sample(probes: pl.DataFrame, agents: int, most: int = MOST_ANSWERS, seed: int = 1) -> pl.DataFrame:
    """Return the probes (PROBES) that a page of so many agents can hold, sorted by group, target and prompt.

    These are all probes, or else a random sample, the same one for the same seed.

    >>> table = pl.DataFrame({name: ["b", "a"] for name in PROBES if name != "zipf"})
    >>> sample(table, agents=3)["target"].to_list(), sample(table, agents=3, most=30).height
    (['a', 'b'], 1)
    """
    held = max(most // (max(agents, 1) * SHOWN), 1)
    shown = probes if probes.height <= held else probes.sample(held, seed=seed)
    return shown.sort("group", "target", "prompt_id")


def pack(probes: pl.DataFrame, gold: pl.DataFrame, agents: Sequence[Agent], labels: Labels = RELATIONS) -> bytes:
    """Return the bytes behind a page: the length of a JSON header (4 bytes, little-endian), the header, and arrays.

    `probes`: PROBES; `gold`: GOLD, the correct answers of each group to a target. The header has `columns` (the largest
    rank), `groups`, their `names`, `prompts`, `targets`, `texts`, `words`, `sources`, `agents`, the texts and words that are
    shown otherwise (`readable_texts` and `readable_words`: place -> text), and under `arrays` the first byte of each array
    after the header and its length. Numbers above 255 are split into arrays of their low, middle and high bytes, since
    these compress better. Word 0 is no word. For example, `first` has a number for each agent and probe: the rank of the
    first correct answer, 0 if none of the first 10 is correct, and 255 where the agent has no answer.
    """
    gold = gold.join(probes.select("target").unique(), on="target", how="semi").sort("target", "group", "word")
    header = _header(probes, gold, agents, labels)
    tables = [_ranked_answers(agent, probes, gold) for agent in agents]
    word = {name: i for i, name in enumerate(header["words"])}
    prompts = [prompt["id"] for prompt in header["prompts"]]
    zipf = (probes["zipf"] * 20).round().clip(0, UNKNOWN - 1).fill_null(UNKNOWN)
    arrays = [
        *_bytes("prompt", _codes(probes["prompt_id"], prompts)),
        *_bytes("target", _codes(probes["target"], header["targets"])),
        ("zipf", zipf.to_numpy().astype(np.uint8)),
        *_bytes("gold_target", _codes(gold["target"], header["targets"])),
        ("gold_group", _codes(gold["group"], header["groups"]).astype(np.uint8)),
        *_bytes("gold_word", _codes(gold["word"], word)),
        ("gold_source", _codes(gold["source"], header["sources"]).astype(np.uint8)),
        ("first", _joined_rows(_first(table, probes.height) for table in tables)),
        *_bytes("word", _joined_rows(_grid(table, _codes(table["word"], word), probes.height) for table in tables)),
        *_bytes("weight", _joined_rows(_grid(table, _logs(table["weight"]), probes.height) for table in tables)),
    ]
    return _joined(header, dict(arrays))


def _header(probes: pl.DataFrame, gold: pl.DataFrame, agents: Sequence[Agent], labels: Labels) -> dict[str, Any]:
    groups = sorted({*probes["group"], *gold["group"]})
    texts, words = probes["text"].to_list(), _words(gold, agents)
    return {
        "probes": probes.height,
        "shown": SHOWN,
        "columns": max([agent.answers["rank"].max() or 1 for agent in agents if agent.answers.height], default=1),
        "agents": [{"name": agent.name, "people": agent.people, "model": agent.model} for agent in agents],
        "groups": groups,
        "names": [labels.names.get(group, group) for group in groups],
        "prompts": [
            {"id": prompt, "group": groups.index(group), "text": text if labels.prompt_texts else prompt}
            for prompt, group, text in _prompts(probes)
        ],
        "targets": sorted(set(probes["target"])),
        "texts": texts,
        "readable_texts": unlike(texts),
        "sources": sorted(set(gold["source"])),
        "words": words,
        "readable_words": unlike(words),
    }


def _prompts(probes: pl.DataFrame) -> Iterator[tuple[str, str, str]]:
    """Yield each prompt with its group and its text, in which a dash stands for the target: "a – is a …"."""
    columns = ["prompt_id", "group", "target", "text"]
    first = probes.unique("prompt_id", keep="first", maintain_order=True).sort("prompt_id")
    for prompt, group, target, text in first.select(columns).iter_rows():
        yield prompt, group, text.replace(target, "–", 1)


def _words(gold: pl.DataFrame, agents: Sequence[Agent]) -> list[str]:
    """Return all words, the most frequent first, after an empty word."""
    columns = [gold["word"], *(agent.answers["word"] for agent in agents)]
    counts = pl.concat(columns).value_counts(name="count").sort(["count", "word"], descending=[True, False])
    return ["", *counts["word"].to_list()]


def _codes(column: pl.Series, names: Sequence[str] | Mapping[str, int]) -> NDArray[np.uint32]:
    """Return the number of each name."""
    numbers = names if isinstance(names, Mapping) else {name: i for i, name in enumerate(names)}
    return np.array([numbers[name] for name in column], np.uint32)


def _ranked_answers(agent: Agent, probes: pl.DataFrame, gold: pl.DataFrame) -> pl.DataFrame:
    """Return an agent's first answers with the row of their probe, and whether they are correct."""
    rows = probes.select("probe_id", "target", "group").with_row_index("row")
    right = gold.select("target", "group", "word", right=pl.lit(True))
    first = agent.answers.filter(pl.col("rank") <= SHOWN).join(rows, on="probe_id", maintain_order="left")
    return first.join(right, on=["target", "group", "word"], how="left", maintain_order="left")


def _first(table: pl.DataFrame, height: int) -> NDArray[np.uint8]:
    ranks = np.full(height, UNKNOWN, np.uint8)
    probe_ranks = table.group_by("row").agg(pl.col("rank").filter("right").min().fill_null(0))
    ranks[probe_ranks["row"].to_numpy()] = probe_ranks["rank"].to_numpy()
    return ranks


def _grid(table: pl.DataFrame, values: NDArray[np.uint32], height: int) -> NDArray[np.uint32]:
    """Put values into an array of shape (probes, SHOWN), 0 where there is no answer."""
    grid = np.zeros((height, SHOWN), np.uint32)
    grid[table["row"].to_numpy(), table["rank"].to_numpy() - 1] = values
    return grid


def _logs(weights: pl.Series) -> NDArray[np.uint32]:
    with np.errstate(divide="ignore"):  # a probability can round to 0 in float32
        logs = np.round(-STEPS * np.log(weights.to_numpy().astype(float)))
    return np.where(np.isnan(logs), NO_WEIGHT, np.clip(logs, 0, SMALLEST)).astype(np.uint32)


def _bytes(name: str, values: NDArray[np.uint32]) -> Iterator[tuple[str, NDArray[np.uint8]]]:
    """Yield the low bytes of numbers below 2²⁴, then the middle and the high ones, under the names name_0, name_1, name_2.

    >>> [(name, part.tolist()) for name, part in _bytes("x", np.array([1, 258], np.uint32))]
    [('x_0', [1, 2]), ('x_1', [0, 1]), ('x_2', [0, 0])]
    """
    for position in range(3):
        yield f"{name}_{position}", (values >> (8 * position) & 255).astype(np.uint8)


def _joined_rows(agent_arrays: Iterable[NDArray[Any]]) -> NDArray[Any]:
    """Join the arrays of all agents; without an agent the result is empty."""
    return np.concatenate([np.empty(0, np.uint8), *(array.ravel() for array in agent_arrays)])


def _joined(header: dict[str, Any], arrays: Mapping[str, NDArray[np.uint8]]) -> bytes:
    offsets, start = {}, 0
    for name, array in arrays.items():
        offsets[name] = [start, array.size]
        start += array.size
    text = json.dumps({**header, "arrays": offsets}, ensure_ascii=False, separators=(",", ":")).encode()
    return b"".join([struct.pack("<I", len(text)), text, *(array.tobytes() for array in arrays.values())])


def publish(
    texts: Texts,
    probes: pl.DataFrame,
    gold: pl.DataFrame,
    agents: Sequence[Agent],
    template: Path,
    page: Path,
    models: Collection[str] = (),
) -> None:
    """Write the answers page of a study beside its page, with a sentence that says how many of the probes it holds.

    `probes`: PROBES; `gold`: GOLD; an agent without any answer is left out. `models`: the agents that are models.
    """
    answering = [replace(agent, model=agent.name in models) for agent in agents if agent.answers.height]
    has_pieces = any(agent.answers["word"].str.starts_with("##").any() for agent in answering)
    shown = sample(probes, len(answering))
    sentences = [texts.lead, PIECES if has_pieces else "", note(shown.height, probes.height)]
    data = pack(shown, gold, answering, texts.labels)
    links = {**ABOVE, "This study": "report.html"}
    write(replace(texts, lead=" ".join(filter(None, sentences))), data, template, page, links)


def publish_or_say(page: Path, publisher: Callable[Of, None], *of: Of.args, **options: Of.kwargs) -> None:
    """Write the answers page as `publisher` does with its arguments; where that fails, a page that says why.

    So the study has its tables and figures all the same. What the system refuses ends the step.
    """
    try:
        publisher(*of, **options)
    except REFUSED:
        raise
    except Exception as error:
        logger.error("the page of answers cannot be made", exc_info=error)
        sentence = html.escape(unshown(error))
        write_text(
            '<!DOCTYPE html>\n<html lang="en">\n<meta charset="utf-8">\n<title>Answers</title>\n'
            f'<main><h1>Answers</h1>\n<p>{sentence}</p>\n<p><a href="report.html">This study</a></p></main>\n</html>\n',
            page,
        )


def note(shown: int, total: int) -> str:
    """Return the sentence that says how many of the probes are on the page."""
    if shown == total:
        return (
            "The page holds all probes, of which there is one."
            if total == 1
            else f"The page holds all {total:,} probes."
        )
    return f"The page holds a random sample of {shown:,} of the {total:,} probes, as a browser would be slow with all."


def write(texts: Texts, data: bytes, template: Path, page: Path, links: Mapping[str, str]) -> None:
    """Write the page. `data`: what `pack` returns. `links`: those to other pages, text -> address."""
    name, date = run_line(texts.run)
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    content = environment.from_string(template.read_text(encoding="utf-8")).render(
        title=texts.title,
        lead=texts.lead,
        run=name,
        date=date,
        notice=texts.notice,
        links=links,
        foot=made_with(),
        steps=STEPS,
        smallest=SMALLEST,
        unknown=UNKNOWN,
        labels={label: value for label, value in asdict(texts.labels).items() if label != "names"},
        data=base64.b64encode(gzip.compress(data, 9, mtime=0)).decode(),
    )
    write_text(content, page)
