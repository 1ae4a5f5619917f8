// SPDX-License-Identifier: Apache-2.0
import Bytes
import RTP
import Time
import TransportStream
import Venue

/// Makes a channel's datagrams, each with the time at which it is due. The units of a source are multiplexed, up to
/// seven TS packets go into a datagram, and datagrams are spread evenly over their slot. Opens no socket and reads no
/// clock.
/// - Thread: the one that owns it.
public final class ChannelCaster {
    /// Start values by which receivers tell one run of a sender from another; random for each run.
    public struct Identity: Sendable {
        public var ssrc: UInt32
        public var sequence: UInt16
        public var timestamp: UInt32

        public init(ssrc: UInt32, sequence: UInt16, timestamp: UInt32) {
            self.ssrc = ssrc
            self.sequence = sequence
            self.timestamp = timestamp
        }
    }

    private let source: any CastSource
    private let encapsulation: Transport.Encapsulation
    private var identity: Identity
    private var multiplexer: TSMultiplexer
    private var slot: Int64 = 0
    /// Added to the source's times to get those of the stream, 90 kHz ticks; nil until the first picture.
    private var shift: Int64?
    private var held: [CastUnit] = []
    private var stream = WireWriter(reserving: 256 << 10)
    private var datagram = WireWriter(reserving: 1_500)

    /// 90 kHz ticks from the PCR at a unit's departure to the unit's decoding time: the delay for which receivers must
    /// buffer.
    private static let lead: Int64 = 90 * 150
    /// Octets of seven TS packets: with RTP and UDP headers they fit into an Ethernet frame.
    private static let datagramSize = 7 * TSPacket.size

    init(
        _ source: any CastSource, provider: String, name: String, encapsulation: Transport.Encapsulation,
        identity: Identity
    ) {
        self.source = source
        self.encapsulation = encapsulation
        self.identity = identity
        var layout = TSMultiplexer.Layout(provider: provider, name: name)
        if !source.hasSound { layout.audioPID = nil }
        multiplexer = TSMultiplexer(layout)
    }

    /// When the next slot begins, counted from the start of the run.
    public var nextSlotStart: Nanoseconds { TickRate.programClock.nanoseconds(clock(slot)) }

    /// Makes the next slot and passes on its datagrams in order.
    /// - Parameters:
    ///   - clock: the time of day as text, for the test card.
    ///   - body: takes octets that are valid during the call, and when they are due, counted from the start of the run.
    public func nextSlot(clock text: String, _ body: (UnsafeRawBufferPointer, Nanoseconds) -> Void) throws {
        let units = try source.nextSlot(clock: text)
        let (start, end) = (clock(slot), clock(slot + 1))
        slot += 1
        stream.removeAll()
        multiplex(units, from: start, to: end)
        give(from: start, to: end, body)
    }

    private func clock(_ slot: Int64) -> Int64 {
        slot * 27_000_000 * source.slotRate.denominator / source.slotRate.numerator
    }

    private func multiplex(_ units: [CastUnit], from start: Int64, to end: Int64) {
        guard let shift = shift ?? units.first(where: { $0.kind == .video }).map({ start / 300 + Self.lead - $0.dts })
        else {
            held += units  // sound before the first picture
            return
        }
        self.shift = shift
        // Pictures go first, so that their PCR is in the slot's first datagram, whatever tables go with it.
        let due = units.filter { $0.kind == .video } + held + units.filter { $0.kind == .audio }
        held.removeAll()
        // A PCR must be that of its datagram's departure. The departure follows from the number of datagrams, which
        // follows from the number of PCRs that are due. So trials are made until the number of datagrams stays the
        // same.
        var count = 1
        for _ in 0..<3 {
            var trial = multiplexer
            stream.removeAll()
            write(due, shift: shift, from: start, to: end, datagrams: count, by: &trial)
            guard count != datagramCount else { break }
            count = datagramCount
        }
        stream.removeAll()
        write(due, shift: shift, from: start, to: end, datagrams: count, by: &multiplexer)
    }

    private var datagramCount: Int { (stream.count + Self.datagramSize - 1) / Self.datagramSize }

    private func write(
        _ units: [CastUnit], shift: Int64, from start: Int64, to end: Int64, datagrams: Int,
        by multiplexer: inout TSMultiplexer
    ) {
        if !units.contains(where: { $0.kind == .video }) { multiplexer.writeDue(clock: start, to: &stream) }
        for unit in units {
            let index = min(stream.count / Self.datagramSize, datagrams - 1)
            let now = start + (end - start) * Int64(index) / Int64(datagrams)
            unit.bytes.withUnsafeBytes { bytes in
                switch unit.kind {
                case .video:
                    multiplexer.writeVideo(
                        bytes, pts: unit.pts + shift, dts: unit.dts + shift, isRandomAccess: unit.isKey, clock: now,
                        to: &stream)
                case .audio: multiplexer.writeAudio(bytes, pts: unit.pts + shift, clock: now, to: &stream)
                }
            }
        }
    }

    private func give(from start: Int64, to end: Int64, _ body: (UnsafeRawBufferPointer, Nanoseconds) -> Void) {
        let (size, count) = (Self.datagramSize, datagramCount)
        for index in 0..<count {
            let departure = start + (end - start) * Int64(index) / Int64(count)
            datagram.removeAll()
            if case .rtp(let payloadType) = encapsulation {
                RTPHeader.write(
                    payloadType: payloadType, sequence: identity.sequence,
                    timestamp: identity.timestamp &+ UInt32(truncatingIfNeeded: departure / 300), ssrc: identity.ssrc,
                    to: &datagram)
                identity.sequence &+= 1
            }
            datagram.write(contentsOf: stream.bytes[index * size..<min((index + 1) * size, stream.count)])
            datagram.bytes.withUnsafeBytes { body($0, TickRate.programClock.nanoseconds(departure)) }
        }
    }
}
