# The analogies study (Rezaee and Camacho-Collados). Scores and embeddings depend on the probes and the model alone;
# classifiers, choices and frequencies come after them.

from relprobe.studies.analogies.data import (
    DEMONSTRATION as ANALOGIES_DEMONSTRATION,
    OWN as ANALOGIES_OWN_DATA,
)

ANALOGIES = config["analogies"]
# Where the pairs come from: own analogies, else this project's demonstration, which is there only if BATS is not, else BATS.
ANALOGIES_DATA = next(
    (name for name in (ANALOGIES_OWN_DATA, ANALOGIES_DEMONSTRATION) if name in config["resources"]), "bats"
)
ANALOGIES_PAIRS = fetched(ANALOGIES_DATA)
ANALOGIES_BASELINES = list(config["encoders"]) + STATIC
CONTROLS["analogies"] = STATIC
ANALOGIES_MODELS = models_of("analogies")
ANALOGIES_TAKERS = takers_of("analogies")
ANALOGIES_AGENTS = ANALOGIES_MODELS + ANALOGIES_TAKERS + ANALOGIES_BASELINES
ANALOGIES_KINDS = kinds_of("analogies", ANALOGIES_BASELINES) | types_of(ANALOGIES_TAKERS)
# An agent with examples embeds the bare sentences, so that its classifiers are those of the agent without examples. Agents
# that answer in words have none either.
ANALOGIES_SUPERVISED = own_in("analogies", "embeddings") + ANALOGIES_BASELINES
# Agents that are asked after each of their layers: classifiers read their states, and they score no sentence.
ANALOGIES_LAYERED = layered_of("analogies")
# How classifiers are trained.
ANALOGIES_TRAINING = {
    key: value for key, value in ANALOGIES["supervised"].items() if key not in ("layer", "layers", "precision")
}
SCORED["analogies"] = expand("<results>/analogies/scores/{model}.parquet", model=ANALOGIES_MODELS)
HAS["analogies"] = {
    "paper": ANALOGIES_DATA == "bats",
    "layers": bool(ANALOGIES_LAYERED),
    "static": bool(STATIC),
    "benchmark": ANALOGIES_DATA != ANALOGIES_DEMONSTRATION,
    "takers": bool(ANALOGIES_TAKERS),
    "participants": bool(participants_of("analogies")),
}
ANALOGIES_PARTITIONS = ANALOGIES["unsupervised"]["partitions"]


include: "analogies/data.smk"
include: "analogies/ask.smk"
include: "analogies/measure.smk"
include: "analogies/compare.smk"
include: "analogies/show.smk"
