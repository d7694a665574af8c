"""How often a pure guesser is called different from its chance level, and how often a test finds what it says it could.

    python -m benchmarks.chance results --studies 1000

`results` holds the metrics of a study: definitions (the control `random`), relations (the controls, where their answers are
tied), systematicity (`majority`, a guess of the classifiers) and degrees (`random`), as far as it has them. A guesser draws
each answer by the control's chance; where no unit depends on another, the rates are worked out instead. The columns are how
often it is called different at 0.05 (0.05 is right), how often the 95 % interval of the difference holds 0 (0.95 is right),
and how often random signs call it different, as if the control answered. A second table is of designs without results: one
chance for all units, in clusters as those of systematicity and analogies. A third is of `detectable`: agents that differ by
what a test says it finds in 80 % of studies. A smaller version with the same functions is in
tests/stats/test_chance_levels.py.
"""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from relprobe.core.metric import Metric, by_name
from relprobe.stats import Values, sign_flip
from relprobe.stats.chance_levels import chance_interval, chance_p, numbers_of_right
from relprobe.stats.comparisons import paired_tests
from relprobe.stats.samples import Tables
from relprobe.stats.schemas import AgentKind

from benchmarks.inference import DESIGNS, Generator, agent, families

AT_ONCE = 50
"""Guessers that are tested at once."""
Draw = Callable[[Generator], pl.DataFrame]
"""Returns the values of a guesser."""


@dataclass(frozen=True)
class Rates:
    """How often guessers are called different, and how often the interval of their difference holds 0.

    `signs`: how often random signs of the clusters' differences call guessers different, of 2,000 where the other rates are
    worked out, and else of 200 at most.
    """

    different: float
    holds: float
    items: int
    clusters: int
    signs: float


def guesser_rates(
    control: pl.DataFrame, draw: Draw, metric: Metric, groups: list[str], studies: int, links: Tables | None = None
) -> Rates:
    """Test so many guessers against a control, over all groups of its values: each is a member, and meets controls alone."""
    generator, rows = np.random.default_rng(7), []
    for start in range(0, studies, AT_ONCE):
        guessers = {f"g{place}": draw(generator) for place in range(start, min(start + AT_ONCE, studies))}
        kinds: dict[str, AgentKind] = {"chance": "control", **dict.fromkeys(guessers, "member")}
        rows.append(paired_tests({"chance": control, **guessers}, [metric], groups, kinds=kinds, links=links))
    table = pl.concat(rows)
    holds = pl.col("low").is_null() | ((pl.col("low") <= 1e-9) & (pl.col("high") >= -1e-9))
    rates = table.select((pl.col("p") < 0.05).fill_null(value=False).mean(), holds.mean(), "units", "clusters").row(0)
    return Rates(*rates, signs_rate(control, metric, draw, min(studies, 200)))


def signs_rate(control: pl.DataFrame, metric: Metric, draw: Draw, studies: int = 200) -> float:
    """Return how often random signs call guessers different, as if the control answered."""
    generator, sums = np.random.default_rng(11), []
    clusters = control.select(pl.struct(metric.cluster_columns).rank("dense")).to_series().to_numpy() - 1
    for _ in range(studies):
        sums.append(np.bincount(clusters, draw(generator)["value"].to_numpy() - control["value"].to_numpy()))
    return float((sign_flip(np.array(sums).T, 1, 1000) < 0.05).mean())


def exact_rates(control: pl.DataFrame) -> Rates:
    """Return the rates of guessers beside independent chances, worked out: each number of right answers has its chance."""
    chances = control["value"].to_numpy()
    likely = numbers_of_right(chances)
    possible = [float(right) for right in np.flatnonzero(likely > 1e-9)]
    different = [chance_p(right, chances) < 0.05 for right in possible]
    intervals = [chance_interval(right, chances) for right in possible]
    weights = likely[likely > 1e-9]
    holds = weights @ np.array([low <= 0 <= high for low, high in intervals])
    signs = signs_rate(control, Metric("", cluster=("cluster",)), guesser(control), 2000)
    clusters = control["cluster"].n_unique()
    return Rates(float(weights @ np.array(different)), float(holds), control.height, clusters, signs)


