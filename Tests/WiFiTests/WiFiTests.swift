// SPDX-License-Identifier: Apache-2.0
import Commands
import FeatureTesting
import Hosting
import JSON
import Journal
import Radio
import Radios
import Reporting
import Settings
import Statistics
import System
import TestSupport
import Testing
import Time
import Venue
import Wireless

@testable import WiFi

/// The feature with radios that a test imitates.
@Suite struct WiFiTests {
    private static let first = "02:00:00:00:01:00"
    private static let second = "02:00:00:00:02:00"

    /// What the test has the kernel say, and what came of it.
    private final class Scene {
        var reports: [RadioWatch.Report] = []
        var wake: () -> Void = {}
        var events: [String] = []
        var scans: [String] = []
        var scanAnswer: Result<Void, Status> = .success(())
        let statistics = StatisticRegistry()
        let sections = ReportSections()
        let debug = NetworkDebugWindow()
        let lines = LogLines()
        private(set) var host: FeatureHost?
        private(set) var loop: EventLoop?

        init(settings: JSONValue = [:], sessions: @escaping () -> [SessionCounters] = { [] }) throws {
            var context = try FeatureContext.testing(
                of: WiFi.self, settings: settings,
                journal: Journal(
                    levels: Journal.Levels(level: .notice, subsystems: [:]),
                    write: { [lines] in lines.write($0) }), statistics: statistics
            ) {
                [unowned self] name, payload in events.append("\(name) \(payload.text())")
            }
            loop = context.loop
            context.provide(RadioView())
            context.provide(debug)
            context.provide(sections)
            context.provide(
                WiFi.Sources(
                    open: { [unowned self] wake in
                        self.wake = wake
                        return RadioFeed(
                            takeReports: { [unowned self] in
                                defer { reports = [] }
                                return reports
                            }, look: {}, stop: {})
                    }, sessions: sessions,
                    scan: { [unowned self] interface, answer in
                        scans.append(interface)
                        answer(scanAnswer)
                    }))
            let host = try FeatureHost([WiFi.self], context)
            host.start()
            self.host = host
        }

        var wifi: WiFi? { host?[WiFi.self] }

        /// Has the kernel say this, and lets the feature hear it.
        func say(_ report: RadioWatch.Report) throws {
            reports.append(report)
            wake()
            guard let loop else { return }
            _ = loop.after(.milliseconds(1)) { loop.stop() }
            try loop.run()
        }

        /// - Returns: the answer, nil while there is none.
        func ask(_ command: String, _ arguments: JSONValue = [:]) throws -> () -> Result<JSONValue, Status>? {
            final class Answered { var result: Result<JSONValue, Status>? }
            let answered = Answered()
            let request = try CommandRequest(command: command, arguments: arguments, in: Self.catalogue)
            _ = host?.handle(request) { answered.result = $0 }
            return { answered.result }
        }

        private static let catalogue = Catalogue(FeatureDeclarations([WiFi.self]).commands)

        func answer(_ command: String, _ arguments: JSONValue = [:]) throws -> JSONValue {
            let value = try #require(try ask(command, arguments)()).get()
            let description = try #require(Self.catalogue[command])
            #expect(description.answer.kind.problems(of: value).isEmpty, "\(command)")
            return value
        }
    }

    private static func client(
        at bssid: String?, signal: Int = -60, packets: UInt32 = 100
    ) throws -> RadioObservation {
        var interface = RadioInterface(index: 4, name: "wlan0", wiphy: 0, mode: .station)
        interface.address = HardwareAddress("02:00:00:00:00:01")
        interface.channel = RadioChannel(controlFrequency: 2_412, width: 20, centreFrequency: 2_412)
        var found = RadioObservation.Interface(interface)
        guard let bssid else { return RadioObservation(interfaces: [found]) }
        let address = try #require(HardwareAddress(bssid))
        var figures = StationFigures(interface: 4, address: address)
        (figures.signal, figures.averageSignal, figures.packetsReceived) = (signal, signal, packets)
        (figures.isAssociated, figures.isAuthorised) = (true, true)
        figures.transmitRate = BitRate(value: 650, kind: .ht, mcs: 7, nss: 1, width: 20)
        found.stations = [figures]
        var network = BasicServiceSet(interface: 4, address: address, isAssociated: true)
        (network.ssid, network.frequency, network.signal) = (Array("Venue".utf8), 2_412, signal)
        network.age = .milliseconds(40)
        found.networks = [network]
        return RadioObservation(interfaces: [found])
    }

    private static var names: JSONValue {
        [
            "network": [
                "wifiApInfo": [
                    ["name": "Gate 1", "bssid": .string(first)],
                    ["name": "Gate 2", "bssid": .string(second.uppercased())],
                ]
            ]
        ]
    }

    private static var wire: LinkFigures {
        var wire = LinkFigures(index: 2, name: "eth0")
        (wire.isUp, wire.hasCarrier, wire.isHardware, wire.speed, wire.duplex) = (true, true, true, 1_000, .full)
        wire.counters.octetsReceived = 5_000
        return wire
    }

