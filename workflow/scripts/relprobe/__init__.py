"""What pretrained language models know about words and the relations between them."""
