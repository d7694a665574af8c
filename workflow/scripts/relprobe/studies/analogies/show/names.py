"""What codes in the tables of the analogies study are called on its page."""

from relprobe.studies.analogies.measure.metrics import ALL
from relprobe.studies.analogies.schemas import SETTINGS

HALVES = {"random_head": "random (head)", "random_tail": "random (tail)"}
NAMES = {
    **HALVES,
    **{f"{setting} {probe}": f"{setting} {name}" for setting in SETTINGS for probe, name in HALVES.items()},
    ALL: "all",
}
