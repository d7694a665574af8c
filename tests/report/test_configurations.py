"""What the page of two runs says of their configurations."""

import json

from relprobe.report.configurations import FILE, configuration_changes

OLD = {"relations": {"top_words": 10}, "models": {"m": {"size": 1}}, "compare": {"before": "x"}}


def test_the_keys_that_differ_are_named_with_their_values(tmp_path):
    (tmp_path / FILE).write_text(json.dumps(OLD))
    table, said = configuration_changes(
        tmp_path, {"relations": {"top_words": 5}, "models": {"m": {"size": 1}, "n": {"size": 2}}}
    )
    assert table.columns == ["key", "before", "after"]
    assert table.rows() == [("relations.top_words", "10", "5"), ("models.n.size", "–", "2")]
    assert said == "The configurations of the two runs differ in 2 keys."


def test_equal_configurations_and_a_run_that_kept_none_are_told_apart(tmp_path):
    assert "has kept no configuration.json" in configuration_changes(tmp_path, OLD)[1]
    (tmp_path / FILE).write_text(json.dumps(OLD))
    assert "are the same" in configuration_changes(tmp_path, {**OLD, "compare": {"before": "y"}})[1]
