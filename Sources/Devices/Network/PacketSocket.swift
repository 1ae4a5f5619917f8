// SPDX-License-Identifier: Apache-2.0
import CNetworkShims
import PacketCaptures
import System
import Time

/// Hears frames of one interface, received and sent, that a filter lets through. It does not switch the interface to
/// promiscuous mode: what the interface does not take, it does not hear. It never waits.
/// - Thread: one.
public struct PacketSocket: ~Copyable {
    public struct Frame: Equatable, Sendable {
        /// When the kernel had it.
        public let time: WallTime
        /// Octets that are in the buffer.
        public let octets: Int
        /// Octets of the whole frame.
        public let length: Int
    }

    /// The call that fails where this process may open no packet socket.
    public static let opening = "socket packet"
    /// The most frames' memory that the kernel keeps for it.
    private static let bufferOctets: CInt = 8 << 20
    /// ARPHRD_ETHER, which WiFi is too, and ARPHRD_LOOPBACK.
    private static let linkTypes: Set<CInt> = [1, 772]
    /// EOPNOTSUPP.
    private static let notSupported = Errno(rawValue: 95)

    private let descriptor: FileDescriptor

    /// Needs CAP_NET_RAW. The filter is in force before the first frame is heard.
    public init(on interface: String, _ filter: FilterProgram) throws(SystemCallError) {
        let made = FileDescriptor(adopting: try syscall(Self.opening) { touchline_packet_socket() })
        let steps = filter.instructions.map { instruction in
            touchline_filter_step(
                code: instruction.code, when_true: instruction.whenTrue, when_false: instruction.whenFalse,
                constant: instruction.constant)
        }
        _ = try syscall("SO_ATTACH_FILTER") { touchline_packet_filter(made.rawValue, steps, CInt(steps.count)) }
        let type = try syscall("bind packet \(interface)") {
            touchline_packet_bind(made.rawValue, interface, Self.bufferOctets)
        }
        guard Self.linkTypes.contains(type) else {
            throw SystemCallError(
                "capture \(interface), whose link has type \(type) and not Ethernet's", Self.notSupported)
        }
        descriptor = made
    }

    /// - Parameter descriptor: a packet socket that another process has made.
    public init(adopting descriptor: consuming FileDescriptor) { self.descriptor = descriptor }

    public var rawValue: CInt { descriptor.rawValue }

    /// Takes one frame, of which the buffer may hold the beginning.
    /// - Returns: nil if none is there now.
    /// - Throws: ENETDOWN, once, if the interface went down.
    public func receive(into buffer: inout [UInt8]) throws(SystemCallError) -> Frame? {
        var frame = touchline_frame()
        do throws(SystemCallError) {
            _ = try syscall("receive packet") {
                touchline_packet_receive(rawValue, &buffer, buffer.count, &frame)
            }
        } catch {
            if error.code == .wouldBlock { return nil }
            throw error
        }
        return Frame(
            time: frame.has_stamp != 0 ? WallTime(nanoseconds: frame.stamp_nanoseconds) : SystemClock.wall(),
            octets: min(Int(frame.octets), buffer.count), length: Int(frame.length))
    }

    /// How many frames the kernel has dropped since the last call, because those before them were not taken in time.
    public func takeDrops() -> Int { max(0, Int(touchline_packet_drops(rawValue))) }
}
