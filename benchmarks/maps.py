"""Compare maps of layers that are fitted on the study's probes with those that are fitted on WordNet's sentences.

`python -m benchmarks.maps [TARGETS] [SENTENCES]`, after the default study has run. SmolLM2-135M with three examples answers
the main probes about so many targets of each relation after some layers, through both maps. A map of the first kind is
fitted on the probes about four fifths of the targets, and answers the others. The script prints the soundness of each
relation, without intervals.
"""

import itertools
import random
import sys
from dataclasses import dataclass

import polars as pl
import torch
from relprobe.core.manifest import fetched_folder
from relprobe.lm.loading.load import load
from relprobe.lm.maps.fit import fit_maps
from relprobe.lm.maps.ridge import Sums, solve
from relprobe.lm.network.model import LanguageModel
from relprobe.lm.primitives.slots import queries_of
from relprobe.lm.requests import SlotProbe
from relprobe.sources.lexical.glosses import glosses
from relprobe.studies.relations.method import requests
from relprobe.studies.relations.probes import answerable, in_prompts, prefixes, sample
from torch import Tensor

from benchmarks.measure import machine
from benchmarks.probes import CAUSAL, EXAMPLES, ROOT, STUDY

LAYERS = [0, 18, 21, 24, 27, 30]
FOLDS, PENALTY, AT_ONCE = 5, 1e-2, 64
LEXICON = ROOT / "results" / "models" / "lexicon" / "smollm2-135m.parquet"


@dataclass
class Asked:
    """The probes of a study, as a table and as what is asked, and which words are right."""

    table: pl.DataFrame
    probes: list[SlotProbe]
    words: dict[int, str]  # token id -> word of the lexicon
    relata: dict[tuple[str, str], set[str]]  # relation and target -> the right words

    @property
    def owners(self) -> Tensor:
        """Return the number of the probe of each wording, shape (wordings,)."""
        counts = torch.tensor([len(probe.variants) for probe in self.probes])
        return torch.repeat_interleave(torch.arange(len(self.probes)), counts)

    @property
    def folds(self) -> Tensor:
        """Return the fold of each wording, shape (wordings,): all probes about a target are in one."""
        targets = {target: i % FOLDS for i, target in enumerate(sorted(set(self.table["target"])))}
        return torch.tensor([targets[target] for target in self.table["target"]])[self.owners]


def main(targets: int, sentences: int) -> None:
    """Print a row for each layer and map."""
    print(machine(), flush=True)
    model, study = load(CAUSAL, masked=False), asked(targets)
    queries = list(itertools.chain.from_iterable(queries_of(model, study.probes)))
    states = model.lens(queries, LAYERS).float()
    show("the last layer", model, study, states[-1])
    for place, layer in enumerate(LAYERS[:-1]):
        show(f"layer {layer}, fitted on probes", model, study, mapped_states(states[place], states[-1], study.folds))
    every = glosses(fetched_folder(CAUSAL.parents[1] / "nltk_wordnet.json"))
    texts = random.Random(1).sample(every, sentences)  # noqa: S311
    fits = fit_maps(model, texts, LAYERS)
    for place, layer in enumerate(LAYERS[:-1]):
        fitted, _ = fits[layer]
        mapped = (states[place].double() @ fitted.weights + fitted.offset).float()
        show(f"layer {layer}, fitted on WordNet", model, study, mapped)


def asked(targets: int) -> Asked:
    """Return the main probes about some targets of each relation, with three examples before each."""
    lexicon = pl.read_parquet(LEXICON)
    main_probes = answerable(pl.read_parquet(STUDY), lexicon, "causal").filter(kind="main")
    table = in_prompts(sample(main_probes, targets))
    relata: dict[tuple[str, str], set[str]] = {}
    right = pl.read_parquet(STUDY.with_name("relata.parquet")).select("relation", "target", "relatum")
    for relation, target, relatum in right.iter_rows():
        relata.setdefault((relation, target), set()).add(relatum)
    words = dict(lexicon.drop_nulls("word").select("token_id", "word").iter_rows())
    return Asked(table, list(requests(table, prefixes(EXAMPLES, 3))), words, relata)


def mapped_states(states: Tensor, last: Tensor, folds: Tensor) -> Tensor:
    """Return the states of a layer through maps that were fitted on the other folds' states, shape (wordings, width)."""
    mapped = torch.empty_like(last)
    for fold in range(FOLDS):
        weights, offset = solve(Sums.of(states[folds != fold], last[folds != fold]), PENALTY)
        mapped[folds == fold] = (states[folds == fold].double() @ weights + offset).float()
    return mapped


def show(name: str, model: LanguageModel, study: Asked, states: Tensor) -> None:
    """Print the soundness of each relation: the mean over targets of the share of probes whose first token is right."""
    weights = torch.tensor([variant.weight for probe in study.probes for variant in probe.variants])
    first = []
    for start in range(0, len(study.probes), AT_ONCE):
        count = min(AT_ONCE, len(study.probes) - start)
        rows = torch.nonzero((study.owners >= start) & (study.owners < start + count)).flatten()
        mixed = torch.zeros(count, model.net.config.vocab_size)
        mixed.index_add_(0, study.owners[rows] - start, model.log_probs(states[rows]).exp() * weights[rows, None])
        first += mixed.argmax(1).tolist()
    keys = list(study.table.select("relation", "target").iter_rows())
    hits = [study.words.get(token) in study.relata.get(key, ()) for token, key in zip(first, keys, strict=True)]
    means = study.table.select("relation", "target", hit=pl.Series(hits)).group_by("relation", "target").mean()
    sound = means.group_by("relation").agg(pl.col("hit").mean(), pl.len()).sort("relation")
    values = " ".join(f"{relation} {value:.3f} ({targets})" for relation, value, targets in sound.iter_rows())
    print(f"{name:32} {values}", flush=True)


if __name__ == "__main__":
    main(*(int(word) for word in [*sys.argv[1:], *["16", "4000"][len(sys.argv) - 1 :]]))
