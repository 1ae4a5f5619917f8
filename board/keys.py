#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Keys of the steps of board/test: keys.py [--cell CHROOT] [--layers LIST] [--kept FOLDER]... [--times FILE] [--why STEP]

Prints "STEP<tab>KEY<tab>SOURCES" lines. A key is a hash of everything that decides how its step ends: the sources of its
targets and of all that they use, what tests read beside them, the scripts, the compiler, the packages with what they depend
on, the kernel, the processor, and the settings in the environment. STEP/TARGET is the part of a step that one test target
is. SOURCES is there for what is seldom run: a hash of the sources alone, by which it is run when these have changed since
the last `board/test --all` (board/proven.json), and not because the machine is another. Base is among them only for what
tests Base itself. "-": there is none.

--cell: the steps of Debian 13, too; --layers: layers and targets whose tests run for arm64. --kept: a folder of builds, from
which the modules of targets are removed that are gone, as they could still be imported. --times: what board/lanes.py has
kept, with which programs each test with peers starts: interop/PROGRAMS is the part of that step that the tests are that
start just these. --why lists the inputs of one step.
"""
import argparse, bisect, glob, hashlib, json, os, platform, re, subprocess, time

# What tests read beside the sources of their targets; board/scripts_test.py holds them to it.
beside = ["config", "board/face", "rootfs-overlay", "board/qemu-virt", "board/raspberry-pi-4", "board/rockpro64"]
beside_of = {"BoxTests": ["README.md"]}  # what only one target's tests read
scripts = ["board/test", "board/keys.sh", "board/keys.py", "board/lanes.py", "board/lib.sh", "board/setup"]
inside = ["board/chroot.sh", "board/inside", "board/sdk"]
programs = ["touchlined", "touchline", "touchline-streamer", "touchline-reporter",
            "touchline-replay"]
# Of the environment: places, and what makes tests try more.
unkept = {"TOUCHLINE_CACHE", "TOUCHLINE_RECORD", "TOUCHLINE_PEER_LOG", "TOUCHLINE_PEERS", "TOUCHLINE_ALL"}
# Layers whose tests the second compiler builds and runs on each new machine: what stands on C libraries, on the kernel and
# on the standard library's own code. Of all others it builds and runs those whose sources have changed.
second_compiler = ["Base", "Devices"]
# Where sources name C or the processor, beside Base and ErasureCoding, whose tests arm64 has; and what is linked with what.
of_processor = re.compile(r"package$|target |Sources/(CLibraries|Devices|Media|Programs)/")


def out(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def blobs():
    """git's hash of each file of the work tree that is not ignored."""
    known = {}
    for line in out("git", "ls-files", "-s", "-z").split("\0")[:-1]:
        about, path = line.split("\t", 1)
        known[path] = about  # with the mode
    changed = set(out("git", "ls-files", "-mo", "--exclude-standard", "-z").split("\0")[:-1])
    for path in changed:
        known.pop(path, None)
    there = sorted(path for path in changed if os.path.isfile(path))
    if there:
        hashes = out("git", "hash-object", "--stdin-paths", input="\n".join(there)).split()
        modes = ("100755" if os.access(path, os.X_OK) else "100644" for path in there)
        known.update((path, f"{mode} {blob} 0") for path, mode, blob in zip(there, modes, hashes))
    return known


def installed(status):
    """Version and names of what is depended on, for each package of a dpkg status file; provided names likewise."""
    packages = {}
    try:
        with open(status, encoding="utf-8") as file:
            paragraphs = file.read().split("\n\n")
    except OSError:
        return packages
    for paragraph in paragraphs:
        fields = dict(re.findall(r"^([A-Z][\w-]*): (.*)$", paragraph, re.M))
        if not fields.get("Status", "").endswith(" installed"):
            continue
        name = fields["Package"]
        wanted = re.findall(r"(?:^|[,|])\s*([a-z0-9][a-z0-9+.-]+)",
                            ", ".join(fields.get(kind, "") for kind in ("Depends", "Pre-Depends")))
        packages.setdefault(name, []).append((f'{name} {fields["Version"]} {fields.get("Architecture")}', wanted))
        for provided in re.findall(r"(?:^|,)\s*([a-z0-9][a-z0-9+.-]+)", fields.get("Provides", "")):
            packages.setdefault(provided, []).append(("", [name]))
    return packages


