"""What a manuscript takes from a finished run: trials, tables, methods, references and figures, in results/paper."""
