"""How hard hypothesis tries.

`ci` is what everyone runs: the same examples each time, so that a failure is the change's own and never a lucky draw.
`long` draws new ones, for `make fuzz` and `make properties-long`.
No profile has a deadline: a busy machine is no finding.
"""

from hypothesis import settings

settings.register_profile("ci", derandomize=True, deadline=None, max_examples=40)
settings.register_profile("long", deadline=None, max_examples=2000)
settings.load_profile("ci")
