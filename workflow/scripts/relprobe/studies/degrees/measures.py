"""The metrics of the study, as its tests, tables and figures need them; `method.values` says what each of them is."""

from relprobe.core.metric import Metric
from relprobe.studies.degrees.method import WITHOUT

HEADLINES = ("rho", "maxdiff")
"""The metrics that agents are tested in and raters are chosen by, each with and without the reversed pairs."""
TESTED = tuple(name + ending for name in HEADLINES for ending in ("", WITHOUT))
COUNTED = ("significant_05", "significant_01", "negative_05")
MEASURES = (
    *(Metric(name, items="subcategories") for name in TESTED),
    *(Metric(f"p{ending}", less_is_better=True, test=None, items="subcategories") for ending in ("", WITHOUT)),
    *(
        Metric(name + ending, test=None, items="subcategories", share=True)
        for name in COUNTED
        for ending in ("", WITHOUT)
    ),
    *(Metric(name, test=None, items="subcategories") for name in ("least", "most")),
    Metric("rated", test=None, items="subcategories", share=True),
    Metric("constant", less_is_better=True, test=None, items="subcategories", share=True),
    Metric(
        "reversal_error",
        less_is_better=True,
        test=None,
        items="reversed pairs",
        cluster=("cluster",),
        clusters="subcategories",
    ),
)
"""The metrics of the study. A subcategory is a cluster in all of them."""
