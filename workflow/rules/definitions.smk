# The definitions study (WDLMPro). Scores depend on the probes, the patterns and the model alone; groups, frequencies and
# baselines enter after them, in jobs of seconds.

from relprobe.studies.definitions.study import ANSWERS_RESOURCE as DEFINITIONS_ANSWERS
from relprobe.studies.definitions.study import COUNTS as DEFINITIONS_COUNTS
from relprobe.studies.definitions.data import OWN as DEFINITIONS_OWN_DATA

DEFINITIONS = config["definitions"]
DEFINITIONS_CHOICES = DEFINITIONS["choices"]
DEFINITIONS_READING = {key: DEFINITIONS_CHOICES[key] for key in ("causal_d2w", "masked_d2w", "patterns")}
DEFINITIONS_OWN = DEFINITIONS_OWN_DATA in config["resources"]
DEFINITIONS_DICTIONARY = fetched(DEFINITIONS_OWN_DATA if DEFINITIONS_OWN else "nltk_wordnet")
DEFINITIONS_BASELINES = ["random", "length", "frequency", *VECTORS]
CONTROLS["definitions"] = DEFINITIONS_BASELINES
DEFINITIONS_PEOPLE = ["humans"] if DEFINITIONS_ANSWERS in config["resources"] else []
DEFINITIONS_MODELS = models_of("definitions")
# The models that score the ends of words: those that are not masked, and on this machine.
DEFINITIONS_ENDS = [
    name
    for name in DEFINITIONS_MODELS
    if DEFINITIONS["word_boundary"] and config["models"][name]["type"] != "masked" and not served(name)
]
DEFINITIONS_TAKERS = takers_of("definitions")
DEFINITIONS_LARGE = bool(DEFINITIONS_TAKERS) and DEFINITIONS["large_groups"] == "sampled"
DEFINITIONS_AGENTS = DEFINITIONS_PEOPLE + DEFINITIONS_BASELINES + DEFINITIONS_MODELS + DEFINITIONS_TAKERS
SCORED["definitions"] = expand("<results>/definitions/scores/{model}.parquet", model=DEFINITIONS_MODELS)
HAS["definitions"] = {
    "paper": not DEFINITIONS_OWN,
    "wordnet": not DEFINITIONS_OWN,
    "people": bool(DEFINITIONS_PEOPLE),
    "targets": bool(DEFINITIONS["targets"]),
    "static": bool(STATIC),
    "takers": bool(DEFINITIONS_TAKERS),
    "large": DEFINITIONS_LARGE,
    "participants": bool(participants_of("definitions")),
}
# Of all 59,747 groups, worked out: the millions of pairs of a model, and the values of a dozen agents, a million rows each.
DEFINITIONS_PAIRS_MB = megabytes(3000)
DEFINITIONS_VALUES_MB = megabytes(4000)


def definitions_values(name, **more):
    """The params of a step that measures one agent."""
    return step(
        "definitions",
        name,
        agent=lambda wildcards: wildcards.agent,
        ties=lambda wildcards: (
            # All scores of a guess are equal.
            "expected"
            if wildcards.agent == "random"
            else DEFINITIONS_CHOICES["ties"]
        ),
        **DEFINITIONS_READING,
        phrases=DEFINITIONS_CHOICES["phrases"],
        bands=DEFINITIONS_CHOICES["bands"],
        **more,
    )


include: "definitions/data.smk"
include: "definitions/ask.smk"
include: "definitions/compare.smk"
include: "definitions/show.smk"
