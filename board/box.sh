# SPDX-License-Identifier: Apache-2.0
# Sourced after chroot.sh by board/image: the root of a box. Packages are extracted, not installed, so that either
# processor's root is made in the same way and as fast; what their scripts would have done for a box is done here.

# extract_box ARCH TREE GLES: packages, the kernel, and in TREE/.initramfs what the initramfs has alone.
extract_box() {
    local arch=$1 to=$2 gles=$3 groups=(box) list kept key meta
    ((gles == 0)) || groups+=(box-gles)
    list=$(for group in "${groups[@]}"; do "$root/board/setup" --list "$group"; done)
    meta="$("$root/board/setup" --list "box-kernel-$arch") $("$root/board/setup" --list box-initramfs)"
    key=$(echo "$arch $list $meta" | cat - <(declare -f extract_box prune) | sha256sum | cut -c1-12)
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

# What no box reads. Licences stay.
prune() {
    local to=$1 modules
    find "$to/usr/share/doc" ! -type d ! -name copyright -delete
    find "$to/usr/share/doc" -type d -empty -delete
    rm -rf "$to"/usr/share/{man,info,locale,lintian,bash-completion,zsh,bug,pixmaps,menu,applications,initramfs-tools,perl5} \
        "$to"/usr/lib/udev/hwdb.d "$to"/usr/lib/udev/rules.d/90-alsa-restore.rules "$to"/usr/lib/systemd/system/alsa-*.service \
        "$to"/usr/lib/systemd/system/*.wants/alsa-*.service "$to"/usr/lib/systemd/system/{sshd-*,systemd-rfkill.*} \
        "$to"/usr/lib/tmpfiles.d/{etc,credstore,home,legacy,provision,debian,x11,20-systemd*,systemd-nologin,systemd-pstore,libselinux1,passwd,journal-nocow}.conf \
        "$to"/usr/lib/systemd/system-generators/systemd-{gpt-auto,hibernate-resume,rc-local,ssh,system-update,sysv,tpm2}-generator \
        "$to"/usr/lib/udev/rules.d/{60-cdrom_id,60-fido-id,60-infiniband,60-persistent-storage-mtd,60-persistent-storage-tape,60-sensor,64-btrfs,70-camera,70-joystick,70-memory,70-mouse,70-touchpad,75-probe_mtd,90-iocost}.rules "$to"/usr/share/sounds "$to"/var/{cache,lib}/apt "$to"/var/lib/dpkg \
        "$to"/usr/{bin,lib}/*-linux-gnu/perl* "$to"/usr/bin/perl* "$to"/usr/lib/*-linux-gnu/perl-base \
        "$to"/usr/share/{perl,debconf} "$to"/etc/{init.d,rc?.d,cron.*,logrotate.d,kernel,apt,dpkg} "$to"/usr/lib/debug
    modules=$(echo "$to"/usr/lib/modules/*)
    # Servers' disks and networks, other graphics cards, file systems and buses that no television has.
    rm -rf "$modules"/kernel/drivers/{infiniband,isdn,gpio/gpio-sim.ko*,accel,comedi,staging,iio,hwmon,mtd,ntb,nvdimm,target,vdpa,vfio,xen,fpga,w1,firewire,message,dax,edac,parport,pcmcia,macintosh,vhost,cxl,isdn,atm} \
        "$modules"/kernel/drivers/gpu/drm/{amd,nouveau,radeon,gma500,mgag200,ast,xe,vmwgfx,xen,hyperv,qxl} \
        "$modules"/kernel/drivers/net/{can,ppp,hamradio,fddi,wan,ieee802154,arcnet,slip,plip,ipa,wwan,thunderbolt,xen-netback} \
        "$modules"/kernel/drivers/net/ethernet/{mellanox,chelsio,qlogic,broadcom/bnx2x,netronome,sfc,cavium,emulex,brocade,cisco,huawei,pensando,fungible,marvell/octeontx2,hisilicon,amazon,google,microsoft,8390,3com,dec,sis,sun,tehuti,neterion,myricom,qualcomm/emac} \
        "$modules"/kernel/fs/{btrfs,xfs,ocfs2,gfs2,ceph,cifs,smb,nfs,nfsd,afs,coda,f2fs,jfs,nilfs2,ntfs3,ubifs,ufs,udf,hfs,hfsplus,9p,orangefs,dlm,befs,bfs,efs,erofs,minix,omfs,qnx4,qnx6,sysv,jffs2,romfs,bcachefs,ntfs,lockd,reiserfs} \
        "$modules"/kernel/net/{openvswitch,sctp,tipc,ceph,rds,dccp,batman-adv,smc,atm,can,nfc,ieee802154,6lowpan,mptcp,9p,sunrpc,phonet,caif,l2tp,x25,lapb,netrom,rose,ax25,appletalk,mpls,ncsi,vmw_vsock,nsh,hsr,kcm,rxrpc} \
        "$modules"/kernel/drivers/media/{dvb-frontends,tuners,pci,usb,radio,firewire,common/saa7146,test-drivers} \
        "$modules"/kernel/drivers/{isdn,md,block/drbd,block/aoe,input/joystick,input/tablet,input/touchscreen,usb/serial,usb/misc,crypto,char/tpm,nfc,slimbus,soundwire,greybus,counter,most,siox,bus/mhi,android,auxdisplay,leds/rgb,memstick,mfd,platform/surface,platform/chrome,power/supply,pps,ptp,rapidio,hv,ata,ufs} \
        "$modules"/{build,source} "$modules"/kernel/arch/*/kvm "$modules"/kernel/virt
    find "$modules/kernel/drivers/scsi" -type f ! -name 's[cd]*_mod.ko*' ! -name 'scsi_common.ko*' -delete
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
        systemd-hibernate-clear.service systemd-tpm2-setup{,-early}.service systemd-pcr{machine,phase,phase-sysinit}.service \
        systemd-networkd-persistent-storage.service sys-kernel-{debug,tracing}.mount dev-{hugepages,mqueue}.mount; do
        ln -sfn /dev/null "$to/etc/systemd/system/$link"
    done
    depmod -b "$to" "$(ls "$to/usr/lib/modules")"
}

# own ARCH TREE PROGRAM: a program of the tree works on the tree.
own() {
    local arch=$1 to=$2 program=$3 path
    path=usr/sbin/$program
    [[ -e $to/$path ]] || path=usr/bin/$program
    set -- --root="$to"
    if [[ $arch == "$(dpkg --print-architecture)" ]]; then
        "$to"/usr/lib64/ld-linux-x86-64.so.2 --library-path "$to/usr/lib/$triple:$to/usr/lib/$triple/systemd" "$to/$path" "$@"
    else
        qemu-aarch64 -L "$to" "$to/$path" "$@"
    fi
}

# check_libraries ARCH TREE: every library that the programs and theirs name is there.
check_libraries() {
    local to=$2 file missing
    missing=$(
        seen=' '
        queue=("$to/usr/bin/touchlined" "$to/usr/bin/touchline" "$to/usr/bin/amixer" "$to/usr/lib/systemd/systemd")
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
