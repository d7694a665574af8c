"""The tables of the relations study; each is written with exactly these columns and types."""

from typing import Annotated, Literal, get_args

import polars as pl

from relprobe.core.files import parquet
from relprobe.core.relation import TUPLES
from relprobe.stats.schemas import AVERAGES as AVERAGES_OF_UNITS
from relprobe.stats.schemas import COMPARISON, CONTRASTS

PROBES = pl.Schema(
    {
        "probe_id": pl.String(),  # prompt_id:target
        "relation": pl.String(),
        "target": pl.String(),
        "prompt_id": pl.String(),
        "kind": pl.String(),  # main: the target has the relation; trick: its reverse has it (section 5.2)
        "text": pl.String(),  # ends with the slot [V]
        "variants": pl.List(pl.Struct({"text": pl.String(), "weight": pl.Float64()})),  # weights sum to 1
    }
)

Probes = Annotated[pl.DataFrame, parquet(PROBES, "probe_id")]


RELATA = TUPLES
Relata = Annotated[pl.DataFrame, parquet(RELATA, "target", "relation", "relatum")]
Tuples = Relata
ALTERNATIVES = pl.Schema({"choice": pl.String(), **RELATA})
"""The relatum sets under other choices of the expansion: choice is "expansion: none", "depth: 1" or "senses: first"."""
Alternatives = Annotated[pl.DataFrame, parquet(ALTERNATIVES, "choice", "target", "relation", "relatum")]

UNIT = ["relation", "target", "prompt_id"]
"""What names a probe in METRICS."""

RESPONSES = pl.Schema(
    {
        "probe_id": pl.String(),
        "words": pl.List(pl.Categorical()),  # best first; a token that starts no word stands as "##token"
        # Models: probability, or of closed lists its share among the candidates of the probe; humans: share of all answers
        # to the probe. With `calibrate`, the ratio that ranks the words.
        "weights": pl.List(pl.Float32()),
    }
)

AnswerKind = Literal["ranking", "lists", "unreadable", "people", "annotator"]
"""What an agent's answers are: the rankings of a model or a control; lists of a model or norms, whose words tie; lists of a
model that say too little to be measured (unreadable.py); those of all people together, who are not compared with themselves;
or the lists of single annotators."""

ANSWERS = pl.Schema(
    {
        "kind": pl.Enum(get_args(AnswerKind)),  # one of the agent: all rows have it
        "choice": pl.String(),  # "as configured", or what was changed, such as "answers: lexicon"
        "annotator": pl.UInt16(),  # whose list it is, of single annotators; 0 of an agent that answers as one
        **RESPONSES,
        "no_word": pl.Float64(),  # models: 1 if the likeliest token is no word, else 0
        "outside": pl.Float64(),  # models: the probability of all that is no word of the lexicon
    }
)
"""The responses of an agent, whatever it is: those that the configuration chooses, and those that differ in one choice."""
Answers = Annotated[pl.DataFrame, parquet(ANSWERS, "choice", "annotator", "probe_id", per_agent=True)]
CONFIGURED = "as configured"
"""The choice of the configuration."""
UNDIVIDED = "calibrate: none"
"""The choice that ranks words by their probabilities, where the configuration ranks them by a ratio."""

Control = Literal["majority", "neighbours", "typical", "frequency", "nearest"]
"""The controls that know nothing of the pair of words (docs/controls.md)."""

WRITING = pl.Schema(
    {
        "probe_id": pl.String(),
        "sample": pl.UInt8(),  # from 1
        "text": pl.String(),  # what the model has written, its thought included
        "words": pl.List(pl.String()),  # up to five, in the order of writing
        "unreadable": pl.UInt16(),  # entries of the text that are no word
    }
)
Writing = Annotated[pl.DataFrame, parquet(WRITING, "probe_id", "sample")]

METRICS = pl.Schema(
    {
        "metric": pl.String(),
        "relation": pl.String(),
        "target": pl.String(),
        "prompt_id": pl.String(),
        "relatum": pl.String(),  # symmetry and asymmetry only, whose unit is a tuple; of symmetry the later word of a pair
        "cluster": pl.String(),  # symmetry only: the first word of all pairs that are linked to the pair
        "versus": pl.String(),  # distinguishability: the relation whose relata are ranked; first_related: that of the word
        "k": pl.UInt16(),  # symmetry and asymmetry only: the cut-off of the response
        "value": pl.Float64(),
    }
)
Metrics = Annotated[pl.DataFrame, parquet(METRICS, per_agent=True)]

LAYER_METRICS = pl.Schema(
    {
        "variant": pl.String(),  # raw: the layer's states as they are; or the map to the last layer that they go through
        "layer": pl.UInt16(),  # 0: the embeddings, which are a control; the greatest: the last layer
        **METRICS,  # soundness, completeness and distinguishability alone
    }
)
"""The metrics of an agent with `layers`, `layer_metrics/AGENT.parquet`. Each variant is a whole series of layers.

`mapped` answers through the map that was fitted on pairs of a layer's states and the last layer's. At the last layer it has
the values of `raw`, as there is nothing to map. `shuffled` is a control: its map was fitted on the same states in pairs that
do not belong together. `untrained` is one, too: the states, and the map from them, are of an untrained network of the same
shape (`layers.untrained`). Without maps (`layers.map: none`) there is `raw` alone. The distances between the relations of a
layer follow from its rows of distinguishability (method.py, `rank_gaps` and `distances`).
"""
LayerMetrics = Annotated[pl.DataFrame, parquet(LAYER_METRICS, per_agent=True)]

