// SPDX-License-Identifier: Apache-2.0

/// All radios of the box, as the kernel told of them at one instant.
public struct RadioObservation: Hashable, Sendable {
    /// One interface of a radio.
    public struct Interface: Hashable, Sendable {
        public var interface: RadioInterface
        /// For a client, its access point, or nobody; for an access point, its clients.
        public var stations: [StationFigures]
        public var surveys: [ChannelSurvey]
        /// Networks that were heard lately, that of the access point among them.
        public var networks: [BasicServiceSet]

        public init(
            _ interface: RadioInterface, stations: [StationFigures] = [], surveys: [ChannelSurvey] = [],
            networks: [BasicServiceSet] = []
        ) {
            self.interface = interface
            self.stations = stations
            self.surveys = surveys
            self.networks = networks
        }
    }

    /// In the order of their indices.
    public var interfaces: [Interface]
    /// Rules of all radios, and of each radio with rules of its own.
    public var regulatoryDomains: [RegulatoryDomain]

    public init(interfaces: [Interface] = [], regulatoryDomains: [RegulatoryDomain] = []) {
        self.interfaces = interfaces
        self.regulatoryDomains = regulatoryDomains
    }
}
