"""What the methods of a manuscript say of the definitions study."""

from collections.abc import Iterator

import polars as pl

from relprobe.core.words import amount, enumeration
from relprobe.paper.run import Run, plain
from relprobe.studies.definitions.schemas import POS

TIES = {
    "expected": "Candidates of equal score count by their expected value over all orders.",
    "drawn": "Candidates of equal score stand in an order that was drawn.",
}
STAGES = {
    "the benchmark": "The benchmark keeps those with enough different words and definitions",
    "this run's sample": "The groups that were asked are a sample of these",
}
"""The groups of a table of sizes -> how a sentence about them begins."""


def sentences(run: Run) -> Iterator[str]:
    """Yield what was asked, what was left out, what counts as right, and which metrics by which equations."""
    yield (
        "The study of definitions follows [@senel2021]: agents match a word with one of several definitions (W2D), and a "
        "definition with one of several words (D2W)."
    )
    source = "WordNet [@miller1995]" if run.has["paper"] else "our own dictionary"
    yield f"The groups of candidates are from {source}."
    data = run.tables["data"].filter(pl.col("condition").is_in(POS), pl.col("groups") > 0)
    for stage in data["groups_of"].unique(maintain_order=True):
        rows = data.filter(groups_of=stage).select("condition", "groups", "families").iter_rows()
        counts = [f"{amount(groups, f'{pos} group')} in {amount(n, 'family', 'families')}" for pos, groups, n in rows]
        yield f"{STAGES.get(stage, f'Groups of {plain(stage)}')}: {enumeration(counts)}."
    if isinstance(run.section["sample"], dict) and any(run.section["sample"].get(pos) for pos in POS):
        yield f"The sample was drawn at random (seed {run.section['sample']['seed']})."
    yield "An answer is right if the candidate of the target is ranked first."
    yield TIES[run.section["choices"]["ties"]]
    present = [name for name in ("P@1", "RS") if any(name in metric for metric in run.metrics)]
    texts = {
        "P@1": "precision at 1 (P@1)",
        "RS": "the rank score RS = (L − k)/(L − 1) for the rank k of the right one among L candidates",
    }
    yield f"The metrics are {enumeration(texts[name] for name in present)} (section 2.4 of [@senel2021])."