def guesser(control: pl.DataFrame, alike: tuple[str, ...] = ()) -> Draw:
    """Return a guesser that is right by the control's values; units with the same `alike` columns are right together."""

    def draw(generator: Generator) -> pl.DataFrame:
        drawn = generator.random(control.height)
        if alike:
            codes = control.select(pl.struct(alike).rank("dense")).to_series().to_numpy() - 1
            drawn = drawn[: int(codes.max()) + 1][codes]
        return control.with_columns(value=pl.Series((drawn < control["value"].to_numpy()).astype(float)))

    return draw


def rank_guesser(control: pl.DataFrame, chances: pl.DataFrame) -> Draw:
    """Return a guesser whose rank scores are those of a random place among the candidates; `chances`: 1 / candidates."""
    places = control.join(chances.select("unit", "condition", chance="value"), on=["unit", "condition"])
    lengths = (1 / places["chance"]).round().cast(pl.Int64).to_numpy()

    def draw(generator: Generator) -> pl.DataFrame:
        ranks = generator.integers(1, lengths + 1)
        return places.drop("chance").with_columns(value=pl.Series((lengths - ranks) / (lengths - 1)))

    return draw


def definitions(folder: Path, studies: int) -> Iterator[tuple[str, Rates]]:
    """Yield the rates of guessers among the candidates of a study of definitions, per task, measure and part of speech."""
    from relprobe.studies.definitions.measures import MEASURES

    table = pl.read_parquet(folder / "metrics" / "random.parquet")
    for metric in MEASURES:
        for condition in ("noun", "verb"):
            control = table.filter(metric=metric.name, condition=condition)
            if control["unit"].n_unique() < 2:
                continue
            name, precision = f"definitions, {metric.name}, {condition}s", f"{metric.name[:3]} P@1"
            chances = table.filter(metric=precision, condition=condition)
            if metric.test == "McNemar" and control["cluster"].n_unique() == control.height:
                yield f"{name}, exactly", exact_rates(control)
            elif metric.test == "McNemar":
                yield name, guesser_rates(control, guesser(control), metric, ["condition"], studies)
            else:
                yield name, guesser_rates(control, rank_guesser(control, chances), metric, ["condition"], studies)


def relations(folder: Path, studies: int) -> Iterator[tuple[str, Rates]]:
    """Yield the rates of agents that draw the answers of a control whose answers are tied, per relation (soundness)."""
    from relprobe.studies.relations.averages import linked_by
    from relprobe.studies.relations.measures import MEASURES

    metric, links = by_name(MEASURES)["soundness"], linked_by(pl.read_parquet(folder / "relata.parquet")).links
    for name in ("majority", "neighbours", "frequency"):
        path = folder / "metrics" / f"{name}.parquet"
        table = pl.read_parquet(path).filter(metric=metric.name) if path.exists() else pl.DataFrame()
        for (relation,), control in table.group_by("relation", maintain_order=True) if table.height else ():
            tied = control.filter(pl.col("value").is_between(1e-9, 1 - 1e-9))
            if tied.is_empty():
                continue
            for alike, words in (((), "per prompt"), (("target",), "per target")):
                rates = guesser_rates(control, guesser(control, alike), metric, ["relation"], studies, links)
                yield f"relations, {name}'s ties in {relation}, drawn {words}", rates


def systematicity(folder: Path, studies: int) -> Iterator[tuple[str, Rates]]:
    """Yield the rates of classifiers that guess beside the control `majority`, which has 1/2, per setting (detection)."""
    from relprobe.studies.systematicity.measures import MEASURES

    metric = by_name(MEASURES)["detection"]
    table = pl.read_parquet(folder / "metrics" / "majority.parquet").filter(metric=metric.name)
    for (setting,), control in table.group_by("condition", maintain_order=True):
        for alike, words in (((), "per pair"), (("cluster",), "per category")):
            rates = guesser_rates(control, guesser(control, alike), metric, ["condition"], studies)
            yield f"systematicity, majority's detection, {setting}, drawn {words}", rates


