"""From files to a network in memory: weights, adapters, devices."""
