# SPDX-License-Identifier: Apache-2.0
"""The box's own network by settings: a right change stays, a wrong one takes itself back. QEMU's network is 10.0.2.0/24, and
its router 10.0.2.2."""

from trial import PATIENCE, Trial

SCRIPT = """
say() { echo "trial: $*"; }
until touchline status >/dev/null 2>&1; do sleep 1; done
link=$(cd /sys/class/net && echo e*)
state() { touchline network-status --json | tr -d ' \\n'; }
# Until the interface has the address, or for as many seconds.
has() {
    left=$2
    until state | grep -q "\\"$1"; do
        left=$((left - 1))
        [ $left -gt 0 ] || return 1
        sleep 1
    done
}
# Until the newest revision is in force and nothing waits for its proof.
settled() {
    left=240
    while touchline config history --json | grep -q '"unconfirmed"'; do
        left=$((left - 1))
        [ $left -gt 0 ] || return 1
        sleep 1
    done
}
revision() { touchline config history --json | tr -d ' \\n' | sed 's/.*"revisions":\\[{[^}]*"comment":"\\([^"]*\\)".*/\\1/'; }
until state | grep -q '"reachesGateway":true'; do sleep 1; done
say helper $(state | grep -o '"hasHelper":[a-z]*')
touchline config set confirmation.withinS 45
say time $(touchline time --json | tr -d ' \\n')
apply() {
    printf '%s' "$1" >/run/change.json
    touchline config merge /run/change.json >/dev/null || say refused "$1"
}
apply '{"uplink":{"wired":{"addresses":["10.0.2.50/24"],"gateways":["10.0.2.2"]},"ntp":["10.0.2.2"]}}'
has 10.0.2.50/24 60 && say address own
settled
say right $(touchline config uplink.wired.addresses --json | tr -d ' \\n')
apply '{"uplink":{"wired":{"addresses":["192.0.2.9/24"],"gateways":["192.0.2.1"]}}}'
has 192.0.2.9/24 60 && say address wrong
settled
has 10.0.2.50/24 60 && say address back
say comment $(revision)
apply '{"uplink":{"wired":{"vlan":99}}}'
has vlan99 60 && say vlan made
settled
has 10.0.2.50/24 60 && say vlan back
left=20
while [ -e /sys/class/net/vlan99 ] && [ $left -gt 0 ]; do left=$((left - 1)); sleep 1; done
[ -e /sys/class/net/vlan99 ] || say vlan gone
apply '{"uplink":{"wired":{"interface":"eth77"}}}'
# A change that nobody has confirmed when the power fails is not that of the next start.
say files $(ls /run/systemd/network)
say secrets $(stat -c '%a %U:%G' /run/touchline-network) $(stat -c '%a %U:%G' /run/touchline-network.sock)
systemctl stop touchline.service
systemctl start touchline.service
until touchline status >/dev/null 2>&1; do sleep 1; done
has 10.0.2.50/24 60 && say address kept
say end
"""


class NetworkChange(Trial):
    def change(self):
        board = self.start(self.running(SCRIPT))
        try:
            board.wait("trial: end", PATIENCE * 2, "the changes of the network")
            self.say("network changed and changed back, from power", board.elapsed)
        finally:
            board.cut()
        found = self.said(board)
        self.hold("the helper answers", found.get("helper") == ['"hasHelper":true'], found.get("helper"))
        self.hold("a right address stays", "10.0.2.50/24" in " ".join(found.get("right", [])), found.get("right"))
        wanted = ["own", "wrong", "back", "kept"]
        self.hold("a wrong one comes and goes", found.get("address") == wanted, found.get("address"))
        self.hold("so does a wrong VLAN", found.get("vlan") == ["made", "back", "gone"], found.get("vlan"))
        self.hold("it says why", "router" in " ".join(found.get("comment", [])), found.get("comment"))
        self.hold("no such interface is refused", "eth77" in " ".join(found.get("refused", [])), found.get("refused"))
        secrets = found.get("secrets")
        self.hold("secrets are root's", secrets == ["700 root:root 600 touchline:touchline"], secrets)