    /// SVM-25: the log has each look at the access point that is watched, and nothing of the others.
    @Test func anAccessPointIsWatched() throws {
        let scene = try Scene(settings: Self.names)
        var debug = Settings.NetworkDebug()
        debug.accessPoints = [Self.second]
        func look(_ bssid: String) throws -> [String] {
            scene.lines.clear()
            try scene.say(.observed(try Self.client(at: bssid), links: [Self.wire]))
            return scene.lines.all.filter { $0.contains("access point observed") }
        }
        #expect(try look(Self.second).isEmpty, "nobody asked")
        scene.debug.open(debug, at: SystemClock.monotonic())
        #expect(try look(Self.first).isEmpty)
        let line = try #require(try look(Self.second).first)
        #expect(line.hasPrefix("<5>wifi: access point observed interface=wlan0 bssid=\(Self.second) "), "\(line)")
        #expect(line.contains(" signal=-60 ") && line.contains(" transmitKbps=65000 "), "\(line)")
        scene.debug.open(debug, at: SystemClock.monotonic() - .seconds(31 * 60))
        #expect(try look(Self.second).isEmpty, "it ends by itself")
    }

    @Test func theRadioIsShown() throws {
        let scene = try Scene(settings: Self.names)
        // What was counted before the service started is not its own.
        try scene.say(.observed(try Self.client(at: Self.first), links: [Self.wire]))
        try scene.say(.observed(try Self.client(at: Self.first, packets: 130), links: [Self.wire]))
        #expect(scene.events.isEmpty)
        let radio = try #require(try scene.answer("wifi")["radios"]?.array?.first)
        #expect(radio["interface"] == "wlan0" && radio["mode"] == "station" && radio["ssid"] == "Venue")
        #expect(radio["bssid"] == .string(Self.first) && radio["accessPoint"] == "Gate 1")
        #expect(radio["signalDbm"] == -60 && radio["channel"] == 1 && radio["band"] == "2.4GHz")
        #expect(radio["transmitRate"] == "65.0 Mbit/s, HT MCS 7, 1 stream, 20 MHz")
        // The driver does not tell of noise.
        #expect(radio["noiseDbm"] == nil && radio["receivedPackets"] == 30)
        let link = try #require(try scene.answer("interfaces")["interfaces"]?.array?.first)
        #expect(link["interface"] == "eth0" && link["speedMbps"] == 1_000 && link["duplex"] == "full")
        #expect(link["receivedOctets"] == 5_000 && link["isWireless"] == false)
        let network = try #require(try scene.answer("wifi-scan")["networks"]?.array?.first)
        #expect(network["ssid"] == "Venue" && network["accessPoint"] == "Gate 1" && network["isAssociated"] == true)
        #expect((network["ageMs"]?.integer ?? 0) >= 40)
        let metrics = scene.statistics.snapshot().openMetrics(prefix: "touchline")
        #expect(metrics.contains("touchline_wifi_station_signal_dbm{interface=\"wlan0\"} -60"))
        #expect(metrics.contains("touchline_interface_speed_bits_per_second{interface=\"eth0\"} 1000000000"))
    }

