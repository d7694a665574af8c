"""The figures of the relations study, by what they show."""
