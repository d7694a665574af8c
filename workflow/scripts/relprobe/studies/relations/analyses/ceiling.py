"""How far people agree with each other, and how prototypical their answers are (sections 6.1 and 6.2).

## How prototypical the human answers are

```yaml
figure: response_entropy
values: response_entropies
needs: [people]
part: How people answer
step: show
```

The entropy of the humans' answers to a probe, responses of one word (entropy 0) left out; low is prototypical, 1 is
no prototype at all *(Eq. 19; Figure 2 of the paper)*. Orange: the mean; blue: the median.

## Response entropy of the humans

```yaml
table: entropy
needs: [people]
part: How people answer
empty: No probe has answers of several people.
```

Responses of entropy 0 (one word) and 1 (no prototype), words per response, the mean entropy without the zeros *(Table 3
and section 6.2 of the paper)*, and how many words were answered *(section 6.1 of the paper)*. All answers to the
study's prompts count.

The last row is over all relations.

## How far people agree with each other

```yaml
table: ceiling
needs: [people]
part: How people answer
empty: No probe has answers of two people.
columns:
  one_against_rest: one annotator of a probe against the others
  split_half: random halves of a probe's annotators against each other
  spearman_brown: what follows from the halves for all annotators together
  annotators: the mean number of annotators of a probe
```

Each probe's annotators are split: one against the rest, or random halves. The values are correlations over targets,
or likenesses, of what both parts answer.

Soundness: the correlation over targets of the soundness of both parts. Prototypicality: the mean likeness of one
part's words to those of the other. Word shares: the correlation of the words' shares in the answers of both parts.

## How many of people's answers are in no relatum set

```yaml
table: outside
needs: [people]
part: How people answer
columns:
  answers: the number of answers
  outside: the number of these in no relatum set
  share: the share of these
  different: the number of different words among the answers
  different_outside: the number of these in no relatum set
  different_share: the share of these
```

Answers in no relatum set of any target (OOR), as often as they were given and as different words *(section 6.1
of the paper)*. All answers to the study's prompts count.

The last row is over all relations.

## Do the relations differ in entropy?

```yaml
table: entropy_differences
part: Tests
needs: [people]
before: tests
empty: No two relations have answers with an entropy.
columns:
  targets: the number of targets of both relations
  effect: the rank-biserial correlation
  responses: the number of responses of both relations
```

Mann-Whitney's U test between the relations, zeros included *(footnotes 15 and 16 of the paper)*. The published
method compares responses (the columns paper …), but a target has one per prompt; p compares the targets' means.

Effect: rank-biserial. Holm's adjustment is over all pairs of relations.

## Entropy of the human answers

```yaml
table: response_entropies
needs: [people]
on_page: false
```

The entropy of the humans' answers to every probe.
"""

import itertools
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from relprobe.core.files import ShownTable, ShownTables
from relprobe.core.manifest import only_file
from relprobe.core.relation import Relations
from relprobe.core.sums import ordered_mean
from relprobe.core.unmade import table_or_reason, tables_or_reasons
from relprobe.report.published import figures
from relprobe.sources.exported import Layout
from relprobe.sources.language import LanguageFile
from relprobe.stats import Values, mann_whitney, with_holm
from relprobe.stats.ceiling import Mask, halves, one_with_rest, single_answers, spearman_brown, split_half
from relprobe.studies.relations.lists import (
    Lists,
    annotator_responses,
    annotators,
    answered_words,
    human_responses,
    people_responses,
    read_answers,
)
from relprobe.studies.relations.method import GoldStandard, judge, pooled_responses, response_entropy
from relprobe.studies.relations.prompts import Prompts
from relprobe.studies.relations.published import PaperColumn, column_tables
from relprobe.studies.relations.results import Results
from relprobe.studies.relations.schemas import RELATA, UNIT
from relprobe.studies.relations.similarity import similarity
from relprobe.studies.relations.tables import by_relation

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PLACE = 4

# People's answers that are in no relatum set of any target: OOR (section 6.1).


