// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The addresses of a connected TCP socket.
public struct ConnectionEnds: Hashable, Sendable {
    /// Numeric address of the peer; of a link-local one with its zone.
    public let peer: String
    /// Numeric address of this end, without a zone.
    public let local: String
    public let localPort: UInt16
    /// Whether the peer has an address of the loopback interface: 127.0.0.0/8 or ::1.
    public let isLoopback: Bool

    /// nil if the peer has gone already.
    public init?(of socket: CInt) {
        guard let peer = Self.end(socket, getpeername), let local = Self.end(socket, getsockname) else { return nil }
        self.peer = peer.address
        self.local = String(local.address.prefix { $0 != "%" })
        localPort = local.port
        isLoopback = peer.address == "::1" || peer.address.hasPrefix("127.")
    }

    private typealias Getter = (CInt, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> CInt

    private static func end(_ socket: CInt, _ get: Getter) -> (address: String, port: UInt16)? {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &storage) { octets in
            octets.withMemoryRebound(to: sockaddr.self) { addresses -> (String, UInt16)? in
                guard get(socket, addresses.baseAddress, &size) == 0 else { return nil }
                return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { text in
                    text.initialize(repeating: 0)
                    guard let base = text.baseAddress,
                        getnameinfo(addresses.baseAddress, size, base, 128, nil, 0, NI_NUMERICHOST) == 0
                    else { return nil }
                    // Both families keep the port at one place.
                    let port = UInt16(octets[2]) << 8 | UInt16(octets[3])
                    return (String(cString: base), port)
                }
            }
        }
    }
}
