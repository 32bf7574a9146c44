"""Caveau's games for programs: many at once to learn from (Batch), one with PettingZoo's interface (env), and a seat at a table (Table).

The games are played by the program caveau: CAVEAU_BIN says where it is, else it is looked for on the path and in the checkout.
"""

from caveau.aec import Caveau, env
from caveau.batch import Batch, Refused, Told
from caveau.table import Table

__all__ = ["Batch", "Caveau", "Refused", "Table", "Told", "env"]