OUTSIDE = pl.Schema(
    {
        "relation": pl.String(),  # that was prompted for; missing: all of them
        "answers": pl.UInt32(),
        "outside": pl.UInt32(),  # answers that are in no relatum set
        "share": pl.Float64(),
        "different": pl.UInt32(),
        "different_outside": pl.UInt32(),
        "different_share": pl.Float64(),
    }
)


def outside(words: pl.DataFrame, relata: pl.DataFrame, *, relations: Relations) -> pl.DataFrame:
    """Return how many of people's answers are in no relatum set of any target (OUTSIDE; OOR in section 6.1).

    Answers are counted as often as they were given, and as different words. `words`: a row per answer
    (`lists.answered_words`). `relata`: the relatum sets (RELATA). A word that is a relatum of one target is inside
    wherever it is answered. So read, and with the paper's tokenizers, 10,909 of the 93,120 published answers are outside
    (11.7 %), and 3,689 different ones (51.1 %). The paper prints 10,895 and 3,691 (51 %); its 18 % for the first number is
    an error. In no relatum set of their own target are more than half of the answers.

    >>> from relprobe.studies.relations.values import RELATIONS
    >>> words = pl.DataFrame({"relation": ["HYP", "HYP", "ANT"], "word": ["bird", "pet", "bird"]})
    >>> relata = pl.DataFrame({"target": ["robin"], "relation": ["HYP"], "relatum": ["bird"]})
    >>> outside(words, relata, relations=RELATIONS).select("relation", "answers", "outside").rows()
    [('HYP', 2, 1), ('ANT', 1, 0), (None, 3, 1)]
    """
    rows = words.with_columns(outside=~pl.col("word").is_in(relata["relatum"].unique().implode()))
    counts = {
        "answers": pl.len(),
        "outside": pl.col("outside").sum(),
        "share": pl.col("outside").mean(),
        "different": pl.col("word").n_unique(),
        "different_outside": pl.col("word").filter(pl.col("outside")).n_unique(),
    }
    by_relation = rows.group_by("relation").agg(**counts).sort(pl.col("relation").cast(relations.order))
    table = pl.concat([by_relation, rows.select(**counts)], how="diagonal_relaxed")
    table = table.with_columns(different_share=pl.col("different_outside") / pl.col("different"))
    return table.select(list(OUTSIDE)).cast(OUTSIDE)


# How prototypical the humans' answers are: the analysis of their response entropy (section 6.2).


DIFFERENCES = pl.Schema(
    {
        "relation": pl.String(),
        "versus": pl.String(),
        "targets": pl.UInt32(),  # of both relations
        "effect": pl.Float64(),
        "p": pl.Float64(),
        "p_holm": pl.Float64(),
        "responses": pl.UInt32(),
        "paper_effect": pl.Float64(),
        "paper_p": pl.Float64(),
        "paper_p_holm": pl.Float64(),
        "note": pl.String(),  # why p is missing
    }
)


ENTROPY_TABLES = ("response_entropies", "entropy", "entropy_differences", "outside")
"""The tables of `entropy`."""


def entropy(
    answers: Path, prompts: Prompts, gold: GoldStandard, language: LanguageFile, layout: dict[str, Any] | None = None
) -> ShownTables:
    """Analyse the entropy of all human answers to the prompts: Table 3, and tests between relations (section 6.2).

    `answers`: the manifest of the file of answers. The table `outside` counts the answers that are in no relatum set of any
    target (section 6.1).
    """
    human_answers, _ = read_answers(only_file(answers), gold, language, Layout.of(layout))
    words, relations = answered_words(human_answers, prompts), gold.relations
    beyond = table_or_reason("outside", outside, words, gold.relata, relations=relations)
    return entropy_tables(words, relations=relations) | {"outside": beyond}


def entropy_tables(words: pl.DataFrame, *, relations: Relations) -> dict[str, pl.DataFrame]:
    """Return the entropy of each response, Table 3, and the tests between relations, by the names of their files.

    `words`: a row per answered word (`lists.answered_words`).
    """
    target = pl.col("probe_id").str.split(":").list.last()
    asked = words.select("probe_id", "relation", target=target).unique()
    values = response_entropy(pooled_responses(words)).join(asked, on="probe_id", maintain_order="left")
    return {
        "response_entropies": values.select("probe_id", "relation", "entropy"),
        "entropy": table_or_reason("entropy", by_relation, values, words, relations=relations),
        "entropy_differences": table_or_reason("entropy_differences", differences, values, relations=relations),
    }


