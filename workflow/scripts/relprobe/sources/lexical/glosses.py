"""The glosses of WordNet 3.0 and their examples, as sentences."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from relprobe.core.files import read_text
from relprobe.core.manifest import manifest_format

QUOTED = re.compile(r'"([^"]+)"')
SHORTEST = 4
"""The words of the shortest sentence that counts."""


def sentences_of(gloss: str) -> Iterator[str]:
    """Yield the definition of a gloss and its examples, without those of few words.

    >>> list(sentences_of('a small bird that lives in trees; "the robin sings in the tree"; "birds"'))
    ['a small bird that lives in trees', 'the robin sings in the tree']
    """
    for text in (gloss.partition('"')[0], *QUOTED.findall(gloss)):
        sentence = " ".join(text.strip(" ;").split())
        if sentence.count(" ") + 1 >= SHORTEST:
            yield sentence


def glosses(folder: Path) -> list[str]:
    """Return the sentences of all glosses of the WordNet that `wordnet.prepare` put into `folder`, each once, sorted."""
    files = sorted((folder / "corpora" / "wordnet").glob("data.*"))
    lines = (line for file in files for line in read_text(file).split("\n") if " | " in line)
    return sorted({sentence for line in lines for sentence in sentences_of(line.partition(" | ")[2])})


Glosses = Annotated[list[str], manifest_format(glosses)]
