# SPDX-License-Identifier: Apache-2.0
"""What the benchmarks of whole programs share: a loopback of their own, ffmpeg as the head-end, the box, its control socket."""

import json
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

GROUP = "239.77.1.1"
PORT = 20000
URL = f"rtp://{GROUP}:{PORT}"
CHANNEL = "Bench"
# Where ffmpeg announces.
ANNOUNCED = [{"address": "224.2.127.254"}, {"address": "239.255.255.255"}]


def main(measure, usage):
    """Runs measure(work directory, arguments) on a private loopback; its result is the exit status."""
    own_loopback()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that what was started is ended
    work = tempfile.mkdtemp(prefix="touchline-bench.")
    # The rings of a box's recorder lie beside its control socket, which it has in /run, and that is a tmpfs.
    Box.runtime = tempfile.mkdtemp(prefix="touchline-bench.", dir="/dev/shm")
    try:
        status = measure(work, usage.parse_args())
    except (TimeoutError, OSError, RuntimeError) as error:
        print(f"{sys.argv[0]}: {error}", file=sys.stderr)
        status = 1
    finally:
        Program.end_all()
        shutil.rmtree(work, ignore_errors=True)
        shutil.rmtree(Box.runtime, ignore_errors=True)
    sys.stdout.flush()
    sys.exit(status)


def own_loopback():
    """Goes on in a network namespace whose multicast is the loopback's and nobody else's."""
    if os.environ.get("TOUCHLINE_BENCH_LOOPBACK") != "own":
        enter = ["unshare", "--net"] if os.geteuid() == 0 else ["unshare", "--user", "--map-root-user", "--net"]
        if subprocess.run([*enter, "true"], capture_output=True, timeout=10).returncode != 0:
            print("SKIP: no network namespace may be made here; run it as root")
            sys.exit(69 if os.environ.get("TOUCHLINE_REQUIRE_PEERS") else 0)
        os.environ["TOUCHLINE_BENCH_LOOPBACK"] = "own"
        os.execvp(enter[0], [*enter, sys.executable, *sys.argv])
    for command in ("ip link set lo up", "ip route add 224.0.0.0/4 dev lo src 127.0.0.1"):
        subprocess.run(command.split(), check=True, timeout=10)


def binaries():
    directory = os.environ.get("TOUCHLINE_RELEASE_BIN") or sys.exit("TOUCHLINE_RELEASE_BIN names no release programs")
    return os.path.abspath(directory)


