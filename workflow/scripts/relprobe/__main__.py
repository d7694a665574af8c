"""`python -m relprobe score …` asks a model; `python -m relprobe GROUP STEP …` runs one step of the workflow."""

import sys

from relprobe.core.cli import main
from relprobe.steps import COMMANDS, GROUPS


def run() -> int:
    """Run the command line of this process and return its exit status; the installed command `relprobe` calls this."""
    return main(GROUPS, sys.argv[1:], COMMANDS)


if __name__ == "__main__":
    sys.exit(run())
