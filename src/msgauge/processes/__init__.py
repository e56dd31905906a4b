"""Starting programs and surely ending all that came of them: the keeper, and what runs beside it."""
