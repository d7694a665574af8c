"""Does the test of the use of a relation hold? Agents that are blind to relation, target or both, by simulation.

    python -m benchmarks.relation_use results/relations

Targets, prompts and relatum sets are those of a finished study. Of the relata there are the 500 that most targets have and
one of each set, as a simulation of all takes hours. An agent scores all these words, and its ten best answer a prompt about
a target, without the target itself. A score is the sum of parts that are normal with these standard deviations, drawn anew
in each study:

- noise: of each target, prompt and word; quirks: of each prompt and word, for all targets alike;
- leaning: of each prompt and relation, for the words that are relata of this relation for any target;
- liking: of each relation that is asked for and word, for all targets and prompts alike;
- near: of each target and word, whatever is asked; `related` is added to the target's own relata of all relations.

Other parts are fixed: `stereotype` times the logarithm of 1 + the number of targets that have the word as relatum of the
relation asked for, which a blind agent may know; and `reading`, for relata of the target and the relation asked for.
"""

import argparse
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from numpy.random import Generator
from numpy.typing import NDArray
from relprobe.stats import Links, Values, crossed_mean, linked_items
from relprobe.studies.relations.analyses.use import DEPTH, p_of

ALPHA = 0.05
COMMON = 500
"""The number of relata, the commonest, that agents know beside one of each set."""
Numbers = NDArray[np.int64]
Scores = NDArray[np.float32]


@dataclass(frozen=True)
class Study:
    """The targets of a study that were asked for several relations, all by numbers.

    `words`: the number of words. `lists`: the target and the prompt of each response, (responses, 2). `prompts`: the
    relation of each prompt. `sets`: the target and relation of each relatum set, (sets, 2), and `members`: set and word of
    each relatum. `target_words`: the word that a target is, -1 if it is none. `links`: those of the targets.
    """

    words: int
    lists: Numbers
    prompts: Numbers
    sets: Numbers
    members: Numbers
    target_words: Numbers
    links: Links

    @classmethod
    def of(cls, probes: pl.DataFrame, relata: pl.DataFrame, number: int | None = None) -> "Study":
        """Return the study of the tables PROBES and RELATA, or `number` of its targets, drawn at random."""
        key = ["target", "relation"]
        asked = probes.select(*key, "prompt_id").unique().join(relata, on=key, how="semi")
        asked = asked.filter(pl.col("relation").n_unique().over("target") > 1)
        names = asked["target"].unique().sort()
        if number is not None:
            names = names.sample(min(number, len(names)), seed=1).sort()
        asked = asked.filter(pl.col("target").is_in(names.implode())).sort(*key, "prompt_id")
        sets = asked.select(key).unique().sort(key)
        linked = relata.select(*key, "relatum").unique().join(sets.with_row_index("set"), on=key).sort("set", "relatum")
        counts = linked.with_columns(count=pl.len().over("relatum")).sort("count", "relatum", descending=True)
        known = counts["relatum"].unique(maintain_order=True)[:COMMON]
        first = counts.unique("set", keep="first", maintain_order=True)["relatum"]
        members = linked.filter(pl.col("relatum").is_in(pl.concat([known, first]).implode()))
        prompts = asked.select("prompt_id", "relation").unique().sort("relation", "prompt_id")

        def numbers(values: pl.Series, of: pl.Series) -> Numbers:
            table = pl.DataFrame({"value": of.unique().sort()}).with_row_index("number")
            joined = pl.DataFrame({"value": values}).join(table, on="value", how="left", maintain_order="left")
            return joined["number"].cast(pl.Int64).fill_null(-1).to_numpy()

        codes, words = asked["relation"], members["relatum"]
        shared = linked.select(pl.struct("relation", "relatum").rank("dense").cast(pl.Int64) - 1).to_series().to_numpy()
        places = {name: place for place, name in enumerate(prompts["prompt_id"])}
        return cls(
            words.n_unique(),
            np.stack([numbers(asked["target"], names), [places[name] for name in asked["prompt_id"]]], axis=1),
            numbers(prompts["relation"], codes),
            np.stack([numbers(sets["target"], names), numbers(sets["relation"], codes)], axis=1),
            np.stack([members["set"].cast(pl.Int64).to_numpy(), numbers(words, words)], axis=1),
            numbers(names, words),
            linked_items(numbers(linked["target"], names), shared, len(names)),
        )


@dataclass(frozen=True)
class Agent:
    """An agent: the parts of its scores (see the module)."""

    name: str
    noise: float = 0.5
    quirks: float = 0.0
    leaning: float = 0.0
    liking: float = 0.0
    near: float = 0.0
    related: float = 0.0
    stereotype: float = 0.0
    reading: float = 0.0
    twice: bool = False
    """Whether two such agents are compared, too."""


