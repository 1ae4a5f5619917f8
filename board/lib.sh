# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts beside it: progress, steps and their counts, the compiler's options.
set -euo pipefail

export LC_ALL=C.UTF-8
began=${TOUCHLINE_BEGAN:-$EPOCHSECONDS}  # of the whole run, in whichever checkout
unset TOUCHLINE_BEGAN
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Warnings are errors, and the manifest is read, not remembered: it looks at which folders exist.
# SwiftPM compiles nothing anew for a changed header of a system library's target; an option that tells the headers does.
headers=$(cd "$root" && find Sources/CLibraries -name '*.h' -o -name module.modulemap | sort | xargs cat | cksum)
strict=(-Xswiftc -warnings-as-errors -Xcc -Werror -Xcc "-DTOUCHLINE_HEADERS=${headers% *}" --manifest-cache none)
# Programs and tests are of one build: the sources optimised, as they are shipped, and open to tests.
# They keep what only debug builds check, such as the bounds of unsafe buffers.
optimised=(-c release -Xswiftc -enable-testing -Xswiftc -assert-config -Xswiftc Debug)
tested=("${optimised[@]}" --build-tests)
# A target imports only what it declares. Swift 6.0 takes 40 s to look at all of them at each call, so one has it.
declared=(--explicit-target-dependency-import-check error)

# Layers and targets whose tests run for arm64 in an emulator: what depends on the processor or on how its kernel lays out
# what it is told, on C structures, rings, libraries, clocks. All else is the same on each, and the static program has it.
emulated_layers=Base,Media,Devices,ErasureCoding

# A test that hangs fails. With a terminal the tests stay in its foreground, where Ctrl-C reaches them.
patience=(timeout -k 10 2400)
if { : </dev/tty; } 2>/dev/null; then patience=(timeout --foreground "${patience[@]:1}"); fi

say() { printf '%(%H:%M:%S)T %s\n' -1 "$*"; }
complain() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
usage() {
    complain "$*"
    exit 2
}

passed=0 failed=0 broken=() ok=1
rows=()  # of the table at the end: step, seconds, busy seconds of all processors, what became of it
ahead_of_us=()  # names of the steps of a whole run, in their order, for the time that is left
took=0 expected=0  # seconds of the steps that have ended, and those of the same steps at the last landing

# Into $busy: seconds in which this machine's processors worked, whoever had them, since it started.
count_busy() {
    local stat
    read -ra stat </proc/stat  # user, nice, system, idle, waiting for a disk, interrupts, soft interrupts: ticks
    busy=$(((stat[1] + stat[2] + stat[3] + stat[6] + stat[7]) / 100))
}
count_busy
busy_before=$busy

# skipped STEP WHY: a step that is not run, for the table.
skipped() {
    ok=1
    say "-- $1: skipped, $2"
    rows+=("$1"$'\t-\t-\tskipped, '"$2")
}

# Runs a command as a step with its log in $logs: the step's time is printed, its tests are counted, and its failure
# is kept for `summary`, so that the steps after it still run; $ok tells those that cannot. With -t it must run tests.
step() {
    local tests=0 name log status from=$SECONDS busy before seconds good bad
    [[ $1 != -t ]] || { tests=1 && shift; }
    name=$1
    shift
    log=$logs/${name//[^[:alnum:]]/-}.log
    say "== $name$(seconds=$(seconds_before "$name") && ((seconds < 30)) || echo ", from nothing about $(((seconds + 29) / 60)) min")"
    count_busy
    before=$busy
    set +e  # `|| status=$?` would switch errexit off inside the command too
    (
        set -e
        "$@" </dev/null 2>&1 | tee "$log" | sed -u '/^◇/d'  # not every test's and every argument's start
    )
    status=$?
    set -e
    # Swift Testing's own lines begin with a symbol; "Test run" and "Suite" sum up what is counted here.
    good=$(grep -acE '^[^[:alnum:][:space:]]+ +Test .* passed after [0-9.]+ seconds' "$log" || true)
    bad=$(grep -acE '^[^[:alnum:][:space:]]+ +Test .* failed after [0-9.]+ seconds' "$log" || true)
    good=$((good - $(grep -acE '^[^[:alnum:][:space:]]+ +Test run with .* passed after' "$log" || true)))
    bad=$((bad - $(grep -acE '^[^[:alnum:][:space:]]+ +Test run with .* failed after' "$log" || true)))
    if ((tests && status == 0 && good + bad == 0)); then
        complain "$name: no test ran"
        status=1
    fi
    ok=$((status == 0))
    if ((!ok)); then
        broken+=("$name (status $status)")
        ((bad > 0)) || bad=1  # a step without a failed test still counts: it did not build, or it crashed
    fi
    ((passed += good, failed += bad)) || true
    count_busy
    seconds=$(seconds_before "$name")
    ((seconds == 0)) || ((took += SECONDS - from, expected += seconds))
    rows+=("$name"$'\t'"$((SECONDS - from))"$'\t'"$((busy - before))"$'\t'"$( ((ok)) && echo ran || echo FAILED)$(
        ((good + bad == 0)) || echo ", $((good + bad)) tests"
    )")
    say "-- $name: $( ((ok)) && echo ok || echo FAILED), $((SECONDS - from)) s$(
        ((good + bad == 0)) || echo ", $good passed, $bad failed"
    )$(left "$name")"
    return 0
}

