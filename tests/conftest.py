"""No test fails because the machine is busy: hypothesis gives examples no time limit of its own."""

from hypothesis import settings

settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")
