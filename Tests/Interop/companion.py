# SPDX-License-Identifier: Apache-2.0
"""A television and companion screens of DVB-CSS by BBC's pydvbcss, which PYTHONPATH names (board/pydvbcss prints it):

companion.py tv [--address A] [--cii-port N] [--wc-port N] [--wc-followup] [--unavailable]
companion.py cii URL
companion.py ts URL STEM SELECTOR RATE WCURL
companion.py wc HOST PORT --seconds S

Each prints lines of JSON: times of the wall clock and offsets in ns, positions in ticks, dispersions in seconds. The
television's wall clock is CLOCK_MONOTONIC; offsets are those of the estimated wall clock from this host's.
Each ends when its standard input or its parent does. The television obeys lines of its input: pause, play, speed X,
seek TICKS (of pts), step MS, unavailable, available, disable, enable, content ID STATUS, status WORD..., quit. With
--unavailable it has no timeline before it obeys available. It says `joined` when a client of CSS-CII has been sent
its first message.
`ts` obeys `timestamps`, upon which it sends when it presents, and `timestamps EARLY LATE`, which says as well how many
ms earlier and later it could.
"""
import argparse, json, logging, math, os, socket, sys, threading, time
from urllib.parse import urlsplit

from dvbcss.clock import CorrelatedClock, Correlation, SysClock
from dvbcss.protocol.cii import CII, TimelineOption

CONTENT = "dvb://233a.1004.1044;363a~20130218T0915Z--PT00H45M"
ELAPSED = "tag:rd.bbc.co.uk,2015-12-08:dvb:css:timeline:simple-elapsed-time"
RESOLUTION = "http://resolution.example/mrs"
PTS, PTS_RATE = "urn:dvb:css:timeline:pts", 90_000
RATES = {
    PTS: PTS_RATE, "urn:dvb:css:timeline:temi:1:128": 1000, f"{ELAPSED}:1000": 1000, f"{ELAPSED}:5000": 5000,
    "urn:dvb:css:timeline:mpd:period:rel:1000": 1000,
}
NANOSECONDS = 1_000_000_000
printing = threading.Lock()


def say(**fields):
    with printing:
        print(json.dumps(fields), flush=True)


def finite(number):
    return number if math.isfinite(number) else None


def thread_failed(failure):
    say(failed=f"{failure.exc_type.__name__}: {failure.exc_value}")


def end_with_parent():
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(0.2)
    os._exit(0)


def end_with_input():
    for line in sys.stdin:
        pass
    os._exit(0)


def background(work):
    threading.Thread(target=work, daemon=True).start()


