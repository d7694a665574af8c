"""The majority baselines of the released items."""

import polars as pl
import pytest
from relprobe.sources.systematicity import items
from relprobe.stats.averages import averages
from relprobe.studies.systematicity.baselines import majority
from relprobe.studies.systematicity.measures import MEASURES
from relprobe.studies.systematicity.schemas import PAIRS

from tests.sources.made.systematicity_data import DATA

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the authors' data are not there")


@pytest.fixture(scope="module")
def asked():
    return items(DATA)


def test_the_majority_baselines_are_the_published_ones(asked):
    means = averages({"majority": majority(asked, pl.DataFrame(schema=PAIRS))}, MEASURES)
    value = {(row["condition"], row["metric"]): row["value"] for row in means.iter_rows(named=True)}
    for metric in ("singular", "plural", "singular_plural"):
        assert value["extended", metric] == 132 / 576  # 22.92 %
    for metric in ("contextual", "aggregate"):
        assert value["extended", metric] == 59 / 186  # 31.72 %
    assert {value["diagnostic", metric] for metric in ("singular", "plural", "contextual", "aggregate")} == {2 / 18}
