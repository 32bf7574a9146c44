"""Caveau's games for programs: many at once to learn from (Batch), one with PettingZoo's interface (env), and a seat at a table (Table).

The games are played by the program caveau: CAVEAU_BIN says where it is, else it is looked for on the path and in the checkout. A seat at a
table needs neither that nor numpy.
"""

from importlib import import_module

_where = {"Batch": "batch", "Refused": "batch", "Told": "batch", "Caveau": "aec", "env": "aec", "Table": "table"}
__all__ = sorted(_where)


def __getattr__(name):
    if name not in _where:
        raise AttributeError(f"module 'caveau' has no attribute {name!r}")
    return getattr(import_module(f"caveau.{_where[name]}"), name)
