// SPDX-License-Identifier: Apache-2.0
import Bytes
import Venue

/// Finds the packets at which a decoder can begin, each from that packet alone, for an index made while receiving. It
/// allocates only when a table changes. In a program without video, every beginning of an audio unit is such a point.
public struct RandomAccessScanner: Sendable {
    public struct Point: Sendable, Equatable {
        /// Presentation time stamp in ticks of 90 kHz, modulo 2^33; nil if it is not in the packet. The same holds for
        /// `dts`.
        public let pts: UInt64?
        public let dts: UInt64?
    }

    private var follower: ProgramFollower
    private var pid = PID.null
    private var codec = StreamCodec.other(0)
    /// PES packets that must begin at a start code before no packet is searched but the first of each. More than 0 while
    /// they begin anywhere in pictures, or their headers extend into the next packet.
    private var unaligned = 0
    /// The last octets searched, for a start code that spans two packets.
    private var tail: UInt32 = 0xFFFF_FFFF

    private static let mostUnaligned = 50

    /// - Parameter program: nil for the first.
    public init(program: ProgramChoice? = nil, audioLanguage: String? = nil) {
        follower = ProgramFollower(program: program, audioLanguage: audioLanguage)
    }

    public var program: Program? { follower.program }
    public var ledger: TableLedger { follower.ledger }

    /// Follows another program from now on, as `TSDemultiplexer.choose` does.
    public mutating func choose(program: ProgramChoice?, audioLanguage: String?) {
        if follower.choose(program: program, audioLanguage: audioLanguage) { followProgram() }
    }

    /// - Parameter bytes: the bytes that the packet was read from.
    /// - Returns: a point if the packet begins a unit that is flagged as a random-access point or whose first octets
    ///   show it; else nil.
    public mutating func inspect(_ packet: TSPacket, in bytes: UnsafeRawBufferPointer) -> Point? {
        guard !packet.hasTransportError else { return nil }
        if packet.startsUnit, follower.unitBegan(packet, in: bytes) { followProgram() }
        guard !packet.isScrambled else { return nil }
        guard packet.pid == pid, pid != PID.null else {
            if follower.push(packet, in: bytes) { followProgram() }
            return nil
        }
        guard packet.hasPayload else { return nil }
        guard packet.startsUnit else { return unaligned > 0 ? search(packet.payload, of: bytes) : nil }
        // If the header extends into the next packet, there is no time stamp, and the sequence begins in that packet.
        let header = try? PESHeader(bytes, in: packet.payload)
        let point = Point(pts: header?.pts, dts: header?.dts)
        guard codec.isVideo else { return point }
        if packet.isRandomAccess { return point }
        guard let data = header?.data else {
            unaligned = Self.mostUnaligned
            return nil
        }
        let octets = UnsafeRawBufferPointer(rebasing: bytes[data])
        // An incomplete header is no random-access point.
        if codec == .fwht { return (try? FWHTHeader(octets))?.isIntra ?? false ? point : nil }
        if octets.count > 4 {
            let isAligned = octets[0] | octets[1] == 0 && octets[2] <= 1
            unaligned = isAligned ? max(0, unaligned - 1) : Self.mostUnaligned
        }
        if unaligned > 0 { return search(data, of: bytes) == nil ? nil : point }
        return beginsSequence(octets) ? point : nil
    }

    private mutating func followProgram() {
        let stream = program?.video ?? program?.audio
        guard stream?.pid ?? PID.null != pid || stream?.codec != codec else { return }
        pid = stream?.pid ?? PID.null
        codec = stream?.codec ?? .other(0)
        unaligned = 0
        tail = 0xFFFF_FFFF
    }

    private func beginsSequence(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var code = StartCode.offset(in: bytes, from: 0)
        while code + 3 < bytes.count {
            let header = bytes[code + 3]
            if isSequence(header) { return true }
            switch codec {
            case .h264 where header & 0x1F == NALUnit.Kind.idrSlice: return true
            case .hevc where NALUnit.HEVCKind.randomAccess.contains(header >> 1 & 0x3F): return true
            default: code = StartCode.offset(in: bytes, from: code + 3)
            }
        }
        return false
    }

    /// Searches all octets of the stream for the beginning of a sequence; a decoder can begin at the picture after it.
    private mutating func search(_ range: Range<Int>, of bytes: UnsafeRawBufferPointer) -> Point? {
        var isFound = false
        for octet in UnsafeRawBufferPointer(rebasing: bytes[range.clamped(to: 0..<bytes.count)]) {
            if tail & 0xFF_FFFF == 1, isSequence(octet) { isFound = true }
            tail = tail << 8 | UInt32(octet)
        }
        return isFound ? Point(pts: nil, dts: nil) : nil
    }

    private func isSequence(_ header: UInt8) -> Bool {
        switch codec {
        case .h264: header & 0x9F == NALUnit.Kind.sequenceParameters
        case .hevc:
            header == NALUnit.HEVCKind.videoParameters << 1 || header == NALUnit.HEVCKind.sequenceParameters << 1
        case .mpeg1Video, .mpeg2Video: header == MPEGStartCode.sequence
        default: false
        }
    }
}
