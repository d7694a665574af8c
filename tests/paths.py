"""Where the checkout and the published data lie."""

import os
from pathlib import Path

ROOT = Path(__file__).parents[1]
SCRIPTS = ROOT / "workflow/scripts"
TEMPLATE = ROOT / "workflow/report/page.html.j2"
ANSWERS_TEMPLATE = ROOT / "workflow/report/answers.html.j2"
DATA = Path(os.environ.get("RELPROBE_DATA", ROOT.parent / "shared" / "data"))
"""The published data sets, which the project does not hold; tests that need them are skipped without."""
