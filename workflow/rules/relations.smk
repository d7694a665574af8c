# The relations study (Cao et al.). Scores depend on the probes and the model alone; gold data, human answers and the
# shared lexicon enter after them, in jobs of seconds.

from relprobe.core.analyses import analyses_of
from relprobe.core.files import read_yaml
from relprobe.core.series import along
from relprobe.core.ways import asked_in_several_ways

RELATIONS = config["relations"]
# Models are compared with one annotator; the answers of all annotators together stand beside it.
HUMANS = ["annotator", "humans"] if "human_responses" in config["resources"] else []
RELATIONS_LAYOUT = layout_of("human_responses")
RELATIONS_SCORED = models_of("relations")
RELATIONS_WRITERS = takers_of("relations")
RELATIONS_WRITTEN = [f"<results>/relations/writing/{model}.parquet" for model in RELATIONS_WRITERS]
RELATIONS_MODELS = RELATIONS_SCORED + RELATIONS_WRITERS
# Norms of people who were asked without prompts.
RELATIONS_NORMS = [name for name in ("associations", "feature_norms") if name in config["resources"]]
# Agents that know nothing of the pair (docs/controls.md); three of them need static vectors, and three have read the relata
# of other words.
RELATIONS_NEAR = ["neighbours", "typical", "nearest"]
RELATIONS_READ = ["majority", "typical", "nearest"]
RELATIONS_BLIND = [
    name for name in RELATIONS["controls"] if name in ["majority", "frequency"] + RELATIONS_NEAR * bool(STATIC)
]
# What a model answers to its prompts without a target is its own control, where its tokens are the answers.
RELATIONS_ALONE = {
    f"{model}+without-target": model
    for model in RELATIONS_SCORED
    if "without-target" in RELATIONS["controls"] and RELATIONS["answers"] in ("tokens", "lexicon")
}
RELATIONS_CONTROLS = RELATIONS_BLIND + list(RELATIONS_ALONE)
CONTROLS["relations"] = RELATIONS_CONTROLS
RELATIONS_ANSWERING = HUMANS + RELATIONS_NORMS + RELATIONS_MODELS
RELATIONS_AGENTS = RELATIONS_ANSWERING + RELATIONS_CONTROLS
# Agents with solved examples, and agents that are asked in words.
RELATIONS_SHOTS = [name for name in RELATIONS_SCORED if "shots" in config["models"][name]]
RELATIONS_ALONE_SHOTS = [name for name, model in RELATIONS_ALONE.items() if model in RELATIONS_SHOTS]
RELATIONS_SPOKEN = [name for name in RELATIONS_SCORED if config["models"][name].get("chat") == "answer"]
# Of all people together; models are compared with one of them.
RELATIONS_POOLED = [name for name in HUMANS if name == "humans"] + RELATIONS_NORMS
RELATIONS_KINDS = (
    dict.fromkeys(HUMANS, "person")
    | dict.fromkeys(RELATIONS_POOLED, "pooled")
    | dict.fromkeys(RELATIONS_MODELS, "model")
    | dict.fromkeys(RELATIONS_CONTROLS, "control")
)
# What a model has answered with, and where it lies; its own control is its answers without a target.
RELATIONS_ANSWERED = (
    dict.fromkeys(RELATIONS_SCORED, "scores")
    | dict.fromkeys(RELATIONS_WRITERS, "writing")
    | dict.fromkeys(RELATIONS_ALONE, "without_target")
)
# Their targets are those that all agents are averaged over.
RELATIONS_PEOPLE = [agent for agent, kind in RELATIONS_KINDS.items() if kind == "person"]
RELATIONS_LAYERED = layered_of("relations")
# The scale of word frequencies and the pairs of relations that AuDC counts do not change a metric.
RELATIONS_CHOICES = {
    key: value for key, value in RELATIONS["choices"].items() if key not in ("frequency", "minimum_targets")
}
RELATIONS_ENTRIES = {model: place(config["models"][model]) for model in RELATIONS_MODELS}
# One model with the bare probe, with examples, in a chat and in lists.
RELATIONS_WAYS = asked_in_several_ways(config["models"], RELATIONS_MODELS)
# Checkpoints of a training and sizes of a family are tested as series. The last checkpoint is compared with other agents.
RELATIONS_ALONG = along(RELATIONS_ENTRIES)
RELATIONS_LAYERED_ENTRIES = {model: place(config["models"][model]) for model in RELATIONS_LAYERED}
RELATIONS_LAYERED_ALONG = along(RELATIONS_LAYERED_ENTRIES)
RELATIONS_KINDS |= {model: "member" for model in RELATIONS_MODELS if model not in standing(RELATIONS_ENTRIES)}
# The cut-off of symmetry and asymmetry in the comparisons: the paper's, if it is there.
RELATIONS_K = min(RELATIONS["choices"]["symmetry_k"], key=lambda k: (k != 5, -k))

