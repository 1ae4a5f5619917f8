// SPDX-License-Identifier: Apache-2.0
import Commands
import Diagnosing
import FeatureTesting
import Hosting
import JSON
import LineUp
import Mixing
import Playback
import Presentation
import Radio
import Radios
import Reception
import Reporting
import Settings
import Shapes
import Statistics
import System
import TestSupport
import Testing
import Time
import Venue

@testable import Diagnosis

@Suite struct DiagnosisTests {
    /// What the box counts, and what its machine says.
    private final class Box {
        var reception = ReceptionCounters()
        var playback = PlaybackCounters()
        var region = RegionCounters(name: "main")
        var mixer = MixerCounters()
        var isListening = true
        var gateway: String?
        var soundProblem: String?
    }

    private let box = Box()
    private let regions = RegionDirectory(PlaybackPolicy(), sessionLimit: 1)
    private let view = HealthView()
    private let radio = RadioView()
    private let sounds = RegionSounds(mix: RegionSound(level: 70), main: RegionPlayer.main)

    private func makeHost(
        _ document: JSONValue, inspect: @escaping @Sendable () -> Evidence.Machine = { Evidence.Machine() }
    ) throws -> (host: FeatureHost, loop: EventLoop) {
        var context = try FeatureContext.testing(settings: document)
        let settings = context.settings.running.settings
        var sources = Diagnosis.Sources(directories: ["/tmp"], inspect: inspect)
        sources.isListening = { [box] in box.isListening }
        sources.silentGateway = { [box] in box.gateway }
        sources.reception = { [box] _ in box.reception }
        sources.playback = { [box] _ in box.playback }
        sources.region = { [box] _ in box.region }
        sources.mixer = { [box] in box.mixer }
        sources.soundProblem = { [box] in box.soundProblem }
        context.provide(LineUpView(LineUp(settings: LineUpSettings(settings))))
        context.provide(view)
        context.provide(radio)
        context.provide(regions)
        context.provide(sounds)
        context.provide(sources)
        return (try FeatureHost([Diagnosis.self], context), context.loop)
    }

    /// The answer, for which the loop runs until it is there.
    private func answer(_ host: FeatureHost, _ loop: EventLoop) throws -> JSONValue {
        var answered: JSONValue?
        let request = try CommandRequest(CommandDescription(Diagnose.self))
        let isHandled = host.handle(request) { result in
            answered = try? result.get()
            loop.stop()
        }
        #expect(isHandled)
        if answered == nil { try loop.run() }
        return try #require(answered)
    }

    private func finding(_ link: ChainLink, of answer: JSONValue) -> JSONValue? {
        answer["links"]?.array?.first { $0["link"] == .string(link.rawValue) }
    }

    private static let lonely: JSONValue = ["network": ["interface": "lo"], "announcements": ["groups": []]]

    private func tune(_ name: String) {
        regions.environment.open = { _, _ in nil }
        let transport = Transport(address: "239.1.2.3", port: 5_004, encapsulation: .rtp(payloadType: 33))
        regions.control(.tune(Channel(id: Channel.ID(name), name: name, transport: transport)), in: regions.main)
    }

    @Test func nothingIsTuned() throws {
        let (host, loop) = try makeHost(Self.lonely)
        let answer = try answer(host, loop)
        #expect(ChainDiagnosis.kind.problems(of: answer).isEmpty)
        #expect(answer["blamed"] == .null && answer["observer"] == "service")
        #expect(finding(.link, of: answer)?["state"] == "fine" && finding(.address, of: answer)?["state"] == "fine")
        #expect(finding(.stream, of: answer)?["state"] == "not used")
        #expect(finding(.display, of: answer)?["state"] == "not used")
        host.stop()
    }

    /// Counters count since the start; what is told is of the last seconds.
    @Test func lossOfTheLastSecondsAlone() throws {
        let (host, loop) = try makeHost(Self.lonely)
        tune("One")
        box.reception.lostPackets = 90_000
        let now = SystemClock.monotonic()
        for second in 0..<8 as Range<Int64> {
            box.reception.datagrams += 500
            host.tick(at: now + .seconds(second - 9))
        }
        var told = try answer(host, loop)
        #expect(finding(.repair, of: told)?["state"] == "fine", "\(told.text())")
        box.reception.lostPackets += 300
        told = try answer(host, loop)
        #expect(told["blamed"] == "repair")
        #expect(finding(.repair, of: told)?["found"]?.string?.contains("10 %") == true, "\(told.text())")
        host.stop()
    }

