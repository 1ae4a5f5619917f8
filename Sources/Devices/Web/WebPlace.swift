// SPDX-License-Identifier: Apache-2.0
import Glibc
import System

/// Where a `WebServer` listens: addresses with one port.
public struct WebPlace: Hashable, Sendable {
    /// Numeric; `0.0.0.0` and `::` stand for all of their family. An address that no interface has yet is listened on
    /// when one has it.
    public let addresses: [String]
    /// 0 takes a port that is free on all addresses.
    public let port: UInt16
    /// Whether clients come by TLS.
    public let isSecure: Bool

    public init(_ addresses: [String], port: UInt16, isSecure: Bool) {
        self.addresses = addresses
        self.port = port
        self.isSecure = isSecure
    }

    /// This machine alone.
    public static func loopback(port: UInt16, isSecure: Bool) -> WebPlace {
        WebPlace(["127.0.0.1", "::1"], port: port, isSecure: isSecure)
    }

    /// On a system without IPv6, only on the addresses of IPv4, if there are any.
    func open(_ port: UInt16) throws(SystemCallError) -> TCPListener {
        do {
            return try TCPListener(addresses, port: port, isAbsentTaken: true)
        } catch {
            let rest = addresses.filter { !$0.utf8.contains(UInt8(ascii: ":")) }
            let isWithoutIPv6 = [EAFNOSUPPORT, EADDRNOTAVAIL].contains(error.code.rawValue)
            guard isWithoutIPv6, !rest.isEmpty, rest.count < addresses.count else { throw error }
            return try TCPListener(rest, port: port, isAbsentTaken: true)
        }
    }
}

/// How a `WebServer` is set up. It can be changed while the server runs.
public struct WebSetup: Sendable {
    public var places: [WebPlace]
    /// nil if no place is secure.
    public var identity: WebIdentity?
    public var limits: WebLimits

    public init(_ places: [WebPlace], identity: WebIdentity? = nil, limits: WebLimits = WebLimits()) {
        precondition(identity != nil || !places.contains(where: \.isSecure), "TLS without a certificate")
        self.places = places
        self.identity = identity
        self.limits = limits
    }
}
