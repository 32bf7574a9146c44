"""A program sits down at a table of a real house by its link and a token, as the example does, and plays to the end."""

import http.cookiejar
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.request

from caveau.batch import find_program
from caveau.table import Table

EXAMPLE = pathlib.Path(__file__).parents[1] / "examples" / "sit_down.py"


class House:
    """A server of its own, on a file of its own."""

    def __init__(self):
        self._dir = tempfile.TemporaryDirectory()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = "http://127.0.0.1:%d" % free.getsockname()[1]
        self._log = open(os.path.join(self._dir.name, "log"), "w+")
        self._process = subprocess.Popen(
            [find_program(), "serve", "--addr", self.address[7:], "--public-url", self.address, "--db", os.path.join(self._dir.name, "db")],
            stdout=self._log, stderr=self._log)
        while not self.is_ready():
            if self._process.poll() is not None:
                self._log.seek(0)
                raise RuntimeError(self._log.read())

    def is_ready(self):
        try:
            return urllib.request.urlopen(self.address + "/readyz", timeout=1).status == 200
        except OSError:
            return False

    def close(self):
        self._process.terminate()
        self._process.wait()
        self._log.close()
        self._dir.cleanup()


class Person:
    """Somebody with a cookie, or a program with a token."""

    def __init__(self, house, token=None):
        self._house, self._token = house, token
        self._http = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))

    def ask(self, method, path, body=None):
        request = urllib.request.Request(self._house.address + path, method=method, data=None if body is None else json.dumps(body).encode())
        if self._token:
            request.add_header("Authorization", f"Bearer {self._token}")
        with self._http.open(request, timeout=20) as answer:
            text = answer.read()
        return json.loads(text) if text else None


class TestTable(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.house = House()
        cls.addClassCleanup(cls.house.close)

    def setUp(self):
        self.ana = Person(self.house)
        self.ana.ask("POST", "/api/guest", {"name": "Ana"})

    def brings(self, name):
        made = self.ana.ask("POST", "/api/programs", {"name": name})
        self.assertEqual(made["name"], f"{name} (bot)")
        return made["id"], made["token"]

    def test_the_example(self):
        _, hosts = self.brings("Ada")
        _, sits = self.brings("Robbie")
        for game, seats in ("toc-toc-toc", 3), ("dawn-under", 2):
            made = Person(self.house, hosts).ask("POST", "/api/tables", {"game": game, "seats": seats, "bots": ["random"] * (seats - 2), "botTime": [0, 0], "sit": True,
                                                                         "edition": "2004" if game == "dawn-under" else ""})
            example = subprocess.Popen([sys.executable, str(EXAMPLE), made["link"], sits], stdout=subprocess.PIPE, text=True)
            with Table(made["link"], hosts) as table:
                started = False
                for frame in table:
                    seated = frame["about"]["seats"]
                    if not started and seated[1].get("name"):
                        self.assertEqual([(s["name"], s["program"]) for s in seated[:2]], [("Ada (bot)", True), ("Robbie (bot)", True)])
                        table.do("start")
                        started = True
                    if "moves" in frame:
                        table.play(frame["moves"][0])
            said, _ = example.communicate(timeout=60)
            self.assertEqual(example.returncode, 0)
            won = "B" in frame["outcome"].get("winners", [])
            self.assertEqual(said.strip() == "we have won", won, said)
            record = self.ana.ask("GET", f"/api/tables/{made['table']}/record")
            self.assertEqual(record["table"]["programs"], ["A", "B"])

    def test_a_token_that_is_revoked(self):
        program, token = self.brings("Eve")
        made = self.ana.ask("POST", "/api/tables", {"game": "toc-toc-toc", "seats": 3})
        with Table(made["link"], token) as table:
            frames = iter(table)
            next(frames)
            self.ana.ask("DELETE", f"/api/programs/{program}")
            with self.assertRaisesRegex(ConnectionError, "4001"):
                next(frames)
        with self.assertRaisesRegex(ConnectionError, "401.*revoked"):
            Table(made["link"], token)

    def test_what_is_a_persons(self):
        _, token = self.brings("Mallory")
        with self.assertRaises(urllib.error.HTTPError) as refused:
            Person(self.house, token).ask("GET", "/api/guest/export")
        with refused.exception as answer:
            self.assertEqual((answer.code, json.loads(answer.read())["code"]), (403, "program"))

    def test_the_example_needs_no_numpy(self):
        code = "import sys; sys.modules['numpy'] = None; import caveau.table"
        subprocess.run([sys.executable, "-c", code], check=True)


if __name__ == "__main__":
    unittest.main()
