"""The groups of the probes have the properties of their words."""

from relprobe.sources.own.definitions import Entry
from relprobe.studies.definitions.analyses.leaks import COLUMNS
from relprobe.studies.definitions.dictionary import entry_synsets
from relprobe.studies.definitions.probes import probe_tables as build
from relprobe.studies.definitions.properties import Frequencies, candidate_words, group_properties
from relprobe.studies.definitions.schemas import PROPERTIES, WORDS

from tests.studies.definitions.data.test_properties import COUNTS


def test_the_groups_have_their_words_properties():
    words = ["nod", "beckon", "wink", "bow", "warm up"]
    entries = [
        Entry(word, "verb", f"to {word} once" if word == "nod" else f"meaning {i}", "g") for i, word in enumerate(words)
    ]
    _, probes, rows = build(entry_synsets(entries))
    table = group_properties(rows, Frequencies("en", COUNTS))
    assert dict(table.schema) == {**PROPERTIES, **COLUMNS}
    about = {
        row["word"]: (row["uses"], row["tokens"], row["leak"], row["depth"]) for row in table.iter_rows(named=True)
    }
    assert about["nod"] == (310, 1, "names", None)
    assert about["warm up"] == (12, 2, None, None)
    assert about["beckon"] == (0, 1, None, None)
    words = Frequencies("en", COUNTS).table(candidate_words(probes))
    assert dict(words.schema) == dict(WORDS)
    uses = dict(words.iter_rows())
    assert {*uses} == {"nod", "beckon", "wink", "bow", "warm up", "to", "once", "meaning", "1", "2", "3", "4"}
    assert (uses["nod"], uses["meaning"]) == (310, 0)
