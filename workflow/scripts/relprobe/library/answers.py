"""The command `python -m relprobe score`: a CSV file of texts becomes a table of answers, without a configuration."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import polars as pl

from relprobe.core.errors import ConfigError, DataError, first_line
from relprobe.core.files import Format, Text, whole_file, write_csv
from relprobe.library.asking import SLOT
from relprobe.library.load import load

if TYPE_CHECKING:
    from collections.abc import Sequence

    from relprobe.library.model import Model
    from relprobe.library.texts import Join

ASKED = ("text", "candidate")
"""The columns of a table of probes that say what is asked; others are repeated in the answers."""


def read_probes(path: Path) -> pl.DataFrame:
    """Read a CSV file of texts; all its columns are texts. DataError: it is missing, is no CSV, or has no column `text`."""
    try:
        table = pl.read_csv(path, infer_schema=False)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise DataError(f"{path} cannot be read as CSV ({first_line(error)}): correct it.") from error
    if "text" not in table.columns:
        raise DataError(f"{path} has no column `text`, but {', '.join(table.columns)}: name the column of texts so.")
    for column in filter(table.columns.__contains__, ASKED):
        empty = table[column].is_null().arg_true().to_list()
        if empty:
            raise DataError(f"{path}: the column `{column}` is empty in row {empty[0] + 2}: fill it.")
    return table


Probes = Annotated[pl.DataFrame, Format(read_probes)]


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
    DataError: some texts have a slot, and others have none.

    >>> from relprobe.library.model import Model
    >>> from relprobe.lm.loading.example import bigram_model
    >>> model = Model(bigram_model({"a": {"robin": 0.25, "bird": 0.75}}))
    >>> answers(model, pl.DataFrame({"text": ["a [SLOT]"], "set": ["birds"]}), k=1).select("text", "word", "set").rows()
    [('a [SLOT]', 'bird', 'birds')]
    """
    texts = probes["text"].to_list()
    with_slot = [SLOT in text for text in texts]
    if "candidate" in probes.columns:
        result = model.score(texts, [[candidate] for candidate in probes["candidate"]], word_ends=word_ends, join=join)
    elif all(with_slot):
        result = model.top_words(texts, k, words)
    elif not any(with_slot):
        result = model.sentences(texts, word_ends=word_ends)
    else:
        row = with_slot.index(not with_slot[0])
        raise DataError(
            f"some texts have a {SLOT} and others have none, such as row {row + 2}: make two files of them."
        )
    others = probes.drop(ASKED, strict=False).with_row_index("id")
    return result.join(others, on="id", maintain_order="left")


def check_place(path: Path, option: str) -> None:
    """Check that a file can be written here before what it is for has been computed, and make the folders above it.

    `option`: the option that names the file. DataError: it cannot be written, as the system says.
    """
    try:
        if path.is_dir():
            raise DataError(f"{option} {path} is a folder: name a file in it.")
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path.parent):
            return
    except OSError as error:
        raise DataError(f"{option} {path} cannot be written ({error.strerror}): name another place.") from error


def write_answers(table: pl.DataFrame, path: Path) -> None:
    """Write answers as Parquet or CSV, as the file's name says; a list of tokens becomes one text of a CSV field.

    DataError: the name ends in neither .parquet nor .csv.
    """
    if path.suffix == ".csv":
        lists = [name for name, kind in table.schema.items() if isinstance(kind, pl.List)]
        write_csv(table.with_columns(pl.col(lists).cast(pl.List(pl.String)).list.join(" ", ignore_nulls=True)), path)
    elif path.suffix == ".parquet":
        with whole_file(path) as partial:
            table.write_parquet(partial)
    else:
        raise DataError(f"{path} is neither a .parquet nor a .csv file: name one of them with --out.")


def score(
    model: str,
    probes: Probes,
    out: Path,
    *,
    kind: Literal["auto", "masked", "causal", "encoder-decoder"] = "auto",
    k: int = 10,
    words: Text | None = None,
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
    shots: Probes | None = None,
) -> None:
    """Ask a model about the texts of a CSV file, and write its answers as Parquet or CSV.

    --model is a Hugging Face id, a folder, a GGUF file, or the address of a server. --probes has a column `text`. The
    columns of the file decide what is asked:
      text with [SLOT]             the k likeliest words at the slot; with --words FILE, one word a line, those of the list
      text and candidate           the log-probability of each row's candidate, in the [SLOT] or after the text; there
                                   --join puts a space before it, none, or (auto) what the language writes
      text without [SLOT]          the log-probability of the sentence and of its tokens
    The other columns of the file are repeated in the answers. Log-probabilities are natural logarithms.

    --chat true asks a causal model in its chat template, where the text begins the answer; --system and --instruction say
    what stands before it. --shots is a CSV file of solved examples, which stand before every text: a column `text`, and
    perhaps `candidate`, the answer in the [SLOT] or after the text.
    """
    lines = {name: text for name, text in (("system", system), ("instruction", instruction)) if text}
    if lines and not chat:
        raise ConfigError("--system and --instruction are those of a chat: add --chat true, or leave them out.")
    check_place(out, "--out")
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
    own = None if words is None else [word.strip() for word in words.split("\n") if word.strip()]
    write_answers(answers(loaded, probes, k, own, word_ends, join), out)
