// SPDX-License-Identifier: Apache-2.0
import Glibc

public enum Datagrams {
    /// Sends one to an IPv4 group from one of the machine's addresses, by the interface that has it. What cannot be sent
    /// is lost, as on a network.
    public static func send(_ bytes: [UInt8], to group: String, _ port: UInt16, from source: String) {
        let made = socket(AF_INET, CInt(SOCK_DGRAM.rawValue), 0)
        defer { close(made) }
        var own = sockaddr_in()
        own.sin_family = sa_family_t(AF_INET)
        own.sin_addr.s_addr = inet_addr(source)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        setsockopt(made, CInt(IPPROTO_IP), IP_MULTICAST_IF, &own.sin_addr, 4)
        var target = own
        target.sin_addr.s_addr = inet_addr(group)
        target.sin_port = port.bigEndian
        withUnsafePointer(to: &own) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = bind(made, $0, size) }
        }
        withUnsafePointer(to: &target) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = sendto(made, bytes, bytes.count, 0, $0, size)
            }
        }
    }
}
