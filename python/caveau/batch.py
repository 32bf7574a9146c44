"""Many games at once, played by `caveau env`. docs/env.md says what goes to and fro."""

import json
import os
import shutil
import struct
import subprocess
from pathlib import Path
from typing import NamedTuple

import numpy as np

STEP, LOOK, OBSERVE = 1, 2, 3
HEADER = struct.Struct("<BBHI")  # 0, what for or whether it was done, 0, how many bytes follow


class Refused(ValueError):
    """What was asked for was not done, and nothing has changed. `code` stays, the sentence is for people."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.code = error["code"]


class Told(NamedTuple):
    """What everybody who is asked is told, one row a game; where a game is over, it is told to the first seat."""

    returns: np.ndarray  # float32, games x seats: what the last action brought, 0 but at the end
    turns: np.ndarray  # uint8: whose turn it is, counted from 1; 0 where the game is over
    ended: np.ndarray  # bool: the last action of this game has ended it
    stopped: np.ndarray  # bool: and nobody has won, for it had lasted too long
    masks: np.ndarray  # uint8, games x actions: 1 for what may be done
    rows: np.ndarray  # uint8, games x bytes: what is seen; Batch.part takes a row apart


class Batch:
    """So many games of one set-up. Seats are numbers from 0; an action of -1 leaves a game alone."""

    def __init__(self, game, players, edition="", *, aid="", games=1, seed=0, auto=False, moves=0, events=0,
                 first="", options=None, choices=None, program=None):
        self._process = subprocess.Popen([program or find_program(), "env"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        try:
            made = self.say(do="make", game=game, edition=edition, players=players, aid=aid, games=games, seed=int(seed),
                            auto=auto, moves=moves, events=events, first=first, options=options or {}, choices=choices or {})
        except BaseException:
            self.close()
            raise
        self.players, self.games, self.space = players, games, made["space"]
        self.actions = self.space["actions"]
        self._fields, at = {}, 0
        for field in self.space["fields"]:
            shape = tuple(field.get("shape", ()))
            size = int(np.prod(shape))
            self._fields[field["name"]] = slice(at, at + size), shape
            at += size

    def look(self):
        """What everybody who is asked is told now."""
        return self._told(self._ask(LOOK, b""))

    def step(self, actions):
        """Moves every game by its action. Where one is illegal none is moved, and Refused says which it was."""
        return self._told(self._ask(STEP, np.asarray(actions, dtype="<i4").tobytes()))

    def reset(self, seed, which=None):
        """Deals games anew, those named or all: the same seed brings the same games."""
        self.say(do="reset", seed=int(seed), **({} if which is None else {"which": list(which)}))

    def observe(self, n, seat):
        """What a seat of a game is told, whoever is asked there: a mask and a row."""
        text = self._ask(OBSERVE, struct.pack("<II", n, seat + 1))
        size = self.space["mask"]
        return self._unpack(np.frombuffer(text, np.uint8, size)), np.frombuffer(text, np.uint8, offset=size)

    def read(self, n, seat):
        """The same in words, as docs/protocol.md has them."""
        return self.say(do="observe", n=n, seat=letter(seat))["sight"]

    def resample(self, n, seat, into=None, seed=0):
        """Puts states that a seat of a game cannot tell from the true one into the games named, new ones among them, else into its own."""
        self.games = self.say(do="resample", n=n, seat=letter(seat), into=[n] if into is None else list(into), seed=int(seed))["games"]

    def part(self, rows, name):
        """A field of one row or of many, in its shape."""
        where, shape = self._fields[name]
        return rows[..., where].reshape(rows.shape[:-1] + shape)

    def close(self):
        """Ends the process."""
        if self._process.poll() is None:
            self._process.stdin.close()
            self._process.wait()
        self._process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def say(self, **what):
        """Says a line of JSON, and answers what is told."""
        self._write(json.dumps(what).encode() + b"\n")
        answer = json.loads(self._read_line())
        if "error" in answer:
            raise Refused(answer["error"])
        return answer

    def _ask(self, what, said):
        self._write(HEADER.pack(0, what, 0, len(said)) + said)
        _, refused, _, size = HEADER.unpack(self._read(HEADER.size))
        text = self._read(size)
        if refused:
            raise Refused(json.loads(text))
        return text

    def _write(self, text):
        try:
            self._process.stdin.write(text)
            self._process.stdin.flush()
        except (BrokenPipeError, ValueError):
            raise EOFError("caveau env has ended") from None

    def _read(self, size):
        text = self._process.stdout.read(size)
        if len(text) < size:
            raise EOFError("caveau env has ended")
        return text

    def _read_line(self):
        line = self._process.stdout.readline()
        if not line.endswith(b"\n"):
            raise EOFError("caveau env has ended")
        return line

    def _unpack(self, masks):
        return np.unpackbits(masks, axis=-1, count=len(self.actions), bitorder="little")

    def _told(self, text):
        n, at = self.games, 0

        def part(kind, *shape):
            nonlocal at
            taken = np.frombuffer(text, kind, int(np.prod(shape)), at).reshape(shape)
            at += taken.nbytes
            return taken

        returns, turns, flags = part("<f4", n, self.players), part(np.uint8, n), part(np.uint8, n)
        masks, rows = part(np.uint8, n, self.space["mask"]), part(np.uint8, n, self.space["row"])
        return Told(returns, turns, flags & 1 > 0, flags & 2 > 0, self._unpack(masks), rows)


def letter(seat):
    return "ABCDEF"[seat]


def find_program():
    """The program caveau: the one that CAVEAU_BIN names, else on the path, else in the checkout that this file is in."""
    built = Path(__file__).parents[2] / "bin" / "caveau"
    program = os.environ.get("CAVEAU_BIN") or shutil.which("caveau") or (str(built) if built.exists() else None)
    if program is None:
        raise FileNotFoundError("there is no program caveau: build it (make build), put it on the path, or say where it is with CAVEAU_BIN")
    return program