def differences(values: pl.DataFrame, *, relations: Relations) -> pl.DataFrame:
    """Test every pair of relations for a different distribution of entropies (Mann-Whitney U; footnotes 15 and 16).

    The paper takes every response as independent (the columns `paper_…`), but a target has one per prompt. Here p is that of
    the test of the targets' mean entropies. Both are adjusted by Holm's method over all pairs of relations. `values`:
    relation, target and entropy of each response. `effect` is the rank-biserial correlation of the targets.
    """
    means = values.group_by("relation", "target").agg(ordered_mean("entropy")).sort("relation", "target")
    pairs = list(itertools.combinations(relations.codes, 2))
    target_tests = [mann_whitney(_entropies(means, r), _entropies(means, s)) for r, s in pairs]
    response_tests = [mann_whitney(_entropies(values, r), _entropies(values, s)) for r, s in pairs]
    rows = [
        (*pair, ours.n, ours.effect, ours.p, None, theirs.n, theirs.effect, theirs.p, None, ours.note)
        for pair, ours, theirs in zip(pairs, target_tests, response_tests, strict=True)
    ]
    return with_holm(with_holm(pl.DataFrame(rows, schema=DIFFERENCES, orient="row")), p="paper_p")


def _entropies(values: pl.DataFrame, relation: str) -> Values:
    entropies: Values = values.filter(relation=relation)["entropy"].to_numpy()
    return entropies


# The noise ceiling of soundness and prototypicality: how well the annotators of a probe agree with each other.


SEED = 1
SOUNDNESS_DRAWS = 200
SHARE_DRAWS = 50
PROTOTYPICALITY_DRAWS = 20
"""Random splits. With ten times as many, the values change in the third decimal at most."""

SHARES = "word shares"
NOBODY = "not computable: no probe was answered by two annotators"
NO_CORRELATION = "no Spearman-Brown value: the metric is no correlation, and the formula predicts too much"

CEILING = pl.Schema(
    {
        "metric": pl.String(),  # soundness, prototypicality, or the word shares that prototypicality ranks
        "relation": pl.String(),
        "one_against_rest": pl.Float64(),
        "split_half": pl.Float64(),
        "spearman_brown": pl.Float64(),  # of all annotators together, from the halves
        "targets": pl.UInt32(),
        "probes": pl.UInt32(),
        "annotators": pl.Float64(),  # per probe, on average
        "note": pl.String(),  # why a value is missing
    }
)


def ceiling(lists: Lists, gold: GoldStandard) -> ShownTable:
    """Return the noise ceiling per relation (CEILING) from the annotators' lists (LISTS).

    The parts that are compared are random halves of each probe's annotators, or one annotator and the rest. Soundness: the
    correlation (Pearson's r) over targets between the soundness of one part and that of the other, on the same probes.
    Prototypicality: the mean ρ (Eq. 20 to 23) of one part's words with those of the other part as gold standard; a single
    annotator's words are ranked as they were typed. Word shares: the correlation of the words' shares in the answers of both
    parts, over the probes of prototypicality and the words of the shared lexicon. The Spearman-Brown value is that of all
    annotators together. Prototypicality has none: of single annotators with each other ρ is 0.31 for hypernymy in the
    published answers, from which the formula predicts 0.47 for halves of two, where 0.39 is observed. Probes that only one
    annotator answered are left out.
    """
    pooled, standards = judge(people_responses(lists), gold, people=True), human_responses(lists, gold)
    several = lists.filter(pl.len().over("probe_id") > 1)
    units = gold.probes.filter(kind="main").select("probe_id", *UNIT)
    sound = several.join(units, on="probe_id").join(pooled.units.select(UNIT), on=UNIT, how="semi")
    typical = several.join(units, on="probe_id").join(standards["pooled"][0], on="probe_id", how="semi")
    rows = [_soundness(sound.filter(relation=relation), relation, gold.relata) for relation in gold.relations.codes]
    ranked = gold.relations.prototypical
    rows += [_prototypicality(typical.filter(relation=relation), relation, standards["rest"]) for relation in ranked]
    rows += [_shares(typical.filter(relation=relation), relation, gold.shared_lexicon.height) for relation in ranked]
    return pl.DataFrame(rows, schema=CEILING, orient="row")


