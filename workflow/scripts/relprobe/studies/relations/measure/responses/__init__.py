"""The responses of every kind of agent, in one form: a ranked list of words per probe."""
