"""Documents run again: their files, systems, tables, figures and claims."""