    /// A roam is told with both names, once, and counted (G-13).
    @Test func aRoamIsTold() throws {
        let scene = try Scene(settings: Self.names)
        try scene.say(.observed(try Self.client(at: nil), links: []))
        try scene.say(.event(RadioEvent(.connected, interface: 4, address: HardwareAddress(Self.first))))
        try scene.say(.observed(try Self.client(at: Self.first), links: []))
        try scene.say(
            .event(RadioEvent(.roamed, interface: 4, address: HardwareAddress(Self.second))))
        try scene.say(.observed(try Self.client(at: Self.second, packets: 7), links: []))
        #expect(
            scene.events == [
                #"network.wifiConnected {"accessPoint":"Gate 1","bssid":"02:00:00:00:01:00","interface":"wlan0"}"#,
                """
                network.wifiRoamed {"accessPoint":"Gate 2","bssid":"02:00:00:00:02:00","fromAccessPoint":"Gate 1",\
                "fromBssid":"02:00:00:00:01:00","interface":"wlan0"}
                """,
            ])
        let radio = try #require(try scene.answer("wifi")["radios"]?.array?.first)
        #expect(radio["roams"] == 1 && radio["accessPoint"] == "Gate 2" && radio["receivedPackets"] == 107)
    }

    @Test func whyAConnectionEnded() throws {
        let scene = try Scene()
        try scene.say(.observed(try Self.client(at: Self.first), links: []))
        try scene.say(
            .event(
                RadioEvent(.disconnected(reason: ReasonCode(rawValue: 4), by: .accessPoint), interface: 4)))
        try scene.say(.observed(try Self.client(at: nil), links: []))
        #expect(
            scene.events.last == """
                network.wifiDisconnected {"bssid":"02:00:00:00:01:00","by":"accessPoint","interface":"wlan0","reason":4,\
                "why":"inactivity"}
                """)
        let radio = try #require(try scene.answer("wifi")["radios"]?.array?.first)
        #expect(radio["lastDisconnect"] == "4: inactivity" && radio["bssid"] == nil && radio["linkScore"] == 0)
    }

    /// Each report has what was counted since the one before (SVM-127).
    @Test func whatIsReported() throws {
        let scene = try Scene(settings: Self.names)
        #expect(scene.sections.members(covering: .seconds(1)).keys.sorted() == ["interfaces"])
        try scene.say(.observed(try Self.client(at: Self.first), links: [Self.wire]))
        _ = scene.sections.members(covering: .seconds(1))
        try scene.say(.observed(try Self.client(at: Self.first, packets: 150), links: [Self.wire]))
        let members = scene.sections.members(covering: .seconds(10))
        #expect(members["wifi"]?.array?.first?["accessPoint"] == "Gate 1")
        #expect(members["wifi"]?.array?.first?["deltas"]?["receivedPackets"] == 50)
        #expect(members["accessPoints"]?.array?.first?["name"] == "Gate 1")
        #expect(members["interfaces"]?.array?.first?["interface"] == "eth0")
        #expect(members["interfaces"]?.array?.first?["deltas"]?["receivedOctets"] == 0)
        scene.host?.stop()
        #expect(scene.sections.members(covering: .seconds(1)).isEmpty)
    }

    /// What is lost while the box is at an access point is that one's (G-57).
    @Test func lossesHaveAnAccessPoint() throws {
        final class Reception { var counters = SessionCounters(session: 1, packets: 1_000, lost: 0) }
        let reception = Reception()
        let scene = try Scene(settings: Self.names) { [reception.counters] }
        try scene.say(.observed(try Self.client(at: Self.first), links: []))
        reception.counters.packets = 1_900
        reception.counters.lost = 100
        try scene.say(.observed(try Self.client(at: Self.second), links: []))
        reception.counters.packets = 2_900
        try scene.say(.observed(try Self.client(at: Self.second), links: []))
        let rows = try #require(try scene.answer("wifi-losses")["accessPoints"]?.array)
        #expect(rows.map { $0["name"] } == ["Gate 1", "Gate 2"])
        #expect(rows.map { $0["packets"] } == [900, 1_000] && rows.map { $0["lost"] } == [100, 0])
    }

    @Test func aScanIsAskedFor() throws {
        let scene = try Scene()
        #expect(throws: Status.self) { try scene.answer("wifi-scan", ["fresh": true]) }
        try scene.say(.observed(try Self.client(at: Self.first), links: []))
        #expect(throws: Status.self) { try scene.answer("wifi-scan", ["interface": "wlan7"]) }
        let answer = try scene.ask("wifi-scan", ["fresh": true])
        #expect(scene.scans == ["wlan0"] && answer() == nil)
        try scene.say(.event(RadioEvent(.scanEnded, interface: 4)))
        #expect(try answer()?.get()["networks"]?.array?.count == 1)
        // Who may not scan is told so.
        scene.scanAnswer = .failure(.failure(.failed, "not allowed"))
        #expect(throws: Status.self) { try scene.answer("wifi-scan", ["fresh": true]) }
    }

    /// The end of a scan may not be told; then what is known is answered.
    @Test func aScanThatDoesNotEnd() throws {
        let scene = try Scene()
        try scene.say(.observed(try Self.client(at: Self.first), links: []))
        let answer = try scene.ask("wifi-scan", ["fresh": true])
        scene.wifi?.tick(at: SystemClock.monotonic() + .seconds(5))
        #expect(answer() == nil)
        scene.wifi?.tick(at: SystemClock.monotonic() + .seconds(9))
        #expect(answer() != nil)
    }

    @Test func theLinkScoreOfARadio() throws {
        let view = RadioView()
        let radio = Uplink(name: "wlan0", kind: .wifi, isUp: true)
        #expect(view.linkScore(of: [radio]) == nil)
        var ledger = RadioLedger()
        for second in 0..<5 as Range<Int64> {
            _ = ledger.observed(try Self.client(at: Self.first), at: Monotonic(nanoseconds: second * 1_000_000_000))
        }
        view.publish(ledger.interfaces)
        // -60 dBm over noise of -95 dBm, which is not told.
        #expect(view.linkScore(of: [radio]) == 9)
        // Another interface is the one that the service may use.
        #expect(view.linkScore(of: []) == nil)
        #expect(view.linkScore(of: [Uplink(name: "wlan1", kind: .wifi, isUp: true)]) == nil)
        // By a wire with a carrier it receives as well.
        #expect(view.linkScore(of: [radio, Uplink(name: "eth0", kind: .wired, isUp: true)]) == nil)
        #expect(view.linkScore(of: [radio, Uplink(name: "eth0", kind: .wired, isUp: false)]) == 9)
    }
}
