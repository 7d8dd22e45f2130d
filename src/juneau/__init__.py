"""Juneau: VPC networking for Kubernetes, with a pluggable dataplane.

Tenants get address spaces of their own (Vpc), L3 Subnets and pure-L2 segments (L2Network), several NICs per Pod
(NetworkInterface).
Every resource is an explicit phase machine; what the machines conclude becomes intents, plain statements of what a
node's dataplane must do, and a driver makes them true.
"""

__version__ = "0.1.0"
