// SPDX-License-Identifier: Apache-2.0
import Bytes

/// Extracts AAC access units from RTP packets of mpeg4-generic, mode AAC-hbr (RFC 3640 3.3.6), each as an ADTS frame.
///
/// It takes the packets of one payload type, in order. It allocates nothing per packet and holds one frame of at most 8
/// KiB.
public struct AACDepacketizer: Sendable {
    /// Value that the units beginning from now on carry.
    public var mark: UInt64 = 0
    public private(set) var counters = DepacketizerCounters()

    private static let samplesPerUnit = 1_024

    private let adts: ADTSFrame
    private let framing: AACFraming
    /// Time stamp ticks from one unit to the next.
    private let ticksPerUnit: UInt32
    private var order = SequenceOrder()
    private var frame: [UInt8] = []
    /// A unit that extends over several packets, and the octets that it still lacks.
    private var fragmented: (unit: RTPUnit, missing: Int)?
    private var nextFollowsLoss = false
    private var nextIsDiscontinuity = false

    /// - Parameter clockRate: ticks per second of the time stamps, 1...1 000 000. If it is nil or out of range, the
    ///   sample rate is used.
    /// - Throws: `.unsupported` for an object type other than AAC-LC, channels described in a program_config_element, a
    ///   sampling rate without an index, frames of 960 samples, and spectral band replication described in the
    ///   configuration.
    public init(config: AudioSpecificConfig, framing: AACFraming, clockRate: Int? = nil) throws(WireError) {
        guard config.objectType == AudioSpecificConfig.lowComplexity, !config.saysReplication else {
            throw WireError(.unsupported("audioObjectType", UInt64(config.objectType)), at: 0)
        }
        guard !config.isUnusual else { throw WireError(.unsupported("frameLengthFlag", 1), at: 0) }
        guard let adts = config.framing() else {
            throw WireError(.unsupported("channelConfiguration", UInt64(config.channelConfiguration)), at: 0)
        }
        self.adts = adts
        self.framing = framing
        let rate = clockRate.flatMap { (1...1_000_000).contains($0) ? $0 : nil } ?? config.sampleRate
        ticksPerUnit = UInt32(Self.samplesPerUnit * rate / config.sampleRate)
        frame.reserveCapacity(1 << 13)
    }

    /// Takes one packet.
    /// - Parameter bytes: the bytes that the header was read from.
    /// - Parameter emit: called with an ADTS frame for each unit; its bytes are valid only during the call.
    public mutating func push(
        _ header: RTPHeader, in bytes: UnsafeRawBufferPointer, emit: (RTPUnit, UnsafeRawBufferPointer) -> Void
    ) {
        let verdict = order.check(header)
        counters.count(verdict)
        switch verdict {
        case .inOrder: break
        case .late: return
        case .gap:
            abandon()
            nextFollowsLoss = true
        case .newSource:
            abandon()
            nextIsDiscontinuity = true
        }
        if let begun = fragmented, begun.unit.timestamp != header.timestamp { abandon() }
        var reader = WireReader(bytes, in: header.payload)
        guard !reader.isAtEnd else { return }  // an empty packet keeps the path open
        do throws(WireError) {
            try read(&reader, header, emit: emit)
        } catch {
            if case .unsupported = error.reason {
                counters.unsupportedPackets &+= 1
            } else {
                counters.malformedPackets &+= 1
            }
            abandon()
            nextFollowsLoss = true
        }
        if header.hasMarker { abandon() }  // last packet of a unit: missing octets will not arrive
    }

    private mutating func read(
        _ reader: inout WireReader, _ header: RTPHeader, emit: (RTPUnit, UnsafeRawBufferPointer) -> Void
    ) throws(WireError) {
        var headers = try AUHeaders(from: &reader, framing: framing)
        var timestamp = header.timestamp
        var isAlone = true
        while let size = try headers.next() {
            guard (1...ADTSFrame.largestPayload).contains(size) else {
                throw WireError(.invalid("AU-size", UInt64(size)), at: reader.offset)
            }
            if let begun = fragmented {
                // Each fragment states the size of the whole unit.
                guard size == frame.count - ADTSFrame.headerOctets + begun.missing else {
                    throw WireError(.invalid("AU-size", UInt64(size)), at: reader.offset)
                }
                return append(try reader.take(min(begun.missing, reader.remaining)), of: reader.bytes, emit: emit)
            }
            // A fragment is alone in its packet; several units in a packet are each complete.
            guard size <= reader.remaining || isAlone && headers.isAtEnd else {
                throw WireError(.truncated(needed: size, available: reader.remaining), at: reader.offset)
            }
            begin(timestamp: timestamp, size: size)
            append(try reader.take(min(size, reader.remaining)), of: reader.bytes, emit: emit)
            timestamp &+= ticksPerUnit
            isAlone = false
        }
    }

    private mutating func begin(timestamp: UInt32, size: Int) {
        var unit = RTPUnit(timestamp: timestamp)
        unit.isRandomAccess = true
        unit.followsLoss = nextFollowsLoss
        unit.isDiscontinuity = nextIsDiscontinuity
        unit.mark = mark
        nextFollowsLoss = false
        nextIsDiscontinuity = false
        frame.removeAll(keepingCapacity: true)
        adts.appendHeader(ofPayload: size, to: &frame)
        fragmented = (unit, size)
    }

    private mutating func append(
        _ range: Range<Int>, of bytes: UnsafeRawBufferPointer, emit: (RTPUnit, UnsafeRawBufferPointer) -> Void
    ) {
        guard let begun = fragmented else { return }
        frame.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[range]))
        fragmented = begun.missing > range.count ? (begun.unit, begun.missing - range.count) : nil
        if fragmented == nil { frame.withUnsafeBytes { emit(begun.unit, $0) } }
    }

    /// Drops the fragmented unit, because the rest of it will not arrive.
    private mutating func abandon() {
        guard let begun = fragmented else { return }
        counters.droppedUnits &+= 1
        nextFollowsLoss = true
        if begun.unit.isDiscontinuity { nextIsDiscontinuity = true }
        fragmented = nil
    }
}
