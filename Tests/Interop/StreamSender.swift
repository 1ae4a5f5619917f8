// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// A sender of RTP that does as it is told: evenly paced, and with the faults of the real world on demand.
final class StreamSender: @unchecked Sendable {
    // Sendable: `state` and `socket` are touched under `lock` only.
    /// Where good data begin: when, the time stamp there, and that of the next random-access point.
    struct GoodData {
        let since: ContinuousClock.Instant
        let pts: Int64
        let nextEntry: Int64
    }

    private struct State {
        var file: TransportStreamFile
        var packet = 0
        var ssrc = UInt32.random(in: 1 ... .max)
        var sequence = UInt16.random(in: 0 ... .max)
        /// Datagrams to come that are damaged, and how.
        var damage: (count: Int, apply: @Sendable ([UInt8]) -> [UInt8])?
        var isSilent = false
        var isEnded = false
        var goodData: GoodData?
    }

    private let lock = NSLock()
    private var state: State
    private let socket: DatagramSender
    private let interval: Duration

    /// - Parameter partsPerMillion: by which the sender's clock is fast.
    init(_ file: TransportStreamFile, to group: Group, partsPerMillion: Int = 0) throws {
        state = State(file: file)
        interval = Self.interval * (1_000_000 - Double(partsPerMillion)) / 1_000_000
        socket = try DatagramSender(to: group)
        Thread.detachNewThread { [self] in run() }
    }

    func end() { lock.withLock { state.isEnded = true } }

    /// Goes on with another picture.
    /// - Parameter entry: index into the file's random-access points.
    func jump(to entry: Int) async throws -> GoodData {
        try await changed { $0.packet = $0.file.entries[entry].packet }
    }

    /// Goes on with another file, from its tables on.
    func send(_ file: TransportStreamFile) async throws -> GoodData {
        try await changed { state in
            state.file = file
            state.packet = 0
        }
    }

    /// Damages the next datagrams; what follows them is good.
    func damage(_ count: Int, _ apply: @escaping @Sendable ([UInt8]) -> [UInt8]) async throws -> GoodData {
        try await changed { $0.damage = (count, apply) }
    }

    /// Falls silent and comes back as another program would: new identity, the stream from its start.
    func restart(after silence: Duration, from file: TransportStreamFile) async throws -> GoodData {
        lock.withLock { state.isSilent = true }
        try await Task.sleep(for: silence)
        return try await changed { state in
            state = State(file: file)
        }
    }

    /// Good data from the next datagram on.
    func mark() async throws -> GoodData { try await changed { _ in } }

    /// One more datagram on the group, beside the stream.
    /// - Parameter change: of a packet as the next one will be.
    func inject(_ change: @Sendable ([UInt8]) -> [UInt8]) throws {
        try lock.withLock { try socket.send(change(Self.datagram(state))) }
    }

    private func changed(_ change: (inout State) -> Void) async throws -> GoodData {
        lock.withLock {
            change(&state)
            state.goodData = nil
        }
        var found: GoodData?
        guard
            try await eventually(
                within: .seconds(5),
                {
                    found = lock.withLock { state.goodData }
                    return found != nil
                }), let found
        else { throw VenueError("the sender does not send") }
        return found
    }

    private static let interval = Duration.nanoseconds(7 * 188 * 8 * 1_000_000 / CountedVideo.kilobits)

    private func run() {
        var due = ContinuousClock.now
        while lock.withLock({ sendNext() }) {
            due += interval
            let rest = due - .now
            if rest > .zero { Thread.sleep(forTimeInterval: rest / .seconds(1)) }
        }
    }

    /// - Returns: whether there is more to come.
    private func sendNext() -> Bool {
        guard !state.isEnded else { return false }
        guard !state.isSilent else { return true }
        var datagram = Self.datagram(state)
        if let (count, apply) = state.damage {
            datagram = apply(datagram)
            state.damage = count > 1 ? (count - 1, apply) : nil
        } else if state.goodData == nil {
            let entries = state.file.entries
            let last = entries.last { $0.packet <= state.packet } ?? entries[0]
            let next = entries.first { $0.packet >= state.packet } ?? entries[0]
            let since = max(0, Self.ticks(state.packet - last.packet))
            state.goodData = GoodData(since: .now, pts: last.pts + since, nextEntry: next.pts)
        }
        // A refusal by the kernel would show as loss in the box's counters.
        if !datagram.isEmpty { try? socket.send(datagram) }
        state.sequence &+= 1
        state.packet = (state.packet + 7) % state.file.packetCount
        return true
    }

    /// RFC 3550 and 2250: twelve octets, payload type 33, seven packets.
    private static func datagram(_ state: State) -> [UInt8] {
        let time = UInt32(truncatingIfNeeded: ticks(state.packet))
        var datagram: [UInt8] = [0x80, 33]
        datagram += [UInt8](bigEndian: state.sequence)
        datagram += [UInt8](bigEndian: time)
        datagram += [UInt8](bigEndian: state.ssrc)
        return datagram + state.file.payload(at: state.packet)
    }

    /// 90 kHz.
    private static func ticks(_ packets: Int) -> Int64 { Int64(packets * 188 * 8 * 90 / CountedVideo.kilobits) }
}
