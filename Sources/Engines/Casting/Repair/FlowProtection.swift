// SPDX-License-Identifier: Apache-2.0
import ErasureCoding
import RTP
import Time
import Venue

/// Makes a channel's flows from its packets: the packets themselves and their repair packets, each at the time when it
/// is due. Repair packets are spread over the packets that follow, so the rate of a channel is even and a burst hits
/// few of them.
/// - Thread: the one that owns it.
final class FlowProtection {
    typealias Body = (UnsafeRawBufferPointer, CastFlow, Nanoseconds) -> Void

    private let windows: WindowEncoder?
    private let parity: ParityEncoder?
    private let plainParity: ParityEncoder?
    private let hasPlain: Bool

    /// Octets of the longest packet that is sent.
    static let packetOctets = 1_400

    /// - Parameter seed: decides the first block and sequence numbers, so that a run is unlikely to continue an earlier
    ///   one's.
    init(_ channel: HeadEndConfiguration.CastChannel, seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let block = UInt32(truncatingIfNeeded: random.next() & 0x7F_FFFF)
        if case .windows(let repair) = channel.announcement.transport.repair {
            guard let encoder = WindowEncoder(repair, firstBlock: block) else {
                preconditionFailure("windows that the configuration lets pass and the encoder does not")
            }
            windows = encoder
        } else {
            windows = nil
        }
        parity = channel.parity.map { ParityEncoder($0, random: &random) }
        plainParity = channel.plain?.parity.map { ParityEncoder($0, random: &random) }
        hasPlain = channel.plain != nil
    }

    /// Takes a packet, due no earlier than the one before, and passes on everything that is due up to then.
    func packetMade(_ packet: UnsafeRawBufferPointer, due: Nanoseconds, _ body: Body) {
        advance(to: due, body)
        if let windows {
            let isProtected = windows.packetSent(
                packet, at: Self.instant(due), source: { body($0, .media, due) }, repair: { body($0, .repair, due) })
            precondition(isProtected, "a packet of \(packet.count) octets is longer than a symbol")
        } else {
            body(packet, .media, due)
        }
        parity?.packetSent(packet) { body($0, $1 == .columns ? .columns : .rows, due) }
        guard hasPlain else { return }
        body(packet, .plain, due)
        plainParity?.packetSent(packet) { body($0, $1 == .columns ? .plainColumns : .plainRows, due) }
    }

    /// Passes on the repair packets that are due up to `time` when no packet comes.
    func advance(to time: Nanoseconds, _ body: Body) {
        guard let windows else { return }
        var last: Monotonic?
        while let deadline = windows.deadline, deadline <= Self.instant(time), deadline != last {
            windows.tick(at: deadline) { body($0, .repair, max(.zero, deadline - Self.instant(.zero))) }
            last = deadline
        }
    }

    private static func instant(_ time: Nanoseconds) -> Monotonic { Monotonic(nanoseconds: 0) + time }
}

extension ParityEncoder {
    fileprivate convenience init(_ shape: ParityShape, random: inout SeededRandom) {
        self.init(
            columns: shape.columns, rows: shape.rows, withRows: shape.hasRows,
            packetOctets: FlowProtection.packetOctets,
            columnSequence: UInt16(truncatingIfNeeded: random.next()),
            rowSequence: UInt16(truncatingIfNeeded: random.next()))
    }
}
