// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A UDP socket of the test: multicast on loopback, from an address of its choice.
final class DatagramSender {
    private let descriptor: Int32
    private var destination = sockaddr_in()

    /// - Parameter source: of 127/8.
    convenience init(to group: Group, from source: String = "127.0.0.1") throws {
        try self.init(to: group.address, port: UInt16(group.port), from: source)
    }

    init(to address: String, port: UInt16, from source: String = "127.0.0.1") throws {
        descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw VenueError("socket: \(errno)") }
        var interface = in_addr(s_addr: inet_addr("127.0.0.1"))
        let size = socklen_t(MemoryLayout<in_addr>.size)
        guard setsockopt(descriptor, Int32(IPPROTO_IP), IP_MULTICAST_IF, &interface, size) == 0 else {
            throw VenueError("IP_MULTICAST_IF: \(errno)")
        }
        var own = Self.address(source, port: 0)
        guard Self.with(&own, { bind(descriptor, $0, $1) }) == 0 else { throw VenueError("bind \(source): \(errno)") }
        destination = Self.address(address, port: port)
    }

    deinit { close(descriptor) }

    /// The kernel divides what is sent from here on into datagrams of this size (UDP_SEGMENT, 64 of them at most): each
    /// costs a small part of a system call.
    func divide(into octets: Int32) throws {
        let segment: Int32 = 103
        var octets = octets
        let size = socklen_t(MemoryLayout<Int32>.size)
        guard setsockopt(descriptor, Int32(IPPROTO_UDP), segment, &octets, size) == 0 else {
            throw VenueError("UDP_SEGMENT: \(errno)")
        }
    }

    func send(_ bytes: [UInt8]) throws {
        let sent = Self.with(&destination) { sendto(descriptor, bytes, bytes.count, 0, $0, $1) }
        guard sent == bytes.count else { throw VenueError("sendto: \(errno)") }
    }

    private static func address(_ text: String, port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr(text)
        return address
    }

    private static func with<Answer>(
        _ address: inout sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Answer
    ) -> Answer {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
