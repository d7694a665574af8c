"""What codes in the tables of the systematicity study are called on its page."""

from relprobe.studies.systematicity.measure.metrics import MEASURES

NAMES = {
    **{metric.name: metric.title for metric in MEASURES if metric.title and metric.title != metric.name},
    **{f"{kind}_sentence": f"{kind}, full sentence" for kind in ("singular", "plural", "contextual")},
    "singular_plural_sentence": "singular and plural, full sentence",
    "aggregate_sentence": "all three, full sentence",
    "verified_singular": "singular, verified",
    "verified_plural": "plural, verified",
    "detection": "classifier",
    "detection_partial": "classifier, hypernym alone",
}
