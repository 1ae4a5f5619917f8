// SPDX-License-Identifier: Apache-2.0
import Glibc
import Network
import System

/// The address that datagrams of this process have as their source.
enum SenderAddress {
    /// - Parameter group: to which they are sent, on `lo`.
    static func find(_ group: String) throws -> String {
        let socket = try DatagramSocket(sendingTo: group, port: 9, interface: "lo")
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = try withUnsafeMutablePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                try syscall("getsockname") { getsockname(socket.rawValue, pointer, &length) }
            }
        }
        let octets = withUnsafeBytes(of: address.sin_addr.s_addr) { Array($0) }
        return octets.map { String($0) }.joined(separator: ".")
    }
}
