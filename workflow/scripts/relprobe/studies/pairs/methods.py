"""What the methods of a manuscript say of the pairs study."""

from collections.abc import Iterator

from relprobe.core.sums import ordered_sum
from relprobe.core.words import amount, enumeration
from relprobe.paper.run import Run
from relprobe.studies.pairs.data import HYPERLEX, OWN
from relprobe.studies.pairs.schemas import RIGHT

JUDGES = {
    "statement": "the log-probability of the second word after a statement about the first",
    "sentence": "the log-probability of the whole statement",
    "pmi": "their pointwise mutual information",
    "verification": "the log-odds of yes and no as answers to a question, over both orders of the options, less those of "
    "the question without content [@zhao2021]",
    "embedding": "the cosine of their hidden states",
}


def sentences(run: Run) -> Iterator[str]:
    """Yield what was asked, what counts as right, and which metrics."""
    data = run.tables["data"]
    conditions = data["condition"].unique(maintain_order=True).to_list()
    pairs, right = float(data["pairs"].sum()), data.filter(kind=RIGHT).select(ordered_sum("pairs")).item() or 0
    yield "The study of pairs asks whether, and how much, the two words of a pair are related."
    yield f"It has {amount(pairs, 'pair')}, of which {right:,.0f} are related."
    if any(not name.startswith((HYPERLEX, OWN)) for name in conditions):
        yield "The pairs of WordNet [@miller1995] have foils as those of BLESS [@baroni2011]."
    if any(name.startswith(HYPERLEX) for name in conditions):
        yield "The ratings from 0 to 6 are those of HyperLex [@vulic2017]."
    if any(name.startswith(OWN) for name in conditions):
        yield "Other pairs are our own."
    yield f"A model judges a pair by {enumeration(JUDGES[judge] for judge in run.section['judges'])}."
    yield (
        "As controls of its own, each judge is asked with the first or the second word left out, as a model may know which "
        "words are typical of a relation [@levy2015]."
    )
    measured = []
    if "ap" in run.metrics:
        measured.append("average precision of the pairs of a target")
    if "auc" in run.metrics:
        measured.append("the area under the ROC curve of all pairs")
    if "rho" in run.metrics:
        measured.append("Spearman's rank correlation with people's ratings")
    if measured:
        yield f"The metrics are {enumeration(measured)}."
    yield "Equal scores are passed at once in average precision, and share their places elsewhere."
