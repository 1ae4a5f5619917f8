# SPDX-License-Identifier: Apache-2.0
# Sourced after chroot.sh by board/image: the root of a box. Packages are extracted, not installed, so that either
# processor's root is made in the same way and as fast; what their scripts would have done for a box is done here.

# extract_box ARCH TREE GLES: packages, the kernel, and in TREE/.initramfs what the initramfs has alone.
extract_box() {
    local arch=$1 to=$2 gles=$3 groups=(box) list kept key meta
    ((gles == 0)) || groups+=(box-gles)
    list=$(for group in "${groups[@]}"; do "$root/board/setup" --list "$group"; done)
    meta="$("$root/board/setup" --list "box-kernel-$arch") $("$root/board/setup" --list box-initramfs)"
    key=$(
        { echo "$arch $list $meta" && cat "$root/board/left-out" && declare -f extract_box prune; } | sha256sum | cut -c1-12
    )
    kept=$cache/box-$arch-$key.tar
    find "$cache" -maxdepth 1 -name 'box-*.tar' -mmin +1440 -delete  # Debian's updates come in
    if [[ ! -e $kept ]]; then
        # shellcheck disable=SC2016 # $1 is mmdebstrap's
        bootstrap --variant=extract --architectures="$arch" --skip=check/empty,check/qemu \
            --include="$(paste -sd, <<<"$list")" --aptopt='APT::Sandbox::User "root"' \
            --extract-hook='mkdir "$1/more" && cd "$1/more" && export APT_CONFIG=$MMDEBSTRAP_APT_CONFIG &&
                for meta in '"$meta"'; do
                    real=$(apt-cache depends "$meta" | sed -n "s/^ *Depends: \(linux-image-[0-9].*\)/\1/p" | head -1)
                    apt-get -q download "${real:-$meta}"
                done
                for deb in "$1"/var/cache/apt/archives/*.deb "$1"/more/*.deb; do
                    dpkg-deb --show --showformat="\${Package}\t\${Version}\t\${source:Package}\t\${source:Version}\n" "$deb"
                done | sort >"$1/packages"' "$to"
        mkdir "$to/.initramfs"
        dpkg-deb -x "$to"/more/busybox*.deb "$to/.initramfs"
        dpkg-deb -x "$to"/more/linux-image*.deb "$to"
        rm -r "$to/more"
        prune "$to"
        tar -C "$to" -cf "$kept.new" .
        mv "$kept.new" "$kept"
    else
        tar -C "$to" -xf "$kept"
    fi
}

# Takes out what board/left-out names.
prune() {
    local to=$1 modules line folder name
    modules=$(cd "$to" && echo usr/lib/modules/*)
    find "$to/usr/share/doc" ! -type d ! -name copyright -delete
    find "$to/usr/share/doc" -type d -empty -delete
    grep -E '^[^#]+: ' "$root/board/left-out" | while read -r line; do
        folder=${line%%: *}
        for name in ${line#*: }; do
            # shellcheck disable=SC2086 # names have asterisks
            rm -rf "$to/${folder/MODULES/"$modules"}"/$name
        done
    done
    find "$to/$modules/kernel/drivers/scsi" -type f ! -name 's[cd]*_mod.ko*' ! -name 'scsi_common.ko*' -delete
}

# furnish ARCH TREE: users, units, links and the overlay.
furnish() {
    local arch=$1 to=$2 link
    for link in bin sbin lib lib64; do
        [[ -e $to/$link || ! -d $to/usr/$link ]] || ln -s "usr/$link" "$to/$link"
    done
    [[ -e $to/usr/bin/sh ]] || ln -s dash "$to/usr/bin/sh"
    mkdir -p "$to"/{proc,sys,dev,run,tmp,root,data,var}
    find "$to/var" -mindepth 1 -delete
    cp -a --no-preserve=ownership "$root/rootfs-overlay/." "$to"
    install -D -m 644 "$to/packages" "$to/usr/share/touchline/packages" && rm "$to/packages"
    for link in "$root"/board/*/decoders.json; do
        install -D -m 644 "$link" "$to/usr/share/touchline/boards/$(basename "${link%/*}").json"
    done
    (cd "$to/usr/share/touchline/boards" && sha256sum -- *.json >SHA256SUMS)

    cp "$to/usr/share/base-passwd/passwd.master" "$to/etc/passwd"
    cp "$to/usr/share/base-passwd/group.master" "$to/etc/group"
    sed -i 's#:/bin/\(ba\)\?sh$#:/usr/sbin/nologin#' "$to/etc/passwd"
    sed 's/^\([^:]*\):.*/\1:!*:20000::::::/' "$to/etc/passwd" >"$to/etc/shadow"
    sed 's/^\([^:]*\):.*/\1:!*::/' "$to/etc/group" >"$to/etc/gshadow"
    chmod 640 "$to"/etc/{shadow,gshadow}
    own "$arch" "$to" systemd-sysusers

    : >"$to/etc/machine-id"
    echo touchline >"$to/etc/hostname"
    printf '127.0.0.1 localhost\n::1 localhost\n127.0.1.1 touchline\n' >"$to/etc/hosts"
    ln -sf /usr/share/zoneinfo/UTC "$to/etc/localtime"
    ln -sf /proc/self/mounts "$to/etc/mtab"
    ln -sf ../run/systemd/resolve/stub-resolv.conf "$to/etc/resolv.conf"
    rm -rf "$to/etc/wpa_supplicant"
    ln -s /data/settings "$to/etc/wpa_supplicant"
    ln -s /data/settings "$to/etc/touchline"
    for link in regulatory.db regulatory.db.p7s; do
        [[ ! -e $to/usr/lib/firmware/$link-debian ]] || ln -sf "$link-debian" "$to/usr/lib/firmware/$link"
    done
    if [[ -d $to/usr/share/fontconfig/conf.avail && -z $(ls "$to/etc/fonts/conf.d" 2>/dev/null) ]]; then
        mkdir -p "$to/etc/fonts/conf.d"
        for link in 60-latin 57-dejavu-sans; do
            [[ ! -e $to/usr/share/fontconfig/conf.avail/$link.conf ]] ||
                ln -s "/usr/share/fontconfig/conf.avail/$link.conf" "$to/etc/fonts/conf.d"
        done
    fi

    systemctl --root="$to" preset-all 2>/dev/null
    # No login on a screen, no shell for whoever interrupts a start.
    for link in getty@.service autovt@.service console-getty.service container-getty@.service debug-shell.service \
        rescue.service emergency.service systemd-firstboot.service ldconfig.service systemd-hwdb-update.service \
        systemd-journal-catalog-update.service systemd-sysusers.service systemd-pcrextend.socket e2scrub_reap.service \
        systemd-user-sessions.service systemd-ask-password-{wall,console}.path proc-sys-fs-binfmt_misc.automount \
        systemd-hibernate-clear.service systemd-tpm2-setup{,-early}.service \
        systemd-pcr{machine,phase,phase-sysinit}.service systemd-networkd-persistent-storage.service sys-kernel-{debug,tracing}.mount dev-{hugepages,mqueue}.mount; do
        ln -sfn /dev/null "$to/etc/systemd/system/$link"
    done
    depmod -b "$to" "$(ls "$to/usr/lib/modules")"
    # Nobody on a box becomes somebody else.
    find "$to" -xdev -type f -perm /6000 -exec chmod a-s {} +
}

# own ARCH TREE PROGRAM: a program of the tree works on the tree.
own() {
    local arch=$1 to=$2 program=$3 path
    path=usr/sbin/$program
    [[ -e $to/$path ]] || path=usr/bin/$program
    set -- --root="$to"
    if [[ $arch == "$(dpkg --print-architecture)" ]]; then
        "$to"/usr/lib64/ld-linux-x86-64.so.2 --library-path "$to/usr/lib/$triple:$to/usr/lib/$triple/systemd" \
            "$to/$path" "$@"
    else
        qemu-aarch64 -L "$to" "$to/$path" "$@"
    fi
}

# check_libraries ARCH TREE: every library that the programs and theirs name is there.
check_libraries() {
    local to=$2 file missing
    missing=$(
        seen=' '
        queue=("$to/usr/bin/touchlined" "$to/usr/bin/touchline" "$to/usr/lib/systemd/systemd")
        while ((${#queue[@]} > 0)); do
            file=${queue[0]} queue=("${queue[@]:1}")
            while read -r name; do
                [[ $seen != *" $name "* ]] || continue
                seen+="$name "
                path=$(find "$to/usr/lib" -name "$name" -print -quit)
                if [[ -n $path ]]; then queue+=("$path"); else echo "$name (${file#"$to"})"; fi
            done < <(readelf -d "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
        done
    )
    [[ -z $missing ]] || { complain "libraries that are not there:" $missing && return 1; }
}
