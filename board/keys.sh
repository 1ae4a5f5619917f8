# SPDX-License-Identifier: Apache-2.0
# Sourced by board/test after chroot.sh: a step is skipped, and named, if its inputs are those of a run that passed
# (board/keys.py says what they are); and a checkout that is kept with what was built in it.

declare -A keys=()       # of each step: a hash of all that decides how it ends
declare -A sources=()    # of each step that is seldom run: a hash of the sources alone
declare -A proven=()     # those of board/proven.json: what the last --all has seen pass
passes=$cache/passed     # a file for each key that passed: when
checkout=$cache/checkout
again=0                  # --all: no step is skipped

# Continues in the kept checkout. There only the files that differ are written, whatever clone they come from, so that
# their time stamps tell the builds what to compile.
enter_checkout() {
    local lock git tree
    [[ $root != "$checkout" ]] || return 0
    mkdir -p "$checkout"
    exec {lock}>"$cache/lock.checkout"
    flock --nonblock "$lock" || { say "waiting for $cache/lock.checkout" && flock "$lock"; }
    git init --quiet "$checkout"
    git=(git --git-dir="$checkout/.git")
    # The work tree with what is not committed becomes a tree object of the checkout's repository.
    GIT_INDEX_FILE=$checkout/.git/index.from "${git[@]}" --work-tree=. add --all .
    tree=$(GIT_INDEX_FILE=$checkout/.git/index.from "${git[@]}" write-tree)
    # The name of the commit is only for `git describe`.
    "${git[@]}" fetch --quiet --update-shallow "$root" HEAD && "${git[@]}" update-ref --no-deref HEAD FETCH_HEAD ||
        complain "no commit in $root"
    (cd "$checkout" && git read-tree --reset -u "$tree" && git clean --quiet -fd)
    say "in $checkout, where builds are kept"
    cd "$checkout"
    TOUCHLINE_BEGAN=$began TOUCHLINE_RECORD=$root exec "$checkout/board/test" "$@"
}

# The keys of all steps; without a cache that can be written, none. Those of the chroot once there is one.
read_keys() {
    local name key source options=(--kept .build-test --kept .build-fuzz --times "$times_kept")
    ((EUID == 0)) || return 0
    [[ ! -d $cell ]] || options+=(--cell "$cell" --kept "$cell/build" --layers "$emulated_layers")
    mkdir -p "$passes"
    find "$passes" -type f -mtime +30 -delete
    while IFS=$'\t' read -r name key source; do
        keys[$name]=${key#-} sources[$name]=${source#-}
    done < <(board/keys.py "${options[@]}" || complain "no keys")
    while IFS=$'\t' read -r name source; do proven[$name]=$source; done < <(
        sed -nE 's/^ *"([^"]+)": "([0-9a-f]{32})",?$/\1\t\2/p' board/proven.json
    )
}

# passed_before STEP: whether its inputs passed; $passed_at says when. What is seldom run has passed if the last --all has
# seen it pass with these sources, on whichever machine.
passed_before() {
    local key=${keys[$1]:-} file
    file=$passes/${key:-none}
    ((again == 0)) || return 1
    if [[ -n $key && -s $file ]]; then
        passed_at=$(<"$file")
    else
        [[ -n ${sources[$1]:-} && ${sources[$1]:-} == "${proven[$1]:-}" ]] || return 1
        passed_at="by --all with these sources"
    fi
}

# remember STEP...: they passed.
remember() {
    local name
    for name; do
        [[ -z ${keys[$name]:-} ]] || date '+%Y-%m-%d %H:%M' >"$passes/${keys[$name]}"
        [[ -z ${sources[$name]:-} ]] || now_proven+=("$name")
    done
}

now_proven=()  # of what is seldom run: what has passed now

# Writes what a whole run has seen into files to be committed: board/proven.json of what is seldom run, with the sources
# that it passed with, and board/seconds.json of how long steps and tests took. keep_record FOLDER
keep_record() {
    local name row seconds cpu
    {
        for name in "${now_proven[@]}"; do printf 'proven\t%s\t%s\n' "$name" "${sources[$name]}"; done
        for row in "${rows[@]}"; do
            IFS=$'\t' read -r name seconds cpu _ <<<"$row"
            [[ $seconds == - ]] || printf 'step\t%s\t%s\t%s\n' "$name" "$seconds" "$cpu"
        done
        count_busy
        printf 'step\tall\t%s\t%s\n' $((EPOCHSECONDS - began)) $((busy - busy_before))
    } | board/record.py --times "$times_kept" "$1/board"
}

# keyed [-t] STEP COMMAND...: as `step`, unless its inputs passed. Tests that are left out, as for a missing peer, are told
# each time that they run; that peer is among the inputs. Any other step that leaves itself out has not passed.
keyed() {
    local name=$1
    [[ $1 != -t ]] || name=$2
    if passed_before "$name"; then
        skipped "$name" "passed $passed_at"
        return
    fi
    step "$@"
    ((ok)) || return 0
    if [[ $1 == -t ]] || ! grep -aq '^SKIP' "$logs/${name//[^[:alnum:]]/-}.log"; then remember "$name"; fi
}

# choose_targets STEP: its test targets into $chosen, but those whose inputs passed, which are named; $skips has the
# number of these. Without keys both are empty.
choose_targets() {
    local name at
    local -A spared=()
    chosen=() skips=0
    for name in "${!keys[@]}"; do
        [[ $name == "$1/"* ]] || continue
        if passed_before "$name"; then
            spared[$passed_at]+=" ${name#*/}"
            skips=$((skips + 1))
        else
            chosen+=("${name#*/}")
        fi
    done
    mapfile -t chosen < <(printf '%s\n' "${chosen[@]}" | grep . | sort)
    for at in "${!spared[@]}"; do
        # shellcheck disable=SC2086 # words
        printf 'SKIPPED %s, passed %s: %s\n' "$1" "$at" "$(printf '%s\n' ${spared[$at]} | sort | xargs)"
    done | sort | tee -a "$logs/skipped.log"
}

# remember_targets STEP: those of $chosen passed.
remember_targets() { ((${#chosen[@]} == 0)) || remember "${chosen[@]/#/"$1/"}"; }

# A pattern for the tests of $chosen; of all tests where there are no keys.
of_chosen() { if ((${#chosen[@]} == 0)); then echo .; else (IFS='|' && echo "^(${chosen[*]})[.]"); fi; }
