// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import System

struct TCPListenerTests {
    /// Connects to an address and has the connection accepted by one of the sockets.
    private func isReached(_ text: String, _ listener: borrowing TCPListener, _ sockets: [CInt]) throws -> Bool {
        let address = try SocketAddress(text, port: listener.port, interface: "")
        let client = try syscall("socket") { socket(address.family, CInt(SOCK_STREAM.rawValue), 0) }
        defer { close(client) }
        guard address.withPointer({ connect(client, $0, $1) }) == 0 else { return false }
        for socket in sockets {
            guard let accepted = try TCPListener.accept(socket) else { continue }
            close(accepted)
            return true
        }
        return false
    }

    private func reached(_ addresses: [String], of listener: consuming TCPListener) throws -> [String] {
        let listener = listener
        let sockets = listener.descriptors
        return try addresses.filter { try isReached($0, listener, sockets) }
    }

    private static let all = ["127.0.0.1", "127.0.0.2", "::1"]

    @Test(arguments: [
        (["127.0.0.1"], ["127.0.0.1"]), (["::1"], ["::1"]), (["127.0.0.2", "::1"], ["127.0.0.2", "::1"]),
        (["0.0.0.0"], ["127.0.0.1", "127.0.0.2"]), (["::"], ["::1"]),
        (["0.0.0.0", "::"], ["127.0.0.1", "127.0.0.2", "::1"]),
    ])
    func listensOnTheseAlone(addresses: [String], expected: [String]) throws {
        #expect(try reached(Self.all, of: try TCPListener(addresses, port: 0)) == expected)
    }

    @Test func theAPIIsForThisHostAlone() throws {
        #expect(try reached(Self.all, of: try TCPListener.loopback(port: 0)) == ["127.0.0.1", "::1"])
    }

    @Test(arguments: [
        ("localhost", EINVAL), ("", EINVAL), ("1.2.3.4.5", EINVAL), ("192.0.2.1", EADDRNOTAVAIL),
        ("fe80::1", ENODEV), ("fe80::1%nosuch", EINVAL),
    ])
    func otherAddressesAreRefused(address: String, code: CInt) throws {
        do {
            let listener = try TCPListener(["127.0.0.1", address], interface: "nosuch", port: 0)
            Issue.record("listens on port \(listener.port)")
        } catch {
            #expect(error.code.rawValue == code)
            #expect(address.isEmpty || error.call.contains(address))
        }
    }

    /// The loopback interface has no link-local address, but it has a zone; the kernel's answer shows that it was given.
    @Test(arguments: ["fe80::1", "fe80::1%lo"]) func linkLocalAddressesHaveAZone(address: String) throws {
        do {
            let listener = try TCPListener([address], interface: "lo", port: 0)
            Issue.record("listens on port \(listener.port)")
        } catch {
            #expect(error.code.rawValue == EADDRNOTAVAIL)
        }
    }

    /// What is not released is closed, and what was released is not.
    @Test func theSocketsHaveOneOwner() throws {
        var port: UInt16 = 0
        do {
            let listener = try TCPListener(["127.0.0.1", "::1"], port: 0)
            port = listener.port
        }
        let sockets = try TCPListener(["127.0.0.1", "::1"], port: port).release()
        #expect(sockets.count == 2)
        for socket in sockets {
            #expect(try SocketAddress.port(of: socket) == port)
            close(socket)
        }
    }
}
