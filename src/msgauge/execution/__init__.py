"""One launch: its processes, the supervision of them, what carried its messages, how it ended, and its samples."""
