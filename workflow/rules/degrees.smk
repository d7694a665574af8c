# The degrees study (SemEval-2012 Task 2). Scores depend on the probes and the model alone; people's answers enter after
# them. A model has several raters, each an agent; its files hold all of them.

from relprobe.studies.degrees.data import OWN as DEGREES_OWN_DATA
from relprobe.studies.degrees.study import RATERS as DEGREES_KINDS
from relprobe.studies.degrees.study import STUDY as DEGREES_STUDY

DEGREES = config["degrees"]
DEGREES_OWN = DEGREES_OWN_DATA in config["resources"]
DEGREES_RELATIONS = fetched(DEGREES_OWN_DATA if DEGREES_OWN else "semeval2012")
# Own ratings need the description of their relations; the task's package has it.
DEGREES_DESCRIPTION = DEGREES["prompts"] if DEGREES_OWN else []
DEGREES_BASELINES = [
    *(name for name in DEGREES["baselines"] if name != "pmi" or not DEGREES_OWN),
    *STATIC,
    *["typical"] * bool(STATIC),
]
CONTROLS["degrees"] = DEGREES_BASELINES
# An agent with examples is asked without them what holds its own paradigms, and for states: there it is no other rater.
DEGREES_ASKED = {kind: own_in("degrees", kind) for kind in dict.fromkeys(DEGREES_KINDS.values())}
DEGREES_RATERS = {
    model: [rater for rater in DEGREES["raters"] if model in DEGREES_ASKED[DEGREES_KINDS[rater]]]
    for model in models_of("degrees")
}
DEGREES_MODELS = [model for model, raters in DEGREES_RATERS.items() if raters]
# Kind -> the file with the scores of a model, of the kinds that the raters read; those that examples change; and the agents
# that are asked all of them.
DEGREES_SCORES = {
    kind: f"<results>/degrees/scores/{kind}/{{model}}.parquet"
    for kind in dict.fromkeys(DEGREES_KINDS[rater] for rater in DEGREES["raters"])
}
DEGREES_PROMPTED_SCORES = {
    kind: file for kind, file in DEGREES_SCORES.items() if "shots" not in DEGREES_STUDY.unread.get(kind, ())
}
DEGREES_WHOLE = [name for name in DEGREES_MODELS if all(name in DEGREES_ASKED[kind] for kind in DEGREES_SCORES)]
# Own ratings have no MaxDiff questions.
DEGREES_TAKERS = [] if DEGREES_OWN else takers_of("degrees")
DEGREES_AGENTS = DEGREES_MODELS + DEGREES_TAKERS + DEGREES_BASELINES
# Agents that are asked after each of their layers: their hidden states alone rate the pairs.
DEGREES_LAYERED = layered_of("degrees")
SCORED["degrees"] = [file.format(model=model) for file in list(DEGREES_SCORES.values())[:1] for model in DEGREES_MODELS]
HAS["degrees"] = {
    "paper": not DEGREES_OWN,
    "questions": not DEGREES_OWN,
    "static": bool(STATIC),
    "layers": bool(DEGREES_LAYERED),
    "takers": bool(DEGREES_TAKERS),
    "participants": bool(set(DEGREES_TAKERS) & set(PARTICIPANTS)),
}


include: "degrees/data.smk"
include: "degrees/ask.smk"
include: "degrees/measure.smk"
include: "degrees/compare.smk"
include: "degrees/show.smk"
