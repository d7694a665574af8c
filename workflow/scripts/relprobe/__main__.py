"""`python -m relprobe GROUP STEP --name value …` runs one step of the workflow; `--help` lists the names."""

import sys

from relprobe.core.cli import main
from relprobe.steps import GROUPS

if __name__ == "__main__":
    sys.exit(main(GROUPS, sys.argv[1:]))
