"""The hosts of a Slurm job: what is known of it, a shell on each of its hosts, and what sessions use of them."""
