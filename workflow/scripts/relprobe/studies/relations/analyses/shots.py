"""How much depends on which examples were drawn: the averages of an agent under each draw.

```yaml
may_lack:
  shots: agents with solved examples (shots)
```

## How much the results depend on which examples were drawn

```yaml
table: shots_draws
part: Choices and prompts
needs: [shots]
columns:
  draw: the number of the draw of examples; 1 is that of all other tables
```

Agents with solved examples (shots): the averages under three random draws of them, on the probes about random targets
of each relation (relations.draws); targets: how many of them are in the shared lexicon and have relata. Draw 1 is that
of all other tables.
"""

import polars as pl

from relprobe.core.files import ShownTables
from relprobe.core.study import Config, Roles
from relprobe.core.sums import ordered_mean
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.lm.words.lexicon import Lexicon
from relprobe.studies.relations.answer_spaces import model_responses, token_words
from relprobe.studies.relations.measures import MEASURES
from relprobe.studies.relations.method import Choices, GoldStandard, judge
from relprobe.studies.relations.values import all_metrics

PLACE = 9

SHOTS_DRAWS = pl.Schema(
    {
        "agent": pl.String(),
        "relation": pl.String(),
        "draw": pl.UInt8(),  # 1 is that of the other tables
        "targets": pl.UInt32(),
        "soundness": pl.Float64(),
        "completeness": pl.Float64(),
    }
)
COMPARED = ("soundness", "completeness")
"""The metrics of one probe at a time; the others need the probes that the sample lacks."""


def has(config: Config, roles: Roles) -> dict[str, bool]:
    """Return whether an agent has solved examples."""
    from relprobe.studies.relations.run import Agents

    return {"shots": bool(Agents(config, roles).with_shots)}


def draws_of(
    scores: ScoreFile,
    draws: ScoreFile,
    lexicon: Lexicon,
    gold: GoldStandard,
    choices: Choices,
) -> pl.DataFrame:
    """Return the averages of an agent under each draw of examples (SHOTS_DRAWS), on the probes of the sample.

    `scores` and `draws`: its score files. `lexicon`: the words of its tokens.
    """
    draw_responses = model_responses(draws, lexicon).with_columns(
        draw=pl.col("probe_id").str.extract(r"^(\d+) ").cast(pl.UInt8),
        probe_id=pl.col("probe_id").str.replace(r"^\d+ ", ""),
    )
    first = model_responses(scores, lexicon).join(draw_responses, on="probe_id", how="semi")
    parts = [(1, first), *((int(draw), rows.drop("draw")) for (draw,), rows in draw_responses.group_by("draw"))]
    tables = [_draw_averages(responses, gold, choices).with_columns(draw=pl.lit(draw)) for draw, responses in parts]
    table = pl.concat(tables).with_columns(agent=pl.lit(scores.agent))
    return table.select(list(SHOTS_DRAWS)).cast(SHOTS_DRAWS).sort("relation", "draw")


def _draw_averages(responses: pl.DataFrame, gold: GoldStandard, choices: Choices) -> pl.DataFrame:
    wanted = [measure for measure in MEASURES if measure.name in COMPARED]
    values = all_metrics(judge(responses, gold), choices, wanted).filter(pl.col("metric").is_in(COMPARED))
    targets = values.group_by("metric", "relation", "target", maintain_order=True).agg(ordered_mean("value"))
    sizes = targets.group_by("relation").agg(targets=pl.col("target").n_unique())
    wide = targets.group_by("relation", "metric").agg(ordered_mean("value")).pivot("metric", index="relation")
    missing = [pl.lit(None, pl.Float64).alias(name) for name in COMPARED if name not in wide.columns]
    return wide.with_columns(missing).select("relation", *COMPARED).join(sizes, on="relation")


def make_exhibits(
    scores_with_shots: list[ScoreFile],
    draws: list[ScoreFile],
    lexicons_with_shots: list[Lexicon],
    gold: GoldStandard,
    choices: Choices,
    *,
    chat_agents: list[str] | None = None,
) -> ShownTables:
    """Compare the draws of examples of every agent that has some, on a sample of the probes.

    The first three have a file of each such agent. `chat_agents`: the agents that were asked in a chat.
    """
    in_chat = chat_agents or []
    rows = []
    for scores, draw_scores, lexicon in zip(scores_with_shots, draws, lexicons_with_shots, strict=True):
        tokens = token_words(lexicon, gold, chat_formatted=scores.agent in in_chat)
        rows.append(draws_of(scores, draw_scores, tokens, gold, choices))
    return {"shots_draws": pl.concat([pl.DataFrame(schema=SHOTS_DRAWS), *rows])}
