"""What models are asked: prompts, probes and requests."""
