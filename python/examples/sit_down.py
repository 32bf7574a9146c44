#!/usr/bin/env python3
"""A program that sits down at a table of Caveau and plays any move to the end.

    python3 sit_down.py https://games.example.org/t/k3x… TOKEN

The link is that of a table at which a seat is free. A token is had once, by whoever brings the program, with a name for it:

    curl -c jar https://games.example.org/api/guest -d '{"name": "Ana"}'
    curl -b jar https://games.example.org/api/programs -d '{"name": "Robbie"}'

Everybody at the table sees that it is a bot. It needs nothing but Python; `caveau` is the folder beside this one.
"""

import random
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))

from caveau.table import Table


def choose(frame):
    """What is played. frame["shown"] is what lies on the table, frame["own"] what is ours alone, frame["asked"] the question."""
    return random.choice(frame["moves"])


def main(link, token):
    with Table(link, token) as table:
        asked_to_sit = False
        for frame in table:
            if "you" not in frame and not asked_to_sit:
                free = [s["seat"] for s in frame["about"]["seats"] if not (s.get("name") or s.get("bot") or s.get("nameless"))]
                if not free:
                    sys.exit("no seat is free")
                table.sit(free[0])
                asked_to_sit = True
            if "moves" in frame:
                table.play(choose(frame))
        winners = frame["outcome"].get("winners", [])
        print("we have won" if frame.get("you") in winners else "the game is over, and " + (" and ".join(winners) or "nobody") + " has won")


if __name__ == "__main__":
    main(*sys.argv[1:])
