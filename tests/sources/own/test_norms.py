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


def test_what_stands_for_no_response_is_none_and_the_answers_of_all_three_columns_count(tmp_path):
    lines = ["robin,bird,NA,No more responses", "robin,Unknown word,red,", "robin,,,bird", "owl,na,Bird,NA"]
    assert of(tmp_path, associations, "cue,R1,R2,R3", *lines) == [
        ("owl", None, "Bird", 1), ("owl", None, "na", 1), ("robin", None, "bird", 2), ("robin", None, "red", 1)
    ]  # fmt: skip
    assert of(tmp_path, associations, "cue,R2", "robin,red") == [("robin", None, "red", 1)]


def test_of_two_columns_of_numbers_that_of_all_three_answers_counts(tmp_path):
    lines = ["cue,response,R1,R123", "robin,bird,60,90", "robin,bird,1,2", "robin,red,0,0"]
    assert of(tmp_path, associations, *lines) == [("robin", None, "bird", 92), ("robin", None, "red", 0)]


@pytest.mark.parametrize(
    ("feature", "found"),
    [
        ("is an animal", ("HYP", "animal")), ("an animal", ("HYP", "animal")), ("a_kind of_owl", ("HYP", "kind of owl")),
        ("has an eye", ("MER", "eye")), ("has a beak", ("MER", "beak")), ("has  two_legs", ("MER", "two legs")),
        ("is red", None), ("lays a egg", None), ("a", None), ("has", None), ("it has wings", None),
    ],
)  # fmt: skip
def test_features_that_are_about_a_relation(tmp_path, feature, found):
    rows = of(tmp_path, feature_norms, "concept,feature,pf", "owl,a bird,3", f"owl,{feature},5")
    assert [row[1:] for row in rows if row[2] != "bird"] == ([(*found, 5)] if found else [])


def test_people_of_equal_features_are_added_and_mcraes_column_goes_before_others(tmp_path):
    """So do those of a concept in two senses, which parentheses tell apart."""
    header = "concept,feature,production_frequency,pf,prod_freq"
    lines = ["bat (animal),has wings,1,2,1000000", "bat_(baseball),has_wings,1,2,4", "bat,a bird,1,2,5"]
    assert of(tmp_path, feature_norms, header, *lines) == [("bat", "HYP", "bird", 5), ("bat", "MER", "wings", 1000004)]
    for name in ("pf", "production_frequency"):
        assert of(tmp_path, feature_norms, f"concept,feature,{name}", "bat,a bird,7") == [("bat", "HYP", "bird", 7)]
    with pytest.raises(DataError, match="line 2: '1000001' is no number of people"):
        of(tmp_path, feature_norms, header, "bat,has wings,1,2,1000001")


def test_a_file_in_which_nobody_named_anything_is_refused(tmp_path):
    for reader, lines in (
        (associations, ["cue,R1", "robin,NA"]),
        (feature_norms, ["concept,feature,pf", "robin,red,5"]),
    ):
        with pytest.raises(DataError, match="has no row that says what people named"):
            of(tmp_path, reader, *lines)
