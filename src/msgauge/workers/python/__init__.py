"""The worker over mpi4py. It runs in an environment of its own, with nothing but the standard library and mpi4py."""
