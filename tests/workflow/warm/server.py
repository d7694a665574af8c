"""A process that has imported the large libraries, and forks for every command of a toy study.

Snakemake starts a Python for every step. Most of a toy's steps take milliseconds, but to import torch and transformers takes
seconds. So tests put the folder of sitecustomize.py into PYTHONPATH. A Python that starts as `python -m relprobe` or as
`python -m snakemake` then sends its arguments, folder, environment and open files to this server, and a fork of the server
runs the command. The fork imports relprobe itself, from the toy's own folder. Tests that kill processes and tests on SLURM
do without the server.
"""

import atexit
import gc
import importlib
import json
import os
import runpy
import signal
import socket
import sys

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


def serve(address: str) -> None:
    """Answer at the address, a path, until the process that started this one is gone."""
    for name in LIBRARIES:
        importlib.import_module(name)
    gc.freeze()  # a fork need not look at what it shares with this process
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # no zombies
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen(128)
        print("ready", flush=True)
        listener.settimeout(2)
        parent = os.getppid()
        while os.getppid() == parent:
            try:
                connection, _ = listener.accept()
            except TimeoutError:
                continue
            if os.fork() == 0:
                listener.close()
                answer(connection)
            connection.close()


def answer(connection: socket.socket) -> None:
    """Run what the client asks for, in its place, send the exit status, and end this process."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    connection.setblocking(True)
    _, files, _, _ = socket.recv_fds(connection, 1, 3)
    what = json.loads(b"".join(iter(lambda: connection.recv(1 << 16), b"")))
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.chdir(what["folder"])
    os.environ.clear()
    os.environ.update(what["environment"])
    sys.path[:] = what["path"]
    module, *sys.argv[1:] = what["words"]
    status = run(module)
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    connection.send(bytes([status]))
    os._exit(status)


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
    serve(sys.argv[1])
