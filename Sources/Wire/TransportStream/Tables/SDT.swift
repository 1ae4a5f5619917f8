// SPDX-License-Identifier: Apache-2.0
import Bytes

/// One section of the service description table of the actual stream (ETSI EN 300 468 5.2.3): the names of its
/// services.
public struct SDT: Sendable, Equatable {
    public struct Service: Sendable, Equatable {
        /// service_id, which equals the program_number.
        public let id: UInt16
        /// service_type: 1 digital television.
        public let type: UInt8
        public let provider: String
        public let name: String

        public init(id: UInt16, type: UInt8, provider: String, name: String) {
            self.id = id
            self.type = type
            self.provider = provider
            self.name = name
        }
    }

    public static var tableID: UInt8 { 0x42 }

    public let transportStreamID: UInt16
    public let originalNetworkID: UInt16
    /// The services that have a service_descriptor.
    public let services: [Service]
    /// Whether each entry and each descriptor could be read; what could not is left out.
    public let isWhole: Bool

    public init(transportStreamID: UInt16, originalNetworkID: UInt16, services: [Service], isWhole: Bool = true) {
        self.transportStreamID = transportStreamID
        self.originalNetworkID = originalNetworkID
        self.services = services
        self.isWhole = isWhole
    }

    /// - Parameter section: the whole section with its CRC.
    public init(_ section: UnsafeRawBufferPointer) throws(WireError) {
        try self.init(section, header: try SectionHeader(section, tableID: SDT.tableID))
    }

    init(_ section: UnsafeRawBufferPointer, header: SectionHeader) throws(WireError) {
        var reader = WireReader(section, in: header.body)
        originalNetworkID = try reader.read()
        try reader.skip(1)
        transportStreamID = header.tableExtension
        var services: [Service] = []
        var isWhole = true
        while reader.remaining >= 5 {
            let id: UInt16 = try reader.read()
            try reader.skip(1)
            let length: UInt16 = try reader.read()
            var descriptors = Descriptors(from: &reader, length: Int(length & 0xFFF))
            let isRead = descriptors.forEach { (tag, content) throws(WireError) in
                guard tag == Descriptors.Tag.service else { return }
                let type: UInt8 = try content.read()
                let provider = try DVBText.readName(from: &content)
                let name = try DVBText.readName(from: &content)
                services.append(Service(id: id, type: type, provider: provider, name: name))
            }
            isWhole = isWhole && isRead
        }
        self.services = services
        self.isWhole = isWhole && reader.isAtEnd
    }
}
