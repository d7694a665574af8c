"""A process that has imported the large libraries, and forks for every command of a toy study.

Snakemake starts a Python for every step. Most of a toy's steps take milliseconds, but to import torch and transformers takes
seconds; and a third of a plan is spent on Snakemake's parser of options and on rule files (planning.py). So tests put the
folder of sitecustomize.py into PYTHONPATH. A Python that starts as `python -m relprobe` or as `python -m snakemake` then
sends its arguments, folder, environment and open files to this server, and a fork of the server runs the command. The fork
imports relprobe itself, from the toy's own folder. It ends where its client is killed, with all that it has started. Jobs
on the SLURM of the tests are such clients, too.
"""

import atexit
import fcntl
import gc
import importlib
import json
import os
import runpy
import select
import signal
import socket
import sys
from collections.abc import Mapping
from pathlib import Path

LIBRARIES = (
    *(
        "snakemake.cli",
        "snakemake_executor_plugin_slurm",
        "torch",
        "transformers",
        "transformers.models.auto.modeling_auto",
    ),
    *("transformers.models.bert.modeling_bert", "transformers.models.llama.modeling_llama"),
    *(
        "polars",
        "pyarrow.parquet",
        "matplotlib.figure",
        "matplotlib.backends.backend_agg",
        "matplotlib.backends.backend_svg",
    ),
    *("scipy.stats", "statsmodels.stats.api", "nltk.corpus", "inflect", "wordfreq", "jinja2"),
)
ROOT = Path(__file__).parents[3]


def serve(address: str, run: int) -> None:
    """Answer at the address, a path, until the process `run` is gone."""
    import planning  # it lies beside this file, which Python runs as a program

    for name in LIBRARIES:
        importlib.import_module(name)
    planning.build_parser()
    planning.read_rules(
        path for pattern in ("Snakefile", "rules/**/*.smk") for path in (ROOT / "workflow").glob(pattern)
    )
    gc.freeze()  # a fork need not look at what it shares with this process
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # no zombies
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(f"{address}.new")
        listener.listen(128)
        os.rename(f"{address}.new", address)  # noqa: PTH104 (from here on somebody listens there)
        note_cost("tests/workflow/warm/server.py", os.environ)
        listener.settimeout(2)
        while is_alive(run):
            try:
                connection, _ = listener.accept()
            except TimeoutError:
                continue
            if os.fork() == 0:
                listener.close()
                answer(connection)
            connection.close()


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def note_cost(file: str, environment: Mapping[str, str]) -> None:
    """Add what this process and its children have used to what the tests cost; tests/costs.py adds it up."""
    if place := environment.get("RELPROBE_COSTS"):
        with open(place, "a") as lines:  # noqa: PTH123 (one write of one line, so that processes do not mix)
            lines.write(json.dumps({file: sum(os.times()[:4])}) + "\n")


def answer(connection: socket.socket) -> None:
    """Run what the client asks for, in its place, send the exit status, and end this process."""
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    connection.setblocking(True)
    _, files, _, _ = socket.recv_fds(connection, 1, 3)
    what = json.loads(b"".join(iter(lambda: connection.recv(1 << 16), b"")))
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    end_with(connection)
    os.chdir(what["folder"])
    os.environ.clear()
    os.environ.update(what["environment"])
    sys.path[:] = what["path"]
    module, *sys.argv[1:] = what["words"]
    status = run(module)
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    note_cost(what["environment"].get("PYTEST_CURRENT_TEST", "no test").partition("::")[0], what["environment"])
    connection.send(bytes([status]))
    os._exit(status)


def end_with(client: socket.socket) -> None:
    """Let the kernel kill this process and what it has started as soon as the client is gone, as a killed one is."""
    fcntl.fcntl(client, fcntl.F_SETOWN, -os.getpgrp())
    fcntl.fcntl(client, fcntl.F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(client, fcntl.F_SETFL, fcntl.fcntl(client, fcntl.F_GETFL) | os.O_ASYNC)
    gone = select.poll()
    gone.register(client, select.POLLHUP)
    if any(event & select.POLLHUP for _, event in gone.poll(0)):  # before the kernel was asked
        os.killpg(0, signal.SIGKILL)


def run(module: str) -> int:
    """Run a module as `python -m` does; return the exit status."""
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        return 1
    return 0


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]))
