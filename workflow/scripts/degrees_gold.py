"""Count the answers of people: gold ratings and MaxDiff questions."""

import argparse

from relprobe.cli import parser, run
from relprobe.degrees.build import gold, questions
from relprobe.degrees.schemas import GOLD, QUESTIONS
from relprobe.files import write_table
from relprobe.manifest import fetched_folder
from relprobe.sources.semeval2012 import read


def main(args: argparse.Namespace) -> None:
    """Write the gold ratings and the questions with the choices of the majority."""
    subcategories = read(fetched_folder(args.package))
    write_table(gold(subcategories), GOLD, args.gold)
    write_table(questions(subcategories), QUESTIONS, args.questions)


if __name__ == "__main__":
    arguments = parser(__doc__, "package", "gold", "questions")
    run(main, arguments)
