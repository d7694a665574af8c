"""What codes in the tables of the relations study are called on its page, beside those of the relations."""

from relprobe.report.shown import page_of
from relprobe.studies.relations.compare.frequency import FREQUENCIES
from relprobe.studies.relations.measure.measures import AUDC, AUDC_PRINTED, RECIPROCITY

COMPARED = ("size_averages", "size_differences", "size_reversals", "best_by_type", "wins_by_type")
NAMES = {
    **{code: name for code, name in FREQUENCIES.items() if code != name},
    **{f"frequency_{code}": name for code, name in FREQUENCIES.items() if code != name},
    **{measure.name: measure.title for measure in (AUDC, AUDC_PRINTED)},
    "in_audc": "in AuDC",
    RECIPROCITY: "symmetry or asymmetry",
    # The table of what was left out of comparisons names their tables.
    **{shown.name: shown.title for shown in page_of("relations").exhibits if shown.name in COMPARED},
}
