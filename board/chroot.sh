# SPDX-License-Identifier: Apache-2.0
# Sourced after lib.sh: a Debian 13 chroot with Debian's own Swift and an arm64 sysroot, kept between runs.

suite=trixie
more_suites=()  # beside it and its updates
cache=${TOUCHLINE_CACHE:-/var/cache/touchline}
cell=

# "URI SUITE" of every repository this machine's apt reads, from both source formats.
apt_sources() {
    local etc=/etc/apt file
    for file in "$etc"/sources.list.d/*.sources; do
        [[ -e $file ]] || continue
        awk -v RS= '{
            uris = suites = ""; on = 1; n = split($0, line, "\n")
            for (i = 1; i <= n; i++) {
                if (line[i] ~ /^#/) continue
                value = line[i]; sub(/^[^:]*:[ \t]*/, "", value); key = tolower(line[i]); sub(/:.*/, "", key)
                if (key == "uris") uris = value
                if (key == "suites") suites = value
                if (key == "enabled" && value ~ /^(no|false|0)/) on = 0
            }
            nu = split(uris, u, " "); ns = split(suites, s, " ")
            if (on) for (i = 1; i <= nu; i++) for (j = 1; j <= ns; j++) print u[i], s[j]
        }' "$file"
    done
    for file in "$etc"/sources.list "$etc"/sources.list.d/*.list; do
        [[ -e $file ]] || continue
        sed -nE 's/^deb[[:space:]]+(\[[^]]*\][[:space:]]*)?([^[:space:]]+)[[:space:]]+([^[:space:]]+).*/\2 \3/p' "$file"
    done
}

# The lines for $suite: this machine's mirrors with the suite's name in place of its own.
suite_sources() {
    local here main security
    here=$(. /etc/os-release && echo "$VERSION_CODENAME")
    main=$(apt_sources | awk -v s="$here" '$2 == s || $2 ~ /^(old|oldold)?stable$/ { print $1; exit }')
    security=$(apt_sources | awk -v s="$here" '$2 ~ "^(" s "|(old)*stable)[-/]security" { print $1; exit }')
    [[ -n $main ]] || {
        complain "no Debian mirror for $here in /etc/apt: sources.list or sources.list.d/*.sources"
        return 78
    }
    printf "deb $main %s main\n" "$suite" "$suite-updates" "${more_suites[@]}"
    [[ -z $security ]] || printf 'deb %s %s main\n' "$security" "$suite-security"
}

# mmdebstrap with the host's sources and its way to reach them. Arguments: options, then the directory.
bootstrap() {
    local options=() line
    while read -r line; do options+=(--aptopt="$line"); done < <(
        apt-config dump | grep -E '^Acquire::(https?|Check-|ForceIPv)' || true
    )
    suite_sources >"$logs/sources"
    mmdebstrap --quiet --mode=root "${options[@]}" --aptopt='APT::Install-Recommends "false"' \
        --aptopt='Acquire::Retries "5"' --include=ca-certificates "${@:1:$#-1}" "$suite" "${!#}" - <"$logs/sources"
}

# Runs a command in the chroot. The mounts live in a private namespace, so none outlives it and removing the chroot
# can never reach the host's /dev. The checkout is read-only at /src, build products go to /build.
enter() {
    unshare -m bash -euc '
        cell=$1 src=$2; shift 2
        mount --make-rprivate /
        for at in proc sys dev; do mount --rbind /$at "$cell/root/$at"; done
        touch "$cell/root/etc/resolv.conf"
        mount --bind "$(readlink -f /etc/resolv.conf)" "$cell/root/etc/resolv.conf"
        mount --bind "$cell/build" "$cell/root/build"
        mount --bind "$cell/sysroot" "$cell/root/sysroot"
        mount --bind "$src" "$cell/root/src"
        mount -o remount,bind,ro "$cell/root/src"
        exec chroot "$cell/root" env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
    ' enter "$cell" "$root" "$@"
}

# static_programs ARCH: where `board/inside static ARCH` leaves the programs that an image holds.
static_programs() {
    case $1 in
        amd64) echo "$cell/build/static/release" ;;
        arm64) echo "$cell/build/cross-static/aarch64-unknown-linux-gnu/release" ;;
    esac
}

