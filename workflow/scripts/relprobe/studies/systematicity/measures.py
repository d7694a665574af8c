"""The metrics of the study, as its tests, tables and figures need them: those of section 3.1, and accuracy of section 4."""

from dataclasses import dataclass
from typing import Literal

from relprobe.core.metric import Metric
from relprobe.studies.systematicity.method import DETECTION_METRICS
from relprobe.studies.systematicity.schemas import VERIFIED


@dataclass(frozen=True)
class Accuracy(Metric):
    """A metric whose values say right (1) or wrong (0), so that its test in the paper columns is McNemar's.

    `title` is that of its panel; a metric without one stands in the tables alone. `published`: the quantity among the
    published figures.
    """

    test: Literal["McNemar", "Wilcoxon"] | None = "McNemar"
    items: str = "hyponyms"
    cluster: tuple[str, ...] = ("cluster",)
    clusters: str = "categories"
    published: str = ""


@dataclass(frozen=True)
class Detection(Accuracy):
    """The share of the seeds whose classifier is right on a pair. It is no 0 or 1, so the simple test is Wilcoxon's."""

    test: Literal["McNemar", "Wilcoxon"] | None = "Wilcoxon"
    items: str = "pairs"
    share: bool = True


MEASURES = (
    Accuracy("open@1", "open vocabulary, first answer", published="open vocabulary precision@1 (%)"),
    Accuracy("open@5", "open vocabulary, first five", published="open vocabulary precision@5 (%)"),
    Accuracy("singular", "singular", published="singular accuracy (%)"),
    Accuracy("plural", "plural", published="plural accuracy (%)"),
    Accuracy("contextual", "contextual", published="contextual accuracy (%)"),
    Accuracy("singular_plural", "singular and plural", published="paired singular-plural accuracy (%)"),
    Accuracy("aggregate", "all three", published="paired aggregate accuracy (%)"),
    Accuracy("singular_sentence"),
    Accuracy("plural_sentence"),
    Accuracy("contextual_sentence"),
    Accuracy("singular_plural_sentence"),
    Accuracy("aggregate_sentence"),
    *(Accuracy(name) for name in VERIFIED.values()),
    *(Detection(name) for name in DETECTION_METRICS.values()),
)
"""The metrics of the study, in the order of the overview (Table 2); `method.values` computes them."""
MOST = 0.5
"""A hyponym is recognised if more than this share of its answers are right; most agents have one answer."""
