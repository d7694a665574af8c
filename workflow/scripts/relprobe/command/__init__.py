"""The commands of those who run a study: init, run, status, open, doctor and store. No step imports them."""
