"""The same probes answered in several answer spaces: all tokens, the words of the lexicon, and words of any length."""

import polars as pl

from relprobe.core.files import ShownTable
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.lm.words.lexicon import Lexicon, Words
from relprobe.studies.relations.data.gold import GoldStandard
from relprobe.studies.relations.measure.agent import all_metrics, answers
from relprobe.studies.relations.measure.measures import MEASURES
from relprobe.studies.relations.measure.metrics import Choices
from relprobe.studies.relations.measure.responses.answer_space import Ranking, rankings

METRIC = "soundness"
"""The metric of the first answer; others need more words than the sample stores, or probes that it lacks."""
SPACES = pl.Schema(
    {
        "agent": pl.String(),
        "relation": pl.String(),
        "answers": pl.String(),  # tokens, lexicon, words (answer_space.py)
        "targets": pl.UInt32(),
        "soundness": pl.Float64(),
        "no_word": pl.Float64(),  # the share of the probes whose first answer is no word
        "outside": pl.Float64(),  # the mean probability of all that is no word of the lexicon, or of the list
    }
)


def spaces(
    scores: list[ScoreFile],
    words: list[ScoreFile],
    lexicons: list[Lexicon],
    word_list: Words,
    gold: GoldStandard,
    choices: Choices,
) -> ShownTable:
    """Compare what counts as an answer (tokens, the lexicon, words of any length) on the sample of probes.

    `scores`, `words` and `lexicons`: a file of each agent that has answered with words of the `word_list` too.
    """
    rows = [
        spaces_of(own, tokens, these, word_list, gold, choices)
        for own, these, tokens in zip(scores, words, lexicons, strict=True)
    ]
    return pl.concat([pl.DataFrame(schema=SPACES), *rows])


def spaces_of(
    scores: ScoreFile,
    lexicon: pl.DataFrame,
    words: ScoreFile,
    word_list: pl.DataFrame,
    gold: GoldStandard,
    choices: Choices,
) -> pl.DataFrame:
    """Return an agent's averages in every answer space (SPACES), on the probes that all of them have answered.

    `scores`: its likeliest tokens, which are the words of `lexicon` (LEXICON). `words`: its likeliest words of `word_list`
    (WORDS).
    """
    of_spaces = rankings(scores, lexicon, gold.shared_lexicon, words, word_list=word_list)
    sampled = of_spaces["words"].responses.select("probe_id")
    tables = []
    for name, ranking in of_spaces.items():
        of_sample = Ranking(
            ranking.responses.join(sampled, on="probe_id", how="semi"),
            ranking.left_out.join(sampled, on="probe_id", how="semi"),
        )
        tables.append(_averages(of_sample, gold, choices).with_columns(answers=pl.lit(name)))
    table = pl.concat(tables).with_columns(
        agent=pl.lit(scores.agent), no_word=pl.when(answers="tokens").then("no_word").otherwise(0.0)
    )
    return table.select(list(SPACES)).cast(SPACES).sort("relation", maintain_order=True)


def _averages(ranking: Ranking, gold: GoldStandard, choices: Choices) -> pl.DataFrame:
    """Return the averages per relation of one answer space: over the prompts of a target first, then over targets."""
    wanted = [measure for measure in MEASURES if measure.name == METRIC]
    values = all_metrics(answers(ranking.responses, gold), choices, wanted).filter(metric=METRIC)
    about = gold.probes.select("probe_id", "target", "prompt_id").join(ranking.left_out, on="probe_id")
    joined = values.join(about, on=["target", "prompt_id"])
    targets = joined.group_by("relation", "target", maintain_order=True).agg(
        pl.col("value", "no_word", "outside").mean()
    )
    return targets.group_by("relation").agg(
        targets=pl.len(),
        soundness=pl.col("value").mean(),
        no_word=pl.col("no_word").mean(),
        outside=pl.col("outside").mean(),
    )
