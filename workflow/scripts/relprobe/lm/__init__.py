"""The scoring engine: any Hugging Face masked or causal model behind a few primitives."""
