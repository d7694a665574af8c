"""The scoring engine: it puts any Hugging Face masked or causal model behind a few primitives (docs/engine.md)."""
