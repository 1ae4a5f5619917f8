# SPDX-License-Identifier: Apache-2.0
"""The box in a WiFi network by settings, with two radios that the kernel simulates (mac80211_hwsim), one the access
point's. With the right key it is let in; a wrong one takes itself back, and it is let in again."""

from trial import PATIENCE, Trial

SCRIPT = """
say() { echo "trial: $*"; }
until touchline status >/dev/null 2>&1; do sleep 1; done
modprobe mac80211_hwsim radios=2 || say no radios
until [ -e /sys/class/net/wlan1 ]; do sleep 1; done
cat >/run/access-point.conf <<END
network={
    ssid="Venue"
    mode=2
    frequency=2412
    key_mgmt=WPA-PSK
    proto=RSN
    pairwise=CCMP
    psk="right key 1"
}
END
/usr/sbin/wpa_supplicant -B -i wlan1 -D nl80211 -c /run/access-point.conf >/dev/null || say no access point
state() { touchline network-status --json | tr -d ' \\n'; }
# Until the box is let in, or for two minutes.
admitted() {
    left=120
    until state | grep -q '"admission":"COMPLETED"'; do
        left=$((left - 1))
        [ $left -gt 0 ] || { say "$1" outside; return; }
        sleep 1
    done
    say "$1" inside
}
change() {
    printf '%s' "$1" >/run/change.json
    touchline config merge /run/change.json >/dev/null || say refused "$1"
}
settled() {
    left=240
    while touchline config history --json | grep -q '"unconfirmed"'; do
        left=$((left - 1))
        [ $left -gt 0 ] || return
        sleep 1
    done
}
touchline config set confirmation.withinS 45 >/dev/null
change '{"network":{"interface":"wlan0"},
    "uplink":{"wifi":{"interface":"wlan0","ssid":"Venue","key":"right key 1","addresses":["10.77.0.2/24"]}}}'
# What the wire carried is not to be had over the radio.
touchline config confirm >/dev/null
admitted right
change '{"uplink":{"wifi":{"key":"wrong key 2"}}}'
left=30
while state | grep -q '"admission":"COMPLETED"' && [ $left -gt 0 ]; do left=$((left - 1)); sleep 1; done
state | grep -q '"admission":"COMPLETED"' && say wrong inside || say wrong outside
settled
say comment $(touchline config history --json | tr -d '\\n' |
    sed 's/.*"revisions": *\\[ *{[^}]*"comment": *"\\([^"]*\\)".*/\\1/')
admitted back
say secrets $(state | grep -c 'key [12]') $(stat -c '%a %U' /run/touchline-network/wifi-wlan0.conf)
say end
"""


class WiFi(Trial):
    def join(self):
        board = self.start(self.running(SCRIPT))
        try:
            board.wait("trial: end", PATIENCE * 2, "the changes of the WiFi network")
            self.say("let in, and again after a wrong key, from power", board.elapsed)
        finally:
            board.cut()
        found = self.said(board)
        self.hold("the right key lets it in", found.get("right") == ["inside"], found)
        self.hold("a wrong one does not", found.get("wrong") == ["outside"], found.get("wrong"))
        comment = " ".join(found.get("comment", []))
        self.hold("it is taken back, and says why", "no interface with an address" in comment, comment)
        self.hold("and the right one lets it in again", found.get("back") == ["inside"], found.get("back"))
        secrets = found.get("secrets")
        self.hold("no answer has a key, and root alone the file", secrets == ["0 600 root"], secrets)
