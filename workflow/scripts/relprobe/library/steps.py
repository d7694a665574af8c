"""The command `python -m relprobe score`: a CSV file of texts becomes a table of answers, without a configuration."""

from pathlib import Path
from typing import Literal


def score(
    model: str,
    probes: Path,
    out: Path,
    *,
    kind: Literal["auto", "masked", "causal", "encoder-decoder"] = "auto",
    k: int = 10,
    words: Path | None = None,
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
    shots: Path | None = None,
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
    from relprobe.core.errors import ConfigError
    from relprobe.library.answers import answers, check_place, examples, read_probes, write_answers
    from relprobe.library.load import load

    lines = {name: text for name, text in (("system", system), ("instruction", instruction)) if text}
    if lines and not chat:
        raise ConfigError("--system and --instruction are those of a chat: add --chat true, or leave them out.")
    check_place(out, "--out")
    table = read_probes(probes)
    listed = None if words is None else words.read_text("utf-8").split("\n")
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
        shots=[] if shots is None else examples(read_probes(shots)),
    )
    own = [word.strip() for word in listed if word.strip()] if listed else None
    found = answers(loaded, table, k, own, word_ends, join)
    write_answers(found, out)
