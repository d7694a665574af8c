"""The lexicon of a model, from the tokenizer of its snapshot."""

from relprobe.core.manifest import FolderWithoutWeights
from relprobe.lm.words.lexicon import Lexicon, lexicon
from relprobe.lm.words.tokenizer import tokenizer_of, vocabulary_size


def list_tokens(model: FolderWithoutWeights) -> Lexicon:
    """List the tokens of a model, and which of them are words. `model`: the manifest of its snapshot."""
    return lexicon(tokenizer_of(model), vocabulary_size(model))
