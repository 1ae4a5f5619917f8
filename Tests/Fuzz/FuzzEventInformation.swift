// SPDX-License-Identifier: Apache-2.0
import TransportStream

/// The input as content of a section with the right length and CRC, which mutations hardly ever keep.
func fuzzEventInformation(_ bytes: UnsafeRawBufferPointer) {
    var section = bytes.prefix(4_092) + []
    guard section.count > 8 else { return }
    for (table, marks) in [(TimeTable.offsetTableID, 0x70), (EIT.actualTableID, 0xF0)] as [(UInt8, UInt8)] {
        section[0] = table
        section[1] = marks | UInt8((section.count + 1) >> 8)
        section[2] = UInt8((section.count + 1) & 0xFF)
        withCheck(section).withUnsafeBytes { whole in
            // Refusing is an answer.
            if let time = try? TimeTable(whole) { precondition((time.offsets ?? []).count <= whole.count / 13) }
            guard let events = try? EIT(whole) else { return }  // likewise
            precondition(events.events.count <= whole.count / 12)
        }
    }
    // The events, twice, of the program that is followed: now and next.
    section[3] = UInt8(PacketFeed.program >> 8)
    section[4] = UInt8(PacketFeed.program & 0xFF)
    var feed = PacketFeed(nil)
    for number in [EIT.presentSection, EIT.followingSection] {
        section[6] = number
        section[7] = max(section[7], number)
        feed.push([0] + withCheck(section), pid: PID.eventInformation)
    }
    precondition(feed.demultiplexer.counters.crcErrors == 0)
    _ = try? TimeTable(bytes)  // as above
}

private func withCheck(_ section: [UInt8]) -> [UInt8] {
    let crc = CRC32MPEG.checksum(of: section)
    return section + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: crc >> $0) }
}
