"""How often does a page praise an agent that knows no pair of words? Blind agents in sampled small studies of relations.

    python -m benchmarks.blind results/relations resources/fetched/static_vectors.json --studies 100

Each study has its own tuples, whose targets share no relatum, and the study's own controls. All agents answer it, and
each is judged alone, as the only model of a study. A praise is a sentence that an agent is ahead of all its controls in a
relation or over all of them, or that it uses the relation that it is asked for. Without results the words, their vectors and
their relations are simulated.

An agent is a function of the world that returns a function of relation and target: the weight of each of the world's
words, NaN for a word that is no answer, None for no answer. It may look at all relata of all words but those of the
study, which `World.others` leaves out. To add one, write it below `AGENTS` with its decorator.
"""

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray
from relprobe.core.manifest import fetched_folder
from relprobe.core.relation import Relations, augment
from relprobe.sources.relations import read as read_relations
from relprobe.sources.static_vectors import StaticVectors
from relprobe.sources.static_vectors import read as read_vectors
from relprobe.sources.word_frequency import frequencies
from relprobe.stats.comparisons import paired_tests
from relprobe.stats.controls import beyond_controls
from relprobe.stats.schemas import AgentKind
from relprobe.studies.relations.compare.analyses import linked_by, plain, primary
from relprobe.studies.relations.compare.relation_use import use, use_table
from relprobe.studies.relations.data import GoldStandard
from relprobe.studies.relations.measure.agents import Control, Weighting, control_responses, ranked_responses
from relprobe.studies.relations.measure.metrics import MEASURES, Choices
from relprobe.studies.relations.measure.responses import WORD
from relprobe.studies.relations.measure.values import all_metrics, answers
from relprobe.studies.relations.page import USES, relation_used_in_short
from relprobe.studies.relations.sampling import sample
from relprobe.studies.relations.schemas import PROBES

ROOT = Path(__file__).parents[1]
SIZES = {"HYP": 16, "MER": 10, "ANT": 8, "SYN": 12}
PROMPTS = 3
"""The prompts of a relation; simulated agents read none, but may like some words after one."""
CONTROLS: tuple[Control, ...] = ("majority", "frequency", "neighbours", "typical", "nearest")
SOUNDNESS = [measure for measure in MEASURES if measure.name == "soundness"]
DEPTH = 50
Weights = NDArray[np.float64]


@dataclass(frozen=True)
class World:
    """The words that may be answers, their vectors, and the relatum sets (RELATA) of all words, in the relations."""

    words: pl.Series
    vectors: StaticVectors
    sets: pl.DataFrame
    relations: Relations

    def others(self, study: GoldStandard) -> "World":
        """Return the world without the relata of the words that a study asks about."""
        return replace(self, sets=self.sets.filter(~pl.col("target").is_in(study.probes["target"].unique().implode())))

    @cached_property
    def matrix(self) -> NDArray[np.float32]:
        """The unit vectors of the words."""
        return self.vectors.unit(self.words)

    @cached_property
    def popularity(self) -> Mapping[str, Weights]:
        """Relation -> how many words have each word as a relatum."""
        places = pl.DataFrame({"relatum": self.words}).with_row_index("place")
        counts = self.sets.join(places, on="relatum").group_by("relation", "place").len()
        result = {code: np.zeros(len(self.words)) for code in self.relations.codes}
        for code, place, number in counts.iter_rows():
            result[code][place] = number
        return result

    def cosines(self, target: str) -> Weights | None:
        """Return the cosine of each word with the target, None if it has no vector."""
        own = self.vectors.unit([target])[0]
        return None if np.isnan(own[0]) else (self.matrix @ own).astype(np.float64)


# The blind agents.


AGENTS: dict[str, Callable[[World], Weighting]] = {}


def blind(agent: Callable[[World], Weighting]) -> Callable[[World], Weighting]:
    """Take an agent into the suite by the name of its function."""
    AGENTS[agent.__name__.replace("_", " ")] = agent
    return agent


@blind
def near_and_popular(world: World) -> Weighting:
    """Answer with relata of other words by their cosine with the target, and by how many words have them."""

    def ranking(relation: str, target: str) -> Weights | None:
        near, popular = world.cosines(target), world.popularity[relation]
        with np.errstate(divide="ignore"):
            return None if near is None else np.where(popular > 0, near + 0.1 * np.log(popular), np.nan)

    return ranking


@blind
def stereotypes(world: World) -> Weighting:
    """Answer with the commonest relata of the relation, whatever the target is."""
    return lambda relation, _: np.where(world.popularity[relation] > 0, world.popularity[relation], np.nan)


