"""Admission of Juneau's Kinds: from a request to "yes", "yes, completed like this" or "no, because".

No rule and no Kind's name stands in here: rules belong to the Kinds (`resources`), and these modules ask them.
"""
