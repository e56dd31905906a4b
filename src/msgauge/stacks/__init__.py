"""Plug-ins: one file = one family of message-passing stacks. See docs/adding-a-stack.md."""
