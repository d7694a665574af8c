"""Analyse the entropy of the human responses."""

import argparse
from pathlib import Path

from relprobe.cli import parser, run
from relprobe.figures import save
from relprobe.files import read_table, write_csv
from relprobe.relations.entropy import by_relation, differences, response_entropy
from relprobe.relations.figures import entropy_boxes
from relprobe.relations.schemas import PROBES, RESPONSES


def main(args: argparse.Namespace) -> None:
    """Write Table 3, the tests between relations, and Figure 2."""
    main_probes = read_table(args.probes, PROBES).filter(kind="main")
    values = response_entropy(read_table(args.responses, RESPONSES)).join(main_probes, on="probe_id")
    write_csv(values.select("relation", "target", "prompt_id", "entropy"), args.tables / "response_entropies.csv")
    write_csv(by_relation(values), args.tables / "entropy.csv")
    write_csv(differences(values), args.tables / "entropy_differences.csv")
    save(entropy_boxes(values), args.figure)


if __name__ == "__main__":
    arguments = parser(__doc__)
    for name in ("responses", "probes", "tables", "figure"):
        arguments.add_argument(f"--{name}", required=True, type=Path)
    run(main, arguments)
