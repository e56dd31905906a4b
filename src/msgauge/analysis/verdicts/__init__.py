"""All stacks of a run against each other: faster, slower, equivalent, undecided, and what clocks leave open of it."""
