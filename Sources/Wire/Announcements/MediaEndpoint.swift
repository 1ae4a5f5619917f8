// SPDX-License-Identifier: Apache-2.0
import Venue

/// The address at which a medium is received.
public struct MediaEndpoint: Hashable, Sendable {
    /// Destination address; never the unspecified address.
    public var address: NumericAddress
    /// Destination port, 1...65535.
    public var port: UInt16
    /// Source of a source-specific join: the first that the filters include. Nil for a join of any source.
    public var source: NumericAddress?
    /// Further sources that the filters include, for use when the source stops sending.
    public var furtherSources: [NumericAddress] = []
    /// Sources to be blocked; empty if there is a `source`.
    public var excluded: [NumericAddress]

    public init(
        address: NumericAddress, port: UInt16, source: NumericAddress? = nil, excluded: [NumericAddress] = []
    ) {
        self.address = address
        self.port = port
        self.source = source
        self.excluded = excluded
    }
}

extension SessionDescription {
    /// The endpoint of a medium; nil if it is not sent (port 0) or is sent to a host name.
    public func endpoint(of media: Media) -> MediaEndpoint? {
        guard media.port != 0, let connection = media.connection ?? connection,
            let address = NumericAddress(connection.address), !address.isUnspecified
        else { return nil }
        let filters = sourceFilters(of: media)
        let included = filters.flatMap { $0.sources(.include, for: address) }
        if let source = included.first {
            var endpoint = MediaEndpoint(address: address, port: media.port, source: source)
            endpoint.furtherSources = Array(included.dropFirst().prefix(SourceFilter.mostSources - 1))
            return endpoint
        }
        let excluded = filters.flatMap { $0.sources(.exclude, for: address) }.prefix(SourceFilter.mostExcluded)
        return MediaEndpoint(address: address, port: media.port, excluded: Array(excluded))
    }
}

extension MediaEndpoint {
    func transport(_ encapsulation: Transport.Encapsulation) -> Transport {
        var transport = Transport(
            address: address.description, port: port, source: source?.description,
            excludedSources: excluded.map(\.description), encapsulation: encapsulation)
        transport.furtherSources = furtherSources.map(\.description)
        return transport
    }

    var flow: FlowEndpoint {
        FlowEndpoint(address: address.description, port: port, source: source?.description)
    }
}
