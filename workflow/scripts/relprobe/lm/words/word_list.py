"""A list of words as a model spells them: their tokens at a slot, and the trie of these tokens."""

import logging
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from relprobe.core.errors import DataError, ModelError
from relprobe.lm.words.encode import Encoder
from relprobe.lm.words.tokens import encode_texts
from relprobe.lm.words.unknown import unknown_words

logger = logging.getLogger("relprobe")
Ids = NDArray[np.int64]
Spelling = tuple[int, ...]


@dataclass(frozen=True)
class WordList:
    """The words that may be answers, and how frequent each is; the frequencies need not sum to 1.

    DataError: there are no words, or a word is empty or stands there twice, or the numbers of words and frequencies
    differ, or a frequency is not above 0 or not finite.

    >>> WordList(("bird", "ice cream")).frequencies
    (1.0, 1.0)
    """

    words: tuple[str, ...]
    frequencies: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if not self.frequencies:
            object.__setattr__(self, "frequencies", (1.0,) * len(self.words))
        if not self.words or len(self.words) != len(self.frequencies):
            raise DataError(f"a word list has {len(self.words)} words and {len(self.frequencies)} frequencies.")
        for word, frequency in zip(self.words, self.frequencies, strict=True):
            if not 0 < frequency < math.inf:  # NaN is neither
                raise DataError(
                    f"the word list has {word!r} with the frequency {frequency}, which is not above 0 or not finite: "
                    "give rare words a small one."
                )
        if not math.isfinite(sum(self.frequencies)):
            raise DataError("the frequencies of a word list are too large for a sum: divide them by the largest one.")
        stripped = [word.strip() for word in self.words]
        if stripped != list(self.words) or not all(stripped):
            raise DataError("a word of the word list is empty, or begins or ends with a space: remove it.")
        if len(set(self.words)) < len(self.words):
            twice = next(word for i, word in enumerate(self.words) if word in self.words[:i])
            raise DataError(f"the word list has {twice!r} twice: remove one of them.")


@dataclass(frozen=True)
class WordTrie:
    """The spellings of a word list as a trie: node 0 is the beginning of every word, and a node is a beginning of words.

    `prefixes` are the tokens of each node, and `tokens` its last one. The children of node i are the nodes from `starts[i]`
    to `starts[i + 1] - 1`. The words that end at node i are `words[ends[i] : ends[i + 1]]`, as indices into the list.
    Several words can have one spelling, such as "Polish" and "polish" in a model without capitals.
    """

    prefixes: Sequence[Spelling]
    tokens: Ids
    starts: Ids
    words: Ids
    ends: Ids

    @classmethod
    def of(cls, spellings: Sequence[Spelling | None]) -> "WordTrie":
        """Build the trie; a word without a spelling (None) is left out.

        The words 0 to 3 are "ab", "a", "cd", and "ab" again:

        >>> trie = WordTrie.of([(1, 2), (1,), (3, 4), (1, 2), None])
        >>> trie.prefixes
        [(), (1,), (3,), (1, 2), (3, 4)]
        >>> [trie.prefixes[node] for node in range(trie.starts[0], trie.starts[1])]
        [(1,), (3,)]
        >>> trie.words[trie.ends[3] : trie.ends[4]].tolist()
        [0, 3]
        """
        spelled = [(word, spelling) for word, spelling in enumerate(spellings) if spelling is not None]
        unique = {spelling[:length] for _, spelling in spelled for length in range(len(spelling) + 1)}
        prefixes = sorted(unique, key=lambda prefix: (len(prefix), prefix))
        node = {prefix: i for i, prefix in enumerate(prefixes)}
        parents = np.array([node[prefix[:-1]] for prefix in prefixes[1:]], np.int64)
        nodes = np.array([node[spelling] for _, spelling in spelled], np.int64)
        order = np.argsort(nodes, kind="stable")
        return cls(
            prefixes,
            np.array([prefix[-1] if prefix else -1 for prefix in prefixes]),
            1 + _cumulated(parents, len(prefixes)),
            np.array([word for word, _ in spelled], np.int64)[order],
            _cumulated(nodes, len(prefixes)),
        )


