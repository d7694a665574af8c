"""Tests of what a manuscript takes from a run."""
