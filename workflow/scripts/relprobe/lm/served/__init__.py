"""Models behind a server that speaks OpenAI's completions: they answer the same requests as a network on this machine."""
