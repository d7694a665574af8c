"""`python -m relprobe score …` asks a model; `python -m relprobe GROUP STEP …` runs one step of the workflow."""

import gc
import sys

from relprobe.core.cli import main
from relprobe.steps import COMMANDS, GROUPS


def run() -> int:
    """Run the command line of this process and return its exit status; the installed command `relprobe` calls this."""
    gc.set_threshold(100_000, 20, 100)  # a search for garbage among WordNet's objects took a tenth of a step's time
    return main(GROUPS, sys.argv[1:], COMMANDS)


if __name__ == "__main__":
    sys.exit(run())
