"""A seat at a real table: a WebSocket on the standard library, and what is said over it (docs/protocol.md)."""

import base64
import http.client
import json
import os
import secrets
import ssl
import struct
from urllib.parse import urlsplit

PROTOCOL = 3
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


class Table:
    """A table by its link, and a program's token for it. Iterate over frames; `play` says a move of the last one."""

    def __init__(self, link, token):
        where = urlsplit(link)
        self.name = where.path.rsplit("/", 1)[-1]
        self.frame, self._about, self._sent = {}, {}, 0
        self._tag = secrets.token_hex(8)
        self._socket = Socket(where, f"/ws?protocol={PROTOCOL}", token)
        self.do("watch")

    def do(self, what, **more):
        """Says a command about the table."""
        self._sent += 1
        self._socket.send(json.dumps({"id": f"{self._tag}-{self._sent}", "do": what, "table": self.name, **more}))

    def sit(self, seat):
        self.do("sit", seat=seat)

    def play(self, move):
        self.do("play", seat=self.frame["you"], seq=self.frame["seq"], move=move)

    def __iter__(self):
        """Every frame of the table until the game is over, whole: what is not said anew about the table is as it was."""
        while "outcome" not in self.frame:
            told = json.loads(self._socket.receive())
            if "error" in told and told["error"]["code"] != "late":  # a newer frame follows
                raise RuntimeError(f"{told['error']['code']}: {told['error']['message']}")
            if told.get("table") == self.name:
                self._about = told["frame"].get("about", self._about)
                self.frame = {**told["frame"], "about": self._about}
                yield self.frame

    def close(self):
        self._socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Socket:
    """A WebSocket (RFC 6455) that says and hears texts."""

    def __init__(self, where, path, token):
        way = http.client.HTTPSConnection if where.scheme == "https" else http.client.HTTPConnection
        more = {"context": ssl.create_default_context()} if where.scheme == "https" else {}
        self._connection = way(where.netloc, timeout=60, **more)  # the server pings every twenty seconds
        self._connection.request("GET", path, headers={
            "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(), "Authorization": f"Bearer {token}",
        })
        self._socket = self._connection.sock  # the answer to an upgrade would take it along
        answer = self._connection.getresponse()
        if answer.status != 101:
            why = answer.read().decode(errors="replace").strip()
            self._connection.close()
            raise ConnectionError(f"the house answers {answer.status}: {why}")
        self._stream = answer.fp

    def send(self, text):
        self._write(TEXT, text.encode())

    def receive(self):
        """The next text; what comes between is answered."""
        text = b""
        while True:
            head, size = self._read(2)
            if size == 126:
                size, = struct.unpack(">H", self._read(2))
            elif size == 127:
                size, = struct.unpack(">Q", self._read(8))
            said, last, kind = self._read(size), head & 0x80, head & 0x0F
            if kind == PING:
                self._write(PONG, said)
            elif kind == CLOSE:
                code = struct.unpack(">H", said[:2])[0] if said else 1005
                raise ConnectionError(f"the house has closed the connection: {code} {said[2:].decode(errors='replace')}")
            elif kind != PONG:
                text += said
                if last:
                    return text.decode()

    def close(self):
        try:
            self._write(CLOSE, struct.pack(">H", 1000))
        except OSError:
            pass  # it has gone
        self._connection.close()

    def _write(self, kind, said):
        size = len(said)
        length = bytes([0x80 | size]) if size < 126 else b"\xfe" + struct.pack(">H", size) if size < 1 << 16 else b"\xff" + struct.pack(">Q", size)
        mask = os.urandom(4)
        masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(said))
        self._socket.sendall(bytes([0x80 | kind]) + length + mask + masked)

    def _read(self, size):
        said = self._stream.read(size)
        if len(said) < size:
            raise ConnectionError("the house has hung up")
        return said
