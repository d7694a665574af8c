"""The commands of those who run a study: init, run, open and doctor. No step imports them."""
