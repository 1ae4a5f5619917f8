# SPDX-License-Identifier: Apache-2.0
"""The box in a WiFi network by settings, with three radios that the kernel simulates (mac80211_hwsim), two of them
access points. With the right key it is let in; a wrong one takes itself back, and it is let in again. It tells of its radio
what the kernel says, and counts that it moves when its access point goes."""

from trial import PATIENCE, Trial

SCRIPT = """
say() { echo "trial: $*"; }
until touchline status >/dev/null 2>&1; do sleep 1; done
modprobe mac80211_hwsim radios=3 || say no radios
until [ -e /sys/class/net/wlan2 ]; do sleep 1; done
access_point() {
    cat >/run/$1.conf <<END
network={
    ssid="Venue"
    mode=2
    frequency=$2
    key_mgmt=WPA-PSK
    proto=RSN
    pairwise=CCMP
    psk="right key 1"
}
END
    /usr/sbin/wpa_supplicant -B -i $1 -D nl80211 -P /run/$1.pid -c /run/$1.conf >/dev/null || say no access point
}
access_point wlan1 2412
# One line of what the box says of its radio.
radio() { touchline wifi --json | tr -d ' \\n' | sed 's/.*\\({[^{}]*"interface":"wlan0"[^{}]*}\\).*/\\1/'; }
member() { radio | sed -n 's/.*"'"$1"'":"\\{0,1\\}\\([^,}"]*\\).*/\\1/p'; }
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
say radio $(member ssid) $(member channel) $(member bssid) $(cat /sys/class/net/wlan1/address)
say signal $(member signalDbm) $(member noiseDbm) $(member linkScore)
say user $(stat -c %U /proc/$(systemctl show -P MainPID touchline.service))
# Another access point of the network appears, and the one before goes.
access_point wlan2 2437
say scanned $(touchline wifi-scan --fresh --json 2>&1 | tr -d ' \\n' | cut -c 1-300)
left=20
while ! touchline wifi-scan --json | grep -q "$(cat /sys/class/net/wlan2/address)" && [ $left -gt 0 ]; do
    left=$((left - 1))
    touchline wifi-scan --fresh >/dev/null
done
kill $(cat /run/wlan1.pid)
left=60
until [ "$(member bssid)" = "$(cat /sys/class/net/wlan2/address)" ] || [ $left -le 0 ]; do
    left=$((left - 1))
    sleep 1
done
say moved $(member bssid) $(cat /sys/class/net/wlan2/address)
say roams $(member roams) $(member connects) $(member disconnects)
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

        def words(name):
            return " ".join(found.get(name, [])).split()

        radio = words("radio")
        self.hold("its radio is at that access point", radio[:2] == ["Venue", "1"] and radio[2:3] == radio[3:], radio)
        signal = words("signal")
        self.hold("signal, noise and score are told", len(signal) == 3 and signal[0].startswith("-"), signal)
        self.hold("by a user without privileges", found.get("user") == ["touchline"], found.get("user"))
        self.hold("a scan is made", "bssid" in "".join(words("scanned")), words("scanned"))
        moved = words("moved")
        self.hold("it follows to the other access point", len(moved) == 2 and moved[0] == moved[1], moved)
        roams = words("roams")
        self.hold("which is counted", len(roams) == 3 and int(roams[1]) >= 2, roams)
        self.hold("a wrong one does not", found.get("wrong") == ["outside"], found.get("wrong"))
        comment = " ".join(found.get("comment", []))
        self.hold("it is taken back, and says why", "no interface with an address" in comment, comment)
        self.hold("and the right one lets it in again", found.get("back") == ["inside"], found.get("back"))
        secrets = found.get("secrets")
        self.hold("no answer has a key, and root alone the file", secrets == ["0 600 root"], secrets)
