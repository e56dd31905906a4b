"""LogGP models of the stacks of a run, what explains them, and the programs they predict."""
