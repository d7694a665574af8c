"""A server of HTTP in a thread of a test, on a free port."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class InThread:
    """Runs from `start` to the end of the block."""

    def start(self, handler: type[BaseHTTPRequestHandler]) -> None:
        # Head and body are two writes. The second would wait 40 ms for the client to acknowledge the first.
        handler.disable_nagle_algorithm = True
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01})
        self.thread.start()

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}/v1"
