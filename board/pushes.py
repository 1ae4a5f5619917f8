# SPDX-License-Identifier: Apache-2.0
"""Signed orders that would cost the box its network, its picture or its service: each is refused, or taken back within
its time, and the box says why. QEMU's network is 10.0.2.0/24, and its router 10.0.2.2."""

import re
import subprocess

from trial import PATIENCE, Trial

HEAD = """
say() { echo "trial: $*"; }
revision=0
# Signs an order of these settings, and gives it to the box.
push() {
    revision=$((revision + 1))
    printf '%s' "$2" >/run/patch.json
    touchline config sign --key /run/key.pem --key-id a --all --revision $revision --expires 2099-01-01T00:00:00Z \\
        /run/patch.json >/run/order.json || say unsigned "$1"
    give "$1"
}
give() {
    if answer=$(touchline config push /run/order.json 2>&1); then say taken "$1"; else say refused "$1" "$answer"; fi
}
# Until the newest revision is in force and nothing waits for its proof.
settled() {
    left=240
    while touchline config history --json | grep -q '"unconfirmed"'; do
        left=$((left - 1))
        [ $left -gt 0 ] || { say unsettled "$1"; return 1; }
        sleep 1
    done
    say "$2" "$1" $(touchline config history --json | tr -d '\\n' |
        sed 's/.*"revisions": *\\[ *{[^}]*"comment": *"\\([^"]*\\)".*/\\1/')
}
playing() {
    left=240
    until touchline status --json | grep -q '"isPlaying": *true'; do
        left=$((left - 1))
        [ $left -gt 0 ] || { say dark "$1"; return 1; }
        sleep 1
    done
    say playing "$1"
}
until touchline network-status --json | grep -q '"reachesGateway": *true'; do sleep 1; done
playing start
"""
ORDERS = """
push name '{"box":{"name":"Pushed"}}'
give again
sed -i 's/Pushed/Forged/' /run/order.json
give altered
push address '{"uplink":{"wired":{"addresses":["192.0.2.9/24"],"gateways":["192.0.2.1"]}}}'
settled address back
playing address
push vlan '{"uplink":{"wired":{"vlan":99}}}'
settled vlan back
playing vlan
push nothing '{"network":{"interface":"lo"}}'
settled nothing back
playing nothing
push connector '{"output":{"connector":"HDMI-A-9"}}'
push mode '{"output":{"mode":"320x240@7"}}'
settled mode kept
playing mode
push engine '{"playback":{"playoutDelayMs":700}}'
# What the change would have done to an engine.
systemctl kill -s SEGV touchline
until touchline status >/dev/null 2>&1; do sleep 1; done
settled engine back
say delay $(touchline config playback.playoutDelayMs --json)
playing engine
say name $(touchline config box.name --json)
say status $(touchline push-status --json | tr -d '\\n')
say end
"""


class Pushes(Trial):
    def push(self):
        key = self.openssl("genpkey", "-algorithm", "ed25519")
        public = self.openssl("pkey", "-pubout", given=key).split("\n")[1]
        keys = f'{{"push":{{"keys":[{{"id":"a","publicKey":"{public}","targets":["all"]}}]}}}}'
        script = (
            f"cat >/run/key.pem <<'EOF'\n{key}EOF\n" + HEAD + f"touchline config merge '{keys}' >/dev/null\n"
            "touchline config set confirmation.withinS 45\n" + ORDERS
        )
        board = self.start(self.running(script))
        try:
            board.wait("trial: end", PATIENCE * 4, "the orders")
            self.say("orders given and taken back, from power", board.elapsed)
        finally:
            board.cut()
        found = [said[1] for _, line in board.lines if (said := re.search(r"trial: (.*)", line))]
        for said in found:
            print(f"  {said.strip()}", flush=True)

        def hold(what, pattern):
            self.hold(what, any(re.match(pattern, said) for said in found), f"nothing is like {pattern}")

        hold("an order is taken", "taken name")
        hold("a second time it is refused", "refused again .*revision")
        hold("so is an altered one", "refused altered ")
        hold("an address of another network is taken back", "back address .*router")
        hold("so is a wrong VLAN", "back vlan .*(router|network)")
        hold("so is an interface that hears nothing", "back nothing .*(picture|announcement)")
        hold("a connector that is not there is refused", "refused connector .*HDMI-A-9")
        hold("a mode that the screen has not leaves the picture", "playing mode")
        hold("a service that crashes by it is without it", r"back engine .*not confirmed")
        hold("and has the delay of before", r"delay .*1000")
        hold("what was right stays", "name .*Pushed")
        for what in ("address", "vlan", "nothing", "engine"):
            hold(f"the picture returns: {what}", f"playing {what}")

    @staticmethod
    def openssl(*words, given=None):
        return subprocess.run(["openssl", *words], input=given, capture_output=True, text=True, check=True).stdout
