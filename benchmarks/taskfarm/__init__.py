"""What a task costs through taskfarm: beside other programs, with many workers, and in Python."""