def _cumulated(items: Ids, size: int) -> Ids:
    """Return how many items are below each number from 0 to `size`.

    >>> _cumulated(np.array([0, 0, 2]), 3).tolist()
    [0, 2, 2, 3]
    """
    return np.concatenate([[0], np.cumsum(np.bincount(items, minlength=size))])


def anchor(encoder: Encoder, probe_id: str, text: str) -> str:
    """Return the text that decides how a word is spelled in the slot of `text`: a letter and spaces, or the last piece.

    After a space every word is spelled in one way, whatever stands before the space. After a quote, a bracket or a new line
    the piece up to it decides.

    >>> from relprobe.lm.loading.example import bigram_model
    >>> encoder = bigram_model({"a": {"bird": 1}}).encoder
    >>> anchor(encoder, "x", "a robin is a [V]"), anchor(encoder, "x", 'the word "[V]')
    ('x ', ' "')
    """
    piece = encoder.piece(probe_id, text)
    letters = piece.rstrip(" ")
    return "x" + piece[len(letters) :] if letters != piece else piece


@lru_cache(8)
def spell(encoder: Encoder, start: str, words: tuple[str, ...]) -> tuple[Spelling | None, ...]:
    """Return the tokens of each word after `start` (`anchor`): the canonical ones, which the tokenizer itself makes.

    None: the word has an unknown token, or merges with what stands before it.

    >>> from relprobe.lm.loading.example import bigram_model
    >>> spell(bigram_model({"x": {"steering": 1}, "steering": {"wheel": 1}}).encoder, "x ", ("wheel", "steering wheel"))
    ((2,), (1, 2))
    """
    texts = [start.rstrip(" "), *(start + word for word in words)]
    before, *encodings = encode_texts(encoder.tokenizer, texts, spans=False)
    for word, encoding in zip(words, encodings, strict=True):
        encoder.require_tokens(f"the word {word!r}", encoding.ids)
    count, unknown = len(before.ids), unknown_words(encoder.tokenizer, words)
    return tuple(
        tuple(encoding.ids[count:])
        if encoding.ids[:count] == before.ids and encoding.ids[count:] and not lost
        else None
        for encoding, lost in zip(encodings, unknown, strict=True)
    )


@lru_cache(8)
def spellings(encoder: Encoder, start: str, words: tuple[str, ...]) -> tuple[Spelling | None, ...]:
    """Return what `spell` returns; the number of words that cannot be spelled is logged. ModelError: these are all words."""
    spelled = spell(encoder, start, words)
    missing = spelled.count(None)
    if missing == len(spelled):
        raise ModelError(f"{encoder.tokenizer.name_or_path} can spell no word of the word list after {start!r}.")
    if missing:
        logger.warning("%s of %s words cannot be spelled by the model's tokenizer", f"{missing:,}", f"{len(words):,}")
    return spelled


def length_prior(spelled: Sequence[Spelling | None], frequencies: Sequence[float], longest: int) -> NDArray[np.float64]:
    """Return how probable it is that a word has 1, 2, … `longest` tokens, by the frequencies of the words, shape (longest,).

    ModelError: every word is longer. A word of one token and frequency 6 and two words of two tokens and frequency 1:

    >>> length_prior([(1,), (2, 3), (2, 4)], [6, 1, 1], longest=3).tolist()
    [0.75, 0.25, 0.0]
    """
    counts = np.zeros(longest)
    for spelling, frequency in zip(spelled, frequencies, strict=True):
        if spelling is not None and len(spelling) <= longest:
            counts[len(spelling) - 1] += frequency
    if not counts.any():
        raise ModelError(f"no word of the word list has {longest} tokens or fewer: raise the number of masks.")
    return counts / counts.sum()


def logs(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return natural logarithms; that of 0 is -inf.

    >>> logs(np.array([1.0, 0.0])).tolist()
    [0.0, -inf]
    """
    return np.log(shares, out=np.full(shares.shape, -np.inf), where=shares > 0)
