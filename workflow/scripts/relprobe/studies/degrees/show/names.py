"""What codes in the tables of the degrees study are called on its page."""

from collections.abc import Mapping

from relprobe.studies.degrees.measure.metrics import WITHOUT

MEANS = {"rho": "Spearman's ρ", "maxdiff": "MaxDiff accuracy"}
COUNTS = {
    "significant_05": "subcategories with p < 0.05",
    "significant_01": "subcategories with p < 0.01",
    "negative_05": "subcategories with p < 0.05 and a negative ρ",
}


def _both(names: Mapping[str, str]) -> dict[str, str]:
    """Return the names of metrics over all pairs, and of the same without the reversed pairs."""
    return {**names, **{code + WITHOUT: f"{name} without reversals" for code, name in names.items()}}


NAMES = {
    **_both(MEANS),
    **{f"{code}_{end}": f"{name}, {end}" for code, name in _both(MEANS).items() for end in ("low", "high")},
    **_both(COUNTS),
    "reversal_rmse": "RMSE of reversals",
    "mean_rho": "mean of Spearman's ρ",
}
