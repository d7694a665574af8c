"""relprobe measures what pretrained language models know about words and the relations between words."""
