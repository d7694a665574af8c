"""What section 6 of the paper finds stands beside what a run has, under the same names."""

import polars as pl
from relprobe.report.published import compare_published, read
from relprobe.studies.degrees.analyses.difficulty import MEAN, SPREADS, section_6_values

from tests.paths import ROOT

SECTION_6 = read(ROOT / "resources/published/degrees.csv").filter(where="Section 6")


def test_the_findings_of_section_6_have_their_values():
    names = ["Sequence", "Functional", "Part", "Contrary", "Attribute Similarity"]
    difficulty = pl.DataFrame({"name": names, "drop": [32.5, 20.0, 9.0, -0.8, 0.2]})
    spread = pl.DataFrame(
        [(MEAN, name, p, 69) for name, p in zip(SPREADS.values(), (0.4, 0.01), strict=True)],
        schema=["agent", "spread", "p", "subcategories"],
        orient="row",
    )
    table = compare_published(SECTION_6, pl.concat(section_6_values(difficulty, spread)))
    assert table["ours"].to_list() == [1, 2, 2, 1, 0, 1]
    assert table["difference"].to_list() == [0, 0, 0, 0, 0, 1]  # the second spread is significant here
    assert set(table["where"]) == {"Section 6"}
