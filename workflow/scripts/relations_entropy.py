"""Analyse the entropy of the human responses."""

import argparse

from relprobe.core.cli import parser, run
from relprobe.core.files import write_csv
from relprobe.core.manifest import only_file
from relprobe.report.figures import save
from relprobe.sources.human_responses import read
from relprobe.studies.relations.entropy import by_relation, differences
from relprobe.studies.relations.figures import entropy_boxes
from relprobe.studies.relations.prompts import read as read_prompts
from relprobe.studies.relations.response_entropy import response_entropy
from relprobe.studies.relations.responses import answered, pooled


def main(args: argparse.Namespace) -> None:
    """Write Table 3, the tests between relations, and Figure 2, of all answers to the study's prompts."""
    words = answered(read(only_file(args.answers)), read_prompts(args.prompts))
    relations = words.select("probe_id", "relation").unique()
    values = response_entropy(pooled(words)).join(relations, on="probe_id", maintain_order="left")
    write_csv(values.select("probe_id", "relation", "entropy"), args.tables / "response_entropies.csv")
    write_csv(by_relation(values, words), args.tables / "entropy.csv")
    write_csv(differences(values), args.tables / "entropy_differences.csv")
    save(entropy_boxes(values), args.figure)


if __name__ == "__main__":
    arguments = parser(__doc__, "answers", "prompts", "tables", "figure")
    run(main, arguments)
