"""What every part of relprobe stands on: errors, files, configuration, units and statistics."""
