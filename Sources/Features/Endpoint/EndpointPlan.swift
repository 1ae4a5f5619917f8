// SPDX-License-Identifier: Apache-2.0
import Certificates
import Network
import Venue
import Web

/// Everything that the settings say of the server, in the form in which it takes that.
public struct EndpointPlan: Equatable, Sendable {
    public var places: [WebPlace]
    public let identity: WebIdentity
    public let limits: WebLimits
    /// By which the box is called besides its addresses, in lower case.
    public let names: Set<String>

    public var setup: WebSetup { WebSetup(places, identity: identity, limits: limits) }

    /// The most WebSockets at a time.
    public var webSocketLimit: Int { limits.connections * 4 / 5 }

    /// - Parameters:
    ///   - certificate: what callers see.
    ///   - hostName: what the kernel calls this machine.
    ///   - addresses: gives those of an interface as they are now, link-local ones with their zone.
    init(
        _ settings: HTTPSettings, _ certificate: ServerCertificate, hostName: String,
        addresses: (_ interface: String) -> [String]
    ) {
        var places: [WebPlace] = []
        if settings.isEnabled {
            places.append(.loopback(port: UInt16(clamping: settings.port), isSecure: false))
            if settings.tls {
                let own = Self.addresses(of: settings.listen, addresses)
                places.append(WebPlace(own, port: UInt16(clamping: settings.tlsPort), isSecure: true))
            }
        }
        self.places = places
        identity = WebIdentity(certificate: certificate.certificate, key: certificate.key)
        var limits = WebLimits()
        limits.connections = settings.connections
        limits.connectionsOfOnePeer = settings.connectionsPerAddress
        limits.reservedForLoopback = HTTPSettings.reservedConnections
        limits.bodyOctets = settings.bodyKiB << 10
        limits.idleSeconds = settings.idleS
        self.limits = limits
        let host = hostName.lowercased()
        names = Set(settings.names + (host.isEmpty || host == "localhost" ? [] : [host, host + ".local"]))
    }

    /// Each address once, and none that another one stands for.
    private static func addresses(of listen: [String], _ ofInterface: (String) -> [String]) -> [String] {
        let wanted = ["127.0.0.1", "::1"] + listen.flatMap { NumericAddress($0) == nil ? ofInterface($0) : [$0] }
        let all = (v4: wanted.contains("0.0.0.0"), v6: wanted.contains { NumericAddress($0) == NumericAddress("::") })
        var addresses: [String] = []
        for address in wanted where !addresses.contains(address) {
            let isIPv6 = address.utf8.contains(UInt8(ascii: ":"))
            let isWhole = isIPv6 ? NumericAddress(address) == NumericAddress("::") : address == "0.0.0.0"
            if isWhole || !(isIPv6 ? all.v6 : all.v4) { addresses.append(isWhole && isIPv6 ? "::" : address) }
        }
        return addresses
    }
}

extension WebPlace {
    /// Whether it has an address besides those of loopback.
    var reachesBeyondLoopback: Bool { !addresses.allSatisfy { NumericAddress($0)?.isLoopback ?? false } }
}
