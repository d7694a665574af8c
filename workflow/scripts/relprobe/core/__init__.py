"""The modules that all parts of relprobe use: errors, files, statistics, the command line, the digest of a step's code."""
