import polars as pl
import pytest
from relprobe.core.errors import DataError
from relprobe.sources.systematicity import grounded_pairs, items, span_of

from tests.sources.made.systematicity_data import write


@pytest.fixture
def folder(tmp_path):
    return write(tmp_path / "data")


def edit(folder, name, old, new):
    path = next(folder.rglob(name)) if "/" not in name else next(folder.rglob(name.split("/")[0])) / name.split("/")[1]
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return path


def test_prompts_end_in_a_period_and_have_a_slot(folder):
    row = items(folder).row(0, named=True)
    assert (row["set"], row["hyponym"], row["hyponym_plural"]) == ("diagnostic", "robin", "robins")
    assert (row["category"], row["category_plural"]) == ("bird", "birds")
    assert (row["singular"], row["plural"]) == ("A robin is a [V].", "robins are [V].")


def test_an_item_has_its_sentence(folder):
    sentences = dict(items(folder).select("hyponym", "sentence").iter_rows())
    assert sentences["ant"] == 'An elephant and an ant ( " Formica " ) met .'
    assert sentences["wren"] is None


def test_a_word_is_found_as_a_whole_and_the_plural_where_there_is_no_singular():
    assert span_of('An elephant and an ant ( " Formica " ) met .', ["ant", "ants"]) == (19, 22)  # not in "elephant"
    assert span_of("Hand saws have a thick blade .", ["saw", "saws"]) == (5, 9)
    assert span_of("The saws and the Saw", ["saw", "saws"]) == (17, 20)  # the singular goes before the plural
    assert span_of("A sawmill", ["saw", "saws"]) is None
    assert span_of("Rose gave a rose to Rose .", ["rose", "roses"]) == (12, 16)  # as it is written before any case
    assert span_of("ROSE and Rose met", ["rose", "roses"]) == (0, 4)


def test_the_sets_stand_one_after_the_other(folder):
    assert items(folder)["set"].to_list() == ["diagnostic"] * 3 + ["extended"] * 3


def test_a_contextual_sentence_without_its_hyponym_is_an_error(folder):
    path = edit(folder, "LM-Diagnostic-Extended/contextual.tsv", "The car has", "The cart has")
    with pytest.raises(DataError, match=rf"{path}, line 1: the sentence lacks 'car': 'The cart has four wheels \.'"):
        items(folder)


@pytest.mark.parametrize(
    ("name", "old", "new", "sentence"),
    [
        (
            "LM-Diagnostic/singular.tsv",
            "A saw is a [MASK]",
            "Saw: [MASK]",
            "line 3: the prompt 'Saw: .MASK.' does not have",
        ),
        ("LM-Diagnostic/plural.tsv", "robins are [MASK]\tbirds\n", "", "3 prompts and plural.tsv 2"),
        ("LM-Diagnostic/singular.tsv", "\tinsect", "", "line 2: 2 filled fields are expected"),
        ("LM-Diagnostic/contextual.tsv", "ant\t", "bee\t", "line 2: 'bee' is no hyponym of singular.tsv"),
    ],
)
def test_a_line_of_another_form_is_an_error(folder, name, old, new, sentence):
    edit(folder, name, old, new)
    with pytest.raises(DataError, match=sentence):
        items(folder)


def test_a_missing_file_is_an_error(folder):
    next(folder.rglob("LM-Diagnostic/plural.tsv")).unlink()
    with pytest.raises(DataError, match=r"plural\.tsv is missing: give the authors' repository as it is\."):
        items(folder)


def test_another_folder_is_an_error(tmp_path):
    with pytest.raises(DataError, match="must hold one folder Syntagmatic, but holds 0"):
        items(tmp_path)


def test_a_folder_is_found_beside_a_file_of_its_name_and_must_be_the_only_one(folder):
    expected = items(folder)
    home = next(folder.rglob("Syntagmatic"))
    (folder / "notes").mkdir()
    (folder / "notes/Syntagmatic").write_text("a note")
    assert items(folder).equals(expected)
    (folder / "copy" / home.name).mkdir(parents=True)
    with pytest.raises(DataError, match="must hold one folder Syntagmatic, but holds 2"):
        items(folder)


def test_pairs_have_the_spans_of_their_words(folder):
    pairs = grounded_pairs(folder)
    assert set(pairs["part"]) == {"train", "dev", "test"}
    assert set(pairs["fold"]) == {1, 2, 3}
    for word in ("hyponym", "hypernym"):
        span = pl.col(f"{word}_text").str.slice(
            pl.col(f"{word}_start"), pl.col(f"{word}_stop").cast(pl.Int64) - pl.col(f"{word}_start")
        )
        assert pairs.select((span == pl.col(word)).all()).item()


def test_a_word_is_found_in_capitals_where_it_is_nowhere_as_written(folder):
    edit(folder, "test_detection_systematic_split1.tsv", "Number 0 is a wren", "Number 0 is Wren")
    row = grounded_pairs(folder).filter(hyponym="wren", part="test", fold=1).row(0, named=True)
    assert row["hyponym_text"][row["hyponym_start"] : row["hyponym_stop"]] == "Wren"


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("is a wren", "is a hen", "line 1: the sentence lacks 'wren'"),
        ("The bird", "The birds", "line 1: the sentence lacks 'bird'"),
        ("\tbird\t1", "\tbird\tyes", "line 1: the label is 'yes', but must be 0 or 1"),
    ],
)
def test_a_pair_of_another_form_is_an_error(folder, old, new, sentence):
    edit(folder, "test_detection_systematic_split1.tsv", old, new)
    with pytest.raises(DataError, match=sentence):
        grounded_pairs(folder)


def test_a_quote_that_is_never_closed_is_named(folder):
    path = edit(folder, "LM-Diagnostic/contextual.tsv", "robin\t", f'robin\t"{"x" * 140_000}')
    with pytest.raises(
        DataError, match=rf"{path.name}, line \d+: a field has more than 131,072 characters: is a quote not closed"
    ):
        items(folder)
