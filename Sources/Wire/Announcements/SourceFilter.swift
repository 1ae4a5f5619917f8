// SPDX-License-Identifier: Apache-2.0
import Venue

/// `a=source-filter` (RFC 4570): sources to receive from or to block at an address. Host names among the sources are
/// left out, because names are never resolved.
public struct SourceFilter: Equatable, Sendable {
    public enum Mode: String, Sendable { case include = "incl", exclude = "excl" }

    static let mostSources = 16
    /// The number of sources that Linux filters for a group by default (igmp_max_msf).
    static let mostExcluded = 10

    public var mode: Mode
    /// Nil for `*`: every address of the session or medium.
    public var destination: NumericAddress?
    public var sources: [NumericAddress]

    /// Parses the value of `a=source-filter:`, such as ` incl IN IP4 239.1.1.1 10.0.0.1 …`. Nil if it cannot be read.
    init?(_ text: String) {
        let fields = text.split(separator: " ")
        guard fields.count >= 5, let mode = Mode(rawValue: String(fields[0])), fields[1].uppercased() == "IN",
            ["IP4", "IP6", "*"].contains(fields[2].uppercased())
        else { return nil }
        self.mode = mode
        if fields[3] != "*" {
            guard let address = NumericAddress(String(fields[3])) else { return nil }
            destination = address
        }
        sources = fields[4...].prefix(Self.mostSources).compactMap { NumericAddress(String($0)) }
            .filter { $0.isUnicast }
    }

    /// The sources for this address and of its family, in the order of preference; empty if the filter does not apply.
    func sources(_ wanted: Mode, for address: NumericAddress) -> [NumericAddress] {
        guard mode == wanted, destination == nil || destination == address else { return [] }
        return sources.filter { $0.isIPv6 == address.isIPv6 }
    }
}

extension SessionDescription {
    /// The filters of a medium. Those of the session apply if the medium has none of its own (RFC 4570 §3.1).
    public func sourceFilters(of media: Media) -> [SourceFilter] {
        let own = media.attributes.filter { $0.name == "source-filter" }
        let filters = own.isEmpty ? attributes.filter { $0.name == "source-filter" } : own
        return filters.compactMap { $0.value.flatMap { SourceFilter($0) } }
    }
}