class Program:
    """A child with its output in a file, ended by its own id."""

    running = []

    def __init__(self, work, name, words, cpu=None, environment=None):
        self.name = name
        self.log = os.path.join(work, f"{name}.log")

        def prepare():
            if cpu is not None:
                os.sched_setaffinity(0, {cpu})

        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, preexec_fn=prepare,
                env={**os.environ, **(environment or {})})
        self.pid = self.process.pid
        Program.running.append(self)

    def end(self, patience=5, number=signal.SIGTERM):
        if self in Program.running:
            Program.running.remove(self)
        if self.process.poll() is None:
            self.process.send_signal(number)
            try:
                self.process.wait(patience)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(patience)
        return self.process.returncode

    def check(self):
        if self.process.poll() is not None:
            raise RuntimeError(f"{self.name} ended with {self.process.returncode}: {self.said()[-2000:]}")

    def said(self):
        with open(self.log, "rb") as log:
            return log.read().decode(errors="replace")

    def cpu_seconds(self):
        """User and system time of the threads that it has, to the nanosecond where the kernel says so."""
        try:
            return sum(self.schedule(thread) for thread in os.listdir(f"/proc/{self.pid}/task")) / 1e9
        except FileNotFoundError:  # a kernel without CONFIG_SCHED_INFO
            with open(f"/proc/{self.pid}/stat") as file:
                fields = file.read().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def schedule(self, thread):
        with open(f"/proc/{self.pid}/task/{thread}/schedstat") as file:
            return int(file.read().split()[0])

    def status(self, name):
        with open(f"/proc/{self.pid}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith(name + ":"))

    def threads(self):
        """Names by thread id."""
        found = {}
        for thread in os.listdir(f"/proc/{self.pid}/task"):
            try:
                with open(f"/proc/{self.pid}/task/{thread}/comm") as file:
                    found[int(thread)] = file.read().strip()
            except OSError:
                pass  # it has ended since
        return found

    @staticmethod
    def end_all():
        for program in list(Program.running):
            program.end()


def make_film(work, seconds=60, b_frames=0):
    """720p25 H.264 with a random-access point each second, 2.5 Mbit/s, and AAC."""
    film = os.path.join(work, f"film{b_frames}.mkv")
    if not os.path.exists(film):
        subprocess.run(
            ["ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc2=size=1280x720:rate=25", "-f", "lavfi",
             "-i", "sine=frequency=440:sample_rate=48000", "-t", str(seconds), "-c:v", "libx264", "-preset", "ultrafast"
             if b_frames == 0 else "veryfast", "-bf", str(b_frames), "-g", "25", "-keyint_min", "25",
             "-sc_threshold", "0", "-b:v", "2500k", "-maxrate", "2500k", "-bufsize", "2500k", "-pix_fmt", "yuv420p",
             "-c:a", "aac", "-b:a", "96k", film],
            check=True, stdin=subprocess.DEVNULL, timeout=300)
    return film


def send_film(work, film):
    """ffmpeg is the head-end: RTP/TS on loopback multicast, paced by itself."""
    return Program(
        work, "sender",
        ["ffmpeg", "-v", "error", "-nostdin", "-re", "-stream_loop", "-1", "-i", film, "-c", "copy", "-f",
         "rtp_mpegts", f"{URL}?ttl=1&pkt_size=1328&localaddr=127.0.0.1"])


def announce_film(work, film):
    """ffmpeg is the head-end: H.264 and AAC in RTP sessions of their own, announced by SAP."""
    return Program(
        work, "announcer",
        ["ffmpeg", "-v", "error", "-nostdin", "-re", "-stream_loop", "-1", "-i", film, "-c", "copy", "-metadata",
         f"title={CHANNEL}", "-f", "sap", "sap://239.255.77.1:20000?ttl=1"])


def preloaded(work, source):
    """Compiles a C file beside this one for LD_PRELOAD."""
    library = os.path.join(work, source.replace(".c", ".so"))
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), source)
    subprocess.run(["cc", "-O2", "-fPIC", "-shared", "-o", library, path], check=True, timeout=60)
    return library


def group_socket():
    """One more listener of the channel."""
    made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    made.bind((GROUP, PORT))
    made.setsockopt(
        socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton(GROUP) + socket.inet_aton("127.0.0.1"))
    made.settimeout(0.5)
    return made


class Listener:
    """Notes when the first packet of each random-access point arrives, by the kernel's stamp, as time.monotonic()."""

    def __init__(self):
        self.points = []
        self.datagrams = 0
        self.changed = threading.Condition()
        self.socket = group_socket()
        self.socket.setsockopt(socket.SOL_SOCKET, 35, 1)  # SO_TIMESTAMPNS
        self.stopping = False
        self.thread = threading.Thread(target=self.listen)
        self.thread.start()

    def stop(self):
        self.stopping = True
        self.thread.join(5)

    def listen(self):
        while not self.stopping:
            try:
                data, notes, _, _ = self.socket.recvmsg(2048, 64)
            except TimeoutError:
                continue
            arrival = time.monotonic()
            for level, kind, value in notes:
                if level == socket.SOL_SOCKET and kind == 35:
                    seconds, nanoseconds = struct.unpack("qq", value[:16])
                    arrival -= time.time() - (seconds + nanoseconds / 1e9)
            self.datagrams += 1
            if any(begins_point(data, place) for place in range(12, len(data) - 187, 188)):
                with self.changed:
                    self.points.append(arrival)
                    self.changed.notify_all()

    def await_point(self, after, patience=5):
        """The first random-access point that arrives after an instant."""
        limit = time.monotonic() + patience
        with self.changed:
            while not self.points or self.points[-1] < after:
                if not self.changed.wait(max(0, limit - time.monotonic())):
                    raise TimeoutError("no random-access point arrives")
            return next(point for point in self.points if point >= after)


