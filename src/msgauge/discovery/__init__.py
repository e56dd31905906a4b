"""Find, prove, select and install the stacks of a machine; describe the machine itself."""