class Television:
    """One programme whose position has several timelines, served with its content identifier and its wall clock."""

    def __init__(self, options):
        import cherrypy
        from dvbcss.protocol.server.cii import CIIServer
        from dvbcss.protocol.server.ts import SimpleClockTimelineSource, TSServer
        from dvbcss.protocol.server.wc import WallClockServer
        from ws4py.server.cherrypyserver import WebSocketPlugin

        class Information(CIIServer):
            def onClientConnect(self, link):
                super().onClientConnect(link)
                say(joined="cii")

        class Timelines(TSServer):
            def onClientSetup(self, link):
                say(setup=json.loads(self.getConnections()[link]["setup"].pack()))

            def onClientAptEptLpt(self, link, timestamps):
                say(timestamps=json.loads(timestamps.pack()))

            def onClientDisconnect(self, link, data):
                super().onClientDisconnect(link, data)
                say(left="ts")

        self.wall = SysClock(tickRate=NANOSECONDS)
        self.programme = CorrelatedClock(self.wall, PTS_RATE, Correlation(self.wall.ticks, 0))
        self.programme.setAvailability(not options.unavailable)
        host = f"{options.address}:{options.cii_port}"
        self.urls = {
            "ciiUrl": f"ws://{host}/cii", "tsUrl": f"ws://{host}/ts",
            "wcUrl": f"udp://{options.address}:{options.wc_port}",
        }
        self.cii = Information(initialCII=CII(
            protocolVersion="1.1", mrsUrl=RESOLUTION, contentId=CONTENT, contentIdStatus="final",
            presentationStatus=["okay"], tsUrl=self.urls["tsUrl"], wcUrl=self.urls["wcUrl"],
            timelines=[TimelineOption(selector, 1, rate) for selector, rate in RATES.items()]))
        self.ts = Timelines(CONTENT, self.wall)
        for selector, rate in RATES.items():
            clock = CorrelatedClock(self.programme, rate)
            self.ts.attachTimelineSource(
                SimpleClockTimelineSource(selector, self.wall, clock, speedSource=self.programme))
        WallClockServer(
            self.wall, bindaddr=options.address, bindport=options.wc_port, followup=options.wc_followup).start()
        self.serve(cherrypy, WebSocketPlugin, options)

    def serve(self, cherrypy, plugin, options):
        class Root:
            @cherrypy.expose
            def cii(self):
                pass

            @cherrypy.expose
            def ts(self):
                pass

        cherrypy.config.update({
            "server.socket_host": options.address, "server.socket_port": options.cii_port,
            "engine.autoreload.on": False, "log.screen": False,
        })
        plugin(cherrypy.engine).subscribe()
        cherrypy.tree.mount(Root(), "/", config={
            "/cii": {"tools.dvb_cii.on": True, "tools.dvb_cii.handler_cls": self.cii.handler},
            "/ts": {"tools.dvb_ts.on": True, "tools.dvb_ts.handler_cls": self.ts.handler},
        })
        cherrypy.engine.start()

    def move(self, ticks=None, speed=None):
        """Goes on from a position, the present one unless given, at a speed, the present one unless given."""
        now = self.wall.ticks
        ticks = self.programme.fromParentTicks(now) if ticks is None else ticks
        speed = self.programme.speed if speed is None else speed
        self.programme.setCorrelationAndSpeed(Correlation(now, ticks), speed)

    def enable(self, enabled):
        self.cii.enabled = self.ts.enabled = enabled

    def show(self, **properties):
        for name, value in properties.items():
            setattr(self.cii.cii, name, value)
        self.ts.contentId = self.cii.cii.contentId
        self.cii.updateClients()

    def obey(self, command, *words):
        match command, *words:
            case ["pause"]:
                self.move(speed=0.0)
            case ["play"]:
                self.move(speed=1.0)
            case ["speed", speed]:
                self.move(speed=float(speed))
            case ["seek", ticks]:
                self.move(ticks=int(ticks))
            case ["step", milliseconds]:
                self.move(ticks=self.programme.ticks + float(milliseconds) * PTS_RATE / 1000)
            case ["available" | "unavailable"]:
                self.programme.setAvailability(command == "available")
            case ["enable" | "disable"]:
                self.enable(command == "enable")
            case ["content", name, status]:
                self.show(contentId=name, contentIdStatus=status)
            case ["status", *status]:
                self.show(presentationStatus=status)
            case _:
                return False
        self.ts.updateAllClients()
        return True

    def run(self):
        say(ready=True, **self.urls)
        for line in sys.stdin:
            if line.strip() == "quit":
                break
            obeyed = bool(line.split()) and self.obey(*line.split())
            # The wall clock and the position of pts at which the command was done.
            now = self.wall.ticks
            say(command=line.strip(), obeyed=obeyed, wallClock=now, position=self.programme.fromParentTicks(now))
        self.enable(False)
        os._exit(0)


def follow_wall_clock(host, port):
    """A clock that is kept as that of the server, by this host's CLOCK_MONOTONIC."""
    from dvbcss.protocol.client.wc import WallClockClient
    from dvbcss.protocol.client.wc.algorithm import LowestDispersionCandidate

    wall = CorrelatedClock(SysClock(tickRate=NANOSECONDS), NANOSECONDS)
    algorithm = LowestDispersionCandidate(wall, repeatSecs=1, timeoutSecs=0.2)
    # The client takes answers only from the address that it was given.
    WallClockClient(("0.0.0.0", 0), (socket.gethostbyname(host), port), wall, algorithm).start()
    return wall


def connect(client):
    try:
        client.connect()
    except Exception as error:  # that of pydvbcss says nothing, but what it was raised in
        say(failed=str(error.__context__ or error))
        os._exit(1)


