"""Print how often each blind agent is praised, study by study."""

import argparse
from pathlib import Path

import polars as pl

from benchmarks.blind import STUDIES, rates
from benchmarks.blind.worlds import finished, simulated


def main() -> None:
    """Print a table of rates: a row per agent, a column per study."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("of", nargs="*", metavar="STUDY", help=f"of {', '.join(STUDIES)} (default: all)")
    parser.add_argument("--results", type=Path, help="results/relations of a finished study, for its words")
    parser.add_argument("--vectors", type=Path, help="the manifest of its static vectors")
    parser.add_argument("--studies", type=int, default=100, help="how many are sampled of each")
    parser.add_argument("--first", type=int, default=1, help="the seed of the first one")
    args = parser.parse_args()
    if unknown := sorted(set(args.of) - set(STUDIES)):
        parser.error(f"no study is called {', '.join(unknown)}: choose of {', '.join(STUDIES)}")
    world = finished(args.results, args.vectors) if args.results else simulated()
    of = args.of or STUDIES
    print(table({study: rates(study, world, range(args.first, args.first + args.studies)) for study in of}))


def table(found: dict[str, pl.DataFrame]) -> str:
    """Return the rates of studies as a table of Markdown, below the number of samples; a study may not have an agent."""
    shares = {study: dict(rows.select("agent", "praised").iter_rows()) for study, rows in found.items()}
    agents = dict.fromkeys(agent for rows_by_agent in shares.values() for agent in rows_by_agent)
    lines = [f"| blind agent | {' | '.join(shares)} |", f"|---|{'---:|' * len(shares)}"]
    lines.append(f"| samples | {' | '.join(str(rows['studies'].max()) for rows in found.values())} |")
    for agent in agents:
        cells = [f"{rows_by_agent[agent]:.2f}" if agent in rows_by_agent else "" for rows_by_agent in shares.values()]
        lines.append(f"| {agent} | {' | '.join(cells)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
