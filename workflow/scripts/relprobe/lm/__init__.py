"""The scoring engine: it puts any Hugging Face masked or causal model behind a few primitives (docs/engine.md)."""

import os

SPINS = "1000"
"""How often a thread of torch looks for more work before it sleeps, unless GOMP_SPINCOUNT says otherwise.

By itself GNU's OpenMP looks 300,000 times. Where other programs keep the cores busy, the thread that has the work waits
meanwhile: with two threads on two cores, at load 22, SmolLM2 had not loaded after 100 s. With this number it took 25 s, and
with one thread 20 s. OpenMP takes 1,000 itself where it has more threads than cores. The variable must be set before torch
is imported, and so before any module of this folder.
"""
os.environ.setdefault("GOMP_SPINCOUNT", SPINS)
