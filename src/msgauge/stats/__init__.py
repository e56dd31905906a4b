"""Statistics for launches: pure functions, arrays in, arrays or frozen values out; randomness is an argument.

The unit of inference is the launch. Whatever is measured inside one launch shares that launch's luck (placement,
addresses, daemons), so every interval and every test here takes one value per launch, never one per batch.

location                  where a stack stands in one cell, and how surely
signed_rank · ratio       two stacks in one cell, paired in rounds
multiplicity · verdict    many cells at once, and the four words
transient · autocorrelation · modes · percentiles · stopping   what the samples of a launch are like, and when to stop
"""