def degrees(folder: Path, studies: int) -> Iterator[tuple[str, Rates]]:
    """Yield the rates of random ratings beside other random ratings."""
    from relprobe.studies.degrees.measures import MEASURES
    from relprobe.studies.degrees.method import rating_table, values
    from relprobe.studies.degrees.schemas import TRAINING

    gold, questions = (pl.read_parquet(folder / f"{name}.parquet") for name in ("gold", "questions"))
    pairs = gold.partition_by("subcategory", as_dict=True, maintain_order=True)

    def draw(generator: Generator) -> pl.DataFrame:
        rated = {
            (str(name), pair): rating
            for (name,), rows in pairs.items()
            for pair, rating in zip(rows["pair"], (100 * generator.random(rows.height)).tolist(), strict=True)
        }
        return values(rating_table("random", rated), gold, questions).drop("agent")

    drawn = draw(np.random.default_rng(8))
    for name in ("rho", "maxdiff"):
        metric = by_name(MEASURES)[name]

        def test_rows(table: pl.DataFrame, metric: Metric = metric) -> pl.DataFrame:
            rows = table.filter(pl.col("condition") != TRAINING, metric=metric.name)
            return rows.with_columns(condition=pl.lit("test"))

        control = test_rows(drawn)
        if control.is_empty():  # own ratings have no questions
            continue
        yield (
            f"degrees, {name}",
            guesser_rates(
                control, lambda source, rows_of=test_rows: rows_of(draw(source)), metric, ["condition"], studies
            ),
        )


def clustered(sizes: Values, chance: Callable[[Generator], Values], binary: bool = True) -> tuple[pl.DataFrame, Metric]:
    """Return the values of a chance level over units in clusters of these sizes, and their metric."""
    rows = pl.DataFrame({"cluster": np.repeat(np.arange(len(sizes)), sizes)}).with_row_index("unit")
    control = rows.with_columns(
        pl.col("unit").cast(pl.String),
        pl.col("cluster").cast(pl.String),
        metric=pl.lit("right"),
        condition=pl.lit("all"),
        value=pl.Series(chance(np.random.default_rng(1)) * np.ones(rows.height)),
    )
    return control, Metric("right", test="McNemar" if binary else "Wilcoxon", cluster=("cluster",))


CATEGORIES = np.array([8, 12, 20, 25, 30, 36, 44, 55, 70])
"""Hyponyms of nine categories."""


def designs(studies: int) -> Iterator[tuple[str, Rates]]:
    """Yield the rates of guessers in designs without results."""
    generator = np.random.default_rng(3)
    cases = {
        "18 units, chance 1/4": (np.ones(18, int), lambda _: np.full(18, 1 / 4)),
        "18 units, chance 1/12": (np.ones(18, int), lambda _: np.full(18, 1 / 12)),
        "18 units, chance 1/50": (np.ones(18, int), lambda _: np.full(18, 1 / 50)),
        "100 units of 3 to 60 candidates": (np.ones(100, int), lambda source: 1 / source.integers(3, 61, 100)),
        "systematicity: 300 units in 9 clusters, chance 1/9": (CATEGORIES, lambda _: np.full(300, 1 / 9)),
        "analogies: 40 units in 20 clusters, chance 1/2": (np.full(20, 2), lambda _: np.full(40, 1 / 2)),
    }
    for clusters in (30, 150):
        sizes = families(clusters, generator)
        cases[f"definitions: {clusters} families of any size, 3 to 60 candidates"] = (
            sizes,
            lambda source, n=sizes: 1 / source.integers(3, 61, n.sum()),
        )
    for name, (sizes, chance) in cases.items():
        control, metric = clustered(sizes, chance)
        if sizes.max() == 1:
            yield f"{name}, exactly", exact_rates(control)
            continue
        yield name, guesser_rates(control, guesser(control), metric, ["condition"], studies)
        # One draw for all units of a cluster, as of an agent that likes or dislikes an answer of theirs.
        alike = guesser(control, ("cluster",))
        yield f"{name}, drawn per cluster", guesser_rates(control, alike, metric, ["condition"], studies)


