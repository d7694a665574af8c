"""The groups of steps: the name of each group, and the module with its table of contents."""

from relprobe.studies import STUDIES

GROUPS = {
    "inputs": "relprobe.sources.steps",
    "models": "relprobe.lm.steps",
    **{study: f"relprobe.studies.{study}.steps" for study in STUDIES},
    "frame": "relprobe.studies.frame.steps",
    "report": "relprobe.report.steps",
    "export": "relprobe.export.steps",
    "manuscript": "relprobe.paper.steps",
}
COMMANDS = {"score": "relprobe.library.answers.score"}
"""The commands that need no configuration: the name of each, and its function."""
PROGRAMS = {
    "init": ("relprobe.command.init.main", "write the folder of a new study"),
    "run": ("relprobe.command.run.main", "compute the study of this folder"),
    "status": ("relprobe.command.status.main", "say what is done, what runs, and how far it is"),
    "open": ("relprobe.command.pages.main", "show its pages"),
    "ask": ("relprobe.command.ask.main", "show a model's words for a text, beside those without its target"),
    "paper": ("relprobe.command.paper.main", "write what a manuscript takes from it"),
    "doctor": ("relprobe.command.doctor.main", "say what is installed and reached, and whether the study can run"),
    "store": ("relprobe.command.store.main", "list the stored answers of models, and drop what is not asked any more"),
}
"""The commands of those who run a study: name -> its function, which takes the words after it, and what it does."""
