"""The simulated driver: it executes the dataplane's tables in memory, packet by packet, in virtual time.

It is the oracle for the other drivers, and what a lab runs on where nobody is root.
"""
