"""Build the relatum sets: the tuples, expanded with WordNet, in the shared lexicon."""

import argparse

from relprobe.core.cli import parser, run
from relprobe.core.files import read_table, write_table
from relprobe.core.manifest import fetched_folder
from relprobe.core.relation import in_lexicon
from relprobe.lm.words.lexicon import WORDS
from relprobe.sources.wordnet import load, noun_relations
from relprobe.studies.relations.build import relata
from relprobe.studies.relations.schemas import RELATA, TUPLES


def main(args: argparse.Namespace) -> None:
    """Write the relatum sets of the targets whose tuples are in the shared lexicon."""
    tuples, lexicon = read_table(args.tuples, TUPLES), read_table(args.lexicon, WORDS)
    known = in_lexicon(tuples, lexicon)
    expansion = noun_relations(load(fetched_folder(args.wordnet)), known["target"])
    write_table(relata(known, expansion, lexicon), RELATA, args.out)


if __name__ == "__main__":
    arguments = parser(__doc__, "tuples", "lexicon", "wordnet", "out")
    run(main, arguments)
