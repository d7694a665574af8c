"""A server of HTTP in a thread of a test, on a free port. It and all that it does for its clients end with the block."""

import socket
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Closing(ThreadingHTTPServer):
    """Closes the connections of its clients at its end, so that the thread of each ends, and waits for these threads."""

    daemon_threads = False
    request_queue_size = 128  # on a busy machine, clients come faster than they are taken

    def __init__(self, handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self.connections: set[socket.socket] = set()
        self.over = threading.Event()
        """What a handler waits on in place of sleeping: it is set at the end."""

    def finish_request(self, request, client_address) -> None:
        self.connections.add(request)
        try:
            super().finish_request(request, client_address)
        finally:
            self.connections.discard(request)

    def server_close(self) -> None:
        self.over.set()
        for connection in list(self.connections):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:  # the client has closed it
                continue
        super().server_close()

    def handle_error(self, request, client_address) -> None:
        """Print what went wrong in a handler, unless the client has gone, which tests are about, or was cut off here."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class InThread:
    """Runs from `start` to the end of the block."""

    def start(self, handler: type[BaseHTTPRequestHandler], **shared: object) -> None:
        """Serve. `shared`: attributes of the server, which the handlers read."""
        # Head and body are two writes. The second would wait 40 ms for the client to acknowledge the first.
        handler.disable_nagle_algorithm = True
        self.server = Closing(handler)
        vars(self.server).update(shared)
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01})
        self.thread.start()

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}/v1"
