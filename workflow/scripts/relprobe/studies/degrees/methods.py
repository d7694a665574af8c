"""What the methods of a manuscript say of the degrees study."""

from collections.abc import Iterator

from relprobe.core.words import amount, enumeration
from relprobe.paper.run import Run

PHRASES = {
    "schema": "the log-probability of a sentence of the pair",
    "schema-mean": "its mean over tokens",
    "analogy": "the log-probability of an analogy with the paradigms",
    "analogy-mean": "its mean over tokens",
    "pmi": "the pointwise mutual information of the two words",
    "hidden": "the offsets of hidden states",
}


def sentences(run: Run) -> Iterator[str]:
    """Yield what was asked, what counts as right, and which metrics by which sections."""
    number = dict(run.tables["data"].select("quantity", "value").iter_rows())
    yield (
        "The study of degrees follows [@jurgens2012]: how prototypical is a pair of words for its relation, as people rate "
        "it?"
    )
    source = "those of the task" if run.has["questions"] else "our own ratings"
    subcategories = amount(number["subcategories"], "subcategory", "subcategories")
    training = f"{number['training subcategories']:,.0f} for training"
    yield f"The pairs are {source}: {amount(number['pairs'], 'pair')} in {subcategories} ({training})."
    if number["reversed pairs"]:
        yield f"Of the pairs, {number['reversed pairs']:,.0f} reverse the words of another one."
    yield f"A model rates a pair by {enumeration(PHRASES[rater] for rater in run.section['raters'])}."
    metrics = ["Spearman's rank correlation with people's ratings"]
    if run.has["questions"]:
        questions = amount(number["MaxDiff questions"], "MaxDiff question")
        metrics.append(f"the percentage of {questions} in which the choice is the majority's")
    yield f"The metrics (section 4.1 of [@jurgens2012]) are {enumeration(metrics)}."
    yield "Ties count by their mean over all orders."
    yield f"Random ratings have seed {run.section['seed']}."
