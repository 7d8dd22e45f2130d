"""The lab: a whole cluster in one process, for laptops, scenarios and CI.

It plays controller, admission, kubelet, CNI and one agent per Node, over a store in memory and any driver that can make
a site.
"""
