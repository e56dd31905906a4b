"""Reports as lines of text, for terminals of 60 columns and of 200, for pipes and for files."""
