"""Statistics for launches: pure functions, arrays in, arrays or frozen values out; randomness is an argument.

The unit of inference is the launch. Whatever is measured inside one launch shares that launch's luck (placement,
addresses, daemons), so every interval and every test here takes one value per launch, never one per batch.

location · dependence   where a stack stands in one cell, and how surely, on a machine that wanders
pairwise · sign_flips · equivalence   every two stacks in every cell, paired in rounds: verdicts, marks, ranks
signed_rank · ratio · multiplicity   two series by themselves, and several tests corrected for their number
group_sequential · stopping · prediction · prospects   when to look, when it is enough, and what more rounds would tell
slow_launches · launch_quantiles   what a median hides
autocorrelation · modes · percentiles   what the samples of a launch are like
between_runs · change_points · level_differences   two runs, and many
"""
