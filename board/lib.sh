# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts beside it: progress, steps and their counts, the compiler's options.
set -euo pipefail

export LC_ALL=C.UTF-8
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Warnings are errors, and the manifest is read, not remembered: it looks at which folders exist.
# SwiftPM compiles nothing anew for a changed header of a system library's target; an option that tells the headers does.
headers=$(cd "$root" && find Sources/CLibraries -name '*.h' -o -name module.modulemap | sort | xargs cat | cksum)
strict=(-Xswiftc -warnings-as-errors -Xcc -Werror -Xcc "-DTOUCHLINE_HEADERS=${headers% *}" --manifest-cache none)
# A target imports only what it declares. Swift 6.0 takes 40 s to look at all of them at each call, so one has it.
declared=(--explicit-target-dependency-import-check error)

# Layers and targets whose tests run for arm64 in an emulator: what depends on the processor or on how its kernel lays out
# what it is told, on C structures, rings, libraries, clocks. All else is the same on each, and the static program has it.
emulated_layers=Base,Media,Devices,ErasureCoding

# A test that hangs fails. With a terminal the tests stay in its foreground, where Ctrl-C reaches them.
patience=(timeout -k 10 1500)
if { : </dev/tty; } 2>/dev/null; then patience=(timeout --foreground "${patience[@]:1}"); fi

say() { printf '%(%H:%M:%S)T %s\n' -1 "$*"; }
complain() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
usage() {
    complain "$*"
    exit 2
}

passed=0 failed=0 broken=() ok=1
rows=()  # of the table at the end: step, seconds, seconds of processors, what became of it

# Seconds of processors that ended children of this shell have used, with theirs, into $used.
count_used() {
    local stat
    read -ra stat </proc/$$/stat
    used=$(((stat[15] + stat[16]) / 100))  # clock ticks, of which Linux tells programs 100 a second
}

# skipped STEP WHY: a step that is not run, for the table.
skipped() {
    ok=1
    say "-- $1: skipped, $2"
    rows+=("$1"$'\t-\t-\tskipped, '"$2")
}

# Runs a command as a step with its log in $logs: the step's time is printed, its tests are counted, and its failure
# is kept for `summary`, so that the steps after it still run; $ok tells those that cannot. With -t it must run tests.
step() {
    local tests=0 name log status from=$SECONDS used before good bad
    [[ $1 != -t ]] || { tests=1 && shift; }
    name=$1
    shift
    log=$logs/${name//[^[:alnum:]]/-}.log
    say "== $name"
    count_used
    before=$used
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
    count_used
    rows+=("$name"$'\t'"$((SECONDS - from))"$'\t'"$((used - before))"$'\t'"$( ((ok)) && echo ran || echo FAILED)$(
        ((good + bad == 0)) || echo ", $((good + bad)) tests"
    )")
    say "-- $name: $( ((ok)) && echo ok || echo FAILED), $((SECONDS - from)) s$(
        ((good + bad == 0)) || echo ", $good passed, $bad failed"
    )"
    return 0
}

# The time of each step, what it had of all processors, with what ended beside it, and its budget in board/budgets, which
# is told when it is passed and fails nothing.
times() {
    local row name seconds cpu state budget used
    printf '%-28s %7s %7s %7s  %s\n' step seconds cpu budget ''
    for row in "${rows[@]}"; do
        IFS=$'\t' read -r name seconds cpu state <<<"$row"
        budget=$(sed -n "s/^$name  *\([0-9][0-9]*\)\$/\1/p" "$root/board/budgets")
        [[ $seconds == - || -z $budget ]] || ((seconds <= budget)) || state+=", OVER BUDGET"
        printf '%-28s %7s %7s %7s  %s\n' "$name" "$seconds" "$cpu" "${budget:--}" "$state"
    done
    count_used
    printf '%-28s %7s %7s %7s\n' all "$SECONDS" "$used" "$(sed -n 's/^all  *\([0-9]*\)$/\1/p' "$root/board/budgets")"
}

# Prints what was skipped, what passed only by itself, why what broke did, and the time of each step, then the closing
# line; its status is the script's.
summary() {
    local line
    { grep -ahE '^SKIP|^AGAIN|^[^[:alnum:][:space:]]+ +Test .* skipped' "$logs"/*.log || true; } | sort -u
    # sed reads all of it: head would close the pipe, of which sort dies, and with it the script.
    { grep -ahE 'recorded an issue|(^|: )error: ' "$logs"/*.log || true; } | sort -u | cut -c 1-400 | sed -n 1,20p
    times
    for line in "${broken[@]}"; do printf 'FAILED: %s\n' "$line"; done
    printf '%d passed, %d failed\n' "$passed" "$failed"
    ((failed == 0))
}