def _soundness(lists: pl.DataFrame, relation: str, relata: pl.DataFrame) -> tuple[object, ...]:
    """Return the row of soundness of a relation; `lists` are LISTS with UNIT."""
    if not lists.height:
        return "soundness", relation, None, None, None, *_size(lists), NOBODY
    scores, groups = _Words(lists, relata).soundness, _groups(lists)
    half = split_half(scores, groups, SEED, draws=SOUNDNESS_DRAWS)
    single = one_with_rest(scores, groups, SEED, draws=SOUNDNESS_DRAWS)
    return "soundness", relation, single.split_half, half.split_half, half.reliability, *_size(lists), half.note


class _Words:
    """The words of the lists of a relation, as arrays: what can be computed from some of the lists alone.

    `list` and `word`: the list of each answered word, and its place among the different words of all probes. `probe` and
    `right`: the probe of each of these, and 1.0 if it is a relatum. `target`: the target of each probe.
    """

    def __init__(self, lists: pl.DataFrame, relata: pl.DataFrame) -> None:
        rows = lists.with_row_index("list").explode("words").with_columns(word=pl.col("words").cast(pl.String))
        right = relata.select("relation", "target", word="relatum", right=pl.lit(1.0))
        rows = rows.join(right, on=["relation", "target", "word"], how="left", maintain_order="left")
        rows = rows.sort("probe_id", "word")
        self.list = rows["list"].to_numpy()
        self.word = _codes(rows.select("probe_id", "word"))
        words = rows.unique(["probe_id", "word"], keep="first", maintain_order=True)
        self.right = words["right"].fill_null(0.0).to_numpy()
        self.probe = _codes(words.select("probe_id"))
        self.starts = np.flatnonzero(np.diff(self.probe, prepend=-1))
        targets = words.unique("probe_id", keep="first", maintain_order=True)["target"]
        self.target = targets.rank("dense").to_numpy().astype(np.int64) - 1

    def counts(self, mask: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return how often the lists of the mask have each word, (words,)."""
        return np.bincount(self.word[mask[self.list]], minlength=len(self.right))

    def soundness(self, masks: Mask) -> Values:
        """Return the soundness of each target from the lists of each mask, (masks, targets); NaN without any list.

        A probe's value is the share of relata among the top words, its expected value over the orders of tied words.
        """
        return np.stack([self._sound(self.counts(mask)) for mask in masks])

    def _sound(self, counts: NDArray[np.int64]) -> Values:
        most = np.maximum.reduceat(counts, self.starts)
        top = (counts == most[self.probe]) & (counts > 0)
        tied, right = (np.add.reduceat(values.astype(float), self.starts) for values in (top, top * self.right))
        answered = tied > 0
        share = np.where(answered, right / np.maximum(tied, 1), 0.0)
        sums, probes = (np.bincount(self.target, weights=values.astype(float)) for values in (share, answered))
        return np.where(probes > 0, sums / np.maximum(probes, 1), np.nan)

    def agreement(self, mask: NDArray[np.bool_], lexicon: int) -> float:
        """Return Pearson's r of the words' shares in the answers of a mask's lists with those in the other lists.

        It is over all words of the lexicon and all probes; nearly all of these words have the share 0 in both.
        """
        cells = len(self.starts) * lexicon
        a, b = (self._shares(self.counts(part)) for part in (mask, ~mask))
        mean = len(self.starts) / cells  # the shares of a probe sum to 1
        products = [float(x @ y) - cells * mean**2 for x, y in ((a, b), (a, a), (b, b))]
        return products[0] / float(np.sqrt(products[1] * products[2]))

    def _shares(self, counts: NDArray[np.int64]) -> Values:
        shares: Values = counts / np.add.reduceat(counts, self.starts)[self.probe]
        return shares


def _shares(lists: pl.DataFrame, relation: str, lexicon: int) -> tuple[object, ...]:
    """Return the row of the words' shares of a relation; `lists` are LISTS with UNIT."""
    if not lists.height:
        return SHARES, relation, None, None, None, *_size(lists), NOBODY
    words = _Words(lists, pl.DataFrame(schema=RELATA))
    half, single = (
        float(
            np.mean(
                [words.agreement(mask, lexicon) for masks in parts(_groups(lists), SEED, SHARE_DRAWS) for mask in masks]
            )
        )
        for parts in (halves, single_answers)
    )
    return SHARES, relation, single, half, spearman_brown(half), *_size(lists), None


def _prototypicality(lists: pl.DataFrame, relation: str, human_responses: Sequence[pl.DataFrame]) -> tuple[object, ...]:
    """Return the row of prototypicality of a relation.

    `lists`: LISTS with UNIT; `human_responses`: those of all annotators but each one.
    """
    if not lists.height:
        return "prototypicality", relation, None, None, None, *_size(lists), NOBODY
    masks = np.concatenate(list(halves(_groups(lists), SEED, PROTOTYPICALITY_DRAWS)))
    half = float(np.mean([_mean(_likeness(lists, mask, draw)) for draw, mask in enumerate(masks)]))
    pairs = zip(annotators(lists), human_responses, strict=False)
    alone = [similarity(annotator_responses(lists, number), gold.filter(relation=relation)) for number, gold in pairs]
    single = pl.concat(alone).group_by(UNIT).agg(ordered_mean("value"))
    return "prototypicality", relation, _mean(single), half, None, *_size(lists), NO_CORRELATION


def _likeness(lists: pl.DataFrame, mask: NDArray[np.bool_], draw: int) -> pl.DataFrame:
    """Return ρ of the lists of a mask with the others as gold standard, per probe; the order of tied words is drawn."""
    part, other_lists = lists.filter(pl.Series(mask)), lists.filter(pl.Series(~mask))
    gold = people_responses(other_lists).join(lists.select("probe_id", *UNIT).unique(), on="probe_id")
    words = people_responses(part).explode("words", "weights")
    words = words.with_columns(chance=np.random.default_rng([SEED, draw]).random(words.height))
    ranked = words.sort("probe_id", "weights", "chance", descending=[False, True, False])
    ordered = ranked.with_columns(weights=1 / pl.int_range(1, pl.len() + 1).over("probe_id"))  # so that no words tie
    return similarity(ordered.group_by("probe_id", maintain_order=True).agg("words", "weights"), gold)


def _mean(values: pl.DataFrame) -> float:
    """Return the mean over targets of the means over their probes (Eq. 22 and 23)."""
    return float(ordered_mean(values.group_by("target").agg(ordered_mean("value"))["value"]))  # type: ignore[arg-type]


def _groups(lists: pl.DataFrame) -> NDArray[np.int64]:
    """Return the probe of each list."""
    groups: NDArray[np.int64] = lists["probe_id"].rank("dense").to_numpy().astype(np.int64)
    return groups


def _size(lists: pl.DataFrame) -> tuple[int, int, float | None]:
    probes = lists["probe_id"].n_unique()
    return lists["target"].n_unique(), probes, lists.height / probes if probes else None


def _codes(rows: pl.DataFrame) -> NDArray[np.int64]:
    """Return the number of each row among the different ones, in the order of rows that are sorted."""
    codes: NDArray[np.int64] = rows.select(pl.struct(pl.all()).rle_id()).to_series().to_numpy().astype(np.int64)
    return codes


# Both at once, as the step `ceiling` writes them.


NO_HUMANS = (
    "The config has no resources.human_responses: there is no human ceiling, no prototypicality and no analysis of the "
    "humans' entropy."
)


def left_out(results: Results) -> list[tuple[str, str]]:
    """Return why people are not analysed in a run without their answers: a table that lacks them, and the reason."""
    return [] if "humans" in (results.metrics or {}) else [("entropy", NO_HUMANS)]


def make_exhibits(
    answers: Path,
    prompts: Prompts,
    language: LanguageFile,
    lists: Lists,
    gold: GoldStandard,
    *,
    layout: dict[str, Any] | None = None,
) -> ShownTables:
    """Measure how far annotators agree (`ceiling`), and analyse the entropy of all their answers (`entropy`)."""
    return {
        "ceiling": table_or_reason("ceiling", ceiling, lists, gold),
        **tables_or_reasons(ENTROPY_TABLES, entropy, answers, prompts, gold, language, layout),
    }


def entropy_boxes(values: pl.DataFrame, *, relations: Relations) -> "Figure":
    """Draw the distribution of the human response entropies above 0 per relation, its mean in orange (Figure 2)."""
    import matplotlib.pyplot as plt

    from relprobe.report.figures import PALETTE, drawn_size, to_scale

    figure, axis = plt.subplots(figsize=drawn_size(6.4, 3.2))
    above = values.filter(pl.col("entropy") > 0)
    groups = [above.filter(relation=code)["entropy"] for code in relations.codes]
    axis.boxplot(
        [group.to_numpy() for group in groups],
        tick_labels=[
            f"{relations.names[r]}\nn = {len(group)}" for r, group in zip(relations.codes, groups, strict=True)
        ],
        showmeans=True,
        meanline=True,
        meanprops={"color": PALETTE[4], "linestyle": "-"},
        medianprops={"color": PALETTE[0]},
        flierprops={"markersize": to_scale(2)},
    )
    axis.set(ylabel="response entropy", ylim=(None, 1.02))
    return figure


FIGURES = {
    "response_entropy": lambda shown: entropy_boxes(shown.values["response_entropies"], relations=shown.relations)
}


# What the paper prints of these tables.


ENTROPIES = "entropies of two relations differ (1: p < 0.05; 0: not)"
ALPHA = 0.05
COLUMNS = (
    PaperColumn("outside", "outside", "answers outside all relatum sets", "humans"),
    PaperColumn("outside", "share", "answers outside all relatum sets (share)", "humans", "answers", "answers"),
    PaperColumn("outside", "different_outside", "different answers outside all relatum sets", "humans"),
    PaperColumn(
        *("outside", "different_share", "different answers outside all relatum sets (share)", "humans"),
        *("different", "different answers"),
    ),
    PaperColumn("entropy", "entropy_0", "responses of entropy 0", "humans"),
    PaperColumn("entropy", "entropy_0_share", "responses of entropy 0 (share)", "humans", "responses", "responses"),
    PaperColumn("entropy", "entropy_1", "responses of entropy 1", "humans"),
    PaperColumn("entropy", "words", "words per response", "humans", "responses", "responses"),
    PaperColumn("entropy", "mean_without_zeros", "mean entropy without zeros", "humans"),
    PaperColumn("entropy", "answered_words", "answered words", "humans"),
    PaperColumn("entropy", "different_words", "different answered words", "humans"),
)
TABLES_READ = ("outside", "entropy", "entropy_differences")


def entropies(differences: pl.DataFrame) -> pl.DataFrame:
    """Return which pairs of relations differ in the entropies of people's responses, by the paper's test (footnote 15).

    >>> pairs = pl.DataFrame({"relation": ["HYP"], "versus": ["ANT"], "paper_p": [0.01], "responses": [900]})
    >>> entropies(pairs).select("condition", "agent", "ours", "n").rows()
    [('HYP–ANT', 'humans', 1.0, 900)]
    """
    tested = differences.drop_nulls("paper_p")
    pair, differ = pl.format("{}–{}", "relation", "versus"), (pl.col("paper_p") < ALPHA).cast(pl.Float64)
    rows = tested.select(quantity=pl.lit(ENTROPIES), condition=pair, agent=pl.lit("humans"), ours=differ, n="responses")
    return figures(rows.with_columns(units=pl.lit("responses")))


def published(tables: Mapping[str, pl.DataFrame], _models: Collection[str]) -> list[pl.DataFrame]:
    """Return what the paper prints of people's answers (OURS)."""
    differences = [entropies(tables["entropy_differences"])] if "entropy_differences" in tables else []
    return [*column_tables(tables, COLUMNS), *differences]
