// SPDX-License-Identifier: Apache-2.0
import Bytes
import Time

/// Assembles the messages of one data channel: each once, in order, complete or not at all. Payloads arrive in the
/// order of their packets, with gaps. A late joiner begins with the next message. It holds one message of at most 64
/// KiB.
public struct MessageAssembler: Sendable {
    /// Largest distance of sequences within a run. A larger one means that the sender has restarted.
    static let runReach: Int32 = 10_000

    /// The message with the newest sequence.
    private struct Newest {
        let sequence: UInt32
        /// Nil until its first piece has arrived.
        var identity: Identity?
        var contentType = ""
        /// Whether it was delivered, or is complete but damaged.
        var isOver = false
    }

    private struct Identity: Equatable {
        let messageOctets: Int
        let checksum: UInt32

        init(_ fragment: MessageFragment) {
            messageOctets = fragment.messageOctets
            checksum = fragment.checksum
        }
    }

    public private(set) var counters = MessageCounters()
    private var source: UInt32?
    private var newest: Newest?
    /// The octets of the newest message from its beginning up to the first gap.
    private var octets: [UInt8] = []
    private var sum = CRC32(.iso3309)

    public init() {}

    /// - Parameters:
    ///   - payload: payload of an RTP packet. An empty one is ignored: senders use them to fill protection windows.
    ///   - source: SSRC of the sender. Another SSRC is another run, with sequences of its own.
    /// - Returns: the message that this piece completes; nil if it completes none.
    public mutating func payloadReceived(
        _ payload: UnsafeRawBufferPointer, source: UInt32, at arrival: Monotonic
    ) -> DataMessage? {
        guard !payload.isEmpty else { return nil }
        let fragment: MessageFragment
        do throws(WireError) {
            fragment = try MessageFragment(payload)
        } catch {
            counters.malformed += 1
            return nil
        }
        if let before = self.source, before != source { runEnded() }
        self.source = source
        guard isOfNewest(fragment), append(fragment, in: payload) else { return nil }
        return finish(at: arrival)
    }

    private mutating func runEnded() {
        closeNewest()
        newest = nil
        counters.restarts += 1
    }

    /// Counts the newest message as incomplete if it is not over.
    private mutating func closeNewest() {
        if let newest, !newest.isOver { counters.incomplete += 1 }
        octets.removeAll(keepingCapacity: true)
        sum = CRC32(.iso3309)
    }

    /// Whether the fragment belongs to the newest message. A newer message replaces the newest one.
    private mutating func isOfNewest(_ fragment: MessageFragment) -> Bool {
        if let current = newest {
            let distance = Int32(bitPattern: fragment.sequence &- current.sequence)
            if distance == 0 {
                if current.isOver, fragment.offset == 0 { counters.duplicates += 1 }
                return !current.isOver
            }
            if -Self.runReach..<0 ~= distance {
                if fragment.offset == 0 { counters.duplicates += 1 }
                return false
            }
            if distance <= Self.runReach, distance > 0 {
                closeNewest()
                counters.lost += Int64(distance) - 1
                newest = Newest(sequence: fragment.sequence)
                return true
            }
            runEnded()
        }
        guard fragment.offset == 0 else { return false }
        newest = Newest(sequence: fragment.sequence)
        return true
    }

    /// - Returns: whether the message is complete.
    private mutating func append(_ fragment: MessageFragment, in payload: UnsafeRawBufferPointer) -> Bool {
        guard var current = newest else { return false }
        if fragment.offset == 0, current.identity == nil {
            let type = UnsafeRawBufferPointer(rebasing: payload[fragment.contentType])
            current.identity = Identity(fragment)
            current.contentType = String(decoding: type, as: UTF8.self)
            newest = current
            sum.add(type)
        }
        // A piece of a message whose beginning was missed is unusable, but not an error.
        guard let identity = current.identity else { return false }
        guard identity == Identity(fragment) else {
            counters.malformed += 1
            return false
        }
        // The piece is after a gap. The sender may repeat the message.
        guard fragment.offset <= octets.count else { return false }
        let known = octets.count - fragment.offset
        guard known < fragment.piece.count else { return false }
        let new = UnsafeRawBufferPointer(rebasing: payload[fragment.piece.dropFirst(known)])
        octets.append(contentsOf: new)
        sum.add(new)
        return octets.count == identity.messageOctets
    }

    private mutating func finish(at arrival: Monotonic) -> DataMessage? {
        guard let current = newest, let identity = current.identity else { return nil }
        newest?.isOver = true
        guard sum.value == identity.checksum else {
            counters.damaged += 1
            return nil
        }
        counters.messages += 1
        counters.octets += Int64(octets.count)
        return DataMessage(
            sequence: current.sequence, contentType: current.contentType, octets: octets, arrival: arrival)
    }
}
