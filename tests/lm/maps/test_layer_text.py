"""The sentences that maps of layers are fitted on."""

import pytest
from relprobe.core.errors import DataError
from relprobe.lm.maps.layer_text import layer_text


def test_so_many_sentences_are_drawn_in_one_order():
    every = [f"a sentence of number {i}" for i in range(300)]
    drawn = layer_text(every, sentences=120)["sentence"].to_list()
    assert len(set(drawn)) == 120
    assert set(drawn) <= set(every)
    assert drawn == layer_text(every, sentences=120)["sentence"].to_list() != sorted(drawn)
    assert layer_text(every, sentences=400).height == 300


def test_the_lines_of_an_own_file_count_once(tmp_path):
    file = tmp_path / "text.txt"
    file.write_text("".join(f"the line  {i % 150} of it\n\n" for i in range(300)))
    assert layer_text(file=file, sentences=1000).height == 150


def test_too_few_lines_are_an_error(tmp_path):
    file = tmp_path / "text.txt"
    file.write_text("one line of text\n" * 200)
    with pytest.raises(DataError, match=r"text\.txt has 1 sentences, one a line: maps of layers need 100 or more"):
        layer_text(file=file, sentences=1000)


def test_lines_stand_as_they_were_published_and_a_step_without_sentences_draws_none(tmp_path):
    file = tmp_path / "text.txt"
    file.write_text("".join(f"die Zahl {i} ist gro\u0308ßer\n" for i in range(100)), encoding="utf-8")
    assert layer_text(file=file, sentences=100).height == 100  # so many are enough
    assert layer_text(sentences=5).is_empty()
