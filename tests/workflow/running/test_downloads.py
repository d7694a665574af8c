"""Two studies of one user: what the first has downloaded, the second takes from the user's cache."""

import functools
import hashlib
import http.server
import threading

import pytest

from tests.workflow.toy import Study


class Counting(http.server.SimpleHTTPRequestHandler):
    asked: list[str]

    def do_GET(self):
        self.asked.append(self.path)
        super().do_GET()

    def log_message(self, *_):
        pass


@pytest.fixture
def files(tmp_path):
    """The address of a server of the folder `files`, and the paths that it was asked for."""
    (tmp_path / "files").mkdir()
    Counting.asked = []
    handler = functools.partial(Counting, directory=tmp_path / "files")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}).start()
        yield f"http://127.0.0.1:{server.server_port}", Counting.asked
        server.shutdown()


def test_a_second_study_fetches_nothing(finished, files, tmp_path):
    address, asked = files
    tuples = (finished.folder / "data/tuples.csv").read_bytes()
    (tmp_path / "files/tuples.csv").write_bytes(tuples)
    source = {"url": f"{address}/tuples.csv", "sha256": hashlib.sha256(tuples).hexdigest()}
    environment = {**finished.environment, "RELPROBE_CACHE": str(tmp_path / "cache"), "no_proxy": "127.0.0.1"}
    for name in ("first", "second"):
        study = Study(finished.copy(tmp_path / name).folder, environment)
        study.configure(resources={**study.config["resources"], "own_tuples": source})
        study.finish("resources/fetched/own_tuples.json")
        assert (study.folder / "resources/fetched/own_tuples/tuples.csv").read_bytes() == tuples
        assert asked == ["/tuples.csv"]