def versions(packages, names):
    """The versions of installed packages and of all that they depend on; a name alone for what is not installed."""
    found, seen, left = set(), set(), list(names)
    while left:
        name = left.pop()
        if name in seen:
            continue
        seen.add(name)
        for version, wanted in packages.get(name, []):
            found.add(version)
            left += wanted
    return [("package", line) for line in sorted(found | {name for name in names if name not in packages}) if line]


class Inputs:
    def __init__(self, files, package, root="."):
        self.files = files
        self.paths = sorted(files)
        self.root = root
        self.targets = {}
        for target in package["targets"]:
            uses = [next(iter(one.values()))[0] for one in target["dependencies"]]
            rest = {name: target[name] for name in target if name not in ("path", "name", "dependencies")}
            self.targets[target["name"]] = (target["path"], uses, json.dumps(rest, sort_keys=True))
        self.package = json.dumps({name: package[name] for name in package if name not in ("targets", "packageKind")},
                                  sort_keys=True)

    def under(self, *places):
        found = {place for place in places if place in self.files}
        for place in places:  # in the order of paths "0" follows "/"
            found.update(self.paths[bisect.bisect(self.paths, f"{place}/"):bisect.bisect(self.paths, f"{place}0")])
        return sorted((path, self.files[path]) for path in found)

    def closure(self, *names, above=()):
        """Manifest rows and files of targets and of all that they use, but for the layers that they lie above."""
        seen, left = {}, list(names)
        while left:
            name = left.pop()
            if name in self.targets and name not in seen and self.layer(name) not in above:
                seen[name] = self.targets[name]
                left += seen[name][1]
        return [("package", self.package)] + [(f"target {name}", rest) for name, (_, _, rest) in sorted(seen.items())] \
            + self.under(*(path for path, _, _ in seen.values()))

    def layer(self, name):
        """The folder of Sources that a target is in, or that what a test target tests is in; "" if there is none."""
        path = self.targets.get(name.removesuffix("Tests"), self.targets[name])[0].split("/")
        return path[1] if path[0] == "Sources" else ""

    def upper(self, *names):
        """The closure without Base; with it, of targets that are all of Base themselves."""
        known = [name for name in names if name in self.targets]
        return self.closure(*names, above=() if all(self.layer(name) == "Base" for name in known) else ["Base"])

    def own(self, name):
        """A test target's own files, and those of what it tests and of what helps it."""
        names = [one for one in (name, name.removesuffix("Tests"), "TestSupport", "FeatureTesting") if one in self.targets]
        return [(f"target {one}", self.targets[one][2]) for one in names] \
            + self.under(*(self.targets[one][0] for one in names))

    def vectors(self):
        return [(path, blob) for path, blob in sorted(self.files.items()) if re.match(r"Tests/\w+/Vectors/", path)]

    def tests(self):
        """Test targets but those of the whole."""
        return [name for name in self.targets if name.endswith("Tests") and name not in ("InteropTests", "ArchitectureTests")]

    def having(self, word):
        """Test targets with a file that has this in its name: "Interop" and "Guest" are steps of their own."""
        return [name for name in self.tests() if any(
            word in os.path.basename(path) for path, _ in self.under(self.targets[name][0]))]

    def emulated(self, layers):
        """Test targets of what is in these layers or is named itself."""
        places = {name: self.targets[name][0].split("/") for name in self.targets}
        return [name for name in self.tests() for path in [places.get(name.removesuffix("Tests"), ["", ""])]
                if path[1] in layers or path[-1] in layers]

    def fuzz_entries(self):
        """For each entry of libFuzzer: its file, those that entries share, and all that these import; the same with only so
        much of Base as an entry is about: the target or the type by whose name it goes."""
        texts = {}
        for path, _ in self.under("Tests/Fuzz"):
            with open(f"{self.root}/{path}", encoding="utf-8") as file:
                texts[path] = file.read()
        shared = [path for path in texts if not os.path.basename(path).startswith("Fuzz")]
        for path, text in texts.items():
            names = imported(text) + [name for one in shared for name in imported(texts[one])]
            for entry in re.findall(r"^func fuzz(\w+)\(_ ", text, re.M):
                files = self.under(path, *shared)
                about = [one for one in self.paths if re.match(rf"Sources/Base/({entry}/|\w+/{entry}\.swift$)", one)]
                yield entry, self.closure(*names) + files, \
                    self.closure(*names, above=["Base"]) + files + self.under(*about)

    def forget(self, folder):
        """Removes modules whose targets are gone."""
        named = {name.replace("-", "_") for name in self.targets}
        for path in glob.glob(f"{folder}/**/Modules/*.swiftmodule", recursive=True):
            module = os.path.basename(path).removesuffix(".swiftmodule")
            if module not in named and not module.startswith("touchlinePackage"):
                os.remove(path)


