"""What the models' lexicons hold of the words of the study, and how alike their vocabularies are (section 7.1, Table 4).

## What the models' lexicons hold

```yaml
table: coverage
part: Data
empty: No model has a lexicon here.
columns:
  words: the number of words that are one token of the model
  shared_lexicon: the share of the shared lexicon that they make up
  candidate_targets: the share of the candidate targets
  targets: the share of the targets in the shared lexicon
  tuples: the share of the tuples in the shared lexicon
  relata: the share of the relata in the shared lexicon
```

Words that are one token of a model, and the share they make up of the shared lexicon, of the candidate targets, and
of the targets, tuples and relata in the shared lexicon. Models of the panel hold all of the latter; any other is
measured on what it holds.

## How alike the models' vocabularies are

```yaml
table: vocabularies
part: Data
empty: It compares two models, and the run has one.
columns:
  tokens_a: the size of the whole vocabulary of a
  tokens_b: the size of the whole vocabulary of b
  words_a: the number of words that are one token of a
  words_b: the number of words that are one token of b
  common: the number of words that are one token of both
  jaccard: these as a share of the words of either
  model_*: a model of the pair
```

The words that are one token of both models, as a share of the words of either *(Jaccard; section 7.1 of the
paper)*. tokens: the size of a model's whole vocabulary *(Table 4 of the paper)*.
"""

import itertools
from collections.abc import Collection, Mapping
from statistics import mean

import polars as pl

from relprobe.report.published import OURS, figures
from relprobe.studies.relations.published import LLAMA, MODEL_FAMILIES
from relprobe.studies.relations.relata import KEY
from relprobe.studies.relations.results import Results

PLACE = 16


def lexicon_coverage(
    lexicons: Mapping[str, pl.DataFrame],
    shared: pl.DataFrame,
    candidates: pl.DataFrame,
    gold: pl.DataFrame,
    relata: pl.DataFrame,
) -> pl.DataFrame:
    """Return, per model, the number of words that are one token of it, and the shares that these make up.

    `lexicons`: agent -> LEXICON. The shares are of the shared lexicon, of `candidates` (tuples of the sources, whatever the
    lexicon), of `gold` (tuples in the shared lexicon) and of `relata`. Models of the panel hold all of the shared lexicon; a
    model outside the panel can answer about its share of the targets, and name its share of the relata.
    """
    shares = ("shared_lexicon", "candidate_targets", "targets", "tuples", "relata")
    columns = {"agent": pl.String(), "words": pl.Int64(), **dict.fromkeys(shares, pl.Float64())}
    rows = []
    for agent, lexicon in lexicons.items():
        words = lexicon["word"].drop_nulls().unique().implode()
        target, relatum = pl.col("target").is_in(words), pl.col("relatum").is_in(words)
        rows.append(
            {
                "agent": agent,
                "words": len(words.item()),
                "shared_lexicon": _share(shared, pl.col("word").is_in(words)),
                "candidate_targets": _share(candidates.select(KEY).unique(), target),
                "targets": _share(gold.select(KEY).unique(), target),
                "tuples": _share(gold, target & relatum),
                "relata": _share(relata, target & relatum),
            }
        )
    return pl.DataFrame(rows, schema=columns)


def _share(table: pl.DataFrame, held: pl.Expr) -> float | None:
    share: float | None = table.select(held.mean()).item()
    return share


VOCABULARIES = pl.Schema(
    {
        "model_a": pl.String(),
        "model_b": pl.String(),
        "tokens_a": pl.UInt32(),
        "tokens_b": pl.UInt32(),
        "words_a": pl.UInt32(),
        "words_b": pl.UInt32(),
        "common": pl.UInt32(),
        "jaccard": pl.Float64(),  # common words as a share of the words of either
    }
)


def vocabularies(lexicons: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return how alike the vocabularies of the models are, pair by pair (VOCABULARIES; section 7.1 and Table 4).

    `lexicons`: model -> LEXICON. The tokens of a model are its whole vocabulary, and its words are those that are one token.
    On the words of its tokenizers we get the means that the paper prints: 0.41 for BERT, RoBERTa and ALBERT (0.40), and 0.51
    with OPT (0.50).

    >>> words = {"a": ["bird", "wing"], "b": ["bird", "wall", None]}
    >>> vocabularies({name: pl.DataFrame({"word": held}) for name, held in words.items()})["jaccard"].round(3).to_list()
    [0.333]
    """
    held = {model: set(table["word"].drop_nulls()) for model, table in lexicons.items()}
    rows = [
        (
            a,
            b,
            lexicons[a].height,
            lexicons[b].height,
            len(held[a]),
            len(held[b]),
            len(held[a] & held[b]),
            _ratio(len(held[a] & held[b]), len(held[a] | held[b])),
        )
        for a, b in itertools.combinations(held, 2)
    ]
    return pl.DataFrame(rows, schema=VOCABULARIES, orient="row")


def _ratio(part: int, total: int) -> float | None:
    return part / total if total else None


def _coverage(results: Results) -> pl.DataFrame:
    gold = results.gold
    return lexicon_coverage(results.lexicons or {}, gold.shared_lexicon, gold.tuples, gold.inside(), gold.relata)


def _vocabularies(results: Results) -> pl.DataFrame:
    return vocabularies(results.lexicons or {})


TABLES = {"coverage": _coverage, "vocabularies": _vocabularies}


def published_vocabularies(table: pl.DataFrame) -> pl.DataFrame:
    """Return the sizes of the families' vocabularies (Table 4) and how alike they are (section 7.1), from VOCABULARIES.

    The models of a family have one tokenizer, so that any of them stands for it.
    """
    with_llama = {**MODEL_FAMILIES, **LLAMA}
    family = {model: name for name, members in with_llama.items() for model in members}
    pairs = table.with_columns(pl.col("model_a", "model_b").replace_strict(family, default=None))
    pairs = pairs.drop_nulls(["model_a", "model_b"])
    sizes = {row[f"model_{side}"]: row[f"tokens_{side}"] for row in pairs.to_dicts() for side in "ab"}
    rows: list[tuple[str, str | None, str | None, float]] = [
        ("vocabulary size", None, name, size) for name, size in sizes.items() if name not in LLAMA
    ]
    alike = {frozenset((row["model_a"], row["model_b"])): row["jaccard"] for row in pairs.to_dicts()}
    masked = ["BERT", "RoBERTa", "ALBERT"]
    for condition, more in (("masked models", []), ("with OPT", ["OPT"]), ("with Llama-2", ["Llama-2"])):
        names = [*masked, *more]
        wanted = [frozenset(pair) for pair in itertools.combinations(names, 2)]
        if alike.keys() >= set(wanted):
            likeness = mean(alike[pair] for pair in wanted)
            rows.append(("mean Jaccard similarity of vocabularies", condition, None, likeness))
    return figures(pl.DataFrame(rows, schema=list(OURS)[:4], orient="row", infer_schema_length=None))


def published(tables: Mapping[str, pl.DataFrame], _models: Collection[str]) -> list[pl.DataFrame]:
    """Return what the paper prints of vocabularies (OURS)."""
    return [published_vocabularies(tables["vocabularies"])] if "vocabularies" in tables else []
