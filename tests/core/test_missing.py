"""What a run goes on without: its file, and the sentence on it."""

import pytest
from relprobe.core.errors import DataError
from relprobe.core.missing import FILE, Missing, read, summary, write

GONE = [Missing("degrees", "m", "could not be fetched", "no such name")]


def test_what_is_missing_is_written_and_read_again_and_the_file_goes_with_it(tmp_path):
    assert read(tmp_path) == []
    write(tmp_path, GONE)
    assert read(tmp_path) == GONE
    write(tmp_path, [])
    assert not (tmp_path / FILE).exists()
    write(tmp_path, [])
    for text in ("[]", '{"missing": [{"study": "degrees"}]}', "{}"):
        (tmp_path / FILE).write_text(text)
        with pytest.raises(DataError, match="is damaged: delete it, and run again"):
            read(tmp_path)


def test_the_sentence_says_who_is_missing_where():
    """Of a model that one of two studies lacks, the study is named; of one that all lack that ask it, none is."""
    three = ["m", "n", "o"]
    assert summary(GONE, three, {"degrees": three, "pairs": three}) == (
        "2 of 3 models are here: m could not be fetched (no such name), and is missing in degrees; the next run takes it up."
    )
    both = [*GONE, Missing("pairs", "m", "failed in the step pairs_scores", "killed")]
    assert summary(both, three, {"degrees": three, "pairs": three}) == (
        "2 of 3 models are here: m could not be fetched (no such name); the next run takes it up."
    )
    two = [*GONE, Missing("degrees", "n", "failed in the step degrees_scores", "killed")]
    assert summary(two, three, {"degrees": three}) == (
        "1 of 3 models is here: m could not be fetched (no such name); n failed in the step degrees_scores (killed); the "
        "next run takes them up."
    )
    study = Missing("degrees", "", "failed in the step degrees_show", "killed")
    assert summary([study], three, {"degrees": three}) == (
        "The study degrees failed in the step degrees_show (killed); the next run takes it up."
    )
    assert summary([study, *GONE], three, {"degrees": three}) == summary([study], three, {"degrees": three})
