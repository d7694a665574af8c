"""What the pages say: captions, glossaries, figures in words, and what came out."""
