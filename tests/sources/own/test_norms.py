"""Norms of people: the forms of Small World of Words, of McRae et al. and of CSLB."""

import pytest
from relprobe.core.errors import DataError
from relprobe.sources.own.norms import associations, feature_norms


def of(tmp_path, reader, *lines):
    path = tmp_path / "norms.csv"
    path.write_text("\n".join(lines) + "\n")
    return sorted(reader(path).rows())


def test_answers_of_participants_are_counted(tmp_path):
    header = "id,participantID,age,cue,R1,R2,R3"
    lines = ["1,3,33,robin,bird,red,NA", "2,4,20,robin,Unknown word,NA,NA", '3,5,61,robin,bird,"nest, egg",bird']
    assert of(tmp_path, associations, header, *lines) == [
        ("robin", None, "bird", 3), ("robin", None, "nest, egg", 1), ("robin", None, "red", 1)
    ]  # fmt: skip


@pytest.mark.parametrize("column", ["R1", "R123"])
def test_the_files_of_strengths_are_read(tmp_path, column):
    lines = [f"cue\tresponse\t{column}\tN\t{column}.Strength", "robin\tbird\t60\t100\t0.6"]
    assert of(tmp_path, associations, *lines) == [("robin", None, "bird", 60)]


def test_features_about_a_relation_are_read_and_others_are_not(tmp_path):
    lines = ["bat_(animal)\ta_mammal\t8", "bat_(animal)\thas_wings\t9", "bat_(animal)\tis_black\t5"]
    assert of(tmp_path, feature_norms, "Concept\tFeature\tProd_Freq", *lines) == [
        ("bat", "HYP", "mammal", 8), ("bat", "MER", "wings", 9)
    ]  # fmt: skip
    lines = ["animal,robin,is a bird,20", "animal,robin,has a beak,12", "animal,robin,is red,4"]
    assert of(tmp_path, feature_norms, "domain,concept,feature,pf", *lines) == [
        ("robin", "HYP", "bird", 20), ("robin", "MER", "beak", 12)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("reader", "lines", "sentence"),
    [
        (associations, ["word,answer", "a,b"], "must have cue, but 'word,answer' has no column cue"),
        (associations, ["cue,answer", "a,b"], "is it Small World of Words"),
        (feature_norms, ["concept,feature", "a,b"], "are these feature norms"),
        (feature_norms, ["concept,feature,pf", "robin,a_bird,many"], "line 2: 'many' is no number of people"),
        (associations, ["cue,R1,R2,R3", "robin,bird"], "line 2: 2 fields where 4 are expected"),
    ],
)
def test_a_file_of_another_form_is_named(tmp_path, reader, lines, sentence):
    with pytest.raises(DataError, match=sentence):
        of(tmp_path, reader, *lines)
