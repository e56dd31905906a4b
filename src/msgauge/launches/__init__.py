"""What a launch needs and how it is judged: its condition, what carried it, the machine around it, its outcome."""