def follow_content(options):
    from dvbcss.protocol.client.cii import CIIClient

    class Client(CIIClient):
        def onConnected(self):
            say(connected=True)

        def onDisconnected(self, code=None, reason=None):
            say(connected=False)

        def onProtocolError(self, message):
            say(failed=message)

        def onCiiReceived(self, message):
            say(message=json.loads(message.pack()))

        def onChange(self, names):
            state = json.loads(self.cii.pack())
            say(changed={name: state[name] for name in names})

    connect(Client(options.url))
    end_with_input()


def follow_timeline(options):
    from dvbcss.protocol.client.ts import TSClientClockController

    class Client(TSClientClockController):
        def onConnected(self):
            say(connected=True)

        def onDisconnected(self):
            say(connected=False)

        def onTimelineUnavailable(self, *_):  # the library passes itself when the connection has ended
            pass

        def onProtocolError(self, message):
            say(failed=message)

        def _onControlTimestamp(self, timestamp):
            say(control=json.loads(timestamp.pack()))
            super()._onControlTimestamp(timestamp)

    clock = urlsplit(options.wc_url)
    wall = follow_wall_clock(clock.hostname, clock.port)
    timeline = CorrelatedClock(wall, options.rate)
    timeline.setAvailability(False)
    client = Client(options.url, options.stem, options.selector, timeline)
    connect(client)
    background(lambda: report_positions(wall, timeline))
    for line in sys.stdin:
        obey_timestamps(client, wall, timeline, *line.split())
    os._exit(0)


def obey_timestamps(client, wall, timeline, command="", early=None, late=None):
    if command != "timestamps":
        say(failed=f"unknown command {command}")
        return
    now = wall.ticks
    for name, milliseconds in ("earliestClock", early and -float(early)), ("latestClock", late and float(late)):
        at = milliseconds and Correlation(now + milliseconds * 1_000_000, timeline.fromParentTicks(now))
        setattr(client, name, at and CorrelatedClock(wall, timeline.tickRate, at))
    client.sendAptEptLpt()


def report_positions(wall, timeline):
    while True:
        now = wall.ticks
        position = timeline.fromParentTicks(now) if timeline.isAvailable() else None
        say(wallClock=int(now), position=position, speed=timeline.speed, dispersion=finite(wall.dispersionAtTime(now)))
        time.sleep(0.1)


def follow_clock(options):
    background(end_with_input)
    wall = follow_wall_clock(options.host, options.port)
    until = time.monotonic() + options.seconds
    while time.monotonic() < until:
        dispersion = finite(wall.dispersionAtTime(wall.ticks))
        correlation = wall.correlation  # read once, as it is replaced meanwhile
        offset = correlation.childTicks - correlation.parentTicks
        say(offset=offset if dispersion is not None else None, dispersion=dispersion)
        time.sleep(0.01)


def arguments():
    options = argparse.ArgumentParser()
    roles = options.add_subparsers(required=True)
    role = roles.add_parser("tv")
    role.add_argument("--address", default="127.0.0.1")
    role.add_argument("--cii-port", type=int, default=7681)
    role.add_argument("--wc-port", type=int, default=6677)
    role.add_argument("--wc-followup", action="store_true")
    role.add_argument("--unavailable", action="store_true")
    role.set_defaults(run=lambda chosen: Television(chosen).run())
    role = roles.add_parser("cii")
    role.add_argument("url")
    role.set_defaults(run=follow_content)
    role = roles.add_parser("ts")
    for name, kind in ("url", str), ("stem", str), ("selector", str), ("rate", int), ("wc_url", str):
        role.add_argument(name, type=kind)
    role.set_defaults(run=follow_timeline)
    role = roles.add_parser("wc")
    role.add_argument("host")
    role.add_argument("port", type=int)
    role.add_argument("--seconds", type=float, required=True)
    role.set_defaults(run=follow_clock)
    return options.parse_args()


if __name__ == "__main__":
    logging.disable(logging.WARNING)
    threading.excepthook = thread_failed
    background(end_with_parent)
    chosen = arguments()
    try:
        chosen.run(chosen)
    except Exception as error:
        say(failed=f"{type(error).__name__}: {error}")
        os._exit(1)  # the server's threads would go on