def imported(text):
    return re.findall(r"^(?:@testable |package |internal |public )?import (\w+)$", text, re.M)


def machine():
    with open("/proc/cpuinfo") as file:
        models = sorted(set(re.findall(r"^(?:model name|flags|Features|CPU part)\s*:.*$", file.read(), re.M)))
    settings = sorted(f"{name}={value}" for name, value in os.environ.items()
                      if name.startswith("TOUCHLINE_") and name not in unkept)
    return [("kernel", platform.release()), ("processor", f"{os.cpu_count()} {models}"), ("settings", repr(settings)),
            ("user", str(os.geteuid())), ("tun", str(os.path.exists("/dev/net/tun")))]


def group(*names, **environment):
    return [name for one in names for name in
            out("board/setup", "--list", one, env=os.environ | environment).split()]


def python_peers():
    site = os.path.join(os.environ.get("TOUCHLINE_PEERS", ""), "lib")
    return [("python", name) for _, folders, _ in os.walk(site) for name in sorted(folders) if name.endswith(".dist-info")]


def chroot(cell):
    """Packages of the chroot, and when its sysroot was made, whose packages are extracted and change never after."""
    packages = installed(f"{cell}/root/var/lib/dpkg/status")
    sysroot = f"{cell}/sysroot/SDKSettings.json"
    made = os.stat(sysroot).st_mtime_ns if os.path.exists(sysroot) else 0
    return versions(packages, packages) + [("chroot", f"{os.path.basename(cell)} {made}")]


def newest(pattern, seconds):
    """Names and times of kept files; the present time, which no run before had, if none is as new as that."""
    kept = [(path, os.stat(path).st_mtime_ns) for path in sorted(glob.glob(pattern))]
    young = [entry for entry in kept if time.time_ns() - entry[1] < seconds * 1_000_000_000]
    return [("kept", repr(young or time.time_ns()))]