@blind
def similar_words(world: World) -> Weighting:
    """Answer with the relata of the word that is most like the target, then with those of the next one."""
    sets = {
        relation: dict(rows.group_by("target").agg("relatum").iter_rows())
        for (relation,), rows in world.sets.group_by("relation")
    }
    places = {word: place for place, word in enumerate(world.words)}
    known = {relation: (list(of), world.vectors.unit(list(of))) for relation, of in sets.items()}

    def ranking(relation: str, target: str) -> Weights | None:
        own = world.vectors.unit([target])[0]
        if relation not in known or np.isnan(own[0]):
            return None
        names, vectors = known[relation]
        cosines = np.nan_to_num(vectors @ own, nan=-1.0)
        weights = np.full(len(world.words), np.nan)
        for row in np.argsort(cosines)[-30:]:
            for word in sets[relation][names[row]]:
                weights[places[word]] = cosines[row] + 1e-3 * world.popularity[relation][places[word]]
        return weights

    return ranking


@blind
def offsets(world: World) -> Weighting:
    """Answer with the words near to where the mean difference of relatum and target of other words leads from the target."""
    unit = world.vectors.unit
    steps = {
        relation: np.nanmean(unit(rows["relatum"]) - unit(rows["target"]), axis=0)
        for (relation,), rows in world.sets.group_by("relation")
    }

    def ranking(relation: str, target: str) -> Weights | None:
        own = unit([target])[0]
        if relation not in steps or np.isnan(own[0]):
            return None
        return (world.matrix @ (own + 2 * steps[relation])).astype(np.float64)

    return ranking


@blind
def inverse(world: World) -> Weighting:
    """Answer with what is near and popular in the inverse relation."""
    other = near_and_popular(world)
    return lambda relation, target: other(world.relations.inverse[relation], target)


@blind
def spelling(world: World) -> Weighting:
    """Answer with words that end the target or begin as it does, the longest first, then with the shortest words."""
    words = world.words.to_list()

    def ranking(_: str, target: str) -> Weights:
        shared = [len(word) if target.endswith(word) or word.startswith(target[:4]) else 0 for word in words]
        return np.array([float(both) if both else -float(len(word)) for both, word in zip(shared, words, strict=True)])

    return ranking


@blind
def frequent_of_its_kind(world: World) -> Weighting:
    """Answer with the most frequent words that are a relatum of the relation."""
    shares = dict(frequencies(world.words, language="en").iter_rows())
    weights = np.array([shares[word] or 0.0 for word in world.words]) - 1e-12 * np.arange(len(world.words))  # no ties
    return lambda relation, _: np.where(world.popularity[relation] > 0, weights, np.nan)


# A study, the agents' answers to it, and what is said of them.


def study_of(world: World, seed: int) -> GoldStandard:
    """Return a small study: tuples whose targets share no relatum, with their probes."""
    both = augment(world.sets, world.relations.inverse)
    several = world.sets.filter(
        pl.col("relation").is_in(list(SIZES)), pl.col("relatum").is_in(world.sets["target"].unique().implode())
    )
    drawn = augment(sample(several, SIZES, seed, world.relations, several=True, sets=both), world.relations.inverse)
    own = both.join(drawn.select("target", "relation").unique(), on=["target", "relation"], how="semi")
    words = pl.DataFrame({"word": world.words})
    return GoldStandard(
        _probes(drawn, world.relations),
        own.filter(pl.col("relatum").is_in(world.words.implode())),
        drawn,
        words,
        world.relations,
    )


def _probes(tuples: pl.DataFrame, relations: Relations) -> pl.DataFrame:
    """Return the probes of all targets of a relation and its inverse (PROBES), without their texts."""
    rows: list[tuple[object, ...]] = []
    for code in relations.codes:
        main = set(tuples.filter(relation=code)["target"])
        for target in sorted(main | set(tuples.filter(relation=relations.inverse[code])["target"])):
            kind = "main" if target in main else "trick"
            rows += [(f"{code}{i}:{target}", code, target, f"{code}{i}", kind, "", []) for i in range(PROMPTS)]
    return pl.DataFrame(rows, schema=PROBES, orient="row")


def praises(world: World, agents: Mapping[str, Callable[[World], Weighting]], seed: int) -> dict[str, list[str]]:
    """Return agent -> what the pages would say for it in the study of a seed; nothing is none."""
    study = study_of(world, seed)
    controls = {name: control_responses(name, study, DEPTH, "en", world.vectors, None, world.sets) for name in CONTROLS}
    seen = world.others(study)
    said = {name: ranked_responses(agent(seen), study, DEPTH) for name, agent in agents.items()}
    beside = {name: answers(table, study) for name, table in (controls | said).items()}
    values = {name: all_metrics(one, Choices(), SOUNDNESS).filter(metric="soundness") for name, one in beside.items()}
    uses = {name: use([one], Choices()) for name, one in beside.items()}
    return {name: _said_of(name, values, uses, study) for name in agents}


