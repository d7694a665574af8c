"""Python imports this module when it starts, because tests put the folder into PYTHONPATH; server.py says what for."""

import os
import sys

SERVER = "RELPROBE_TESTS_SERVER"
MODULES = ("relprobe", "snakemake", "rules_as_json")


def hand_over(words: list[str]) -> int:
    """Let the server run `python -m WORDS`; return the exit status."""
    import json
    import socket

    what = {
        "words": words,
        "folder": os.getcwd(),  # noqa: PTH109 (pathlib takes time to import)
        "environment": dict(os.environ),
        "path": sys.path if sys.flags.safe_path else ["", *sys.path],
    }
    with socket.socket(socket.AF_UNIX) as server:
        server.connect(os.environ[SERVER])
        socket.send_fds(server, [b"\0"], [0, 1, 2])
        server.sendall(json.dumps(what).encode())
        server.shutdown(socket.SHUT_WR)
        status = server.recv(1)
    return status[0] if status else 255  # no answer: the process died


if SERVER in os.environ and sys.orig_argv[1:2] == ["-m"] and sys.orig_argv[2] in MODULES:
    os._exit(hand_over(sys.orig_argv[2:]))
