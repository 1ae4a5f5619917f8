// SPDX-License-Identifier: Apache-2.0
import Glibc
import System

/// A UDP port that a socket has for itself, so that nobody can listen to a group there.
final class TakenPort {
    private let descriptor: CInt

    init(_ port: UInt16) throws {
        let descriptor = try syscall("socket") { Glibc.socket(AF_INET, CInt(SOCK_DGRAM.rawValue), 0) }
        self.descriptor = descriptor
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        _ = try withUnsafePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                try syscall("bind") { bind(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) }
            }
        }
    }

    deinit { close(descriptor) }
}
