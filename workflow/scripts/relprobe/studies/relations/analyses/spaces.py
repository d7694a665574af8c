"""The same probes answered in several answer spaces: all tokens, the words of the lexicon, and words of any length.

```yaml
may_lack:
  sample: agents that answer with words of any length (relations.word_sample)
```

## Tokens, words of the lexicon, and words of any length

```yaml
table: answer_spaces
part: Choices and prompts
needs: [sample]
columns:
  answers: "what may be an answer: tokens, words of the lexicon, or words of any length"
  outside: the mean probability of all that is no word of the lexicon or, of words, of the word list
```

A model's likeliest token may be a quote, a number or a piece of a word, which then counts as a wrong answer. If only
words can be answers, the model's likeliest word counts, and words of any number of tokens can be compared between
tokenizers.

On the probes about random targets of each relation (relations.word_sample): no_word is the share of the probes whose
first answer is no word, and outside the mean probability of all that is no word of the lexicon (tokens, lexicon) or
of the word list (words).
"""

import polars as pl

from relprobe.core.files import ShownTables
from relprobe.core.study import Config, Roles
from relprobe.core.sums import ordered_mean
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.lm.words.lexicon import Lexicon, Words
from relprobe.studies.relations.answer_spaces import Ranking, rankings, token_words
from relprobe.studies.relations.measures import MEASURES
from relprobe.studies.relations.method import Choices, GoldStandard, judge
from relprobe.studies.relations.values import all_metrics

PLACE = 10

METRIC = "soundness"
"""The metric of the first answer; others need more words than the sample stores, or probes that it lacks."""
SPACES = pl.Schema(
    {
        "agent": pl.String(),
        "relation": pl.String(),
        "answers": pl.String(),  # tokens, lexicon, words (`Space`)
        "targets": pl.UInt32(),
        "soundness": pl.Float64(),
        "no_word": pl.Float64(),  # the share of the probes whose first answer is no word
        "outside": pl.Float64(),  # the mean probability of all that is no word of the lexicon, or of the list
    }
)


def has(config: Config, roles: Roles) -> dict[str, bool]:
    """Return whether an agent answers with words of any length, too."""
    from relprobe.studies.relations.run import Agents

    return {"sample": bool(Agents(config, roles).sampled)}


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
    rankings_by_space = rankings(scores, lexicon, gold.shared_lexicon, words, word_list=word_list)
    sampled = rankings_by_space["words"].responses.select("probe_id")
    tables = []
    for name, ranking in rankings_by_space.items():
        sample_ranking = Ranking(
            ranking.responses.join(sampled, on="probe_id", how="semi"),
            ranking.left_out.join(sampled, on="probe_id", how="semi"),
        )
        tables.append(_space_averages(sample_ranking, gold, choices).with_columns(answers=pl.lit(name)))
    table = pl.concat(tables).with_columns(
        agent=pl.lit(scores.agent), no_word=pl.when(answers="tokens").then("no_word").otherwise(0.0)
    )
    return table.select(list(SPACES)).cast(SPACES).sort("relation", maintain_order=True)


def _space_averages(ranking: Ranking, gold: GoldStandard, choices: Choices) -> pl.DataFrame:
    """Return the averages per relation of one answer space: over the prompts of a target first, then over targets."""
    wanted = [measure for measure in MEASURES if measure.name == METRIC]
    values = all_metrics(judge(ranking.responses, gold), choices, wanted).filter(metric=METRIC)
    prompts = gold.probes.select("probe_id", "target", "prompt_id").join(ranking.left_out, on="probe_id")
    joined = values.join(prompts, on=["target", "prompt_id"])
    targets = joined.group_by("relation", "target", maintain_order=True).agg(
        ordered_mean(pl.col("value", "no_word", "outside"))
    )
    return targets.group_by("relation").agg(
        targets=pl.len(),
        soundness=ordered_mean("value"),
        no_word=ordered_mean("no_word"),
        outside=ordered_mean("outside"),
    )


def make_exhibits(
    scores_of_sample: list[ScoreFile],
    words_of_sample: list[ScoreFile],
    lexicons_of_sample: list[Lexicon],
    word_list: Words,
    gold: GoldStandard,
    choices: Choices,
    *,
    chat_agents: list[str] | None = None,
) -> ShownTables:
    """Compare what counts as an answer (tokens, the lexicon, words of any length) on the sample of probes.

    The first three have a file of each agent that has answered with words of the `word_list` too. `chat_agents`: the agents
    that were asked in a chat.
    """
    in_chat = chat_agents or []
    rows = []
    for scores, words, lexicon in zip(scores_of_sample, words_of_sample, lexicons_of_sample, strict=True):
        tokens = token_words(lexicon, gold, chat_formatted=scores.agent in in_chat)
        rows.append(spaces_of(scores, tokens, words, word_list, gold, choices))
    return {"answer_spaces": pl.concat([pl.DataFrame(schema=SPACES), *rows])}
