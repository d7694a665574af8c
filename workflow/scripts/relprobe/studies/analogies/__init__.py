"""The analogies study (Rezaee and Camacho-Collados): what models know of relations, probed by word analogies."""
