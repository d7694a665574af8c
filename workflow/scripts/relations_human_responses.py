"""Turn the annotators' answers into responses: ranked words."""

import argparse

from relprobe.cli import parser, run
from relprobe.files import read_table, write_table
from relprobe.manifest import only_file
from relprobe.relations.prompts import read as read_prompts
from relprobe.relations.responses import of_humans
from relprobe.relations.schemas import PROBES, RESPONSES
from relprobe.sources.human_responses import read


def main(args: argparse.Namespace) -> None:
    """Write the responses of the humans."""
    responses = of_humans(read(only_file(args.answers)), read_table(args.probes, PROBES), read_prompts(args.prompts))
    write_table(responses, RESPONSES, args.out)


if __name__ == "__main__":
    arguments = parser(__doc__, "answers", "probes", "prompts", "out")
    run(main, arguments)