# The manifest of a resource, where it is not the one of its files as they were fetched.
RELATIONS_PREPARED = {"wordnet": "nltk_wordnet", "wn_lmf": "wn_database"}
RELATIONS_EXPANSION = [fetched(RELATIONS_PREPARED[name]) for name in [RELATIONS["expansion"]] if name != "none"]

# Words of any length need no common lexicon: the list of words takes its place, or the words of all closed lists.
RELATIONS_WORDS = RELATIONS["answers"] == "words"
RELATIONS_CLOSED = RELATIONS["answers"] == "candidates"
RELATIONS_LEXICON = {
    "words": "<results>/relations/word_list.parquet",
    "candidates": "<results>/relations/candidate_words.parquet",
}.get(RELATIONS["answers"], "<results>/models/shared_lexicon.parquet")
# The answers that count: what a model was asked for them decides which probes it lacks.
RELATIONS_COUNTED = {"words": "words", "candidates": "candidate_scores"}.get(RELATIONS["answers"], "scores")
# The agents that answer a sample of the probes with words of any length too.
RELATIONS_SAMPLE = RELATIONS.get("word_sample", {"models": []})
RELATIONS_SAMPLED = [name for name in RELATIONS_SAMPLE.get("models", RELATIONS_SCORED) if name in RELATIONS_SCORED]
# The tuples whose words may be answers; closed lists limit them beside the lexicon.
RELATIONS_TUPLES = "<results>/relations/listed.parquet" if RELATIONS_CLOSED else "<results>/relations/tuples.parquet"

RELATIONS_PANEL = config.get("lexicon", {}).get("panel", [])
# What the figures and numbers of the paper are about: its six relations between English words, from its kinds of sources.
RELATIONS_OF_PAPER = (
    set(read_yaml(Path(RELATIONS["relations"]))) == {"HYP", "HPO", "HOL", "MER", "ANT", "SYN"}
    and Path(RELATIONS["language"]).name == "english.yaml"
    and "own_tuples" not in RELATIONS["tuples"]
)
RELATIONS_NAMED = [config["models"][name] for name in RELATIONS_MODELS]
RELATIONS_FAMILIES = [entry["family"] for entry in RELATIONS_NAMED if "family" in entry]
RELATIONS_HAS = {
    "paper": RELATIONS_OF_PAPER,
    "families": len(set(RELATIONS_FAMILIES)) < len(RELATIONS_FAMILIES),
    "people": bool(HUMANS),
    # Where no family has two sizes there is nothing to see; the table left_out says so.
    "sizes": "size" in RELATIONS_ALONG,
    "series": bool({"step", "tokens"} & {*RELATIONS_ALONG, *RELATIONS_LAYERED_ALONG}),
    "checkpoints": bool({"step", "tokens"} & set(RELATIONS_LAYERED_ALONG)),
    "ordered": bool(RELATIONS_ALONG or RELATIONS_LAYERED),
    "writers": bool(RELATIONS_WRITERS),
    "participants": bool(participants_of("relations")),
    "layers": bool(RELATIONS_LAYERED),
    "ways": bool(RELATIONS_WAYS),
    "shots": bool(RELATIONS_SHOTS),
    "sample": bool(RELATIONS_SAMPLED),
    **{name: name in RELATIONS_BLIND or "frequency" not in RELATIONS_BLIND for name in RELATIONS_NEAR},
}
HAS["relations"] = {name: RELATIONS_HAS[name] for name in page_of("relations").may_lack}
SCORED["relations"] = [f"<results>/relations/{RELATIONS_ANSWERED[model]}/{model}.parquet" for model in RELATIONS_MODELS]
EXPORTED["relations"] = {
    "metrics": metrics_of("relations", RELATIONS_MODELS),
    "top_words": expand("<results>/relations/top_words/{agent}.parquet", agent=RELATIONS_MODELS),
    "probes": ["<results>/relations/probes.parquet"],
    "relata": ["<results>/relations/relata.parquet"],
    "language": [RELATIONS["language"]],
}


def owner_of(wildcards):
    """The agent or, of a model's own control, the model."""
    return RELATIONS_ALONE.get(wildcards.agent, wildcards.agent)


@with_signature
def answered(wildcards):
    """The file that a model has answered with."""
    return f"<results>/relations/{RELATIONS_ANSWERED[wildcards.agent]}/{owner_of(wildcards)}.parquet"


def lexicon_of_owner(wildcards):
    """The lexicon of the agent or, of a model's own control, of the model."""
    return f"<results>/models/lexicon/{NETWORKS[owner_of(wildcards)]}.parquet"


include: "relations/data.smk"
include: "relations/ask.smk"
include: "relations/measure.smk"
include: "relations/compare.smk"
include: "relations/show.smk"
