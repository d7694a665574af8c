"""The lists of words that people and models wrote: their entropy, how well people agree, and what is in no relatum set."""
