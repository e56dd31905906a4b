"""Sentences on what verdicts and estimates show, by their rank: comparisons, effects, anomalies, maps."""
