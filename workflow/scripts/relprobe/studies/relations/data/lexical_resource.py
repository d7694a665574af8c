"""The lexical resource of a study: Princeton WordNet, or a database of WN-LMF files."""

from pathlib import Path
from typing import Annotated

from relprobe.core.files import Format
from relprobe.core.manifest import fetched_folder
from relprobe.sources.language import LanguageFile
from relprobe.sources.lexical.resource import Resource

PRINCETON = "nltk_wordnet"
"""The manifest of Princeton WordNet in nltk's form. Others are databases of WN-LMF files."""


def lexical_resource(manifest: Path, language: LanguageFile) -> Resource:
    """Open the lexical resource that a manifest describes. Only the library that reads it is imported."""
    folder = fetched_folder(manifest)
    if manifest.stem == PRINCETON:
        from relprobe.sources.lexical import wordnet

        return wordnet.Princeton(wordnet.load(folder), language)
    from relprobe.sources.lexical.wn_lmf import WnLmf

    return WnLmf(folder, language)


LexicalResource = Annotated[Resource, Format(lexical_resource)]
