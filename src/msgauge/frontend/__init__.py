"""What several commands share: the options they take, how they show a run, and their exit codes."""