# left STEP: how long a whole run from nothing has still to go after this step, or after its start, by what the steps took
# at the last landing, and longer on a machine that has been slower so far.
left() {
    local name seconds=0 number=0 done=-1
    [[ $1 != start ]] || done=0
    for name in "${ahead_of_us[@]}"; do
        number=$((number + 1))
        ((done < 0)) || seconds=$((seconds + $(seconds_before "$name")))
        [[ $name != "$1" ]] || done=$number
    done
    ((expected == 0 || took <= expected)) || seconds=$((seconds * took / expected))
    ((done < 0 || seconds == 0)) || echo "; step $done of $number, from nothing about $(((seconds + 59) / 60)) min to go"
}

# seconds_before STEP: what it took at the last landing; 0 if it is new.
seconds_before() {
    local found
    found=$(sed -nE "s/^ *\"$1\": \[([0-9]+), [0-9]+\],?\$/\1/p" "$root/board/seconds.json")
    echo "${found:-0}"
}

# line NAME SECONDS BUSY BEFORE STATE
line() {
    local idle=-
    [[ $2 == - ]] || ((${2:-0} == 0)) || idle=$((100 - 100 * $3 / ($2 * $(nproc))))
    [[ $idle == - ]] || ((idle >= 0)) || idle=0
    printf '%-28s %7s %7s %7s %7s  %s\n' "$1" "$2" "$3" "$idle" "$4" "$5"
}

# The time of each step, what the processors worked meanwhile, whoever had them, the share of them that was idle, and what
# the step took at the last landing, from nothing (board/seconds.json).
times() {
    local row name seconds cpu state
    printf '%-28s %7s %7s %7s %7s\n' step seconds cpu 'idle %' before
    for row in "${rows[@]}"; do
        IFS=$'\t' read -r name seconds cpu state <<<"$row"
        line "$name" "$seconds" "$cpu" "$(seconds_before "$name")" "$state"
    done
    count_busy
    line all $((EPOCHSECONDS - began)) $((busy - busy_before)) "$(seconds_before all)" "$(nproc) processors"
}

# Prints what was skipped, what passed only by itself, why what broke did, and the time of each step, then the closing
# line; its status is the script's.
summary() {
    local line
    { grep -ahE '^SKIP|^AGAIN|^[^[:alnum:][:space:]]+ +Test .* skipped' "$logs"/*.log || true; } | sort -u
    { grep -ahE '^(LONG|GREW|ALL): ' "$logs"/*.log || true; } | sort -u -k 1,1r -k 2,2nr
    # sed reads all of it: head would close the pipe, of which sort dies, and with it the script.
    { grep -ahE 'recorded an issue|(^|: )error: ' "$logs"/*.log || true; } | sort -u | cut -c 1-400 | sed -n 1,20p
    times
    for line in "${broken[@]}"; do printf 'FAILED: %s\n' "$line"; done
    printf '%d passed, %d failed\n' "$passed" "$failed"
    ((failed == 0))
}
