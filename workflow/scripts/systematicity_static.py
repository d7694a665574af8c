"""Answer the probes and embed the words with static vectors, the baseline without context."""

import argparse

from relprobe.core.cli import parser, run
from relprobe.core.files import read_table, write_table
from relprobe.core.manifest import fetched_folder
from relprobe.sources.static_vectors import read
from relprobe.studies.systematicity.schemas import CONTEXTS, EMBEDDINGS, PROBES, RESPONSES
from relprobe.studies.systematicity.static import static_embeddings, static_responses


def main(args: argparse.Namespace) -> None:
    """Write the responses, and the embeddings."""
    vectors = read(fetched_folder(args.vectors))
    write_table(static_responses(vectors, read_table(args.probes, PROBES), args.top_k), RESPONSES, args.out)
    contexts = read_table(args.contexts, CONTEXTS)
    write_table(static_embeddings(vectors, contexts), EMBEDDINGS, args.embeddings_out)


if __name__ == "__main__":
    arguments = parser(__doc__, "vectors", "probes", "contexts", "out", "embeddings-out")
    arguments.add_argument("--top-k", required=True, type=int)
    run(main, arguments)