def answers(study: Study, agent: Agent, generator: Generator) -> Numbers:
    """Return the ten best words of each response, the best first, (responses, 10)."""
    targets = study.lists[:, 0]
    relatum_counts, is_relatum = _relata(study)

    def drawn(deviation: float, rows: int) -> Scores:
        if not deviation:
            return np.zeros((rows, study.words), np.float32)
        return np.float32(deviation) * generator.standard_normal((rows, study.words), dtype=np.float32)

    prompt_scores = drawn(agent.quirks, len(study.prompts))
    leaning = agent.leaning * generator.standard_normal((len(study.prompts), len(relatum_counts)))
    prompt_scores += (leaning @ (relatum_counts > 0)).astype(np.float32)
    asked_scores = drawn(agent.liking, len(relatum_counts)) + (agent.stereotype * np.log1p(relatum_counts)).astype(
        np.float32
    )
    prompt_scores += asked_scores[study.prompts]
    target_scores = drawn(agent.near, len(study.target_words)) + np.float32(agent.related) * is_relatum.any(axis=1)
    reading_scores = target_scores[:, None] + np.float32(agent.reading) * is_relatum
    scores = drawn(agent.noise, len(targets))
    for row, (target, prompt) in enumerate(study.lists):  # row by row, as a matrix of all of them takes long to move
        scores[row] += prompt_scores[prompt]
        scores[row] += reading_scores[target, study.prompts[prompt]]
    there = study.target_words[targets] >= 0
    scores[np.flatnonzero(there), study.target_words[targets[there]]] = -np.inf
    best = np.argpartition(-scores, DEPTH, axis=1)[:, :DEPTH]
    order = np.argsort(-np.take_along_axis(scores, best, axis=1), axis=1)
    return np.take_along_axis(best, order, axis=1)


def _relata(study: Study) -> tuple[Values, NDArray[np.bool_]]:
    """Return how many targets have a word as relatum of a relation, and which do, (targets, relations, words)."""
    is_relatum = np.zeros((len(study.target_words), int(study.prompts.max()) + 1, study.words), dtype=bool)
    sets, words = study.members.T
    is_relatum[study.sets[sets, 0], study.sets[sets, 1], words] = True
    return is_relatum.sum(axis=0).astype(np.float64), is_relatum


def contrasts(study: Study, said: Numbers) -> tuple[Values, Values]:
    """Return the shares of the prompts in the contrasts of the targets, for this target and plain, (targets, prompts)."""
    ranks = _ranks(study, said)
    shape = len(study.target_words), len(study.prompts)
    specific, plain = np.full(shape, np.nan), np.full(shape, np.nan)
    places = {tuple(pair): place for place, pair in enumerate(study.sets.tolist())}
    relations = [np.flatnonzero(study.sets[:, 0] == target) for target in range(shape[0])]
    pairs = np.array([len(positions) * (len(positions) - 1) / 2 for positions in relations])
    codes = int(study.prompts.max()) + 1
    rows = {(target, prompt): row for row, (target, prompt) in enumerate(study.lists.tolist())}
    for relation in range(codes):
        prompts = np.flatnonzero(study.prompts == relation)
        for other in set(range(codes)) - {relation}:
            both = [t for t in range(shape[0]) if (t, relation) in places and (t, other) in places]
            if len(both) < 2:
                continue
            sets_of_relation, sets_of_other = ([places[t, code] for t in both] for code in (relation, other))
            counts = ~_own_relata(study, both, sets_of_relation, sets_of_other)  # (targets about, targets whose relata)
            sizes = np.array([sum((target, prompt) in rows for prompt in prompts) for target in both])
            for prompt in prompts:
                asked = np.array([place for place, target in enumerate(both) if (target, prompt) in rows], dtype=int)
                answers = [rows[both[place], prompt] for place in asked]
                # (targets that were asked with the prompt, targets whose relata)
                gaps = (ranks[np.ix_(answers, sets_of_other)] - ranks[np.ix_(answers, sets_of_relation)]) / sizes[
                    asked
                ][:, None]
                own_gaps = np.zeros(len(both))
                own_gaps[asked] = gaps[np.arange(len(asked)), asked]
                other_gaps = np.where(counts[asked], gaps, 0.0).sum(axis=0) / counts.sum(axis=0)
                asked_targets = [both[place] for place in asked]
                plain[asked_targets, prompt] = (
                    np.nan_to_num(plain[asked_targets, prompt]) + own_gaps[asked] / pairs[asked_targets]
                )
                specific[both, prompt] = np.nan_to_num(specific[both, prompt]) + (own_gaps - other_gaps) / pairs[both]
    return specific, plain


def _ranks(study: Study, said: Numbers) -> Values:
    """Return the relative rank of the best word of each relatum set in each response, (responses, sets)."""
    from scipy.sparse import csr_array

    sets, words = study.members.T
    member = csr_array((np.ones(len(sets)), (words, sets)), shape=(study.words, len(study.sets)))
    ranks = np.ones((len(said), len(study.sets)))
    for place in range(DEPTH - 1, -1, -1):
        rows, columns = member[said[:, place]].nonzero()
        ranks[rows, columns] = place / DEPTH
    return ranks


