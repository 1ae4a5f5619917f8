// SPDX-License-Identifier: Apache-2.0
import Bytes
import Time

/// Decides whether what comes to the ports of parity is parity of a flow (SMPTE ST 2022-1) that nobody announced.
///
/// The headers of parity packets state sums of the headers of media packets: of lengths, payload types, flags and time
/// stamps, 62 bits. A packet is parity of this flow if all media packets that it covers came and their sums are equal;
/// if some of them are missing it proves nothing. A port to which mostly something else comes is given up.
///
/// All memory is taken in `init`, none per packet. Not thread-safe: one thread makes all calls.
public final class ParityDetector {
    /// The parity that a flow has.
    public struct Finding: Hashable, Sendable {
        public var hasColumns: Bool
        public var hasRows: Bool
        /// How long after a packet its repair may arrive: one and a half times the longest that was seen, since the rate
        /// of the media may fall.
        public var span: Nanoseconds
    }

    /// What was seen of one of the two flows.
    private struct Evidence {
        /// Packets whose sums are those of the media, and packets that may be parity of it.
        var proven = 0
        var possible = 0
        /// Packets that cannot be parity of it.
        var foreign = 0
        /// The longest distance of the packets that one sums: L in columns.
        var offset = 0

        var isForeign: Bool { foreign >= ParityDetector.mostForeign + 4 * possible }
        /// Columns are sent up to a block late, the last one latest, so two blocks of them have to be seen.
        var isProof: Bool { proven >= ParityDetector.fewestProven && possible >= 2 * offset }
    }

    /// The header of a media packet, as far as it is summed.
    private struct Mark {
        var sequence: UInt16 = 0
        var isThere = false
        var flags: UInt8 = 0
        var type: UInt8 = 0
        var length: UInt16 = 0
        var timestamp: UInt32 = 0
        var arrival = Monotonic(nanoseconds: 0)
    }

    private static let fewestProven = 8
    /// Of the second flow, when the first has been proven.
    private static let fewestOfSecond = 2
    private static let mostForeign = 16
    /// How long parity is watched before it is believed, for the sake of its span: if both flows are proven; if nothing
    /// comes by the other one, whose first column may be late; and if the other one is there without proof.
    private static let watch = (
        both: Nanoseconds.seconds(2), one: Nanoseconds.seconds(5), half: Nanoseconds.seconds(20)
    )
    /// Parity that comes later than this is not used: nobody waits for it.
    private static let longestLag = Nanoseconds.seconds(4)
    /// Packets that are remembered, a power of two: two blocks of 20 columns and 20 rows, and as many again.
    private static let capacity = 2_048

    /// nil until enough was seen.
    public private(set) var finding: Finding?
    /// Datagrams that are no parity of this flow.
    public private(set) var foreign: Int64 = 0

    private var columns = Evidence()
    private var rows = Evidence()
    private var marks = [Mark](repeating: Mark(), count: capacity)
    private var newest: UInt16?
    private var source: UInt32 = 0
    private var lag = Nanoseconds.zero
    private var firstSeen: Monotonic?

    public init() {}

    /// Whether what comes to the port is something else, so that it need not be received any more.
    /// - Parameter port: the flow whose conventional port it is.
    public func isForeign(_ port: ParityFlow) -> Bool { port == .columns ? columns.isForeign : rows.isForeign }

    /// - Parameter packet: an RTP packet of the accepted sender.
    public func mediaReceived(_ packet: UnsafeRawBufferPointer, at now: Monotonic) {
        guard let media = try? ParityMedia(packet) else { return }  // counted by whoever reads the flow
        if newest == nil || media.ssrc != source { forget(media.ssrc) }
        if newest.map({ Int16(bitPattern: media.sequence &- $0) > 0 }) ?? true { newest = media.sequence }
        let old = marks[place(media.sequence)]
        guard !old.isThere || old.sequence != media.sequence else { return }  // once more, by another path
        marks[place(media.sequence)] = Mark(
            sequence: media.sequence, isThere: true, flags: media.flags, type: media.type,
            length: UInt16(truncatingIfNeeded: packet.count &- ParityMedia.headerOctets), timestamp: media.timestamp,
            arrival: now)
    }

