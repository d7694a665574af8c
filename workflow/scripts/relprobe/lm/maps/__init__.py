"""Maps from the states of a layer to those of the last layer: how they are fitted, stored and used."""
