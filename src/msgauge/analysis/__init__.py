"""The parts of an analysis: from a run's frames to groups, sentences, warnings, costs, models and answers."""