    /// - Parameter port: the flow to whose conventional port the datagram came.
    public func parityReceived(_ packet: UnsafeRawBufferPointer, on port: ParityFlow, at now: Monotonic) {
        // Before the first media packet there is nothing to compare with.
        guard finding == nil, let newest else { return }
        var evidence = port == .columns ? columns : rows
        judge(packet, &evidence, newest, at: now)
        if port == .columns { columns = evidence } else { rows = evidence }
        conclude(at: now)
    }

    private func judge(
        _ packet: UnsafeRawBufferPointer, _ evidence: inout Evidence, _ newest: UInt16, at now: Monotonic
    ) {
        var reader = WireReader(packet)
        guard let header = try? ParityHeader(from: &reader), let isProven = covers(header, newest) else {
            evidence.foreign &+= 1
            foreign &+= 1
            return
        }
        evidence.possible &+= 1
        if isProven { evidence.proven &+= 1 }
        evidence.offset = max(evidence.offset, Int(header.offset))
        firstSeen = firstSeen ?? now
        let base = marks[place(header.base)]
        if base.isThere, base.sequence == header.base { lag = max(lag, now - base.arrival) }
    }

    /// - Returns: whether its sums are those of the media; nil if they are not, or it is of other packets. False means that
    ///   not all of the media packets came.
    private func covers(_ header: ParityHeader, _ newest: UInt16) -> Bool? {
        let reach = Int(header.offset) * (Int(header.count) - 1)
        let age = Int(Int16(bitPattern: newest &- header.base))
        guard abs(age) < Self.capacity, reach < Self.capacity else { return nil }
        // Parity may be read before the media that came before it to another socket.
        var isWhole = age >= 0 && reach <= age
        var (flags, type, length, timestamp) = (UInt8(0), UInt8(0), UInt16(0), UInt32(0))
        for step in 0..<Int(header.count) where isWhole {
            let sequence = header.base &+ UInt16(truncatingIfNeeded: step &* Int(header.offset))
            let mark = marks[place(sequence)]
            isWhole = mark.isThere && mark.sequence == sequence
            flags ^= mark.flags
            type ^= mark.type
            length ^= mark.length
            timestamp ^= mark.timestamp
        }
        let isEqual =
            flags == header.flagsRecovery && type == header.typeRecovery && length == header.lengthRecovery
            && timestamp == header.timestampRecovery
        return isWhole ? (isEqual ? true : nil) : false
    }

    private func conclude(at now: Monotonic) {
        guard let firstSeen, columns.isProof || rows.isProof, lag <= Self.longestLag else { return }
        let needed =
            if columns.isProof && rows.isProof {
                Self.watch.both
            } else if columns.possible == 0 || rows.possible == 0 {
                Self.watch.one
            } else {
                Self.watch.half
            }
        guard now - firstSeen >= needed else { return }
        let step = Nanoseconds.milliseconds(50)
        finding = Finding(
            hasColumns: columns.proven >= Self.fewestOfSecond, hasRows: rows.proven >= Self.fewestOfSecond,
            span: .milliseconds((lag * 3 / 2).milliseconds / step.milliseconds * step.milliseconds) + step)
    }

    /// Another sender begins; what was said of the one before says nothing of it.
    private func forget(_ source: UInt32) {
        for index in marks.indices { marks[index].isThere = false }
        (newest, firstSeen, self.source) = (nil, nil, source)
        (columns, rows, lag) = (Evidence(), Evidence(), .zero)
    }

    private func place(_ sequence: UInt16) -> Int { Int(sequence) & (Self.capacity &- 1) }
}