def begins_point(data, place):
    """ffmpeg flags the random-access points of its video PID 0x100 in the adaptation field."""
    return (
        data[place] == 0x47 and bool(data[place + 1] & 0x40)
        and ((data[place + 1] & 0x1F) << 8 | data[place + 2]) == 0x100
        and bool(data[place + 3] & 0x20) and data[place + 4] > 0 and bool(data[place + 5] & 0x40))


def members():
    """Sockets that are members of the group, listener included."""
    wanted = "%08X" % struct.unpack("=I", socket.inet_aton(GROUP))[0]
    with open("/proc/net/igmp") as file:
        return sum(int(line.split()[1]) for line in file if line.split()[0] == wanted)


class Lines:
    """A Unix socket that speaks one JSON object a line."""

    def __init__(self, path, patience=10):
        limit = time.monotonic() + patience
        while True:
            self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                self.socket.connect(path)
                break
            except OSError:
                self.socket.close()
                if time.monotonic() > limit:
                    raise TimeoutError(f"nobody listens at {path}") from None
                time.sleep(0.05)
        self.pending = b""

    def send(self, value):
        self.socket.sendall(json.dumps(value).encode() + b"\n")

    def receive(self, wanted, patience=10):
        """The first line that `wanted` is true of, and when it came; others are passed over."""
        limit = time.monotonic() + patience
        while True:
            line, found, rest = self.pending.partition(b"\n")
            if found:
                self.pending = rest
                value = json.loads(line)
                if wanted(value):
                    return value, self.came
                continue
            left = limit - time.monotonic()
            if left <= 0:
                raise TimeoutError("the awaited line does not come")
            self.socket.settimeout(left)
            try:
                more = self.socket.recv(65536)
            except TimeoutError:
                continue
            if not more:
                raise RuntimeError("the other side has closed its socket")
            self.came = time.monotonic()
            self.pending += more


def environment_of_service():
    """What the unit of an image sets, by name."""
    unit = os.path.join(os.path.dirname(__file__), "../../rootfs-overlay/usr/lib/systemd/system/touchline.service")
    with open(unit) as file:
        words = [word for line in file if line.startswith("Environment=") for word in line.strip()[12:].split()]
    return dict(word.split("=", 1) for word in words)


class Box:
    """touchlined as its unit starts it, with one channel, and its control socket. Without screen text, which no peer has,
    unless asked for."""

    # The directory of the control sockets.
    runtime = ""

    def __init__(self, work, name="box", output="null", cpu=None, environment=None, settings=None):
        self.path = path = os.path.join(Box.runtime, f"{name}.sock")
        document = {
            "network": {"interface": "lo"},
            "announcements": {"groups": []},
            "output": {"kind": output},
            "sound": {"kind": "null"},
            "screenText": {"enabled": False},
            "control": {"socket": path},
            "channels": [{"name": CHANNEL, "address": GROUP, "port": PORT}],
            **(settings or {}),
        }
        configuration = os.path.join(work, f"{name}.json")
        with open(configuration, "w") as file:
            json.dump(document, file)
        self.program = Program(
            work, name,
            [os.path.join(binaries(), "touchlined"), "--config", configuration, "--state",
             os.path.join(work, f"{name}.state")], cpu, {**environment_of_service(), **(environment or {})})
        try:
            self.commands = Lines(path)
        except TimeoutError as error:
            raise RuntimeError(f"{error}: {self.program.said()[-2000:]}") from None
        self.events = Lines(path)
        self.number = 0
        self.events.send({"id": 0, "command": "events", "arguments": {"follow": True}})
        self.events.receive(lambda line: "status" in line)

    def send(self, command, **arguments):
        self.number += 1
        self.commands.send({"id": self.number, "command": command, "arguments": arguments})

    def answer(self):
        line, came = self.commands.receive(lambda line: line.get("id") == self.number)
        if not line["status"]["isOk"]:
            raise RuntimeError(f"the box answers {line['status']['errorString']}")
        return line["result"], came

    def ask(self, command, **arguments):
        self.send(command, **arguments)
        return self.answer()[0]

    def tune(self):
        self.ask("tune", channel=CHANNEL)
        return self.await_state("play")

    def await_state(self, state, patience=10):
        return self.events.receive(
            lambda line: line.get("event", {}).get("type") == "video.channelState"
            and line["event"]["payload"]["channelState"] == state, patience)[1]

    def stats(self):
        return self.ask("stats")["stats"]
