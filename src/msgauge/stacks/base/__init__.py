"""What the families of stacks share: the interface of a family, tools for finding, compiling and launching."""
