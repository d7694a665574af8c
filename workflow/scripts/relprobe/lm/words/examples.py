"""How solved examples stand before a text: one sentence each, on lines of their own."""

from collections.abc import Iterable

STOP, LINE = ".", "\n"
"""What ends an example. With the full stop, examples are sentences for masked models, too, which read no line breaks."""


def join_examples(texts: Iterable[str]) -> str:
    r"""Return solved texts as sentences, each on a line of its own.

    >>> join_examples(["robins are birds.", "an oak is a tree"])
    'robins are birds.\nan oak is a tree.\n'
    """
    return "".join(f"{text.removesuffix(STOP)}{STOP}{LINE}" for text in texts)
