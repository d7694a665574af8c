"""The engine for Python programs and notebooks: load a model, ask it, and get tables (docs/library.md)."""
