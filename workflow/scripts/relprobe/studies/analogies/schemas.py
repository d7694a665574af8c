"""The tables of the analogies study; each is written with exactly these columns and types."""

import polars as pl

PROBE_TYPES = ("random_head", "random_tail", "reverse", "type")
"""How a negative tuple misses the relation (section 2.2); negatives.py says what each means."""
SETTINGS = ("supervised", "unsupervised")

TUPLES = pl.Schema(
    {
        "relation": pl.String(),  # BATS' code, such as E01
        "name": pl.String(),
        "group": pl.String(),  # ES, LS, DM or IM
        "partition": pl.String(),  # train or test
        "head": pl.String(),
        "tail": pl.String(),  # the first of the answers
        "answers": pl.List(pl.String()),
    }
)

INSTANCES = pl.Schema(
    {
        "relation": pl.String(),
        "partition": pl.String(),
        "probe": pl.String(),  # one of PROBE_TYPES
        "query_head": pl.String(),
        "query_tail": pl.String(),
        "head": pl.String(),  # of the positive tuple
        "tail": pl.String(),
        "negative_head": pl.String(),
        "negative_tail": pl.String(),
    }
)
"""A query with a positive and a negative tuple: a choice of the unsupervised setting, two examples of the supervised one."""

DECISIONS = pl.Schema(
    {
        "setting": pl.String(),
        "relation": pl.String(),
        "probe": pl.String(),
        "query": pl.String(),  # head : tail
        "head": pl.String(),  # of the tuple that is judged; of the positive tuple in the unsupervised setting
        "tail": pl.String(),
        "label": pl.Boolean(),  # supervised: whether the tuple is in the relation
        "value": pl.Float64(),  # 1 right, 0 wrong, 1/2 undecided, averaged over the classifier's seeds; null: no vector
    }
)

FREQUENCY = pl.Schema(
    {
        "agent": pl.String(),
        "relation": pl.String(),
        "name": pl.String(),
        "right": pl.UInt32(),  # decisions on tuples whose frequency wordfreq knows
        "wrong": pl.UInt32(),
        "unknown": pl.UInt32(),  # decisions on tuples with a word that wordfreq does not know
        "median_right": pl.Float64(),  # harmonic mean of the two words' frequencies, per million words
        "median_wrong": pl.Float64(),
        "effect": pl.Float64(),  # the Kolmogorov-Smirnov statistic
        "p": pl.Float64(),
        "p_holm": pl.Float64(),  # Holm's adjustment over the agent's relations
        "note": pl.String(),
    }
)
