"""The semantic-relations study (Cao et al.): six relations, six metrics, models and humans."""
