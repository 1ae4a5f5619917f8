// SPDX-License-Identifier: Apache-2.0
import CompanionScreens

/// The input as each message of companion screens, and as the texts within them. What is read and written again is read
/// as the same.
func fuzzCompanionScreens(_ bytes: UnsafeRawBufferPointer) {
    if let message = try? WallClockMessage(bytes) {  // refusing is an answer, here and below
        var sent = Array(bytes)
        sent[3] = 0  // the reserved octet
        precondition(message.octets == sent)
        precondition(message.precisionSpan.count > 0 && message.maximumFrequencyErrorPartsPerBillion >= 0)
    }
    if let datagram = try? GroupDatagram(bytes) {
        var signed = Array(GroupDatagram.signed(bytes))
        signed[5] = 0  // the reserved octet
        precondition(datagram.signedOctets == signed && GroupDatagram.tag(of: bytes).count == GroupDatagram.tagOctets)
    }
    let text = Array(bytes)
    if let message = try? CIIMessage(parsing: text) {
        precondition((try? CIIMessage(parsing: message.octets)) == message)
        var known = ContentInformation()
        let changed = known.merge(message)
        precondition(known.merge(message).isEmpty && (changed.isEmpty == (known == ContentInformation())))
        precondition((try? ContentInformation(first: known.firstMessage)) != nil)
    }
    if let setup = try? SetupData(parsing: text) {
        precondition((try? SetupData(parsing: setup.octets)) == setup)
        precondition(setup.contentIDStem.matches(setup.contentIDStem.text))
    }
    if let stamp = try? ControlTimestamp(parsing: text) {
        precondition((try? ControlTimestamp(parsing: stamp.octets)) == stamp)
        let pictures = TimelineProperties(unitsPerTick: 1_001, unitsPerSecond: 30_000)
        for instant: Int64 in [0, .min, .max] {
            _ = stamp.position(at: WallClockTime(nanoseconds: instant), on: pictures)
        }
        precondition(stamp.position(at: stamp.wallClockTime, on: pictures) == stamp.movement?.contentTime)
    }
    if let stamps = try? PresentationTimestamps(parsing: text) {
        precondition((try? PresentationTimestamps(parsing: stamps.octets)) == stamps)
    }
    if let announcement = try? GroupAnnouncement(parsing: text) {
        precondition((try? GroupAnnouncement(parsing: announcement.octets)) == announcement)
    }
    let plain = String(decoding: bytes, as: UTF8.self)
    precondition(TimelineSelector(plain).text == plain)
    if let url = WallClockURL(plain) { precondition(WallClockURL(url.description) == url) }
    if let url = WebSocketURL(plain) { precondition(url.description == plain) }
}
