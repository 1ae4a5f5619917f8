// SPDX-License-Identifier: Apache-2.0
import Foundation
import Radio
import System
import TestSupport
import Testing
import Time

@testable import Wireless

/// Simulated radios of a real kernel: what is read is what `iw` prints at the same instant (SVM-127, G-13).
@Suite(.serialized, .enabled(if: Guest.isHere)) struct GuestRadioTests {
    private static let patience = 30

    /// The interface of this name as the kernel has it now.
    private static func read(_ name: String) throws -> RadioObservation.Interface? {
        let dialogue = try KernelDialogue(try DescriptorWait())
        guard let family = try dialogue.family("nl80211") else { return nil }
        return try dialogue.observe(family.number).interfaces.first { $0.interface.name == name }
    }

    private static func eventually<T>(_ find: () throws -> T?) throws -> T {
        for _ in 0..<patience * 10 {
            if let found = try find() { return found }
            usleep(100_000)
        }
        throw Missing()
    }

    private struct Missing: Error {}

    /// The client's access point, once it is let in.
    private static func associated() throws -> StationFigures {
        try eventually { try read(SimulatedVenue.client)?.stations.first { $0.isAuthorised == true } }
    }

    /// Some packets each way: questions for addresses that nobody has, and their answers' lack.
    private static func talk() {
        SimulatedVenue.shell(
            """
            ip addr replace 10.9.0.2/24 dev wlan0; ip addr replace 10.9.1.2/24 dev wlan1
            ping -q -c 4 -i 0.2 -W 1 -I wlan0 10.9.0.77 >/dev/null 2>&1
            ping -q -c 4 -i 0.2 -W 1 -I wlan1 10.9.1.77 >/dev/null 2>&1
            """)
    }

    /// What `iw` prints, and what is read before and after it.
    private struct Look {
        let before, after: RadioObservation.Interface
        let station, link, info, survey: IWText
    }

    /// nil if a packet was sent meanwhile: the rate is that of the last one.
    private static func lookBetweenPackets() throws -> Look? {
        guard let before = try read(SimulatedVenue.client) else { return nil }
        func iw(_ words: String, _ heading: String) -> IWText {
            IWText(SimulatedVenue.shell("iw dev wlan0 \(words)"), heading: heading)
        }
        let (station, link) = (iw("station dump", "Station "), iw("link", "Connected to "))
        let (info, survey) = (iw("info", "Interface "), iw("survey dump", "Survey data"))
        guard let after = try read(SimulatedVenue.client) else { return nil }
        let sent = [before, after].map { $0.stations.first?.packetsSent }
        let rates = [before, after].map { $0.stations.first?.transmitRate?.value }
        guard sent[0] == sent[1], rates[0] == rates[1] else { return nil }
        return Look(before: before, after: after, station: station, link: link, info: info, survey: survey)
    }

    @Test func aStationIsAsIWSays() throws {
        let venue = try SimulatedVenue()
        defer { venue.close() }
        SimulatedVenue.hear(at: -52)
        venue.join()
        _ = try Self.associated()
        Self.talk()
        let look = try Self.eventually(Self.lookBetweenPackets)
        let (before, after) = (look.before, look.after)
        let (one, other) = (try #require(before.stations.first), try #require(after.stations.first))
        let said = try #require(look.station.sections.first)
        #expect(said.heading.hasPrefix("Station \(one.address)"))
        #expect(one.address == other.address && one.address == before.networks.first(where: \.isAssociated)?.address)

        // Counters are between those before and after.
        let counters: [(String, (StationFigures) -> UInt64?)] = [
            ("rx bytes", \.octetsReceived), ("tx bytes", \.octetsSent),
            ("rx packets", { $0.packetsReceived.map(UInt64.init) }),
            ("tx packets", { $0.packetsSent.map(UInt64.init) }),
            ("tx retries", { $0.retries.map(UInt64.init) }), ("tx failed", { $0.failures.map(UInt64.init) }),
            ("beacon loss", { $0.beaconLosses.map(UInt64.init) }), ("beacon rx", \.beaconsReceived),
            ("rx drop misc", \.drops), ("connected time", { $0.connected.map { UInt64($0.components.seconds) } }),
        ]
        for (name, figure) in counters {
            let text = try #require(said.integer(name), "\(name): \(said.values)")
            let range = (Int64(figure(one) ?? .max), Int64(figure(other) ?? 0))
            #expect(range.0 <= text && text <= range.1, "\(name) is \(text), and \(range) here")
        }
        #expect((one.packetsSent ?? 0) > 0 && (one.octetsSent ?? 0) > 0 && (one.packetsReceived ?? 0) > 0)
        // Signals stand still.
        #expect(one.signal == -52)
        for (name, figure) in [
            ("signal", \StationFigures.signal), ("signal avg", \.averageSignal),
            ("beacon signal avg", \.averageBeaconSignal),
        ] {
            #expect(said.integer(name) == one[keyPath: figure].map(Int64.init), "\(name)")
        }
        let rate = try #require(one.transmitRate?.value)
        let saidRate = try #require(said.values["tx bitrate"])
        #expect(saidRate.hasPrefix("\(rate / 10).\(rate % 10) MBit/s"), "\(saidRate), and \(rate) here")
        #expect(said.values["authorized"] == "yes" && one.isAuthorised == true && one.isAssociated == true)

        let channel = try #require(before.interface.channel)
        let iwChannel = try #require(look.info.sections.first)
        #expect(
            iwChannel.heading == "Interface wlan0" && before.interface.wiphy.description == "\(before.interface.wiphy)")
        let raw = SimulatedVenue.shell("iw dev wlan0 info")
        #expect(raw.contains("addr \(try #require(before.interface.address))"))
        #expect(raw.contains("type managed"))
        #expect(
            raw.contains(
                "channel \(channel.number ?? 0) (\(channel.controlFrequency) MHz), width: \(channel.width ?? 0) MHz"),
            "\(raw)")
        let linked = try #require(look.link.sections.first)
        #expect(linked.heading.hasPrefix("Connected to \(one.address)"))
        #expect(linked.values["SSID"] == "Venue")
        #expect(before.networks.first(where: \.isAssociated)?.ssid == Array("Venue".utf8))

        // Of each channel that was heard.
        for section in look.survey.sections {
            guard let frequency = section.integer("frequency"), let noise = section.integer("noise") else { continue }
            let heard = before.surveys.first { $0.frequency.map(Int64.init) == frequency }
            #expect(heard?.noise.map(Int64.init) == noise, "\(frequency) MHz")
            let active = section.integer("channel active time") ?? 0
            let range = [before, after].map { interface in
                interface.surveys.first { $0.frequency.map(Int64.init) == frequency }?.active
                    .map { $0 / .milliseconds(1) } ?? 0
            }
            #expect(Double(active) >= range[0] && Double(active) <= range[1], "\(frequency) MHz: \(active), \(range)")
        }
        #expect(before.surveys.contains { $0.noise != nil })
    }

    @Test func signalsAreFollowed() throws {
        let venue = try SimulatedVenue()
        defer { venue.close() }
        SimulatedVenue.hear(at: -40)
        venue.join()
        _ = try Self.associated()
        for signal in [-40, -71, -55] {
            SimulatedVenue.hear(at: signal)
            Self.talk()
            _ = try Self.eventually {
                let figures = try Self.read(SimulatedVenue.client)?.stations.first
                return figures?.signal == signal && figures?.averageBeaconSignal.map { abs($0 - signal) < 10 } == true
                    ? true : nil
            }
        }
    }

    @Test func networksAreHeard() throws {
        let venue = try SimulatedVenue()
        defer { venue.close() }
        SimulatedVenue.hear(at: -48)
        venue.join()
        _ = try Self.associated()
        // Both access points, as often as it takes.
        let found = try Self.eventually { () -> RadioObservation.Interface? in
            venue.client("scan")
            let found = try Self.read(SimulatedVenue.client)
            return (found?.networks.count ?? 0) >= 2 ? found : nil
        }
        let text = IWText(SimulatedVenue.shell("iw dev wlan0 scan dump"), heading: "BSS ")
        #expect(text.sections.count == found.networks.count)
        for section in text.sections {
            let network = found.networks.first { network in
                network.address.map { section.heading.hasPrefix("BSS \($0)") } ?? false
            }
            let heard = try #require(network, "\(section.heading)")
            #expect(section.values["SSID"] == heard.ssid.map { String(decoding: $0, as: UTF8.self) })
            #expect(section.integer("freq") == heard.frequency.map(Int64.init))
            #expect(section.integer("signal") == heard.signal.map(Int64.init))
            #expect(section.heading.contains("-- associated") == heard.isAssociated)
            #expect(section.integer("beacon interval") == heard.beaconInterval.map(Int64.init))
            let age = try #require(section.integer("last seen"))
            #expect(heard.age.map { abs($0 / .milliseconds(1) - Double(age)) < 2_000 } == true)
        }
    }

    @Test func stationsOfAnAccessPoint() throws {
        let venue = try SimulatedVenue()
        defer { venue.close() }
        venue.join()
        let accessPoint = try Self.associated().address
        let own = try #require(try Self.read(SimulatedVenue.client)?.interface.address)
        let name = try #require(
            try SimulatedVenue.accessPoints.first { try Self.read($0)?.interface.address == accessPoint })
        Self.talk()
        let found = try #require(try Self.read(name))
        #expect(found.interface.mode == .accessPoint && found.interface.ssid == Array("Venue".utf8))
        #expect(found.stations.map(\.address) == [own])
        let said = IWText(SimulatedVenue.shell("iw dev \(name) station dump"), heading: "Station ")
        #expect(said.sections.count == 1)
        let section = try #require(said.sections.first)
        #expect(section.heading.hasPrefix("Station \(own)"))
        #expect(section.integer("signal") == found.stations.first?.signal.map(Int64.init))
        let packets = found.stations.first?.packetsReceived.map(Int64.init) ?? .max
        #expect((packets...packets + 100).contains(section.integer("rx packets") ?? -1))
    }

    /// What the kernel tells by itself when a client goes from one access point to the other, is thrown out, and comes back.
    @Test func eventsTellOfRoaming() throws {
        let venue = try SimulatedVenue()
        defer { venue.close() }
        let woken = DispatchSemaphore(value: 0)
        let watch = try RadioWatch { woken.signal() }
        defer { watch.stop() }
        var told: [RadioEvent] = []
        func wait(for suits: (RadioEvent) -> Bool) -> Bool {
            let deadline = DispatchTime.now() + .seconds(Self.patience)
            while true {
                for report in watch.takeReports() {
                    guard case .event(let event) = report else { continue }
                    told.append(event)
                }
                if let place = told.firstIndex(where: suits) {
                    told.removeFirst(place + 1)
                    return true
                }
                guard woken.wait(timeout: deadline) == .success else { return false }
            }
        }
        // The watch's first look finds the family, from then on it listens.
        _ = woken.wait(timeout: .now() + .seconds(5))
        venue.join()
        #expect(wait { $0.kind == .connected })
        let first = try Self.associated().address
        let addresses = try SimulatedVenue.accessPoints.compactMap { try Self.read($0)?.interface.address }
        let second = try #require(addresses.first { $0 != first })
        venue.client("scan")
        _ = try Self.eventually {
            try Self.read(SimulatedVenue.client)?.networks.contains { $0.address == second } == true ? true : nil
        }
        venue.client("roam \(second)")
        #expect(wait { [.connected, .roamed].contains($0.kind) && $0.address == second }, "\(told)")
        #expect(try Self.eventually { try Self.associated().address == second ? true : nil })
        let name = try #require(
            try SimulatedVenue.accessPoints.first { try Self.read($0)?.interface.address == second })
        let own = try #require(try Self.read(SimulatedVenue.client)?.interface.address)
        venue.accessPoint(name, "deauthenticate \(own) reason=5")
        #expect(
            wait { $0.kind == .disconnected(reason: ReasonCode(rawValue: 5), by: .accessPoint) }, "\(told)")
        #expect(wait { $0.kind == .connected }, "\(told)")
    }

    /// Reading needs no privilege: as `nobody`, on a thread of its own, everything is as for root.
    @Test func nobodyReadsTheSame() throws {
        let venue = try SimulatedVenue()
        defer { venue.close() }
        venue.join()
        _ = try Self.associated()
        let name = SimulatedVenue.client
        let (user, found, events) = try Self.asNobody { () -> (UInt32, RadioObservation.Interface?, Bool) in
            let dialogue = try KernelDialogue(try DescriptorWait())
            let family = try dialogue.family("nl80211")
            _ = try family.map { try RadioEvents($0) }
            return (geteuid(), try Self.read(name), family?.groups["mlme"] != nil)
        }
        #expect(user == 65_534 && events)
        let root = try #require(try Self.read(name))
        #expect(found?.interface == root.interface)
        #expect(found?.stations.map(\.address) == root.stations.map(\.address))
        #expect(found?.surveys.map(\.frequency) == root.surveys.map(\.frequency))
        #expect(found?.networks.isEmpty == false)
    }

    private final class Outcome<Answer>: @unchecked Sendable {
        // Sendable: written before the thread ends, read after.
        var result: Result<Answer, any Error>?
    }

    /// `setresuid` of the calling thread alone, which is what the system call does; the library's would change all.
    private static func asNobody<Answer>(_ body: @escaping @Sendable () throws -> Answer) throws -> Answer {
        let outcome = Outcome<Answer>()
        let ended = DispatchSemaphore(value: 0)
        let thread = Thread {
            defer { ended.signal() }
            guard let address = dlsym(dlopen(nil, RTLD_NOW), "syscall") else { return }
            typealias Call = @convention(c) (Int, Int, Int, Int) -> Int
            #if arch(x86_64)
            let number = 117
            #else
            let number = 147
            #endif
            guard unsafeBitCast(address, to: Call.self)(number, 65_534, 65_534, 65_534) == 0 else { return }
            outcome.result = Result { try body() }
        }
        thread.start()
        ended.wait()
        return try #require(outcome.result).get()
    }
}
