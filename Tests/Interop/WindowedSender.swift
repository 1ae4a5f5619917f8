// SPDX-License-Identifier: Apache-2.0
import ErasureCoding
import JSON
import TestSupport
import Time
import Venue

/// A protection window as a test sends it, and what is lost of it on the way.
struct PlannedWindow {
    enum Outcome { case withoutLoss, repaired, failed, refused }

    let sources: Int
    var lost = 0
    var lostRepairs = 0

    /// What the announcement says of windows.
    static let announced = (sources: 170, repairs: 30)
    /// Repair packets that are sent of each window.
    static let repairs = 6
    /// A window with more packets than these, repair packets included, is larger than is recommended
    /// (`RepairWindows.advisedPackets`).
    static let recommended = 192

    /// By the definitions of the reference, and not by the box's code.
    var outcome: Outcome {
        if sources > Self.announced.sources { return .refused }
        if lost == 0 { return .withoutLoss }
        return lost <= Self.repairs - lostRepairs ? .repaired : .failed
    }

    var isOversized: Bool { sources + Self.announced.repairs > Self.recommended }
}

/// Sends a film as RTP, at its own rate: by itself, or in windows of a plan.
struct WindowedSender {
    private let media: DatagramSender
    private let repair: DatagramSender
    private let file: TransportStreamFile
    private let group: Group
    private var sequence: UInt16 = 0xfff0
    /// Packets of RTP that were made.
    private var made = 0

    private static let interval = Duration.nanoseconds(7 * 188 * 8 * 1_000_000 / CountedVideo.kilobits)
    private static let spanMs: Int64 = 2_000

    init(_ file: TransportStreamFile, to group: Group) throws {
        self.file = file
        self.group = group
        media = try DatagramSender(to: group)
        repair = try DatagramSender(to: group.address, port: Self.repairPort(group))
    }

    private static func repairPort(_ group: Group) -> UInt16 { UInt16(group.port + 2) }

    /// A SAP packet about a channel in this group. It is sent once, and is not due again within the test.
    static func announcement(
        _ name: String, session: Int64, title: String, of group: Group, isProtected: Bool
    ) -> [UInt8] {
        var transport: JSONValue = group.json.merging(patch: ["encapsulation": "rtp"])
        if isProtected {
            transport["repair"] = [
                "scheme": "windows", "port": .integer(Int64(repairPort(group))),
                "sourcePackets": .integer(Int64(PlannedWindow.announced.sources)),
                "repairPackets": .integer(Int64(PlannedWindow.announced.repairs)), "spanMs": .integer(spanMs),
            ]
        }
        let body: JSONValue = [
            "version": 1, "streamer": ["id": "vendor"],
            "session": ["number": .integer(session), "title": .string(title)],
            "license": BoxProcess.license, "kind": "video", "name": .string(name), "transport": transport,
            "intervalMs": 60_000,
        ]
        return AnnouncementMaker.packet(body.text())
    }

    // MARK: Sending

    /// The next packet of RTP, with these packets of the film.
    private mutating func packet(_ payload: [UInt8]) -> [UInt8] {
        let time = UInt32(truncatingIfNeeded: made * 7 * 188 * 8 * 90 / CountedVideo.kilobits)
        var packet: [UInt8] = [0x80, 33]
        packet += [UInt8](bigEndian: sequence)
        packet += [UInt8](bigEndian: time)
        packet += [UInt8](bigEndian: UInt32(0x5eed))
        sequence &+= 1
        made += 1
        return packet + payload
    }

    /// Sends the film from its start, once, up to this packet of it and with it.
    mutating func send(through last: Int) async throws {
        let began = ContinuousClock.now
        for (number, start) in stride(from: 0, through: last, by: 7).enumerated() {
            try await Task.sleep(until: began + Self.interval * number, clock: .continuous)
            var payload = Array(file.payload(at: start).prefix((last + 1 - start) * 188))
            while payload.count < 7 * 188 { payload += TransportPacket.null.octets }
            try media.send(packet(payload))
        }
    }

    /// Sends the film in these windows.
    mutating func send(_ plan: [PlannedWindow], random: inout SplitMix64) async throws {
        // All are made before the first is sent: it takes time without optimisation.
        var windows: [(sources: [[UInt8]], repairs: [[UInt8]])] = []
        for (number, window) in plan.enumerated() { windows.append(try datagrams(of: window, block: UInt32(number))) }
        var due = ContinuousClock.now
        for (window, datagrams) in zip(plan, windows) {
            let lost = Set((0..<window.sources).shuffled(using: &random).prefix(window.lost))
            for (place, datagram) in datagrams.sources.enumerated() {
                try await Task.sleep(until: due, clock: .continuous)
                if !lost.contains(place) { try media.send(datagram) }
                due += Self.interval
            }
            // They come behind the packets, and before the next window.
            try await Task.sleep(until: due, clock: .continuous)
            for datagram in datagrams.repairs.shuffled(using: &random).dropFirst(window.lostRepairs) {
                try repair.send(datagram)
            }
        }
    }

    /// A full window of an encoder of its own, which gives it the size that is wanted.
    private mutating func datagrams(
        of window: PlannedWindow, block: UInt32
    ) throws -> (sources: [[UInt8]], repairs: [[UInt8]]) {
        let windows = RepairWindows(
            endpoint: FlowEndpoint(address: group.address, port: Self.repairPort(group)),
            sourcePackets: window.sources, repairPackets: PlannedWindow.repairs, span: .milliseconds(Self.spanMs))
        guard let encoder = WindowEncoder(windows, firstBlock: block) else {
            throw VenueError("no window of \(window.sources) packets")
        }
        let now = Monotonic(nanoseconds: 0)
        var (sources, repairs) = ([[UInt8]](), [[UInt8]]())
        for _ in 0..<window.sources {
            let packet = packet(file.payload(at: made * 7))
            packet.withUnsafeBytes { bytes in
                _ = encoder.packetSent(bytes, at: now) {
                    sources.append(Array($0))
                } repair: {
                    repairs.append(Array($0))
                }
            }
        }
        encoder.finish { repairs.append(Array($0)) }
        guard sources.count == window.sources, repairs.count == PlannedWindow.repairs else {
            throw VenueError("\(sources.count) and \(repairs.count) packets of a window of \(window.sources)")
        }
        return (sources, repairs)
    }
}
