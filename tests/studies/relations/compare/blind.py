"""A small study with random relatum sets, and agents that answer it in their ways."""

import itertools

import numpy as np
import polars as pl
from relprobe.studies.relations.method import GoldStandard, judge
from relprobe.studies.relations.schemas import PROBES, RELATA, RESPONSES

from tests.studies.relations.six import SIX

PROMPTS = {"HYP": ("hyp1", "hyp2", "hyp3"), "SYN": ("syn1", "syn2"), "MER": ("mer1",)}


def study(targets=8, words=14, seed=0, lost=0.0):
    """Return a gold standard of random relatum sets; some targets are relata. `lost`: the share of probes not asked."""
    random = np.random.default_rng(seed)
    names = [f"w{i}" for i in range(words)]
    rows, probes = [], []
    for target in names[:targets]:
        free = [name for name in names if name != target]
        random.shuffle(free)
        for relation, number in zip(PROMPTS, random.integers(1, 4, size=3), strict=True):
            rows += [(target, relation, free.pop(), ["hand"]) for _ in range(number)]
            probes += [
                (f"{prompt}:{target}", relation, target, prompt, "main", f"{target} [V]", [])
                for prompt in PROMPTS[relation]
                if random.random() >= lost
            ]
    relata = pl.DataFrame(rows, schema=RELATA, orient="row")
    lexicon = pl.DataFrame({"word": names})
    return GoldStandard(pl.DataFrame(probes, schema=PROBES, orient="row"), relata, relata, lexicon, SIX)


def agent(gold, say, *, people=False):
    """Return the answers of an agent: `say(relation, target, prompt)` is its words, best first, and their weights."""
    rows = []
    for probe, relation, target, prompt in gold.probes.select(
        "probe_id", "relation", "target", "prompt_id"
    ).iter_rows():
        pairs = [(word, weight) for word, weight in say(relation, target, prompt) if word != target]
        rows.append((probe, [word for word, _ in pairs], [weight for _, weight in pairs]))
    return judge(pl.DataFrame(rows, schema=RESPONSES, orient="row"), gold, people=people)


def listed(words):
    return [(word, 2.0**-rank) for rank, word in enumerate(words)]


def shuffled(gold, *key):
    """Return the words of the study in an order of their own for each key."""
    words = gold.shared_lexicon["word"].to_list()
    np.random.default_rng([ord(letter) for letter in "".join(key)]).shuffle(words)
    return words


def orders(pairs):
    """Yield all orders of words, which may change places where their weights are equal."""
    groups = [[word for word, _ in group] for _, group in itertools.groupby(pairs, key=lambda pair: pair[1])]
    for parts in itertools.product(*(itertools.permutations(group) for group in groups)):
        yield list(itertools.chain.from_iterable(parts))
