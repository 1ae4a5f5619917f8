// SPDX-License-Identifier: Apache-2.0
import Venue

/// The routers of IPv4 that the kernel has as default routes (/proc/net/route).
public struct DefaultRoutes: Equatable, Sendable {
    public struct Route: Hashable, Sendable {
        public let interface: String
        public let gateway: NumericAddress
    }

    public static let mostLines = 4_096

    /// The one that counts first.
    public let routes: [Route]

    /// Lines that are no routes are passed over.
    public init(_ octets: some Sequence<UInt8>) {
        var found: [(metric: UInt32, route: Route)] = []
        for line in Array(octets).split(separator: 0x0a).dropFirst().prefix(Self.mostLines) {
            let words = line.split(whereSeparator: { $0 == 0x09 || $0 == 0x20 }).map {
                String(decoding: $0, as: UTF8.self)
            }
            guard words.count >= 8, words[1] == "00000000", words[7] == "00000000",
                let gateway = UInt32(words[2], radix: 16), gateway != 0, let metric = UInt32(words[6])
            else { continue }
            // The kernel prints the four octets as one number of its own order, which is little-endian wherever we run.
            found.append((metric, Route(interface: words[0], gateway: NumericAddress(v4: gateway.byteSwapped))))
        }
        routes = found.enumerated().sorted { ($0.element.metric, $0.offset) < ($1.element.metric, $1.offset) }
            .map { $0.element.route }
    }
}

/// The neighbours of IPv4 that answered the kernel (/proc/net/arp).
public struct Neighbours: Equatable, Sendable {
    /// Those that answered, by interface and address.
    private let answering: Set<DefaultRoutes.Route>

    /// Lines that are no neighbours are passed over.
    public init(_ octets: some Sequence<UInt8>) {
        var found: Set<DefaultRoutes.Route> = []
        for line in Array(octets).split(separator: 0x0a).dropFirst().prefix(DefaultRoutes.mostLines) {
            let words = line.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
            guard words.count >= 6, let address = NumericAddress(words[0]), words[2].hasPrefix("0x"),
                let flags = UInt32(words[2].dropFirst(2), radix: 16), flags & Self.isComplete != 0
            else { continue }
            found.insert(DefaultRoutes.Route(interface: words[words.count - 1], gateway: address))
        }
        answering = found
    }

    /// ATF_COM
    private static let isComplete: UInt32 = 0x2

    public func answers(_ route: DefaultRoutes.Route) -> Bool { answering.contains(route) }
}
