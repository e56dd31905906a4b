"""What a run leaves: the run folder, and its samples as one data set."""
