# SPDX-License-Identifier: Apache-2.0
"""Ports BBC's pydvbcss 0.5.2 from Python 2 to Python 3: pydvbcss.py SDIST FOLDER

Writes the archive's library and tests into the folder, with the changes below. A change that finds nothing to change
is an error.
"""

import os
import re
import sys
import tarfile

# What changed in the language: pattern and replacement, for every file.
LANGUAGE = [
    (r"except (\([^)]*\)|[\w.]+) *, *e:", r"except \1 as e:"),
    (r'^([ \t]*)print >> sys\.stderr, ("""(?s:.*?)"""|.*)$', r"\1print(\2, file=sys.stderr)"),
    (r"^([ \t]*)print (?![(=>])(.+)$", r"\1print(\2)"),
    (r"\b(self\.handler|algorithm)\.next\(\)", r"next(\1)"),
    (r"^import Queue$", "import queue as Queue"),
    (r"^import algorithm$", "from . import algorithm"),
    (r"__builtin__", "builtins"),
    (r"\.im_func\b", ".__func__"),
    (r"\b(assert(?:Not)?(?:Almost)?Equal)s\b", r"\1"),
    (r"\bisAlive\(\)", "is_alive()"),
]

# No parameter is a tuple of names any more.
BOUND = (r"_createUdpSocket\(\(bindaddr, bindport\)\):", "_createUdpSocket(bound):\n    bindaddr, bindport = bound")

# What one file needs besides.
OWN = {
    # The error is used after the handler, where its name is gone.
    "dvbcss/protocol/transformers.py": [
        (r"except Exception as e:\n( +)pass", r"except Exception as error:\n\1e = error"),
        (r're\.compile\("\^\(\(', 're.compile(r"^(('),
    ],
    # Clocks with a parent tick in fractions, and struct.pack rounded them.
    "dvbcss/protocol/wc.py": [
        (r"(o[sn], on|rs, rn|ts, tn) = divmod\((self\.\w+), *1000000000\)", r"\1 = divmod(int(\2), 1000000000)"),
    ],
    "test/test_wc.py": [(r'"(?=\\x)', 'b"')],
    "test/test_ts.py": [(r"assertDictContainsSubset\((.*), j\)", r"assertLessEqual(\1.items(), j.items())")],
    "dvbcss/protocol/server/wc.py": [BOUND],
    "dvbcss/protocol/client/wc/__init__.py": [
        BOUND,
        (r"self, \(bindaddr,bindport\), \(dstaddr,dstport\), wallClock, wcAlgorithm\):",
         "self, bound, server, wallClock, wcAlgorithm):\n"
         "        (bindaddr, bindport), (dstaddr, dstport) = bound, server"),
    ],
    # ws4py hands what came along with the handshake's answer to the parser at once, beside the thread that reads what
    # follows. It is kept here for that thread, which starts when the handshake is over.
    "dvbcss/protocol/client/__init__.py": [
        (r"return WebSocketClient\.connect\(self\)", "WebSocketClient.connect(self)\n            self._th.start()"),
        (r"^( +)def opened\(self\):", r"""\1def handshake_ok(self):
        pass

    def process(self, bytes):
        if self._th.ident is not None:
            return WebSocketClient.process(self, bytes)
        self.buf += bytes
        return True

\1def opened(self):"""),
    ],
    # The dictionary shrinks meanwhile. And a client's first message may be read before the server hears of the
    # connection, which is when the thread that accepted it has closed its own side.
    "dvbcss/protocol/server/__init__.py": [
        (r"in self\._connections\.keys\(\):", "in list(self._connections):"),
        (r"^( +)self\.onClientMessage", r"\1self._addConnection(webSock)\n\1self.onClientMessage"),
    ],
}

# Python has these clocks itself now; the module called the C library for them, and its threads shared one result.
MONOTONIC = '''import time as _time

time, timeNanos, sleep = _time.monotonic, _time.monotonic_ns, _time.sleep


def timeMicros():
    return _time.monotonic_ns() // 1000
'''


def ported(path, text, used):
    if path == "dvbcss/monotonic_time.py":
        return MONOTONIC
    for pattern, replacement in LANGUAGE + OWN.get(path, []):
        text, count = re.subn(pattern, replacement, text, flags=re.MULTILINE)
        used[pattern] += count
    compile(text, path, "exec")
    return text


def main():
    archive, folder = sys.argv[1:]
    used = dict.fromkeys((pattern for changes in (LANGUAGE, *OWN.values()) for pattern, _ in changes), 0)
    with tarfile.open(archive) as members:
        for member in members:
            path = member.name.partition("/")[2]
            if not member.isfile() or not re.fullmatch(r"(dvbcss|test)/[\w/]+\.py", path):
                continue
            text = ported(path, members.extractfile(member).read().decode(), used)
            os.makedirs(os.path.dirname(f"{folder}/{path}"), exist_ok=True)
            with open(f"{folder}/{path}", "w", encoding="utf-8") as file:
                file.write(text)
    if unused := [pattern for pattern, count in used.items() if count == 0]:
        raise SystemExit(f"nothing to change for {unused}")


if __name__ == "__main__":
    main()
