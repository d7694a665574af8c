"""Which steps there are: groups of them, and the module whose public functions are the steps of a group."""

from relprobe.studies import STUDIES

GROUPS = {
    "inputs": "relprobe.sources.steps",
    "models": "relprobe.lm.steps",
    **{study: f"relprobe.studies.{study}.steps" for study in STUDIES},
    "report": "relprobe.report.steps",
}
