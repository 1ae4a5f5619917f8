# SPDX-License-Identifier: Apache-2.0
# What board/endurance.py has an emulated board do, in it: FRAMES CHANGES CYCLES PATIENCE. A channel change each so many
# page flips, some of them with the connector off and on after it, and a sample of the service before the next.
frames=$1 changes=$2 cycles=$3 patience=$4
mount -t debugfs none /sys/kernel/debug
connector=$(echo /sys/class/drm/card0-*)

# A counter of the service. Asking costs time that pictures want: seldom.
count() { touchline stats 2>&- | pick "$1"; }
pick() { sed -n "s/^ *$1[: ] *\([0-9]*\).*/\1/p"; }

# reach COUNTER VALUE SECONDS: looks again when it may be there, at 60 a second
reach() {
    waited=0 limit=$(($3 * patience))
    while now=$(count "$1") && [ "${now:-0}" -lt "$2" ]; do
        [ $waited -lt $limit ] || {
            echo "trial: error: $1 is ${now:-none}, not $2, after $limit s"
            return 1
        }
        pause=$((($2 - ${now:-0}) / 60 + 1))
        [ $pause -le 20 ] || pause=20
        waited=$((waited + pause))
        sleep $pause
    done
}

# The service's own threads, and those of libavcodec: a decoder that is too slow is made anew with a thread for each
# processor (OverloadLadder), and the next session begins with one again.
names() { cat "/proc/$process/task/"*/comm 2>&- | sort | tr '\n' ' '; }
threads() { names | tr ' ' '\n' | grep . | grep -c "$@" '^av:'; }

sample() {
    stats=$(touchline stats)
    process=$(systemctl show -p MainPID --value touchline)
    now=$(names)
    [ "$now" = "$named" ] || echo "trial: threads $now"
    named=$now
    echo "trial: sample change=$change process=$process" \
        "flips=$(echo "$stats" | pick screen.flips)" "pictures=$(echo "$stats" | pick stage.picturesPresented)" \
        "descriptors=$(ls "/proc/$process/fd" | wc -l)" "threads=$(threads -v)" "decoding=$(threads)" \
        "rss=$(sed -n 's/^RssAnon:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$process/status")" \
        "framebuffers=$(grep -c '^framebuffer\[' /sys/kernel/debug/dri/0/framebuffer)" \
        "mapped=$(grep -c /dev/dri "/proc/$process/maps")" \
        "shared=$(sed -n 's/^Shmem:[^0-9]*\([0-9]*\).*/\1/p' /proc/meminfo)"
}

# An emulator that waits for its own processor is no fault of the service: the watchdog waits longer, and sound, which
# takes half a processor to emulate, keeps nobody else from one.
mkdir -p /run/systemd/system/touchline.service.d
printf '[Service]\nWatchdogSec=120\nLimitRTPRIO=0\n' >/run/systemd/system/touchline.service.d/endurance.conf
systemctl daemon-reload
systemctl restart touchline
reach screen.flips 20 300
began=$(count screen.flips)
change=0 named=
while [ $change -lt "$changes" ]; do
    change=$((change + 1))
    name=Card
    [ $((change % 2)) = 0 ] || name=Other
    echo "trial: tune $change $name"
    touchline tune $name >/dev/null || echo "trial: error: tune $name"
    reach playback.framesDecoded 40 60  # of this session
    sleep 1
    if [ $((change * cycles / changes)) -gt $(((change - 1) * cycles / changes)) ]; then
        echo "trial: off $change"
        echo off >"$connector/status"
        udevadm settle
        sleep 1
        before=$(count screen.flips)
        echo "trial: on $change"
        echo on >"$connector/status"
        reach screen.flips $((before + 10)) 60
    fi
    reach screen.flips $((began + change * frames / changes)) 600
    sample
done
stats=$(touchline stats)
screen() { echo "$stats" | pick "screen.$1"; }
echo "trial: end flips=$(($(screen flips) - began)) modesets=$(screen modesets) hotplugs=$(screen hotplugs)" \
    "longest=$(screen longestRecoveryMs) lost=$(screen flipsLost) refused=$(screen commitsRefused)" \
    "restarts=$(systemctl show -p NRestarts --value touchline)"