    /// Why there is no picture is known of the box's health.
    @Test func whyThereIsNoPicture() throws {
        let (host, loop) = try makeHost(Self.lonely)
        tune("One")
        var snapshot = view.snapshot
        snapshot.absences = [try #require(regions.main.player.current).id: .scrambled]
        view.publish(snapshot)
        let told = try answer(host, loop)
        #expect(told["blamed"] == "stream")
        #expect(
            told["sentence"]?.string?.hasPrefix("The first broken link is stream: One (239.1.2.3:5004): it is") == true)
        host.stop()
    }

    /// A session that cannot be opened stays known when it is gone, until something else is tuned.
    @Test func whatCouldNotBeOpened() throws {
        let (host, loop) = try makeHost(Self.lonely)
        regions.environment.open = { _, _ in "there is no memory" }
        let transport = Transport(address: "239.1.2.3", port: 5_004, encapsulation: .raw)
        regions.control(.tune(Channel(id: Channel.ID("One"), name: "One", transport: transport)), in: regions.main)
        #expect(try answer(host, loop)["sentence"]?.string?.contains("there is no memory") == true)
        tune("Two")
        #expect(try answer(host, loop)["blamed"] == .null)
        host.stop()
    }

    /// A client that is with no access point, then with one that is far away, then with one that is near.
    @Test(.enabled(if: OwnNetwork.canBeMade)) func aRadio() throws {
        let told = try OwnNetwork.run { () throws -> [String] in
            try #require(
                OwnNetwork.shell(
                    "ip link set lo up", "ip link add wlan7 type veth peer name far7", "ip link set far7 up",
                    "ip addr add 192.0.2.7/24 dev wlan7",
                    "ip link set wlan7 up"))
            let tests = DiagnosisTests()
            let document: JSONValue = ["network": ["interface": "wlan7"], "announcements": ["groups": []]]
            let (host, loop) = try tests.makeHost(document)
            var ledger = RadioLedger()
            let address = try #require(HardwareAddress("02:00:00:00:00:01"))
            return try [nil, -90, -60].map { signal in
                var client = RadioObservation.Interface(
                    RadioInterface(index: 7, name: "wlan7", wiphy: 0, mode: .station))
                if let signal {
                    var station = StationFigures(interface: 7, address: address)
                    station.averageSignal = signal
                    client.stations = [station]
                }
                _ = ledger.observed(RadioObservation(interfaces: [client]), at: SystemClock.monotonic())
                tests.radio.publish(ledger.interfaces)
                let answer = try tests.answer(host, loop)
                let finding = tests.finding(.association, of: answer)
                return (answer["blamed"]?.string ?? "nothing") + " " + (finding?["state"]?.string ?? "")
            }
        }
        #expect(told == ["association broken", "association doubtful", "nothing fine"])
    }

    @Test func soundAndRouter() throws {
        let document = Self.lonely.merging(patch: ["sound": ["kind": "alsa"]])
        let (host, loop) = try makeHost(document)
        box.soundProblem = "no such device"
        #expect(try answer(host, loop)["sentence"]?.string?.contains("no such device") == true)
        box.mixer.device = "hdmi:0"
        #expect(try answer(host, loop)["blamed"] == .null)
        sounds.changeMix { $0.isMuted = true }
        #expect(try answer(host, loop)["blamed"] == "sound")
        // A router is blamed once it has been silent for longer than the pause between two questions.
        box.gateway = "192.0.2.1"
        let now = SystemClock.monotonic()
        host.tick(at: now)
        #expect(try answer(host, loop)["blamed"] == "sound")
        for second in 1..<15 as Range<Int64> { host.tick(at: now + .seconds(second)) }
        #expect(try answer(host, loop)["blamed"] == "address")
        host.stop()
    }

    /// The loop does not wait for a disk that hangs, and whoever asks is told of it in time.
    @Test func aDiskThatDoesNotAnswer() throws {
        let end = SystemClock.monotonic() + .seconds(4)
        let (host, loop) = try makeHost(Self.lonely) {
            SystemClock.sleep(until: end)
            return Evidence.Machine()
        }
        let start = SystemClock.monotonic()
        let told = try answer(host, loop)
        #expect(told["blamed"] == "storage" && SystemClock.monotonic() - start < .seconds(4))
        // Whoever asks meanwhile is told so, too.
        #expect(try answer(host, loop)["blamed"] != nil)
        host.stop()
    }
}
