# SPDX-License-Identifier: Apache-2.0
"""What of a board is open to others, whether it resolves names, and its time after a start without a clock."""

import socket
import struct
import threading

from disk import Disk
from emulator import Failure
from trial import PATIENCE, Trial

NAME, ADDRESS = "reporter.venue.test", "192.0.2.7"
MEMORY = 1 << 30  # octets that the emulator gives the machine
LAST_ON = 1_956_528_000  # 2032-01-01, which no build of ours has seen
# Of DHCP's clients, the announcements, the channel that plays and the parity that may come with it, as in the README; what
# only the machine itself reaches is not counted. Whether the channel plays already when they are listed is chance.
PORTS = {"udp 68", "udp 546", "udp 9875", "udp 5004", "udp 5006", "udp 5008"}

INSPECT = """
echo trial: suid $(find / -xdev -type f -perm /6000 | wc -l)
echo trial: root $(grep ' / squashfs ' /proc/mounts)
echo trial: settings $(stat -c '%a %U:%G' /data/settings)
echo trial: redirects $(cat /proc/sys/net/ipv4/conf/*/accept_redirects | sort -u)
echo trial: clock $(date +%Y)
until touchline status >/dev/null 2>&1; do sleep 1; done
echo trial: memory $(cd /sys/fs/cgroup/system.slice/touchline.service && cat memory.high memory.max)
for kind in tcp tcp6 udp udp6; do
    while read -r number local remote state rest; do
        [ "$state" != 0A ] && [ "$state" != 07 ] || echo trial: port $kind $local
    done </proc/net/$kind
done
link=$(cd /sys/class/net && echo e*)
until resolvectl dns "$link" SERVER; do sleep 1; done
echo trial: name $(resolvectl --legend=no query NAME)
echo trial: link $(grep -c nameserver /etc/resolv.conf)
echo trial: end
"""


class NameServer:
    """Answers every question for an address, on the side of the venue."""

    def __init__(self, address):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind((address, 53))
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                question, sender = self.socket.recvfrom(512)
            except OSError:
                return
            end = question.index(0, 12) + 5
            is_address = question[end - 4 : end - 2] == b"\0\1"
            head = question[:2] + struct.pack(">HHHHH", 0x8580, 1, int(is_address), 0, 0) + question[12:end]
            record = b"\xc0\x0c" + struct.pack(">HHIH", 1, 1, 60, 4) + socket.inet_aton(ADDRESS)
            self.socket.sendto(head + (record if is_address else b""), sender)


class System(Trial):
    def inspect(self):
        server = NameServer(self.options.address)
        disk = Disk(self.options.disk)
        disk.date("time/clock", LAST_ON)
        script = INSPECT.replace("SERVER", self.options.address).replace("NAME", NAME)
        board = self.start(self.running(script), clock="2001-01-01")
        try:
            board.wait("trial: end", PATIENCE, "the inspection")
            self.say("inspected, from power", board.elapsed)
        finally:
            board.cut()
            server.socket.close()
        found = self.said(board)
        self.hold("no file changes whoever runs it", found.get("suid") == ["0"], found.get("suid"))
        self.hold("the root is nosuid", "nosuid" in " ".join(found.get("root", [])), found.get("root"))
        self.hold("settings are the service's", found.get("settings") == ["750 root:touchline"], found.get("settings"))
        self.hold("no redirects", found.get("redirects") == ["0"], found.get("redirects"))
        self.hold("the time goes on", found.get("clock") == ["2032"], found.get("clock"))
        self.hold("names are resolved", ADDRESS in " ".join(found.get("name", [])), found.get("name"))
        self.hold("so are those of programs", found.get("link") == ["1"], found.get("link"))
        memory = [int(text) for text in " ".join(found.get("memory", [])).split() if text.isdigit()]
        is_share = len(memory) == 2 and 0.5 * MEMORY < memory[0] < memory[1] < MEMORY
        self.hold("the service's memory is a share of the machine's", is_share, found.get("memory"))
        ports = {self.port(text) for text in found.get("port", [])} - {None}
        self.hold("open ports: " + ", ".join(sorted(ports)), ports <= PORTS, ports)

    @staticmethod
    def port(text):
        """Such as `udp 9875`; nil if only the machine itself reaches it."""
        kind, place = text.split()
        address, _, port = place.partition(":")
        if address in ("0100007F", "3500007F", "3600007F", "00000000000000000000000001000000"):
            return None
        return f"{kind.rstrip('6')} {int(port, 16)}"
