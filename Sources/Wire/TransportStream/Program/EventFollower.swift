// SPDX-License-Identifier: Apache-2.0
import Bytes

/// Follows the event information of one service. It allocates only when a section changes, and holds two events, each
/// at most as long as a section.
struct EventFollower: Sendable {
    private(set) var events = PresentFollowing()

    var crcErrors: UInt64 { table.counts.crcErrors }
    var malformedSections: UInt64 { table.malformedSections }

    private var service: UInt16?
    private var table = TableReader(tableID: EIT.actualTableID)

    /// - Parameter service: the program_number of a service; nil for none.
    /// - Returns: whether `events` changed; those of the previous service are forgotten.
    mutating func follow(_ service: UInt16?) -> Bool {
        guard service != self.service else { return false }
        self.service = service
        table.reset(tableExtension: service)
        let before = events
        events = PresentFollowing()
        return events != before
    }

    /// - Parameter packet: a packet of the PID of event information.
    /// - Returns: whether `events` changed.
    mutating func push(_ packet: TSPacket, in bytes: UnsafeRawBufferPointer) -> Bool {
        guard service != nil else { return false }
        var news: [EIT] = []
        table.push(packet, in: bytes) { (section, header) throws(WireError) in
            let table = try EIT(section, header: header)
            news.append(table)
            return table.isWhole
        }
        guard !news.isEmpty else { return false }
        let before = events
        for table in news {
            switch table.sectionNumber {
            case EIT.presentSection: events.now = table.events.first
            case EIT.followingSection: events.next = table.events.first
            default: continue
            }
            if table.lastSectionNumber < EIT.followingSection { events.next = nil }
        }
        return events != before
    }
}
