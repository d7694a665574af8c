"""The metrics of the study, as its tests, tables and figures need them; `method.values` says what each of them is."""

from math import inf

from relprobe.core.metric import Metric
from relprobe.studies.degrees.method import WITHOUT

HEADLINES = ("rho", "maxdiff")
"""The metrics that agents are tested in and raters are chosen by, each with and without the reversed pairs."""
TESTED = tuple(name + ending for name in HEADLINES for ending in ("", WITHOUT))
BOUNDS = {"rho": (-1.0, 1.0), "maxdiff": (0.0, 100.0)}
COUNTED = ("significant_05", "significant_01", "negative_05")
MEASURES = (
    *(Metric(name, bounds=BOUNDS[name.split("_")[0]], items="subcategories") for name in TESTED),
    *(
        Metric(f"p{ending}", bounds=(0, 1), less_is_better=True, test=None, items="subcategories")
        for ending in ("", WITHOUT)
    ),
    *(
        Metric(name + ending, test=None, items="subcategories", share=True)
        for name in COUNTED
        for ending in ("", WITHOUT)
    ),
    *(Metric(name, bounds=(0, 100), test=None, items="subcategories") for name in ("least", "most")),
    Metric("rated", test=None, items="subcategories", share=True),
    Metric("constant", less_is_better=True, test=None, items="subcategories", share=True),
    Metric(
        "reversal_error",
        bounds=(0, inf),
        less_is_better=True,
        test=None,
        items="reversed pairs",
        cluster=("cluster",),
        clusters="subcategories",
    ),
)
"""The metrics of the study. A subcategory is a cluster in all of them."""
