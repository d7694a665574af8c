"""The command `python -m relprobe score`: a CSV file of texts becomes a table of answers, without a configuration."""

from __future__ import annotations

import difflib
import logging
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import polars as pl

from relprobe.core.csv_schema import CsvSchema, Row
from relprobe.core.errors import ConfigError, DataError
from relprobe.core.files import Format, read_own_text, write_csv, write_parquet
from relprobe.core.words import amount
from relprobe.library.asking import SLOT
from relprobe.library.columns import CANDIDATES, SENTENCES, SERVED_WORDS, TOP_WORDS
from relprobe.library.load import SERVERS, load
from relprobe.library.texts import check_slot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from relprobe.library.model import Model
    from relprobe.library.texts import Join

logger = logging.getLogger("relprobe")
SCHEMA = CsvSchema(("text",), ("candidate",), other_columns=True, as_written=True, long=("text",))
"""The columns of a table of probes that say what is asked; others are repeated in the answers."""
ENDINGS = (".parquet", ".csv")


def read_probes(path: Path) -> pl.DataFrame:
    """Read a CSV file of texts (`read_texts`), which all have a slot, or none. DataError: some have one, and others none."""
    table, rows = _texts(path)
    with_slot = [SLOT in text for text in table["text"]]
    if "candidate" not in table.columns and 0 < sum(with_slot) < len(with_slot):
        row = rows[with_slot.index(not with_slot[0])]
        raise DataError(f"some texts have a {SLOT} and others have none, such as {row.where}: make two files of them.")
    return table


def read_texts(path: Path) -> pl.DataFrame:
    """Read a CSV file of texts, as SCHEMA says; all its columns are texts, and null where a note is empty.

    DataError: it has another form, a text or candidate is empty, or a text has a slot that is none here, such as [MASK]; or
    another column is named almost like `candidate`.
    """
    return _texts(path)[0]


def _texts(path: Path) -> tuple[pl.DataFrame, list[Row]]:
    if not path.is_file():
        raise DataError(f"{path} cannot be read as CSV, as it is no file: correct the path.")
    names, lines = SCHEMA.read(path)
    if "candidate" not in names and (near := difflib.get_close_matches("candidate", map(str.lower, names), 1, 0.8)):
        raise DataError(
            f"{path} has the column {near[0]!r}, which would not be asked about: name it candidate, or note."
        )
    rows = list(lines)
    if not rows:
        raise DataError(f"{path} holds no texts: add a line such as a robin is a {SLOT}.")
    for row in rows:
        for name in (*SCHEMA.columns, *SCHEMA.optional):
            if name in names and not row.cells[name].strip():
                raise DataError(f"{row.where}: the column `{name}` is empty: fill it.")
        check_slot(row.where, row.cells["text"])
    if several := [row.where for row in rows if "\n" in row.cells["text"]]:
        logger.warning(
            "%d texts have several lines, such as that of %s: no quote is missing?", len(several), several[0]
        )
    columns = {name: [row.cells[name] or None for row in rows] for name in names}
    return pl.DataFrame(columns, schema=dict.fromkeys(names, pl.String)), rows


Probes = Annotated[pl.DataFrame, Format(read_probes)]
Solved = Annotated[pl.DataFrame, Format(read_texts)]


def read_words(path: Path) -> list[str]:
    """Read the words of a text file, one a line, without those that are blank; the order is that of the file."""
    return [" ".join(word.split()) for word in read_own_text(path).split("\n") if word.strip()]


Words = Annotated[list[str], Format(read_words)]


def examples(table: pl.DataFrame) -> list[str | tuple[str, str]]:
    """Return a table of solved examples as `relprobe.load` takes them: texts, or pairs of a text and its `candidate`.

    >>> examples(pl.DataFrame({"text": ["a robin is a"], "candidate": ["bird"]}))
    [('a robin is a', 'bird')]
    """
    texts = table["text"].to_list()
    return list(zip(texts, table["candidate"], strict=True)) if "candidate" in table.columns else texts


def answers(
    model: Model,
    probes: pl.DataFrame,
    k: int = 10,
    words: Sequence[str] | None = None,
    word_ends: bool = False,
    join: Join = "auto",
) -> pl.DataFrame:
    """Return what a model answers to a table of probes, beside the other columns of the table.

    With a column `candidate`, each row asks for its log-probability; `join` is that of `Model.score`. If the texts have
    slots, the answers are the `k` likeliest words, or those of the list `words`; or else the texts are sentences.

    >>> from relprobe.library.model import Model
    >>> from relprobe.lm.loading.example import bigram_model
    >>> model = Model(bigram_model({"a": {"robin": 0.25, "bird": 0.75}}))
    >>> answers(model, pl.DataFrame({"text": ["a [SLOT]"], "set": ["birds"]}), k=1).select("text", "word", "set").rows()
    [('a [SLOT]', 'bird', 'birds')]
    """
    texts = probes["text"].to_list()
    if "candidate" in probes.columns:
        result = model.score(texts, [[candidate] for candidate in probes["candidate"]], word_ends=word_ends, join=join)
    elif SLOT in texts[0]:
        result = model.top_words(texts, k, words)
    else:
        result = model.sentences(texts, word_ends=word_ends)
    further = probes.drop(*SCHEMA.columns, *SCHEMA.optional, strict=False).with_row_index("id")
    return result.join(further, on="id", maintain_order="left")