def steps(inputs, cell, layers, started_by_tests):
    cache = os.path.dirname(cell)
    common = machine() + inputs.under(*scripts)
    host = installed("/var/lib/dpkg/status")
    build = common + [("swift", out("swift", "--version", stderr=subprocess.DEVNULL))] + versions(host, group("build"))
    peers = build + versions(host, group("peers")) + python_peers()
    read = inputs.under(*beside) + inputs.vectors()

    def used(name, closure=inputs.closure):
        return read + inputs.under(*beside_of.get(name, [])) + closure(name)

    for name in inputs.tests():
        yield f"tests/{name}", peers + used(name), None
    for started in sorted(set(started_by_tests.values())):
        yield f"interop/{started}", peers + read + inputs.closure("InteropTests", *started.split()) \
            + inputs.under("Tests/Interop", "board/pydvbcss", "board/pydvbcss.py"), None
    yield "mutations", build + read + inputs.closure("mutate"), None
    yield "allocations", peers + read + inputs.closure(*programs) + inputs.under("board/benches"), None
    for entry, parts, seldom in inputs.fuzz_entries():
        yield f"fuzz/{entry}", build + parts + inputs.under("board/fuzz"), seldom
    box = inputs.closure("touchlined", "touchline")
    always = set(inputs.emulated(second_compiler))
    own = common + chroot(cell) + inputs.under(*inside) if cell else None

    def there(parts):
        """Before there is a chroot nothing is known to have passed in it; but what the sources alone tell."""
        return None if own is None else own + parts

    for name in inputs.tests() + ["ArchitectureTests", "InteropTests"]:  # the last is built and not run
        yield f"debian 13 native/{name}", there(used(name)), None if name in always else inputs.own(name)
    for name in inputs.emulated(layers):
        yield f"debian 13 arm64 tests/{name}", there(used(name)), used(name, inputs.upper)
    yield "debian 13 static arm64", there(box + inputs.under("board/weigh", "board/shipped.sh")), \
        [part for part in box if of_processor.match(part[0])] + inputs.under("board/weigh", "board/shipped.sh")
    guest = inputs.under("board/guest", "board/guest-init", "board/drivers")
    guests = sorted({"DisplayTests", *inputs.having("Guest")})
    seldom = {name: read + inputs.upper(name) + guest for name in guests}
    if not cell:
        yield from ((f"guest amd64/{name}", None, seldom[name]) for name in guests)
        return
    sources = [(path, blob) for path, blob in sorted(inputs.files.items()) if path.endswith(".swift")]
    yield "debian 13 format", own + sources + inputs.under(".swift-format"), None
    yield "debian 13 static amd64", own + box + inputs.under("board/weigh", "board/shipped.sh"), None
    emulated = own + versions(host, group("emulator"))
    drivers = newest(f"{cache}/drivers-*", 8 * 86_400)
    for name in guests:
        yield f"guest amd64/{name}", emulated + read + inputs.closure(name) + guest + drivers, seldom[name]
    image = [entry for entry in inputs.under("board") if not entry[0].endswith((".png", ".md", ".json"))] \
        + inputs.under("rootfs-overlay", "board/qemu-virt", "board/raspberry-pi-4", "board/rockpro64") \
        + versions(host, group("image"))
    for arch in "amd64", "arm64":
        yield f"board {arch}", emulated + box + inputs.closure("touchline-streamer") + image \
            + newest(f"{cache}/box-{arch}-*.tar", 86_400), None


def hashed(name, parts):
    """Nothing of what is not known."""
    return "-" if parts is None else hashlib.sha256(repr((name, sorted(parts))).encode()).hexdigest()[:32]


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--cell", default="")
    options.add_argument("--layers", default="")
    options.add_argument("--kept", action="append", default=[])
    options.add_argument("--times", default="")
    options.add_argument("--why", default="")
    chosen = options.parse_args()
    package = json.loads(out("swift", "package", "dump-package", "--manifest-cache", "none"))
    inputs = Inputs(blobs(), package)
    for folder in chosen.kept:
        inputs.forget(folder)
    started = {}
    if os.path.exists(chosen.times):
        with open(chosen.times) as file:
            started = json.load(file).get("programs", {})
    for name, parts, sources in steps(inputs, chosen.cell, chosen.layers.split(","), started):
        if chosen.why == name:
            print("".join(f"{about}\t{part[:100]}\n" for about, part in parts or []), end="")
        elif not chosen.why:
            print(f"{name}\t{hashed(name, parts)}\t{hashed(name, sources)}")


if __name__ == "__main__":
    main()
