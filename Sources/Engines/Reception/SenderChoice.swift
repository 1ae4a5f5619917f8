// SPDX-License-Identifier: Apache-2.0
import Bytes
import Network
import RTP
import Time

/// Chooses one sender where several send to the same group and port: the first is played until it stops. What the others
/// send is refused, because two streams that are mixed cannot be played.
///
/// Two senders of the same packets are one stream: whoever has sent what the one that is played has sent, under the same
/// sequence number, is its second path. Two encoders may have the same SSRC, and numbers near each other. Of two RTP
/// streams with their own SSRC the flow knows which it plays.
struct SenderChoice: Sendable {
    /// Another sender takes over when it has been heard for so long, and the one that is played has not.
    static let silence = Nanoseconds.milliseconds(400)
    /// Packets of the same stream are no further apart than this: sequence numbers, and ticks of 90 kHz.
    private static let near = (packets: Int16(2_048), ticks: Int32(900_000))
    /// Whoever goes on no further behind the last packet may be the sender of before, with another address.
    private static let next = Int16(-16)...64
    /// So many datagrams in a row look like RTP before the stream is taken for that.
    private static let proof = 4

    private struct Position {
        let ssrc: UInt32
        let sequence: UInt16
        let timestamp: UInt32

        init?(_ datagram: UnsafeRawBufferPointer) {
            // RTP's first two bits are 10. What is no RTP has no position in it.
            guard (datagram.first ?? 0) >> 6 == 2, let header = try? RTPHeader(datagram) else { return nil }
            (ssrc, sequence, timestamp) = (header.ssrc, header.sequence, header.timestamp)
        }

        func follows(_ other: Position) -> Bool { next.contains(Int16(bitPattern: sequence &- other.sequence)) }

        func isNear(_ other: Position) -> Bool {
            let packets = Int16(bitPattern: sequence &- other.sequence)
            let ticks = Int32(bitPattern: timestamp &- other.timestamp)
            return packets.magnitude <= near.packets.magnitude && ticks.magnitude <= near.ticks.magnitude
        }
    }

    private var seen = SeenPackets()
    /// Whether another has sent packets that may be of the same stream. Until then there is nothing to compare.
    private var hasOther = false
    /// Numbers of the sender of the same packets, and of one that sends others under their numbers; 0 if none is known.
    private var twin: UInt32 = 0
    private var stranger: UInt32 = 0
    /// The sender that is played; nil before the first.
    private var played: (peer: DatagramPeer, heard: Monotonic)?
    private var position: Position?
    /// Datagrams of the stream in a row that look like RTP.
    private var inRTP = 0
    /// When others were heard first, and last, since the one that is played was heard last; nil if none was.
    private var others: (since: Monotonic, last: Monotonic)?
    /// Datagrams that were refused, and when the last one was.
    private(set) var refused: Int64 = 0
    private var lastRefused = Monotonic(nanoseconds: 0)
    /// The two that send at the same time; nil if nobody was refused for a while.
    private(set) var conflict: SenderConflict?
    private static let memory = Nanoseconds.seconds(5)

    /// - Returns: whether the datagram is one of the stream that is played, or may be one.
    mutating func admits(_ peer: DatagramPeer, _ datagram: UnsafeRawBufferPointer, at arrival: Monotonic) -> Bool {
        let new = Position(datagram)
        guard let played, played.peer != peer else {
            if hasOther, let new { compare(new, datagram, of: peer, isPlayed: true) }
            take(peer, new, at: arrival)
            return true
        }
        var isUnknown = false
        if inRTP >= Self.proof, let position, let new {
            guard position.ssrc == new.ssrc else { return true }
            if position.isNear(new) {
                let number = Self.number(of: peer)
                hasOther = true
                compare(new, datagram, of: peer, isPlayed: false)
                isUnknown = stranger != number
                if twin == number || isUnknown && new.follows(position) {
                    let isAlone = arrival - played.heard >= Self.silence
                    take(isAlone ? peer : played.peer, new, at: isAlone ? arrival : played.heard)
                    return true
                }
            }
        }
        let goOn = others.flatMap { $0.since > played.heard && arrival - $0.last < Self.silence ? $0 : nil }
        let since = goOn?.since ?? arrival
        others = (since, arrival)
        if arrival - since >= Self.silence {
            conflict = nil
            inRTP = 0
            take(peer, new, at: arrival)
            return true
        }
        // A path that is ahead of the other is known when the other has come as far.
        guard !isUnknown else { return false }
        refused += 1
        lastRefused = arrival
        conflict = SenderConflict(played: played.peer, other: peer)
        return false
    }

    /// Compares a packet with what another has sent under its number, and learns by it who sends the same.
    private mutating func compare(
        _ new: Position, _ datagram: UnsafeRawBufferPointer, of peer: DatagramPeer, isPlayed: Bool
    ) {
        let number = Self.number(of: peer)
        guard let match = seen.note(new.sequence, datagram, of: number, replaces: isPlayed) else { return }
        let other = isPlayed ? match.sender : number
        if match.isSame {
            twin = other
            if stranger == other { stranger = 0 }
        } else {
            stranger = other
            if twin == other { twin = 0 }
        }
    }

    private static func number(of peer: DatagramPeer) -> UInt32 { UInt32(truncatingIfNeeded: peer.hashValue) | 1 }

    private mutating func take(_ peer: DatagramPeer, _ new: Position?, at heard: Monotonic) {
        if conflict != nil, heard - lastRefused > Self.memory { conflict = nil }
        played = (peer, heard)
        inRTP = new == nil ? 0 : min(inRTP + 1, Self.proof)
        if new != nil { position = new }
    }
}

/// Two senders of different streams to one group and port.
public struct SenderConflict: Hashable, Sendable {
    public let played: DatagramPeer
    public let other: DatagramPeer

    public init(played: DatagramPeer, other: DatagramPeer) { (self.played, self.other) = (played, other) }
}
