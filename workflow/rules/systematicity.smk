# The systematicity study (Ravichander et al. 2020). A model is asked the probes and embeds the contexts; gold categories,
# splits and the classifier's training come after the models, in jobs of the CPU.

from relprobe.studies.systematicity.data import senses_of, words_of as category_words
from relprobe.studies.systematicity.data import RESOURCE as SYSTEMATICITY_OWN_DATA

SYSTEMATICITY = config["systematicity"]
# The optional resources: a user's own hyponyms or the authors' data, without which the items come from WordNet; static
# vectors; a corpus.
SYSTEMATICITY_OPTIONAL = [
    name
    for name in (SYSTEMATICITY_OWN_DATA, "systematicity", "static_vectors", "corpus")
    if name in config["resources"]
]
SYSTEMATICITY_FETCHED = {name: fetched(name) for name in SYSTEMATICITY_OPTIONAL}
SYSTEMATICITY_OWN = SYSTEMATICITY_FETCHED.get(SYSTEMATICITY_OWN_DATA, [])
SYSTEMATICITY_RELEASED = [] if SYSTEMATICITY_OWN else SYSTEMATICITY_FETCHED.get("systematicity", [])
SYSTEMATICITY_OCCURRENCES = "<results>/systematicity/occurrences.parquet" if "corpus" in SYSTEMATICITY_FETCHED else []
SYSTEMATICITY_SETS = (
    ["own"] if SYSTEMATICITY_OWN else ["diagnostic", "extended"] if SYSTEMATICITY_RELEASED else ["wordnet"]
)
SYSTEMATICITY_CATEGORIES = category_words(SYSTEMATICITY["categories"])
SYSTEMATICITY_ITEMS = {
    "categories": SYSTEMATICITY_CATEGORIES,
    "senses": senses_of(SYSTEMATICITY["categories"]),
    "minimum_zipf": SYSTEMATICITY["minimum_zipf"],
    "minimum_hyponyms": SYSTEMATICITY["minimum_hyponyms"],
    "phrases": SYSTEMATICITY["phrases"],
}
SYSTEMATICITY_WORDNET = fetched("nltk_wordnet")
# Agents: MODEL+control is what a model answers to prompts without a relation, and nearest what a look-up of similar words says.
SYSTEMATICITY_NEAREST = ["nearest"] * bool(STATIC)
SYSTEMATICITY_MODELS = models_of("systematicity")
SYSTEMATICITY_ANSWERING = [*VECTORS, *SYSTEMATICITY_MODELS]
# An agent with examples embeds the bare contexts, so that its classifiers are those of the agent without examples.
SYSTEMATICITY_EMBEDDED = [*VECTORS, *own_in("systematicity", "embeddings")]
SYSTEMATICITY_CONTROLS = expand("{model}+control", model=SYSTEMATICITY_MODELS)
SYSTEMATICITY_NO_MODELS = ["majority", *VECTORS, *SYSTEMATICITY_NEAREST, *SYSTEMATICITY_CONTROLS]
CONTROLS["systematicity"] = SYSTEMATICITY_NO_MODELS
# Agents that take people's task choose among the categories.
SYSTEMATICITY_TAKERS = takers_of("systematicity")
SYSTEMATICITY_KINDS = kinds_of("systematicity", SYSTEMATICITY_NO_MODELS) | types_of(SYSTEMATICITY_TAKERS)
SYSTEMATICITY_CHOOSING = {"categories": SYSTEMATICITY_CATEGORIES, "seed": SYSTEMATICITY["seed"], "orders": orders}
# Agents that are asked after each of their layers: classifiers read their states, and they answer no sentence.
SYSTEMATICITY_LAYERED = layered_of("systematicity")
SCORED["systematicity"] = expand("<results>/systematicity/scores/{model}.parquet", model=SYSTEMATICITY_MODELS)
HAS["systematicity"] = {
    "paper": not SYSTEMATICITY_OWN,
    "layers": bool(SYSTEMATICITY_LAYERED),
    "released": bool(SYSTEMATICITY_RELEASED),
    "wordnet": "wordnet" in SYSTEMATICITY_SETS,
    "own": bool(SYSTEMATICITY_OWN),
    "corpus": bool(SYSTEMATICITY_OCCURRENCES),
    "takers": bool(SYSTEMATICITY_TAKERS),
    "participants": bool(participants_of("systematicity")),
}


include: "systematicity/data.smk"
include: "systematicity/ask.smk"
include: "systematicity/measure.smk"
include: "systematicity/compare.smk"
include: "systematicity/show.smk"
