// SPDX-License-Identifier: Apache-2.0
import Bytes

/// Tells the packets at which a decoder can begin, from one packet each: for an index made while receiving. Allocates
/// only when a table changes.
public struct RandomAccessScanner: Sendable {
    public struct Point: Sendable, Equatable {
        /// Ticks of 90 kHz modulo 2^33; nil when the packet does not hold it.
        public let pts: UInt64?
        public let dts: UInt64?
    }

    private var follower: ProgramFollower
    private var videoPID = PID.null

    /// - Parameter program: its number; nil for the first.
    public init(program: UInt16? = nil) { follower = ProgramFollower(program: program) }

    public var program: Program? { follower.program }

    /// - Parameter bytes: those that the packet was read from.
    /// - Returns: nil unless the packet begins a video unit that is flagged as a random-access point, or shows an IDR or a
    ///   sequence parameter set in its first octets.
    public mutating func inspect(_ packet: TSPacket, in bytes: UnsafeRawBufferPointer) -> Point? {
        guard !packet.hasTransportError, !packet.isScrambled else { return nil }
        guard packet.pid == videoPID, videoPID != PID.null else {
            if follower.push(packet, in: bytes) { videoPID = program?.video?.pid ?? PID.null }
            return nil
        }
        guard packet.startsUnit, packet.hasPayload else { return nil }
        // A header that reaches into the next packet leaves the flag, without a time.
        let header = try? PESHeader(bytes, in: packet.payload)
        guard packet.isRandomAccess || header.map({ beginsSequence(bytes, in: $0.data) }) ?? false else { return nil }
        return Point(pts: header?.pts, dts: header?.dts)
    }

    private func beginsSequence(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>) -> Bool {
        NALUnits(UnsafeRawBufferPointer(rebasing: bytes[range])).contains {
            $0.type == NALUnit.Kind.idrSlice || $0.type == NALUnit.Kind.sequenceParameters
        }
    }
}
