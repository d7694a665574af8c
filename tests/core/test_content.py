"""What is read from a file is its content: how it is written is no part of it, and each value is."""

import polars as pl
import pyarrow.parquet as pq
import pytest
from relprobe.core.content import content_digest, loaded_names
from relprobe.core.manifest import files_in, identity

YAML = "HYP:\n- id: kind\n  text: a [W] is a kind of [V]\n  after: no\n"
CSV = "target,relation,relatum\nrobin,HYP,bird\noak,HYP,tree\n"
TSV = 'target\trelatum\nrobin\t"bird"\n'
TABLE = pl.DataFrame({"word": ["robin", None, "oak"], "ids": [[1, 2], [], [3]], "value": [0.5, float("nan"), -1.0]})


def digest(folder, name, content):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return content_digest(path)


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("a.yaml", YAML, f"# of the paper\n{YAML}\n"),
        ("a.yaml", YAML, YAML.replace("  text: a [W] is a kind of [V]", '  text: "a [W] is a kind of [V]"  # (1)')),
        ("a.yml", YAML, "HYP: [{id: kind, text: 'a [W] is a kind of [V]', after: no}]"),
        ("a.yaml", YAML, YAML.replace("\n", "\r\n")),
        ("a.csv", CSV, f"\ufeff{CSV}"),
        ("a.csv", CSV, CSV.replace("\n", "\r\n").rstrip()),
        ("a.csv", CSV, CSV.replace("robin", '"robin"') + "\n,,\n"),
        ("a.CSV", CSV, CSV.replace("\n", "\n\n")),
        ("a.tsv", TSV, TSV.replace("\n", "\r\n")),
    ],
)
def test_how_a_file_is_written_is_no_part_of_it(tmp_path, name, one, other):
    assert digest(tmp_path, name, one) == digest(tmp_path, name, other)


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("a.yaml", YAML, YAML.replace("kind of", "sort of")),
        ("a.yaml", YAML, YAML.replace("no", "'no'")),
        ("a.yaml", YAML, YAML.replace("HYP", "MER")),
        ("a.yaml", "a: 1\nb: 2\n", "b: 2\na: 1\n"),  # the order of relations is that of tables
        ("a.yaml", "a: 1\n", "a: 1\na: 1\n"),  # which is refused when it is read
        ("a.yaml", "a: 1\n", "a: 1.0\n"),
        ("a.csv", CSV, CSV.replace("oak", "elm")),
        ("a.csv", CSV, CSV.replace("robin,", "robin ,")),
        ("a.csv", CSV, CSV.replace(",", ";")[:-1] + ",\n"),
        ("a.csv", CSV, "".join(reversed(CSV.splitlines(keepends=True)))),
        ("a.tsv", TSV, TSV.replace('"', "")),  # a quote is text between tabs
        ("a.txt", CSV, f"{CSV}\n"),
        ("a.csv", CSV, CSV.replace("oak", '"oak')),
        ("a.yaml", "a: [", "a: [["),
        ("a.csv", b"\xff\xfe", b"\xff\xfd"),
        ("a.parquet", b"PAR1", b"PAR2"),
    ],
)
def test_what_a_file_says_is_its_content(tmp_path, name, one, other):
    assert digest(tmp_path, name, one) != digest(tmp_path, name, other)


def test_a_parquet_file_is_its_columns(tmp_path):
    one, other = tmp_path / "one.parquet", tmp_path / "other.parquet"
    TABLE.write_parquet(one)
    table = pq.read_table(one).replace_schema_metadata({"relprobe": "{}"})
    pq.write_table(table, other, compression="snappy", row_group_size=1)
    assert one.read_bytes() != other.read_bytes()
    assert content_digest(one) == content_digest(other)
    changes = [
        TABLE.reverse(),
        TABLE.rename({"word": "text"}),
        TABLE.with_columns(pl.col("value").cast(pl.Float32)),
        TABLE.with_columns(word=pl.lit("robin")),
        TABLE.with_columns(pl.col("value") + 1e-12),
        TABLE.head(2),
    ]
    digests = set()
    for number, changed in enumerate(changes):
        changed.write_parquet(tmp_path / f"{number}.parquet")
        digests.add(content_digest(tmp_path / f"{number}.parquet"))
    assert len(digests | {content_digest(one)}) == len(changes) + 1


LOADED = ["config.json", "tokenizer.json", "vocab.txt", "merges.txt", "spiece.model", "chat_template.jinja"]
WEIGHTS = ["model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors", "model.safetensors.index.json"]
OTHERS = [
    "README.md",
    "LICENSE",
    "LICENSE.txt",
    "notice.txt",
    ".DS_Store",
    "model.onnx",
    "onnx/config.json",
    "figure.png",
]
TRAINING = [
    "trainer_state.json",
    "training_args.bin",
    "all_results.json",
    "checkpoint-500/model.safetensors",
    "notes.md",
]


def test_of_the_files_of_a_model_those_count_that_are_loaded():
    names = [
        *LOADED,
        *WEIGHTS,
        *OTHERS,
        *TRAINING,
        "pytorch_model.bin",
        "model.gguf",
        "additional_chat_templates/rag.jinja",
    ]
    assert loaded_names(names) == {*LOADED, *WEIGHTS, "additional_chat_templates/rag.jinja"}
    assert loaded_names(["config.json", "pytorch_model.bin", "training_args.bin"]) == {
        "config.json",
        "pytorch_model.bin",
    }
    assert loaded_names(["config.json", "pytorch_model.bin"], pickled=False) == {"config.json"}
    assert loaded_names(["model.gguf", "README.md"]) == {"model.gguf"}


@pytest.mark.parametrize("name", [*OTHERS, *TRAINING])
def test_what_is_not_loaded_changes_no_model(tmp_path, name):
    folder = tmp_path / "model"
    for own in (*LOADED, *WEIGHTS):
        (folder / own).parent.mkdir(parents=True, exist_ok=True)
        (folder / own).write_text(own)
    before = identity(str(folder), model=True), [*files_in(folder, model=True)]
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text("about the model")
    identity.cache_clear()
    assert (identity(str(folder), model=True), [*files_in(folder, model=True)]) == before
    assert identity(str(folder)) != before[0]
    (folder / "tokenizer.json").write_text("{}")
    identity.cache_clear()
    assert identity(str(folder), model=True) != before[0]