def _said_of(
    agent: str, values: Mapping[str, pl.DataFrame], uses: Mapping[str, pl.DataFrame], study: GoldStandard
) -> list[str]:
    """Return what is said for an agent that is the only model of a study."""
    kinds: dict[str, AgentKind] = {agent: "model"}
    kinds |= dict.fromkeys(CONTROLS, "control")
    own = plain({name: values[name] for name in kinds})
    tests = paired_tests(
        own, SOUNDNESS, ("relation", "k"), kinds=kinds, absent=True, links=linked_by(study.relata).links
    )
    ahead = beyond_controls(tests, CONTROLS).filter(pl.col("difference") > 0, pl.col("p_holm_all") < 0.05)
    found = [f"ahead of all controls in {code}" for code in ahead["relation"]]
    pooled = primary(own, study.relata, kinds=kinds).filter(pl.col("difference") > 0, pl.col("p") < 0.05)
    found += ["ahead of all controls over all relations"] * pooled.height
    table = use_table({name: uses[name] for name in kinds}, kinds, study.relations, study.relata)
    return [*found, USES] if f"{agent} {USES}" in relation_used_in_short(table, [agent]) else found


# The world of a finished study, and a simulated one.


def finished(results: Path, vectors: Path, words: int = 4000) -> World:
    """Return the world of a finished study of relations: its `words` most frequent words that the resource has relata of."""
    sets = pl.read_parquet(results / "resource_relata.parquet")
    both = pl.concat([sets["target"], sets["relatum"]]).unique()
    both = both.filter(both.str.contains(WORD))
    common = (
        frequencies(both, language="en").sort("frequency", "word", descending=True, nulls_last=True)["word"].head(words)
    )
    inside = sets.filter(pl.col("target").is_in(common.implode()), pl.col("relatum").is_in(common.implode()))
    relations = read_relations(ROOT / "resources/relations/english-nouns.yaml")
    return World(common.sort(), read_vectors(fetched_folder(vectors)), inside, relations)


def simulated(seed: int = 1, families: int = 60, size: int = 12) -> World:
    """Return a world of families of words: near to each other, with hypernyms and parts that near families share.

    Antonyms are of one family, and synonyms as near as a word's vector to itself. Some hypernyms are those of many families.
    """
    random = np.random.default_rng(seed)
    centres = random.normal(size=(families, 24))
    names, rows, found = [], [], []
    for family in range(families):
        heads = [f"kind{family}", f"kind{family // 3 + 1000}", *([f"thing{family % 5}"] if family % 3 == 0 else [])]
        parts = [f"part{family}x{i}" for i in range(size // 2)]
        members = [f"word{family}x{i}" for i in range(size)]
        for name, spread in [
            *((head, 0.6) for head in heads),
            *((one, 0.5) for one in parts),
            *((one, 0.35) for one in members),
        ]:
            if name not in names:
                names.append(name)
                rows.append(centres[family] + random.normal(scale=spread * 2, size=24))
        found += [(member, "HYP", head) for member in members for head in heads if random.random() < 0.8]
        found += [(member, "MER", parts[i % len(parts)]) for i, member in enumerate(members)]
        found += [(members[i], "ANT", members[i + 1]) for i in (0, 2)] + [
            (members[i], "SYN", members[i + 1]) for i in (4, 6, 8)
        ]
    relations = read_relations(ROOT / "resources/relations/english-nouns.yaml")
    table = pl.DataFrame(found, schema=["target", "relation", "relatum"], orient="row").with_columns(
        sources=pl.lit(["hand"])
    )
    letters = {
        name: name.translate(str.maketrans("0123456789", "abcdefghij")) for name in names
    }  # words have no digits
    table = table.with_columns(pl.col("target", "relatum").replace_strict(letters))
    names = list(letters.values())
    vectors = StaticVectors({name: row for row, name in enumerate(names)}, np.array(rows, np.float32))
    return World(pl.Series(sorted(names)), vectors, augment(table, relations.inverse), relations)


def rates(world: World, seeds: range, agents: Mapping[str, Callable[[World], Weighting]] = AGENTS) -> pl.DataFrame:
    """Return agent, studies, praised and sentence: the share of studies that praise it, and the commonest sentence."""
    said: dict[str, list[list[str]]] = {name: [] for name in agents}
    for seed in seeds:
        for name, sentences in praises(world, agents, seed).items():
            said[name].append(sentences)
    rows = []
    for name, of_studies in said.items():
        every = [sentence for sentences in of_studies for sentence in sentences]
        commonest = max(dict.fromkeys(every), key=every.count, default="")
        rows.append((name, len(of_studies), sum(map(bool, of_studies)) / len(of_studies), commonest))
    return pl.DataFrame(rows, schema=["agent", "studies", "praised", "sentence"], orient="row")


def main() -> None:
    """Print the table of rates."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("results", nargs="?", type=Path, help="results/relations of a finished study")
    parser.add_argument("vectors", nargs="?", type=Path, help="the manifest of its static vectors")
    parser.add_argument("--studies", type=int, default=100)
    parser.add_argument("--first", type=int, default=1, help="the seed of the first study")
    args = parser.parse_args()
    world = finished(args.results, args.vectors) if args.results else simulated()
    table = rates(world, range(args.first, args.first + args.studies))
    print("| agent | praised | commonest sentence |\n|---|---:|---|")
    for name, _, share, sentence in table.iter_rows():
        print(f"| {name} | {share:.2f} | {sentence} |")


if __name__ == "__main__":
    main()
