"""What the methods of a manuscript say of the analogies study."""

from collections.abc import Iterator

from relprobe.core.words import amount, enumeration
from relprobe.paper.run import Run, plain

PERPLEXITY = {"sentence": "the perplexity of the sentence (Eq. 1 of [@rezaee2022])", "token": "the perplexity by token"}


def sentences(run: Run) -> Iterator[str]:
    """Yield what was asked, what was left out, what counts as right, and which metrics by which equations."""
    yield (
        "The study of analogies follows [@rezaee2022]: which of two pairs of words is related as the pair of the query is "
        "(unsupervised), and is a pair in the relation (supervised)?"
    )
    data = run.tables["data"]
    yield f"The pairs are {_source(run)}: {amount(data.height, 'relation')}."
    split, sample = run.section["split"], run.section["sample"]
    tuples = sorted({round(train + test) for train, test in data.select("train_tuples", "test_tuples").iter_rows()})
    span = f"{tuples[0]:,}" if len(tuples) == 1 else f"{tuples[0]:,} to {tuples[-1]:,}"
    yield f"A relation has {span} pairs, which {amount(split['draws'], 'split')} divide (seed {split['seed']})."
    if sample.get("instances"):
        yield f"At most {amount(sample['instances'], 'instance')} of each kind are drawn in a partition."
    yield (
        "In the unsupervised setting, a model prefers the pair with the lower value of "
        f"{PERPLEXITY[run.section['unsupervised']['perplexity']]}, in the template “{plain(run.section['template'])}”. "
        "A tie counts one half."
    )
    if any(name.startswith("supervised") for name in run.metrics):
        seeds = run.section["supervised"]["seeds"]
        named = f"{'seed' if len(seeds) == 1 else 'seeds'} {enumeration(map(str, seeds))}"
        yield f"In the supervised setting, a classifier reads the states of the model ({named})."
    yield "The metric is accuracy, by the way in which the wrong pair misses the relation (section 2.2 of [@rezaee2022])."


def _source(run: Run) -> str:
    if "demonstration_analogies" in run.resources and not run.has["benchmark"]:
        return "a demonstration, which is no benchmark"
    return "those of BATS [@gladkova2016]" if "own_analogies" not in run.resources else "our own"
