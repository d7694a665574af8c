"""The systematicity study (Ravichander et al. 2020): is knowledge of hypernymy consistent, and does it carry over."""