def check_columns(probes: pl.DataFrame, *, served: bool) -> None:
    """Check that no column of a table is a column of its answers, too. DataError: one is. `served`: a server answers."""
    if "candidate" in probes.columns:
        answered = CANDIDATES
    else:
        answered = (SERVED_WORDS if served else TOP_WORDS) if SLOT in probes["text"][0] else SENTENCES
    for name in probes.columns:
        if name not in (*SCHEMA.columns, *SCHEMA.optional) and name in answered:
            raise DataError(
                f"the texts have a column {name!r}, and so have their answers, where `id` is the number of the text from 0: "
                f"rename it, for example to own_{name}."
            )


def what_is_asked(probes: pl.DataFrame) -> str:
    """Return what a table asks a model for, in a sentence that also names the columns that it does not ask about.

    >>> what_is_asked(pl.DataFrame({"text": ["a robin sings"], "answer": ["bird"]}))
    '1 text is scored as a whole sentence; the column answer is a note.'
    """
    single = probes.height == 1
    if "candidate" in probes.columns:
        asked = "is scored with its candidates" if single else "are scored with their candidates"
    elif SLOT in probes["text"][0]:
        asked = "gets words at its slot" if single else "get words at their slots"
    else:
        asked = "is scored as a whole sentence" if single else "are scored as whole sentences"
    notes = [name for name in probes.columns if name not in (*SCHEMA.columns, *SCHEMA.optional)]
    named = f"the column {notes[0]} is a note" if len(notes) == 1 else f"the columns {', '.join(notes)} are notes"
    return f"{amount(probes.height, 'text')} {asked}{f'; {named}' if notes else ''}."


def check_place(path: Path, option: str) -> None:
    """Check that a table can be written here before what it is for has been computed, and make the folders above it.

    `option`: the option that names the file. DataError: it ends in none of ENDINGS, or it cannot be written, as the system
    says.
    """
    try:
        if path.is_dir():
            raise DataError(f"{option} {path} is a folder: name a file in it.")
        if path.suffix.lower() not in ENDINGS:
            raise DataError(
                f"{option} {path} ends in neither .parquet nor .csv, which say how it is written: name one."
            )
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path.parent):
            return
    except OSError as error:
        raise DataError(f"{option} {path} cannot be written ({error.strerror}): name another place.") from error


def write_answers(table: pl.DataFrame, path: Path) -> None:
    """Write answers as CSV or Parquet, as the file's name says; a list of tokens becomes one text of a CSV field."""
    if path.suffix.lower() == ".csv":
        lists = [name for name, kind in table.schema.items() if isinstance(kind, pl.List)]
        write_csv(
            table.with_columns(pl.col(lists).cast(pl.List(pl.String)).list.join(" ", ignore_nulls=True)),
            path,
            exact=True,
        )
    else:
        write_parquet(table, path)


def score(
    model: str,
    probes: Probes,
    out: Path,
    *,
    kind: Literal["auto", "masked", "causal", "encoder-decoder"] = "auto",
    k: int = 10,
    words: Words | None = None,
    word_ends: bool = False,
    join: Literal["auto", "space", "none"] = "auto",
    revision: str = "main",
    name: str = "",
    tokenizer: str = "",
    key_env: str = "",
    dtype: str = "auto",
    device: str = "auto",
    batch_tokens: int = 0,
    threads: int = 0,
    timeout: float = 0,
    context: str = "",
    chat: bool = False,
    system: str = "",
    instruction: str = "",
    shots: Solved | None = None,
) -> None:
    """Ask a model about the texts of a CSV file, and write its answers as Parquet or CSV.

    --model is a Hugging Face id, a folder, a GGUF file, or the address of a server. --probes has a column `text`. The
    columns of the file decide what is asked:
      text with [SLOT]             the k likeliest words at the slot; with --words FILE, one word a line, those of the list
      text and candidate           the log-probability of each row's candidate, in the [SLOT] or after the text; there
                                   --join puts a space before it, none, or (auto) what the language writes
      text without [SLOT]          the log-probability of the sentence and of its tokens
    The case and order of the columns do not matter, and semicolons may separate them. The other columns of the file are
    repeated in the answers; none may have the name of a column there, such as id. Log-probabilities are natural logarithms.

    --chat true asks a causal model in its chat template, where the text begins the answer; --system and --instruction say
    what stands before it. --shots is a CSV file of solved examples, which stand before every text: a column `text`, and
    perhaps `candidate`, the answer in the [SLOT] or after the text.
    """
    lines = {name: text for name, text in (("system", system), ("instruction", instruction)) if text}
    if lines and not chat:
        raise ConfigError("--system and --instruction are those of a chat: add --chat true, or leave them out.")
    check_place(out, "--out")
    check_columns(probes, served=model.startswith(SERVERS))
    logger.info("%s", what_is_asked(probes))
    loaded = load(
        model,
        None if kind == "auto" else kind,
        tokenizer=tokenizer or None,
        revision=revision,
        name=name,
        key_env=key_env or None,
        dtype=dtype,
        device=device,
        batch_tokens=batch_tokens,
        threads=threads,
        timeout=timeout or None,
        context=context,
        chat=(lines or True) if chat else False,
        shots=[] if shots is None else examples(shots),
    )
    table = answers(loaded, probes, k, words, word_ends, join)
    write_answers(table, out)
    logger.info("%s has %s rows with the columns %s.", out, f"{table.height:,}", ", ".join(table.columns))
