"""The definitions study (WDLMPro, Senel and Schütze): two tasks that match words with their definitions."""
