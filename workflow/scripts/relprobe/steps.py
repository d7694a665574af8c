"""The groups of steps: the name of each group, and the module with its table of contents."""

from relprobe.studies import STUDIES

GROUPS = {
    "inputs": "relprobe.sources.steps",
    "models": "relprobe.lm.steps",
    **{study: f"relprobe.studies.{study}.steps" for study in STUDIES},
    "report": "relprobe.report.steps",
    "export": "relprobe.export.steps",
}
COMMANDS = {"score": "relprobe.library.steps.score"}
"""The commands that need no configuration: the name of each, and its function."""