def _own_relata(
    study: Study, both: list[int], sets_of_relation: list[int], sets_of_other: list[int]
) -> NDArray[np.bool_]:
    """Return which target is this one, or a relatum of it, (targets about, targets whose relata): these are left out."""
    sets, words = study.members.T
    holds = np.zeros((len(study.sets), study.words), dtype=bool)
    holds[sets, words] = True
    either = holds[sets_of_relation] | holds[sets_of_other]
    words_of_targets = study.target_words[both]
    left_out = np.where(words_of_targets[:, None] >= 0, either[:, np.maximum(words_of_targets, 0)].T, False)
    np.fill_diagonal(left_out, val=True)
    return left_out


@dataclass(frozen=True)
class Found:
    """What one study says of a measure: p (None below six effective targets), the interval and the mean contrast."""

    p: float | None
    low: float
    high: float
    value: float


def tested(study: Study, shares: Values) -> Found:
    """Return the test of a contrast, as the table relation_use has it."""
    there = ~np.isnan(shares).all(axis=1)
    links = study.links.among(there)
    values = shares[there]
    mean = crossed_mean(values, study.prompts, links)
    low, high = mean.interval() or (mean.value, mean.value)
    return Found(p_of(mean, np.nansum(values, axis=1), links), low, high, mean.value)


def simulated(study: Study, agent: Agent, numbers: Iterable[int]) -> Iterator[tuple[Found, Found, Found | None]]:
    """Yield what studies say of an agent for this target and plain, and of its difference from another one of its kind.

    `numbers`: those of the studies, which are the seeds.
    """
    for number in numbers:
        generator = np.random.default_rng([1, number])
        specific, plain = contrasts(study, answers(study, agent, generator))
        other = contrasts(study, answers(study, agent, generator))[0] if agent.twice else None
        difference = None if other is None else tested(study, specific - other)
        yield tested(study, specific), tested(study, plain), difference


AGENTS = (
    Agent("blind to the relation: near words", near=1.0, related=1.5),
    Agent("near words, and prompts favour words", near=1.0, related=1.5, quirks=1.0),
    Agent("near words, and prompts favour relations", near=1.0, related=1.5, leaning=0.5),
    Agent("blind to the target: relations favour words", liking=1.0),
    Agent("relations and prompts favour words", liking=1.0, quirks=1.0),
    Agent("stereotypes; relations and prompts favour words", liking=0.5, quirks=0.5, stereotype=1.0),
    Agent("near words, and relations favour words", near=1.0, related=1.5, liking=1.0, quirks=0.5, twice=True),
    Agent(
        "near words and stereotypes, no pair",
        near=1,
        related=1.5,
        liking=0.5,
        quirks=0.5,
        stereotype=1,
        twice=True,
    ),
    Agent("reads, and all else but stereotypes", near=1.0, related=1.5, liking=0.5, quirks=0.5, reading=0.5),
)
BLIND = 7
"""So many of the first agents have no contrast for this target but by chance."""


def cells(every: Iterable[Found | None], truth: float | None) -> list[str]:
    """Return the mean contrast, how often p is below 0.05, and how often the interval holds the truth (None: the mean)."""
    found = [result for result in every if result is not None]
    if not found:
        return ["", "", ""]
    values = np.array([result.value for result in found])
    true = values.mean() if truth is None else truth
    p = [result.p for result in found if result.p is not None]
    rates = [
        np.mean(np.array(p) < ALPHA) if p else np.nan,
        np.mean([result.low <= true <= result.high for result in found]),
    ]
    return [f"{share:.3f}" for share in (values.mean(), *rates)]


def row(study: Study, agent: Agent, found: list[tuple[Found, Found, Found | None]], *, blind: bool) -> str:
    """Return the line of an agent."""
    truths = (0.0 if blind else None, 0.0 if not agent.stereotype and not agent.reading else None, 0.0)
    rates = [
        cell
        for measure_results, truth in zip(zip(*found, strict=True), truths, strict=True)
        for cell in cells(measure_results, truth)
    ]
    return "| " + " | ".join([agent.name, str(len(study.target_words)), f"{study.links.effective:.1f}", *rates]) + " |"


def main() -> None:
    """Print how often agents are called users of the relation."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path, help="the folder of a finished relations study")
    parser.add_argument("--studies", type=int, default=1000)
    parser.add_argument("--targets", type=int, nargs="+", default=[40, 0], help="their numbers; 0 is all")
    options = parser.parse_args()
    tables = [pl.read_parquet(options.results / f"{name}.parquet") for name in ("probes", "relata")]
    heads = ("contrast", "p < 0.05", "interval holds")
    names = [f"{measure}: {head}" for measure in ("for this target", "plain", "two agents") for head in heads]
    print("| agent | targets | count as | " + " | ".join(names) + " |\n|---|" + "---:|" * (len(names) + 2))
    for number in options.targets:
        study = Study.of(*tables, number or None)
        for place, agent in enumerate(AGENTS):
            found = list(simulated(study, agent, range(options.studies)))
            print(row(study, agent, found, blind=place < BLIND), flush=True)


if __name__ == "__main__":
    main()
