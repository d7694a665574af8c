"""Turn the annotators' answers into responses: ranked words."""

import argparse

from relprobe.core.cli import parser, run
from relprobe.core.files import read_table, write_table
from relprobe.core.manifest import only_file
from relprobe.sources.human_responses import read
from relprobe.studies.relations.prompts import read as read_prompts
from relprobe.studies.relations.responses import of_humans
from relprobe.studies.relations.schemas import PROBES, RESPONSES


def main(args: argparse.Namespace) -> None:
    """Write the responses of the humans."""
    responses = of_humans(read(only_file(args.answers)), read_table(args.probes, PROBES), read_prompts(args.prompts))
    write_table(responses, RESPONSES, args.out)


if __name__ == "__main__":
    arguments = parser(__doc__, "answers", "probes", "prompts", "out")
    run(main, arguments)