# A bare Debian in which board/setup itself does the rest, as on anybody's machine.
make_root() {
    bootstrap --variant=apt --architectures=amd64 "$cell/root"
    mkdir "$cell/build" "$cell/sysroot" "$cell/root/src" "$cell/root/build" "$cell/root/sysroot"
    enter /src/board/setup build chroot
    enter apt-get clean
}

# Packages extracted, not installed: maintainer scripts under emulation cost ten times as long.
make_sysroot() {
    local to=$cell/sysroot swift link target arch=aarch64-linux-gnu
    swift=$(TOUCHLINE_DEBIAN=13 "$root/board/setup" --list sysroot-swift | xargs)
    # shellcheck disable=SC2016 # $1 is mmdebstrap's
    bootstrap --variant=extract --architectures=arm64 --skip=check/empty,check/qemu \
        --include="$(TOUCHLINE_DEBIAN=13 "$root/board/setup" --list sysroot | paste -sd,)" \
        --aptopt='APT::Sandbox::User "root"' \
        --extract-hook='mkdir "$1/swift" && cd "$1/swift" &&
            APT_CONFIG=$MMDEBSTRAP_APT_CONFIG apt-get -q download '"$swift" "$to"
    for link in "$to"/swift/libswiftlang_*.deb; do dpkg-deb -x "$link" "$to"; done
    # of the compiler only what a target needs
    dpkg-deb --fsys-tarfile "$to"/swift/swiftlang_*.deb | tar -x -C "$to" --wildcards \
        './usr/libexec/swift/lib/swift/*' './usr/libexec/swift/lib/swift_static/*' './usr/libexec/swift/lib/clang/*'
    rm -r "$to/swift"
    find "$to" -type l -lname '/*' | while read -r link; do
        target=$(readlink "$link")
        ln -sfn "$(realpath -ms --relative-to="$(dirname "$link")" "$to$target")" "$link"
    done
    echo '{"CanonicalName": "debian13-arm64", "DisplayName": "Debian 13 arm64", "Version": "13.0", "VersionMap": {}}' \
        >"$to/SDKSettings.json"  # else a warning per compiler call
    [[ -e $to/lib ]] || ln -s usr/lib "$to/lib"
    for link in libcurl libxml2; do  # a static Foundation names them, Debian's runtime packages have no plain name
        target=$(cd "$to/usr/lib/$arch" && compgen -G "$link.so.?" | head -1) || continue
        ln -sf "$target" "$to/usr/lib/$arch/$link.so"
    done
}

# Names the cell for today's packages and scripts.
name_cell() {
    local key group
    key=$(
        {
            for group in build chroot sysroot sysroot-swift; do
                TOUCHLINE_DEBIAN=13 "$root/board/setup" --list "$group"
            done
            echo "$suite"
            declare -f bootstrap enter make_root make_sysroot
        } | sha256sum | cut -c1-12
    )
    cell=$cache/debian13-$key
}

# The cell, and the cache's lock until this process ends.
choose_cell() {
    name_cell
    mkdir -p "$cache"
    exec {cache_lock}>"$cache/lock"
    flock --nonblock "$cache_lock" || {
        # A run that was killed may have left a compiler in the cell that still holds it.
        say "waiting for $cache/lock: $(fuser "$cache/lock" 2>/dev/null | xargs -r ps -o pid=,args= -p | cut -c 1-120 | head -3)"
        flock "$cache_lock"
    }
}

# Makes chroot and sysroot unless the cache has them. What is interrupted never gets its final name.
fill_cell() {
    local whole=$cell
    rm -rf --one-file-system "$cache"/making.*
    find "$cache" -mindepth 1 -maxdepth 1 -name 'debian13-*' ! -path "$whole" -mtime +7 \
        -exec rm -rf --one-file-system {} +
    if [[ ! -d $whole ]]; then
        local cell=$cache/making.${whole##*-}  # for what is called here only: it is renamed
        mkdir "$cell"
        say "making the chroot"
        make_root
        say "making the arm64 sysroot"
        make_sysroot
        mv "$cell" "$whole"
        du -sh "$whole"/*
    fi
    touch "$whole"
}