AVERAGES = pl.Schema(
    {
        "agent": pl.String(),
        "metric": pl.String(),
        "relation": pl.String(),
        "versus": pl.String(),
        "k": pl.UInt16(),
        **{
            name: kind
            for name, kind in AVERAGES_OF_UNITS.items()
            if name not in ("agent", "metric", "condition", "coverage", "note")
        },  # units: targets, or tuples for symmetry and asymmetry, or pairs of relations for AuDC
        "least_targets": pl.UInt32(),  # of AuDC: the targets of the pair of relations that has the fewest
        "in_audc": pl.Boolean(),  # of distinguishability: AuDC counts the pair of relations
        "coverage": pl.Float64(),  # share of the study's units that the agent has answered
        "note": pl.String(),
    }
)
Averages = Annotated[pl.DataFrame, parquet(AVERAGES)]

TESTS = pl.Schema({"metric": pl.String(), "relation": pl.String(), "k": pl.UInt16(), **COMPARISON})
Tests = Annotated[pl.DataFrame, parquet(TESTS)]
Contrasts = Annotated[pl.DataFrame, parquet(CONTRASTS)]

PAIRS = pl.Schema(
    {
        "relation": pl.String(),  # the prompted one
        "versus": pl.String(),
        "targets": pl.UInt32(),  # those of relation that have relata of both
        "asked_for_both": pl.UInt32(),  # those of them that are also asked for versus, be it in trick probes
        "counted": pl.Boolean(),  # there are enough targets, so that AuDC counts the pair
    }
)
Pairs = Annotated[pl.DataFrame, parquet(PAIRS, "relation", "versus")]

CHANCE = pl.Schema(
    {
        "metric": pl.String(),
        "relation": pl.String(),  # the prompted one; none for AuDC
        "versus": pl.String(),
        "pairs": pl.UInt32(),  # of relations; AuDC alone
        "targets": pl.UInt32(),  # that the agent has answered; of AuDC those of the pair that has the fewest
        "value": pl.Float64(),
        "chance": pl.Float64(),  # the mean if the relations are dealt out to the relata at random
        "chance_high": pl.Float64(),  # what one such deal of twenty exceeds: the bound to the one-sided p
        "p": pl.Float64(),  # of a value as large by chance; none of a pair that AuDC does not count
    }
)

CHANCE_TABLE = pl.Schema({"agent": pl.String(), **CHANCE, "family": pl.String(), "p_holm": pl.Float64()})

USE = pl.Schema(
    {
        "target": pl.String(),
        "relation": pl.String(),  # the one that the prompt asks for
        "versus": pl.String(),  # another one that the target was asked for
        "prompt_id": pl.String(),
        "value": pl.Float64(),  # how much later the relata of versus come than those of relation, from -1 to 1; may lack
        "others": pl.Float64(),  # the part of the prompt in the mean of the same over the answers about other targets
    }
)
Use = Annotated[pl.DataFrame, parquet(USE, "target", "relation", "versus", "prompt_id", per_agent=True)]

RELATION_USE = pl.Schema(
    {
        "agent": pl.String(),
        "measure": pl.String(),  # "for this target", or "plain"
        "relation": pl.String(),  # none: all pairs of relations
        "versus": pl.String(),
        "targets": pl.UInt32(),  # those that were asked for both and have relata of both
        "effective_n": pl.Float64(),  # number of independent targets that they count as, if all linked ones are alike
        "measured_n": pl.Float64(),  # the number that they are worth as their contrasts vary
        "differ": pl.UInt32(),  # targets whose contrast is not 0
        "contrast": pl.Float64(),
        "low": pl.Float64(),
        "high": pl.Float64(),
        "p": pl.Float64(),  # two-sided: linked targets and prompts are samples
        "family": pl.String(),
        "p_holm": pl.Float64(),  # p adjusted over the agent's own pairs of relations
        "detectable": pl.Float64(),  # the smallest contrast that p_holm finds in 80 % of such studies
        "control": pl.String(),  # the control that the agent exceeds least
        "control_contrast": pl.Float64(),  # its contrast, on the probes that both have answered
        "beyond": pl.Float64(),  # by how much the agent exceeds it there
        "beyond_low": pl.Float64(),
        "beyond_high": pl.Float64(),
        "beyond_p": pl.Float64(),  # by the rule of the claim (claims.py)
        "beyond_p_holm": pl.Float64(),  # adjusted as p_holm
        "beyond_detectable": pl.Float64(),  # the smallest difference that it finds in 80 % of such studies
        "note": pl.String(),  # the reason why p or the interval is missing
    }
)

SENSITIVITY = pl.Schema(
    {
        "choice": pl.String(),  # "as configured", what was changed, or "without PROMPT"
        "metric": pl.String(),
        "relation": pl.String(),
        "k": pl.UInt16(),
        "value": pl.Float64(),
    }
)
Sensitivity = Annotated[pl.DataFrame, parquet(SENSITIVITY, per_agent=True)]

TOP_WORDS = pl.Schema(
    {
        "probe_id": pl.String(),
        "rank": pl.UInt8(),
        "word": pl.String(),
        # Models: probability, or of closed lists its share among the candidates of the probe, also where other numbers rank
        # the words (`calibrate`); people: share of those asked who named it.
        "weight": pl.Float32(),
        "relation": pl.String(),  # whose relatum set of the target holds the word (A/B: two do); missing if none does
    }
)
TopWords = Annotated[pl.DataFrame, parquet(TOP_WORDS, "probe_id", "rank", per_agent=True)]
