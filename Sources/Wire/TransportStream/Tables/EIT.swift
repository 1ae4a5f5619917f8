// SPDX-License-Identifier: Apache-2.0
import Bytes

/// One section of the event information table, present/following (ETSI EN 300 468 5.2.4): the present or the following
/// event of a service.
public struct EIT: Sendable, Equatable {
    public static var actualTableID: UInt8 { 0x4E }
    public static var otherTableID: UInt8 { 0x4F }
    /// section_number of the present event and of the following event.
    public static var presentSection: UInt8 { 0 }
    public static var followingSection: UInt8 { 1 }

    /// Whether the service is in the transport stream that carries the table.
    public let isActual: Bool
    public let serviceID: UInt16
    public let transportStreamID: UInt16
    public let originalNetworkID: UInt16
    public let sectionNumber: UInt8
    public let lastSectionNumber: UInt8
    /// The event, or none in a gap of the schedule. A near-video-on-demand reference service lists several. The length
    /// of a section allows at most 339.
    public let events: [Event]
    /// Whether each event and each descriptor could be read; what could not is left out.
    public let isWhole: Bool

    public init(
        isActual: Bool = true, serviceID: UInt16, transportStreamID: UInt16, originalNetworkID: UInt16,
        sectionNumber: UInt8, lastSectionNumber: UInt8 = EIT.followingSection, events: [Event], isWhole: Bool = true
    ) {
        self.isActual = isActual
        self.serviceID = serviceID
        self.transportStreamID = transportStreamID
        self.originalNetworkID = originalNetworkID
        self.sectionNumber = sectionNumber
        self.lastSectionNumber = lastSectionNumber
        self.events = events
        self.isWhole = isWhole
    }

    /// - Parameter section: the whole section with its CRC.
    /// - Throws: `.unsupported` for the event schedule and for other tables.
    public init(_ section: UnsafeRawBufferPointer) throws(WireError) {
        let header = try SectionHeader(section)
        guard header.tableID == EIT.actualTableID || header.tableID == EIT.otherTableID else {
            throw WireError(.unsupported("table_id", UInt64(header.tableID)), at: 0)
        }
        try self.init(section, header: header)
    }

    init(_ section: UnsafeRawBufferPointer, header: SectionHeader) throws(WireError) {
        var reader = WireReader(section, in: header.body)
        let stream: UInt16 = try reader.read()
        let network: UInt16 = try reader.read()
        try reader.skip(2)  // segment_last_section_number, last_table_id
        var events: [Event] = []
        var isWhole = true
        while reader.remaining >= Event.headLength { events.append(try Event(from: &reader, isWhole: &isWhole)) }
        self.init(
            isActual: header.tableID == EIT.actualTableID, serviceID: header.tableExtension, transportStreamID: stream,
            originalNetworkID: network, sectionNumber: header.number, lastSectionNumber: header.lastNumber,
            events: events, isWhole: isWhole && reader.isAtEnd)
    }
}
