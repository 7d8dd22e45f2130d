"""Benchmarks: what Juneau costs, measured; `python -m bench` prints a table and writes bench.json."""