def detectable_power(place: int, clusters: int, studies: int, seed: int = 5) -> tuple[float, float]:
    """Return the mean `detectable` of equal agents of a design (inference.DESIGNS), and the power at this difference."""
    design, generator = DESIGNS[place], np.random.default_rng(seed)
    sizes = design.sizes(clusters, generator)
    clusters_of_items = np.repeat(np.arange(len(sizes)), sizes)
    rows = pl.DataFrame(
        {
            "cluster": np.repeat(clusters_of_items, design.prompts),
            "item": np.arange(len(clusters_of_items)).repeat(design.prompts),
        }
    )
    rows = rows.with_row_index("unit").with_columns(
        pl.all().cast(pl.String), metric=pl.lit("v"), condition=pl.lit("all")
    )
    metric = Metric("v", test="Wilcoxon", unit=("unit",), item=("item",), cluster=("cluster",), share=True)

    def tests(shift: float) -> pl.DataFrame:
        a, b = (agent(design, sizes, design.mean + advantage, studies, generator) for advantage in (shift, 0.0))
        tables = [
            paired_tests(
                {name: rows.with_columns(value=pl.Series(of[:, study])) for name, of in (("a", a), ("b", b))}, [metric]
            )
            for study in range(studies)
        ]
        return pl.concat(tables)

    smallest = float(tests(0.0)["detectable"].drop_nulls().mean() or 0.0)  # type: ignore[arg-type]
    return smallest, float((tests(smallest)["p"] < 0.05).mean() or 0.0)


def chance_power(sizes: Values, chance: float, studies: int) -> tuple[float, float]:
    """Return `detectable` beside a chance level, and the power of an agent that is better by it in all units."""
    control, metric = clustered(sizes, lambda _: np.full(int(sizes.sum()), chance))
    found: list[float] = []

    def rates(shift: float) -> pl.DataFrame:
        draw = guesser(control.with_columns(pl.col("value") + shift))
        generator = np.random.default_rng(9)
        guessers = {f"g{place}": draw(generator) for place in range(studies)}
        kinds: dict[str, AgentKind] = {"chance": "control", **dict.fromkeys(guessers, "member")}
        return paired_tests({"chance": control, **guessers}, [metric], kinds=kinds)

    tables = [
        paired_tests(
            {"chance": control, "g": guesser(control)(np.random.default_rng(place))},
            [metric],
            kinds={"chance": "control", "g": "model"},
        )
        for place in range(20)
    ]
    found = pl.concat(tables)["detectable"].drop_nulls().to_list()
    smallest = float(np.mean(found))
    return smallest, float((rates(smallest)["p"] < 0.05).mean() or 0.0)


def rates_table(rows: Iterator[tuple[str, Rates]]) -> None:
    """Print how often guessers are called different, a row per design."""
    for name, rates in rows:
        cells = f"{rates.items} | {rates.clusters} | {rates.different:.3f} | {rates.holds:.3f} | {rates.signs:.3f}"
        print(f"| {name} | {cells} |", flush=True)


def detectable_table(studies: int) -> None:
    """Print the power of tests at the difference that they say they find in 80 % of studies."""
    print("\n| design | clusters | detectable | found |\n|---|---:|---:|---:|")
    for place in (0, 2, 5, 7, 9):
        for clusters in (30, 150):
            smallest, power = detectable_power(place, clusters, studies)
            print(f"| {DESIGNS[place].name} | {clusters} | {smallest:.3f} | {power:.3f} |", flush=True)
    for sizes, chance in ((np.ones(18, int), 1 / 4), (np.ones(150, int), 1 / 12), (CATEGORIES, 1 / 9)):
        smallest, power = chance_power(sizes, chance, studies)
        print(f"| a chance level of {chance:.3f} | {len(sizes)} | {smallest:.3f} | {power:.3f} |", flush=True)


STUDIES = {"definitions": definitions, "relations": relations, "systematicity": systematicity, "degrees": degrees}
"""Study -> the rates of guessers beside its controls."""


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path, nargs="?", help="of a study; without it, the designs without results")
    parser.add_argument("--studies", type=int, default=1000)
    parser.add_argument("--only", choices=["results", "designs", "detectable"])
    options = parser.parse_args()
    if options.only in (None, "results", "designs"):
        print("| design | units | clusters | called different | the interval holds 0 | random signs |")
        print("|---|---:|---:|---:|---:|---:|")
    if options.only in (None, "results") and options.results:
        for study, rates in STUDIES.items():
            if (options.results / study / "metrics").exists():
                rates_table(rates(options.results / study, options.studies))
    if options.only in (None, "designs"):
        rates_table(designs(options.studies))
    if options.only in (None, "detectable"):
        detectable_table(options.studies)


if __name__ == "__main__":
    main()
