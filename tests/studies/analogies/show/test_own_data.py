"""The tables and figures of a study with data of its own."""

import numpy as np
import polars as pl
from relprobe.report.agent_styles import FigureSettings
from relprobe.stats.averages import averages
from relprobe.studies.analogies.analyses.relations import by_relation
from relprobe.studies.analogies.measures import MEASURES
from relprobe.studies.analogies.method import Split, by_features, instances, tuples
from relprobe.studies.analogies.method import values as metrics
from relprobe.studies.analogies.relations import read_own
from relprobe.studies.analogies.results import FigureFiles
from relprobe.studies.analogies.schemas import CONTRASTS_OF_CONDITIONS
from relprobe.studies.analogies.show import figures
from relprobe.studies.analogies.tables import by_group, data

from tests.studies.analogies.ask.test_own_data import file

NO_QUERIES = pl.DataFrame(schema=CONTRASTS_OF_CONDITIONS)


class Signs:
    """Vectors of pairs, of one number each: 1 if the words are in the order of the alphabet, else -1."""

    def pair_embeddings(self, pairs):
        return np.array([[1.0 if head < tail else -1.0] for head, tail in pairs.iter_rows()])


def test_groups_and_marks_of_own_data_stand_in_the_tables_and_figures(tmp_path):
    pairs = read_own(file(tmp_path))
    table = tuples(pairs, None, Split(0.5, seed=1))
    built = instances(table, pairs, None, 1)
    decisions = pl.concat(by_features(rows, Signs()) for _, rows in built.group_by("relation", maintain_order=True))
    means = averages({"static": metrics(decisions, table)}, MEASURES)
    groups = by_group(means, table, NO_QUERIES)["group"].to_list()
    assert groups == ["things", "animals", "All", "unmarked"]  # all of the animals' relations are marked
    rows = by_relation(means, table, NO_QUERIES).select("group", "relation", "marks").rows()
    assert rows == [("things", "sizes", ""), ("animals", "opposites", "∗†"), ("animals", "sounds", "∗")]
    relations = [("things", "sizes"), ("animals", "opposites"), ("animals", "sounds")]
    assert data(table, built).select("group", "relation").rows() == relations
    by_name = table.sort("relation", descending=True)  # groups keep the order of their first tuples
    relations = [("animals", "opposites"), ("animals", "sounds"), ("things", "sizes")]
    assert data(by_name, built).select("group", "relation").rows() == relations
    files, names = FigureFiles(averages=means, tuples=table), ["relations_unsupervised"]
    drawn = {name: draw() for name, draw in figures(files, FigureSettings(names, {"static": "control"}))}
    labels = [label.get_text() for label in drawn["relations_unsupervised"].axes[0].get_yticklabels()]
    assert labels == ["sizes", "opposites ∗†", "sounds ∗"]
